/* SPDX-License-Identifier: GPL-2.0 */
/* The buffer of the stack sampling format: samples of different sizes, with call chains. */
#ifndef PFMON_SESSION_CHAINS_H
#define PFMON_SESSION_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon_stack_smpl.h>

#include "session/batch.h"
#include "session/kept.h"

/* The samples taken of a buffer, and room for them. Zeroed: none. */
struct chains {
	const pfm_stack_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	taken;		/* number of samples taken of it, ... */
	size_t		offset;		/* ... and the next one is here */
	struct kept	kept;		/* the samples taken last, without their chains */
	uint64_t	*words;		/* their chains */
	size_t		nwords, word_room;
};

/* The format's argument, which follows that of the context. */
pfm_stack_smpl_arg_t chains_argument(uint64_t size, unsigned int parts, unsigned int depth);

/* The context's buffer is mapped, @mapped bytes at @buffer. */
void chains_open(struct chains *chains, const void *buffer, size_t mapped);

/*
 * Take samples that were not taken yet, each of @sample_size bytes without its chain; until the
 * next call.
 */
struct batch chains_take(struct chains *chains, size_t sample_size);

/* The buffer was emptied. */
void chains_restart(struct chains *chains);
void chains_close(struct chains *chains);

#endif /* PFMON_SESSION_CHAINS_H */
