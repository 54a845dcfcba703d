/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the blocks of the compact format: the block that is filled, and the space for others.
 *
 * The state is in the buffer's header, to which only the format can write. The first sample
 * after a reset begins a block; each other block begins where the one before ends. The last
 * block can be shorter, as the buffer ends there.
 */
#ifndef _FORMATS_COMPACT_BLOCKS_H
#define _FORMATS_COMPACT_BLOCKS_H

#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/perfmon_compact_smpl.h>
#include "compact_delta.h"

/* Where the first block is: behind the header and the words for the values of a sample. */
static inline size_t pfm_compact_blocks_offs(unsigned int num_pmds)
{
	return sizeof(pfm_compact_smpl_hdr_t) + num_pmds * sizeof(u64);
}

/* Bytes of the smallest block. */
static inline size_t pfm_compact_block_min(unsigned int num_pmds)
{
	return sizeof(pfm_compact_smpl_block_t) + PFM_COMPACT_SMPL_SAMPLE_MAX(num_pmds);
}

/* No sample, and no block. */
static inline void pfm_compact_empty(pfm_compact_smpl_hdr_t *hdr)
{
	hdr->hdr_earlier += hdr->hdr_count;
	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = hdr->hdr_blocks_offs;
	hdr->hdr_block_offs = hdr->hdr_blocks_offs;
	hdr->hdr_block_end = hdr->hdr_blocks_offs;
}

/* The header of a new buffer, which is all zeroes, for an argument that was checked. */
static inline void pfm_compact_setup(pfm_compact_smpl_hdr_t *hdr,
				     const pfm_compact_smpl_arg_t *req, unsigned int num_pmds)
{
	hdr->hdr_buf_size = req->buf_size;
	hdr->hdr_version = PFM_COMPACT_SMPL_VERSION;
	hdr->hdr_block_size = req->buf_block_size;
	hdr->hdr_blocks_offs = pfm_compact_blocks_offs(num_pmds);
	hdr->hdr_sample_max = PFM_COMPACT_SMPL_SAMPLE_MAX(num_pmds);
	hdr->hdr_num_pmds = num_pmds;
	pfm_compact_empty(hdr);
}

/* True if the largest sample fits into the block. */
static inline bool pfm_compact_fits(const pfm_compact_smpl_hdr_t *hdr)
{
	return hdr->hdr_cur_offs + hdr->hdr_sample_max <= hdr->hdr_block_end;
}

/* True if the largest sample would fit neither into the block nor into another one. */
static inline bool pfm_compact_is_full(const pfm_compact_smpl_hdr_t *hdr)
{
	return !pfm_compact_fits(hdr) &&
	       hdr->hdr_block_end + sizeof(pfm_compact_smpl_block_t) + hdr->hdr_sample_max >
	       hdr->hdr_buf_size;
}

/* True if a sample might not fit into the block. */
static inline bool pfm_compact_block_ends(const pfm_compact_smpl_hdr_t *hdr,
					  unsigned int num_values)
{
	return hdr->hdr_cur_offs + PFM_COMPACT_SMPL_SAMPLE_MAX(num_values) > hdr->hdr_block_end;
}

/*
 * Begin the next block. Its base is @sample itself, so the first entry differs in nothing.
 * block_reserved is zero from the beginning: blocks are always at the same places.
 */
static inline void pfm_compact_begin(pfm_compact_smpl_hdr_t *hdr,
				     const pfm_default_smpl_entry_t *sample)
{
	pfm_compact_smpl_block_t *block = (void *)((u8 *)hdr + hdr->hdr_block_end);

	block->block_magic = PFM_COMPACT_SMPL_MAGIC;
	block->block_count = 0;
	block->block_number = hdr->hdr_blocks++;
	block->block_first = hdr->hdr_earlier + hdr->hdr_count;
	block->block_base = *sample;
	hdr->hdr_block_offs = hdr->hdr_block_end;
	hdr->hdr_block_end = min_t(u64, hdr->hdr_block_offs + hdr->hdr_block_size,
				   hdr->hdr_buf_size);
	hdr->hdr_cur_offs = hdr->hdr_block_offs + sizeof(*block);
	hdr->hdr_last = *sample;
	hdr->hdr_last_values = 0;
	memset(pfm_compact_values(hdr), 0, hdr->hdr_num_pmds * sizeof(u64));
}

/* Write a sample that fits into the block. Returns the block; its count is not raised yet. */
static __always_inline pfm_compact_smpl_block_t *
pfm_compact_write(pfm_compact_smpl_hdr_t *hdr, const pfm_default_smpl_entry_t *sample,
		  const u64 *values, unsigned int num_values)
{
	pfm_compact_smpl_block_t *block = (void *)((u8 *)hdr + hdr->hdr_block_offs);
	u8 *end;

	end = pfm_compact_sample((u8 *)hdr + hdr->hdr_cur_offs, hdr, sample, values, num_values);
	block->block_bytes = end - (u8 *)block;
	hdr->hdr_cur_offs = end - (u8 *)hdr;
	return block;
}

#endif /* _FORMATS_COMPACT_BLOCKS_H */
