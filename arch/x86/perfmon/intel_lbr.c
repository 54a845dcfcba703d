// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: Intel's last branch records.
 *
 * The processor keeps the sources and targets of its last branches in a ring of
 * registers, and the index of the latest entry in another register. PMDs are the records
 * in the order of their age. They are part of the set: saved and loaded with it. So no
 * thread sees another thread's branches, as long as nothing is recorded between a stop
 * and the next start.
 *
 * The bit that enables recording is in IA32_DEBUGCTL, among bits with other owners: here
 * the register is read, modified and written with interrupts off, or in the PMU's
 * interrupt, an NMI. The NMI may interrupt the kernel's own read-modify-write for ptrace's
 * block stepping, which then sets our bits to their values before the NMI, until the next
 * stop or start. If that enables recording, a start finds the bit set and discards the records.
 * The reverse cannot happen: no other write is between our read and write.
 *
 * Architectural records have no ring: the first register is always the latest record. They
 * are enabled by a register of their own, IA32_LBR_CTL.
 *
 * Beside its addresses a record has flags: if the branch was predicted, the cycles since the branch
 * before. They are in a register of their own, or in upper bits of the addresses. PMDs do not have
 * them, so they are lost when the records are saved. After a load they must not be taken from the
 * registers: flags of their own are cleared with each load, so that 0 are no flags; of the others,
 * the loaded values are kept, and a record with these values has no flags.
 *
 * Facts: Intel SDM volume 3B, chapter "Debug, Branch Profile, TSC...": last branch
 * recording, by microarchitecture; chapter "Last Branch Records"; IA32_PERF_CAPABILITIES;
 * volume 2A, CPUID leaf 1CH; volume 4, the tables of MSRs.
 */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/perfmon_branch.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
#include "intel_extra.h"
#include "intel_lbr.h"
#include "msr.h"

#define OURS		(PFM_INTEL_DEBUGCTL_LBR | PFM_INTEL_DEBUGCTL_FREEZE)
#define SELECT		(PFM_INTEL_EXTRA + PFM_INTEL_LBR_SELECT)

/* IA32_PERF_CAPABILITIES: format of a record; 0: the old one, with 32 bits */
#define FORMAT		0x3f
#define FORMAT_FIRST	1
#define FORMAT_FLAGS	3	/* misprediction, in the source */
#define FORMAT_TSX	4	/* ... and transactions */
#define FORMAT_INFO	5	/* these and cycles, in MSR_LBR_INFO_x */
#define FORMAT_CYCLES	6	/* misprediction in the source, cycles in the target */
#define FORMAT_LAST	7	/* misprediction and cycles, in MSR_LBR_INFO_x */

#define RING_INFO	0xdc0
#define ARCH_INFO	0x1200

/* Flags, in the source or in MSR_LBR_INFO_x, and the other bits of that. */
#define MISPREDICTED	BIT_ULL(63)
#define IN_TSX		BIT_ULL(62)
#define TSX_ABORT	BIT_ULL(61)
#define CYCLES_VALID	BIT_ULL(60)
#define CYCLES		GENMASK_ULL(15, 0)

#define TO_CYCLES_SHIFT	48

/* CPUID leaf 1CH, EAX: a bit for each possible number of records, in eights */
#define DEPTHS		0xff

/* ... and ECX: parts that the records have */
#define PART_PREDICTION	BIT(0)
#define PART_CYCLES	BIT(1)

static_assert(PFM_INTEL_MSR_DEBUGCTL == MSR_IA32_DEBUGCTLMSR);
static_assert(PFM_INTEL_MSR_LBR_CTL == MSR_ARCH_LBR_CTL);
static_assert(PFM_INTEL_LBR_CTL_EN == ARCH_LBR_CTL_LBREN);
static_assert(PFM_INTEL_LBR_CTL_EN == PFM_INTEL_DEBUGCTL_LBR);
static_assert(PFM_INTEL_DEBUGCTL_LBR == DEBUGCTLMSR_LBR);
static_assert(PFM_INTEL_DEBUGCTL_FREEZE == DEBUGCTLMSR_FREEZE_LBRS_ON_PMI);

struct pfm_intel_lbr pfm_intel_lbr __ro_after_init;

