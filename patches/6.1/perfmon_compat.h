/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: what Linux 6.1 does not have yet of what perfmon uses.
 */
#ifndef _LINUX_PERFMON_COMPAT_H
#define _LINUX_PERFMON_COMPAT_H

#include <linux/file.h>
#include <linux/mm.h>
#include <linux/syscore_ops.h>

#define fd_file(fd)	((fd).file)

static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

/* What is called around a suspend: as it is, and without an argument. */
#define PFM_SYSCORE_ARG		void
#define PFM_SYSCORE(name, suspend_fn, resume_fn)	\
	static struct syscore_ops name = { .suspend = suspend_fn, .resume = resume_fn }
#define register_syscore	register_syscore_ops
#define unregister_syscore	unregister_syscore_ops

#define pfm_security_ask(attr, access)	security_perf_event_open(attr, access)

#endif /* _LINUX_PERFMON_COMPAT_H */
