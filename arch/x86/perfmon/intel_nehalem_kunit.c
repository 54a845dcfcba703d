// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the reset that Nehalem's counters need, on a model of its registers: a
 * selector that gets another event without a reset since the last start counts wrongly.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "intel_nehalem.h"
#include "msr.h"
#include "msr_kunit.h"

#define NUM		4
#define SEL(n)		(0x186 + (n))
#define CTR(n)		(0xc1 + (n))
#define CTRL		0x38f
#define INSTRUCTIONS	0x5100c0ULL
#define BRANCHES	0x5100c4ULL
#define ARMED		0xffff80001234ULL

static struct pfm_msr_cell cells[2 * NUM + 2];

/* The hardware's state, derived from the writes. */
static u64 events[NUM];
static unsigned int resets, wrong;
static bool reset, counting;

/* True if all four selectors have magic events; two of them are the same. */
static bool is_magic(void)
{
	u64 seen = 0;
	unsigned int i;

	for (i = 0; i < NUM; i++) {
		u64 sel = pfm_msr_cell(SEL(i))->value;

		if (sel != 0x4300b5 && sel != 0x4300d2 && sel != 0x4300b1)
			return false;
		if (pfm_msr_cell(CTR(i))->value)
			return false;
		seen |= BIT_ULL(sel & 0x3f);
	}
	return seen == (BIT_ULL(0xb5 & 0x3f) | BIT_ULL(0xd2 & 0x3f) | BIT_ULL(0xb1 & 0x3f));
}

/* The magic events count, and so do all other events that are enabled then. */
static void wrote_ctrl(u64 value)
{
	unsigned int i;

	counting = value;
	if (value && is_magic()) {
		reset = true;
		resets++;
		for (i = 0; i < NUM; i++)
			pfm_msr_cell(CTR(i))->value += 17;
	} else if (value) {
		for (i = 0; i < NUM; i++) {
			u64 sel = pfm_msr_cell(SEL(i))->value;

			wrong += sel && sel != events[i] && !reset;
			events[i] = sel;
		}
		reset = false;
	}
}

static void wrote_while_counting(u64 value)
{
	wrong += counting;
}

static void plain_init_cpu(void)
{
	unsigned int i;

	pfm_wrmsr(CTRL, 0);
	for (i = 0; i < NUM; i++)
		pfm_wrmsr(SEL(i), 0);
}

static void plain_start(const struct pfm_regs *regs)
{
	pfm_wrmsr(CTRL, regs->enable);
}

static void plain_stop(const struct pfm_regs *regs)
{
	pfm_wrmsr(CTRL, 0);
}

/* Number of writes to PMCs that are no selectors: they have no MSR in this model. */
static unsigned int others;

static void plain_write_pmc(unsigned int pmc, u64 value)
{
	if (pmc < NUM)
		pfm_wrmsr(SEL(pmc), value);
	else
		others++;
}

static const struct pfm_pmu_ops plain = {
	.init_cpu = plain_init_cpu, .start = plain_start, .stop = plain_stop,
	.write_pmc = plain_write_pmc,
};

static const struct pfm_pmu_ops *const ops = &pfm_intel_nehalem_ops;
static const struct pfm_pmu_ops *before;

static int nehalem_test_init(struct kunit *test)
{
	unsigned int i;

	memset(cells, 0, sizeof(cells));
	for (i = 0; i < NUM; i++) {
		cells[i] = (struct pfm_msr_cell) {
			.msr = SEL(i), .takes = 0xffdfffff, .wrote = wrote_while_counting,
		};
		cells[NUM + i] = (struct pfm_msr_cell) {
			.msr = CTR(i), .takes = 0xffffffff, .counter = i + 1,
			.wrote = wrote_while_counting,
		};
	}
	cells[2 * NUM] = (struct pfm_msr_cell) { .msr = CTRL, .takes = 0xf, .wrote = wrote_ctrl };
	memset(events, 0, sizeof(events));
	resets = 0;
	wrong = 0;
	others = 0;
	reset = false;
	counting = false;
	pfm_msr_use(cells);
	before = pfm_intel_nehalem_use(&plain);
	ops->init_cpu();
	return 0;
}

