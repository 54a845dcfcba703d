// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_WRITE_PMDS and PFM_READ_PMDS.
 */
#include "count.h"
#include "registers.h"
#include "settings.h"

/* 64-bit values around every possible width. */
static const __u64 values[] = {
	0, 1, BIT_ULL(31) - 1, BIT_ULL(31), BIT_ULL(31) + 1, BIT_ULL(32) - 1, BIT_ULL(32),
	BIT_ULL(32) + 1, BIT_ULL(40), BIT_ULL(47) - 1, BIT_ULL(47), BIT_ULL(48) - 1,
	BIT_ULL(48), BIT_ULL(48) + 1, BIT_ULL(63) - 1, BIT_ULL(63), 0x5555555555555555ULL,
	0xaaaaaaaaaaaaaaaaULL, ~0ULL << 48, ~0ULL << 31, ~0ULL - 1, ~0ULL,
};

static const int both[] = { PFM_WRITE_PMDS, PFM_READ_PMDS };

/* covers: 3.1.3-4 3.1.4-4 D.9-3 */
TEST(a_pmd_that_does_not_exist_is_refused)
{
	pfarg_config_t config = get_config();
	__u16 numbers[PFM_MAX_PMDS + 8];
	int fd = create(0);
	size_t n, i, k;

	n = missing_registers(config.cf_impl_pmds, numbers, ARRAY_SIZE(numbers));
	for (i = 0; i < n; i++) {
		for (k = 0; k < ARRAY_SIZE(both); k++) {
			pfarg_pmd_t pmd = { .reg_num = numbers[i] };

			CHECK_ERRNO(perfmonctl(fd, both[k], &pmd, 1), EINVAL);
			CHECK_EQ(pmd.reg_flags, PFM_REG_RETFL_NOTAVAIL);
			CHECK_EQ(pmd.reg_num, numbers[i]);
		}
	}
}

/* covers: 3.1.3-38 3.1.4-27 D.9-4 */
TEST(a_pmd_of_an_event_set_that_does_not_exist_is_refused)
{
	static const __u16 sets[] = { 1, 2, 0x7fff, 0x8000, 0xffff };
	int fd = create(0);
	size_t i, k;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		for (k = 0; k < ARRAY_SIZE(both); k++) {
			pfarg_pmd_t pmd = { .reg_set = sets[i] };

			CHECK_ERRNO(perfmonctl(fd, both[k], &pmd, 1), EINVAL);
			CHECK_EQ(pmd.reg_flags, PFM_REG_RETFL_NOSET);
		}
	}
}

/* covers: 3.1.3-10 3.1.3-42 */
TEST(each_flag_of_a_written_pmd_is_refused)
{
	int fd = create(0);
	__u32 flag;

	need_pmu();
	for_each_undefined_flag(flag, PFM_REGFL_READ_RESET) {
		pfarg_pmd_t pmd = { .reg_flags = flag };

		CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1), EINVAL);
		CHECK_EQ(pmd.reg_flags & PFM_REG_RETFL_MASK, PFM_REG_RETFL_EINVAL);
	}
}

/* covers: D.7-23 */
TEST(an_array_that_was_read_and_reset_can_be_written)
{
	pfarg_pmd_t pmd = { .reg_flags = PFM_REGFL_READ_RESET };
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	pmd.reg_value = 123;
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_flags, PFM_REGFL_READ_RESET);
	CHECK_EQ(read_pmd(fd, 0), 123);
}

/* PFM_REGFL_READ_RESET is defined for this command. */
/* covers: 3.1.4-7 */
TEST(each_undefined_flag_of_a_read_pmd_is_refused)
{
	int fd = create(0);
	__u32 flag;

	need_pmu();
	for_each_undefined_flag(flag, PFM_REGFL_READ_RESET) {
		pfarg_pmd_t pmd = { .reg_flags = flag };

		CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1), EINVAL);
		CHECK_EQ(pmd.reg_flags & PFM_REG_RETFL_MASK, PFM_REG_RETFL_EINVAL);
	}
}

/* covers: 3.1.3-25 3.1.4-6 3.1.4-15 3.1.14-7 */
TEST(a_new_context_has_default_values)
{
	pfarg_config_t config = get_config();
	int fd = create(0), i;

	need_pmu();
	for (i = 0; i < PFM_VIRTUAL_PMD; i++) {
		pfarg_pmdinfo_t info = { .reg_num = i };
		pfarg_pmd_t pmd = { .reg_num = i, .reg_value = 77 };

		if (!has_bit(config.cf_impl_pmds, i))
			continue;
		CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMDS, &info, 1));
		CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
		CHECK_EQ(pmd.reg_value, info.reg_def_value);
		/* All PMDs of this PMU are counters, and counters begin at zero. */
		CHECK_EQ(pmd.reg_value, 0);
		CHECK_EQ(pmd.reg_last_reset_val, 0);
	}
}