/* The loaded set records branches into the kernel, and may see its addresses. */
static DEFINE_PER_CPU(bool, pfm_intel_lbr_kernel);

/* Addresses that were loaded into the records, by register. */
struct pfm_intel_lbr_loaded {
	u64	from[PFM_BRANCHES_MAX];
	u64	to[PFM_BRANCHES_MAX];
};

static DEFINE_PER_CPU(struct pfm_intel_lbr_loaded, pfm_intel_lbr_loaded);

static bool pfm_intel_probe_debugctl(u64 bits)
{
	u64 old, got;

	if (pfm_rdmsr_safe(PFM_INTEL_MSR_DEBUGCTL, &old) ||
	    pfm_wrmsr_safe(PFM_INTEL_MSR_DEBUGCTL, old | bits) ||
	    pfm_rdmsr_safe(PFM_INTEL_MSR_DEBUGCTL, &got))
		return false;
	return !pfm_wrmsr_safe(PFM_INTEL_MSR_DEBUGCTL, old) && (got & bits) == bits;
}

/* A hypervisor may implement fewer records than the processor. */
static bool pfm_intel_probe_records(const struct pfm_intel_lbr *lbr)
{
	unsigned int last = lbr->entries - 1;

	return pfm_intel_probe_bits(lbr->from, 0x3) == 0x3 &&
	       pfm_intel_probe_bits(lbr->from + last, 0x3) == 0x3 &&
	       pfm_intel_probe_bits(lbr->to, 0x3) == 0x3 &&
	       pfm_intel_probe_bits(lbr->to + last, 0x3) == 0x3;
}

/**
 * pfm_intel_probe_lbr() - Is the model's ring of branch records there?
 * @lbr: the model's records; false if these are architectural ones, or none
 * @perf_caps: IA32_PERF_CAPABILITIES, 0 when there is none
 * @pt: the processor has processor trace
 *
 * Context: interrupts off.
 */
bool pfm_intel_probe_lbr(const struct pfm_intel_lbr *lbr, u64 perf_caps, bool pt)
{
	unsigned int format = perf_caps & FORMAT;
	u64 tos;

	if (!lbr->entries || lbr->ctl || format < FORMAT_FIRST || format > FORMAT_LAST)
		return false;
	if (lbr->no_pt && pt)
		return false;
	return !pfm_rdmsr_safe(MSR_LBR_TOS, &tos) && pfm_intel_probe_records(lbr) &&
	       pfm_intel_probe_debugctl(OURS);
}

/**
 * pfm_intel_probe_arch_lbr() - Are the architectural branch records there?
 * @lbr: the most that a processor has; set to this processor's
 * @depths: a bit for each possible number of records, in eights: CPUID leaf 1CH, EAX
 *
 * Context: interrupts off.
 */
bool pfm_intel_probe_arch_lbr(struct pfm_intel_lbr *lbr, u32 depths)
{
	const u64 needed = PFM_INTEL_LBR_CTL_EN | PFM_INTEL_LBR_CTL_OS | PFM_INTEL_LBR_CTL_USR;

	lbr->entries = 8 * fls(depths & DEPTHS);
	if (!lbr->ctl || !lbr->entries || pfm_wrmsr_safe(MSR_ARCH_LBR_DEPTH, lbr->entries))
		return false;
	lbr->ctl = pfm_intel_probe_bits(PFM_INTEL_MSR_LBR_CTL, lbr->ctl);
	/* Without the filter by level, every user would record the kernel. */
	return (lbr->ctl & needed) == needed && pfm_intel_probe_records(lbr) &&
	       pfm_intel_probe_debugctl(PFM_INTEL_DEBUGCTL_FREEZE);
}

static void pfm_intel_lbr_ring_flags(struct pfm_intel_lbr *lbr, unsigned int format)
{
	if (format >= FORMAT_FLAGS)
		lbr->flags = MISPREDICTED;
	if (format == FORMAT_TSX || format == FORMAT_INFO)
		lbr->flags |= IN_TSX | TSX_ABORT;
	if (format == FORMAT_CYCLES)
		lbr->cycles = PFM_INTEL_LBR_TO_CYCLES;
	if (format != FORMAT_INFO && format != FORMAT_LAST)
		return;
	lbr->info = RING_INFO;
	lbr->cycles = PFM_INTEL_LBR_INFO_CYCLES;
}

