// SPDX-License-Identifier: GPL-2.0
/*
 * The meaning of the registers of POWER8 to POWER10. Each counter has a control register of
 * its own, CTLn, which the kernel composes from its parts of MMCR1 and MMCR2: see
 * Documentation/powerpc-registers.md. libpfm4 has the names and codes of the events, but
 * neither levels nor modifiers: an encoding is a unified code (power_codes.h) with the
 * levels above it.
 *
 * Facts are from the Power ISA, Book III, "Performance Monitor Facility", and from the
 * POWER8, POWER9 and POWER10 Performance Monitor Unit User's Guides.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "pmu/emulated.h"
#include "pmu/levels.h"
#include "pmu/names.h"
#include "pmu/pmu.h"
#include "pmu/power_codes.h"
#include "pmu/registers.h"

#define SPR_PMC1	787

/* Fields of CTLn. The combine field of POWER8 is its lower bit alone. */
#define CTL_EVENT	0x00ffULL
#define CTL_UNIT	0x0f00ULL
#define CTL_COMBINE	0x3000ULL
#define CTL_COMBINE_2	0x2000ULL
#define CTL_USR		(1ULL << 16)
#define CTL_OS		(1ULL << 17)

static bool power_find_counters(struct pmu *pmu)
{
	const struct reg *pmc, *pmd;
	unsigned int n;

	for (n = 0; n < POWER_COUNTERS; n++) {
		pmc = reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_PMC, n + 1);
		pmd = reg_at(pmu->pmds, pmu->npmds, PFM_REG_TYPE_SPR, SPR_PMC1 + n);
		if (!pmc || !pmd)
			continue;
		pmu->counters[pmu->ncounters++] = (struct counter){
			.pmc = pmc->num, .pmd = pmd->num, .hw = n,
			.fixed = n >= POWER_WITH_EVENT,
		};
	}
	return pmu->ncounters > 0;
}

/* Distance of the combine field of a code from that of CTLn. */
static unsigned int combine_shift(const struct pmu *pmu)
{
	const struct reg *ctl = pmu_find_pmc(pmu, pmu->counters[0].pmc);

	return ctl->rsvd_mask & CTL_COMBINE_2 ? 1 : 2;
}

/* The bits of a code that fit into CTLn, and the counter's number. */
static uint64_t code_mask(const struct pmu *pmu)
{
	const uint64_t combine = (CTL_COMBINE >> combine_shift(pmu)) & POWER_CODE_COMBINE;

	return POWER_CODE_EVENT | POWER_CODE_UNIT | POWER_CODE_PMC | combine;
}

static uint64_t level_bits(unsigned int levels)
{
	return (levels & LEVEL_USER ? POWER_CODE_USR : 0) | (levels & LEVEL_KERNEL ? POWER_CODE_OS : 0);
}

/* The event code is the whole of perf's attr.config. */
static bool power_config_field(const char *field, uint64_t value, uint64_t *config)
{
	if (strcmp(field, "event"))
		return false;
	*config |= value;
	return true;
}

static uint64_t power_from_config(const struct pmu *pmu, uint64_t config, unsigned int levels)
{
	(void)pmu;
	return power_code_unify(config) | level_bits(levels);
}

static uint64_t power_to_config(uint64_t code)
{
	return code & ~POWER_CODE_LEVELS;
}

static void power_config_fields(uint64_t config, char *text, size_t size)
{
	append(text, size, "event=%#llx", (unsigned long long)config);
}

static unsigned int power_levels(uint64_t code)
{
	return (code & POWER_CODE_USR ? LEVEL_USER : 0) | (code & POWER_CODE_OS ? LEVEL_KERNEL : 0);
}

/* The beginning of the modifiers of "EVENT:u" or "power9::EVENT:u". */
static const char *find_modifiers(const char *name)
{
	const char *prefix = strstr(name, "::");

	if (prefix)
		name = prefix + 2;
	return name + strcspn(name, ":");
}

/* pfmon writes the registers of all counters only where the user gives raw values. */
static bool no_shared_register(const char *name, uint64_t bits, struct problem *why)
{
	problem(why, "event %s: the bits %#llx of its code are for registers that all counters share",
		name, (unsigned long long)bits);
	return problem_hint(why, "Marked events, thresholds and selected sources need MMCR1, MMCR3 or MMCRA.\n"
				 "These can be written as raw values only: -e pmcN=0x...");
}

static bool encode_base(const struct pmu *pmu, const char *name, unsigned int levels,
			struct encoding *encoding, struct problem *why)
{
	uint64_t shared;

	if (!names_encode(pmu, name, levels, encoding, why))
		return false;
	shared = encoding->code & ~code_mask(pmu);
	if (shared)
		return no_shared_register(name, shared, why);
	encoding->code = power_code_unify(encoding->code) | level_bits(levels);
	append(encoding->full, sizeof(encoding->full), ":k=%d:u=%d",
	       levels & LEVEL_KERNEL ? 1 : 0, levels & LEVEL_USER ? 1 : 0);
	return true;
}

