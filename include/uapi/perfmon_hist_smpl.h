/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the histogram sampling format: samples that are alike are added up in the kernel.
 *
 * A buffer is a header and, behind it, slots: a hash table. A slot is an entry and the sums of
 * the first buf_num_values of the PMDs that reg_smpl_pmds named, 8 bytes each, by increasing
 * index. See perfmon_hist_smpl(5).
 */
#ifndef _UAPI_PERFMON_HIST_SMPL_H
#define _UAPI_PERFMON_HIST_SMPL_H

#include <linux/types.h>

#define PFM_HIST_SMPL_UUID { \
	0xf7, 0xc2, 0xef, 0xd3, 0x80, 0x80, 0x45, 0xc7, \
	0xa3, 0x3b, 0xb8, 0xee, 0x70, 0x3a, 0x24, 0xa4 }

/* Version of the format, as hdr_version and /sys/kernel/perfmon/formats report it. */
#define PFM_HIST_SMPL_VERSION_MAJ	1
#define PFM_HIST_SMPL_VERSION_MIN	0
#define PFM_HIST_SMPL_VERSION \
	((PFM_HIST_SMPL_VERSION_MAJ << 16) | PFM_HIST_SMPL_VERSION_MIN)

/* buf_flags: further keys, besides addresses, counters and event sets */
#define PFM_HIST_SMPL_PID	0x1	/* processes */
#define PFM_HIST_SMPL_TID	0x2	/* threads */

/* buf_ip_shift: addresses are not distinguished */
#define PFM_HIST_SMPL_NO_IP	64

/* limit of buf_num_values */
#define PFM_HIST_SMPL_MAX_VALUES	16

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
typedef struct {
	__aligned_u64	buf_size;	/* bytes, the buffer's header included */
	__u32		buf_flags;
	__u16		buf_ip_shift;	/* addresses that differ only below this bit are one */
	__u16		buf_num_values;	/* number of PMDs with sums */
} pfm_hist_smpl_arg_t;

/* At the start of the buffer. */
typedef struct {
	__aligned_u64	hdr_count;	/* samples: those of all entries, and hdr_other_count */
	__aligned_u64	hdr_other_count; /* samples without a slot */
	__aligned_u64	hdr_other_periods; /* sum of the periods of these */
	__aligned_u64	hdr_other_values[PFM_HIST_SMPL_MAX_VALUES]; /* sums of the PMDs of these */
	__aligned_u64	hdr_used;	/* slots in use */
	__aligned_u64	hdr_buf_size;	/* as in buf_size */
	__u32		hdr_slots;	/* all slots */
	__u32		hdr_slot_size;	/* bytes of one */
	__u32		hdr_version;
	__u32		hdr_flags;	/* as in buf_flags */
	__u16		hdr_ip_shift;	/* as in buf_ip_shift */
	__u16		hdr_num_values;	/* as in buf_num_values */
	__u32		hdr_reserved;
} pfm_hist_smpl_hdr_t;

/* At the start of a slot. */
typedef struct {
	__aligned_u64	count;		/* samples; 0: the slot is free */
	__aligned_u64	periods;	/* sum of their periods: events, about */
	__aligned_u64	ip;		/* interrupted instruction, without its lowest bits */
	__s32		pid;		/* process; 0 without PFM_HIST_SMPL_PID */
	__s32		tid;		/* thread; 0 without PFM_HIST_SMPL_TID */
	__u16		set;		/* event set */
	__u16		ovfl_pmd;	/* the PMD that overflowed */
	__u32		reserved;
} pfm_hist_smpl_entry_t;

#endif /* _UAPI_PERFMON_HIST_SMPL_H */
