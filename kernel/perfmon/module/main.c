// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: its parts, in the order in which they are made ready.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include "../pmu.h"

static int __init pfm_need_pmu(void)
{
	if (pfm_pmu_is_known())
		return 0;
	pr_err("no PMU that perfmon knows: in a virtual machine the hypervisor has to offer one\n");
	return -ENODEV;
}

/* Undone from the last one that was made ready; contexts are freed after a grace period. */
static const struct {
	int	(*init)(void);
	void	(*exit)(void);
} pfm_parts[] = {
	{ pfm_pmu_prove },
	{ pfm_symbols_init,	rcu_barrier },
	{ pfm_threads_init },
	{ pfm_blocking_init,	pfm_blocking_exit },
	{ pfm_tracepoints_init,	pfm_tracepoints_exit },
	{ pfm_watchdog_init,	pfm_watchdog_exit },
	{ pfm_limits_init },
	{ pfm_kick_init,	pfm_kick_exit },
	{ pfm_run_init,		pfm_run_exit },
	{ pfm_hotplug_init,	pfm_hotplug_exit },
	{ pfm_x86_init,		pfm_x86_exit },
	{ pfm_need_pmu,		pfm_sessions_exit },
	{ pfm_sysfs_init,	pfm_sysfs_exit },
	{ pfm_dfl_register,	pfm_dfl_unregister },
	{ pfm_branch_register,	pfm_branch_unregister },
	{ pfm_compact_register,	pfm_compact_unregister },
	{ pfm_hist_register,	pfm_hist_unregister },
	{ pfm_ring_register,	pfm_ring_unregister },
	{ pfm_stack_register,	pfm_stack_unregister },
	{ pfm_ibs_register,	pfm_ibs_unregister },
	{ pfm_device_init,	pfm_device_exit },
};

static void pfm_parts_exit(unsigned int n)
{
	while (n--) {
		if (pfm_parts[n].exit)
			pfm_parts[n].exit();
	}
}

static int __init pfm_module_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(pfm_parts); i++) {
		err = pfm_parts[i].init();
		if (err) {
			pfm_parts_exit(i);
			return err;
		}
	}
	pfm_claims_init();
	return 0;
}
module_init(pfm_module_init);

/*
 * No descriptor, mapping or work holds the module any more, but the thread that did the last
 * work may have been preempted just before it left the text.
 */
static void __exit pfm_module_exit(void)
{
	pfm_claims_exit();
	synchronize_rcu_tasks();
	pfm_parts_exit(ARRAY_SIZE(pfm_parts));
}
module_exit(pfm_module_exit);

MODULE_DESCRIPTION("perfmon2: hardware performance monitoring through /dev/perfmon");
MODULE_AUTHOR("The perfmon2 project");
MODULE_LICENSE("GPL");
