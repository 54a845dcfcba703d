/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: what differs in Linux 6.12.
 */
#ifndef _LINUX_PERFMON_COMPAT_H
#define _LINUX_PERFMON_COMPAT_H

#include <linux/cpu_smt.h>
#include <linux/file.h>
#include <linux/kconfig.h>
#include <linux/mm.h>
#include <linux/syscore_ops.h>

/* Threads that a core has: one, or perhaps more. */
#define smp_num_siblings	\
	(IS_ENABLED(CONFIG_HOTPLUG_SMT) && !cpu_smt_possible() ? 1 : 2)

/* What is called around a suspend: with an argument that is of no use here. */
#define PFM_SYSCORE_ARG		void *data
#define PFM_SYSCORE(name, suspend_fn, resume_fn)		\
	static const struct syscore_ops name##_ops = {		\
		.suspend = suspend_fn, .resume = resume_fn	\
	};							\
	static struct syscore name = { .ops = &name##_ops }

/* Security modules do not look at the event any more. */
#define pfm_security_ask(attr, access)	((void)(attr), security_perf_event_open(access))

#endif /* _LINUX_PERFMON_COMPAT_H */
