// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of intel_pt.c: no emulator has Intel PT.
 */
#include <kunit/test.h>
#include <asm/msr-index.h>
#include "intel_pt.h"
#include "msr_kunit.h"
#include "perfmon.h"

static void pt_exit(struct kunit *test)
{
	pfm_msr_use(NULL);
}

static void it_traces_by_its_enable_bit(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = MSR_IA32_RTIT_CTL }, { } };

	pfm_msr_use(cells);
	KUNIT_EXPECT_FALSE(test, pfm_intel_pt_traces());
	/* As a trace that has ended leaves it: user level, branches, ToPA. */
	cells[0].value = BIT(3) | BIT(8) | BIT(13);
	KUNIT_EXPECT_FALSE(test, pfm_intel_pt_traces());
	cells[0].value |= BIT(0);
	KUNIT_EXPECT_TRUE(test, pfm_intel_pt_traces());
}

static void a_processor_without_it_does_not_trace(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { } };

	pfm_msr_use(cells);
	KUNIT_EXPECT_FALSE(test, pfm_intel_pt_traces());
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 1U);
}

static void a_trace_of_a_cpu_is_found(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = MSR_IA32_RTIT_CTL }, { } };

	pfm_msr_use(cells);
	KUNIT_EXPECT_FALSE(test, pfm_x86_is_traced());
	cells[0].value = BIT(0);
	KUNIT_EXPECT_TRUE(test, pfm_x86_is_traced());
}

static struct kunit_case pfm_intel_pt_cases[] = {
	KUNIT_CASE(it_traces_by_its_enable_bit),
	KUNIT_CASE(a_processor_without_it_does_not_trace),
	KUNIT_CASE(a_trace_of_a_cpu_is_found),
	{ }
};

static struct kunit_suite pfm_intel_pt_suite = {
	.name = "perfmon_intel_pt",
	.exit = pt_exit,
	.test_cases = pfm_intel_pt_cases,
};

kunit_test_suite(pfm_intel_pt_suite);
