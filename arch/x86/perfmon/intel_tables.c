// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of Intel's PMUs. pfmon compiles this file, too.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring": architectural
 * performance monitoring; layouts of IA32_PERFEVTSELx and IA32_FIXED_CTR_CTRL;
 * volume 2A, CPUID leaf 0AH.
 */
#include <linux/bitops.h>
#include <linux/minmax.h>
#include "intel_arch.h"
#include "tables.h"

/* IA32_PERFEVTSELx */
#define EVTSEL_OS		BIT_ULL(17)
#define EVTSEL_PIN_CONTROL	BIT_ULL(19)
#define EVTSEL_INT		BIT_ULL(20)
#define EVTSEL_ANY		BIT_ULL(21)
/*
 * INT is always set: the 64-bit emulation needs it. Pin control drives a pin of
 * the package. AnyThread would also count the other hyper-thread, which may run
 * another user's task.
 */
#define EVTSEL_RSVD		(EVTSEL_INT | EVTSEL_PIN_CONTROL | EVTSEL_ANY | \
				 GENMASK_ULL(63, 32))

/* Four bits of IA32_FIXED_CTR_CTRL for each counter: OS, USR, AnyThread, PMI. */
#define FIXED_OS		0x1ULL
#define FIXED_USR		0x2ULL
#define FIXED_PMI		0x8ULL

static const char * const evtsel_names[PFM_INTEL_MAX_GP] = {
	"IA32_PERFEVTSEL0", "IA32_PERFEVTSEL1", "IA32_PERFEVTSEL2", "IA32_PERFEVTSEL3",
	"IA32_PERFEVTSEL4", "IA32_PERFEVTSEL5", "IA32_PERFEVTSEL6", "IA32_PERFEVTSEL7",
	"IA32_PERFEVTSEL8", "IA32_PERFEVTSEL9",
};

static const char * const gp_names[PFM_INTEL_MAX_GP] = {
	"IA32_PMC0", "IA32_PMC1", "IA32_PMC2", "IA32_PMC3",
	"IA32_PMC4", "IA32_PMC5", "IA32_PMC6", "IA32_PMC7",
	"IA32_PMC8", "IA32_PMC9",
};

static const char * const fixed_names[PFM_INTEL_MAX_FIXED] = {
	"IA32_FIXED_CTR0", "IA32_FIXED_CTR1", "IA32_FIXED_CTR2", "IA32_FIXED_CTR3",
	"IA32_FIXED_CTR4", "IA32_FIXED_CTR5", "IA32_FIXED_CTR6", "IA32_FIXED_CTR7",
	"IA32_FIXED_CTR8", "IA32_FIXED_CTR9", "IA32_FIXED_CTR10", "IA32_FIXED_CTR11",
	"IA32_FIXED_CTR12", "IA32_FIXED_CTR13", "IA32_FIXED_CTR14", "IA32_FIXED_CTR15",
};

static const char * const from_names[PFM_INTEL_MAX_LBR] = {
	"LASTBRANCH_0_FROM_IP", "LASTBRANCH_1_FROM_IP", "LASTBRANCH_2_FROM_IP",
	"LASTBRANCH_3_FROM_IP", "LASTBRANCH_4_FROM_IP", "LASTBRANCH_5_FROM_IP",
	"LASTBRANCH_6_FROM_IP", "LASTBRANCH_7_FROM_IP", "LASTBRANCH_8_FROM_IP",
	"LASTBRANCH_9_FROM_IP", "LASTBRANCH_10_FROM_IP", "LASTBRANCH_11_FROM_IP",
	"LASTBRANCH_12_FROM_IP", "LASTBRANCH_13_FROM_IP", "LASTBRANCH_14_FROM_IP",
	"LASTBRANCH_15_FROM_IP",
};

static const char * const to_names[PFM_INTEL_MAX_LBR] = {
	"LASTBRANCH_0_TO_IP", "LASTBRANCH_1_TO_IP", "LASTBRANCH_2_TO_IP",
	"LASTBRANCH_3_TO_IP", "LASTBRANCH_4_TO_IP", "LASTBRANCH_5_TO_IP",
	"LASTBRANCH_6_TO_IP", "LASTBRANCH_7_TO_IP", "LASTBRANCH_8_TO_IP",
	"LASTBRANCH_9_TO_IP", "LASTBRANCH_10_TO_IP", "LASTBRANCH_11_TO_IP",
	"LASTBRANCH_12_TO_IP", "LASTBRANCH_13_TO_IP", "LASTBRANCH_14_TO_IP",
	"LASTBRANCH_15_TO_IP",
};

