// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of banks, on a model of a PMU that has a counter, a bank of two registers that
 * run, a bank of a control register that other sets must not find loaded, and a bank of branch
 * records.
 *
 *	PMC0	the counter		PMD0	the counter
 *	PMC1	switches the unit on	PMD1-2	the unit: a counter, a buffer
 *	PMC2	refines events		PMD3	the records
 *	PMC3	the PMU's own
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/perfmon_fmt.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include "../bank.h"
#include "../bank_claim.h"
#include "../call.h"
#include "../context.h"
#include "../cpu.h"
#include "../event_set.h"
#include "../evtset_cmds.h"
#include "../pmu.h"
#include "../pmu_register.h"
#include "../registers.h"
#include "context.h"

#define UNIT_PMDS	(BIT_ULL(1) | BIT_ULL(2))
#define SHARED		0x100ULL	/* in a PMC of a bank: needs what others may use */
#define REFUSED		0x200ULL	/* in PMC1 */

static struct {
	char		log[256];
	u64		pmds[4];
	unsigned int	unit_claims, refiner_claims;
	bool		unit_is_taken, refiner_is_taken;
} model;

static void note(const char *what)
{
	strlcat(model.log, what, sizeof(model.log));
	strlcat(model.log, " ", sizeof(model.log));
}

static void note_reg(const char *what, unsigned int reg)
{
	const char digit[] = { '0' + reg, '\0' };

	strlcat(model.log, what, sizeof(model.log));
	note(digit);
}

/* The operations of the counter. */

static int own_acquire(void)
{
	return 0;
}

static void own_release(void)
{
}

static void own_init_cpu(void)
{
	note("init");
}

static void own_prepare(struct pfm_regs *regs)
{
	regs->enable = regs->pmcs[0];
	regs->live_pmds = !!regs->enable;
}

static void own_start(const struct pfm_regs *regs)
{
	note("start");
}

static void own_stop(const struct pfm_regs *regs)
{
	note("stop");
}

static void own_ack(void)
{
}

static void own_write_pmc(unsigned int pmc, u64 value)
{
	note_reg("pmc", pmc);
}

static void own_write_pmd(unsigned int pmd, u64 value)
{
	note_reg("pmd", pmd);
	model.pmds[pmd] = value;
}

static u64 own_read_pmd(unsigned int pmd)
{
	note_reg("read", pmd);
	return model.pmds[pmd];
}

static const struct pfm_pmu_ops own_ops = {
#define X(name) .name = own_##name,
	PFM_PMU_OPS(X)
#undef X
};

/* The unit. */

static void unit_init_cpu(void)
{
	note("unit:init");
}

static void unit_prepare(struct pfm_regs *regs)
{
	if (!regs->pmcs[1])
		return;
	regs->live_pmds |= UNIT_PMDS;
	regs->needs_pmi |= BIT_ULL(1);
}

static void unit_start(const struct pfm_regs *regs)
{
	note("unit:start");
}

static void unit_stop(const struct pfm_regs *regs)
{
	note("unit:stop");
}

static void unit_write_pmd(unsigned int pmd, u64 value)
{
	note_reg("unit:pmd", pmd);
	model.pmds[pmd] = value;
}

static u64 unit_read_pmd(unsigned int pmd)
{
	note_reg("unit:read", pmd);
	return model.pmds[pmd];
}

static int unit_check_pmc(const struct pfm_regs *regs, unsigned int pmc, u64 value)
{
	return value & REFUSED ? -EINVAL : 0;
}

static bool unit_shares(unsigned int pmc, u64 value)
{
	return pmc == 1 && (value & SHARED);
}

static int unit_claim(void)
{
	if (model.unit_is_taken)
		return -EBUSY;
	model.unit_claims++;
	return 0;
}

static void unit_unclaim(void)
{
	model.unit_claims--;
}

static const struct pfm_bank unit = {
	.name = "unit", .pmc = 1, .end_pmc = 2, .pmd = 1, .end_pmd = 3,
	.init_cpu = unit_init_cpu, .prepare = unit_prepare, .start = unit_start,
	.stop = unit_stop, .write_pmd = unit_write_pmd, .read_pmd = unit_read_pmd,
	.check_pmc = unit_check_pmc, .shares = unit_shares, .claim = unit_claim,
	.unclaim = unit_unclaim,
};