static void pfm_intel_lbr_arch_flags(struct pfm_intel_lbr *lbr, u32 parts)
{
	lbr->info = ARCH_INFO;
	lbr->flags = IN_TSX | TSX_ABORT;
	if (parts & PART_PREDICTION)
		lbr->flags |= MISPREDICTED;
	if (parts & PART_CYCLES)
		lbr->cycles = PFM_INTEL_LBR_VALID_CYCLES;
}

/**
 * pfm_intel_probe_lbr_flags() - Which flags have the branch records?
 * @lbr: the records that were found; their flags are set
 * @perf_caps: IA32_PERF_CAPABILITIES
 * @parts: parts of architectural records: CPUID leaf 1CH, ECX
 *
 * Context: interrupts off.
 */
void pfm_intel_probe_lbr_flags(struct pfm_intel_lbr *lbr, u64 perf_caps, u32 parts)
{
	if (lbr->ctl)
		pfm_intel_lbr_arch_flags(lbr, parts);
	else
		pfm_intel_lbr_ring_flags(lbr, perf_caps & FORMAT);
	/* A hypervisor may leave them out. */
	if (!lbr->info ||
	    (pfm_intel_probe_bits(lbr->info, 1) == 1 &&
	     pfm_intel_probe_bits(lbr->info + lbr->entries - 1, 1) == 1))
		return;
	lbr->info = 0;
	lbr->flags = 0;
	lbr->cycles = PFM_INTEL_LBR_NO_CYCLES;
}

/* One PMC or the other switches records on, by the same bit. */
static bool pfm_intel_lbr_is_on(const struct pfm_regs *regs)
{
	unsigned int pmc = pfm_intel_lbr.ctl ? PFM_INTEL_LBR_CTL : PFM_INTEL_DEBUGCTL;

	return pfm_bv_test(regs->used_pmcs, pmc) && (regs->pmcs[pmc] & PFM_INTEL_LBR_CTL_EN);
}

/* Records that are PMDs. */
static unsigned int pfm_intel_lbr_records(void)
{
	return min_t(unsigned int, pfm_intel_lbr.entries, PFM_INTEL_MAX_LBR);
}

static void pfm_intel_lbr_prepare(struct pfm_regs *regs)
{
	unsigned int n = pfm_intel_lbr_records();

	if (pfm_intel_lbr_is_on(regs))
		regs->live_pmds |= GENMASK_ULL(n - 1, 0) << PFM_INTEL_LBR_FROM |
				   GENMASK_ULL(n - 1, 0) << PFM_INTEL_LBR_TO;
}

static void pfm_intel_lbr_clear(void)
{
	unsigned int i;

	for (i = 0; i < pfm_intel_lbr.entries; i++) {
		pfm_wrmsr(pfm_intel_lbr.from + i, 0);
		pfm_wrmsr(pfm_intel_lbr.to + i, 0);
		if (pfm_intel_lbr.info)
			pfm_wrmsr(pfm_intel_lbr.info + i, 0);
	}
}

static void pfm_intel_arch_lbr_start(const struct pfm_regs *regs)
{
	u64 ctl = regs->pmcs[PFM_INTEL_LBR_CTL];

	__this_cpu_write(pfm_intel_lbr_kernel, ctl & PFM_INTEL_LBR_CTL_OS);
	pfm_wrmsr(PFM_INTEL_MSR_DEBUGCTL,
		  pfm_rdmsr(PFM_INTEL_MSR_DEBUGCTL) | PFM_INTEL_DEBUGCTL_FREEZE);
	pfm_wrmsr(PFM_INTEL_MSR_LBR_CTL, ctl);
}