/*
 * With PEBS enabled the processor writes records to the debug store area, which
 * perfmon does not set up: the enable bits are reserved. The latency threshold is of
 * no use then, and only keeps its place in the table.
 */
const struct pfm_intel_extra pfm_intel_extras[PFM_INTEL_NUM_EXTRA] = {
	[PFM_INTEL_OFFCORE_RSP0] = {
		.name = "MSR_OFFCORE_RSP_0", .msr = PFM_INTEL_MSR_OFFCORE_RSP0, .ours = ~0ULL,
	},
	[PFM_INTEL_OFFCORE_RSP1] = {
		.name = "MSR_OFFCORE_RSP_1", .msr = PFM_INTEL_MSR_OFFCORE_RSP1, .ours = ~0ULL,
	},
	[PFM_INTEL_PEBS_ENABLE] = {
		.name = "IA32_PEBS_ENABLE", .msr = PFM_INTEL_MSR_PEBS_ENABLE, .ours = 0,
		.pebs = true,
	},
	[PFM_INTEL_PEBS_LD_LAT] = {
		.name = "MSR_PEBS_LD_LAT", .msr = PFM_INTEL_MSR_PEBS_LD_LAT, .ours = ~0ULL,
		.pebs = true,
	},
	[PFM_INTEL_PEBS_FRONTEND] = {
		.name = "MSR_PEBS_FRONTEND", .msr = PFM_INTEL_MSR_PEBS_FRONTEND, .ours = ~0ULL,
		.pebs = true,
	},
	/* A set bit excludes branches. Zero has to be safe: no branches into the kernel. */
	[PFM_INTEL_LBR_SELECT] = {
		.name = "MSR_LBR_SELECT", .msr = PFM_INTEL_MSR_LBR_SELECT, .ours = ~0ULL,
		.inverted = PFM_INTEL_LBR_KERNEL, .kernel_bits = PFM_INTEL_LBR_KERNEL,
	},
};

/**
 * pfm_intel_cpuid_caps() - Decode CPUID leaf 0xA.
 * @eax: from CPUID
 * @ecx: from CPUID
 * @edx: from CPUID
 * @says_all: a report of no fixed counters is true: not so on Intel's first ones on hardware
 * @full_width_write: IA32_PERF_CAPABILITIES.FW_WRITE
 */
struct pfm_intel_caps pfm_intel_cpuid_caps(u32 eax, u32 ecx, u32 edx, bool says_all,
					   bool full_width_write)
{
	struct pfm_intel_caps caps = {
		.version		= eax & 0xff,
		.num_gp			= min_t(u32, (eax >> 8) & 0xff, PFM_INTEL_MAX_GP),
		.gp_width		= (eax >> 16) & 0xff,
		.full_width_write	= full_width_write,
	};
	unsigned int num_fixed = min_t(u32, edx & 0x1f, PFM_INTEL_MAX_FIXED);

	if (caps.version < 2)
		return caps;
	caps.fixed_width = (edx >> 5) & 0xff;
	/* The first processors of version 2 have three and report none. */
	if (!num_fixed && !says_all)
		num_fixed = 3;
	if (!caps.fixed_width)
		caps.fixed_width = caps.gp_width;
	caps.fixed_mask = BIT(num_fixed) - 1;
	/* Version 5 reports them one by one. */
	if (caps.version >= 5)
		caps.fixed_mask |= ecx & (BIT(PFM_INTEL_MAX_FIXED) - 1);
	return caps;
}

static void pfm_intel_build_gp(struct pfm_intel_pmu *intel, unsigned int i)
{
	struct pfm_reg_desc *pmc = &intel->pmcs[i];
	struct pfm_reg_desc *pmd = &intel->pmds[i];

	pmc->name = evtsel_names[i];
	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	pmc->addr = PFM_INTEL_EVTSEL0 + i;
	pmc->def = EVTSEL_INT;
	pmc->rsvd = EVTSEL_RSVD | intel->caps.evtsel_refused;
	pmc->kernel_bits = EVTSEL_OS;
	pfm_bv_set(pmc->deps, i);

	pmd->name = gp_names[i];
	pmd->type = PFM_REG_TYPE_MSR;
	pmd->cls = PFM_CLASS_COUNTER;
	pmd->width = intel->caps.gp_width;
	/* The original MSRs take 32 bits and sign-extend them. */
	pmd->write_width = intel->caps.full_width_write ? intel->caps.gp_width :
			   min_t(u8, intel->caps.gp_width, 32);
	pmd->addr = PFM_INTEL_PERFCTR0 + i;
	pfm_bv_set(pmd->deps, i);

	intel->status |= BIT_ULL(i);
}