/* The register that refines events. A value of PMC0 needs it, too. */

static void refiner_load(const struct pfm_regs *regs)
{
	note("refiner:load");
}

static void refiner_write_pmc(unsigned int pmc, u64 value)
{
	note_reg("refiner:pmc", pmc);
}

static bool refiner_shares(unsigned int pmc, u64 value)
{
	return (pmc == 0 || pmc == 2) && (value & SHARED);
}

static int refiner_claim(void)
{
	if (model.refiner_is_taken)
		return -EBUSY;
	model.refiner_claims++;
	return 0;
}

static void refiner_unclaim(void)
{
	model.refiner_claims--;
}

static const struct pfm_bank refiner = {
	.name = "refiner", .pmc = 2, .end_pmc = 3, .load = refiner_load,
	.write_pmc = refiner_write_pmc, .shares = refiner_shares, .claim = refiner_claim,
	.unclaim = refiner_unclaim,
};

/* The records. No set of these tests switches them on. */

static void records_start(const struct pfm_regs *regs)
{
	note("records:start");
}

static void records_stop(const struct pfm_regs *regs)
{
	note("records:stop");
}

static void records_write_pmd(unsigned int pmd, u64 value)
{
	note_reg("records:pmd", pmd);
	model.pmds[pmd] = value;
}

static u64 records_read_pmd(unsigned int pmd)
{
	note_reg("records:read", pmd);
	return model.pmds[pmd];
}

static unsigned int records_branches(unsigned int max, struct pfm_branch *to)
{
	return max;
}

static const struct pfm_bank records = {
	.name = "records", .pmd = 3, .end_pmd = 4, .start = records_start, .stop = records_stop,
	.write_pmd = records_write_pmd, .read_pmd = records_read_pmd,
	.branches = records_branches,
};

static const struct pfm_bank * const model_banks[] = { &unit, &refiner, &records, NULL };

#define PMC(_n, _deps)								\
	{ .name = "C" #_n, .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL,	\
	  .width = 16, .addr = (_n), .deps = { (_deps) } }

static const struct pfm_reg_desc model_pmcs[] = {
	PMC(0, BIT_ULL(0)), PMC(1, UNIT_PMDS), PMC(2, 0), PMC(3, 0),
};

static const struct pfm_reg_desc model_pmds[] = {
	{ .name = "D0", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 32,
	  .write_width = 32, .addr = 10, .deps = { BIT_ULL(0) } },
	{ .name = "D1", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 32,
	  .write_width = 32, .addr = 11, .deps = { BIT_ULL(1) } },
	{ .name = "D2", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_BUFFER, .width = 64,
	  .addr = 12, .deps = { BIT_ULL(1) } },
	{ .name = "D3", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_BUFFER, .width = 64,
	  .addr = 13 },
};

static const struct pfm_pmu model_pmu = {
	.name = "model", .software = true, .counter_width = 32,
	.pmcs = model_pmcs, .num_pmcs = ARRAY_SIZE(model_pmcs),
	.pmds = model_pmds, .num_pmds = ARRAY_SIZE(model_pmds),
	.ops = &own_ops, .banks = model_banks,
};

static int bank_test_init(struct kunit *test)
{
	memset(&model, 0, sizeof(model));
	return pfm_test_context_init(test, &model_pmu);
}

static int write_pmc(struct kunit *test, unsigned int pmc, u64 value)
{
	struct pfm_test_context *s = test->priv;
	pfarg_pmc_t req = { .reg_num = pmc, .reg_value = value };
	struct pfm_call call = { .ctx = s->ctx, .args = &req, .n = 1 };
	int err;

	mutex_lock(&s->ctx->lock);
	err = pfm_write_pmcs(&call);
	mutex_unlock(&s->ctx->lock);
	return err;
}

/* Count for a moment; returns the operations. */
static const char *run(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	unsigned long flags;

	local_irq_save(flags);
	model.log[0] = '\0';
	s->ctx->started = true;
	pfm_cpu_in(s->ctx);
	pfm_cpu_out(s->ctx);
	s->ctx->started = false;
	local_irq_restore(flags);
	return model.log;
}

