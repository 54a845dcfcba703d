// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: POWER8 to POWER10: from logical registers to the hardware's.
 */
#include <linux/string.h>
#include "power_model.h"

static bool pfm_power_counts(const struct pfm_regs *regs, unsigned int n)
{
	u64 ctl = regs->pmcs[n];

	return pfm_bv_test(regs->used_pmcs, n) && (ctl & (PFM_POWER_USR | PFM_POWER_OS)) &&
	       (n >= PFM_POWER_WITH_EVENT || (ctl & PFM_POWER_EVENT));
}

/**
 * pfm_power_prepare() - Determine the counters that a set enables.
 * @regs: see struct pfm_pmu_ops
 *
 * The sampling registers may change as soon as a counter counts. @regs->enable has a
 * bit for each counter.
 */
void pfm_power_prepare(struct pfm_regs *regs)
{
	u64 enable = 0;
	unsigned int n;

	for (n = 0; n < PFM_POWER_COUNTERS; n++) {
		if (pfm_power_counts(regs, n))
			enable |= BIT_ULL(n);
	}
	regs->enable = enable;
	regs->live_pmds = enable;
	if (enable)
		regs->live_pmds |= BIT_ULL(PFM_POWER_SIAR) | BIT_ULL(PFM_POWER_SDAR) |
				   BIT_ULL(PFM_POWER_SIER);
}

/* A counter's fields of MMCR1; the combine fields' place depends on their width. */
static u64 pfm_power_mmcr1(const struct pfm_power_model *model, unsigned int n, u64 ctl)
{
	unsigned int combine = model->combine_bits == 1 ? 35 - n : 38 - 2 * n;

	if (n >= PFM_POWER_WITH_EVENT)
		return 0;
	return (ctl & PFM_POWER_EVENT) << (24 - 8 * n) |
	       (ctl & PFM_POWER_UNIT) >> 8 << (60 - 4 * n) |
	       (ctl & PFM_POWER_COMBINE) >> 12 << combine;
}

/* A counter is frozen in each state that its control register does not select. */
static u64 pfm_power_mmcr2(unsigned int n, u64 ctl, bool counts, bool hypervisor)
{
	u64 frozen = PFM_MMCR2_FCS(n) | PFM_MMCR2_FCP(n) | PFM_MMCR2_FCH(n);

	if (counts && (ctl & PFM_POWER_USR))
		frozen &= ~PFM_MMCR2_FCP(n);
	if (counts && (ctl & PFM_POWER_OS))
		frozen &= hypervisor ? ~PFM_MMCR2_FCH(n) : ~PFM_MMCR2_FCS(n);
	return frozen;
}

/**
 * pfm_power_compose() - Compose the hardware's registers for a set.
 * @image: the result
 * @model: the processor
 * @regs: the set's registers, prepared
 * @hypervisor: the kernel is the machine's hypervisor, and runs in that state
 */
void pfm_power_compose(struct pfm_power_image *image, const struct pfm_power_model *model,
		       const struct pfm_regs *regs, bool hypervisor)
{
	unsigned int n;

	image->mmcr0 = regs->pmcs[PFM_POWER_MMCR0];
	image->mmcr1 = regs->pmcs[PFM_POWER_MMCR1];
	image->mmcr2 = regs->pmcs[PFM_POWER_MMCR2];
	image->mmcra = regs->pmcs[PFM_POWER_MMCRA];
	image->mmcr3 = model->isa31 ? regs->pmcs[PFM_POWER_MMCR3] : 0;
	image->kernel = false;
	for (n = 0; n < PFM_POWER_COUNTERS; n++) {
		bool counts = regs->enable & BIT_ULL(n);
		u64 ctl = regs->pmcs[n];

		if (counts)
			image->mmcr1 |= pfm_power_mmcr1(model, n, ctl);
		image->kernel |= counts && (ctl & PFM_POWER_OS);
		image->mmcr2 |= pfm_power_mmcr2(n, ctl, counts, hypervisor);
	}
	if (!(regs->enable & GENMASK_ULL(PFM_POWER_WITH_EVENT - 1, 0)))
		image->mmcr0 |= PFM_MMCR0_FC14;
	if (!(regs->enable >> PFM_POWER_WITH_EVENT))
		image->mmcr0 |= PFM_MMCR0_FC56;
}
