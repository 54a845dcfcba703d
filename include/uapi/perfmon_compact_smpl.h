/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the compact sampling format: samples as their differences to the sample before.
 *
 * A buffer is a header, a word for each PMD, and blocks, at equal distances. A block is a
 * header and samples, of different sizes; it can be decoded without any other block. See
 * perfmon_compact_smpl(5), also for the code of a sample.
 */
#ifndef _UAPI_PERFMON_COMPACT_SMPL_H
#define _UAPI_PERFMON_COMPACT_SMPL_H

#include <linux/types.h>
#include "perfmon_default_smpl.h"

#define PFM_COMPACT_SMPL_UUID { \
	0xd6, 0x90, 0xb2, 0xea, 0xd9, 0xc4, 0x4d, 0xd9, \
	0xa0, 0xeb, 0x7f, 0x42, 0xeb, 0x13, 0x77, 0x3e }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_COMPACT_SMPL_VERSION_MAJ	1
#define PFM_COMPACT_SMPL_VERSION_MIN	0
#define PFM_COMPACT_SMPL_VERSION \
	((PFM_COMPACT_SMPL_VERSION_MAJ << 16) | PFM_COMPACT_SMPL_VERSION_MIN)

/* buf_block_size: large enough for a sample on every machine */
#define PFM_COMPACT_SMPL_BLOCK_SIZE	4096

/* Most bytes that a sample with this many values can have. */
#define PFM_COMPACT_SMPL_SAMPLE_MAX(values)	(53 + 10 * (values))

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	buf_size;	/* bytes, the buffer's header included */
	__u32		buf_block_size;	/* bytes from one block to the next: a multiple of 8 */
	__u32		buf_flags;	/* 0 */
} pfm_compact_smpl_arg_t;

/* At the start of the buffer. Stable while monitoring is masked. */
typedef struct {
	__aligned_u64	hdr_count;	/* samples since the last reset */
	__aligned_u64	hdr_cur_offs;	/* where the next one goes, if it fits into its block */
	__aligned_u64	hdr_overflows;	/* times the buffer was full */
	__aligned_u64	hdr_buf_size;	/* as in buf_size */
	__u32		hdr_version;
	__u32		hdr_flags;	/* as in buf_flags */
	__u32		hdr_block_size;	/* as in buf_block_size */
	__u32		hdr_blocks_offs; /* where the first block is */
	__aligned_u64	hdr_blocks;	/* blocks begun since the context was created */
	__aligned_u64	hdr_earlier;	/* samples before the last reset */
	__aligned_u64	hdr_block_offs;	/* offset of the block that is filled */
	__aligned_u64	hdr_block_end;	/* offset of the block after it */
	__u32		hdr_sample_max;	/* bytes of the largest sample */
	__u16		hdr_num_pmds;	/* values of a sample, at most */
	__u16		hdr_last_values; /* number of values of the last sample */
	pfm_default_smpl_entry_t hdr_last; /* the last sample */
} pfm_compact_smpl_hdr_t;

/* block_magic */
#define PFM_COMPACT_SMPL_MAGIC	0x4b4c4250

/* At the start of a block. */
typedef struct {
	__u32		block_magic;
	__u32		block_count;	/* samples in it */
	__u32		block_bytes;	/* bytes in use, this header included */
	__u32		block_reserved;
	__aligned_u64	block_number;	/* blocks begun before it since the context was created */
	__aligned_u64	block_first;	/* samples recorded before it since then */
	pfm_default_smpl_entry_t block_base; /* the base of its first sample's difference */
} pfm_compact_smpl_block_t;

/* First byte of a sample: members that differ from the sample before, and follow. */
#define PFM_COMPACT_SMPL_TASK	0x01	/* pid, tid */
#define PFM_COMPACT_SMPL_PMD	0x02	/* ovfl_pmd, set */
#define PFM_COMPACT_SMPL_CPU	0x04
#define PFM_COMPACT_SMPL_RESET	0x08	/* last_reset_val */
#define PFM_COMPACT_SMPL_IP	0x10
#define PFM_COMPACT_SMPL_NUM	0x20	/* the number of values */

#endif /* _UAPI_PERFMON_COMPACT_SMPL_H */
