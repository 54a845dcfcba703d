// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of how overflows that did not interrupt are counted.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "../event_set.h"
#include "../pmu.h"
#include "../reset.h"

#define TOP	BIT_ULL(63)

static void laps_are_whole_periods_and_the_rest_is_kept(struct kunit *test)
{
	static const struct {
		u64	beyond, reset, laps, value;
	} cases[] = {
		/* no more; less than a period; exactly one */
		{ 0, -20, 0, -20 }, { 19, -20, 0, -1 }, { 20, -20, 1, -20 },
		{ 21, -20, 1, -19 }, { 39, -20, 1, -1 }, { 40, -20, 2, -20 },
		/* each event */
		{ 0, -1, 0, -1 }, { 1, -1, 1, -1 }, { 12345, -1, 12345, -1 },
		{ ~0ULL, -1, ~0ULL, -1 }, { ~0ULL - 1, -1, ~0ULL - 1, -1 },
		/* no period: 2^64 */
		{ 0, 0, 0, 0 }, { 12345, 0, 0, 12345 }, { ~0ULL, 0, 0, ~0ULL },
		/* the longest possible period, and half of that */
		{ ~0ULL - 1, 1, 0, ~0ULL }, { ~0ULL, 1, 1, 1 },
		{ TOP - 1, TOP, 0, ~0ULL }, { TOP, TOP, 1, TOP }, { ~0ULL, TOP, 1, ~0ULL },
		/* about the width of a register */
		{ (1ULL << 48) - 1, -(1ULL << 48), 0, ~0ULL },
		{ 1ULL << 48, -(1ULL << 48), 1, -(1ULL << 48) },
		{ (1ULL << 48) + 1, -(1ULL << 48), 1, 1 - (1ULL << 48) },
		{ (1ULL << 48) - 1, -3, 93824992236885ULL, -3 },
		{ 1ULL << 48, -3, 93824992236885ULL, -2 },
	};
	u64 value;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ_MSG(test, pfm_laps(cases[i].beyond, cases[i].reset, &value),
				    cases[i].laps, "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, value, cases[i].value, "case %d", i);
	}
}

/* A set of one counter with @width bits. */
struct one {
	struct pfm_event_set	set;
	struct pfm_pmd		pmd;
	struct pfm_request	request;
};

static void counter(struct one *one, unsigned int width, u64 reset, u64 value)
{
	memset(one, 0, sizeof(*one));
	one->set.pmds = (struct pfm_pmd_array *)&one->pmd;
	one->set.counter_requests = (struct pfm_request_array *)&one->request;
	one->pmd.mask = pfm_width_mask(width);
	one->pmd.short_reset = reset;
	one->pmd.value = value;
	one->pmd.random = pfm_random_seed(1);
}

/* covers: D.7-16 */
static void one_counter_agrees_with_one_event_at_a_time(struct kunit *test)
{
	static const u64 periods[] = { 1, 2, 3, 7, 20, 255, 256, 257 };
	u64 events, value, laps, period;
	struct one one;
	int i;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		period = periods[i];
		value = -period;
		laps = 0;
		for (events = 0; events < 1000; events++) {
			counter(&one, 48, -period, events);
			KUNIT_ASSERT_EQ(test, pfm_has_lapped(&one.set, 0), laps > 0);
			KUNIT_ASSERT_EQ(test, pfm_reset_laps(&one.set, 0, 1), laps);
			KUNIT_ASSERT_EQ(test, one.pmd.value, value);
			KUNIT_ASSERT_EQ(test, one.pmd.last_reset, -period);
			if (!++value) {
				laps++;
				value = -period;
			}
		}
	}
}

static void without_64_bit_emulation_the_register_ends_a_lap(struct kunit *test)
{
	struct one one;

	counter(&one, 8, -20, ~0xffULL | 45);
	one.set.narrow_pmds = 1;
	KUNIT_EXPECT_TRUE(test, pfm_has_lapped(&one.set, 0));
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, -15ULL);
	/* Reset to 0, it overflows after 256 events: it cannot have overflowed again. */
	counter(&one, 8, 0, ~0xffULL | 255);
	one.set.narrow_pmds = 1;
	KUNIT_EXPECT_FALSE(test, pfm_has_lapped(&one.set, 0));
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, ~0ULL);
	/* A reset value may be that of the register as well: 236, 20 events before the end. */
	counter(&one, 8, 0xec, ~0xffULL | 45);
	one.set.narrow_pmds = 1;
	KUNIT_EXPECT_TRUE(test, pfm_has_lapped(&one.set, 0));
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, -15ULL);
	/* The emulation of another counter makes no difference. */
	counter(&one, 8, -20, 45);
	one.set.narrow_pmds = 2;
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, -15ULL);
	counter(&one, 8, -300, 299);
	one.set.narrow_pmds = 2;
	KUNIT_EXPECT_FALSE(test, pfm_has_lapped(&one.set, 0));
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 0ULL);
}

