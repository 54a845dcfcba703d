// SPDX-License-Identifier: GPL-2.0
/*
 * Randomised periods: the series of the minimal-standard generator, for each register, and its use
 * as the counter's periods. Short periods in a buffer are in sampling.c.
 */
#include "minimal_standard.h"
#include "overflow.h"

#define RANDOM		PFM_REGFL_RANDOM
#define READ_RESET	PFM_REGFL_READ_RESET

/* Reset a register with its long period, without an overflow. */
static void reset_by_read(int fd, unsigned int reg)
{
	pfarg_pmd_t pmd = { .reg_num = reg, .reg_flags = READ_RESET };

	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
}

static __u64 last_reset(int fd, unsigned int reg)
{
	return read_reg(fd, 0, reg).reg_last_reset_val;
}

/* covers: 3.4.2-3 D.8-4 */
TEST(our_generator_is_the_published_one)
{
	__u64 state = random_first(1);
	int i;

	/* The check of the generator's authors: the 10,000th number from 1. */
	for (i = 0; i < 10000; i++)
		random_next(&state);
	CHECK_EQ(state, 1043618065);
}

/* covers: 3.1.2-13 3.1.4-10 3.4.2-2 3.4.2-3 3.4.2-10 D.8-4 */
TEST(resets_follow_the_minimal_standard_series)
{
	int fd = create(0), i;
	__u64 state;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = RANDOM, .mask = ~0ULL, .seed = 1 });
	state = random_first(1);
	for (i = 0; i < 10000; i++) {
		reset_by_read(fd, 0);
		random_next(&state);
		if (i % 100 == 0 || i > 9990) {
			CHECK_EQ(last_reset(fd, 0), state);
			CHECK_EQ(read_pmd(fd, 0), state);
		}
	}
	CHECK_EQ(read_pmd(fd, 0), 1043618065);
}

/* covers: 3.1.3-22 3.1.3-24 */
TEST(any_seed_is_good)
{
	static const __u32 seeds[] = {
		0, 1, 2, 16807, 0x7ffffffd, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
		0xfffffffe, 0xffffffff, 123456789, 3141592653u,
	};
	int fd = create(0), k;
	__u64 state;
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(seeds); i++) {
		program(fd, (struct event){ .reg = 0, .flags = RANDOM, .mask = ~0ULL,
					    .seed = seeds[i] });
		state = random_first(seeds[i]);
		for (k = 0; k < 20; k++) {
			reset_by_read(fd, 0);
			CHECK_EQ(read_pmd(fd, 0), random_next(&state));
		}
	}
}

/* covers: 3.4.1-4 */
TEST(the_first_period_is_the_one_written)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = RANDOM, .period = 1000, .mask = 0xfff,
				    .seed = 5 });
	CHECK_EQ(read_pmd(fd, 0), -1000);
	CHECK_EQ(last_reset(fd, 0), -1000);
}

/* covers: 3.1.3-20 3.1.3-35 3.1.3-36 3.1.3-37 3.4.2-9 */
TEST(the_mask_limits_what_is_added_to_the_long_period)
{
	static const __u64 masks[] = { 0, 1, 0xff, 0xf0f0, 0x7fffffff, ~0ULL, ~0ULL << 31 };
	int fd = create(0), k;
	__u64 state;
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(masks); i++) {
		program(fd, (struct event){ .reg = 0, .flags = RANDOM, .period = 1ULL << 36,
					    .long_period = 1ULL << 40, .mask = masks[i],
					    .seed = 99 });
		state = random_first(99);
		for (k = 0; k < 20; k++) {
			reset_by_read(fd, 0);
			CHECK_EQ(read_pmd(fd, 0),
				 -(1ULL << 40) + (random_next(&state) & masks[i]));
		}
	}
}

/* covers: 3.1.2-14 3.1.3-21 3.1.3-23 3.4.2-5 */
TEST(without_the_flag_seed_and_mask_are_ignored)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 1000, .long_period = 1234,
				    .mask = ~0ULL, .seed = 5 });
	reset_by_read(fd, 0);
	CHECK_EQ(read_pmd(fd, 0), -1234);
}

/* covers: 3.4.2-1 3.4.2-6 */
TEST(each_register_has_a_series_of_its_own)
{
	__u64 states[3];
	int fd = create(0), i, k;

	need_pmu();
	for (i = 0; i < 3; i++) {
		program(fd, (struct event){ .reg = i, .flags = RANDOM, .mask = ~0ULL,
					    .seed = 1000 + i % 2 });
		states[i] = random_first(1000 + i % 2);
	}
	for (k = 0; k < 30; k++) {
		i = k * k % 3;
		reset_by_read(fd, i);
		random_next(&states[i]);
	}
	for (i = 0; i < 3; i++) {
		reset_by_read(fd, i);
		CHECK_EQ(read_pmd(fd, i), random_next(&states[i]));
	}
}

