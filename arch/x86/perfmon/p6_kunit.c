// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the P6 family's PMU, on a model of its registers.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "evtsel.h"
#include "msr_kunit.h"
#include "p6.h"

#define SEL0	0x186
#define SEL1	0x187
#define CTR0	0xc1
#define CTR1	0xc2
#define EN	0x400000ULL
#define USER	0x5100c0ULL	/* instructions, user level, with INT and EN */

/* PERFEVTSEL1 has no enable bit; counters take what the instruction can write. */
static const struct pfm_msr_cell cells_at_boot[] = {
	{ .msr = SEL0, .takes = 0xffdfffff, .value = 0x530076 },
	{ .msr = SEL1, .takes = 0xff9fffff, .value = 0x130076 },
	{ .msr = CTR0, .takes = 0xffffffff }, { .msr = CTR1, .takes = 0xffffffff },
	{ }
};

struct p6_state {
	struct pfm_msr_cell	cells[ARRAY_SIZE(cells_at_boot)];
	u64			pmcs[PFM_P6_NUM];
	struct pfm_regs		regs;
};

static bool irqs_were_off;

static int p6_test_init(struct kunit *test)
{
	struct p6_state *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	kunit_info(test, "machine: Intel P6, register model\n");
	memcpy(s->cells, cells_at_boot, sizeof(s->cells));
	s->regs.pmcs = s->pmcs;
	test->priv = s;
	pfm_msr_use(s->cells);
	pfm_p6_ops.init_cpu();
	return 0;
}

static void p6_test_exit(struct kunit *test)
{
	struct p6_state *s = test->priv;

	if (!s)
		return;
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
}

/* A set with these two control values, 0 for a register that it does not use. */
static void load(struct p6_state *s, u64 pmc0, u64 pmc1)
{
	s->pmcs[0] = pmc0;
	s->pmcs[1] = pmc1;
	s->regs.used_pmcs[0] = (pmc0 ? BIT_ULL(0) : 0) | (pmc1 ? BIT_ULL(1) : 0);
	pfm_p6_ops.prepare(&s->regs);
	if (pmc0)
		pfm_p6_ops.write_pmc(0, pmc0);
	if (pmc1)
		pfm_p6_ops.write_pmc(1, pmc1);
}

static u64 msr(u32 number)
{
	return pfm_msr_cell(number)->value;
}

static void nothing_counts_at_first(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, msr(SEL0), 0ULL);
	KUNIT_EXPECT_EQ(test, msr(SEL1), 0ULL);
	/* An NMI has no vector: nothing of the kernel leaves this entry in the local APIC. */
	apic_write(APIC_LVTPC, APIC_DM_NMI | 0x20);
	pfm_p6_ops.init_cpu();
	KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
}

static void a_start_is_the_last_write_and_enables_both(struct kunit *test)
{
	struct p6_state *s = test->priv;

	load(s, USER, USER | 0x2);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 3ULL);
	KUNIT_EXPECT_EQ(test, msr(SEL0), USER & ~EN);
	KUNIT_EXPECT_EQ(test, msr(SEL1), (USER | 0x2) & ~EN);
	pfm_p6_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(SEL0), USER);
	KUNIT_EXPECT_EQ(test, msr(SEL1), (USER | 0x2) & ~EN);
	pfm_p6_ops.stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(SEL0), USER & ~EN);
}

static void the_second_counter_runs_alone(struct kunit *test)
{
	struct p6_state *s = test->priv;

	load(s, 0, USER);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 2ULL);
	pfm_p6_ops.start(&s->regs);
	/* Enabled, and the first counter counts at no level. */
	KUNIT_EXPECT_EQ(test, msr(SEL0), EN);
	KUNIT_EXPECT_EQ(test, msr(SEL1), USER & ~EN);
	pfm_p6_ops.stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(SEL0), 0ULL);
}

static void another_contexts_second_counter_stays_off(struct kunit *test)
{
	struct p6_state *s = test->priv;

	load(s, USER, USER);
	pfm_p6_ops.start(&s->regs);
	pfm_p6_ops.stop(&s->regs);
	load(s, USER, 0);
	pfm_p6_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(SEL0), USER);
	KUNIT_EXPECT_EQ(test, msr(SEL1), 0ULL);
	pfm_p6_ops.stop(&s->regs);
}

static void no_level_is_not_live(struct kunit *test)
{
	struct p6_state *s = test->priv;

	load(s, 0x5000c0, 0x5000c0);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0ULL);
	pfm_p6_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(SEL0), 0ULL);
}