static void pfm_intel_build_fixed(struct pfm_intel_pmu *intel, unsigned int i)
{
	struct pfm_reg_desc *pmc = &intel->pmcs[PFM_INTEL_FIXED_CTRL];
	struct pfm_reg_desc *pmd = &intel->pmds[PFM_INTEL_FIXED + i];

	/* PMI is always set, AnyThread always clear: see EVTSEL_RSVD. */
	pmc->def |= FIXED_PMI << (4 * i);
	pmc->rsvd &= ~((FIXED_OS | FIXED_USR) << (4 * i));
	pmc->kernel_bits |= FIXED_OS << (4 * i);
	pfm_bv_set(pmc->deps, PFM_INTEL_FIXED + i);

	pmd->name = fixed_names[i];
	pmd->type = PFM_REG_TYPE_MSR;
	pmd->cls = PFM_CLASS_COUNTER;
	pmd->width = intel->caps.fixed_width;
	pmd->write_width = intel->caps.fixed_width;
	pmd->addr = PFM_INTEL_FIXED_CTR0 + i;
	pfm_bv_set(pmd->deps, PFM_INTEL_FIXED_CTRL);

	intel->status |= BIT_ULL(PFM_INTEL_GLOBAL_FIXED + i);
}

static void pfm_intel_build_extra(struct pfm_intel_pmu *intel, unsigned int i, u64 bits)
{
	struct pfm_reg_desc *pmc = &intel->pmcs[PFM_INTEL_EXTRA + i];

	pmc->name = pfm_intel_extras[i].name;
	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	pmc->addr = pfm_intel_extras[i].msr;
	/* No dependencies: it controls the meaning of some events, and no counter. */
	pmc->rsvd = ~(bits & pfm_intel_extras[i].ours);
	pmc->kernel_bits = pfm_intel_extras[i].kernel_bits;
}

static void pfm_intel_link(struct pfm_intel_pmu *intel, unsigned int pmc, unsigned int pmd)
{
	pfm_bv_set(intel->pmds[pmd].deps, pmc);
	pfm_bv_set(intel->pmcs[pmc].deps, pmd);
}

static void pfm_intel_build_branch(struct pfm_intel_pmu *intel, unsigned int pmd,
				   const char *name, u64 addr)
{
	intel->pmds[pmd].name = name;
	intel->pmds[pmd].type = PFM_REG_TYPE_MSR;
	intel->pmds[pmd].cls = PFM_CLASS_BUFFER;
	intel->pmds[pmd].width = 64;
	intel->pmds[pmd].addr = addr;
	if (addr == PFM_REG_IDX_NONE) {
		pfm_intel_link(intel, PFM_INTEL_EXTRA + PFM_INTEL_LBR_SELECT, pmd);
		pfm_intel_link(intel, PFM_INTEL_DEBUGCTL, pmd);
	} else {
		pfm_intel_link(intel, PFM_INTEL_LBR_CTL, pmd);
	}
}

/* The register that switches records on. */
static void pfm_intel_build_lbr_switch(struct pfm_intel_pmu *intel, u64 ctl)
{
	unsigned int i = ctl ? PFM_INTEL_LBR_CTL : PFM_INTEL_DEBUGCTL;
	struct pfm_reg_desc *pmc = &intel->pmcs[i];

	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	if (ctl) {
		pmc->name = "IA32_LBR_CTL";
		pmc->addr = PFM_INTEL_MSR_LBR_CTL;
		pmc->rsvd = ~ctl;
		pmc->kernel_bits = PFM_INTEL_LBR_CTL_OS;
	} else {
		pmc->name = "IA32_DEBUGCTL";
		pmc->addr = PFM_INTEL_MSR_DEBUGCTL;
		/* The handler's branches must not replace those that led to the interrupt. */
		pmc->def = PFM_INTEL_DEBUGCTL_FREEZE;
		pmc->rsvd = ~PFM_INTEL_DEBUGCTL_LBR;
	}
	intel->pmu.num_pmcs = i + 1;
}

