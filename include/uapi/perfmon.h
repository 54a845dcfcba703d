/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the user-space interface of perfmonctl().
 *
 * The names of types, members and constants are those of the interface
 * specification 0.6, so that programs written from it compile. The layout is
 * the specification's natural 64-bit one, made explicit: the same bytes serve
 * 32-bit programs on a 64-bit kernel. Members named *_pad are ignored on input
 * and zero on output.
 *
 * Self-contained: usable from C99, C11 and C++, with -m32 and -m64; declares
 * nothing that needs a library. See perfmonctl(2).
 */
#ifndef _UAPI_PERFMON_H
#define _UAPI_PERFMON_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/time_types.h>

/*
 * System call number. The same on every architecture, outside the range that
 * Linux 6.1 and 6.12 use; ia64 keeps the number it has had since 2.4.
 */
#ifndef __NR_perfmonctl
#ifdef __ia64__
#define __NR_perfmonctl		1175
#else
#define __NR_perfmonctl		490
#endif
#endif

/*
 * The same commands, a system call each: the arguments of perfmonctl(), in its order, without
 * the command number and without arguments that the command does not use.
 */
#ifndef __NR_pfm_create_context
#ifdef __ia64__
#define __NR_pfm_create_context	1515
#define __NR_pfm_write_pmcs	1516
#define __NR_pfm_write_pmds	1517
#define __NR_pfm_read_pmds	1518
#define __NR_pfm_getinfo_pmcs	1519
#define __NR_pfm_getinfo_pmds	1520
#define __NR_pfm_start		1521
#define __NR_pfm_stop		1522
#define __NR_pfm_load_context	1523
#define __NR_pfm_unload_context	1524
#define __NR_pfm_restart	1525
#define __NR_pfm_create_evtsets	1526
#define __NR_pfm_delete_evtsets	1527
#define __NR_pfm_getinfo_evtsets	1528
#define __NR_pfm_get_config	1529
#define __NR_pfm_set_config	1530
#else
#define __NR_pfm_create_context	491
#define __NR_pfm_write_pmcs	492
#define __NR_pfm_write_pmds	493
#define __NR_pfm_read_pmds	494
#define __NR_pfm_getinfo_pmcs	495
#define __NR_pfm_getinfo_pmds	496
#define __NR_pfm_start		497
#define __NR_pfm_stop		498
#define __NR_pfm_load_context	499
#define __NR_pfm_unload_context	500
#define __NR_pfm_restart	501
#define __NR_pfm_create_evtsets	502
#define __NR_pfm_delete_evtsets	503
#define __NR_pfm_getinfo_evtsets	504
#define __NR_pfm_get_config	505
#define __NR_pfm_set_config	506
#endif
#endif

/* Version of the interface: major << 16 | minor, as cf_version reports it. */
#define PFM_VERSION_MAJ		0
#define PFM_VERSION_MIN		6
#define PFM_VERSION		((PFM_VERSION_MAJ << 16) | PFM_VERSION_MIN)
#define PFM_VERSION_MAJOR(v)	(((v) >> 16) & 0xffff)
#define PFM_VERSION_MINOR(v)	((v) & 0xffff)

/* Commands: the second argument of perfmonctl(). */
#define PFM_WRITE_PMCS		0x01
#define PFM_WRITE_PMDS		0x02
#define PFM_READ_PMDS		0x03
#define PFM_STOP		0x04
#define PFM_START		0x05
#define PFM_CREATE_CONTEXT	0x08
#define PFM_RESTART		0x0a
#define PFM_LOAD_CONTEXT	0x10
#define PFM_UNLOAD_CONTEXT	0x11
#define PFM_CREATE_EVTSETS	0x12
#define PFM_DELETE_EVTSETS	0x13
#define PFM_GETINFO_EVTSETS	0x14
#define PFM_GETINFO_PMCS	0x15
#define PFM_GETINFO_PMDS	0x16
#define PFM_SET_CONFIG		0x17
#define PFM_GET_CONFIG		0x18

/*
 * Register name space. Hardware registers have indices below PFM_VIRTUAL_PMD: 0-255;
 * on ia64 0-271, because the debug registers are PMC256-271 there. Virtual (software) PMDs
 * begin at PFM_VIRTUAL_PMD. Holes are normal: see cf_impl_pmcs.
 */
