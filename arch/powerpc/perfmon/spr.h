/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: access to POWER's performance monitor registers or, during a KUnit test, to a
 * model of them, which is the only choice on other architectures.
 *
 * The numbers are from Power ISA 3.1, Book III, "Special Purpose Registers"; power.c compares
 * them with the kernel's.
 */
#ifndef _POWERPC_PERFMON_SPR_H
#define _POWERPC_PERFMON_SPR_H

#include <linux/jump_label.h>
#include <linux/types.h>

#define PFM_SPR_MMCR3	754
#define PFM_SPR_SIER	784
#define PFM_SPR_MMCR2	785
#define PFM_SPR_MMCRA	786
#define PFM_SPR_PMC1	787
#define PFM_SPR_PMC2	788
#define PFM_SPR_PMC3	789
#define PFM_SPR_PMC4	790
#define PFM_SPR_PMC5	791
#define PFM_SPR_PMC6	792
#define PFM_SPR_MMCR0	795
#define PFM_SPR_SIAR	796
#define PFM_SPR_SDAR	797
#define PFM_SPR_MMCR1	798

/**
 * struct pfm_spr_model - Stands in for the processor's registers.
 * @read: as mfspr()
 * @write: as mtspr()
 * @sync: as isync()
 */
struct pfm_spr_model {
	u64	(*read)(unsigned int spr);
	void	(*write)(unsigned int spr, u64 value);
	void	(*sync)(void);
};

#ifdef CONFIG_PERFMON_KUNIT_TEST
DECLARE_STATIC_KEY_FALSE(pfm_spr_modelled);
extern const struct pfm_spr_model *pfm_spr_model;
#define pfm_spr_is_modelled()	static_branch_unlikely(&pfm_spr_modelled)
#else
#define pfm_spr_is_modelled()	false
#define pfm_spr_model		((const struct pfm_spr_model *)NULL)
#endif

/* The register's number is a part of the instruction: @spr is a literal. */
#ifdef CONFIG_PPC_BOOK3S_64
#include <asm/reg.h>
#include <asm/synch.h>
#define pfm_spr_mf(spr)		mfspr(spr)
#define pfm_spr_mt(spr, value)	mtspr(spr, value)
#define pfm_spr_isync()		isync()
#else
#define pfm_spr_mf(spr)		0
#define pfm_spr_mt(spr, value)	((void)0)
#define pfm_spr_isync()		((void)0)
#endif

#define pfm_mfspr(spr)	(pfm_spr_is_modelled() ? pfm_spr_model->read(spr) : pfm_spr_mf(spr))

#define pfm_mtspr(spr, value)					\
	do {							\
		if (pfm_spr_is_modelled())			\
			pfm_spr_model->write(spr, value);	\
		else						\
			pfm_spr_mt(spr, value);			\
	} while (0)

/* Earlier writes are in effect afterwards. */
static inline void pfm_spr_sync(void)
{
	if (pfm_spr_is_modelled())
		pfm_spr_model->sync();
	else
		pfm_spr_isync();
}

#endif /* _POWERPC_PERFMON_SPR_H */