static void either_level_is_live(struct kunit *test)
{
	struct p6_state *s = test->priv;

	load(s, 0x5100c0, 0x5200c0);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 3ULL);
}

static void counters_are_written_by_32_bits_and_read_by_40(struct kunit *test)
{
	struct pfm_msr_cell *ctr = pfm_msr_cell(CTR1);

	pfm_p6_ops.write_pmd(1, 0xff80000001ULL);
	KUNIT_EXPECT_EQ(test, ctr->value, 0x80000001ULL);
	/* The processor extends the sign, here beyond its width. */
	ctr->value = 0xabcdff80000001ULL;
	KUNIT_EXPECT_EQ(test, pfm_p6_ops.read_pmd(1), 0xff80000001ULL);
}

static void the_description_is_whole(struct kunit *test)
{
	struct pfm_pmu pmu = pfm_p6_registers;

	pmu.ops = &pfm_p6_ops;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&pmu), 0);
}

/* The NMI watchdog may be using the first counter. */
static void probe_finds_the_registers_and_puts_them_back(struct kunit *test)
{
	pfm_msr_cell(SEL0)->writes = 0;
	pfm_msr_cell(SEL1)->value = 0x13003c;
	KUNIT_EXPECT_TRUE(test, pfm_p6_probe());
	KUNIT_EXPECT_EQ(test, msr(SEL1), 0x13003cULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(SEL0)->writes, 0U);
}

/* Under a hypervisor without a PMU: writes are ignored, or fault. */
static void probe_sees_that_there_are_none(struct kunit *test)
{
	struct pfm_msr_cell ignoring[] = {
		{ .msr = SEL1, .takes = ~0ULL, .ignores_writes = true },
		{ .msr = CTR1, .takes = ~0ULL, .ignores_writes = true }, { }
	};
	struct pfm_msr_cell locked[] = { { .msr = SEL1 }, { .msr = CTR1 }, { } };
	struct pfm_msr_cell one_counter[] = {
		{ .msr = SEL1, .takes = ~0ULL }, { .msr = CTR0, .takes = ~0ULL }, { }
	};
	struct pfm_msr_cell none[] = { { } };
	struct p6_state *s = test->priv;

	pfm_msr_use(ignoring);
	KUNIT_EXPECT_FALSE(test, pfm_p6_probe());
	pfm_msr_use(locked);
	KUNIT_EXPECT_FALSE(test, pfm_p6_probe());
	pfm_msr_use(one_counter);
	KUNIT_EXPECT_FALSE(test, pfm_p6_probe());
	pfm_msr_use(none);
	KUNIT_EXPECT_FALSE(test, pfm_p6_probe());
	pfm_msr_use(s->cells);
}

/* Detect the PMU of a processor; the result is used for this test only. */
static const struct pfm_pmu *detect(const struct cpuinfo_x86 *c, struct pfm_evtsels *found)
{
	struct pfm_evtsels before = pfm_evtsel_setup((struct pfm_evtsels) { });
	const struct pfm_pmu *pmu = pfm_p6_detect(c);

	*found = pfm_evtsel_setup(before);
	return pmu;
}

static void check_irqs_off(u64 value)
{
	irqs_were_off &= irqs_disabled();
}

/* An interrupt's handler could use the register meanwhile. */
static void probe_has_interrupts_off(struct kunit *test)
{
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct pfm_evtsels found;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	c->x86_vendor = X86_VENDOR_INTEL;
	c->x86 = 6;
	c->x86_model = 8;
	pfm_msr_cell(SEL1)->wrote = check_irqs_off;
	irqs_were_off = true;
	KUNIT_EXPECT_NOT_NULL(test, detect(c, &found));
	KUNIT_EXPECT_TRUE(test, irqs_were_off);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
}

/* Pentium Pro, II and III, and M; not the Core, which has the architectural PMU. */
static void models_of_the_family_are_found(struct kunit *test)
{
	static const char family[] = { 1, 3, 5, 6, 7, 8, 9, 10, 11, 13 };
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct pfm_evtsels found;
	const struct pfm_pmu *pmu;
	unsigned int model;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	c->x86_vendor = X86_VENDOR_INTEL;
	c->x86 = 6;
	for (model = 0; model < 256; model++) {
		c->x86_model = model;
		pmu = detect(c, &found);
		KUNIT_EXPECT_EQ_MSG(test, !!pmu, !!memchr(family, model, sizeof(family)),
				    "model %u", model);
		KUNIT_EXPECT_EQ(test, found.num, pmu ? 2U : 0U);
		if (!pmu)
			continue;
		KUNIT_EXPECT_PTR_EQ(test, pmu->ops, &pfm_p6_ops);
		KUNIT_EXPECT_EQ(test, pfm_pmu_validate(pmu), 0);
		KUNIT_EXPECT_EQ(test, found.pmcs[1].addr, (u64)SEL1);
		KUNIT_EXPECT_EQ(test, found.pmds[1].addr, (u64)CTR1);
	}
}

