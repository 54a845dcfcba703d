/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: the software PMU: its registers.
 *
 * PMC n controls PMD n. Each PMD is a 64-bit counter of one event, which perfmon(7)
 * defines. The bits of a PMC are where an event selector of x86 has them.
 */
#ifndef _UAPI_PERFMON_SOFT_H
#define _UAPI_PERFMON_SOFT_H

/* The content of /sys/kernel/perfmon/pmu/model. */
#define PFM_SOFT_MODEL		"software"

/* Four counters of injected events, with CONFIG_PERFMON_SOFT_INJECT only. */
#define PFM_SOFT_TEST		0
#define PFM_SOFT_NUM_TESTS	4

#define PFM_SOFT_TASK_CLOCK	4	/* ns that a thread runs */
#define PFM_SOFT_CPU_CLOCK	5	/* ns */
#define PFM_SOFT_FAULTS		6	/* page faults */
#define PFM_SOFT_MIN_FAULTS	7	/* of these: without input or output */
#define PFM_SOFT_MAJ_FAULTS	8	/* of these: with input or output */
#define PFM_SOFT_CTX_SWITCHES	9	/* times that a thread leaves the CPU */
#define PFM_SOFT_MIGRATIONS	10	/* times that a thread comes from another CPU */
#define PFM_SOFT_SYSCALLS	11	/* system calls entered; not on all architectures */

/* In a PMC. */
#define PFM_SOFT_USER		0x010000	/* count at user level */
#define PFM_SOFT_KERNEL		0x020000	/* count at kernel level; clocks: sample there */
#define PFM_SOFT_ENABLE		0x400000

#endif /* _UAPI_PERFMON_SOFT_H */
