/* SPDX-License-Identifier: GPL-2.0 */
/* The checks of `pfmon test`. */
#ifndef PFMON_TEST_TEST_H
#define PFMON_TEST_TEST_H

#include "session/session.h"
#include "test/finding.h"
#include "test/program.h"

/* The data for all checks. */
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

/* The NMI watchdog, now; as in struct tester. */
int watchdog_state(void);

#endif /* PFMON_TEST_TEST_H */
