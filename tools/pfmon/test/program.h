/* SPDX-License-Identifier: GPL-2.0 */
/* Programs of which it is known how often an event happens in them. */
#ifndef PFMON_TEST_PROGRAM_H
#define PFMON_TEST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct program {
	const char	*event;		/* at user level */
	const char	*what;		/* the same in words */
	uint64_t	per_round;	/* so often it happens in a round */
	uint64_t	rounds;		/* that take some milliseconds */
	void		(*run)(uint64_t rounds);
	const char	*begin, *end;	/* where its instructions are; NULL: in the kernel as well */
};

/* Ended by one without an event. A PMU has the event of one of them. */
extern const struct program programs[];

/*
 * A child, stopped, that runs it and ends once program_go() is called: all that it does from
 * then on is the same each time. Returns -1 with errno.
 */
pid_t program_fork(const struct program *program, uint64_t rounds);

/* Let it go, and wait for its end. False: it did not end well. */
bool program_go(pid_t pid);

#endif /* PFMON_TEST_PROGRAM_H */
