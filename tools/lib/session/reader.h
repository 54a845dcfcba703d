/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's sampling formats: a reader for the buffer of each. A new format is a reader, an
 * enumerator and a line of the table in reader.c.
 */
#ifndef PFMON_SESSION_READER_H
#define PFMON_SESSION_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon.h>

#include "session/batch.h"

struct sampling;

/* The samples are the same, but for the chains or branches of the formats that are for these. */
enum sampling_format {
	SAMPLING_DEFAULT,	/* the buffer is emptied when it is full, and meanwhile nothing counts */
	SAMPLING_RING,		/* a part of it is emptied while another one is filled */
	SAMPLING_STACK,		/* as the default one, and samples have call chains */
	SAMPLING_COMPACT,	/* as the default one, and the buffer holds more samples */
	SAMPLING_HIST,		/* the kernel adds samples up: they have no time, no CPU, no values */
	SAMPLING_IBS,		/* as the default one, of AMD's IBS only: values are decoded fields */
	SAMPLING_BRANCH,	/* as the default one, and samples have branches, with their flags */
	SAMPLING_FORMATS,
};

#define READER_ARGUMENT_MAX	32	/* bytes of an argument */

/* Each context has a state of the reader, in memory that is zeroed before open(). */
struct sampling_reader {
	const char	*name;		/* of the format, as sysfs has it */
	const char	*gives;		/* the data that come with this format only, or NULL */
	pfm_uuid_t	uuid;
	size_t		state_size;

	/* Write the format's argument, which follows that of the context, for about @size bytes. */
	void		(*argument)(void *argument, const struct sampling *sampling, uint64_t size);

	/*
	 * The buffer of context @fd is mapped, @mapped bytes at @buffer. False: another page, of
	 * the reader's, cannot be mapped: errno.
	 */
	bool		(*open)(void *state, int fd, const void *buffer, size_t mapped);

	/*
	 * Take samples of @sample_size bytes that were not taken yet. They stay until the next
	 * call, at least.
	 */
	struct batch	(*take)(void *state, size_t sample_size);

	/* Does monitoring wait for a restart after a message? NULL: always. */
	bool		(*waits)(const void *state);

	/* The buffer was emptied. NULL: this needs no change of the state. */
	void		(*restart)(void *state);

	/* Also of a state that open() has refused. NULL: there is nothing to free. */
	void		(*close)(void *state);
};

/* By enum sampling_format. */
extern const struct sampling_reader *const sampling_readers[SAMPLING_FORMATS];

extern const struct sampling_reader plain_reader, parts_reader, chains_reader, compact_reader,
				    hist_reader, records_reader, branched_reader;

#endif /* PFMON_SESSION_READER_H */
