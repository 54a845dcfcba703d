// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: POWER8 to POWER10 as this machine's PMU: detection, reservation, interrupts.
 *
 * Where the kernel has interrupts soft-masked, the performance monitor interrupt is
 * taken all the same, like an NMI; it waits only where they are disabled in the processor.
 * A stop clears a pending interrupt: the code that stops the PMU finds the overflow in the
 * counter, and no interrupt follows.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_pmu.h>
#include <asm/cputable.h>
#include <asm/pmc.h>
#include <asm/reg.h>
#include "power_model.h"
#include "spr.h"

static_assert(PFM_MMCR0_FC == MMCR0_FC);
static_assert(PFM_MMCR0_PMAE == MMCR0_PMXE);
static_assert(PFM_MMCR0_PMC1CE == MMCR0_PMC1CE);
static_assert(PFM_MMCR0_PMAO == MMCR0_PMAO);
static_assert(PFM_MMCR0_CC56RUN == MMCR0_C56RUN);

static_assert(PFM_SPR_PMC1 == SPRN_PMC1 && PFM_SPR_PMC6 == SPRN_PMC6);
static_assert(PFM_SPR_MMCR0 == SPRN_MMCR0 && PFM_SPR_MMCR1 == SPRN_MMCR1);
static_assert(PFM_SPR_MMCR2 == SPRN_MMCR2 && PFM_SPR_MMCR3 == SPRN_MMCR3);
static_assert(PFM_SPR_MMCRA == SPRN_MMCRA && PFM_SPR_SIER == SPRN_SIER);
static_assert(PFM_SPR_SIAR == SPRN_SIAR && PFM_SPR_SDAR == SPRN_SDAR);

static struct pfm_pmu power_pmu __ro_after_init;

static void power_interrupt(struct pt_regs *regs)
{
	/* perfmon has the reservation, so there is no other owner. */
	if (!pfm_pmu_interrupt(regs))
		pfm_power_freeze();
}

static int power_acquire(void)
{
	return reserve_pmc_hardware(power_interrupt);
}

static void power_release(void)
{
	release_pmc_hardware();
}

/* The hypervisor saves the registers of a virtual CPU that reports their use. */
static void power_init_cpu(void)
{
	ppc_set_pmu_inuse(1);
	ppc_enable_pmcs();
	pfm_power_freeze();
}

/* All registers are written by a start. */
static void power_write_pmc(unsigned int pmc, u64 value)
{
}

static const struct pfm_pmu_ops power_ops = {
	.acquire	= power_acquire,
	.release	= power_release,
	.init_cpu	= power_init_cpu,
	.prepare	= pfm_power_prepare,
	.start		= pfm_power_start,
	.stop		= pfm_power_stop,
	.ack		= pfm_power_freeze,
	.write_pmc	= power_write_pmc,
	.write_pmd	= pfm_power_write_pmd,
	.read_pmd	= pfm_power_read_pmd,
};

/* In a logical partition, a processor in compatibility mode has the older one's registers. */
static const struct pfm_power_model * __init power_detect(void)
{
	if (!cpu_has_feature(CPU_FTR_ARCH_207S))
		return NULL;
	switch (PVR_VER(mfspr(SPRN_PVR))) {
	case PVR_POWER8E:
	case PVR_POWER8NVL:
	case PVR_POWER8:
		return &pfm_power8;
	case PVR_POWER9:
		return &pfm_power9;
	case PVR_POWER10:
		return cpu_has_feature(CPU_FTR_ARCH_31) ? &pfm_power10 : &pfm_power9;
	default:
		return NULL;
	}
}

static int power_suspend(PFM_SYSCORE_ARG)
{
	pfm_pmu_suspend();
	return 0;
}

static void power_resume(PFM_SYSCORE_ARG)
{
	pfm_pmu_resume();
}

PFM_SYSCORE(power_syscore, power_suspend, power_resume);

static int __init power_init(void)
{
	const struct pfm_power_model *model = power_detect();
	int err;

	if (!model)
		return 0;
	pfm_power_use(model, cpu_has_feature(CPU_FTR_HVMODE));
	power_pmu = model->pmu;
	power_pmu.ops = &power_ops;
	err = pfm_pmu_register(&power_pmu);
	if (err)
		return err;
	register_syscore(&power_syscore);
	return 0;
}
device_initcall(power_init);
