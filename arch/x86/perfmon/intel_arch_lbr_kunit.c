// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of Intel's architectural last branch records, on a model of their
 * registers: their differences from a model's ring.
 */
#include <linux/perfmon_branch.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "intel_hybrid.h"
#include "intel_lbr_kunit.h"
#include "tables.h"

#define DEBUGCTL	0x1d9
#define CTL		0x14ce
#define DEPTH		0x14cf
#define FROM		0x1500
#define TO		0x1600
#define INFO		0x1200

#define EN		BIT_ULL(0)
#define OS		BIT_ULL(1)
#define USR		BIT_ULL(2)
#define KINDS		0x7f0000ULL
#define ALL		(EN | OS | USR | KINDS)

#define BTF		BIT_ULL(1)
#define FREEZE		BIT_ULL(11)

#define USER		0x00007f0000401000ULL
#define KERNEL		0xffffffff81000000ULL

static const struct pfm_bank *const bank = &pfm_intel_lbr_bank;

static const struct pfm_intel_lbr most = {
	.entries = 32, .from = FROM, .to = TO, .ctl = ALL,
};

/* A processor with @entries records, and a set that records at user level. */
static struct pfm_lbr_state *use(struct kunit *test, unsigned int entries)
{
	struct pfm_lbr_state *s = test->priv;
	struct pfm_msr_cell *cell = s->cells;

	memset(s->cells, 0, sizeof(s->cells));
	*cell++ = (struct pfm_msr_cell) { .msr = CTL, .takes = ALL };
	*cell++ = (struct pfm_msr_cell) { .msr = DEPTH, .takes = 0x38 };
	*cell++ = (struct pfm_msr_cell) { .msr = DEBUGCTL, .takes = FREEZE | BTF };
	pfm_lbr_add_records(cell, FROM, TO, entries);
	pfm_intel_lbr = most;
	pfm_intel_lbr.entries = entries;
	memset(s->regs.used_pmcs, 0, sizeof(s->regs.used_pmcs));
	pfm_bv_set(s->regs.used_pmcs, 24);
	s->pmcs[24] = EN | USR | KINDS;
	pfm_msr_use(s->cells);
	return s;
}

static bool probe(struct pfm_intel_lbr *lbr, u32 depths)
{
	*lbr = most;
	return pfm_intel_probe_arch_lbr(lbr, depths);
}

static void as_many_are_found_as_the_processor_has(struct kunit *test)
{
	struct pfm_intel_lbr lbr;

	use(test, 32);
	pfm_lbr_set_msr(DEBUGCTL, BTF);
	KUNIT_EXPECT_TRUE(test, probe(&lbr, 0x8));
	KUNIT_EXPECT_EQ(test, lbr.entries, 32);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEPTH), 32ULL);
	KUNIT_EXPECT_EQ(test, lbr.ctl, (u32)ALL);
	/* Other bits of the leaf are no number of records. */
	use(test, 16);
	KUNIT_EXPECT_TRUE(test, probe(&lbr, 0xc0000003));
	KUNIT_EXPECT_EQ(test, lbr.entries, 16);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(CTL), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	/* A processor that has no filter by kind records all of them. */
	use(test, 16);
	pfm_msr_cell(CTL)->takes = EN | OS | USR;
	KUNIT_EXPECT_TRUE(test, probe(&lbr, 0x2));
	KUNIT_EXPECT_EQ(test, lbr.ctl, (u32)(EN | OS | USR));
}

/* By CPUID leaf 1CH: EAX their number, ECX their parts; also if there are two types of cores. */
static void a_processor_reports_them(struct kunit *test)
{
	static const struct pfm_intel_model model = {
		.lbr = { .entries = 32, .from = FROM, .to = TO, .ctl = ALL },
	};
	const struct pfm_intel_cpu common = { .caps.version = 5, .lbr = { 0x2, 0x80, 0x1 } };
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	u64 extra[PFM_INTEL_NUM_EXTRA];
	struct pfm_lbr_state *s;
	unsigned int hybrid;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	set_cpu_cap(c, X86_FEATURE_ARCH_LBR);
	for (hybrid = 0; hybrid < 2; hybrid++) {
		s = use(test, 16);
		pfm_lbr_add_info(s->cells, INFO, 16);
		pfm_intel_lbr = (struct pfm_intel_lbr) { };
		memset(extra, 0, sizeof(extra));
		pfm_intel_probe_model(c, &model, &common, hybrid, extra);
		KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 16);
		KUNIT_EXPECT_EQ(test, pfm_intel_lbr.flags,
				BIT_ULL(63) | BIT_ULL(62) | BIT_ULL(61));
		KUNIT_EXPECT_EQ(test, pfm_intel_lbr.frozen, BIT_ULL(58));
		KUNIT_EXPECT_EQ(test, extra[PFM_INTEL_LBR_SELECT], 0ULL);
		KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	}
}

