/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of the samples and of perf's records beside CLOCK_MONOTONIC, which advances at nearly the
 * same rate: NTP adjusts it alone.
 */
#ifndef PFMON_RECORD_CLOCK_H
#define PFMON_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The same moment on both, in ns. Zeroed: unknown. */
struct clock_moment {
	uint64_t	monotonic, samples;
};

/* Look at both now, some microseconds apart. False: this user may not have perf's event. */
bool clock_look(struct clock_moment *moment);

/* A time of CLOCK_MONOTONIC on the samples' clock, by two looks. */
uint64_t clock_convert(const struct clock_moment *first, const struct clock_moment *last,
		       uint64_t monotonic_ns);

#endif /* PFMON_RECORD_CLOCK_H */
