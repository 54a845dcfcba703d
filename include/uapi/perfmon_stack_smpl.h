/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the stack sampling format: samples with their call chains.
 *
 * A buffer is a header and, behind it, samples, one after the other. A sample is an entry, the
 * values of the PMDs that reg_smpl_pmds named, 8 bytes each, by increasing index, and the
 * chain: addresses, 8 bytes each, first those in the kernel, then those of user level, each
 * from the innermost function outwards. See perfmon_stack_smpl(5).
 */
#ifndef _UAPI_PERFMON_STACK_SMPL_H
#define _UAPI_PERFMON_STACK_SMPL_H

#include <linux/types.h>
#include "perfmon_default_smpl.h"

#define PFM_STACK_SMPL_UUID { \
	0x6d, 0x3b, 0x0a, 0x5e, 0x41, 0xc9, 0x4f, 0x27, \
	0x9e, 0x62, 0x1d, 0x70, 0xb8, 0x53, 0xac, 0x14 }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_STACK_SMPL_VERSION_MAJ	1
#define PFM_STACK_SMPL_VERSION_MIN	0
#define PFM_STACK_SMPL_VERSION \
	((PFM_STACK_SMPL_VERSION_MAJ << 16) | PFM_STACK_SMPL_VERSION_MIN)

/* buf_flags: requested parts of chains; at least one */
#define PFM_STACK_SMPL_KERNEL	0x1
#define PFM_STACK_SMPL_USER	0x2

/* limit of buf_depth */
#define PFM_STACK_SMPL_MAX_DEPTH	127

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	buf_size;	/* bytes, the buffer's header included */
	__u32		buf_flags;
	__u16		buf_depth;	/* addresses of each part, at most; 1 or more */
	__u16		buf_pad;
} pfm_stack_smpl_arg_t;

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
} pfm_stack_smpl_hdr_t;

/* chain_flags: the part has more addresses than buf_depth */
#define PFM_STACK_SMPL_KERNEL_CUT	0x1
#define PFM_STACK_SMPL_USER_CUT		0x2

/* At the start of a sample. */
typedef struct {
	__u32		size;		/* bytes of the sample, this entry included */
	__u16		num_values;	/* PMDs */
	__u16		kernel_frames;	/* addresses in the kernel; the first is the ip */
	__u16		user_frames;	/* of user level; the first: the ip, or the return */
	__u16		chain_flags;
	__u32		reserved;
	pfm_default_smpl_entry_t sample; /* as the default format has it */
} pfm_stack_smpl_entry_t;

#endif /* _UAPI_PERFMON_STACK_SMPL_H */
