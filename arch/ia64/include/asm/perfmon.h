/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the hooks that ia64's kernel code calls: a switch of threads, and ptrace's
 * use of the debug registers.
 */
#ifndef _ASM_IA64_PERFMON_H
#define _ASM_IA64_PERFMON_H

#include <linux/percpu-defs.h>

struct task_struct;

#ifdef CONFIG_PERFMON

/* Not 0 if the CPU's system-wide context is started: psr.pp must be switched with the threads. */
DECLARE_PER_CPU(unsigned long, pfm_ita_session);

void pfm_ita_psr_switch(struct task_struct *prev, struct task_struct *next);

/**
 * pfm_ia64_switch() - This CPU goes from one thread to another.
 * @prev: the thread that leaves
 * @next: the thread that comes
 *
 * Context: interrupts off, on the stack of @prev.
 */
#define pfm_ia64_switch(prev, next) do {				\
	if (unlikely(__this_cpu_read(pfm_ita_session)))			\
		pfm_ita_psr_switch((prev), (next));			\
} while (0)

int pfm_ia64_debug_begin(struct task_struct *task);
void pfm_ia64_debug_settle(struct task_struct *task);
void pfm_ia64_debug_end(struct task_struct *task);

#else

#define pfm_ia64_switch(prev, next)	do { } while (0)

static inline int pfm_ia64_debug_begin(struct task_struct *task)
{
	return 0;
}

static inline void pfm_ia64_debug_settle(struct task_struct *task) { }
static inline void pfm_ia64_debug_end(struct task_struct *task) { }

#endif /* CONFIG_PERFMON */
#endif /* _ASM_IA64_PERFMON_H */
