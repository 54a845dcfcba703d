/* SPDX-License-Identifier: GPL-2.0 */
/* The checks of `pfmon test`, and what they find. */
#ifndef PFMON_TEST_TEST_H
#define PFMON_TEST_TEST_H

#include "run/session.h"
#include "test/program.h"

enum verdict {
	VERDICT_RIGHT,
	VERDICT_OFF,		/* by as little as is usual on hardware */
	VERDICT_BROKEN,
	VERDICT_NOT_HERE,	/* it cannot be tried: the text says why */
	VERDICTS,
};

struct finding {
	enum verdict	verdict;
	char		text[512];
};

/* What all checks are given. */
struct tester {
	struct pmu		pmu;
	struct rights		rights;
	const struct program	*program;
	int			watchdog;	/* before the first session: 1 on, 0 off, -1 none */
};

struct check {
	const char	*name;
	void		(*run)(const struct tester *tester, struct finding *finding);
};

/* In the order in which they are run; ended by a NULL name. */
extern const struct check counting_checks[], overflow_checks[], neighbour_checks[];

void found(struct finding *finding, enum verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * What a count is that should be @wanted: right, off by less than one in a thousand, or
 * broken. @what is counted, in words.
 */
void found_count(struct finding *finding, uint64_t got, uint64_t wanted, const char *what);

/* A measurement could not be made, as errno and @why say. */
void found_refusal(struct finding *finding, const struct problem *why);

/* The NMI watchdog, now; as in struct tester. */
int watchdog_state(void);

#endif /* PFMON_TEST_TEST_H */
