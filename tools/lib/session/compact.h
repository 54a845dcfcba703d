/* SPDX-License-Identifier: GPL-2.0 */
/* The buffer of the compact sampling format: blocks of samples that are decoded here. */
#ifndef PFMON_SESSION_COMPACT_H
#define PFMON_SESSION_COMPACT_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon_compact_smpl.h>

#include "session/batch.h"
#include "session/compact_block.h"
#include "session/kept.h"

/* The samples taken of a buffer, and room for them. Zeroed: none. */
struct compact {
	const pfm_compact_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	taken;		/* number of samples taken of it, or left out */
	uint64_t	next;		/* where the next block is */
	const pfm_compact_smpl_block_t *current; /* the block that is read, NULL: none */
	uint32_t	decoded;	/* number of samples decoded of it */
	struct compact_block block;
	struct kept	kept;		/* the samples taken last */
};

/* The format's argument, which follows that of the context. */
pfm_compact_smpl_arg_t compact_argument(uint64_t size);

/* The context's buffer is mapped, or a copy of it is, @mapped bytes at @buffer. */
void compact_open(struct compact *compact, const void *buffer, size_t mapped);

/*
 * Take samples that were not taken yet, each of @sample_size bytes; until the next call. The rest
 * of a damaged block is left out: fewer samples arrive than the kernel has recorded.
 */
struct batch compact_take(struct compact *compact, size_t sample_size);

/* The buffer was emptied. */
void compact_restart(struct compact *compact);
void compact_close(struct compact *compact);

#endif /* PFMON_SESSION_COMPACT_H */
