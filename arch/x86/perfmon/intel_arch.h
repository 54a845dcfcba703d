/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the Intel architectural PMU, which Zhaoxin's processors have as well.
 *
 * Logical indices never move between models:
 *
 *	PMC0-15		IA32_PERFEVTSELx	PMD0-15		IA32_PMCx
 *	PMC16		IA32_FIXED_CTR_CTRL	PMD16-31	IA32_FIXED_CTRx
 *	PMC17, 18	MSR_OFFCORE_RSP_0, 1
 *	PMC19		IA32_PEBS_ENABLE
 *	PMC20		MSR_PEBS_LD_LAT
 *	PMC21		MSR_PEBS_FRONTEND
 *	PMC22		MSR_LBR_SELECT		PMD32-47	sources of the last branches
 *	PMC23		IA32_DEBUGCTL		PMD48-63	their targets
 *	PMC24		IA32_LBR_CTL
 *
 * The first two lines exist as far as CPUID reports them, the others as far as the model has
 * them. Documentation/x86-registers.md has the details, and why other registers are missing.
 */
#ifndef _X86_PERFMON_INTEL_ARCH_H
#define _X86_PERFMON_INTEL_ARCH_H

#include <linux/perfmon_pmu.h>

struct cpuinfo_x86;
struct pfm_intel_cpu;

/* Model-specific control registers, in the order of their PMCs. */
enum {
	PFM_INTEL_OFFCORE_RSP0,
	PFM_INTEL_OFFCORE_RSP1,
	PFM_INTEL_PEBS_ENABLE,
	PFM_INTEL_PEBS_LD_LAT,
	PFM_INTEL_PEBS_FRONTEND,
	PFM_INTEL_LBR_SELECT,
	PFM_INTEL_NUM_EXTRA
};

#define PFM_INTEL_MAX_GP	10	/* the MSR numbers end there */
#define PFM_INTEL_MAX_FIXED	16	/* 4 bits each of a 64-bit control register */
#define PFM_INTEL_FIXED_CTRL	16	/* PMC */
#define PFM_INTEL_FIXED		16	/* first PMD */
#define PFM_INTEL_EXTRA		17	/* first of the model-specific PMCs */
#define PFM_INTEL_DEBUGCTL	(PFM_INTEL_EXTRA + PFM_INTEL_NUM_EXTRA)	/* PMC */
#define PFM_INTEL_LBR_CTL	(PFM_INTEL_DEBUGCTL + 1)		/* PMC */
#define PFM_INTEL_NUM_PMCS	(PFM_INTEL_LBR_CTL + 1)

/* The last branches, most recent first, wherever the processor's ring has them. */
#define PFM_INTEL_MAX_LBR	16
#define PFM_INTEL_LBR_FROM	32	/* first PMD */
#define PFM_INTEL_LBR_TO	48	/* likewise */
#define PFM_INTEL_NUM_PMDS	(PFM_INTEL_LBR_TO + PFM_INTEL_MAX_LBR)

#define PFM_INTEL_MAX_CPUS	13	/* with the 0 at the end */
#define PFM_INTEL_BANKS		3	/* with the NULL at the end */

/* MSRs and bits that both the tables and the operations use. */
#define PFM_INTEL_EVTSEL0		0x186
#define PFM_INTEL_PERFCTR0		0xc1
#define PFM_INTEL_FIXED_CTR_CTRL	0x38d
#define PFM_INTEL_FIXED_CTR0		0x309
#define PFM_INTEL_MSR_OFFCORE_RSP0	0x1a6
#define PFM_INTEL_MSR_OFFCORE_RSP1	0x1a7
#define PFM_INTEL_MSR_PEBS_ENABLE	0x3f1
#define PFM_INTEL_MSR_PEBS_LD_LAT	0x3f6
#define PFM_INTEL_MSR_PEBS_FRONTEND	0x3f7
#define PFM_INTEL_MSR_LBR_SELECT	0x1c8
#define PFM_INTEL_MSR_DEBUGCTL		0x1d9
#define PFM_INTEL_MSR_LBR_CTL		0x14ce
#define PFM_INTEL_EVTSEL_EN		BIT_ULL(22)
#define PFM_INTEL_GLOBAL_FIXED		32	/* first fixed counter's bit there */
#define PFM_INTEL_LBR_KERNEL		BIT_ULL(0)	/* MSR_LBR_SELECT.CPL_EQ_0, inverted */
#define PFM_INTEL_DEBUGCTL_LBR		BIT_ULL(0)
#define PFM_INTEL_DEBUGCTL_FREEZE	BIT_ULL(11)	/* FREEZE_LBRS_ON_PMI */
#define PFM_INTEL_LBR_CTL_EN		BIT_ULL(0)
#define PFM_INTEL_LBR_CTL_OS		BIT_ULL(1)
#define PFM_INTEL_LBR_CTL_USR		BIT_ULL(2)
#define PFM_INTEL_LBR_CTL_KINDS		GENMASK_ULL(22, 16)

/**
 * struct pfm_intel_caps - The PMU as CPUID leaf 0xA and IA32_PERF_CAPABILITIES report it.
 * @version: of architectural performance monitoring, 1-5; 0: none
 * @num_gp: general counters
 * @gp_taken: general counters, a bit each, that the processor uses itself: holes
 * @gp_width: their bits
 * @fixed_mask: fixed counters, one bit each
 * @fixed_width: their bits
 * @full_width_write: general counters can be written in full, by MSRs of their own
 * @evtsel_refused: bits of an event selector that the processor does not accept
 */
struct pfm_intel_caps {
	u8	version;
	u8	num_gp;
	u16	gp_taken;
	u8	gp_width;
	u8	fixed_width;
	u16	fixed_mask;
	bool	full_width_write;
	u64	evtsel_refused;
};

