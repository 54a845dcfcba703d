/* SPDX-License-Identifier: GPL-2.0 */
/* The finding of a check of `pfmon test`. */
#ifndef PFMON_TEST_FINDING_H
#define PFMON_TEST_FINDING_H

#include <stdint.h>

#include "util.h"

enum verdict {
	VERDICT_RIGHT,
	VERDICT_OFF,		/* by as little as is usual on hardware */
	VERDICT_BROKEN,
	VERDICT_NOT_HERE,	/* it cannot be tried: the text has the reason */
	VERDICTS,
};

struct finding {
	enum verdict	verdict;
	struct problem	says;		/* what was found; the hint: the way out of a refusal */
};

void found(struct finding *finding, enum verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Judge a count that should be @wanted: right, off by less than one in a thousand, or broken. @what
 * names the counted events.
 */
void found_count(struct finding *finding, uint64_t got, uint64_t wanted, const char *what);

/* A measurement could not be made: errno and @why have the reason. */
void found_refusal(struct finding *finding, const struct problem *why);

#endif /* PFMON_TEST_FINDING_H */
