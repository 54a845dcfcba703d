/* SPDX-License-Identifier: GPL-2.0 */
/* The table of `pfmon report --branches`. */
#ifndef PFMON_REPORT_BRANCH_TABLE_H
#define PFMON_REPORT_BRANCH_TABLE_H

#include "names.h"
#include "report/options.h"

/* The turns of one branch. Of some nothing more is known. */
struct turns {
	uint64_t	count;
	uint64_t	predicted, mispredicted;
	uint64_t	timed, cycles;	/* the number of those whose cycles are known, and the sum */
};

/* "symbol+0x12" and the name of the file, as kept in the names of all recordings. */
struct name {
	const char	*place, *file;
};

struct named_branch {
	struct name	from, to;
	struct turns	turns;
};

struct branches {
	const struct report_options *options;
	struct names	names;
	struct strings	notes;
	void		*tree;
	struct named_branch	**branch;	/* the most frequent first */
	size_t		n, room, nshown;
	uint64_t	all;		/* branches of all samples */
	uint64_t	chosen;		/* the sum of those that are listed */
	bool		detailed;	/* predictions or cycles are known */
};

/* Print the most frequent branches, as the options say. False: the output failed. */
bool branch_table_print(struct branches *branches, struct problem *why);

#endif /* PFMON_REPORT_BRANCH_TABLE_H */