static void the_model_is_valid(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&model_pmu), 0);
}

/* The operations for a set that uses all registers. */
#define INIT		"init unit:init "
#define LOAD_PMCS	"refiner:load pmc0 refiner:pmc2 pmc3 "
#define LOAD_PMDS	"pmd0 unit:pmd1 unit:pmd2 "
#define RUN		"unit:start start unit:stop stop read0 unit:read1 unit:read2 "

static void each_access_is_that_of_the_registers_bank(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, write_pmc(test, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, write_pmc(test, 1, 1), 0);
	KUNIT_ASSERT_EQ(test, write_pmc(test, 2, 1), 0);
	KUNIT_ASSERT_EQ(test, write_pmc(test, 3, 1), 0);
	pfm_cpu_new_epoch();
	KUNIT_EXPECT_STREQ(test, run(test), INIT LOAD_PMCS LOAD_PMDS RUN);
	/* Nothing is loaded again. */
	KUNIT_EXPECT_STREQ(test, run(test), RUN);
}

static void a_set_that_does_not_use_a_bank_runs_without_it(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, write_pmc(test, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, write_pmc(test, 1, 1), 0);
	run(test);
	KUNIT_ASSERT_EQ(test, write_pmc(test, 1, 0), 0);
	KUNIT_EXPECT_STREQ(test, run(test), "start stop read0 ");
	/* A bank without PMDs is loaded, and never started. */
	KUNIT_ASSERT_EQ(test, write_pmc(test, 2, 1), 0);
	KUNIT_EXPECT_STREQ(test, run(test), "refiner:pmc2 start stop read0 ");
}

#define EACH_PMD	"pmd0 read0 unit:pmd1 unit:read1 unit:pmd2 unit:read2 records:pmd3 records:read3 "

static void each_pmd_is_that_of_its_bank(struct kunit *test)
{
	unsigned int pmd;

	for (pmd = 0; pmd < ARRAY_SIZE(model_pmds); pmd++) {
		static_call(pfm_pmu_write_pmd)(pmd, 100 + pmd);
		KUNIT_EXPECT_EQ(test, static_call(pfm_pmu_read_pmd)(pmd), 100ULL + pmd);
	}
	KUNIT_EXPECT_STREQ(test, model.log, EACH_PMD);
}

static void a_banks_counter_counts(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	unsigned long flags;

	KUNIT_ASSERT_EQ(test, write_pmc(test, 1, 1), 0);
	local_irq_save(flags);
	s->ctx->started = true;
	pfm_cpu_in(s->ctx);
	model.pmds[1] += 7;
	model.pmds[2] = 0x1234;
	pfm_cpu_out(s->ctx);
	s->ctx->started = false;
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(s->ctx->set, 1)->value, 7ULL);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(s->ctx->set, 2)->value, 0x1234ULL);
}

static void a_bank_that_is_switched_off_needs_no_interrupts(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	KUNIT_ASSERT_EQ(test, write_pmc(test, 1, 1), 0);
	KUNIT_EXPECT_EQ(test, s->ctx->set->regs.live_pmds, UNIT_PMDS);
	KUNIT_EXPECT_EQ(test, s->ctx->set->regs.needs_pmi, BIT_ULL(1));
	KUNIT_ASSERT_EQ(test, write_pmc(test, 1, 0), 0);
	KUNIT_EXPECT_EQ(test, s->ctx->set->regs.live_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, s->ctx->set->regs.needs_pmi, 0ULL);
}

static void a_bank_may_refuse_values_of_its_own_pmcs(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, write_pmc(test, 1, REFUSED), -EINVAL);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 1, 1), 0);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 0, REFUSED), 0);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 2, REFUSED), 0);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 3, REFUSED), 0);
}

static int claim(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	int err;

	mutex_lock(&s->ctx->lock);
	err = pfm_banks_claim(s->ctx);
	mutex_unlock(&s->ctx->lock);
	return err;
}