#define PFM_MAX_PMCS		320
#define PFM_MAX_PMDS		320
#define PFM_MAX_PMC_BITVECTOR	((PFM_MAX_PMCS + 64 - 1) / 64)
#define PFM_MAX_PMD_BITVECTOR	((PFM_MAX_PMDS + 64 - 1) / 64)

/*
 * Virtual PMDs: read-only values that the kernel keeps. Values of a thread are the
 * monitored thread's; in a system-wide context, those of the thread that is running.
 */
#ifdef __ia64__
#define PFM_VIRTUAL_PMD		272
#else
#define PFM_VIRTUAL_PMD		256
#endif
#define PFM_PMD_CPU_CLOCK	(PFM_VIRTUAL_PMD + 0)	/* of the CPU, ns, monotonic */
#define PFM_PMD_TASK_CLOCK	(PFM_VIRTUAL_PMD + 1)	/* thread's time on CPUs, ns */
#define PFM_PMD_CTX_SWITCHES	(PFM_VIRTUAL_PMD + 2)	/* thread's context switches */
#define PFM_PMD_MIGRATIONS	(PFM_VIRTUAL_PMD + 3)	/* thread's moves between CPUs */
#define PFM_PMD_MIN_FAULTS	(PFM_VIRTUAL_PMD + 4)	/* thread's minor page faults */
#define PFM_PMD_MAJ_FAULTS	(PFM_VIRTUAL_PMD + 5)	/* thread's major page faults */
#define PFM_PMD_FREE_PAGES	(PFM_VIRTUAL_PMD + 6)	/* free physical pages */
#define PFM_PMD_CPU		(PFM_VIRTUAL_PMD + 7)	/* number of the CPU */
#define PFM_PMD_PID		(PFM_VIRTUAL_PMD + 8)	/* thread's process */
#define PFM_PMD_TID		(PFM_VIRTUAL_PMD + 9)	/* thread */
#define PFM_NUM_VIRTUAL_PMDS	10

/* Context flags (ctx_flags). Bits 16-23 belong to the architecture. */
#define PFM_FL_NOTIFY_BLOCK	0x01	/* block the monitored thread on notification */
#define PFM_FL_SYSTEM_WIDE	0x02	/* monitor a CPU, not a thread */
#define PFM_FL_OVFL_NO_MSG	0x80	/* no overflow message, only the signal */
#define PFM_FL_EXTRA_MSG	0x100	/* PFM_MSG_THROTTLE, _SUSPEND and _RESUME as well */

/* Register flags (reg_flags). Bits 16-23 belong to the architecture. */
#define PFM_REGFL_OVFL_NOTIFY	0x1	/* PMC: notify when its counter overflows */
#define PFM_REGFL_RANDOM	0x2	/* PMC: randomise its counter's reset values */
#define PFM_REGFL_NO_64BIT_EMUL	0x4	/* PMC: leave the counter at its hardware width */
#define PFM_REGFL_READ_RESET	0x8	/* READ_PMDS: long reset after the read */

/* Return flags in reg_flags: ignored on input, cleared on success. */
#define PFM_REG_RETFL_NOTAVAIL	(1U << 31) /* no such register */
#define PFM_REG_RETFL_EINVAL	(1U << 30) /* the value or a flag is invalid */
#define PFM_REG_RETFL_NOSET	(1U << 29) /* no such event set */
#define PFM_REG_RETFL_MASK	(PFM_REG_RETFL_NOTAVAIL | PFM_REG_RETFL_EINVAL | \
				 PFM_REG_RETFL_NOSET)
#define PFM_REG_HAS_ERROR(flags) (((flags) & PFM_REG_RETFL_MASK) != 0)