/* A register of 16 bits and one of 64 bits, with the same events and the same random numbers. */
static void random_periods_are_those_of_64_bits(struct kunit *test)
{
	struct one narrow, wide;
	u64 events, laps;

	for (events = 0; events < 60000; events += 101) {
		counter(&wide, 64, -100, events);
		counter(&narrow, 16, (u16)-100, ~0xffffULL | events);
		narrow.set.narrow_pmds = 1;
		wide.set.random_pmds = 1;
		narrow.set.random_pmds = 1;
		wide.pmd.random_mask = 0x3f;
		narrow.pmd.random_mask = 0x3f;
		laps = pfm_reset_laps(&wide.set, 0, 1);
		KUNIT_ASSERT_EQ(test, pfm_reset_laps(&narrow.set, 0, 1), laps);
		KUNIT_ASSERT_EQ(test, narrow.pmd.value, wide.pmd.value);
	}
}

static void random_periods_end_and_are_near_their_mean(struct kunit *test)
{
	static const u64 masks[] = { 0, 1, 0xf, 0x3f, ~0ULL };
	static const u64 huge[] = { 1ULL << 47, TOP, ~0ULL };
	struct one one;
	u32 random;
	u64 laps;
	int i, k;

	/* 100000 events in periods of 85 to 100 */
	counter(&one, 48, -100, 100000);
	one.set.random_pmds = 1;
	one.pmd.random_mask = 0xf;
	laps = pfm_reset_laps(&one.set, 0, 1);
	KUNIT_EXPECT_GE(test, laps, 100000ULL / 94);
	KUNIT_EXPECT_LE(test, laps, 100000ULL / 91);
	KUNIT_EXPECT_GE(test, one.pmd.value, one.pmd.last_reset);
	/* 16 periods were drawn one by one, and the present one. */
	for (i = 0, random = pfm_random_seed(1); i < 17; i++)
		random = pfm_random_next(random);
	KUNIT_EXPECT_EQ(test, one.pmd.random, random);
	KUNIT_EXPECT_EQ(test, one.pmd.last_reset, -100ULL + (random & 0xf));
	/* A few periods are exact: 300 events are three periods of 100. */
	counter(&one, 48, -100, 300);
	one.set.random_pmds = 1;
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 3ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, -100ULL);
	for (i = 0; i < ARRAY_SIZE(masks); i++) {
		for (k = 0; k < ARRAY_SIZE(huge); k++) {
			counter(&one, 64, -1, huge[k]);
			one.set.random_pmds = 1;
			one.pmd.random_mask = masks[i];
			pfm_reset_laps(&one.set, 0, 1);
			KUNIT_EXPECT_GE(test, one.pmd.value, one.pmd.last_reset);
		}
	}
}

/* Periods of 69 events that are taken at the mean, after 16 of 37 to 100 events. */
static void no_event_of_random_periods_is_lost(struct kunit *test)
{
	u64 events, laps, counted;
	struct one one, like;
	int i;

	for (events = 2000; events < 9000; events++) {
		counter(&one, 48, -100, events);
		one.set.random_pmds = 1;
		one.pmd.random_mask = 0x3f;
		like = one;
		laps = pfm_reset_laps(&one.set, 0, 1);
		KUNIT_ASSERT_GE(test, laps, 16ULL);
		for (counted = 0, i = 0; i < 16; i++)
			counted -= pfm_random_reset(&like.pmd, -100);
		counted += (laps - 16) * 69;
		KUNIT_ASSERT_EQ(test, one.pmd.last_reset, pfm_random_reset(&like.pmd, -100));
		counted += one.pmd.value - one.pmd.last_reset;
		/* The present period may be too short for the rest: it ends with the next event. */
		if (one.pmd.value == ~0ULL)
			KUNIT_ASSERT_GE(test, events, counted);
		else
			KUNIT_ASSERT_EQ(test, events, counted);
		KUNIT_ASSERT_LT(test, events - counted, 69ULL);
	}
}