/* Write each value to each counter, call @between, then read. */
static void round_trip(int fd, void (*between)(int fd))
{
	pfarg_config_t config = get_config();
	size_t v;
	int i;

	for (v = 0; v < ARRAY_SIZE(values); v++) {
		for (i = 0; i < PFM_VIRTUAL_PMD; i++)
			if (has_bit(config.cf_impl_pmds, i))
				write_pmd(fd, i, values[v] ^ i);
		between(fd);
		for (i = 0; i < PFM_VIRTUAL_PMD; i++)
			if (has_bit(config.cf_impl_pmds, i))
				CHECK_EQ(read_pmd(fd, i), values[v] ^ i);
	}
}

static void nothing(int fd)
{
	(void)fd;
}

static void load_and_unload(int fd)
{
	load_self(fd);
	unload(fd);
}

static void unload_and_load(int fd)
{
	unload(fd);
	load_self(fd);
}

static void start_and_stop(int fd)
{
	start(fd);
	stop(fd);
}

static void give_way(int fd)
{
	(void)fd;
	sched_yield();
	sleep_ms(1);
}

/* covers: 3.1.3-6 3.1.3-27 3.1.4-20 */
TEST(all_64_bits_are_kept_while_unloaded)
{
	need_pmu();
	round_trip(create(0), nothing);
}

/* covers: 3.1.3-8 3.1.7-15 */
TEST(all_64_bits_are_kept_over_load_and_unload)
{
	need_pmu();
	round_trip(create(0), load_and_unload);
}

/* covers: 3.1.3-9 3.1.3-29 */
TEST(all_64_bits_are_kept_while_loaded_and_stopped)
{
	int fd = create(0);

	need_pmu();
	load_self(fd);
	round_trip(fd, nothing);
	round_trip(fd, unload_and_load);
	round_trip(fd, start_and_stop);
}

/* covers: 3.1.3-29 3.1.4-22 */
TEST(all_64_bits_are_kept_while_started_but_not_enabled)
{
	int fd = create(0);

	need_pmu();
	load_self(fd);
	start(fd);
	round_trip(fd, nothing);
	round_trip(fd, give_way);
}

/* Enabled counters of a level at which no event can happen here. */
/* covers: 3.1.3-6 */
TEST(all_64_bits_are_kept_by_hardware_counters_that_stand_still)
{
	const struct counter *c;
	int fd = create(0);

	need_pmu();
	for_each_counter(c)
		write_pmc(fd, c->pmc, c->value);
	load_self(fd);
	round_trip(fd, nothing);
	round_trip(fd, unload_and_load);
	round_trip(fd, give_way);
}

/* covers: 3.1.3-16 3.1.4-9 */
TEST(last_reset_val_is_the_last_value_written)
{
	pfarg_pmd_t pmd = { .reg_num = 0, .reg_value = 0x123456789abcdefULL,
			    .reg_long_reset = 1, .reg_short_reset = 2 };
	int fd = create_counting(general, 0);

	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	load_self(fd);
	start_loop_stop(fd, 100);
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK(pmd.reg_value > 0x123456789abcdefULL);
	CHECK_EQ(pmd.reg_last_reset_val, 0x123456789abcdefULL);
	unload(fd);
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_last_reset_val, 0x123456789abcdefULL);
}

/* covers: 3.1.3-18 3.1.4-13 */
TEST(overflow_threshold_reads_as_zero_without_overflow_switching)
{
	pfarg_pmd_t pmd = { .reg_ovflsw_thres = 5 };
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	pmd.reg_ovflsw_thres = 9;
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_ovflsw_thres, 0);
}

/* covers: 3.1.4-8 */
TEST(a_read_leaves_the_fields_that_it_does_not_use)
{
	pfarg_pmd_t pmd = { .reg_long_reset = 1, .reg_short_reset = 2, .reg_random_mask = 3,
			    .reg_random_seed = 4 };
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_num, 0);
	CHECK_EQ(pmd.reg_set, 0);
	CHECK_EQ(pmd.reg_long_reset, 1);
	CHECK_EQ(pmd.reg_short_reset, 2);
	CHECK_EQ(pmd.reg_random_mask, 3);
	CHECK_EQ(pmd.reg_random_seed, 4);
}

