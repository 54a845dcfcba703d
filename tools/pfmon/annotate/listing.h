/* SPDX-License-Identifier: GPL-2.0 */
/* The lines of a function, of its code or of its source, with the samples of each. */
#ifndef PFMON_ANNOTATE_LISTING_H
#define PFMON_ANNOTATE_LISTING_H

#include "annotate/decoder.h"
#include "annotate/functions.h"

struct line {
	uint64_t	address;
	char		*text;		/* the instruction; NULL: a line of the source alone */
	const char	*file;		/* where it is in the source; NULL: not known */
	unsigned int	number;
	bool		shown;
};

/* Zeroed is empty. */
struct listing {
	struct line	*line;
	size_t		n, room;
	size_t		nevents;
	uint64_t	*count;		/* of line i and event e: at i * nevents + e */
};

/*
 * The instructions of a function, with all its samples, each at its address. False,
 * with the reason: its code is not available. @names keeps the names of source files.
 */
bool listing_of_code(struct listing *listing, const struct function *function,
		     struct symbols *symbols, const struct decoder_options *options,
		     struct names *names, struct problem *why);

/* The same by lines of the source, file by file. */
void listing_of_source(struct listing *source, const struct listing *code);

/* True if the debug information has any source line. */
bool listing_has_source(const struct listing *listing);

/*
 * Choose the lines that are shown: with at least @percent_limit percent of an event's samples in
 * the function, and if @limit is not 0, the @limit lines that have the most samples.
 */
void listing_choose(struct listing *listing, const uint64_t *total, uint64_t limit,
		    double percent_limit);

void listing_free(struct listing *listing);

static inline const uint64_t *listing_count(const struct listing *listing, size_t i)
{
	return listing->count + i * listing->nevents;
}

#endif /* PFMON_ANNOTATE_LISTING_H */