/**
 * struct pfm_intel_pmu - The table for one machine.
 * @caps: the capabilities for which it was built
 * @pmu: the description; points to @pmcs and @pmds
 * @status: bits that an overflow may leave in IA32_PERF_GLOBAL_STATUS
 * @pmcs: control registers by index
 * @pmds: data registers by index
 * @banks: of the registers beside the counters, up to a NULL
 */
struct pfm_intel_pmu {
	struct pfm_intel_caps	caps;
	struct pfm_pmu		pmu;
	u64			status;
	struct pfm_reg_desc	pmcs[PFM_INTEL_NUM_PMCS];
	struct pfm_reg_desc	pmds[PFM_INTEL_NUM_PMDS];
	const struct pfm_bank	*banks[PFM_INTEL_BANKS];
};

/* The machine's. */
extern struct pfm_intel_pmu pfm_intel;

/**
 * struct pfm_intel_extra - A model-specific control register.
 * @name: of the register
 * @msr: its address
 * @ours: bits that perfmon allows users to write
 * @inverted: bits that users see inverted
 * @kernel_bits: as in struct pfm_reg_desc
 * @pebs: part of PEBS: exists when the processor reports PEBS
 */
struct pfm_intel_extra {
	const char	*name;
	u32		msr;
	u64		ours;
	u64		inverted;
	u64		kernel_bits;
	bool		pebs;
};

extern const struct pfm_intel_extra pfm_intel_extras[PFM_INTEL_NUM_EXTRA];

/**
 * enum pfm_intel_lbr_cycles - The place of the cycles since the branch before.
 * @PFM_INTEL_LBR_NO_CYCLES: the records have none
 * @PFM_INTEL_LBR_INFO_CYCLES: the lowest bits of the flags' MSR
 * @PFM_INTEL_LBR_VALID_CYCLES: likewise, if another bit of it says so
 * @PFM_INTEL_LBR_TO_CYCLES: the highest bits of the target
 */
enum pfm_intel_lbr_cycles {
	PFM_INTEL_LBR_NO_CYCLES,
	PFM_INTEL_LBR_INFO_CYCLES,
	PFM_INTEL_LBR_VALID_CYCLES,
	PFM_INTEL_LBR_TO_CYCLES,
};

/**
 * struct pfm_intel_lbr - Last branch records.
 * @entries: number of records, for a ring a power of 2; 0: none
 * @from: MSR of the first record's source
 * @to: MSR of the first record's target
 * @ctl: bits of IA32_LBR_CTL, for architectural records; 0: a model's ring
 * @no_pt: not usable on a processor that has processor trace
 * @frozen: their bit in IA32_PERF_GLOBAL_STATUS, from version 4 on
 * @info: MSR of the first record's flags; 0: they are in its source
 * @flags: flags that the records have
 * @cycles: place of the number of cycles
 */
struct pfm_intel_lbr {
	u8	entries;
	u16	from;
	u16	to;
	u32	ctl;
	bool	no_pt;
	u64	frozen;
	u16	info;
	u64	flags;
	u8	cycles;
};

/**
 * struct pfm_intel_model - Processors that share a table.
 * @family: their CPUID family; 0: 6, Intel's. No other vendor has that family here.
 * @cpus: their CPUID models; 0 ends the list
 * @caps: the most that any of them reports
 * @extra: bits that any of them has in each model-specific register; 0: no such register
 * @shared: the registers of @extra, a bit each, that the hyper-threads of a core share
 * @lbr: their last branch records
 * @resets: their general counters must be reset before an event is changed
 * @one_enable: the enable bit of the first selector is that of both
 */
struct pfm_intel_model {
	u8			family;
	u8			cpus[PFM_INTEL_MAX_CPUS];
	struct pfm_intel_caps	caps;
	u64			extra[PFM_INTEL_NUM_EXTRA];
	u8			shared;
	struct pfm_intel_lbr	lbr;
	bool			resets;
	bool			one_enable;
};

struct pfm_intel_caps pfm_intel_cpuid_caps(u32 eax, u32 ecx, u32 edx, bool says_all,
					   bool full_width_write);
void pfm_intel_build(struct pfm_intel_pmu *intel, struct pfm_intel_caps caps,
		     const u64 *extra, const struct pfm_intel_lbr *lbr);
const struct pfm_table *pfm_intel_find_model(unsigned int family, unsigned int model);
void pfm_intel_prepare(struct pfm_regs *regs);
bool pfm_intel_responds(unsigned int index);
u64 pfm_intel_probe_evtsel(unsigned int index);
bool pfm_intel_is_architectural(const struct cpuinfo_x86 *c);
bool pfm_intel_read_caps(const struct cpuinfo_x86 *c, struct pfm_intel_caps *caps);
void pfm_intel_probe_model(const struct cpuinfo_x86 *c, const struct pfm_intel_model *model,
			   const struct pfm_intel_cpu *common, bool hybrid, u64 *extra);
void pfm_intel_add_banks(struct pfm_intel_pmu *intel, const u64 *extra,
			 const struct pfm_intel_lbr *lbr);
const struct pfm_pmu_ops *pfm_intel_choose_ops(const struct cpuinfo_x86 *c,
					       const struct pfm_intel_model *model,
					       const struct pfm_intel_caps *caps);
bool pfm_intel_one_enables(void);
bool pfm_intel_stopped(u64 enable);
bool pfm_intel_overflowed(void);
const char *pfm_intel_fixed_enabled(const struct pfm_pmu *pmu);
const struct pfm_pmu *pfm_intel_detect(void);

#endif /* _X86_PERFMON_INTEL_ARCH_H */