static void pfm_intel_ring_start(const struct pfm_regs *regs)
{
	u64 select = pfm_bv_test(regs->used_pmcs, SELECT) ? regs->pmcs[SELECT] : 0;
	u64 ctl = pfm_rdmsr(PFM_INTEL_MSR_DEBUGCTL);

	if (ctl & PFM_INTEL_DEBUGCTL_LBR) {
		ctl &= ~OURS;
		pfm_wrmsr(PFM_INTEL_MSR_DEBUGCTL, ctl);
		pfm_intel_lbr_clear();
	}
	__this_cpu_write(pfm_intel_lbr_kernel, select & PFM_INTEL_LBR_KERNEL);
	/* Other bits than perfmon's are reserved in the PMC, and 0. */
	pfm_wrmsr(PFM_INTEL_MSR_DEBUGCTL, ctl | regs->pmcs[PFM_INTEL_DEBUGCTL]);
}

/* No counter counts yet, so that none freezes the records meanwhile. */
static void pfm_intel_lbr_start(const struct pfm_regs *regs)
{
	if (pfm_intel_lbr.ctl)
		pfm_intel_arch_lbr_start(regs);
	else
		pfm_intel_ring_start(regs);
}

static void pfm_intel_lbr_stop(const struct pfm_regs *regs)
{
	u64 ctl;

	if (pfm_intel_lbr.ctl)
		pfm_wrmsr(PFM_INTEL_MSR_LBR_CTL, 0);
	ctl = pfm_rdmsr(PFM_INTEL_MSR_DEBUGCTL);
	/* Also when the interrupt has cleared one of the bits, before version 4. */
	if (ctl & OURS)
		pfm_wrmsr(PFM_INTEL_MSR_DEBUGCTL, ctl & ~OURS);
}

/* Stop recording, and forget earlier branches. */
static void pfm_intel_lbr_init_cpu(void)
{
	pfm_intel_lbr_stop(NULL);
	if (pfm_intel_lbr.ctl)
		pfm_wrmsr(MSR_ARCH_LBR_DEPTH, pfm_intel_lbr.entries);
}

/* The first register of the records, or of the ring, that has the latest one. */
static unsigned int pfm_intel_lbr_latest(void)
{
	return pfm_intel_lbr.ctl ? 0 : pfm_rdmsr(MSR_LBR_TOS);
}

/* The register of the record of this age, 0 the latest. */
static unsigned int pfm_intel_lbr_entry(unsigned int latest, unsigned int age)
{
	return pfm_intel_lbr.ctl ? age : (latest - age) & (pfm_intel_lbr.entries - 1);
}

static bool pfm_intel_lbr_is_to(unsigned int pmd)
{
	return pmd >= PFM_INTEL_LBR_TO;
}

/* The register that holds the PMD now. */
static unsigned int pfm_intel_lbr_entry_of(unsigned int pmd)
{
	unsigned int first = pfm_intel_lbr_is_to(pmd) ? PFM_INTEL_LBR_TO : PFM_INTEL_LBR_FROM;

	return pfm_intel_lbr_entry(pfm_intel_lbr_latest(), pmd - first);
}

/*
 * The address of a record, in the canonical form for this kernel's page tables: writing
 * other values faults. On some models so does writing the flags in the upper bits
 * (misprediction, transaction, cycles).
 */
static u64 pfm_intel_lbr_address(u64 value)
{
	return sign_extend64(value, __VIRTUAL_MASK_SHIFT);
}

static void pfm_intel_lbr_write_pmd(unsigned int pmd, u64 value)
{
	struct pfm_intel_lbr_loaded *loaded = this_cpu_ptr(&pfm_intel_lbr_loaded);
	unsigned int entry = pfm_intel_lbr_entry_of(pmd);
	u64 address = pfm_intel_lbr_address(value);

	if (pfm_intel_lbr_is_to(pmd)) {
		pfm_wrmsr(pfm_intel_lbr.to + entry, address);
		loaded->to[entry] = address;
		return;
	}
	pfm_wrmsr(pfm_intel_lbr.from + entry, address);
	loaded->from[entry] = address;
	if (pfm_intel_lbr.info)
		pfm_wrmsr(pfm_intel_lbr.info + entry, 0);
}

/*
 * A return to user mode has its target there but its source in the kernel, whose addresses
 * are secret: a set that does not record the kernel sees 0.
 */
static u64 pfm_intel_lbr_shown(u64 value)
{
	u64 address = pfm_intel_lbr_address(value);

	return __this_cpu_read(pfm_intel_lbr_kernel) || address < TASK_SIZE_MAX ? address : 0;
}