/* Without the flag its reset values do not vary, though it has a mask. */
static void another_counters_random_resets_make_no_difference(struct kunit *test)
{
	struct one one;

	counter(&one, 48, -20, 45);
	one.set.random_pmds = 2;
	one.pmd.random_mask = 0xf;
	KUNIT_EXPECT_EQ(test, pfm_reset_laps(&one.set, 0, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, -15ULL);
	one.pmd.value = 3;
	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&one.set, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, one.pmd.value, -20ULL);
}

/* The periods that a counter would have had, an event at a time. */
static u64 one_at_a_time(struct one *one, u64 events, u64 *value)
{
	u64 laps = 0;

	for (*value = one->pmd.short_reset; events; events--) {
		if (!++*value) {
			laps++;
			one->pmd.random = pfm_random_next(one->pmd.random);
			*value = one->pmd.short_reset + (one->pmd.random & one->pmd.random_mask);
		}
	}
	return laps;
}

/* The first one ends with the overflow that is handled: its reset is a draw as any other. */
static void a_few_random_periods_are_each_drawn(struct kunit *test)
{
	struct one one, like;
	u64 events, laps, value;

	for (events = 0; events < 600; events++) {
		counter(&one, 48, -100, events);
		one.set.random_pmds = 1;
		one.pmd.random_mask = 0x3f;
		like = one;
		laps = one_at_a_time(&like, events + 100, &value);
		KUNIT_ASSERT_EQ(test, pfm_reset_laps(&one.set, 0, 1) + 1, laps);
		KUNIT_ASSERT_EQ(test, one.pmd.value, value);
	}
}

/* Both are recorded; the first one's request resets the second, which has overflowed again. */
static void a_counter_that_another_resets_keeps_its_laps(struct kunit *test)
{
	struct {
		struct pfm_pmd		pmd[3];
		struct pfm_request	request[3];
	} both = {
		.pmd = {
			{ .mask = pfm_width_mask(48), .short_reset = -100, .value = 3 },
			{ .mask = pfm_width_mask(48), .short_reset = -20, .value = 45 },
			{ .mask = pfm_width_mask(48), .short_reset = -30, .value = 1 },
		},
		.request = { { .reset_pmds = BIT_ULL(1) }, { .reset_pmds = BIT_ULL(2) } },
	};
	struct pfm_event_set set = {
		.pmds = (struct pfm_pmd_array *)both.pmd,
		.counter_requests = (struct pfm_request_array *)both.request,
	};

	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&set, 3), 2ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[0].value, -100ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[1].value, -15ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[2].value, -30ULL);
	KUNIT_EXPECT_EQ(test, set.dirty_pmds, 7ULL);
	/* The first one, too, has overflowed again. */
	both.pmd[0].value = 250;
	both.pmd[1].value = 45;
	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&set, 3), 4ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[0].value, -50ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[1].value, -15ULL);
	/* A counter that did not overflow is reset with the other. */
	both.pmd[0].value = 3;
	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&set, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[0].value, -100ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[1].value, -20ULL);
	/* Nor is it left out if the other has overflowed again. */
	both.pmd[0].value = 250;
	both.pmd[1].value = 1;
	both.pmd[2].value = 1;
	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&set, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[1].value, -20ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[2].value, 1ULL);
	/* The first one stays as it is if it did not overflow. */
	both.pmd[0].value = 3;
	both.pmd[1].value = 1;
	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&set, 2), 0ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[0].value, 3ULL);
	/* Two counters reset a third one each. */
	both.request[0].reset_pmds = BIT_ULL(2);
	both.request[1].reset_pmds = 0;
	both.pmd[1].value = 1;
	both.pmd[2].value = 1;
	KUNIT_EXPECT_EQ(test, pfm_reset_recorded(&set, 3), 0ULL);
	KUNIT_EXPECT_EQ(test, both.pmd[2].value, -30ULL);
}

static struct kunit_case laps_cases[] = {
	KUNIT_CASE(laps_are_whole_periods_and_the_rest_is_kept),
	KUNIT_CASE(one_counter_agrees_with_one_event_at_a_time),
	KUNIT_CASE(without_64_bit_emulation_the_register_ends_a_lap),
	KUNIT_CASE(random_periods_end_and_are_near_their_mean),
	KUNIT_CASE(random_periods_are_those_of_64_bits),
	KUNIT_CASE(no_event_of_random_periods_is_lost),
	KUNIT_CASE(another_counters_random_resets_make_no_difference),
	KUNIT_CASE(a_few_random_periods_are_each_drawn),
	KUNIT_CASE(a_counter_that_another_resets_keeps_its_laps),
	{ }
};

static struct kunit_suite laps_suite = {
	.name = "perfmon_laps",
	.test_cases = laps_cases,
};

kunit_test_suite(laps_suite);
