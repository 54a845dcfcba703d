// SPDX-License-Identifier: GPL-2.0
/*
 * The meaning of the registers of x86 PMUs.
 *
 * Facts are from Intel's Software Developer's Manual, volume 4, "Architectural MSRs",
 * and volume 3, "Architectural Performance Monitoring", and from AMD's Programmer's
 * Manual, volume 2, "Core Performance Monitoring Counters".
 */
#include <string.h>

#include "pmu/constraints.h"
#include "pmu/emulated.h"
#include "pmu/extra_regs.h"
#include "pmu/names.h"
#include "pmu/periods.h"
#include "pmu/pmu.h"
#include "pmu/registers.h"

/* Intel: event selects and counters are consecutive; fixed counters share a control. */
#define MSR_INTEL_EVTSEL	0x186
#define MSR_INTEL_CTR		0xc1
#define MSR_INTEL_CTR_FULL	0x4c1	/* the same counters, written at full width */
#define MSR_INTEL_FIXED_CTRL	0x38d
#define MSR_INTEL_FIXED_CTR	0x309

/* AMD: four pairs since the K7, or six interleaved ones with PERFCTR_CORE. */
#define MSR_AMD_EVTSEL		0xc0010000
#define MSR_AMD_CTR		0xc0010004
#define MSR_AMD_EVTSEL_EXT	0xc0010200
#define MSR_AMD_CTR_EXT		0xc0010201

#define MAX_GENERAL		32
#define MAX_FIXED		16

/* Fields of an event select. */
#define SEL_EVENT		0x0000ffffULL	/* event and unit mask */
#define SEL_USR			(1ULL << 16)
#define SEL_OS			(1ULL << 17)
#define SEL_EDGE		(1ULL << 18)
#define SEL_PC			(1ULL << 19)
#define SEL_INT			(1ULL << 20)
#define SEL_ANY			(1ULL << 21)
#define SEL_EN			(1ULL << 22)
#define SEL_INV			(1ULL << 23)
#define SEL_CMASK		(0xffULL << 24)
#define SEL_AMD_EVENT_HIGH	(0xfULL << 32)

/* Bits that change the meaning of an event, apart from the privilege level. */
#define SEL_MODIFIERS	(SEL_EDGE | SEL_PC | SEL_ANY | SEL_INV | SEL_CMASK | (~0ULL << 32))

/* A fixed counter's four bits in the fixed control. */
#define FIXED_BITS		4
#define FIXED_OS		0x1ULL
#define FIXED_USR		0x2ULL

static void add_counter(struct pmu *pmu, const struct reg *pmc, const struct reg *pmd,
			unsigned int hw, bool fixed)
{
	struct counter *counter = &pmu->counters[pmu->ncounters];

	if (!pmc || !pmd || pmu->ncounters == MAX_COUNTERS)
		return;
	counter->pmc = pmc->num;
	counter->pmd = pmd->num;
	counter->hw = hw;
	counter->fixed = fixed;
	pmu->ncounters++;
}

static const struct reg *msr_pmc(const struct pmu *pmu, uint64_t msr)
{
	return reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_MSR, msr);
}

static const struct reg *msr_pmd(const struct pmu *pmu, uint64_t msr)
{
	return reg_at(pmu->pmds, pmu->npmds, PFM_REG_TYPE_MSR, msr);
}

static void find_intel(struct pmu *pmu)
{
	const struct reg *control = msr_pmc(pmu, MSR_INTEL_FIXED_CTRL);
	const struct reg *pmd;
	unsigned int i;

	for (i = 0; i < MAX_GENERAL; i++) {
		pmd = msr_pmd(pmu, MSR_INTEL_CTR + i);
		if (!pmd)
			pmd = msr_pmd(pmu, MSR_INTEL_CTR_FULL + i);
		add_counter(pmu, msr_pmc(pmu, MSR_INTEL_EVTSEL + i), pmd, i, false);
	}
	for (i = 0; i < MAX_FIXED; i++)
		add_counter(pmu, control, msr_pmd(pmu, MSR_INTEL_FIXED_CTR + i), i, true);
}

static void find_amd(struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < MAX_GENERAL; i++)
		add_counter(pmu, msr_pmc(pmu, MSR_AMD_EVTSEL_EXT + 2 * i),
			    msr_pmd(pmu, MSR_AMD_CTR_EXT + 2 * i), i, false);
	if (pmu->ncounters)
		return;
	for (i = 0; i < 4; i++)
		add_counter(pmu, msr_pmc(pmu, MSR_AMD_EVTSEL + i),
			    msr_pmd(pmu, MSR_AMD_CTR + i), i, false);
}

