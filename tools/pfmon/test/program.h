/* SPDX-License-Identifier: GPL-2.0 */
/* Programs with a known number of occurrences of an event. */
#ifndef PFMON_TEST_PROGRAM_H
#define PFMON_TEST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct program {
	const char	*event;		/* at user level */
	const char	*what;		/* the same in words */
	uint64_t	per_round;	/* occurrences in a round */
	uint64_t	rounds;		/* the rounds for a run of some milliseconds */
	void		(*run)(uint64_t rounds);
	const char	*begin, *end;	/* of its instructions; NULL: in the kernel as well */
};

/* The last one has no event. A PMU has the event of one of them. */
extern const struct program programs[];

/*
 * A stopped child that runs the program and ends after program_go(): all its actions from then on
 * are the same each time. Returns -1 with errno.
 */
pid_t program_fork(const struct program *program, uint64_t rounds);

/* Let the child go, and wait for its end. False: its status is not 0. */
bool program_go(pid_t pid);

#endif /* PFMON_TEST_PROGRAM_H */
