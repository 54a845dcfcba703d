// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: x86: find the PMU, take its interrupt, carry it over a suspend.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_pmu.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include "amd.h"
#include "intel_arch.h"
#include "p4.h"
#include "p6.h"

/*
 * The interrupt is an NMI, and NMIs have many owners. Intel's local APIC masks its
 * performance entry when it delivers that interrupt, so a masked entry says that
 * this one, or one before that nobody has answered yet, is the PMU's; whether the
 * PMU is ours, the core knows. AMD's does not mask it, though a hypervisor may do so
 * in its name, nor does the P6 family's but for the Pentium M: there the counters must
 * tell. The interrupt of AMD's IBS is another entry's, and not always an overflow.
 */
static bool pfm_x86_lvtpc_masks __ro_after_init;

static bool pfm_x86_is_pmi(void)
{
	u32 masked = APIC_LVT_MASKED | APIC_DM_NMI;

	if ((apic_read(APIC_LVTPC) & masked) == masked)
		return true;
	return !pfm_x86_lvtpc_masks && (pfm_ibs_interrupted() || pfm_pmu_overflowed());
}

static int pfm_x86_nmi(unsigned int cmd, struct pt_regs *regs)
{
	return pfm_x86_is_pmi() && pfm_pmu_interrupt(regs) ? NMI_HANDLED : NMI_DONE;
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

static int __init pfm_x86_init(void)
{
	const struct pfm_pmu *pmu;
	int err;

	if (!boot_cpu_has(X86_FEATURE_APIC))
		return 0;
	pmu = pfm_intel_detect() ?: pfm_p4_detect();
	pfm_x86_lvtpc_masks = pmu;
	if (!pmu)
		pmu = pfm_amd_detect() ?: pfm_p6_detect();
	if (!pmu)
		return 0;
	err = pfm_pmu_register(pmu);
	if (err)
		return err;
	err = register_nmi_handler(NMI_LOCAL, pfm_x86_nmi, 0, "perfmon");
	if (err)
		return err;
	register_syscore(&pfm_x86_syscore);
	return 0;
}
device_initcall(pfm_x86_init);