static void other_processors_are_not(struct kunit *test)
{
	struct pfm_msr_cell none[] = { { } };
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct p6_state *s = test->priv;
	struct pfm_evtsels found;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	c->x86_vendor = X86_VENDOR_INTEL;
	c->x86 = 6;
	c->x86_model = 8;
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, detect(c, &found));
	c->x86_vendor = X86_VENDOR_AMD;
	KUNIT_EXPECT_NULL(test, detect(c, &found));
	c->x86_vendor = X86_VENDOR_INTEL;
	c->x86 = 15;
	KUNIT_EXPECT_NULL(test, detect(c, &found));
	c->x86 = 6;
	set_cpu_cap(c, X86_FEATURE_ARCH_PERFMON);
	KUNIT_EXPECT_NULL(test, detect(c, &found));
	clear_bit(X86_FEATURE_ARCH_PERFMON, (unsigned long *)c->x86_capability);
	/* Under a hypervisor that leaves the registers out. */
	pfm_msr_use(none);
	KUNIT_EXPECT_NULL(test, detect(c, &found));
	pfm_msr_use(s->cells);
}

/* As load(), on a Core Duo. */
static void load_core_duo(struct p6_state *s, u64 pmc0, u64 pmc1)
{
	s->pmcs[0] = pmc0;
	s->pmcs[1] = pmc1;
	s->regs.used_pmcs[0] = BIT_ULL(0) | BIT_ULL(1);
	pfm_core_duo_ops.prepare(&s->regs);
	pfm_core_duo_ops.write_pmc(0, pmc0);
	pfm_core_duo_ops.write_pmc(1, pmc1);
	pfm_core_duo_ops.start(&s->regs);
}

/* Erratum AE49: the first selector's bit switches both counters, whichever is enabled. */
static void a_core_duo_is_enabled_by_its_first_selector(struct kunit *test)
{
	struct p6_state *s = test->priv;

	load_core_duo(s, USER, USER | 0x2);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 3ULL);
	KUNIT_EXPECT_EQ(test, msr(SEL0), USER);
	KUNIT_EXPECT_EQ(test, msr(SEL1), (USER | 0x2) & ~EN);
	pfm_core_duo_ops.stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(SEL0) & EN, 0ULL);
	/* The second alone. */
	load_core_duo(s, USER & ~EN, USER);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 2ULL);
	KUNIT_EXPECT_EQ(test, msr(SEL0), EN);
	KUNIT_EXPECT_EQ(test, msr(SEL1), USER & ~EN);
	pfm_core_duo_ops.stop(&s->regs);
	/* The first alone: the second one's events must not be counted. */
	load_core_duo(s, USER, USER & ~EN);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 1ULL);
	KUNIT_EXPECT_EQ(test, msr(SEL0), USER);
	KUNIT_EXPECT_EQ(test, msr(SEL1), 0ULL);
	pfm_core_duo_ops.stop(&s->regs);
}

static struct kunit_case pfm_p6_cases[] = {
	KUNIT_CASE(nothing_counts_at_first),
	KUNIT_CASE(a_start_is_the_last_write_and_enables_both),
	KUNIT_CASE(the_second_counter_runs_alone),
	KUNIT_CASE(another_contexts_second_counter_stays_off),
	KUNIT_CASE(no_level_is_not_live),
	KUNIT_CASE(either_level_is_live),
	KUNIT_CASE(counters_are_written_by_32_bits_and_read_by_40),
	KUNIT_CASE(the_description_is_whole),
	KUNIT_CASE(probe_finds_the_registers_and_puts_them_back),
	KUNIT_CASE(probe_sees_that_there_are_none),
	KUNIT_CASE(probe_has_interrupts_off),
	KUNIT_CASE(models_of_the_family_are_found),
	KUNIT_CASE(other_processors_are_not),
	KUNIT_CASE(a_core_duo_is_enabled_by_its_first_selector),
	{ }
};

static struct kunit_suite pfm_p6_suite = {
	.name = "perfmon_p6",
	.init = p6_test_init,
	.exit = p6_test_exit,
	.test_cases = pfm_p6_cases,
};

kunit_test_suite(pfm_p6_suite);