/* Short reads have a path of their own in the kernel; long ones do not. */
static void check_read_of_length(int fd, unsigned int n)
{
	const pfarg_pmd_t element = {
		.reg_long_reset = 1, .reg_short_reset = 2, .reg_last_reset_val = 3,
		.reg_ovflsw_thres = 4, .reg_random_mask = 5, .reg_random_seed = 6, .reg_pad = 7,
	};
	pfarg_pmd_t pmds[40], expected;
	unsigned int i;

	for (i = 0; i <= n; i++) {
		pmds[i] = element;
		pmds[i].reg_num = i % 2;
	}
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, n));
	for (i = 0; i < n; i++) {
		expected = element;
		expected.reg_num = i % 2;
		expected.reg_value = 1000 + i % 2;
		expected.reg_last_reset_val = 1000 + i % 2;
		expected.reg_ovflsw_thres = 0;
		expected.reg_pad = 0;
		CHECK(!memcmp(&pmds[i], &expected, sizeof(expected)));
	}
	expected = element;
	expected.reg_num = n % 2;
	CHECK(!memcmp(&pmds[n], &expected, sizeof(expected)));
}

/* covers: 3.1.4-1 3.1.4-8 */
TEST(a_read_of_any_length_fills_its_elements)
{
	int fd = create(0);
	unsigned int n;

	need_pmu();
	write_pmd(fd, 0, 1000);
	write_pmd(fd, 1, 1001);
	for (n = 1; n < 40; n++)
		check_read_of_length(fd, n);
	load_self(fd);
	for (n = 1; n < 40; n++)
		check_read_of_length(fd, n);
}

/* covers: 3.1.3-16 */
TEST(a_write_leaves_the_element_as_it_was)
{
	pfarg_pmd_t pmd = { .reg_value = 1, .reg_long_reset = 2, .reg_short_reset = 3,
			    .reg_last_reset_val = 4, .reg_ovflsw_thres = 5,
			    .reg_random_mask = 6, .reg_random_seed = 7 };
	pfarg_pmd_t before = pmd;
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	CHECK(!memcmp(&pmd, &before, sizeof(pmd)));
}

/* covers: 3.1.3-44 3.1.3-45 */
TEST(pmds_before_the_first_bad_one_are_written_and_those_after_not)
{
	pfarg_pmd_t pmds[4] = {
		{ .reg_num = 0, .reg_value = 10 },
		{ .reg_num = 1, .reg_value = 11 },
		{ .reg_num = 0xffff, .reg_value = 12 },
		{ .reg_num = 2, .reg_value = 13, .reg_flags = PFM_REG_RETFL_EINVAL },
	};
	pfarg_pmd_t last = pmds[3];
	int fd = create(0);

	need_pmu();
	write_pmd(fd, 2, 3);
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 4), EINVAL);
	CHECK_EQ(read_pmd(fd, 0), 10);
	CHECK_EQ(read_pmd(fd, 1), 11);
	CHECK_EQ(read_pmd(fd, 2), 3);
	CHECK_EQ(pmds[0].reg_flags, 0);
	CHECK_EQ(pmds[1].reg_flags, 0);
	CHECK_EQ(pmds[2].reg_flags, PFM_REG_RETFL_NOTAVAIL);
	CHECK(!memcmp(&pmds[3], &last, sizeof(last)));
}

/* covers: 3.1.4-32 3.1.4-33 3.1.4-34 */
TEST(pmds_before_the_first_bad_one_are_read_and_those_after_not)
{
	pfarg_pmd_t pmds[3] = {
		{ .reg_num = 0, .reg_value = 1 },
		{ .reg_num = 0, .reg_set = 1, .reg_value = 2 },
		{ .reg_num = 0, .reg_value = 3, .reg_flags = PFM_REG_RETFL_EINVAL },
	};
	pfarg_pmd_t last = pmds[2];
	int fd = create(0);

	need_pmu();
	write_pmd(fd, 0, 1234);
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, pmds, 3), EINVAL);
	CHECK_EQ(pmds[0].reg_value, 1234);
	CHECK_EQ(pmds[0].reg_flags, 0);
	CHECK_EQ(pmds[1].reg_value, 2);
	CHECK_EQ(pmds[1].reg_flags, PFM_REG_RETFL_NOSET);
	CHECK(!memcmp(&pmds[2], &last, sizeof(last)));
}

