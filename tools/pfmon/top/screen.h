/* SPDX-License-Identifier: GPL-2.0 */
/* The samples of the last interval as a table: on the terminal, or plain. */
#ifndef PFMON_TOP_SCREEN_H
#define PFMON_TOP_SCREEN_H

#include <stdio.h>

#include "data/profile.h"
#include "report/gather.h"
#include "report/keys.h"
#include "symbols/cache.h"

struct screen {
	const char	*target;	/* what is sampled, in words */
	struct gathered	gathered;	/* the samples of an interval ... */
	double		seconds;	/* ... which took so long */
	struct keys	sort;
	size_t		event;		/* the one that is shown, among several */
	size_t		scroll;		/* lines above the first that is shown */
	bool		paused, help, colour;
	struct symbols_cache cache;
};

/* Other samples are to be shown: what the profile has now. */
void screen_take(struct screen *screen, struct profile *profile, double seconds);

/* The next way to sort. */
void screen_next_sort(struct screen *screen);

/* For a terminal of so many lines. */
void screen_draw(FILE *out, struct screen *screen, size_t lines);

/* All events one below the other, with at most @limit lines each. */
void screen_batch(FILE *out, struct screen *screen, uint64_t limit);

void screen_free(struct screen *screen);

#endif /* PFMON_TOP_SCREEN_H */