/* Event set flags (set_flags). Bits 16-23 belong to the architecture. */
#define PFM_SETFL_OVFL_SWITCH	0x01	/* leave the set after overflows */
#define PFM_SETFL_TIME_SWITCH	0x02	/* leave the set after set_timeout */
#define PFM_SETFL_EXPL_NEXT	0x04	/* set_id_next follows this set */
#define PFM_SETFL_EXCL_IDLE	0x08	/* system-wide: not the idle thread */
#define PFM_SETFL_EXCL_KERNEL_ONLY_THREADS 0x10 /* system-wide: no kernel threads */
#define PFM_SETFL_SUSPENDED	(1U << 28) /* GETINFO_EVTSETS: gave way to a privileged user */

/* Return flags in set_flags: the same three bits as for registers. */
#define PFM_SET_RETFL_NOTAVAIL	PFM_REG_RETFL_NOTAVAIL
#define PFM_SET_RETFL_EINVAL	PFM_REG_RETFL_EINVAL
#define PFM_SET_RETFL_NOSET	PFM_REG_RETFL_NOSET
#define PFM_SET_RETFL_MASK	PFM_REG_RETFL_MASK
#define PFM_SET_HAS_ERROR(flags) PFM_REG_HAS_ERROR(flags)

/* Register types (reg_type): the kind of register that reg_index addresses. */
#define PFM_REG_TYPE_PMC	1	/* performance monitoring configuration register */
#define PFM_REG_TYPE_PMD	2	/* performance monitoring data register */
#define PFM_REG_TYPE_MSR	3	/* x86: model-specific register */
#define PFM_REG_TYPE_SPR	4	/* PowerPC: special-purpose register */
#define PFM_REG_TYPE_IBR	5	/* Itanium: instruction breakpoint register */
#define PFM_REG_TYPE_DBR	6	/* Itanium: data breakpoint register */
#define PFM_REG_TYPE_SOFT	7	/* virtual PMD: maintained by the kernel */

#define PFM_REG_IDX_NONE	(~0ULL)	/* reg_index: the name identifies the register */

#define PFM_GROUP_ANY		((__u32)-1) /* cf_sys_gid, cf_thread_gid: no restriction */

/* Identifies a sampling-buffer format; all zeroes: none. */
typedef __u8 pfm_uuid_t[16];

/*
 * PFM_CREATE_CONTEXT. A format's own argument follows this structure directly;
 * that of the default format is in <perfmon_default_smpl.h>.
 */
typedef struct {
	__u32		ctx_flags;
	__s32		ctx_fd;			/* out: the context's descriptor */
	pfm_uuid_t	ctx_smpl_buf_id;
	__aligned_u64	ctx_smpl_buf_size;	/* out: bytes to mmap(), or 0 */
} pfarg_ctx_t;

/* PFM_WRITE_PMCS */
typedef struct {
	__u16		reg_num;
	__u16		reg_set;
	__u32		reg_flags;
	__aligned_u64	reg_value;
	__aligned_u64	reg_reset_pmds[PFM_MAX_PMD_BITVECTOR];
	__aligned_u64	reg_smpl_pmds[PFM_MAX_PMD_BITVECTOR];
	__aligned_u64	reg_smpl_eventid;
} pfarg_pmc_t;

/* PFM_WRITE_PMDS, PFM_READ_PMDS */
typedef struct {
	__u16		reg_num;
	__u16		reg_set;
	__u32		reg_flags;
	__aligned_u64	reg_value;
	__aligned_u64	reg_long_reset;
	__aligned_u64	reg_short_reset;
	__aligned_u64	reg_last_reset_val;	/* out */
	__aligned_u64	reg_ovflsw_thres;
	__aligned_u64	reg_random_mask;
	__u32		reg_random_seed;
	__u32		reg_pad;
} pfarg_pmd_t;

/* PFM_START; optional */
typedef struct {
	__u16		start_set;
} pfarg_start_t;

/* PFM_LOAD_CONTEXT */
typedef struct {
	__s32		load_pid;		/* a thread, as gettid() names it */
	__u16		load_set;
	__u16		load_pad;
} pfarg_load_t;

/* PFM_CREATE_EVTSETS, PFM_DELETE_EVTSETS */
typedef struct {
	__u16		set_id;
	__u16		set_id_next;
	__u32		set_flags;
	struct __kernel_timespec set_timeout;
} pfarg_setdesc_t;

