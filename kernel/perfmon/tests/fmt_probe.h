/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the sampling format for tests: its argument, and the records that it leaves
 * in the buffer. Usable by the test programs.
 */
#ifndef _PERFMON_FMT_PROBE_H
#define _PERFMON_FMT_PROBE_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <uapi/perfmon.h>
#else
#include <perfmon.h>
#endif

#define PFM_PROBE_UUID { \
	0x5b, 0x1f, 0x2e, 0x60, 0x8d, 0x1c, 0x4e, 0x5a, \
	0x9a, 0x3b, 0x70, 0x66, 0x6d, 0x74, 0x00, 0x01 }

/* The same, with PFM_FMTFL_NOSET and a queue of four. */
#define PFM_PROBE_NOSET_UUID { \
	0x5b, 0x1f, 0x2e, 0x60, 0x8d, 0x1c, 0x4e, 0x5a, \
	0x9a, 0x3b, 0x70, 0x66, 0x6d, 0x74, 0x00, 0x02 }

/* An argument of PFM_PROBE_LARGE_SIZE bytes, of which buf_size counts, and no fmt_init. */
#define PFM_PROBE_LARGE_UUID { \
	0x5b, 0x1f, 0x2e, 0x60, 0x8d, 0x1c, 0x4e, 0x5a, \
	0x9a, 0x3b, 0x70, 0x66, 0x6d, 0x74, 0x00, 0x03 }
#define PFM_PROBE_LARGE_SIZE	8192

/* Only the mandatory members: no argument, no buffer. */
#define PFM_PROBE_BARE_UUID { \
	0x5b, 0x1f, 0x2e, 0x60, 0x8d, 0x1c, 0x4e, 0x5a, \
	0x9a, 0x3b, 0x70, 0x66, 0x6d, 0x74, 0x00, 0x04 }

/* The call-backs, as pfm_probe_call_t names them. */
#define PFM_PROBE_INIT		3
#define PFM_PROBE_HANDLER	4
#define PFM_PROBE_RESTART	5

/* Control bits. */
#define PFM_PROBE_NOTIFY	0x1
#define PFM_PROBE_RESET		0x2
#define PFM_PROBE_BLOCK		0x4
#define PFM_PROBE_MASK		0x8

/* Follows pfarg_ctx_t. An error is an errno, positive; 0: none. */
typedef struct {
	__aligned_u64	buf_size;		/* 0: no buffer; calls are not recorded */
	__u32		validate_error;
	__u32		getsize_error;
	__u32		init_error;
	__u32		handler_error;		/* from call number handler_error_at on */
	__u32		handler_error_at;
	__u32		restart_error;
	__u32		handler_ctrl;		/* control bits that the handler returns ... */
	__u32		handler_ctrl_at;	/* ... in its nth call, counted from 0, and ... */
	__u32		handler_ctrl_else;	/* ... in all others */
	__u32		restart_ctrl;
	__u32		seen_flags;		/* out, in the buffer: fmt_validate's ctx_flags */
	__u32		seen_pmds;		/* out, in the buffer: its num_pmds */
	__u32		seen_size_flags;	/* out, in the buffer: fmt_getsize's ctx_flags */
	__u32		pad;
} pfm_probe_arg_t;

/* One call. Members that the call-back does not have are 0. */
typedef struct {
	__u32		what;
	__u32		ctx_flags;
	__u16		num_pmds;
	__u16		ovfl_pmd;
	__u16		active_set;
	__u16		ovfl_notify;
	__u32		is_active;
	__u32		num_values;
	__aligned_u64	tstamp;
	__aligned_u64	ip;
	__aligned_u64	last_reset;
	__aligned_u64	value;
	__aligned_u64	eventid;
	__aligned_u64	smpl_pmds[PFM_MAX_PMD_BITVECTOR];
	__aligned_u64	values[4];		/* the first ones */
} pfm_probe_call_t;

/* The buffer. Calls without room in it are counted. */
typedef struct {
	__aligned_u64	count;
	__aligned_u64	dropped;
	__aligned_u64	handled;
	__aligned_u64	size;
	pfm_probe_arg_t	arg;
	pfm_probe_call_t calls[];
} pfm_probe_buf_t;

#endif /* _PERFMON_FMT_PROBE_H */