/* covers: 3.4.2-6 3.7.1-1 */
TEST(each_set_has_series_of_its_own)
{
	__u64 states[2] = { random_first(7), random_first(8) };
	int fd = create(0), i, k;

	need_pmu();
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	for (i = 0; i < 2; i++)
		program(fd, (struct event){ .set = i, .reg = 0, .flags = RANDOM, .mask = ~0ULL,
					    .seed = 7 + i });
	for (k = 0; k < 10; k++) {
		for (i = 0; i < 2; i++) {
			pfarg_pmd_t pmd = { .reg_set = i, .reg_flags = READ_RESET };

			CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
			CHECK_EQ(value_of(fd, i, 0), random_next(&states[i]));
		}
	}
}

/* covers: 3.1.3-22 3.4.2-2 */
TEST(the_same_seed_gives_the_same_series_again)
{
	__u64 first[10];
	int fd = create(0), round, k;

	need_pmu();
	for (round = 0; round < 3; round++) {
		program(fd, (struct event){ .reg = 0, .flags = RANDOM, .mask = 0xffffff,
					    .seed = 4711 });
		for (k = 0; k < 10; k++) {
			reset_by_read(fd, 0);
			if (round)
				CHECK_EQ(read_pmd(fd, 0), first[k]);
			first[k] = read_pmd(fd, 0);
		}
	}
}

/* covers: 3.4.2-2 */
TEST(the_series_goes_on_over_unload_and_load)
{
	int fd = create(0), k;
	__u64 state = random_first(4711);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = RANDOM, .mask = ~0ULL, .seed = 4711 });
	for (k = 0; k < 10; k++) {
		load_self(fd);
		reset_by_read(fd, 0);
		CHECK_EQ(read_pmd(fd, 0), random_next(&state));
		unload(fd);
	}
}

/* covers: 3.1.2-13 3.1.9-13 3.4.2-5 3.4.2-8 3.4.2-9 3.4.2-10 */
TEST(overflows_come_after_exactly_the_random_periods)
{
	__u64 state = random_first(42), expected = 2000, period;
	int fd = create(0), i;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = RANDOM | NOTIFY, .period = 2000,
				    .long_period = 10000, .short_period = 5, .mask = 0xfff,
				    .seed = 42 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	for (i = 0; i < 50; i++) {
		loop(6000);
		check_state(fd, "masked");
		CHECK_EQ(read_pmd(fd, 1), expected);
		restart(fd);
		period = 10000 - (random_next(&state) & 0xfff);
		CHECK_EQ(last_reset(fd, 0), -period);
		expected += period;
	}
}

/* covers: 3.1.9-15 3.4.2-7 3.4.2-8 */
TEST(registers_that_another_overflow_resets_take_random_values_too)
{
	__u64 states[2] = { random_first(1), random_first(2) };
	int fd = create(0), i;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY | RANDOM, .period = 1000,
				    .mask = 0x7f, .seed = 1, .reset_pmds = BIT_ULL(2) });
	program(fd, (struct event){ .reg = 2, .flags = RANDOM, .period = 1ULL << 40,
				    .mask = ~0ULL, .seed = 2 });
	load_self(fd);
	start(fd);
	for (i = 0; i < 10; i++) {
		loop(1000);
		check_state(fd, "masked");
		restart(fd);
		CHECK_EQ(last_reset(fd, 0), -1000 + (random_next(&states[0]) & 0x7f));
		CHECK_EQ(last_reset(fd, 2), -(1ULL << 40) + random_next(&states[1]));
	}
}

/* covers: 3.1.3-36 3.4.2-8 */
TEST(triggers_take_random_short_periods)
{
	__u64 state = random_first(17), total, sum = 3000, period = 3000;
	int fd = create(0), overflows;

	need_pmu();
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = 0, .flags = RANDOM, .period = 3000,
				    .short_period = 2000, .mask = 0x3ff, .seed = 17,
				    .threshold = 1000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start_loop_stop(fd, 30000);
	total = read_pmd(fd, 1);
	for (overflows = 0; sum <= total; overflows++) {
		period = 2000 - (random_next(&state) & 0x3ff);
		sum += period;
	}
	CHECK_EQ(read_reg(fd, 0, 0).reg_ovflsw_thres, 1000 - overflows);
	CHECK_EQ(last_reset(fd, 0), -period);
	CHECK_EQ(read_pmd(fd, 0), total - sum);
}

/* covers: 3.4.2-5 */
TEST(the_fixed_counters_share_the_flag_of_their_control_register)
{
	__u64 state = random_first(3);
	int fd = create(0), k;

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	program(fd, (struct event){ .reg = FIXED_INST, .value = FIXED_USR, .flags = RANDOM,
				    .mask = ~0ULL, .seed = 3 });
	for (k = 0; k < 10; k++) {
		reset_by_read(fd, FIXED_INST);
		CHECK_EQ(read_pmd(fd, FIXED_INST), random_next(&state));
	}
}
