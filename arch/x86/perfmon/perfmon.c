// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: x86: find the PMU, take its interrupt, carry it over a suspend.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/cache.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_host.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>
#include "amd.h"
#include "evtsel.h"
#include "intel_arch.h"
#include "intel_hybrid.h"
#include "intel_pt.h"
#include "msr.h"
#include "p4.h"
#include "p6.h"
#include "perfmon.h"

/*
 * The interrupt is an NMI, and NMIs have many sources. Intel's local APIC masks its
 * performance counter entry when it delivers the interrupt, so a masked entry shows that
 * this NMI, or an earlier one that is not acknowledged yet, is the PMU's; the core knows
 * whether the PMU is perfmon's. A handler that came first may have unmasked the entry: then the
 * register of overflows shows it, and the counters do. AMD's PMU does not mask the entry, though
 * a hypervisor may do so in its place, nor does the P6 family's except the Pentium M's, nor KVM's
 * for Intel's before Linux 6.6: there an interrupt may also come late, after a counter was
 * handled. AMD's IBS interrupts by another entry, and not always with an overflow.
 */
static bool pfm_x86_lvtpc_masks __ro_after_init;

/**
 * pfm_x86_masks_entry() - Does each interrupt of the PMU mask the entry of the local APIC?
 * @c: the processor
 * @intel: it has one of Intel's PMUs since the Pentium 4
 */
bool pfm_x86_masks_entry(const struct cpuinfo_x86 *c, bool intel)
{
	return intel && !cpu_has(c, X86_FEATURE_HYPERVISOR);
}

/*
 * Another handler may have been first, as that of perf_events while it has an event of Intel PT:
 * it stops all counters, acknowledges their overflows and unmasks the entry, also perfmon's. If
 * one register starts and stops all counters, it shows the stop.
 */
static bool pfm_x86_was_stopped(void)
{
	u64 enable = pfm_intel_one_enables() ? pfm_pmu_enabled() : 0;

	/* While no context counts, an NMI of perf_events does not pay for the read. */
	return enable && pfm_intel_stopped(enable);
}

/**
 * pfm_x86_is_pmi() - Can an NMI be the PMU's?
 * @lvtpc: the entry of the local APIC
 * @lvtpc_masks: from pfm_x86_masks_entry()
 *
 * Context: NMI.
 */
bool pfm_x86_is_pmi(u32 lvtpc, bool lvtpc_masks)
{
	u32 masked = APIC_LVT_MASKED | APIC_DM_NMI;

	if ((lvtpc & masked) == masked)
		return true;
	if (!lvtpc_masks && (pfm_ibs_interrupted() || pfm_pmu_overflowed()))
		return true;
	if (pfm_intel_one_enables() && pfm_intel_overflowed())
		return true;
	return pfm_pmu_wrapped() || pfm_x86_was_stopped();
}

static int pfm_x86_nmi(unsigned int cmd, struct pt_regs *regs)
{
	if (pfm_msr_is_modelled() || pfm_pmu_is_modelled())
		return NMI_DONE;
	return pfm_x86_is_pmi(apic_read(APIC_LVTPC), pfm_x86_lvtpc_masks) &&
	       pfm_pmu_interrupt(regs) ? NMI_HANDLED : NMI_DONE;
}

static int pfm_x86_suspend(PFM_SYSCORE_ARG)
{
	pfm_pmu_suspend();
	return 0;
}

static void pfm_x86_resume(PFM_SYSCORE_ARG)
{
	pfm_pmu_resume();
}

PFM_SYSCORE(pfm_x86_syscore, pfm_x86_suspend, pfm_x86_resume);

static void pfm_x86_look_for_pt(void *traces)
{
	if (pfm_intel_pt_traces())
		WRITE_ONCE(*(bool *)traces, true);
}

/**
 * pfm_x86_is_traced() - Does Intel PT trace on any CPU?
 *
 * The firmware's trace, or that of perf_events where perfmon comes as a module.
 *
 * Context: process.
 */
bool pfm_x86_is_traced(void)
{
	bool traces = false;

	on_each_cpu(pfm_x86_look_for_pt, &traces, true);
	return traces;
}

/**
 * pfm_x86_firmware_counter() - Find a counter with which the firmware counts.
 * @pmu: the PMU
 *
 * The firmware may count for itself. perf_events reports that at boot when it finds it; but the
 * firmware may begin later, or perf_events may not check. If perf_events does not hold the
 * registers, which it mostly does for the NMI watchdog, only the firmware can have enabled one.
 *
 * Return: the name of the register that enables it; NULL if there is none.
 */
const char *pfm_x86_firmware_counter(const struct pfm_pmu *pmu)
{
	unsigned long flags;
	const char *name;

	if (pmu->ops->acquire())
		return NULL;
	local_irq_save(flags);
	name = pfm_evtsel_enabled() ?: pfm_intel_fixed_enabled(pmu);
	local_irq_restore(flags);
	pmu->ops->release();
	return name;
}

static int __init pfm_x86_use(const struct pfm_pmu *pmu)
{
	const char *firmware;
	int err;

	if (pfm_x86_is_traced()) {
		pr_err("Intel PT traces and has the PMU's interrupt: not used; end the trace first\n");
		return -EBUSY;
	}
	firmware = pfm_x86_firmware_counter(pmu);
	if (firmware)
		pr_warn(FW_BUG "the firmware counts by %s: perfmon takes it from it; an option of the firmware may end that\n",
			firmware);
	/* The handler comes first: a PMU that is registered can raise its interrupt. */
	err = register_nmi_handler(NMI_LOCAL, pfm_x86_nmi, 0, "perfmon");
	if (err)
		return err;
	err = pfm_pmu_register(pmu);
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "perfmon");
	return err;
}

static bool pfm_x86_found;

/**
 * pfm_x86_init() - Find the PMU.
 *
 * Return: 0, also when there is none; an errno.
 */
int __init pfm_x86_init(void)
{
	const struct pfm_pmu *pmu;
	int err;

	if (!boot_cpu_has(X86_FEATURE_APIC))
		return 0;
	pmu = pfm_intel_detect() ?: pfm_p4_detect();
	pfm_x86_lvtpc_masks = pfm_x86_masks_entry(&boot_cpu_data, pmu);
	if (!pmu)
		pmu = pfm_amd_detect() ?: pfm_p6_detect(&boot_cpu_data);
	if (!pmu)
		return 0;
	err = pfm_x86_use(pmu);
	if (err) {
		pfm_intel_cpus_forget();
		return err;
	}
	register_syscore(&pfm_x86_syscore);
	pfm_x86_found = true;
	return 0;
}
pfm_initcall(device, pfm_x86_init);

/**
 * pfm_x86_exit() - Undo pfm_x86_init(); there is no context.
 */
void __exit pfm_x86_exit(void)
{
	if (!pfm_x86_found)
		return;
	unregister_syscore(&pfm_x86_syscore);
	unregister_nmi_handler(NMI_LOCAL, "perfmon");
	pfm_pmu_unregister();
	pfm_intel_cpus_forget();
}
