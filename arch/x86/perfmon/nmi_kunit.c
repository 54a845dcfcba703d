// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of NMIs while a test works with a model, which has no interrupt: those of the
 * NMI watchdog do not stop meanwhile.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>
#include <asm/processor.h>
#include "../../../kernel/perfmon/cpu.h"
#include "../../../kernel/perfmon/registers.h"
#include "../../../kernel/perfmon/tests/context.h"
#include "../../../kernel/perfmon/tests/model.h"
#include "intel_arch.h"
#include "msr_kunit.h"
#include "perfmon.h"

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

static struct pfm_msr_cell nothing[] = { { } };

static void an_nmi_does_not_read_a_model_of_msrs(struct kunit *test)
{
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

/* A counter that has overflowed, or that has not. */
static u64 count;

static u64 model_read_pmd(unsigned int pmd)
{
	accesses++;
	return count;
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

/* A context with the model's counter, one event before its overflow. */
static struct pfm_test_context *model_context(struct kunit *test)
{
	pfarg_pmc_t pmc = { .reg_value = 1 };
	pfarg_pmd_t pmd = { .reg_value = -1 };

	KUNIT_ASSERT_EQ(test, pfm_test_context_init(test, &model_pmu), 0);
	pfm_test_command(test, pfm_write_pmcs, &pmc);
	pfm_test_command(test, pfm_write_pmds, &pmd);
	return test->priv;
}

static void an_nmi_is_not_a_models(struct kunit *test)
{
	struct pfm_test_context *s;
	unsigned long flags;

	s = model_context(test);
	count = 0;
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

#define UNMASKED	APIC_DM_NMI
#define MASKED		(APIC_LVT_MASKED | APIC_DM_NMI)

/* Have the processor the architectural PMU of this version, with four counters. */
static void use_version(unsigned int version)
{
	pfm_intel.caps.version = version;
	pfm_intel.status = version ? 0xf : 0;
}

static void expect_no_context(struct kunit *test, struct pfm_msr_cell *cells)
{
	unsigned long wrapped = __this_cpu_read(pfm_cpu.wrapped);

	/* A processor without such registers: none is read. */
	use_version(0);
	pfm_msr_use(nothing);
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_pmi(MASKED, true));
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_pmi(MASKED | APIC_SEND_PENDING, true));
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_pmi(UNMASKED, true));
	/* As a reset leaves the entry. */
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_pmi(APIC_LVT_MASKED, true));
	/* A wrap was handled lately: its interrupt may come late if it does not mask the entry. */
	__this_cpu_write(pfm_cpu.wrapped, jiffies + 1000 * HZ);
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_pmi(UNMASKED, false));
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_pmi(UNMASKED, true));
	__this_cpu_write(pfm_cpu.wrapped, wrapped);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);

	use_version(2);
	pfm_msr_use(cells);
	cells[0].value = BIT_ULL(62);
	cells[1].value = 0;
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_pmi(UNMASKED, true));
	cells[0].value |= BIT_ULL(3);
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_pmi(UNMASKED, true));
	cells[0].value = 0;
}

/* The context has a counter that must be enabled. */
static void expect_context(struct kunit *test, struct pfm_msr_cell *cells)
{
	count = U32_MAX;
	cells[1].value = 0x1;
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_pmi(UNMASKED, true));
	cells[1].value = 0xe;
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_pmi(UNMASKED, true));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	use_version(0);
	pfm_msr_use(nothing);
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_pmi(UNMASKED, true));
	/* Its value shows an overflow, whatever else is lost. */
	count = 0;
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_pmi(UNMASKED, true));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
}

static void an_nmi_is_the_pmus_by_its_signs(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = MSR_CORE_PERF_GLOBAL_STATUS }, { .msr = MSR_CORE_PERF_GLOBAL_CTRL }, { }
	};
	const struct pfm_intel_caps caps = pfm_intel.caps;
	const u64 status = pfm_intel.status;
	struct pfm_test_context *s;
	unsigned long flags;

	s = model_context(test);
	pfm_msr_use(cells);
	local_irq_save(flags);
	expect_no_context(test, cells);
	s->ctx->started = true;
	pfm_cpu_in(s->ctx);
	expect_context(test, cells);
	pfm_cpu_out(s->ctx);
	s->ctx->started = false;
	local_irq_restore(flags);
	pfm_intel.caps = caps;
	pfm_intel.status = status;
	pfm_msr_use(NULL);
	pfm_test_context_exit(test);
	raise_nmi();
}

/* Intel's do since the Pentium 4, on hardware; hypervisors do not agree. */
static void the_entry_is_masked_by_intels_hardware(struct kunit *test)
{
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	KUNIT_EXPECT_TRUE(test, pfm_x86_masks_entry(c, true));
	KUNIT_EXPECT_FALSE(test, pfm_x86_masks_entry(c, false));
	set_cpu_cap(c, X86_FEATURE_HYPERVISOR);
	KUNIT_EXPECT_FALSE(test, pfm_x86_masks_entry(c, true));
	raise_nmi();
}

static struct kunit_case nmi_cases[] = {
	KUNIT_CASE(an_nmi_is_the_pmus_by_its_signs),
	KUNIT_CASE(the_entry_is_masked_by_intels_hardware),
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
