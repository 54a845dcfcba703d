// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of NMIs while a test works with a model, which has no interrupt: those of the
 * NMI watchdog do not stop meanwhile.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <asm/nmi.h>
#include "../../../kernel/perfmon/cpu.h"
#include "../../../kernel/perfmon/registers.h"
#include "../../../kernel/perfmon/tests/context.h"
#include "../../../kernel/perfmon/tests/model.h"
#include "msr_kunit.h"

static unsigned int arrived, accesses;

/* The interrupt has a cause, so that the kernel does not complain of it. */
static int take_nmi(unsigned int cmd, struct pt_regs *regs)
{
	arrived++;
	return NMI_HANDLED;
}

static int test_nmi_init(struct kunit *test)
{
	arrived = 0;
	return register_nmi_handler(NMI_LOCAL, take_nmi, 0, "perfmon test");
}

static void test_nmi_exit(struct kunit *test)
{
	unregister_nmi_handler(NMI_LOCAL, "perfmon test");
	KUNIT_EXPECT_GE(test, arrived, 1U);
}

/* By the instruction, the handlers run as after an interrupt. */
static void raise_nmi(void)
{
	asm volatile("int $2");
}

static void an_nmi_does_not_read_a_model_of_msrs(struct kunit *test)
{
	struct pfm_msr_cell nothing[] = { { } };

	pfm_msr_use(nothing);
	raise_nmi();
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
}

static void model_prepare(struct pfm_regs *regs)
{
	regs->enable = 1;
	regs->live_pmds = 1;
}

static void model_switch(const struct pfm_regs *regs)
{
	accesses++;
}

static void model_write(unsigned int reg, u64 value)
{
	accesses++;
}

/* A counter that has overflowed. */
static u64 model_read_pmd(unsigned int pmd)
{
	accesses++;
	return 0;
}

static const struct pfm_pmu_ops model_ops = {
	.acquire	= pfm_model_acquire,
	.release	= pfm_model_nothing,
	.init_cpu	= pfm_model_nothing,
	.prepare	= model_prepare,
	.start		= model_switch,
	.stop		= model_switch,
	.ack		= pfm_model_nothing,
	.write_pmc	= model_write,
	.write_pmd	= model_write,
	.read_pmd	= model_read_pmd,
};

static const struct pfm_pmu model_pmu = PFM_MODEL(&model_ops);

static void an_nmi_is_not_a_models(struct kunit *test)
{
	pfarg_pmc_t pmc = { .reg_value = 1 };
	pfarg_pmd_t pmd = { .reg_value = -1 };
	struct pfm_test_context *s;
	unsigned long flags;

	KUNIT_ASSERT_EQ(test, pfm_test_context_init(test, &model_pmu), 0);
	s = test->priv;
	pfm_test_command(test, pfm_write_pmcs, &pmc);
	pfm_test_command(test, pfm_write_pmds, &pmd);
	local_irq_save(flags);
	s->ctx->started = true;
	pfm_cpu_in(s->ctx);
	accesses = 0;
	raise_nmi();
	KUNIT_EXPECT_EQ(test, accesses, 0U);
	pfm_cpu_out(s->ctx);
	s->ctx->started = false;
	local_irq_restore(flags);
	pfm_test_context_exit(test);
}

static struct kunit_case nmi_cases[] = {
	KUNIT_CASE(an_nmi_does_not_read_a_model_of_msrs),
	KUNIT_CASE(an_nmi_is_not_a_models),
	{ }
};

static struct kunit_suite nmi_suite = {
	.name = "perfmon_x86_nmi",
	.init = test_nmi_init,
	.exit = test_nmi_exit,
	.test_cases = nmi_cases,
};

kunit_test_suite(nmi_suite);
