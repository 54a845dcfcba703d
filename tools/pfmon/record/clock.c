// SPDX-License-Identifier: GPL-2.0
/*
 * Only perf's records have the samples' clock: a dummy event of this thread has the time at which the
 * thread gets its name once more.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base.h"
#include "nanoseconds.h"
#include "record/clock.h"
#include "record/ring.h"

#define LOOKS		8		/* the shortest one is the best */
#define LONG_NS		100000000ULL	/* in a shorter time, the looks' own errors are larger */

struct look {
	uint64_t	before, after;	/* CLOCK_MONOTONIC */
	uint64_t	samples;	/* 0: there was no record */
};

static int open_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.comm = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The time is the last field of the record. */
static void take_time(void *data, const struct perf_event_header *header)
{
	struct look *look = data;

	if (header->type == PERF_RECORD_COMM)
		memcpy(&look->samples, (const char *)header + header->size - sizeof(look->samples),
		       sizeof(look->samples));
}

static void look_often(struct ring *ring, void *room, struct clock_moment *moment)
{
	uint64_t shortest = UINT64_MAX;
	struct look look;
	char name[16];
	int i;

	prctl(PR_GET_NAME, name);
	for (i = 0; i < LOOKS; i++) {
		look = (struct look){ .before = nanoseconds_now(CLOCK_MONOTONIC) };
		prctl(PR_SET_NAME, name);
		look.after = nanoseconds_now(CLOCK_MONOTONIC);
		ring_take(ring, room, take_time, &look);
		if (!look.samples || look.after - look.before >= shortest)
			continue;
		shortest = look.after - look.before;
		moment->monotonic = look.before + shortest / 2;
		moment->samples = look.samples;
	}
}

bool clock_look(struct clock_moment *moment)
{
	struct ring ring = { .base = NULL };
	const int fd = open_event();
	void *room;

	*moment = (struct clock_moment){ 0 };
	if (fd < 0)
		return false;
	if (ring_map(&ring, fd, (size_t)sysconf(_SC_PAGESIZE))) {
		room = xcalloc(1, RING_MAX_RECORD);
		look_often(&ring, room, moment);
		free(room);
	}
	ring_unmap(&ring);
	close(fd);
	return moment->samples;
}

uint64_t clock_convert(const struct clock_moment *first, const struct clock_moment *last,
		       uint64_t monotonic_ns)
{
	const uint64_t elapsed = last->monotonic - first->monotonic;
	const uint64_t samples = last->samples - first->samples;
	const int64_t after = (int64_t)(monotonic_ns - first->monotonic);

	if (elapsed < LONG_NS)
		return first->samples + (uint64_t)after;
	return first->samples + (uint64_t)((__int128)after * (int64_t)samples / (int64_t)elapsed);
}