static void unclaim(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	mutex_lock(&s->ctx->lock);
	pfm_banks_unclaim(s->ctx);
	mutex_unlock(&s->ctx->lock);
}

static void a_load_claims_what_the_sets_need(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	KUNIT_EXPECT_EQ(test, write_pmc(test, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 2, 1), 0);
	model.unit_is_taken = true;
	model.refiner_is_taken = true;
	KUNIT_EXPECT_EQ(test, claim(test), 0);
	KUNIT_EXPECT_EQ(test, s->ctx->claimed, 0);
	/* A value of another bank's PMC, or of none's, may be the reason. */
	KUNIT_EXPECT_EQ(test, write_pmc(test, 0, SHARED), 0);
	KUNIT_EXPECT_EQ(test, claim(test), -EBUSY);
	model.refiner_is_taken = false;
	KUNIT_EXPECT_EQ(test, claim(test), 0);
	KUNIT_EXPECT_EQ(test, model.refiner_claims, 1U);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 0U);
	unclaim(test);
	KUNIT_EXPECT_EQ(test, model.refiner_claims, 0U);
	unclaim(test);
	KUNIT_EXPECT_EQ(test, model.refiner_claims, 0U);
}

/* Whichever of the sets it is. */
static void a_load_claims_what_any_set_needs(struct kunit *test)
{
	pfarg_setdesc_t set = { .set_id = 7 };

	pfm_test_command(test, pfm_create_evtsets, &set);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 1, SHARED), 0);
	KUNIT_EXPECT_EQ(test, claim(test), 0);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 1U);
	unclaim(test);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 0U);
}

static void a_load_claims_all_or_nothing(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	KUNIT_EXPECT_EQ(test, write_pmc(test, 1, SHARED), 0);
	KUNIT_EXPECT_EQ(test, write_pmc(test, 2, SHARED), 0);
	model.refiner_is_taken = true;
	KUNIT_EXPECT_EQ(test, claim(test), -EBUSY);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 0U);
	KUNIT_EXPECT_EQ(test, s->ctx->claimed, 0);
	model.refiner_is_taken = false;
	KUNIT_EXPECT_EQ(test, claim(test), 0);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 1U);
	KUNIT_EXPECT_EQ(test, model.refiner_claims, 1U);
	unclaim(test);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 0U);
	KUNIT_EXPECT_EQ(test, model.refiner_claims, 0U);
}

static int claim_for(struct kunit *test, unsigned int pmc, u64 value, enum pfm_state state)
{
	struct pfm_test_context *s = test->priv;
	int err;

	mutex_lock(&s->ctx->lock);
	s->ctx->state = state;
	err = pfm_banks_claim_for(s->ctx, pmc, value);
	s->ctx->state = PFM_UNLOADED;
	mutex_unlock(&s->ctx->lock);
	return err;
}

static void a_loaded_context_claims_once_what_a_value_needs(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, claim_for(test, 1, SHARED, PFM_UNLOADED), 0);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 0U);
	KUNIT_EXPECT_EQ(test, claim_for(test, 1, 1, PFM_LOADED), 0);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 0U);
	model.unit_is_taken = true;
	KUNIT_EXPECT_EQ(test, claim_for(test, 1, SHARED, PFM_LOADED), -EBUSY);
	model.unit_is_taken = false;
	KUNIT_EXPECT_EQ(test, claim_for(test, 1, SHARED, PFM_LOADED), 0);
	KUNIT_EXPECT_EQ(test, claim_for(test, 1, SHARED, PFM_LOADED), 0);
	KUNIT_EXPECT_EQ(test, model.unit_claims, 1U);
	KUNIT_EXPECT_EQ(test, claim_for(test, 2, SHARED, PFM_LOADED), 0);
	KUNIT_EXPECT_EQ(test, model.refiner_claims, 1U);
	unclaim(test);
	KUNIT_EXPECT_EQ(test, model.unit_claims + model.refiner_claims, 0U);
}

