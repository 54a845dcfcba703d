// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the generator that varies reset values.
 */
#include <kunit/test.h>
#include "../reset.h"

/* Park and Miller's own check: from 1, the ten thousandth number is this. */
/* covers: 3.4.2-3 D.8-4 */
static void generator_is_the_minimal_standard(struct kunit *test)
{
	u32 state = pfm_random_seed(1);
	int i;

	for (i = 0; i < 10000; i++)
		state = pfm_random_next(state);
	KUNIT_EXPECT_EQ(test, state, 1043618065U);
}

/* covers: 3.4.2-3 */
static void generator_agrees_with_the_division(struct kunit *test)
{
	static const u32 starts[] = { 1, 2, 16807, 0x40000000, 0x7ffffffd, 0x7ffffffe };
	int i;

	for (i = 0; i < ARRAY_SIZE(starts); i++)
		KUNIT_EXPECT_EQ(test, pfm_random_next(starts[i]),
				(u32)((u64)starts[i] * 16807 % 0x7fffffff));
}

/* covers: 3.1.3-24 */
static void every_seed_is_good(struct kunit *test)
{
	static const u32 seeds[] = { 0, 1, 0x7ffffffe, 0x7fffffff, 0x80000000, 0xfffffffe,
				     0xffffffff };
	u32 state;
	int i;

	for (i = 0; i < ARRAY_SIZE(seeds); i++) {
		state = pfm_random_seed(seeds[i]);
		KUNIT_EXPECT_GE(test, state, 1U);
		KUNIT_EXPECT_LE(test, state, 0x7ffffffeU);
		state = pfm_random_next(state);
		KUNIT_EXPECT_GE(test, state, 1U);
		KUNIT_EXPECT_LE(test, state, 0x7ffffffeU);
	}
}

static struct kunit_case pfm_reset_cases[] = {
	KUNIT_CASE(generator_is_the_minimal_standard),
	KUNIT_CASE(generator_agrees_with_the_division),
	KUNIT_CASE(every_seed_is_good),
	{ }
};

static struct kunit_suite pfm_reset_suite = {
	.name = "perfmon_reset",
	.test_cases = pfm_reset_cases,
};

kunit_test_suite(pfm_reset_suite);
