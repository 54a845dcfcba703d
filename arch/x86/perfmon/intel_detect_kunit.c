// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the detection of the Intel architectural PMU, and of the operations that it
 * chooses, on a model of the registers.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "evtsel.h"
#include "intel_arch.h"
#include "intel_extra.h"
#include "intel_lbr.h"
#include "intel_nehalem.h"
#include "msr_kunit.h"
#include "p6.h"

#define SEL(n)		(0x186 + (n))
#define CTR(n)		(0xc1 + (n))
#define FULL(n)		(0x4c1 + (n))
#define FIXED(n)	(0x309 + (n))
#define FIXED_CTRL	0x38d
#define GLOBAL_CTRL	0x38f
#define OVF_CTRL	0x390

#define EDGE		BIT_ULL(18)
#define INV		BIT_ULL(23)
#define CMASK		GENMASK_ULL(31, 24)
#define EVTSEL_ALL	0xffdfffffULL
#define WATCHDOG	0x53003cULL

static const struct pfm_intel_caps four = {
	.version = 3, .num_gp = 4, .gp_width = 48, .fixed_mask = 0x7, .fixed_width = 48,
};

/* A processor of Intel's, without further features. */
static struct cpuinfo_x86 *processor(struct kunit *test)
{
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	c->x86_vendor = X86_VENDOR_INTEL;
	c->x86 = 6;
	c->x86_model = 0x1a;
	c->cpuid_level = 0xa;
	set_cpu_cap(c, X86_FEATURE_ARCH_PERFMON);
	return c;
}

static void intel_processors_have_it_by_cpuid(struct kunit *test)
{
	struct cpuinfo_x86 *c = processor(test);

	KUNIT_EXPECT_TRUE(test, pfm_intel_is_architectural(c));
	c->x86_model = 0xff;
	KUNIT_EXPECT_TRUE(test, pfm_intel_is_architectural(c));
	/* The leaf that describes it is 0xA. */
	c->cpuid_level = 0x9;
	KUNIT_EXPECT_FALSE(test, pfm_intel_is_architectural(c));
	c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	c->x86_vendor = X86_VENDOR_INTEL;
	c->cpuid_level = 0xb;
	KUNIT_EXPECT_FALSE(test, pfm_intel_is_architectural(c));
}

/* Documentation/x86-registers.md: family 7, two models. */
static void other_vendors_have_it_in_known_models(struct kunit *test)
{
	static const u8 vendors[] = { X86_VENDOR_CENTAUR, X86_VENDOR_ZHAOXIN };
	struct cpuinfo_x86 *c = processor(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vendors); i++) {
		c->x86_vendor = vendors[i];
		c->x86 = 7;
		c->x86_model = 0x1b;
		KUNIT_EXPECT_TRUE(test, pfm_intel_is_architectural(c));
		c->x86_model = 0x1a;
		KUNIT_EXPECT_FALSE(test, pfm_intel_is_architectural(c));
		c->x86 = 6;
		KUNIT_EXPECT_FALSE(test, pfm_intel_is_architectural(c));
	}
	c->x86_vendor = X86_VENDOR_AMD;
	c->x86 = 7;
	c->x86_model = 0x1b;
	KUNIT_EXPECT_FALSE(test, pfm_intel_is_architectural(c));
}

static bool irqs_on, may_count;

static void wrote_selector(u64 value)
{
	irqs_on |= !irqs_disabled();
}

/* A counter that counts does not keep the value that is tried. */
static void wrote_counter(u64 value)
{
	struct pfm_msr_cell *cell;
	unsigned int i;

	irqs_on |= !irqs_disabled();
	for (i = 0; i < PFM_INTEL_MAX_GP; i++) {
		cell = pfm_msr_cell(SEL(i));
		may_count |= cell && cell->value;
	}
}

/* The last pair of a PMU; the watchdog uses it. */
static void use_pair(struct pfm_msr_cell *cells, unsigned int n, u64 takes)
{
	cells[0] = (struct pfm_msr_cell) {
		.msr = SEL(n), .takes = takes | WATCHDOG, .value = WATCHDOG,
		.wrote = wrote_selector,
	};
	cells[1] = (struct pfm_msr_cell) {
		.msr = CTR(n), .takes = 0xffffffff, .value = 0x80001234, .wrote = wrote_counter,
	};
	cells[2] = (struct pfm_msr_cell) { };
	irqs_on = false;
	may_count = false;
	pfm_msr_use(cells);
}

