// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: x86: find the PMU, take its interrupt, carry it over a suspend.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/syscore_ops.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include "intel_arch.h"
#include "p4.h"
#include "p6.h"

/*
 * The interrupt is an NMI, and NMIs have many owners. The local APIC masks its
 * performance entry when it delivers that interrupt, so a masked entry says that
 * this one, or one before that nobody has answered yet, is the PMU's; whether the
 * PMU is ours, the core knows.
 */
static bool pfm_x86_lvtpc_masked(void)
{
	u32 lvtpc = apic_read(APIC_LVTPC);

	return (lvtpc & (APIC_LVT_MASKED | APIC_DM_NMI)) == (APIC_LVT_MASKED | APIC_DM_NMI);
}

/* Is this NMI the PMU's? */
static bool (*pfm_x86_pending)(void) __ro_after_init = pfm_x86_lvtpc_masked;

static int pfm_x86_nmi(unsigned int cmd, struct pt_regs *regs)
{
	if (!pfm_x86_pending())
		return NMI_DONE;
	return pfm_pmu_interrupt(regs) ? NMI_HANDLED : NMI_DONE;
}

static const struct pfm_pmu * __init pfm_x86_detect(void)
{
	const struct pfm_pmu *pmu = pfm_intel_detect();

	if (pmu)
		return pmu;
	pmu = pfm_p6_detect();
	if (pmu) {
		pfm_x86_pending = pfm_p6_pending;
		return pmu;
	}
	return pfm_p4_detect();
}

static int pfm_x86_suspend(void)
{
	pfm_pmu_suspend();
	return 0;
}

static struct syscore_ops pfm_x86_syscore_ops = {
	.suspend	= pfm_x86_suspend,
	.resume		= pfm_pmu_resume,
};

static int __init pfm_x86_init(void)
{
	const struct pfm_pmu *pmu;
	int err;

	if (!boot_cpu_has(X86_FEATURE_APIC))
		return 0;
	pmu = pfm_x86_detect();
	if (!pmu)
		return 0;
	err = pfm_pmu_register(pmu);
	if (err)
		return err;
	err = register_nmi_handler(NMI_LOCAL, pfm_x86_nmi, 0, "perfmon");
	if (err)
		return err;
	register_syscore_ops(&pfm_x86_syscore_ops);
	return 0;
}
device_initcall(pfm_x86_init);
