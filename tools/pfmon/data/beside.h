/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data of a recording beside the samples: the last branches, and the calls, that led to each; the
 * number of samples that it stands for.
 */
#ifndef PFMON_DATA_BESIDE_H
#define PFMON_DATA_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/format.h"

/* A branch; 0 stands for an address that the kernel keeps secret. */
struct branch {
	uint64_t	from, to;
	struct profile_branch_detail detail;	/* zeroed: nothing is known */
};

/* Addresses in the kernel, then of user level, of each part the innermost first. */
struct chain {
	size_t		kernel, user;
	unsigned int	flags;		/* PROFILE_*_CUT */
	const uint64_t	*address;
};

/* Words for the record of samples that comes next. Zeroed: there are none. */
struct beside {
	bool		there;
	uint32_t	context;
	uint64_t	left;		/* samples */
	uint64_t	*word;
	size_t		n, room, at;
	struct branch	*branch;	/* of the sample taken last */
	size_t		branch_room;
};

/* Keep a PROFILE_BRANCHES, _BRANCH_DETAILS, _CHAINS or _COUNTS. False: it is damaged. */
bool beside_keep(struct beside *beside, const struct profile_record *record);

/* True if the words belong to this record of samples, or if there are none. */
bool beside_match(const struct beside *beside, uint32_t context, uint64_t count);

/* The words of the next sample. False: they are damaged. The branches stay until the next call. */
bool beside_branches(struct beside *beside, struct beside *details, const struct branch **branch,
		     size_t *n);
bool beside_chain(struct beside *beside, struct chain *chain);

/* The same; without words a sample stands for itself, and *@periods stays as it is. */
bool beside_count(struct beside *beside, uint64_t *samples, uint64_t *periods);

/* All samples were taken. */
void beside_done(struct beside *beside);
void beside_free(struct beside *beside);

#endif /* PFMON_DATA_BESIDE_H */