static bool x86_find_counters(struct pmu *pmu)
{
	find_intel(pmu);
	if (!pmu->ncounters)
		find_amd(pmu);
	return pmu->ncounters > 0;
}

static bool is_amd(const struct pmu *pmu)
{
	return pmu_find_pmc(pmu, pmu->counters[0].pmc)->index >= MSR_AMD_EVTSEL;
}

static uint64_t fixed_field(uint64_t control, const struct counter *counter)
{
	return (control >> (FIXED_BITS * counter->hw)) & (FIXED_OS | FIXED_USR);
}

static uint64_t x86_raw_counters(const struct pmu *pmu, unsigned int pmc, uint64_t value)
{
	uint64_t counters = 0;
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++) {
		if (pmu->counters[i].pmc != pmc)
			continue;
		if (!pmu->counters[i].fixed || fixed_field(value, &pmu->counters[i]))
			counters |= 1ULL << i;
	}
	return counters;
}

/*
 * The fixed counter that counts this event with the same meaning, or -1. Event selects
 * with event 0 are no events of the hardware: libpfm4, the kernel's perf_events and
 * the manual's tables use them to name a fixed counter.
 */
static int fixed_number(uint64_t code)
{
	if (code & SEL_MODIFIERS)
		return -1;
	switch (code & SEL_EVENT) {
	case 0x00c0: /* instructions retired */
		return 0;
	case 0x003c: /* core cycles while not halted */
		return 1;
	default:
		if (code & 0xff || !(code & 0xff00))
			return -1;
		return (int)((code & 0xff00) >> 8) - 1; /* 0x0300: reference cycles */
	}
}

/* libpfm4's name, or the kernel's where libpfm4 does not know the model. */
static const char *constrained_as(const struct pmu *pmu)
{
	return constraint_known(pmu->events) ? pmu->events : pmu->model;
}

static uint64_t x86_event_counters(const struct pmu *pmu, uint64_t code)
{
	const int fixed = is_amd(pmu) ? -1 : fixed_number(code);
	const bool pseudo = !is_amd(pmu) && !(code & 0xff) && (code & 0xff00);
	const uint64_t general = constraint_counters(constrained_as(pmu), code);
	uint64_t counters = 0;
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++) {
		const struct counter *counter = &pmu->counters[i];

		if (counter->fixed ? (int)counter->hw == fixed :
				     !pseudo && (general & (1ULL << counter->hw)))
			counters |= 1ULL << i;
	}
	return counters;
}

static const char *bit_name(unsigned int bit)
{
	switch (bit) {
	case 18:
		return "edge detection, modifier e";
	case 19:
		return "pin control";
	case 21:
		return "any thread of the core, modifier t";
	case 23:
		return "inversion, modifier i";
	case 40:
		return "guest only, modifier g";
	case 41:
		return "host only, modifier h";
	default:
		return bit >= 24 && bit < 32 ? "counter mask, modifier c" : "reserved";
	}
}

/*
 * The kernel sets reserved bits to their default without a message. An event that
 * needs one would count something else, so it is refused here. INT is the kernel's.
 */
static bool x86_check(const struct pmu *pmu, const char *name, uint64_t code,
		      uint64_t counters, struct problem *why)
{
	const char *refusal = constraint_refusal(constrained_as(pmu), code);
	const struct reg *pmc;
	unsigned int i, bit;
	uint64_t lost;

	if (!core_types_check(&pmu->cores, name, code, why) || !emulated_check(name, code, why))
		return false;
	if (refusal)
		return problem(why, "event %s: it %s", name, refusal);
	for (i = 0; i < pmu->ncounters; i++) {
		if (pmu->counters[i].fixed || !(counters & (1ULL << i)))
			continue;
		pmc = pmu_find_pmc(pmu, pmu->counters[i].pmc);
		lost = (code ^ pmc->def_value) & pmc->rsvd_mask & ~SEL_INT;
		if (!lost)
			continue;
		bit = (unsigned int)__builtin_ctzll(lost);
		problem(why, "event %s: bit %u (%s) cannot be set on this PMU", name, bit,
			bit_name(bit));
		return problem_hint(why, "Leave the modifier out. `pfmon info` shows the reserved bits of %s.",
				    pmc->name);
	}
	return true;
}

static uint64_t x86_program(const struct pmu *pmu, const struct counter *counter,
			    uint64_t code, uint64_t value)
{
	uint64_t field = 0;

	(void)pmu;
	if (!counter->fixed)
		return code | SEL_EN;
	if (code & SEL_USR)
		field |= FIXED_USR;
	if (code & SEL_OS)
		field |= FIXED_OS;
	return value | field << (FIXED_BITS * counter->hw);
}

