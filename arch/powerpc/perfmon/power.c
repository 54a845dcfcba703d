// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of POWER8 to POWER10.
 *
 * Where the kernel has interrupts soft-masked, the performance monitor interrupt is
 * taken all the same, like an NMI; it waits only where they are disabled in the processor.
 * A stop clears a pending interrupt: the code that stops the PMU finds the overflow in the
 * counter, and no interrupt follows.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_pmu.h>
#include <asm/cputable.h>
#include <asm/pmc.h>
#include <asm/reg.h>
#include <asm/synch.h>
#include "power.h"

static_assert(PFM_MMCR0_FC == MMCR0_FC);
static_assert(PFM_MMCR0_PMAE == MMCR0_PMXE);
static_assert(PFM_MMCR0_PMC1CE == MMCR0_PMC1CE);
static_assert(PFM_MMCR0_PMAO == MMCR0_PMAO);
static_assert(PFM_MMCR0_CC56RUN == MMCR0_C56RUN);

#define SIGN	BIT(PFM_POWER_WIDTH)

static const struct pfm_power_model *power __ro_after_init;
static struct pfm_pmu power_pmu __ro_after_init;
static bool power_is_hypervisor __ro_after_init;

/* The set that counts, or counted last, counts in the kernel: it may see addresses there. */
static DEFINE_PER_CPU(bool, power_sees_kernel);

static u64 power_read_counter(unsigned int n)
{
	switch (n) {
	case 0:
		return mfspr(SPRN_PMC1);
	case 1:
		return mfspr(SPRN_PMC2);
	case 2:
		return mfspr(SPRN_PMC3);
	case 3:
		return mfspr(SPRN_PMC4);
	case 4:
		return mfspr(SPRN_PMC5);
	default:
		return mfspr(SPRN_PMC6);
	}
}

static void power_write_counter(unsigned int n, u64 value)
{
	switch (n) {
	case 0:
		mtspr(SPRN_PMC1, value);
		break;
	case 1:
		mtspr(SPRN_PMC2, value);
		break;
	case 2:
		mtspr(SPRN_PMC3, value);
		break;
	case 3:
		mtspr(SPRN_PMC4, value);
		break;
	case 4:
		mtspr(SPRN_PMC5, value);
		break;
	default:
		mtspr(SPRN_PMC6, value);
		break;
	}
}

static void power_write_mmcr0(u64 value)
{
	mtspr(SPRN_MMCR0, value);
	isync();
}

/* Stop counters and interrupts; problem state still has no access. */
static void power_freeze(void)
{
	u64 access = power_pmu.pmcs[PFM_POWER_MMCR0].def &
		     (PFM_MMCR0_PMCC_NONE | PFM_MMCR0_PMCCEXT);

	power_write_mmcr0(PFM_MMCR0_FC | access);
}

static void power_interrupt(struct pt_regs *regs)
{
	/* perfmon has the reservation, so there is no other owner. */
	if (!pfm_pmu_interrupt(regs))
		power_freeze();
}

static int power_acquire(void)
{
	return reserve_pmc_hardware(power_interrupt);
}

static void power_release(void)
{
	release_pmc_hardware();
}

/* The hypervisor saves the registers of a virtual CPU that says it uses them. */
static void power_init_cpu(void)
{
	ppc_set_pmu_inuse(1);
	ppc_enable_pmcs();
	power_freeze();
}

static void power_start(const struct pfm_regs *regs)
{
	struct pfm_power_image image;

	if (!regs->enable)
		return;
	pfm_power_compose(&image, power, regs, power_is_hypervisor);
	__this_cpu_write(power_sees_kernel, image.kernel);
	mtspr(SPRN_MMCR1, image.mmcr1);
	mtspr(SPRN_MMCR2, image.mmcr2);
	mtspr(SPRN_MMCRA, image.mmcra);
	if (power->isa31)
		mtspr(SPRN_MMCR3, image.mmcr3);
	power_write_mmcr0(image.mmcr0);
}

/* A counter with its sign bit set would alert again as soon as alerts are enabled. */
static void power_stop(const struct pfm_regs *regs)
{
	unsigned int n;
	u64 value;

	power_freeze();
	pfm_for_each_bit(n, regs->enable) {
		value = power_read_counter(n);
		if (value & SIGN)
			power_write_counter(n, value & ~SIGN);
	}
}

/* All registers are written by a start. */
static void power_write_pmc(unsigned int pmc, u64 value)
{
}

static void power_write_pmd(unsigned int pmd, u64 value)
{
	switch (pmd) {
	case PFM_POWER_SIAR:
		mtspr(SPRN_SIAR, value);
		break;
	case PFM_POWER_SDAR:
		mtspr(SPRN_SDAR, value);
		break;
	case PFM_POWER_SIER:
		mtspr(SPRN_SIER, value);
		break;
	default:
		power_write_counter(pmd, value);
		break;
	}
}

/* After a late interrupt the address is the kernel's: secret, unless the set counts there. */
static u64 power_visible(u64 address)
{
	return __this_cpu_read(power_sees_kernel) || address < TASK_SIZE_MAX ? address : 0;
}

static u64 power_read_pmd(unsigned int pmd)
{
	switch (pmd) {
	case PFM_POWER_SIAR:
		return power_visible(mfspr(SPRN_SIAR));
	case PFM_POWER_SDAR:
		return power_visible(mfspr(SPRN_SDAR));
	case PFM_POWER_SIER:
		return mfspr(SPRN_SIER);
	default:
		return power_read_counter(pmd) & ~SIGN;
	}
}

static const struct pfm_pmu_ops power_ops = {
	.acquire	= power_acquire,
	.release	= power_release,
	.init_cpu	= power_init_cpu,
	.prepare	= pfm_power_prepare,
	.start		= power_start,
	.stop		= power_stop,
	.ack		= power_freeze,
	.write_pmc	= power_write_pmc,
	.write_pmd	= power_write_pmd,
	.read_pmd	= power_read_pmd,
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
	int err;

	power = power_detect();
	if (!power)
		return 0;
	power_is_hypervisor = cpu_has_feature(CPU_FTR_HVMODE);
	power_pmu = power->pmu;
	power_pmu.ops = &power_ops;
	err = pfm_pmu_register(&power_pmu);
	if (err)
		return err;
	register_syscore(&power_syscore);
	return 0;
}
device_initcall(power_init);