static void those_that_are_not_whole_are_not_there(struct kunit *test)
{
	static const u32 each[] = { CTL, DEPTH, DEBUGCTL, FROM, TO, FROM + 15, TO + 15 };
	struct pfm_intel_lbr lbr;
	u64 bit;
	int i;

	/* A processor that reports no number of them is not probed. */
	use(test, 16);
	KUNIT_EXPECT_FALSE(test, probe(&lbr, 0));
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(DEPTH)->writes, 0U);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	KUNIT_EXPECT_FALSE(test, probe(&lbr, 0x8));
	for (i = 0; i < ARRAY_SIZE(each); i++) {
		use(test, 16);
		pfm_msr_cell(each[i])->msr = 0xffff;
		KUNIT_EXPECT_FALSE_MSG(test, probe(&lbr, 0x2), "without %#x", each[i]);
	}
	for (bit = EN; bit <= USR; bit <<= 1) {
		use(test, 16);
		pfm_msr_cell(CTL)->takes &= ~bit;
		KUNIT_EXPECT_FALSE_MSG(test, probe(&lbr, 0x2), "without bit %#llx", bit);
	}
	use(test, 16);
	pfm_msr_cell(DEBUGCTL)->takes = BTF;
	KUNIT_EXPECT_FALSE_MSG(test, probe(&lbr, 0x2), "no freeze");
	/* A model's ring does not pass for architectural records, nor these for a ring. */
	use(test, 16);
	lbr = most;
	lbr.ctl = 0;
	KUNIT_EXPECT_FALSE(test, pfm_intel_probe_arch_lbr(&lbr, 0x2));
	KUNIT_EXPECT_FALSE(test, pfm_intel_probe_lbr(&most, 0x3, false));
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(DEPTH)->writes, 0U);
}

/* The processor moves the records: the first is the latest. */
static void the_first_is_the_latest(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 32);
	unsigned int i;

	for (i = 0; i < 32; i++) {
		pfm_lbr_set_msr(FROM + i, USER + 16 * i);
		pfm_lbr_set_msr(TO + i, USER + 16 * i + 8);
	}
	for (i = 0; i < 16; i++) {
		KUNIT_EXPECT_EQ(test, bank->read_pmd(32 + i), USER + 16 * i);
		KUNIT_EXPECT_EQ(test, bank->read_pmd(48 + i), USER + 16 * i + 8);
		bank->write_pmd(32 + i, USER + i);
		bank->write_pmd(48 + i, KERNEL + i);
	}
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(FROM + 15), USER + 15);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(TO), KERNEL);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(FROM + 16), USER + 256);
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0xffffffff00000000ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
}

/* IA32_DEBUGCTL's bit of the model-specific ones is reserved here: it would fault. */
static void a_register_of_their_own_switches_them_on(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 8);

	pfm_lbr_set_msr(DEBUGCTL, BTF);
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(CTL), EN | USR | KINDS);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BTF | FREEZE);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(CTL), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BTF);
	pfm_lbr_set_msr(CTL, EN);
	bank->init_cpu();
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(CTL), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEPTH), 8ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	/* A set without it, or with another bit, records nothing. */
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0x00ff00ff00000000ULL);
	s->pmcs[24] = ALL & ~EN;
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0ULL);
	s->pmcs[24] = ALL;
	s->regs.used_pmcs[0] = 0;
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0ULL);
}

static void kernel_addresses_are_shown_to_who_records_them(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 8);

	pfm_lbr_set_msr(FROM, KERNEL);
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), 0ULL);
	s->pmcs[24] |= OS;
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), KERNEL);
}

