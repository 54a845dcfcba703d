/* SPDX-License-Identifier: GPL-2.0 */
/* Reading a profile, record by record: see format.h. The file may be damaged. */
#ifndef PFMON_DATA_READ_H
#define PFMON_DATA_READ_H

#include <stdio.h>

#include "data/format.h"
#include "util.h"

struct profile_reader {
	FILE		*file;
	const char	*name;
	uint64_t	at;		/* of the next record */
	uint64_t	begin;		/* of the last one, or of its block */
	uint64_t	first;		/* offset of the first record */
	uint64_t	size;		/* of the file */
	void		*record;
	size_t		room;
	char		*block;		/* records that were compressed ... */
	size_t		block_room;
	size_t		block_at, block_size; /* ... and the position in it */
};

bool profile_open(struct profile_reader *reader, const char *name, struct problem *why);

/* Result of profile_next(). */
enum profile_found {
	FOUND_RECORD,
	FOUND_END,		/* the file ends with a whole record */
	FOUND_CUT,		/* it ends within one */
	FOUND_DAMAGE,		/* @why */
};

/*
 * The next record, until the next call. Its sizes make sense: see profile_fixed(). Records that
 * were compressed come one by one.
 */
enum profile_found profile_next(struct profile_reader *reader,
				const struct profile_record **record, struct problem *why);

/* From the first record again. */
void profile_again(struct profile_reader *reader);
void profile_done(struct profile_reader *reader);

/* Fill in @why: the file is damaged at the last record. Returns false. */
bool profile_damaged(const struct profile_reader *reader, struct problem *why);

/* The record if its fixed part has at least @size bytes, else NULL. */
const void *profile_fixed(const struct profile_record *record, size_t size);

/* The data behind the fixed part. */
struct profile_rest {
	const char	*at;
	size_t		left;
};

struct profile_rest profile_rest(const struct profile_record *record);

/* Its next text, or NULL when the text is not complete. */
const char *profile_text(struct profile_rest *rest);

#endif /* PFMON_DATA_READ_H */
