/* SPDX-License-Identifier: GPL-2.0 */
/* The code of the compact sampling format: the samples of a block, whatever its bytes are. */
#ifndef PFMON_SESSION_COMPACT_BLOCK_H
#define PFMON_SESSION_COMPACT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon.h>
#include <perfmon_compact_smpl.h>

struct compact_block {
	const unsigned char *at, *end;	/* the next sample, and the end of the memory */
	pfm_default_smpl_entry_t sample; /* the sample decoded last, ... */
	size_t		nvalues;	/* ... and its values */
	uint64_t	value[PFM_MAX_PMDS];
};

/* Begin with the block in the @size bytes at @memory. False: there is none. */
bool compact_block_begin(struct compact_block *block, const void *memory, size_t size);

/*
 * Decode the next sample. It must be complete: the block's header has their number. False: the
 * bytes are no sample, and the rest of the block is lost.
 */
bool compact_block_next(struct compact_block *block);

#endif /* PFMON_SESSION_COMPACT_BLOCK_H */
