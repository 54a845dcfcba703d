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
	const char	*target;	/* the target, in words */
	struct gathered	gathered;	/* the samples of an interval ... */
	double		seconds;	/* ... and its length */
	struct keys	sort;
	size_t		event;		/* the number of the event shown */
	size_t		scroll;		/* lines above the first that is shown */
	bool		paused, help, colour;
	struct symbols_cache cache;
};

/* From now on show the profile's present samples. */
void screen_take(struct screen *screen, struct profile *profile, double seconds);

/* The next way to sort. */
void screen_next_sort(struct screen *screen);

/* Print the screen of a terminal with @lines lines. */
void screen_draw(FILE *out, struct screen *screen, size_t lines);

/* All events one below the other, with at most @limit lines each. */
void screen_batch(FILE *out, struct screen *screen, uint64_t limit);

void screen_free(struct screen *screen);

#endif /* PFMON_TOP_SCREEN_H */
