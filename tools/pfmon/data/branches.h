/* SPDX-License-Identifier: GPL-2.0 */
/* The last branches before each sample, as a recording has them beside the samples. */
#ifndef PFMON_DATA_BRANCHES_H
#define PFMON_DATA_BRANCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/format.h"

/* 0: an address that the kernel keeps secret. */
struct branch {
	uint64_t	from, to;
};

/* Those of the record of samples that comes next. Zeroed: there are none. */
struct branches {
	bool		there;
	uint32_t	context;
	uint64_t	left;		/* samples */
	uint64_t	*word;
	size_t		n, room, at;
};

/* Keep a PROFILE_BRANCHES. False: it is damaged. */
bool branches_keep(struct branches *branches, const struct profile_record *record);

/* They are of this record of samples, or there are none. */
bool branches_match(const struct branches *branches, uint32_t context, uint64_t count);

/* Those of the next sample, the newest first. False: they are damaged. */
bool branches_next(struct branches *branches, const struct branch **branch, size_t *n);

/* All samples were taken. */
void branches_done(struct branches *branches);
void branches_free(struct branches *branches);

#endif /* PFMON_DATA_BRANCHES_H */
