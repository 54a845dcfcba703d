// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_REGFL_NO_64BIT_EMUL: a counter as wide as the hardware makes it.
 */
#include "overflow.h"

#define NARROW	PFM_REGFL_NO_64BIT_EMUL

static __u64 width_mask(void)
{
	need_hardware("counters of less than 64 bits");
	return (1ULL << get_config().cf_counter_width) - 1;
}

/* covers: 6.2.1-1 */
TEST(a_narrow_counter_counts_like_any_other)
{
	const struct counter *c;
	__u64 wide;
	int fd;

	need_pmu();
	for_each_counter(c) {
		fd = create_counting(c, 0);
		load_self(fd);
		count_loop(fd, c, 0, 5000);
		wide = count_loop(fd, c, 0, 5000);
		program(fd, (struct event){ .reg = c->pmd, .value = c->value,
					    .flags = NARROW });
		CHECK_EQ(count_loop(fd, c, 0, 5000), wide);
		CHECK_EQ(count_loop(fd, c, 77777, 5000), 77777 + wide);
		CHECK_OK(close(fd));
	}
}

/* covers: 6.2.1-1 6.2.1-2 */
TEST(a_narrow_counter_wraps_at_the_width_of_the_hardware)
{
	__u64 mask, total, before;
	int fd;

	need_pmu();
	mask = width_mask();
	fd = create_counting(general, 0);
	load_self(fd);
	count_loop(fd, general, 0, 1000);
	total = count_loop(fd, general, 0, 1000);
	program(fd, (struct event){ .reg = 0, .flags = NARROW });
	for (before = total - 2; before <= total + 2; before++)
		CHECK_EQ(count_loop(fd, general, -before, 1000), (total - before) & mask);
	CHECK_EQ(count_loop(fd, general, -1ULL, 1000), total - 1);
}

/* covers: 6.2.1-1 */
TEST(a_narrow_counter_shows_no_more_than_its_width)
{
	int fd = create(0);
	__u64 value;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NARROW, .period = 1ULL << 20 });
	load_self(fd);
	start_loop_stop(fd, 100);
	value = read_pmd(fd, 0);
	CHECK_EQ(value & ~width_mask(), 0);
	CHECK_GE(value, (-(1ULL << 20) & width_mask()) + 200);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* covers: 6.2.1-2 */
TEST(a_narrow_counter_notifies_when_the_hardware_overflows)
{
	int fd = create(0), i;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NARROW | NOTIFY, .period = 1000,
				    .long_period = 3000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	for (i = 0; i < 5; i++) {
		loop(2000);
		expect_overflow(fd, 0, BIT_ULL(0));
		CHECK_EQ(read_pmd(fd, 1), 1000 + 3000 * i);
		CHECK_EQ(read_pmd(fd, 0), 0);
		restart(fd);
	}
}

/* covers: 6.2.1-1 */
TEST(a_counter_can_be_made_narrow_and_wide_again)
{
	int fd;
	__u64 total;

	need_pmu();
	fd = create_counting(general, 0);
	load_self(fd);
	count_loop(fd, general, 0, 1000);
	total = count_loop(fd, general, 0, 1000);
	program(fd, (struct event){ .reg = 0, .flags = NARROW });
	CHECK_EQ(count_loop(fd, general, -1ULL, 1000), total - 1);
	program(fd, (struct event){ .reg = 0 });
	CHECK_EQ(count_loop(fd, general, 1ULL << 50, 1000), (1ULL << 50) + total);
	CHECK_EQ(count_loop(fd, general, (1ULL << 48) - 5, 1000), (1ULL << 48) - 5 + total);
}

/* covers: 6.2.1-1 6.2.1-2 */
TEST(narrow_and_wide_counters_work_side_by_side)
{
	int fd = create(0);
	__u64 total;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NARROW });
	write_pmd(fd, 0, -1000);
	program(fd, (struct event){ .reg = 1 });
	write_pmd(fd, 1, (1ULL << 48) - 1000);
	program(fd, (struct event){ .reg = 2 });
	load_self(fd);
	start_loop_stop(fd, 5000);
	total = read_pmd(fd, 2);
	CHECK_EQ(read_pmd(fd, 0), total - 1000);
	CHECK_EQ(read_pmd(fd, 1), (1ULL << 48) - 1000 + total);
}
