// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: CPUs that go away and come back, and the kernel's end.
 *
 * To take a CPU offline ends the session that is bound to it. A suspend ends nothing: it
 * takes all CPUs but one offline while everything is frozen, and then that one. Contexts
 * keep their CPUs, with all values in software, and count on when these are back. A session
 * whose CPU has failed to come back ends when the suspend is over.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/perfmon_host.h>
#include <linux/reboot.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include "attach.h"
#include "context.h"
#include "cpu.h"
#include "preempt.h"
#include "refs.h"
#include "run.h"
#include "timer.h"

/* Under ctx->lock, on the CPU that goes. */
static void pfm_cpu_put_away(struct pfm_context *ctx)
{
	local_irq_disable();
	pfm_pause(ctx);
	__this_cpu_write(pfm_cpu.system_ctx, NULL);
	__this_cpu_write(pfm_cpu.parked, ctx);
	local_irq_enable();
}

/* Under ctx->lock, on the CPU that is back. */
static void pfm_cpu_take_back(struct pfm_context *ctx)
{
	local_irq_disable();
	__this_cpu_write(pfm_cpu.parked, NULL);
	__this_cpu_write(pfm_cpu.system_ctx, ctx);
	pfm_resume(ctx);
	local_irq_enable();
}

static void pfm_cpu_unload(struct pfm_context *ctx)
{
	pfm_detach(ctx, true);
}

/* Do something with a context that is bound to a CPU, if there is one. */
static void pfm_cpu_do(struct pfm_context **slot, void (*fn)(struct pfm_context *ctx))
{
	struct pfm_context *ctx = pfm_context_get(slot);

	if (!ctx)
		return;
	mutex_lock(&ctx->lock);
	if (*slot == ctx)
		fn(ctx);
	mutex_unlock(&ctx->lock);
	pfm_context_put(ctx);
}

/*
 * The PMU of a CPU that comes up does not hold the registers that perfmon left there. The timer
 * that would have ended its throttle may have expired on another CPU.
 */
static int pfm_cpu_online(unsigned int cpu)
{
	per_cpu(pfm_cpu.epoch, cpu) = 0;
	pfm_timer_forget(cpu);
	WRITE_ONCE(per_cpu(pfm_cpu.throttled_until, cpu), 0);
	pfm_cpu_do(per_cpu_ptr(&pfm_cpu.parked, cpu), pfm_cpu_take_back);
	return 0;
}

/*
 * A CPU goes offline. Its registers may keep their values, and perf_events may take the PMU
 * meanwhile: pfm_pmu_hand_over() would miss this CPU.
 */
static int pfm_cpu_offline(unsigned int cpu)
{
	pfm_cpu_do(per_cpu_ptr(&pfm_cpu.system_ctx, cpu),
		   cpuhp_tasks_frozen ? pfm_cpu_put_away : pfm_cpu_unload);
	return smp_call_function_single(cpu, pfm_cpu_quiesce, NULL, true);
}

/* After a suspend all CPUs are back, or have failed to come. Before it no context is parked. */
static int pfm_suspend_over(struct notifier_block *block, unsigned long event, void *unused)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pfm_cpu_do(per_cpu_ptr(&pfm_cpu.parked, cpu), pfm_cpu_unload);
	return NOTIFY_OK;
}

static struct notifier_block pfm_suspend_notifier = { .notifier_call = pfm_suspend_over };

/* A reset clears the PMU, kexec does not. */
static int pfm_kernel_ends(struct notifier_block *block, unsigned long event, void *unused)
{
	pfm_preempt_for_good();
	return NOTIFY_DONE;
}

static struct notifier_block pfm_reboot_notifier = { .notifier_call = pfm_kernel_ends };
static int pfm_hotplug_state;

/**
 * pfm_hotplug_init() - Follow CPU hotplug from now on.
 *
 * Return: 0 or an errno.
 */
int __init pfm_hotplug_init(void)
{
	pfm_hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perfmon:online",
					      pfm_cpu_online, pfm_cpu_offline);
	if (pfm_hotplug_state < 0)
		return pfm_hotplug_state;
	register_pm_notifier(&pfm_suspend_notifier);
	register_reboot_notifier(&pfm_reboot_notifier);
	return 0;
}
pfm_initcall(subsys, pfm_hotplug_init);

/**
 * pfm_hotplug_exit() - Undo pfm_hotplug_init(); there is no context.
 *
 * Every PMU is left as if it had never been used.
 */
void __exit pfm_hotplug_exit(void)
{
	unregister_reboot_notifier(&pfm_reboot_notifier);
	unregister_pm_notifier(&pfm_suspend_notifier);
	cpuhp_remove_state(pfm_hotplug_state);
}
