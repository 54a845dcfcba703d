/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: differences between kernels, by features rather than by versions, because
 * distributions take later ones into earlier kernels.
 *
 * PFM_HAS_...:
 *	SECURITY_ATTR	security modules get the event as well
 *	SIBLINGS	smp_num_siblings
 *	SYSCORE		struct syscore, whose operations have an argument
 *	VM_FLAGS_MOD	vm_flags_mod(), without which the flags cannot be written
 *
 * Built in, perfmon_features.h of the version has them; for the module,
 * kernel/perfmon/module/features looks for them in the kernel's headers.
 */
#ifndef _LINUX_PERFMON_COMPAT_H
#define _LINUX_PERFMON_COMPAT_H

#include <linux/file.h>
#include <linux/kconfig.h>
#include <linux/mm.h>
#include <linux/syscore_ops.h>

#ifndef PFM_MODULE
#include <linux/perfmon_features.h>
#endif

#ifndef fd_file
#define fd_file(fd)	((fd).file)
#endif

#ifndef PFM_HAS_VM_FLAGS_MOD
static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#ifndef PFM_HAS_SIBLINGS
#include <linux/cpu_smt.h>

/* Threads that a core has: one, or perhaps more. */
#define smp_num_siblings	\
	(IS_ENABLED(CONFIG_HOTPLUG_SMT) && !cpu_smt_possible() ? 1 : 2)
#endif

/* Operations around a suspend: the argument is not used here. */
#ifdef PFM_HAS_SYSCORE
#define PFM_SYSCORE_ARG		void *data
#define PFM_SYSCORE(name, suspend_fn, resume_fn)		\
	static const struct syscore_ops name##_ops = {		\
		.suspend = suspend_fn, .resume = resume_fn	\
	};							\
	static struct syscore name = { .ops = &name##_ops }
#else
#define PFM_SYSCORE_ARG		void
#define PFM_SYSCORE(name, suspend_fn, resume_fn)	\
	static struct syscore_ops name = { .suspend = suspend_fn, .resume = resume_fn }
#define register_syscore	register_syscore_ops
#define unregister_syscore	unregister_syscore_ops
#endif

#ifdef PFM_HAS_SECURITY_ATTR
#define pfm_security_ask(attr, access)	security_perf_event_open(attr, access)
#else
#define pfm_security_ask(attr, access)	((void)(attr), security_perf_event_open(access))
#endif

#endif /* _LINUX_PERFMON_COMPAT_H */