static void a_pmu_is_tried_by_its_last_counter(struct kunit *test)
{
	const struct cpuinfo_x86 *c = processor(test);
	struct pfm_intel_caps caps = four;
	struct pfm_msr_cell cells[3];

	use_pair(cells, 3, EVTSEL_ALL);
	KUNIT_EXPECT_TRUE(test, pfm_intel_read_caps(c, &caps));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	KUNIT_EXPECT_EQ(test, caps.evtsel_refused, 0ULL);
	KUNIT_EXPECT_EQ(test, caps.gp_taken, 0);
	/* The NMI watchdog goes on. */
	KUNIT_EXPECT_EQ(test, cells[0].value, WATCHDOG);
	KUNIT_EXPECT_EQ(test, cells[1].value, 0x80001234ULL);
	KUNIT_EXPECT_FALSE(test, irqs_on);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	KUNIT_EXPECT_FALSE(test, may_count);
	/* The only one. */
	caps.num_gp = 1;
	use_pair(cells, 0, EVTSEL_ALL);
	KUNIT_EXPECT_TRUE(test, pfm_intel_read_caps(c, &caps));
	/* It is missing. */
	caps.num_gp = 4;
	use_pair(cells, 2, EVTSEL_ALL);
	KUNIT_EXPECT_FALSE(test, pfm_intel_read_caps(c, &caps));
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	pfm_msr_use(NULL);
}

static void a_pmu_without_counters_is_none(struct kunit *test)
{
	const struct cpuinfo_x86 *c = processor(test);
	struct pfm_intel_caps caps;
	struct pfm_msr_cell cells[3];

	use_pair(cells, 3, EVTSEL_ALL);
	caps = four;
	caps.version = 0;
	KUNIT_EXPECT_FALSE(test, pfm_intel_read_caps(c, &caps));
	caps = four;
	caps.num_gp = 0;
	KUNIT_EXPECT_FALSE(test, pfm_intel_read_caps(c, &caps));
	caps = four;
	caps.gp_width = 0;
	KUNIT_EXPECT_FALSE(test, pfm_intel_read_caps(c, &caps));
	KUNIT_EXPECT_EQ(test, cells[0].writes, 0U);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
}

/* The fourth one, of a processor that repairs transactions by it; if none succeeds, it is free. */
static void a_counter_of_the_microcode_is_left_out(struct kunit *test)
{
	struct cpuinfo_x86 *c = processor(test);
	struct pfm_intel_caps caps = four;
	struct pfm_msr_cell cells[3];

	set_cpu_cap(c, X86_FEATURE_TSX_FORCE_ABORT);
	use_pair(cells, 2, EVTSEL_ALL);
	KUNIT_EXPECT_TRUE(test, pfm_intel_read_caps(c, &caps));
	KUNIT_EXPECT_EQ(test, caps.gp_taken, BIT(3));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	caps.num_gp = 8;
	use_pair(cells, 7, EVTSEL_ALL);
	KUNIT_EXPECT_TRUE(test, pfm_intel_read_caps(c, &caps));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	set_cpu_cap(c, X86_FEATURE_RTM_ALWAYS_ABORT);
	caps = four;
	use_pair(cells, 3, EVTSEL_ALL);
	KUNIT_EXPECT_TRUE(test, pfm_intel_read_caps(c, &caps));
	KUNIT_EXPECT_EQ(test, caps.gp_taken, 0);
	pfm_msr_use(NULL);
}

static void features_that_a_hypervisor_lacks_are_refused(struct kunit *test)
{
	static const u64 missing[] = { 0, EDGE, INV, CMASK, EDGE | CMASK, EDGE | INV | CMASK };
	const struct cpuinfo_x86 *c = processor(test);
	struct pfm_intel_caps caps;
	struct pfm_msr_cell cells[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(missing); i++) {
		caps = four;
		use_pair(cells, 3, EVTSEL_ALL & ~missing[i]);
		KUNIT_EXPECT_TRUE(test, pfm_intel_read_caps(c, &caps));
		KUNIT_EXPECT_EQ(test, caps.evtsel_refused, missing[i]);
		KUNIT_EXPECT_EQ(test, cells[0].value, WATCHDOG);
	}
	pfm_msr_use(NULL);
}