/* PFM_GETINFO_EVTSETS */
typedef struct {
	__u16		set_id;
	__u16		set_id_next;
	__u32		set_flags;
	__aligned_u64	set_switch_pmds[PFM_MAX_PMD_BITVECTOR];
	__aligned_u64	set_runs;
	struct __kernel_timespec set_timeout;
	struct __kernel_timespec set_act_duration;
} pfarg_setinfo_t;

/* PFM_GETINFO_PMCS */
typedef struct {
	__u16		reg_num;
	__u16		reg_type;
	__u32		reg_flags;
	__aligned_u64	reg_def_value;
	__aligned_u64	reg_rsvd_mask;
	__aligned_u64	reg_index;
} pfarg_pmcinfo_t;

/* PFM_GETINFO_PMDS */
typedef struct {
	__u16		reg_num;
	__u16		reg_type;
	__u32		reg_flags;
	__aligned_u64	reg_def_value;
	__aligned_u64	reg_rsvd_mask;
	__aligned_u64	reg_index;
} pfarg_pmdinfo_t;

/* PFM_SET_CONFIG, PFM_GET_CONFIG */
typedef struct {
	__u32		cf_version;
	__u32		cf_flags;
	__aligned_u64	cf_impl_pmcs[PFM_MAX_PMC_BITVECTOR];
	__aligned_u64	cf_impl_pmds[PFM_MAX_PMD_BITVECTOR];
	__u32		cf_sys_gid;
	__u32		cf_thread_gid;
	__aligned_u64	cf_arg_size_max;
	__aligned_u64	cf_smpl_buf_size_max;
	__u16		cf_counter_width;
	__u16		cf_pad[3];
} pfarg_config_t;

/* Messages, as read() returns them: always whole, always sizeof(pfm_msg_t). */
#define PFM_MSG_OVFL		1	/* counters overflowed: pfm_ovfl_msg */
#define PFM_MSG_END		2	/* monitoring ended: the thread or the CPU is gone */
/* Only with PFM_FL_EXTRA_MSG: these are not in the specification. */
#define PFM_MSG_THROTTLE	3	/* too many interrupts: overflows are lost for a while */
#define PFM_MSG_SUSPEND		4	/* a privileged user has the PMU: nothing is counted */
#define PFM_MSG_RESUME		5	/* the PMU is back: counting goes on */

typedef struct {
	__u32		msg_type;
	__u16		msg_active_set;
	__u16		msg_pad;
	__aligned_u64	msg_ovfl_pmds[PFM_MAX_PMD_BITVECTOR];
} pfm_ovfl_msg_t;

typedef union {
	__u32		msg_type;
	pfm_ovfl_msg_t	pfm_ovfl_msg;
} pfm_msg_t;

/*
 * A call through /dev/perfmon, where a module provides perfmon without the system call: the
 * arguments of perfmonctl(), for ioctl(), which returns the same.
 */
struct pfm_ioctl_call {
	__s32		fd;
	__s32		cmd;
	__aligned_u64	arg;
	__s32		narg;
	__u32		pad;
};

#define PFM_IOCTL_CALL		_IOW(0xb9, 0x60, struct pfm_ioctl_call)

/*
 * A shorter form, for ioctl() on a context's descriptor with the address of @narg elements:
 * for commands of a context except PFM_LOAD_CONTEXT, and at most _IOC_SIZEMASK elements.
 */
#define PFM_IOCTL_COMMAND(cmd, narg)	_IOC(_IOC_READ | _IOC_WRITE, 0xb9, cmd, narg)

/* The specification uses two spellings for some names: these are the second ones. */
#define PFM_FL_OVFL_BLOCK	PFM_FL_NOTIFY_BLOCK
#define PFM_OVFL_NO_MSG		PFM_FL_OVFL_NO_MSG
#define PFM_CONTEXT_CREATE	PFM_CREATE_CONTEXT
#define PFM_CONTEXT_UNLOAD	PFM_UNLOAD_CONTEXT
#define PFM_OVFL_MSG		PFM_MSG_OVFL
#define PFM_OVFLMSG		PFM_MSG_OVFL
#define PFM_END_MSG		PFM_MSG_END
#define PFM_ENDMSG		PFM_MSG_END

#endif /* _UAPI_PERFMON_H */
