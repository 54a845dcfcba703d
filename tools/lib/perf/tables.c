// SPDX-License-Identifier: GPL-2.0
/*
 * The registers from the tables of the kernel's part, which are compiled in, for the
 * capabilities that CPUID reports.
 *
 * Facts: Intel SDM volume 2A, CPUID leaves 01H, 07H and 0AH; AMD's Programmer's Manual,
 * volume 3, CPUID functions 8000_0001H and 8000_0022H.
 */
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <string.h>

#include "arch/x86/perfmon/amd.h"
#include "arch/x86/perfmon/intel_arch.h"
#include "kernel/perfmon/soft.h"
#include "perf/pmu.h"

_Static_assert(PERF_INTEL_FIXED == PFM_INTEL_FIXED, "one numbering");
_Static_assert(PERF_INTEL_FIXED == PFM_INTEL_FIXED_CTRL, "one numbering");

static void take(struct perf_reg *regs, const struct pfm_reg_desc *desc, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && i < PERF_REGS; i++) {
		if (!desc[i].name)
			continue;
		regs[i].name = desc[i].name;
		regs[i].type = desc[i].type;
		regs[i].width = desc[i].width;
		regs[i].addr = desc[i].addr;
		regs[i].def = desc[i].def;
		regs[i].rsvd = desc[i].rsvd;
		regs[i].kernel_bits = desc[i].kernel_bits;
	}
}

static void take_all(struct perf_pmu *pmu, enum perf_pmu_kind kind, const struct pfm_pmu *from)
{
	pmu->kind = kind;
	pmu->model = from->name;
	pmu->width = from->counter_width;
	take(pmu->pmc, from->pmcs, from->num_pmcs);
	take(pmu->pmd, from->pmds, from->num_pmds);
}

void perf_tables_software(struct perf_pmu *pmu)
{
	static const struct pfm_pmu soft = { PFM_SOFT_DESCRIPTION };

	take_all(pmu, PERF_PMU_SOFT, &soft);
}

#if defined(__x86_64__) || defined(__i386__)

#define VENDOR_HYGON	0x6f677948U	/* "Hygo", in EBX of leaf 00H */
#define HYPERVISOR	BIT(31)	/* leaf 01H, ECX */
#define HYBRID		BIT(15)	/* leaf 07H, EDX */

struct processor {
	unsigned int	vendor;		/* the first four letters of its name */
	unsigned int	family, model;
	bool		hypervisor;
};

static bool ask_processor(struct processor *cpu)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(0, &eax, &cpu->vendor, &ecx, &edx) ||
	    !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return false;
	cpu->family = (eax >> 8) & 0xf;
	cpu->model = (eax >> 4) & 0xf;
	if (cpu->family == 0x6 || cpu->family == 0xf)
		cpu->model |= (eax >> 12) & 0xf0;
	if (cpu->family == 0xf)
		cpu->family += (eax >> 20) & 0xff;
	cpu->hypervisor = ecx & HYPERVISOR;
	return true;
}

/* The types of cores have different PMUs: as in the kernel's part, none is used. */
static bool is_hybrid(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && edx & HYBRID;
}

static bool intel(struct perf_pmu *pmu, const struct processor *cpu)
{
	static const u64 no_extra[PFM_INTEL_NUM_EXTRA];
	static const struct pfm_intel_lbr no_lbr;
	static struct pfm_intel_pmu made;
	unsigned int eax, ebx, ecx, edx;
	struct pfm_intel_caps caps;

	if (is_hybrid() || !__get_cpuid(0xa, &eax, &ebx, &ecx, &edx))
		return false;
	caps = pfm_intel_cpuid_caps(eax, ecx, edx, cpu->hypervisor, false);
	if (!caps.version || !caps.num_gp || !caps.gp_width)
		return false;
	caps.fixed_mask &= BIT(PERF_INTEL_NUM_FIXED) - 1;
	pfm_intel_build(&made, caps, no_extra, &no_lbr);
	made.pmu.name = pfm_intel_find_model(cpu->family, cpu->model)->model;
	take_all(pmu, PERF_PMU_INTEL, &made.pmu);
	return true;
}

static bool amd(struct perf_pmu *pmu, const struct processor *cpu)
{
	unsigned int eax, ebx, ecx, edx, v2_eax = 0, v2_ebx = 0;
	static struct pfm_amd_pmu made;
	struct pfm_amd_caps caps;

	if (!__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx))
		return false;
	if (!__get_cpuid(0x80000022, &v2_eax, &v2_ebx, &eax, &edx))
		v2_eax = v2_ebx = 0;
	caps = pfm_amd_cpuid_caps(cpu->family, ecx, v2_eax, v2_ebx);
	if (!caps.num)
		return false;
	pfm_amd_build(&made, caps);
	take_all(pmu, PERF_PMU_AMD, &made.pmu);
	return true;
}

bool perf_tables_processor(struct perf_pmu *pmu)
{
	struct processor cpu;

	if (!ask_processor(&cpu))
		return false;
	if (cpu.vendor == signature_INTEL_ebx)
		return intel(pmu, &cpu);
	return (cpu.vendor == signature_AMD_ebx || cpu.vendor == VENDOR_HYGON) &&
	       amd(pmu, &cpu);
}

#else

bool perf_tables_processor(struct perf_pmu *pmu)
{
	(void)pmu;
	return false;
}

#endif
