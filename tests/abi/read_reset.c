// SPDX-License-Identifier: GPL-2.0
/* PFM_REGFL_READ_RESET: read a register and reset it to its long period, in one step. */
#include "overflow.h"

static __u64 read_and_reset(int fd, __u16 set, unsigned int reg)
{
	pfarg_pmd_t pmd = { .reg_num = reg, .reg_set = set, .reg_flags = PFM_REGFL_READ_RESET };

	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	CHECK_EQ(pmd.reg_flags, PFM_REGFL_READ_RESET);
	return pmd.reg_value;
}

/* covers: 6.2.2-1 */
TEST(the_value_is_read_before_it_is_reset)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 5, .long_period = 1234,
				    .short_period = 99 });
	CHECK_EQ(read_and_reset(fd, 0, 0), -5);
	CHECK_EQ(read_pmd(fd, 0), -1234);
	CHECK_EQ(read_reg(fd, 0, 0).reg_last_reset_val, -1234);
	CHECK_EQ(read_and_reset(fd, 0, 0), -1234);
}

/* covers: 3.1.4-26 6.2.2-1 */
TEST(without_the_flag_nothing_is_reset)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 5, .long_period = 1234 });
	CHECK_EQ(read_pmd(fd, 0), -5);
	CHECK_EQ(read_pmd(fd, 0), -5);
}

/* covers: 6.2.2-3 */
TEST(polled_counts_are_complete)
{
	__u64 sum = 0, last;
	int fd = create(0), i;

	need_pmu();
	program(fd, (struct event){ .reg = 0 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	for (i = 0; i < 100; i++) {
		loop(1 + i);
		sum += read_and_reset(fd, 0, 0);
	}
	stop(fd);
	last = read_and_reset(fd, 0, 0);
	CHECK_EQ(sum + last, read_pmd(fd, 1));
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 6.2.2-2 */
TEST(registers_that_the_pmc_names_are_reset_too)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 5, .long_period = 1000,
				    .reset_pmds = BIT_ULL(1) | BIT_ULL(3) });
	program(fd, (struct event){ .reg = 1, .period = 6, .long_period = 1001 });
	program(fd, (struct event){ .reg = 2, .period = 7, .long_period = 1002 });
	program(fd, (struct event){ .reg = 3, .period = 8, .long_period = 1003 });
	CHECK_EQ(read_and_reset(fd, 0, 0), -5);
	CHECK_EQ(read_pmd(fd, 0), -1000);
	CHECK_EQ(read_pmd(fd, 1), -1001);
	CHECK_EQ(read_pmd(fd, 2), -7);
	CHECK_EQ(read_pmd(fd, 3), -1003);
}

/* covers: 6.2.2-1 */
TEST(elements_of_a_vector_are_reset_each_for_itself)
{
	pfarg_pmd_t pmds[3] = {
		{ .reg_num = 0, .reg_flags = PFM_REGFL_READ_RESET },
		{ .reg_num = 1 },
		{ .reg_num = 0 },
	};
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 5, .long_period = 1000 });
	program(fd, (struct event){ .reg = 1, .period = 6, .long_period = 1001 });
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, 3));
	CHECK_EQ(pmds[0].reg_value, -5);
	CHECK_EQ(pmds[1].reg_value, -6);
	CHECK_EQ(pmds[2].reg_value, -1000);
	CHECK_EQ(read_pmd(fd, 1), -6);
}

/* covers: 3.1.4-33 */
TEST(nothing_behind_a_bad_element_is_reset)
{
	pfarg_pmd_t pmds[2] = {
		{ .reg_num = 0, .reg_set = 3, .reg_flags = PFM_REGFL_READ_RESET },
		{ .reg_num = 0, .reg_flags = PFM_REGFL_READ_RESET },
	};
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 5, .long_period = 1000 });
	CHECK_ERRNO(perfmonctl(fd, PFM_READ_PMDS, pmds, 2), EINVAL);
	CHECK_EQ(read_pmd(fd, 0), -5);
}