static void banks_are_those_of_the_registers_that_exist(struct kunit *test)
{
	static const struct pfm_intel_lbr none, ring = { .entries = 16 };
	struct pfm_intel_pmu *intel;
	u64 extra[PFM_INTEL_NUM_EXTRA];
	unsigned int i;

	for (i = 0; i <= PFM_INTEL_NUM_EXTRA; i++) {
		intel = kunit_kzalloc(test, sizeof(*intel), GFP_KERNEL);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, intel);
		memset(extra, 0, sizeof(extra));
		if (i)
			extra[i - 1] = 1;
		pfm_intel_add_banks(intel, extra, &none);
		KUNIT_ASSERT_NOT_NULL(test, (void *)intel->pmu.banks);
		KUNIT_EXPECT_PTR_EQ(test, intel->pmu.banks[0], i ? &pfm_intel_extra_bank : NULL);
		KUNIT_EXPECT_NULL(test, (void *)intel->pmu.banks[1]);
		pfm_intel_add_banks(intel, extra, &ring);
		KUNIT_EXPECT_PTR_EQ(test, intel->pmu.banks[i ? 1 : 0], &pfm_intel_lbr_bank);
		KUNIT_EXPECT_NULL(test, (void *)intel->pmu.banks[i ? 2 : 1]);
	}
}

static void operations_are_those_of_the_version(struct kunit *test)
{
	static const struct pfm_intel_model model;
	const struct cpuinfo_x86 *c = processor(test);
	struct pfm_intel_caps caps = four;
	const struct pfm_pmu_ops *one;

	caps.version = 2;
	one = pfm_intel_choose_ops(c, &model, &caps);
	KUNIT_EXPECT_PTR_NE(test, (void *)one->start, (void *)pfm_evtsel_start);
	caps.version = 3;
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &model, &caps), one);
	/* Without a register that starts all counters. */
	caps.version = 1;
	KUNIT_EXPECT_PTR_EQ(test, (void *)pfm_intel_choose_ops(c, &model, &caps)->start,
			    (void *)pfm_evtsel_start);
}

/* The host works around errata for a virtual machine. */
static void operations_are_those_of_an_erratum_on_hardware(struct kunit *test)
{
	static const struct pfm_intel_model plain, resets = { .resets = true },
					    one_enable = { .one_enable = true };
	const struct pfm_pmu_ops *before = pfm_intel_nehalem_use(NULL), *ops;
	struct cpuinfo_x86 *c = processor(test);
	struct pfm_intel_caps caps = four;

	ops = pfm_intel_choose_ops(c, &plain, &caps);
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &resets, &caps),
			    (const struct pfm_pmu_ops *)&pfm_intel_nehalem_ops);
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_nehalem_use(before), ops);
	/* The Core Duo has two counters. */
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &one_enable, &caps), ops);
	caps.num_gp = 2;
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &plain, &caps), ops);
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &one_enable, &caps), &pfm_core_duo_ops);
	set_cpu_cap(c, X86_FEATURE_HYPERVISOR);
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &one_enable, &caps), ops);
	KUNIT_EXPECT_PTR_EQ(test, pfm_intel_choose_ops(c, &resets, &caps), ops);
}

/* The machine's description, and the model of its registers, during a test. */
struct ops_state {
	struct pfm_intel_pmu	before;
	struct pfm_evtsels	evtsels;
	struct pfm_msr_cell	cells[3 * 4 + 3 + 3 + 1];
};

static const struct pfm_pmu_ops *use_ops(struct kunit *test, struct ops_state *s,
					 struct pfm_intel_caps caps)
{
	static const u64 no_extra[PFM_INTEL_NUM_EXTRA];
	static const struct pfm_intel_lbr no_lbr;
	static const struct pfm_intel_model model;
	struct pfm_msr_cell *cell = s->cells;
	unsigned int i;

