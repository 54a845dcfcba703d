/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the ring sampling format: samples as those of the default format, in two parts
 * or more, which are filled in turn while the tool reads others. See
 * perfmon_ring_smpl(5), also for the rules of reading.
 */
#ifndef _UAPI_PERFMON_RING_SMPL_H
#define _UAPI_PERFMON_RING_SMPL_H

#include <linux/types.h>
#include "perfmon_default_smpl.h"

#define PFM_RING_SMPL_UUID { \
	0x71, 0x1d, 0x7c, 0x85, 0x07, 0xaa, 0x41, 0x7e, \
	0x8d, 0xa3, 0xa0, 0xbf, 0xb4, 0x4e, 0x9d, 0x6d }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_RING_SMPL_VERSION_MAJ	1
#define PFM_RING_SMPL_VERSION_MIN	0
#define PFM_RING_SMPL_VERSION \
	((PFM_RING_SMPL_VERSION_MAJ << 16) | PFM_RING_SMPL_VERSION_MIN)

/* ring_flags. The first one has the specification's name as well. */
#define PFM_RING_SMPL_MASK_WHEN_FULL	0x1	/* no part is free: mask, do not overwrite */
#define PFM_RING_SMPL_POSITION		0x2	/* parts are freed by reader_position */
#define DOUBLE_FMT_MASK_WHEN_FULL	PFM_RING_SMPL_MASK_WHEN_FULL

/* ring_parts */
#define PFM_RING_SMPL_PARTS_MIN	2
#define PFM_RING_SMPL_PARTS_MAX	64

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	ring_part_size;	/* bytes of a part, its header included */
	__u32		ring_parts;	/* how many */
	__u32		ring_flags;
} pfm_ring_smpl_arg_t;

/* At the start of the buffer. Parts have numbers, from 0 on, in the order they are filled. */
typedef struct {
	__u32		hdr_version;
	__u32		hdr_flags;	/* as in ring_flags */
	__u32		hdr_parts;	/* as in ring_parts */
	__u32		hdr_current;	/* index of part number hdr_filled */
	__aligned_u64	hdr_part_size;	/* bytes from one part to the next */
	__aligned_u64	hdr_parts_offs;	/* where the first one is, from here */
	__aligned_u64	hdr_reader_offs; /* where the reader's page is */
	__aligned_u64	hdr_sample_max;	/* bytes of the largest sample */
	__aligned_u64	hdr_filled;	/* number of parts that were filled */
	__aligned_u64	hdr_freed;	/* of these, parts that were given back */
	__aligned_u64	hdr_masked;	/* 1: no part is free, PFM_RESTART is needed */
	__aligned_u64	hdr_overwritten; /* samples that were overwritten */
	__aligned_u64	hdr_lost_full;	/* overflows not recorded: no part was free */
	__aligned_u64	hdr_refused;	/* invalid values of reader_position */
} pfm_ring_smpl_hdr_t;

/* At the start of a part; samples follow. */
typedef struct {
	__aligned_u64	part_number;
	__aligned_u64	part_count;	/* samples in it */
	__aligned_u64	part_bytes;	/* bytes of these */
	__aligned_u64	part_laps;	/* times that it was overwritten from its start */
} pfm_ring_smpl_part_t;

/* In the last page of the buffer, which may be mapped by itself, and written. */
typedef struct {
	__aligned_u64	reader_position; /* parts with lower numbers are given back */
} pfm_ring_smpl_reader_t;

#endif /* _UAPI_PERFMON_RING_SMPL_H */