/* "EVENT", "EVENT:u" or "EVENT:k". */
static bool power_encode(const struct pmu *pmu, const char *name, unsigned int levels,
			 struct encoding *encoding, struct problem *why)
{
	const char *modifiers = find_modifiers(name);
	char *base;
	bool ok;

	if (*modifiers) {
		levels = levels_parse(modifiers);
		if (!levels) {
			problem(why, "event %s: it has no such modifier", name);
			return problem_hint(why, "There are :u, user level, and :k, kernel level.");
		}
	}
	base = xasprintf("%.*s", (int)(modifiers - name), name);
	ok = encode_base(pmu, base, levels, encoding, why);
	free(base);
	return ok;
}

static const struct counter *counter_of(const struct pmu *pmu, unsigned int pmc)
{
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++)
		if (pmu->counters[i].pmc == pmc)
			return &pmu->counters[i];
	return NULL;
}

/* Without an event the first four counters count nothing, and without a level none does. */
static unsigned int power_raw_levels(const struct pmu *pmu, unsigned int pmc, uint64_t value)
{
	const struct counter *counter = counter_of(pmu, pmc);

	if (!counter || (!counter->fixed && !(value & CTL_EVENT)))
		return 0;
	return (value & CTL_USR ? LEVEL_USER : 0) | (value & CTL_OS ? LEVEL_KERNEL : 0);
}

static uint64_t power_raw_counters(const struct pmu *pmu, unsigned int pmc, uint64_t value)
{
	if (!power_raw_levels(pmu, pmc, value))
		return 0;
	return 1ULL << (counter_of(pmu, pmc) - pmu->counters);
}

static uint64_t power_raw_code(const struct pmu *pmu, const struct counter *counter,
			       uint64_t value)
{
	const uint64_t code = (value & CTL_EVENT) | (value & CTL_UNIT) << 4 |
			      (value & CTL_COMBINE) >> combine_shift(pmu) |
			      (uint64_t)(counter->hw + 1) << 16;

	return power_code_unify(code) | level_bits(power_raw_levels(pmu, counter->pmc, value));
}

static uint64_t power_event_counters(const struct pmu *pmu, uint64_t code)
{
	const unsigned int possible = power_code_counters(code & ~POWER_CODE_LEVELS);
	uint64_t counters = 0;
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++)
		if (possible & 1U << pmu->counters[i].hw)
			counters |= 1ULL << i;
	return counters;
}

static bool power_check(const struct pmu *pmu, const char *name, uint64_t code,
			uint64_t counters, struct problem *why)
{
	(void)pmu;
	(void)counters;
	return emulated_check(name, code, why);
}

static uint64_t power_program(const struct pmu *pmu, const struct counter *counter,
			      uint64_t code, uint64_t value)
{
	(void)value;
	value = (code & POWER_CODE_USR ? CTL_USR : 0) | (code & POWER_CODE_OS ? CTL_OS : 0);
	if (counter->fixed)
		return value;
	return value | (code & POWER_CODE_EVENT) | (code & POWER_CODE_UNIT) >> 4 |
	       (code & POWER_CODE_COMBINE) << combine_shift(pmu);
}

static enum event_kind power_kind(const struct pmu *pmu, uint64_t code)
{
	static const struct {
		uint64_t	code;
		enum event_kind	kind;
	} kinds[] = {
		{ 0x0001e, KIND_CYCLES },
		{ 0x200f4, KIND_CYCLES },		/* while the run latch is set */
		{ 0x00002, KIND_INSTRUCTIONS },
		{ 0x400fa, KIND_INSTRUCTIONS },		/* the same */
		{ 0x40060, KIND_BRANCHES },		/* POWER8 */
		{ 0x4d05e, KIND_BRANCHES },		/* POWER9, POWER10 */
		{ 0x400f6, KIND_BRANCH_MISSES },
	};
	size_t i;

	(void)pmu;
	for (i = 0; i < COUNT(kinds); i++)
		if ((code & ~POWER_CODE_LEVELS) == kinds[i].code)
			return kinds[i].kind;
	return KIND_OTHER;
}

/* The first two count on PMC6 and PMC5, too, which leaves the others the first four. */
static const char *const power_default_events[] = {
	"PM_RUN_CYC", "PM_RUN_INST_CMPL", "branches", "branch-misses", "loads", "stores", NULL
};

const struct pmu_arch pmu_power = {
	.find_counters	= power_find_counters,
	.names		= names_find,
	.encode		= power_encode,
	.default_events	= power_default_events,
	.default_sample_event = "cycles",
	.raw_counters	= power_raw_counters,
	.raw_code	= power_raw_code,
	.event_counters	= power_event_counters,
	.check		= power_check,
	.program	= power_program,
	.config_field	= power_config_field,
	.from_config	= power_from_config,
	.to_config	= power_to_config,
	.config_fields	= power_config_fields,
	.levels		= power_levels,
	.raw_levels	= power_raw_levels,
	.kind		= power_kind,
	.kernel_code	= POWER_CODE_OS | 0x1e,
};
