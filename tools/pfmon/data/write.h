/* SPDX-License-Identifier: GPL-2.0 */
/* Writing a profile: see format.h. */
#ifndef PFMON_DATA_WRITE_H
#define PFMON_DATA_WRITE_H

#include <stdarg.h>
#include <sys/types.h>

#include "data/format.h"
#include "data/pack.h"
#include "util.h"

struct profile_writer {
	int		fd;		/* -1: closed, or given up */
	const char	*name;
	off_t		end;		/* of the last whole record */
	int		error;		/* the first errno; nothing is written after it */
	struct packer	*packer;	/* or NULL: records are written as they are */
	char		*waiting;	/* records that are written together ... */
	size_t		nwaiting;	/* ... and their bytes */
};

/* A larger record is not compressed. */
#define PROFILE_WAITING_ROOM	(1 << 20)

/* Begin a file, in place of an old one. False: it cannot be written. */
bool profile_create(struct profile_writer *writer, const char *name, struct problem *why);

/* Compress the following records, at a level of zstd. */
void profile_compress(struct profile_writer *writer, int level);

/*
 * Append a record: the fixed part of @fixed bytes, whose struct profile_record is filled
 * in here, and texts or @size bytes. A record is written whole or, when that fails, not
 * at all; after a failure these do nothing. Both return true without a failure.
 *
 * Small records wait for the next samples, and compressed samples for more of them:
 * profile_flush() has all of them written.
 */
bool profile_write_texts(struct profile_writer *writer, uint32_t type, void *record,
			 size_t fixed, const char *const *texts, size_t n);
bool profile_write_bytes(struct profile_writer *writer, uint32_t type, void *record,
			 size_t fixed, const void *bytes, size_t size);

bool profile_flush(struct profile_writer *writer);

/* Flush and close. False, with the reason, if anything failed to be written. */
bool profile_close(struct profile_writer *writer, struct problem *why);

#endif /* PFMON_DATA_WRITE_H */