	memset(s->cells, 0, sizeof(s->cells));
	for (i = 0; i < 4; i++) {
		*cell++ = (struct pfm_msr_cell) { .msr = SEL(i), .takes = EVTSEL_ALL };
		*cell++ = (struct pfm_msr_cell) {
			.msr = CTR(i), .takes = 0xffffffff, .value = 100 + i, .counter = i + 1,
		};
		if (caps.full_width_write)
			*cell++ = (struct pfm_msr_cell) {
				.msr = FULL(i), .takes = GENMASK_ULL(47, 0),
			};
	}
	*cell++ = (struct pfm_msr_cell) { .msr = GLOBAL_CTRL, .takes = 0x70000000f };
	*cell++ = (struct pfm_msr_cell) { .msr = OVF_CTRL, .takes = ~0ULL };
	for (i = 0; caps.fixed_mask >> i; i++)
		*cell++ = (struct pfm_msr_cell) {
			.msr = FIXED(i), .takes = GENMASK_ULL(47, 0), .value = 200 + i,
			.counter = (BIT(30) | i) + 1,
		};
	if (caps.fixed_mask)
		*cell++ = (struct pfm_msr_cell) { .msr = FIXED_CTRL, .takes = 0xfff };
	pfm_msr_use(s->cells);
	memset(&pfm_intel, 0, sizeof(pfm_intel));
	pfm_intel_build(&pfm_intel, caps, no_extra, &no_lbr);
	pfm_evtsel_setup((struct pfm_evtsels) {
		pfm_intel.pmcs, pfm_intel.pmds, caps.num_gp, PFM_EVTSEL_EN
	});
	return pfm_intel_choose_ops(processor(test), &model, &caps);
}

static struct ops_state *ops_begin(struct kunit *test)
{
	struct ops_state *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	s->before = pfm_intel;
	s->evtsels = pfm_evtsel_setup((struct pfm_evtsels) { });
	return s;
}

static void ops_end(struct kunit *test, const struct ops_state *s)
{
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_intel = s->before;
	pfm_evtsel_setup(s->evtsels);
	pfm_msr_use(NULL);
}

static u64 msr(u32 number)
{
	return pfm_msr_cell(number)->value;
}

static void set_msr(u32 number, u64 value)
{
	pfm_msr_cell(number)->value = value;
}

static void registers_are_reached_by_their_addresses(struct kunit *test)
{
	struct ops_state *s = ops_begin(test);
	struct pfm_intel_caps caps = four;
	const struct pfm_pmu_ops *ops;
	unsigned int full, i;

	for (full = 0; full < 2; full++) {
		caps.full_width_write = full;
		ops = use_ops(test, s, caps);
		for (i = 0; i < 4; i++) {
			KUNIT_EXPECT_EQ(test, ops->read_pmd(i), 100ULL + i);
			ops->write_pmc(i, 0x5300c0 + i);
			KUNIT_EXPECT_EQ(test, msr(SEL(i)), 0x5300c0ULL + i);
			ops->write_pmd(i, 0x80000000 + i);
			KUNIT_EXPECT_EQ(test, msr(full ? FULL(i) : CTR(i)), 0x80000000ULL + i);
			KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTR(i))->writes, !full);
		}
		for (i = 0; i < 3; i++) {
			KUNIT_EXPECT_EQ(test, ops->read_pmd(16 + i), 200ULL + i);
			ops->write_pmd(16 + i, 0xffff00000000 + i);
			KUNIT_EXPECT_EQ(test, msr(FIXED(i)), 0xffff00000000ULL + i);
		}
		ops->write_pmc(16, 0xb0b);
		KUNIT_EXPECT_EQ(test, msr(FIXED_CTRL), 0xb0bULL);
	}
	ops_end(test, s);
}

static void one_register_starts_and_stops_all(struct kunit *test)
{
	const struct pfm_regs regs = { .enable = 0x100000005ULL };
	struct ops_state *s = ops_begin(test);
	const struct pfm_pmu_ops *ops = use_ops(test, s, four);

	KUNIT_EXPECT_TRUE(test, pfm_intel_one_enables());
	ops->start(&regs);
	KUNIT_EXPECT_EQ(test, msr(GLOBAL_CTRL), 0x100000005ULL);
	ops->stop(&regs);
	KUNIT_EXPECT_EQ(test, msr(GLOBAL_CTRL), 0ULL);
	pfm_intel.caps.version = 1;
	KUNIT_EXPECT_FALSE(test, pfm_intel_one_enables());
	ops_end(test, s);
}

