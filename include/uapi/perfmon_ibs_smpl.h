/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the ibs sampling format: samples of AMD's Instruction-Based Sampling, decoded.
 *
 * A buffer is a header and, behind it, samples of one size, one after the other. See
 * perfmon_ibs_smpl(5), also for the registers that a sample is decoded from.
 */
#ifndef _UAPI_PERFMON_IBS_SMPL_H
#define _UAPI_PERFMON_IBS_SMPL_H

#include <linux/types.h>
#include "perfmon_default_smpl.h"

#define PFM_IBS_SMPL_UUID { \
	0x9d, 0x41, 0x27, 0xe6, 0x5f, 0x08, 0x4b, 0xc2, \
	0x83, 0x1a, 0x66, 0xd0, 0x3e, 0x97, 0x15, 0xfb }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_IBS_SMPL_VERSION_MAJ	1
#define PFM_IBS_SMPL_VERSION_MIN	0
#define PFM_IBS_SMPL_VERSION \
	((PFM_IBS_SMPL_VERSION_MAJ << 16) | PFM_IBS_SMPL_VERSION_MIN)

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	buf_size;	/* bytes, the buffer's header included */
	__u32		buf_flags;	/* 0 */
	__u32		buf_pad;	/* 0 */
} pfm_ibs_smpl_arg_t;

/* At the start of the buffer. Stable while monitoring is masked. */
typedef struct {
	__aligned_u64	hdr_count;	/* samples since the last reset */
	__aligned_u64	hdr_cur_offs;	/* where the next one goes */
	__aligned_u64	hdr_overflows;	/* times the buffer was full */
	__aligned_u64	hdr_buf_size;	/* as in buf_size */
	__u32		hdr_version;
	__u32		hdr_sample_size; /* bytes from one sample to the next */
} pfm_ibs_smpl_hdr_t;

/* kind */
#define PFM_IBS_SMPL_OTHER	0	/* another counter overflowed: only sample is set */
#define PFM_IBS_SMPL_FETCH	1
#define PFM_IBS_SMPL_OP		2

/* valid: the fields that are known; the others are 0 */
#define PFM_IBS_SMPL_HAS_IP		0x0001
#define PFM_IBS_SMPL_HAS_LINEAR		0x0002
#define PFM_IBS_SMPL_HAS_PHYSICAL	0x0004
#define PFM_IBS_SMPL_HAS_TARGET		0x0008
#define PFM_IBS_SMPL_HAS_RETIRE		0x0010	/* both cycle counts, and the branch's flags */
#define PFM_IBS_SMPL_HAS_MEMORY		0x0020	/* the flags of loads and stores */
#define PFM_IBS_SMPL_HAS_FETCH		0x0040	/* the flags of a fetch */
#define PFM_IBS_SMPL_HAS_LATENCY	0x0080
#define PFM_IBS_SMPL_HAS_TLB_LATENCY	0x0100
#define PFM_IBS_SMPL_HAS_PAGE_SIZE	0x0200
#define PFM_IBS_SMPL_HAS_WIDTH		0x0400
#define PFM_IBS_SMPL_HAS_SOURCE		0x0800	/* source, and PFM_IBS_SMPL_REMOTE */

/* flags of an op */
#define PFM_IBS_SMPL_BRANCH		0x000001
#define PFM_IBS_SMPL_TAKEN		0x000002
#define PFM_IBS_SMPL_MISPREDICTED	0x000004
#define PFM_IBS_SMPL_RETURN		0x000008
#define PFM_IBS_SMPL_FUSED		0x000010	/* with the instruction before */
#define PFM_IBS_SMPL_MICROCODE		0x000020
#define PFM_IBS_SMPL_RESYNC		0x000040	/* of a load */
#define PFM_IBS_SMPL_LOAD		0x000100
#define PFM_IBS_SMPL_STORE		0x000200
#define PFM_IBS_SMPL_LOCKED		0x000400
#define PFM_IBS_SMPL_PREFETCH		0x000800	/* by an instruction */
#define PFM_IBS_SMPL_MISALIGNED		0x001000
#define PFM_IBS_SMPL_WRITE_COMBINING	0x002000
#define PFM_IBS_SMPL_UNCACHED		0x004000
#define PFM_IBS_SMPL_DC_MISS		0x008000
#define PFM_IBS_SMPL_REMOTE		0x010000	/* the data came from another node */
/* flags of ops and of fetches */
#define PFM_IBS_SMPL_L2_MISS		0x020000
#define PFM_IBS_SMPL_L1_TLB_MISS	0x040000
#define PFM_IBS_SMPL_L2_TLB_MISS	0x080000
/* flags of a fetch */
#define PFM_IBS_SMPL_COMPLETE		0x100000
#define PFM_IBS_SMPL_IC_MISS		0x200000
#define PFM_IBS_SMPL_OC_MISS		0x400000
#define PFM_IBS_SMPL_L3_MISS		0x800000

/* A sample. */
typedef struct {
	pfm_default_smpl_entry_t sample; /* as the default format has it */
	__u32		kind;
	__u32		valid;
	__u32		flags;
	__u32		page_size;	/* bytes */
	__aligned_u64	ip;		/* of the op, or of the fetch; sample.ip is later */
	__aligned_u64	linear;		/* address of the data, or of the fetch */
	__aligned_u64	physical;	/* the same */
	__aligned_u64	target;		/* of a branch */
	__u16		latency;	/* cycles */
	__u16		tlb_latency;	/* cycles */
	__u16		tag_to_retire;	/* cycles */
	__u16		completion_to_retire; /* cycles */
	__u8		width;		/* bytes */
	__u8		source;		/* of the data, as AMD's manuals number them */
	__u16		reserved[3];
} pfm_ibs_smpl_entry_t;

#endif /* _UAPI_PERFMON_IBS_SMPL_H */