/* covers: 3.1.3-44 */
TEST(a_bad_first_element_means_that_nothing_is_done)
{
	pfarg_pmd_t pmds[2] = { { .reg_num = 0xffff }, { .reg_num = 0, .reg_value = 9 } };
	int fd = create(0);

	need_pmu();
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 2), EINVAL);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 3.1.3-1 */
TEST(the_last_of_two_writes_to_one_pmd_in_a_vector_wins)
{
	pfarg_pmd_t pmds[3] = { { .reg_value = 1 }, { .reg_value = 2 }, { .reg_value = 3 } };
	int fd = create(0);

	need_pmu();
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 3));
	CHECK_EQ(read_pmd(fd, 0), 3);
	load_self(fd);
	pmds[2].reg_value = 4;
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, 3));
	CHECK_EQ(read_pmd(fd, 0), 4);
}

/* covers: 3.1.4-1 */
TEST(one_pmd_can_be_read_several_times_in_a_vector)
{
	pfarg_pmd_t pmds[5];
	int fd = create(0);
	size_t i;

	need_pmu();
	write_pmd(fd, 0, 42);
	memset(pmds, 0, sizeof(pmds));
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, 5));
	for (i = 0; i < 5; i++)
		CHECK_EQ(pmds[i].reg_value, 42);
}

static void use_long_vectors(void *arg)
{
	static pfarg_pmd_t pmds[1000];
	int fd = create(0);
	size_t i;

	if (arg)
		load_self(fd);
	for (i = 0; i < ARRAY_SIZE(pmds); i++) {
		pmds[i].reg_num = i % 2;
		pmds[i].reg_value = i;
	}
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, pmds, ARRAY_SIZE(pmds)));
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, ARRAY_SIZE(pmds)));
	for (i = 0; i < ARRAY_SIZE(pmds); i++)
		CHECK_EQ(pmds[i].reg_value, 998 + i % 2);

	/*
	 * An error near the end of the vector: all elements before it take effect, none after it.
	 */
	for (i = 0; i < ARRAY_SIZE(pmds); i++)
		pmds[i].reg_value = 5000 + i;
	pmds[501].reg_num = PFM_MAX_PMDS;
	CHECK_ERRNO(perfmonctl(fd, PFM_WRITE_PMDS, pmds, ARRAY_SIZE(pmds)), EINVAL);
	CHECK_EQ(pmds[501].reg_flags, PFM_REG_RETFL_NOTAVAIL);
	CHECK_EQ(read_pmd(fd, 0), 5500);
	CHECK_EQ(read_pmd(fd, 1), 5499);
}

/* covers: 3.1-4 3.1.3-1 3.1.4-1 */
TEST(long_vectors_of_pmds_are_done_in_order)
{
	need_pmu();
	with_arg_size_max(65536, use_long_vectors, NULL);
	with_arg_size_max(65536, use_long_vectors, "loaded");
}

/* covers: 3.1.4-6 3.1.4-22 3.1.4-26 4.3.2-3 */
TEST(a_running_counter_reads_ever_higher)
{
	int fd = create_counting(general, 0), i;
	__u64 before = 0, now;

	load_self(fd);
	start(fd);
	for (i = 0; i < 100; i++) {
		loop(100);
		now = read_pmd(fd, 0);
		CHECK_GE(now, before + 200);
		before = now;
	}
	stop(fd);
	now = read_pmd(fd, 0);
	CHECK_EQ(read_pmd(fd, 0), now);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), now);
}

/* covers: 3.1.3-9 */
TEST(a_write_to_a_running_counter_replaces_its_value)
{
	const struct counter *c;

	need_pmu();
	for_each_counter(c) {
		int fd = create_counting(c, 0);
		__u64 now;

		load_self(fd);
		start(fd);
		loop(1000);
		write_pmd(fd, c->pmd, 1ULL << 50);
		now = read_pmd(fd, c->pmd);
		CHECK(now > 1ULL << 50);
		CHECK(now < (1ULL << 50) + 2000);
		unload(fd);
	}
}

/* covers: 3.1.3-9 */
TEST(a_write_to_one_counter_leaves_the_others_alone)
{
	int fd = create_counting(general, 0);
	__u64 value;

	write_pmc(fd, 1, USER_INST);
	load_self(fd);
	start_loop_stop(fd, 1000);
	value = read_pmd(fd, 1);
	CHECK_EQ(read_pmd(fd, 0), value);
	write_pmd(fd, 0, 5);
	CHECK_EQ(read_pmd(fd, 1), value);
	start(fd);
	write_pmd(fd, 0, 5);
	CHECK_GE(read_pmd(fd, 1), value);
}
