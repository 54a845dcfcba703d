/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: tests on a model of a CPU's registers stay on one CPU.
 */
#ifndef _KERNEL_PERFMON_TESTS_PIN_H
#define _KERNEL_PERFMON_TESTS_PIN_H

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/smp.h>

/*
 * Not by migrate_disable(): a test may end in another thread than it began in. The flag
 * shows that the affinity stays as it is, so per-CPU variables may be used.
 */
static inline void pfm_test_pin_to(unsigned int cpu)
{
	set_cpus_allowed_ptr(current, cpumask_of(cpu));
	current->flags |= PF_NO_SETAFFINITY;
}

static inline void pfm_test_pin(bool pin)
{
	if (pin) {
		pfm_test_pin_to(raw_smp_processor_id());
	} else {
		set_cpus_allowed_ptr(current, cpu_possible_mask);
		current->flags &= ~PF_NO_SETAFFINITY;
	}
}

#endif /* _KERNEL_PERFMON_TESTS_PIN_H */
