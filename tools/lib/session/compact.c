// SPDX-License-Identifier: GPL-2.0
/* The buffer of the compact sampling format: perfmon_compact_smpl(5) describes it. */
#include <string.h>

#include <perfmon_compact_smpl.h>

#include "session/compact_block.h"
#include "session/kept.h"
#include "session/reader.h"

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

static void compact_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_compact_smpl_arg_t arg = {
		.buf_size = size, .buf_block_size = PFM_COMPACT_SMPL_BLOCK_SIZE,
	};

	(void)sampling;
	memcpy(argument, &arg, sizeof(arg));
}

static void compact_restart(void *state)
{
	struct compact *compact = state;

	compact->taken = 0;
	compact->current = NULL;
	compact->next = compact->mapped < sizeof(*compact->header) ? UINT64_MAX / 2 :
			compact->header->hdr_blocks_offs;
}

static bool compact_open(void *state, int fd, const void *buffer, size_t mapped)
{
	struct compact *compact = state;

	(void)fd;
	compact->header = buffer;
	compact->mapped = mapped;
	compact_restart(compact);
	return true;
}

/* True if the blocks are where they can be: aligned, and behind the header. */
static bool has_blocks(const struct compact *compact)
{
	const pfm_compact_smpl_hdr_t *header = compact->header;

	return compact->mapped >= sizeof(*header) && header->hdr_blocks_offs >= sizeof(*header) &&
	       header->hdr_block_size >= sizeof(*compact->current) &&
	       header->hdr_blocks_offs % 8 == 0 && header->hdr_block_size % 8 == 0;
}

/* Begin the next block that has samples below @count. False: there is none. */
static bool begin_next(struct compact *compact, uint64_t count)
{
	const pfm_compact_smpl_hdr_t *header = compact->header;
	const pfm_compact_smpl_block_t *block;
	uint64_t position;
	size_t left;

	while (compact->next + sizeof(*block) <= compact->mapped) {
		block = (const void *)((const char *)header + compact->next);
		left = compact->mapped - (size_t)compact->next;
		if (left > header->hdr_block_size)
			left = header->hdr_block_size;
		compact->next += header->hdr_block_size;
		position = block->block_first - header->hdr_earlier;
		if (position < compact->taken || position >= count ||
		    !compact_block_begin(&compact->block, block, left))
			continue;
		compact->taken = position;
		compact->current = block;
		compact->decoded = 0;
		return true;
	}
	return false;
}

/* Decode the next sample of the block. False: it has no more, or none that makes sense. */
static bool next_of_block(struct compact *compact, size_t sample_size)
{
	const pfm_compact_smpl_block_t *block = compact->current;

	if (!block || compact->decoded >= __atomic_load_n(&block->block_count, __ATOMIC_RELAXED))
		return false;
	if (!compact_block_next(&compact->block) ||
	    kept_size(compact->block.nvalues) != sample_size) {
		compact->current = NULL;
		return false;
	}
	compact->decoded++;
	return true;
}

/* The rest of a damaged block is left out: fewer samples arrive than the kernel has recorded. */
static struct batch compact_take(void *state, size_t sample_size)
{
	struct batch batch = { .sample_size = sample_size };
	struct compact *compact = state;
	uint64_t count;

	if (!has_blocks(compact))
		return batch;
	/* Each sample is complete, and counted in its block, before it is counted here. */
	count = __atomic_load_n(&compact->header->hdr_count, __ATOMIC_ACQUIRE);
	while (compact->taken < count) {
		if (next_of_block(compact, sample_size)) {
			kept_put(&compact->kept, batch.count++, &compact->block.sample,
				 compact->block.value, compact->block.nvalues);
			compact->taken++;
		} else if (!begin_next(compact, count)) {
			break;
		}
	}
	batch.samples = compact->kept.samples;
	return batch;
}

static void compact_close(void *state)
{
	struct compact *compact = state;

	kept_free(&compact->kept);
}

const struct sampling_reader compact_reader = {
	.name = "compact", .uuid = PFM_COMPACT_SMPL_UUID, .state_size = sizeof(struct compact),
	.argument = compact_argument, .open = compact_open, .take = compact_take,
	.restart = compact_restart, .close = compact_close,
};
