// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of POWER8 to POWER10: starting, stopping, reading and writing them.
 */
#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/uaccess.h>
#include "power_model.h"
#include "spr.h"

#define SIGN	BIT_ULL(PFM_POWER_WIDTH)

static struct {
	const struct pfm_power_model	*model;
	bool				hypervisor;
} power __read_mostly;

/* The set that counts, or counted last, counts in the kernel: it may see addresses there. */
static DEFINE_PER_CPU(bool, power_sees_kernel);

/**
 * pfm_power_use() - Choose the processor for the functions below.
 * @model: the processor
 * @hypervisor: the kernel is the machine's hypervisor
 */
void pfm_power_use(const struct pfm_power_model *model, bool hypervisor)
{
	power.model = model;
	power.hypervisor = hypervisor;
}

static u64 power_read_counter(unsigned int n)
{
	switch (n) {
	case 0:
		return pfm_mfspr(PFM_SPR_PMC1);
	case 1:
		return pfm_mfspr(PFM_SPR_PMC2);
	case 2:
		return pfm_mfspr(PFM_SPR_PMC3);
	case 3:
		return pfm_mfspr(PFM_SPR_PMC4);
	case 4:
		return pfm_mfspr(PFM_SPR_PMC5);
	default:
		return pfm_mfspr(PFM_SPR_PMC6);
	}
}

static void power_write_counter(unsigned int n, u64 value)
{
	switch (n) {
	case 0:
		pfm_mtspr(PFM_SPR_PMC1, value);
		break;
	case 1:
		pfm_mtspr(PFM_SPR_PMC2, value);
		break;
	case 2:
		pfm_mtspr(PFM_SPR_PMC3, value);
		break;
	case 3:
		pfm_mtspr(PFM_SPR_PMC4, value);
		break;
	case 4:
		pfm_mtspr(PFM_SPR_PMC5, value);
		break;
	default:
		pfm_mtspr(PFM_SPR_PMC6, value);
		break;
	}
}

static void power_write_mmcr0(u64 value)
{
	pfm_mtspr(PFM_SPR_MMCR0, value);
	pfm_spr_sync();
}

/**
 * pfm_power_freeze() - Stop counters and interrupts; problem state still has no access.
 *
 * Context: any.
 */
void pfm_power_freeze(void)
{
	u64 access = power.model->pmu.pmcs[PFM_POWER_MMCR0].def &
		     (PFM_MMCR0_PMCC_NONE | PFM_MMCR0_PMCCEXT);

	power_write_mmcr0(PFM_MMCR0_FC | access);
}

/**
 * pfm_power_start() - Let a set count; all control registers are written.
 * @regs: see struct pfm_pmu_ops
 *
 * Context: interrupts off.
 */
void pfm_power_start(const struct pfm_regs *regs)
{
	struct pfm_power_image image;

	if (!regs->enable)
		return;
	pfm_power_compose(&image, power.model, regs, power.hypervisor);
	__this_cpu_write(power_sees_kernel, image.kernel);
	pfm_mtspr(PFM_SPR_MMCR1, image.mmcr1);
	pfm_mtspr(PFM_SPR_MMCR2, image.mmcr2);
	pfm_mtspr(PFM_SPR_MMCRA, image.mmcra);
	if (power.model->isa31)
		pfm_mtspr(PFM_SPR_MMCR3, image.mmcr3);
	power_write_mmcr0(image.mmcr0);
}

/**
 * pfm_power_stop() - Stop a set.
 * @regs: see struct pfm_pmu_ops
 *
 * A counter with its sign bit set would alert again as soon as alerts are enabled.
 *
 * Context: interrupts off, or as in NMI.
 */
void pfm_power_stop(const struct pfm_regs *regs)
{
	unsigned int n;
	u64 value;

	pfm_power_freeze();
	pfm_for_each_bit(n, regs->enable) {
		value = power_read_counter(n);
		if (value & SIGN)
			power_write_counter(n, value & ~SIGN);
	}
}

/**
 * pfm_power_write_pmd() - Write a logical PMD.
 * @pmd: its number
 * @value: the value to write
 */
void pfm_power_write_pmd(unsigned int pmd, u64 value)
{
	switch (pmd) {
	case PFM_POWER_SIAR:
		pfm_mtspr(PFM_SPR_SIAR, value);
		break;
	case PFM_POWER_SDAR:
		pfm_mtspr(PFM_SPR_SDAR, value);
		break;
	case PFM_POWER_SIER:
		pfm_mtspr(PFM_SPR_SIER, value);
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

/**
 * pfm_power_read_pmd() - Read a logical PMD.
 * @pmd: its number
 *
 * Return: its value; 0 for an address of the kernel that the set may not see.
 */
u64 pfm_power_read_pmd(unsigned int pmd)
{
	switch (pmd) {
	case PFM_POWER_SIAR:
		return power_visible(pfm_mfspr(PFM_SPR_SIAR));
	case PFM_POWER_SDAR:
		return power_visible(pfm_mfspr(PFM_SPR_SDAR));
	case PFM_POWER_SIER:
		return pfm_mfspr(PFM_SPR_SIER);
	default:
		return power_read_counter(pmd) & ~SIGN;
	}
}