/* An entry of the local APIC as nothing of the kernel leaves it: an NMI has no vector. */
static void let_lvtpc_be_another(void)
{
	apic_write(APIC_LVTPC, APIC_DM_NMI | 0x20);
}

/* perf_events, or the firmware, had the PMU before. */
static void a_cpu_begins_with_nothing_enabled(struct kunit *test)
{
	struct ops_state *s = ops_begin(test);
	struct pfm_intel_caps caps = four;
	const struct pfm_pmu_ops *ops;
	unsigned int fixed, i;

	for (fixed = 0; fixed < 2; fixed++) {
		caps.fixed_mask = fixed ? 0x7 : 0;
		ops = use_ops(test, s, caps);
		for (i = 0; i < 4; i++)
			set_msr(SEL(i), WATCHDOG);
		set_msr(GLOBAL_CTRL, 0xf);
		if (fixed)
			set_msr(FIXED_CTRL, 0xbbb);
		let_lvtpc_be_another();
		ops->init_cpu();
		KUNIT_EXPECT_EQ(test, msr(GLOBAL_CTRL), 0ULL);
		for (i = 0; i < 4; i++)
			KUNIT_EXPECT_EQ(test, msr(SEL(i)), 0ULL);
		if (fixed)
			KUNIT_EXPECT_EQ(test, msr(FIXED_CTRL), 0ULL);
		KUNIT_EXPECT_EQ(test, msr(OVF_CTRL), fixed ? 0x70000000fULL : 0xfULL);
		KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
	}
	ops_end(test, s);
}

/* Nothing else: an acknowledged bit of another owner is an interrupt that is lost. */
static void an_interrupt_is_acknowledged_by_the_counters(struct kunit *test)
{
	struct ops_state *s = ops_begin(test);
	const struct pfm_pmu_ops *ops = use_ops(test, s, four);

	let_lvtpc_be_another();
	ops->ack();
	KUNIT_EXPECT_EQ(test, msr(OVF_CTRL), 0x70000000fULL);
	KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
	ops_end(test, s);
}

static void an_overflow_of_a_counter_is_seen(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = 0x38e }, { } };
	struct ops_state *s = ops_begin(test);

	use_ops(test, s, four);
	pfm_msr_use(cells);
	KUNIT_EXPECT_FALSE(test, pfm_intel_overflowed());
	/* Intel PT's buffer, and the debug store's. */
	cells[0].value = BIT_ULL(55) | BIT_ULL(62);
	KUNIT_EXPECT_FALSE(test, pfm_intel_overflowed());
	cells[0].value |= BIT_ULL(34);
	KUNIT_EXPECT_TRUE(test, pfm_intel_overflowed());
	ops_end(test, s);
}

static struct kunit_case pfm_intel_detect_cases[] = {
	KUNIT_CASE(intel_processors_have_it_by_cpuid),
	KUNIT_CASE(other_vendors_have_it_in_known_models),
	KUNIT_CASE(a_pmu_is_tried_by_its_last_counter),
	KUNIT_CASE(a_pmu_without_counters_is_none),
	KUNIT_CASE(a_counter_of_the_microcode_is_left_out),
	KUNIT_CASE(features_that_a_hypervisor_lacks_are_refused),
	KUNIT_CASE(banks_are_those_of_the_registers_that_exist),
	KUNIT_CASE(operations_are_those_of_the_version),
	KUNIT_CASE(operations_are_those_of_an_erratum_on_hardware),
	KUNIT_CASE(registers_are_reached_by_their_addresses),
	KUNIT_CASE(one_register_starts_and_stops_all),
	KUNIT_CASE(a_cpu_begins_with_nothing_enabled),
	KUNIT_CASE(an_interrupt_is_acknowledged_by_the_counters),
	KUNIT_CASE(an_overflow_of_a_counter_is_seen),
	{ }
};

static struct kunit_suite pfm_intel_detect_suite = {
	.name = "perfmon_intel_detect",
	.test_cases = pfm_intel_detect_cases,
};

kunit_test_suite(pfm_intel_detect_suite);