static u64 pfm_intel_lbr_read_pmd(unsigned int pmd)
{
	u32 first = pfm_intel_lbr_is_to(pmd) ? pfm_intel_lbr.to : pfm_intel_lbr.from;

	return pfm_intel_lbr_shown(pfm_rdmsr(first + pfm_intel_lbr_entry_of(pmd)));
}

/* True if the registers have been loaded, or may have been, since the processor wrote them. */
static bool pfm_intel_lbr_is_loaded(unsigned int entry, u64 from, u64 to, u64 info)
{
	const struct pfm_intel_lbr_loaded *loaded = this_cpu_ptr(&pfm_intel_lbr_loaded);

	if (pfm_intel_lbr.info)
		return !info;
	return from == loaded->from[entry] && to == loaded->to[entry];
}

static u32 pfm_intel_lbr_flags(u64 bits)
{
	u32 flags = 0;

	if (pfm_intel_lbr.flags & MISPREDICTED)
		flags = bits & MISPREDICTED ? PFM_BRANCH_MISPREDICTED : PFM_BRANCH_PREDICTED;
	bits &= pfm_intel_lbr.flags;
	if (bits & IN_TSX)
		flags |= PFM_BRANCH_IN_TRANSACTION;
	if (bits & TSX_ABORT)
		flags |= PFM_BRANCH_ABORT;
	return flags;
}

static void pfm_intel_lbr_add_cycles(u64 target, u64 info, struct pfm_branch *to)
{
	u8 place = pfm_intel_lbr.cycles;

	if (place == PFM_INTEL_LBR_NO_CYCLES ||
	    (place == PFM_INTEL_LBR_VALID_CYCLES && !(info & CYCLES_VALID)))
		return;
	to->flags |= PFM_BRANCH_CYCLES;
	to->cycles = place == PFM_INTEL_LBR_TO_CYCLES ? target >> TO_CYCLES_SHIFT : info & CYCLES;
}

/* A record with an address that is secret has no flags: they are the kernel's. */
static void pfm_intel_lbr_record(unsigned int entry, struct pfm_branch *to)
{
	u64 from = pfm_rdmsr(pfm_intel_lbr.from + entry);
	u64 target = pfm_rdmsr(pfm_intel_lbr.to + entry);
	u64 info = pfm_intel_lbr.info ? pfm_rdmsr(pfm_intel_lbr.info + entry) : 0;

	*to = (struct pfm_branch) {
		.from = pfm_intel_lbr_shown(from), .to = pfm_intel_lbr_shown(target),
	};
	if (!to->from || !to->to || pfm_intel_lbr_is_loaded(entry, from, target, info))
		return;
	to->flags = pfm_intel_lbr_flags(pfm_intel_lbr.info ? info : from);
	pfm_intel_lbr_add_cycles(target, info, to);
}

/* The registers of branches that were not taken yet are 0, and the last ones. */
static unsigned int pfm_intel_lbr_branches(unsigned int max, struct pfm_branch *to)
{
	unsigned int latest = pfm_intel_lbr_latest(), found = 0, age;

	max = min(max, pfm_intel_lbr_records());
	for (age = 0; age < max; age++) {
		pfm_intel_lbr_record(pfm_intel_lbr_entry(latest, age), &to[age]);
		if (to[age].from || to[age].to)
			found = age + 1;
	}
	return found;
}

/* The registers that switch the records on are loaded by the start only. */
const struct pfm_bank pfm_intel_lbr_bank = {
	.name		= "LBR",
	.pmc		= PFM_INTEL_DEBUGCTL,
	.end_pmc	= PFM_INTEL_NUM_PMCS,
	.pmd		= PFM_INTEL_LBR_FROM,
	.end_pmd	= PFM_INTEL_NUM_PMDS,
	.init_cpu	= pfm_intel_lbr_init_cpu,
	.prepare	= pfm_intel_lbr_prepare,
	.start		= pfm_intel_lbr_start,
	.stop		= pfm_intel_lbr_stop,
	.write_pmd	= pfm_intel_lbr_write_pmd,
	.read_pmd	= pfm_intel_lbr_read_pmd,
	.branches	= pfm_intel_lbr_branches,
};