static void nehalem_test_exit(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
	pfm_intel_nehalem_use(before);
}

static void run_once(void)
{
	const struct pfm_regs regs = { .enable = 0xf };

	ops->start(&regs);
	ops->stop(&regs);
}

/* A test of the model itself: it notices when the reset is missing. */
static void a_change_without_a_reset_is_noticed(struct kunit *test)
{
	plain.write_pmc(0, INSTRUCTIONS);
	run_once();
	KUNIT_EXPECT_EQ(test, wrong, 1U);
	wrong = 0;
}

static void a_new_event_is_selected_after_a_reset(struct kunit *test)
{
	ops->write_pmc(0, INSTRUCTIONS);
	KUNIT_EXPECT_EQ(test, resets, 1U);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(SEL(0))->value, INSTRUCTIONS);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTRL)->value, 0ULL);
	run_once();
	ops->write_pmc(0, BRANCHES);
	KUNIT_EXPECT_EQ(test, resets, 2U);
	run_once();
}

/* However many are loaded: each reset writes 18 registers. */
static void one_reset_is_enough_for_a_set(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < NUM; i++)
		ops->write_pmc(i, INSTRUCTIONS + i);
	KUNIT_EXPECT_EQ(test, resets, 1U);
	run_once();
	for (i = 0; i < NUM; i++)
		KUNIT_EXPECT_EQ(test, pfm_msr_cell(SEL(i))->value, INSTRUCTIONS + i);
}

/* As at each switch between the threads of a program that is monitored. */
static void the_same_events_need_none(struct kunit *test)
{
	ops->write_pmc(1, INSTRUCTIONS);
	run_once();
	ops->write_pmc(1, INSTRUCTIONS);
	run_once();
	KUNIT_EXPECT_EQ(test, resets, 1U);
}

static void what_is_no_selector_needs_none(struct kunit *test)
{
	ops->write_pmc(NUM, 0x1);
	ops->write_pmc(16, 0xb);
	ops->write_pmc(17, 0x1);
	KUNIT_EXPECT_EQ(test, resets, 0U);
	KUNIT_EXPECT_EQ(test, others, 3U);
}

/* When a set changes only one event, the others' counters are loaded already. */
static void the_other_counters_go_on(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < NUM - 1; i++)
		ops->write_pmc(i, INSTRUCTIONS);
	run_once();
	for (i = 0; i < NUM - 1; i++)
		pfm_msr_cell(CTR(i))->value = ARMED + i;
	ops->write_pmc(3, BRANCHES);
	KUNIT_EXPECT_EQ(test, resets, 2U);
	for (i = 0; i < NUM - 1; i++) {
		KUNIT_EXPECT_EQ(test, pfm_msr_cell(SEL(i))->value, INSTRUCTIONS);
		/* The model keeps the 32 bits that the hardware extends by their sign. */
		KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTR(i))->value,
				(ARMED + i) & GENMASK_ULL(31, 0));
	}
	run_once();
}

static void another_owner_is_not_remembered(struct kunit *test)
{
	ops->write_pmc(0, INSTRUCTIONS);
	run_once();
	/* perf_events has had the PMU. */
	events[0] = BRANCHES;
	ops->init_cpu();
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(SEL(0))->value, 0ULL);
	ops->write_pmc(0, INSTRUCTIONS);
	KUNIT_EXPECT_EQ(test, resets, 2U);
	run_once();
}

static struct kunit_case pfm_intel_nehalem_cases[] = {
	KUNIT_CASE(a_change_without_a_reset_is_noticed),
	KUNIT_CASE(a_new_event_is_selected_after_a_reset),
	KUNIT_CASE(one_reset_is_enough_for_a_set),
	KUNIT_CASE(the_same_events_need_none),
	KUNIT_CASE(what_is_no_selector_needs_none),
	KUNIT_CASE(the_other_counters_go_on),
	KUNIT_CASE(another_owner_is_not_remembered),
	{ }
};

static struct kunit_suite pfm_intel_nehalem_suite = {
	.name = "perfmon_intel_nehalem",
	.init = nehalem_test_init,
	.exit = nehalem_test_exit,
	.test_cases = pfm_intel_nehalem_cases,
};

kunit_test_suite(pfm_intel_nehalem_suite);
