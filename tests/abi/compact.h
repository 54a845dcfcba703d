/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling with the compact format, and its code as perfmon_compact_smpl(5) describes it.
 */
#ifndef TESTS_ABI_COMPACT_H
#define TESTS_ABI_COMPACT_H

#include "sampling.h"

#include <perfmon_compact_smpl.h>

#define BLOCK		PFM_COMPACT_SMPL_BLOCK_SIZE
#define SIZE		262144

#define COMPACT(size, block)	\
	((pfm_compact_smpl_arg_t){ .buf_size = (size), .buf_block_size = (block) })

struct compact {
	int				fd;
	const pfm_compact_smpl_hdr_t	*hdr;
};

static const struct format compact_format = {
	"compact", PFM_COMPACT_SMPL_UUID, sizeof(pfm_compact_smpl_arg_t),
};

static inline void need_compact(void)
{
	need_format(&compact_format);
}

static inline int try_create_compact(__u32 flags, pfm_compact_smpl_arg_t arg)
{
	return try_create_formatted(&compact_format, flags, &arg, NULL);
}

static inline struct compact create_compact(__u32 flags, pfm_compact_smpl_arg_t arg)
{
	struct formatted made;

	need_compact();
	made = create_formatted(&compact_format, flags, &arg);
	set_nonblocking(made.fd);
	return (struct compact){ .fd = made.fd, .hdr = made.hdr };
}

/* The least sizes: for one sample with the values of all PMDs. */

static inline __u32 least_block(void)
{
	__u32 size = sizeof(pfm_compact_smpl_block_t) + PFM_COMPACT_SMPL_SAMPLE_MAX(count_pmds());

	return (size + 7) & ~7U;
}

static inline size_t blocks_offs(void)
{
	return sizeof(pfm_compact_smpl_hdr_t) + 8 * count_pmds();
}

static inline __u64 least_buffer(void)
{
	return blocks_offs() + sizeof(pfm_compact_smpl_block_t) +
	       PFM_COMPACT_SMPL_SAMPLE_MAX(count_pmds());
}

/* Samples, one after the other. */
struct walk {
	const pfm_compact_smpl_hdr_t	*hdr;
	const pfm_compact_smpl_block_t	*block;
	const __u8			*at;
	__u32				done;	/* samples of the block */
	__u64				n;	/* so many were before */
	/* The sample: */
	pfm_default_smpl_entry_t	entry;
	unsigned int			nvalues;
	__u64				value[PFM_MAX_PMDS];
	size_t				bytes;
};

static inline struct walk first_sample_of(const struct compact *compact)
{
	return (struct walk){ .hdr = compact->hdr };
}

static inline __u64 take_number(struct walk *walk)
{
	unsigned int shift = 0;
	__u64 number = 0;

	do {
		CHECK(shift < 64);
		number |= (__u64)(*walk->at & 0x7f) << shift;
		shift += 7;
	} while (*walk->at++ & 0x80);
	return number;
}

static inline __u64 take_difference(struct walk *walk)
{
	__u64 number = take_number(walk);

	return number >> 1 ^ -(number & 1);
}

/* The header of each block agrees with its samples, and no sample crosses its end. */
static inline void walk_to_block(struct walk *walk)
{
	const pfm_compact_smpl_hdr_t *hdr = walk->hdr;
	const pfm_compact_smpl_block_t *before = walk->block, *block = before ?
		(const void *)((const char *)before + hdr->hdr_block_size) :
		(const void *)((const char *)hdr + hdr->hdr_blocks_offs);

	CHECK_EQ(block->block_magic, PFM_COMPACT_SMPL_MAGIC);
	CHECK_GE(block->block_count, 1);
	CHECK_EQ(block->block_reserved, 0);
	CHECK_EQ(block->block_first, hdr->hdr_earlier + walk->n);
	CHECK_LE(block->block_bytes, hdr->hdr_block_size);
	CHECK_LE((const char *)block + block->block_bytes, (const char *)hdr + hdr->hdr_buf_size);
	if (before) {
		CHECK_EQ(block->block_number, before->block_number + 1);
		CHECK_EQ(walk->at - (const __u8 *)before, before->block_bytes);
		/* The sample did not fit into that block. */
		CHECK(before->block_bytes + hdr->hdr_sample_max > hdr->hdr_block_size);
	}
	*walk = (struct walk){
		.hdr = hdr, .block = block, .at = (const __u8 *)(block + 1), .n = walk->n,
		.entry = block->block_base,
	};
}

/* True if all samples of the block were read; the block that is filled gets more. */
static inline bool is_through(const struct walk *walk)
{
	return !walk->block ||
	       walk->done == __atomic_load_n(&walk->block->block_count, __ATOMIC_RELAXED);
}

static inline void walk_on(struct walk *walk)
{
	const __u8 *from;
	unsigned int changed, i;

	if (is_through(walk))
		walk_to_block(walk);
	from = walk->at;
	changed = *walk->at++;
	CHECK(changed < 0x40);
	if (changed & PFM_COMPACT_SMPL_TASK) {
		walk->entry.pid += take_difference(walk);
		walk->entry.tid += take_difference(walk);
	}
	if (changed & PFM_COMPACT_SMPL_PMD) {
		walk->entry.ovfl_pmd += take_difference(walk);
		walk->entry.set += take_difference(walk);
	}
	if (changed & PFM_COMPACT_SMPL_CPU)
		walk->entry.cpu += take_difference(walk);
	if (changed & PFM_COMPACT_SMPL_RESET)
		walk->entry.last_reset_val += take_difference(walk);
	walk->entry.tstamp += take_difference(walk);
	if (changed & PFM_COMPACT_SMPL_IP)
		walk->entry.ip += take_difference(walk);
	if (changed & PFM_COMPACT_SMPL_NUM)
		walk->nvalues = take_number(walk);
	CHECK_LE(walk->nvalues, count_pmds());
	for (i = 0; i < walk->nvalues; i++)
		walk->value[i] += take_difference(walk);
	walk->bytes = walk->at - from;
	CHECK_LE(walk->bytes, PFM_COMPACT_SMPL_SAMPLE_MAX(walk->nvalues));
	walk->done++;
	walk->n++;
}

static inline __u64 count_of(const struct compact *compact)
{
	return __atomic_load_n(&compact->hdr->hdr_count, __ATOMIC_ACQUIRE);
}

#define for_each_sample(compact, walk)						\
	for (*(walk) = first_sample_of(compact);				\
	     (walk)->n < count_of(compact) && (walk_on(walk), true);)

/* The header agrees with the samples. Nothing is counted meanwhile. */
static inline void check_samples(const struct compact *compact)
{
	const pfm_compact_smpl_hdr_t *hdr = compact->hdr;
	struct walk walk;

	for_each_sample(compact, &walk)
		;
	CHECK_EQ(hdr->hdr_flags, 0);
	if (walk.n) {
		CHECK(is_through(&walk));
		CHECK_EQ(walk.block->block_number + 1, hdr->hdr_blocks);
		CHECK_EQ((const char *)walk.block - (const char *)hdr, hdr->hdr_block_offs);
		CHECK_EQ((const char *)walk.at - (const char *)walk.block, walk.block->block_bytes);
		CHECK_EQ((const char *)walk.at - (const char *)hdr, hdr->hdr_cur_offs);
		CHECK(!memcmp(&walk.entry, &hdr->hdr_last, sizeof(walk.entry)));
	}
	CHECK_EQ(ledger(compact->fd, "recorded"), hdr->hdr_earlier + walk.n);
	check_ledger(compact->fd);
}

#endif /* TESTS_ABI_COMPACT_H */
