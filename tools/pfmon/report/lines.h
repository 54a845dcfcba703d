/* SPDX-License-Identifier: GPL-2.0 */
/* A flat profile: samples summed up by symbol or by file. */
#ifndef PFMON_REPORT_LINES_H
#define PFMON_REPORT_LINES_H

#include "data/profile.h"

enum profile_sort { SORT_SYMBOL, SORT_FILE };

struct line {
	size_t		event;
	const char	*symbol;	/* "[unknown]"; "" when sorted by file */
	const char	*file;
	uint64_t	count;
};

struct lines {
	struct line	*line;		/* by event, and then the largest count first */
	size_t		n, room;
	struct strings	names;
};

/*
 * Sum up. Files whose symbols cannot be had are told in @notes. Lives as long as
 * @profile at most.
 */
void lines_make(struct lines *lines, const struct profile *profile, enum profile_sort sort,
		bool demangle, struct strings *notes);
void lines_free(struct lines *lines);

#endif /* PFMON_REPORT_LINES_H */
