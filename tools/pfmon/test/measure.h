/* SPDX-License-Identifier: GPL-2.0 */
/* A measurement that a check of `pfmon test` makes. */
#ifndef PFMON_TEST_MEASURE_H
#define PFMON_TEST_MEASURE_H

#include "test/test.h"

struct measurement {
	struct events	events;
	struct plan	plan;
};

/* The events of a list, in one event set or in several that take turns. */
bool measurement_make(struct measurement *m, const struct tester *tester, const char *list,
		      bool sets, struct problem *why);
void measurement_free(struct measurement *m);

/* A context of it, loaded on this thread, or -1 with errno. */
int measurement_load(const struct measurement *m, struct problem *why);

/*
 * Count while this thread, or a child, runs @rounds of the program: *@counts has an element for
 * each event, and *@times, unless it is NULL, for each event set.
 */
bool measure_self(const struct measurement *m, const struct program *program, uint64_t rounds,
		  uint64_t *counts, struct set_time *times, struct problem *why);
bool measure_child(const struct measurement *m, const struct program *program, uint64_t rounds,
		   uint64_t *counts, struct problem *why);

#endif /* PFMON_TEST_MEASURE_H */