static void pfm_intel_build_lbr(struct pfm_intel_pmu *intel, const struct pfm_intel_lbr *lbr)
{
	unsigned int i, n = min_t(unsigned int, lbr->entries, PFM_INTEL_MAX_LBR);

	pfm_intel_build_lbr_switch(intel, lbr->ctl);
	for (i = 0; i < n; i++) {
		/* In a ring, the entry of a PMD changes with each branch. */
		pfm_intel_build_branch(intel, PFM_INTEL_LBR_FROM + i, from_names[i],
				       lbr->ctl ? lbr->from + i : PFM_REG_IDX_NONE);
		pfm_intel_build_branch(intel, PFM_INTEL_LBR_TO + i, to_names[i],
				       lbr->ctl ? lbr->to + i : PFM_REG_IDX_NONE);
	}
	intel->pmu.num_pmds = PFM_INTEL_LBR_TO + n;
	intel->status |= lbr->frozen;
}

static void pfm_intel_build_fixed_ctrl(struct pfm_intel_pmu *intel)
{
	struct pfm_reg_desc *ctrl = &intel->pmcs[PFM_INTEL_FIXED_CTRL];
	unsigned int i;

	ctrl->name = "IA32_FIXED_CTR_CTRL";
	ctrl->type = PFM_REG_TYPE_MSR;
	ctrl->cls = PFM_CLASS_CONTROL;
	ctrl->width = 64;
	ctrl->addr = PFM_INTEL_FIXED_CTR_CTRL;
	ctrl->rsvd = ~0ULL;
	for (i = 0; i < PFM_INTEL_MAX_FIXED; i++) {
		if (intel->caps.fixed_mask & BIT(i))
			pfm_intel_build_fixed(intel, i);
	}
	intel->pmu.num_pmcs = PFM_INTEL_FIXED_CTRL + 1;
	intel->pmu.num_pmds = PFM_INTEL_FIXED + fls(intel->caps.fixed_mask);
}

/**
 * pfm_intel_build() - Make the table for given capabilities, without operations and name.
 * @intel: zeroed
 * @caps: from pfm_intel_cpuid_caps(), at least version 1 with a general counter
 * @extra: bits of each model-specific register, 0 for a register that does not exist
 * @lbr: last branch records, if there are any; a ring needs MSR_LBR_SELECT in @extra
 */
void pfm_intel_build(struct pfm_intel_pmu *intel, struct pfm_intel_caps caps, const u64 *extra,
		     const struct pfm_intel_lbr *lbr)
{
	unsigned int i;

	intel->caps = caps;
	intel->pmu.counter_width = caps.gp_width;
	intel->pmu.pmcs = intel->pmcs;
	intel->pmu.pmds = intel->pmds;
	intel->pmu.num_pmcs = caps.num_gp;
	intel->pmu.num_pmds = caps.num_gp;
	for (i = 0; i < caps.num_gp; i++) {
		if (!(caps.gp_taken & BIT(i)))
			pfm_intel_build_gp(intel, i);
	}
	if (caps.fixed_mask)
		pfm_intel_build_fixed_ctrl(intel);
	for (i = 0; i < PFM_INTEL_NUM_EXTRA; i++) {
		if (!extra[i])
			continue;
		pfm_intel_build_extra(intel, i, extra[i]);
		intel->pmu.num_pmcs = PFM_INTEL_EXTRA + i + 1;
	}
	if (lbr->entries)
		pfm_intel_build_lbr(intel, lbr);
}

/**
 * pfm_intel_prepare() - Determine the counters that a set enables.
 * @regs: see struct pfm_pmu_ops
 *
 * @regs->enable is the value for IA32_PERF_GLOBAL_CTRL.
 */
void pfm_intel_prepare(struct pfm_regs *regs)
{
	u64 used = regs->used_pmcs[0];
	u64 enable = 0;
	u64 fixed;
	unsigned int i;

	pfm_for_each_reg(i, regs->used_pmcs, PFM_INTEL_MAX_GP) {
		if (regs->pmcs[i] & PFM_INTEL_EVTSEL_EN)
			enable |= BIT_ULL(i);
	}
	if (used & BIT_ULL(PFM_INTEL_FIXED_CTRL)) {
		fixed = regs->pmcs[PFM_INTEL_FIXED_CTRL];
		for (i = 0; i < PFM_INTEL_MAX_FIXED; i++, fixed >>= 4) {
			if (fixed & (FIXED_OS | FIXED_USR))
				enable |= BIT_ULL(PFM_INTEL_GLOBAL_FIXED + i);
		}
	}
	regs->enable = enable;
	regs->live_pmds = (enable & (BIT_ULL(PFM_INTEL_MAX_GP) - 1)) |
			  (enable >> PFM_INTEL_GLOBAL_FIXED) << PFM_INTEL_FIXED;
}
