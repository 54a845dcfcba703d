/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the default sampling format.
 *
 * A buffer is a header and, behind it, samples, one after the other. A sample
 * is its own header (or less, see the flags) and the values of the PMDs that
 * reg_smpl_pmds named, 8 bytes each, by increasing index. See perfmonctl(2).
 */
#ifndef _UAPI_PERFMON_DEFAULT_SMPL_H
#define _UAPI_PERFMON_DEFAULT_SMPL_H

#include <linux/types.h>

#define PFM_DEFAULT_SMPL_UUID { \
	0x4d, 0x72, 0xbe, 0xc0, 0x06, 0x64, 0x41, 0x43, \
	0x82, 0xb4, 0xd3, 0xfd, 0x27, 0x24, 0x3c, 0x97 }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_DEFAULT_SMPL_VERSION_MAJ	2
#define PFM_DEFAULT_SMPL_VERSION_MIN	0
#define PFM_DEFAULT_SMPL_VERSION \
	((PFM_DEFAULT_SMPL_VERSION_MAJ << 16) | PFM_DEFAULT_SMPL_VERSION_MIN)

/* buf_flags */
#define PFM_DFL_SMPL_NO_HDR	0x1	/* samples are their PMDs only */
#define PFM_DFL_SMPL_IIP_HDR	0x2	/* of the sample's header, just the ip */

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	buf_size;	/* bytes, the buffer's header included */
	__u32		buf_flags;
	__u32		buf_pad;
} pfm_default_smpl_arg_t;

/* At the start of the buffer. Stable while monitoring is masked. */
typedef struct {
	__aligned_u64	hdr_count;	/* samples since the last reset */
	__aligned_u64	hdr_cur_offs;	/* where the next one goes */
	__aligned_u64	hdr_overflows;	/* times the buffer was full */
	__aligned_u64	hdr_buf_size;	/* as in buf_size */
	__u32		hdr_version;
	__u32		hdr_flags;	/* as in buf_flags */
} pfm_default_smpl_hdr_t;

/* At the start of a sample, unless the flags say otherwise. */
typedef struct {
	__s32		pid;		/* process */
	__s32		tid;		/* thread */
	__u16		ovfl_pmd;	/* the PMD that overflowed */
	__u16		set;		/* event set */
	__u16		cpu;
	__u16		pad;
	__aligned_u64	last_reset_val;	/* value last loaded into ovfl_pmd */
	__aligned_u64	tstamp;		/* ns, increasing on a CPU; PFM_PMD_CPU_CLOCK's clock */
	__aligned_u64	ip;		/* interrupted instruction */
} pfm_default_smpl_entry_t;

#endif /* _UAPI_PERFMON_DEFAULT_SMPL_H */
