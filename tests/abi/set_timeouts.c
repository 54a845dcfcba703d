// SPDX-License-Identifier: GPL-2.0
/* Event sets: their possible timeouts. */
#include "overflow.h"
#include "registers.h"
#include "sets.h"

/* covers: D.7-12 */
TEST(timeouts_that_are_no_times_are_refused)
{
	static const struct __kernel_timespec bad[] = {
		{ 0, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1000000000 }, { 1, 1000000000 },
		{ -1, 999999999 }, { 1, -1 }, { INT64_MIN, 0 }, { 0, INT64_MIN },
		{ 0, INT64_MAX },
	};
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		expect_bad_set(fd, (pfarg_setdesc_t){
			.set_id = 4, .set_flags = PFM_SETFL_TIME_SWITCH, .set_timeout = bad[i],
		});
	expect_no_set(fd, 4);
}

/* covers: 3.1.10-13 3.1.12-12 */
TEST(a_timeout_is_ignored_without_time_switching)
{
	pfarg_setdesc_t set = {
		.set_id = 6, .set_flags = PFM_SETFL_EXPL_NEXT, .set_timeout = { 0, 1 },
	};
	int fd = create(0);

	/* Nor is it raised to the shortest one. */
	CHECK_OK(create_sets(fd, &set, 1));
	CHECK_EQ(set.set_timeout.tv_sec, 0);
	CHECK_EQ(set.set_timeout.tv_nsec, 1);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 4, .set_timeout = { -1, -1 } });
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 5, .set_flags = PFM_SETFL_OVFL_SWITCH, .set_timeout = { 1, 1 },
	});
	CHECK_EQ(remaining(fd, 4), 0);
	CHECK_EQ(remaining(fd, 5), 0);
}

/* covers: 3.1.10-12 3.1.10-28 3.1.12-11 3.7.6-5 */
TEST(the_effective_timeout_is_never_shorter_than_the_requested_one)
{
	static const __u64 wanted[] = {
		1, 2, 999, 99999, 100001, 123456, 1000000, 1000001, 999999999, 1000000000,
		3600 * NS_PER_SEC + 1,
	};
	int fd = create(0);
	__u64 effective;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		effective = create_timed_set(fd, 1, wanted[i]);
		CHECK_GE(effective, wanted[i]);
		/* With a high-resolution timer the timeout is the same, from the minimum on. */
		if (wanted[i] >= 100000)
			CHECK_EQ(effective, wanted[i]);
		CHECK_EQ(remaining(fd, 1), effective);
	}
}

/* covers: 3.1.10-12 D.9-2 */
TEST(enormous_timeouts_do_not_become_short_ones)
{
	pfarg_setdesc_t set = {
		.set_id = 1, .set_flags = PFM_SETFL_TIME_SWITCH,
		.set_timeout = { INT64_MAX, 999999999 },
	};
	int fd = create(0);

	/* Refused, or a century at least. */
	if (create_sets(fd, &set, 1)) {
		CHECK_EQ(errno, EINVAL);
		CHECK_EQ(set.set_flags & PFM_SET_RETFL_MASK, PFM_SET_RETFL_EINVAL);
	} else {
		CHECK_GE(set.set_timeout.tv_sec, 100LL * 365 * 86400);
	}
}

static void check_minimum(void *arg)
{
	__u64 minimum = *(__u64 *)arg;
	int fd = create(0);

	CHECK_EQ(create_timed_set(fd, 1, 1), minimum);
	CHECK_EQ(create_timed_set(fd, 2, minimum), minimum);
	CHECK_EQ(create_timed_set(fd, 3, minimum + 1), minimum + 1);
}

/* covers: D.7-13 */
TEST(the_shortest_timeout_is_the_administrators)
{
	__u64 minimum = 100000;

	check_minimum(&minimum);
	minimum = 2000000;
	with_file(MIN_TIMEOUT, "2000000", check_minimum, &minimum);
	minimum = 50000;
	with_file(MIN_TIMEOUT, "50000", check_minimum, &minimum);
}

/* The clock's resolution is 1 ns, or a tick: coarse.sh runs this test with a tick. */
/* covers: 3.1.10-28 */
TEST(the_effective_timeout_is_a_multiple_of_the_clocks_resolution)
{
	static const __u64 requests[] = { 1000000, 4000001, 12345678, 999999999, 7000000000 };
	struct timespec time;
	__u64 got, resolution;
	int fd = create(0);
	size_t i;

	CHECK_OK(clock_getres(CLOCK_MONOTONIC, &time));
	resolution = time.tv_sec * NS_PER_SEC + time.tv_nsec;
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		got = create_timed_set(fd, 1, requests[i]);
		CHECK_EQ(got % resolution, 0);
		CHECK_GE(got, requests[i]);
		CHECK(got < requests[i] + resolution);
	}
	printf("resolution %llu ns\n", (unsigned long long)resolution);
}