static unsigned int x86_levels(uint64_t code)
{
	return ((code & SEL_USR) ? LEVEL_USER : 0) | ((code & SEL_OS) ? LEVEL_KERNEL : 0);
}

/* For the fixed control: the levels of all its counters together. */
static unsigned int x86_raw_levels(const struct pmu *pmu, unsigned int pmc, uint64_t value)
{
	unsigned int i, levels = 0;
	uint64_t field;

	for (i = 0; i < pmu->ncounters; i++) {
		if (pmu->counters[i].pmc != pmc)
			continue;
		if (!pmu->counters[i].fixed)
			return (value & SEL_EN) ? x86_levels(value) : 0;
		field = fixed_field(value, &pmu->counters[i]);
		levels |= ((field & FIXED_USR) ? LEVEL_USER : 0) |
			  ((field & FIXED_OS) ? LEVEL_KERNEL : 0);
	}
	return levels;
}

static enum event_kind x86_kind(const struct pmu *pmu, uint64_t code)
{
	static const struct {
		unsigned int	intel, amd;
		enum event_kind	kind;
	} kinds[] = {
		{ 0x003c, 0x0076, KIND_CYCLES },
		{ 0x0300, 0x0300, KIND_REF_CYCLES },
		{ 0x00c0, 0x00c0, KIND_INSTRUCTIONS },
		{ 0x00c4, 0x00c2, KIND_BRANCHES },
		{ 0x00c5, 0x00c3, KIND_BRANCH_MISSES },
	};
	const bool amd = is_amd(pmu);
	size_t i;

	if (code & SEL_MODIFIERS)
		return KIND_OTHER;
	for (i = 0; i < COUNT(kinds); i++)
		if ((code & SEL_EVENT) == (amd ? kinds[i].amd : kinds[i].intel))
			return kinds[i].kind;
	return KIND_OTHER;
}

/* As /sys/bus/event_source/devices/cpu/format has them; and "event". */
static const struct {
	const char	*name;
	unsigned int	shift;
	uint64_t	max;
} fields[] = {
	{ "umask", 8, 0xff }, { "edge", 18, 1 }, { "pc", 19, 1 }, { "any", 21, 1 },
	{ "inv", 23, 1 }, { "cmask", 24, 0xff },
};

static bool x86_config_field(const char *field, uint64_t value, uint64_t *config)
{
	size_t i;

	if (!strcmp(field, "event")) { /* AMD's has four bits more */
		*config |= (value & 0xff) | (value & 0xf00) << 24;
		return value <= 0xfff;
	}
	for (i = 0; i < COUNT(fields); i++) {
		if (strcmp(field, fields[i].name))
			continue;
		*config |= value << fields[i].shift;
		return value <= fields[i].max;
	}
	return false;
}

/* perf has its own fields for the levels and for the bits that enable a counter. */
static uint64_t x86_from_config(const struct pmu *pmu, uint64_t config, unsigned int levels)
{
	(void)pmu;
	config &= ~(SEL_USR | SEL_OS | SEL_INT | SEL_EN);
	return config | (levels & LEVEL_USER ? SEL_USR : 0) | (levels & LEVEL_KERNEL ? SEL_OS : 0) |
	       SEL_INT | SEL_EN;
}

static uint64_t x86_to_config(uint64_t code)
{
	return code & ~(SEL_USR | SEL_OS | SEL_INT | SEL_EN);
}

static void x86_config_fields(uint64_t config, char *text, size_t size)
{
	uint64_t value;
	size_t i;

	append(text, size, "event=%#llx",
	       (unsigned long long)((config & 0xff) | (config >> 24 & 0xf00)));
	for (i = 0; i < COUNT(fields); i++) {
		value = config >> fields[i].shift & fields[i].max;
		if (value)
			append(text, size, ",%s=%#llx", fields[i].name, (unsigned long long)value);
	}
}

static const char *const x86_default_events[] = {
	"cycles", "instructions", "ref-cycles", "branches", "branch-misses", "loads", "stores", NULL
};

const struct pmu_arch pmu_x86 = {
	.find_counters	= x86_find_counters,
	.names		= names_find,
	.encode		= names_encode,
	.config_field	= x86_config_field,
	.from_config	= x86_from_config,
	.second_register = extra_regs_find,
	.to_config	= x86_to_config,
	.config_fields	= x86_config_fields,
	.default_events	= x86_default_events,
	.default_sample_event = "cycles",
	.raw_counters	= x86_raw_counters,
	.event_counters	= x86_event_counters,
	.check		= x86_check,
	.period_limit	= period_limit_of,
	.program	= x86_program,
	.levels		= x86_levels,
	.raw_levels	= x86_raw_levels,
	.kind		= x86_kind,
	.kernel_code	= SEL_OS | 0x3c,
};
