/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event sets that are left after overflows. In most tests register 0 of a set is the trigger
 * and register 1 counts, so that the counts show which set was active.
 */
#ifndef TESTS_ABI_SWITCHING_H
#define TESTS_ABI_SWITCHING_H

#include "overflow.h"

#define TRIGGER		0
#define COUNT		1

/* A set that is left after @threshold overflows of @period instructions. */
static inline void trigger_set(int fd, __u16 id, __u64 period, __u64 threshold)
{
	create_trigger_set(fd, id);
	program(fd, (struct event){ .set = id, .reg = TRIGGER, .period = period,
				    .threshold = threshold });
	count_up(fd, id, COUNT);
}

/* A set that is never left. */
static inline void last_set(int fd, __u16 id)
{
	create_set(fd, (pfarg_setdesc_t){ .set_id = id });
	count_up(fd, id, COUNT);
}

static inline __u64 counted(int fd, __u16 set)
{
	return value_of(fd, set, COUNT);
}

/* The count of start_loop_stop(), on any counter. */
static inline __u64 loop_count(__u64 n)
{
	int fd = create_counting(general, 0);
	__u64 total;

	load_self(fd);
	count_loop(fd, general, 0, n);
	total = count_loop(fd, general, 0, n);
	CHECK_OK(close(fd));
	return total;
}

/* Only the active set counts. */
static inline void expect_active(int fd, __u16 wanted, const __u16 *ids, size_t n)
{
	__u64 before[16];
	size_t i;

	for (i = 0; i < n; i++)
		before[i] = counted(fd, ids[i]);
	start_loop_stop(fd, 1);
	for (i = 0; i < n; i++)
		if ((counted(fd, ids[i]) != before[i]) != (ids[i] == wanted))
			FAIL("set %u counts, active should be %u", ids[i], wanted);
}

#endif /* TESTS_ABI_SWITCHING_H */