static void a_pmu_without_banks_follows(struct kunit *test)
{
	struct pfm_pmu without = model_pmu;
	const struct pfm_pmu *with;

	KUNIT_EXPECT_EQ(test, pfm_bank_pmds, UNIT_PMDS | BIT_ULL(3));
	KUNIT_EXPECT_EQ(test, pfm_bank_pmc, 1U);
	KUNIT_EXPECT_TRUE(test, pfm_banks_share);
	without.banks = NULL;
	with = pfm_pmu_use(&without);
	KUNIT_EXPECT_EQ(test, pfm_bank_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_bank_pmc, UINT_MAX);
	KUNIT_EXPECT_FALSE(test, pfm_banks_share);
	KUNIT_EXPECT_PTR_EQ(test, (void *)*pfm_banks, NULL);
	pfm_pmu_use(with);
}

/* Formats read the records of the bank that has them, if the set has switched it on. */
static void branches_are_those_of_the_records(struct kunit *test)
{
	struct pfm_ovfl_data data = { .live_pmds = BIT_ULL(3) };
	struct pfm_pmu without = model_pmu;
	const struct pfm_pmu *with;

	KUNIT_EXPECT_TRUE(test, pfm_branches_work());
	KUNIT_EXPECT_EQ(test, pfm_branches(&data, 5, NULL), 5U);
	KUNIT_EXPECT_EQ(test, pfm_branches(&data, PFM_BRANCHES_MAX + 1, NULL),
			(unsigned int)PFM_BRANCHES_MAX);
	data.live_pmds = ~BIT_ULL(3);
	KUNIT_EXPECT_EQ(test, pfm_branches(&data, 5, NULL), 0U);
	without.banks = NULL;
	with = pfm_pmu_use(&without);
	data.live_pmds = ~0ULL;
	KUNIT_EXPECT_FALSE(test, pfm_branches_work());
	KUNIT_EXPECT_EQ(test, pfm_branches(&data, 5, NULL), 0U);
	pfm_pmu_use(with);
}

/* Of these the first, or the second, has something to load. */
static void any_bank_may_have_something_to_load(struct kunit *test)
{
	static const struct pfm_bank * const first[] = { &refiner, &records, NULL };
	static const struct pfm_bank * const second[] = { &records, &refiner, NULL };
	static const struct pfm_bank * const alone[] = { &refiner, NULL };
	static const struct pfm_bank * const none[] = { &records, NULL };
	static const struct {
		const struct pfm_bank * const	*banks;
		const char			*loads;
	} rows[] = {
		{ first, "refiner:load " }, { none, "" }, { second, "refiner:load " },
		{ none, "" }, { alone, "refiner:load " },
	};
	struct pfm_pmu pmu = model_pmu;
	const struct pfm_pmu *before = NULL;
	struct pfm_regs regs = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		pmu.banks = rows[i].banks;
		if (i)
			pfm_pmu_use(&pmu);
		else
			before = pfm_pmu_use(&pmu);
		model.log[0] = '\0';
		static_call_cond(pfm_banks_load)(&regs);
		KUNIT_EXPECT_STREQ(test, model.log, rows[i].loads);
	}
	pfm_pmu_use(before);
}

static struct kunit_case bank_cases[] = {
	KUNIT_CASE(the_model_is_valid),
	KUNIT_CASE(each_access_is_that_of_the_registers_bank),
	KUNIT_CASE(a_set_that_does_not_use_a_bank_runs_without_it),
	KUNIT_CASE(each_pmd_is_that_of_its_bank),
	KUNIT_CASE(a_banks_counter_counts),
	KUNIT_CASE(a_bank_that_is_switched_off_needs_no_interrupts),
	KUNIT_CASE(a_bank_may_refuse_values_of_its_own_pmcs),
	KUNIT_CASE(a_load_claims_what_the_sets_need),
	KUNIT_CASE(a_load_claims_what_any_set_needs),
	KUNIT_CASE(a_load_claims_all_or_nothing),
	KUNIT_CASE(a_loaded_context_claims_once_what_a_value_needs),
	KUNIT_CASE(a_pmu_without_banks_follows),
	KUNIT_CASE(branches_are_those_of_the_records),
	KUNIT_CASE(any_bank_may_have_something_to_load),
	{ }
};

static struct kunit_suite bank_suite = {
	.name = "perfmon_bank",
	.init = bank_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = bank_cases,
};

kunit_test_suite(bank_suite);
