/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the branch sampling format: samples with the branches that led to them.
 *
 * A buffer is a header and, behind it, samples, one after the other. A sample is an entry, the
 * values of the PMDs that reg_smpl_pmds named, 8 bytes each, by increasing index, and the branches
 * that were taken before, the newest first. See perfmon_branch_smpl(5).
 */
#ifndef _UAPI_PERFMON_BRANCH_SMPL_H
#define _UAPI_PERFMON_BRANCH_SMPL_H

#include <linux/types.h>
#include "perfmon_default_smpl.h"

#define PFM_BRANCH_SMPL_UUID { \
	0x6e, 0x20, 0xff, 0x95, 0xa4, 0x4c, 0x46, 0x85, \
	0xa5, 0x92, 0xcb, 0xf0, 0x76, 0xb2, 0xac, 0x26 }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_BRANCH_SMPL_VERSION_MAJ	1
#define PFM_BRANCH_SMPL_VERSION_MIN	0
#define PFM_BRANCH_SMPL_VERSION \
	((PFM_BRANCH_SMPL_VERSION_MAJ << 16) | PFM_BRANCH_SMPL_VERSION_MIN)

/* limit of buf_depth */
#define PFM_BRANCH_SMPL_MAX_DEPTH	32

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	buf_size;	/* bytes, the buffer's header included */
	__u32		buf_flags;	/* 0 */
	__u16		buf_depth;	/* branches of a sample, at most; 1 or more */
	__u16		buf_pad;
} pfm_branch_smpl_arg_t;

/* At the start of the buffer. Stable while monitoring is masked. */
typedef struct {
	__aligned_u64	hdr_count;	/* samples since the last reset */
	__aligned_u64	hdr_cur_offs;	/* where the next one goes */
	__aligned_u64	hdr_overflows;	/* times the buffer was full */
	__aligned_u64	hdr_buf_size;	/* as in buf_size */
	__u32		hdr_version;
	__u32		hdr_flags;	/* as in buf_flags */
	__u16		hdr_depth;	/* as in buf_depth */
	__u16		hdr_reserved[3];
} pfm_branch_smpl_hdr_t;

/* At the start of a sample. */
typedef struct {
	__u32		size;		/* bytes of the sample, this entry included */
	__u16		num_values;	/* PMDs */
	__u16		num_branches;
	pfm_default_smpl_entry_t sample; /* as the default format has it */
} pfm_branch_smpl_entry_t;

/* flags; without the first two, the result of the prediction is unknown */
#define PFM_BRANCH_SMPL_MISPREDICTED	0x01
#define PFM_BRANCH_SMPL_PREDICTED	0x02
#define PFM_BRANCH_SMPL_IN_TRANSACTION	0x04
#define PFM_BRANCH_SMPL_ABORT		0x08	/* of a transaction */
#define PFM_BRANCH_SMPL_CYCLES		0x10	/* the number of cycles is known */

/* A branch of a sample. */
typedef struct {
	__aligned_u64	from;		/* the branch; 0: in the kernel, not shown */
	__aligned_u64	to;		/* its target; 0: likewise */
	__u32		flags;
	__u32		cycles;		/* since the branch before, if known; saturates */
} pfm_branch_smpl_record_t;

#endif /* _UAPI_PERFMON_BRANCH_SMPL_H */