/* CPUID reports which flags there are; the cycles have a bit of their own. */
static void branches_have_the_flags_that_are_reported(struct kunit *test)
{
	static const u32 flags[] = {
		0, PFM_BRANCH_MISPREDICTED, PFM_BRANCH_CYCLES,
		PFM_BRANCH_MISPREDICTED | PFM_BRANCH_CYCLES,
	};
	struct pfm_branch b[PFM_BRANCHES_MAX];
	struct pfm_lbr_state *s;
	unsigned int parts, i;

	for (parts = 0; parts < ARRAY_SIZE(flags); parts++) {
		s = use(test, 32);
		pfm_lbr_add_info(s->cells, INFO, 32);
		/* Types are no flags. */
		pfm_intel_probe_lbr_flags(&pfm_intel_lbr, 0x3f, parts | 0x4);
		bank->start(&s->regs);
		KUNIT_EXPECT_EQ(test, bank->branches(PFM_BRANCHES_MAX, b), 0U);
		for (i = 0; i < 32; i++) {
			pfm_lbr_set_msr(FROM + i, USER + i);
			pfm_lbr_set_msr(TO + i, USER);
			pfm_lbr_set_msr(INFO + i, BIT_ULL(63) | BIT_ULL(60) | BIT_ULL(56) | 17);
		}
		pfm_lbr_set_msr(INFO + 1, BIT_ULL(63) | 17);
		/* Transactions have no bit in CPUID: where there are none, the flags are 0. */
		pfm_lbr_set_msr(INFO + 3, BIT_ULL(62));
		pfm_lbr_set_msr(INFO + 4, BIT_ULL(61));
		bank->write_pmd(34, USER + 2);
		KUNIT_ASSERT_EQ(test, bank->branches(PFM_BRANCHES_MAX, b), 16U);
		KUNIT_EXPECT_EQ(test, b[0].from, USER);
		KUNIT_EXPECT_EQ(test, b[15].from, USER + 15);
		KUNIT_EXPECT_EQ(test, b[0].flags, flags[parts]);
		KUNIT_EXPECT_EQ(test, b[0].cycles, parts & 2 ? 17U : 0U);
		KUNIT_EXPECT_EQ(test, b[1].flags, flags[parts] & ~PFM_BRANCH_CYCLES);
		KUNIT_EXPECT_EQ(test, b[1].cycles, 0U);
		KUNIT_EXPECT_EQ(test, b[2].flags, 0U);
		KUNIT_EXPECT_EQ(test, b[3].flags & ~PFM_BRANCH_PREDICTED,
				PFM_BRANCH_IN_TRANSACTION);
		KUNIT_EXPECT_EQ(test, b[4].flags & ~PFM_BRANCH_PREDICTED, PFM_BRANCH_ABORT);
		KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	}
}

static void registers_are_the_documented_ones(struct kunit *test)
{
	const struct pfm_table *table = pfm_intel_find_model(6, 0x8f);
	void *space = kunit_kzalloc(test, table->size, GFP_KERNEL);
	const struct pfm_pmu *pmu;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, space);
	pmu = table->build(table, space);
	KUNIT_EXPECT_EQ(test, pmu->num_pmcs, 25);
	KUNIT_EXPECT_PTR_EQ(test, (void *)pmu->pmcs[22].name, NULL);
	KUNIT_EXPECT_PTR_EQ(test, (void *)pmu->pmcs[23].name, NULL);
	KUNIT_EXPECT_STREQ(test, pmu->pmcs[24].name, "IA32_LBR_CTL");
	KUNIT_EXPECT_EQ(test, pmu->pmcs[24].addr, 0x14ceULL);
	KUNIT_EXPECT_EQ(test, pmu->pmcs[24].def, 0ULL);
	KUNIT_EXPECT_EQ(test, pmu->pmcs[24].rsvd, ~ALL);
	KUNIT_EXPECT_EQ(test, pmu->pmcs[24].kernel_bits, OS);
	KUNIT_EXPECT_EQ(test, pmu->pmcs[24].deps[0], GENMASK_ULL(63, 32));
	for (i = 0; i < 16; i++) {
		KUNIT_EXPECT_EQ(test, pmu->pmds[32 + i].addr, 0x1500ULL + i);
		KUNIT_EXPECT_EQ(test, pmu->pmds[48 + i].addr, 0x1600ULL + i);
		KUNIT_EXPECT_EQ(test, pmu->pmds[32 + i].deps[0], BIT_ULL(24));
		KUNIT_EXPECT_EQ(test, pmu->pmds[48 + i].deps[0], BIT_ULL(24));
	}
}

static struct kunit_case pfm_intel_arch_lbr_cases[] = {
	KUNIT_CASE(as_many_are_found_as_the_processor_has),
	KUNIT_CASE(a_processor_reports_them),
	KUNIT_CASE(those_that_are_not_whole_are_not_there),
	KUNIT_CASE(the_first_is_the_latest),
	KUNIT_CASE(a_register_of_their_own_switches_them_on),
	KUNIT_CASE(kernel_addresses_are_shown_to_who_records_them),
	KUNIT_CASE(branches_have_the_flags_that_are_reported),
	KUNIT_CASE(registers_are_the_documented_ones),
	{ }
};

static struct kunit_suite pfm_intel_arch_lbr_suite = {
	.name = "perfmon_intel_arch_lbr",
	.init = pfm_lbr_test_init,
	.exit = pfm_lbr_test_exit,
	.test_cases = pfm_intel_arch_lbr_cases,
};

kunit_test_suite(pfm_intel_arch_lbr_suite);