/* covers: 3.1.2-17 3.1.4-5 6.2.2-2 */
TEST(registers_of_the_sets_own_are_reset)
{
	int fd = create(0);

	need_pmu();
	create_set(fd, (pfarg_setdesc_t){ .set_id = 3 });
	program(fd, (struct event){ .set = 0, .reg = 1, .period = 5, .long_period = 1000 });
	program(fd, (struct event){ .set = 3, .reg = 1, .period = 6, .long_period = 1001 });
	program(fd, (struct event){ .set = 3, .reg = 2, .period = 7, .long_period = 1002,
				    .reset_pmds = BIT_ULL(1) });
	load_self(fd);
	start(fd);
	CHECK_EQ(read_and_reset(fd, 3, 2), -7);
	stop(fd);
	CHECK_EQ(value_of(fd, 3, 1), -1001);
	CHECK_EQ(value_of(fd, 3, 2), -1002);
	CHECK_NE(read_reg(fd, 0, 1).reg_last_reset_val, -1000);
}

/*
 * Counters have an entry of their requests each, other registers have none: the kernel must not
 * read memory behind the last entry as theirs. Read as a set of PMDs, the values of the PMCs below
 * would name the first two counters.
 */
/* covers: 6.2.2-1 6.2.2-2 */
TEST(a_register_resets_itself_and_what_its_own_pmcs_name)
{
	pfarg_pmc_t pmc = { .reg_value = 3, .reg_smpl_eventid = 3 };
	unsigned int i, others = 0;
	int fd = create(0);

	need_pmu();
	for (i = 0; i < 2; i++)
		program(fd, (struct event){ .reg = i, .period = 5 + i, .long_period = 1000 + i });
	for (i = 2; i < 4; i++) {
		pmc.reg_num = i;
		if (has_pmc(i))
			CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
	}
	for (i = 2; i < 64; i++) {
		if (!has_pmd(i))
			continue;
		read_and_reset(fd, 0, i);
		others++;
		CHECK_EQ(read_pmd(fd, 0), -5);
		CHECK_EQ(read_pmd(fd, 1), -6);
	}
	CHECK_GE(others, 2);
}

/* covers: 6.2.2-1 */
TEST(a_reset_counter_overflows_after_its_long_period)
{
	int fd = create(0);
	__u64 before;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1ULL << 40,
				    .long_period = 3000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	loop(1000);
	before = read_pmd(fd, 1);
	read_and_reset(fd, 0, 0);
	loop(3000);
	check_state(fd, "masked");
	CHECK_GE(read_pmd(fd, 1), before + 3000);
	CHECK_LE(read_pmd(fd, 1), before + 3000 + 200);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 6.2.2-3 */
TEST(other_threads_counters_can_be_polled)
{
	__u64 sum = 0, now;
	int fd = create(0), i;
	pid_t pid;

	need_pmu();
	program(fd, (struct event){ .reg = 0 });
	count_up(fd, 0, 1);
	pid = spawn_without(fd, just_spin, NULL);
	load(fd, pid);
	start(fd);
	for (i = 0; i < 5; i++) {
		sleep_ms(2);
		now = read_and_reset(fd, 0, 0);
		CHECK(now > 0);
		sum += now;
	}
	unload(fd);
	CHECK_EQ(sum + read_pmd(fd, 0), read_pmd(fd, 1));
	kill_child(pid);
}

/* covers: 6.2.2-1 */
TEST(a_register_that_does_not_exist_keeps_the_flag)
{
	pfarg_pmd_t pmd = { .reg_num = PFM_MAX_PMDS - 1, .reg_flags = PFM_REGFL_READ_RESET };

	CHECK_ERRNO(perfmonctl(create(0), PFM_READ_PMDS, &pmd, 1), EINVAL);
	CHECK_EQ(pmd.reg_flags, PFM_REGFL_READ_RESET | PFM_REG_RETFL_NOTAVAIL);
}
