/* SPDX-License-Identifier: GPL-2.0 */
/* Writing a profile: see format.h. */
#ifndef PFMON_DATA_WRITE_H
#define PFMON_DATA_WRITE_H

#include <stdarg.h>
#include <sys/types.h>

#include "data/format.h"
#include "util.h"

struct profile_writer {
	int		fd;		/* -1: closed, or given up */
	const char	*name;
	off_t		end;		/* of the last whole record */
	int		error;		/* the first errno; nothing is written after it */
};

/* Begin a file, in place of an old one. False: it cannot be written. */
bool profile_create(struct profile_writer *writer, const char *name, struct problem *why);

/*
 * Append a record: the fixed part of @fixed bytes, whose struct profile_record is filled
 * in here, and texts or @size bytes. A record is written whole or, when that fails, not
 * at all; after a failure these do nothing. Both return whether all is well.
 */
bool profile_write_texts(struct profile_writer *writer, uint32_t type, void *record,
			 size_t fixed, const char *const *texts, size_t n);
bool profile_write_bytes(struct profile_writer *writer, uint32_t type, void *record,
			 size_t fixed, const void *bytes, size_t size);

/* Close. False, with the reason, if anything failed to be written. */
bool profile_close(struct profile_writer *writer, struct problem *why);

#endif /* PFMON_DATA_WRITE_H */
