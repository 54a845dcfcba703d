// SPDX-License-Identifier: GPL-2.0
/* pmcN=0x...: register values, as they are written into the PMCs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>

#include "events/raw.h"
#include "explain.h"
#include "pmu/emulated.h"
#include "pmu/registers.h"

bool is_raw(const char *text)
{
	return !strncasecmp(text, "pmc", 3) && isdigit((unsigned char)text[3]) &&
	       strchr(text, '=');
}

/* The number and the value. False: @why states the mistake. */
static bool raw_parse(const char *text, const struct pmu *pmu, struct raw_pmc *raw,
		      struct problem *why)
{
	const char *equals = strchr(text, '=');
	uint64_t num = 0;
	const char *p;

	for (p = text + 3; isdigit((unsigned char)*p) && num < PFM_MAX_PMCS; p++)
		num = 10 * num + (uint64_t)(*p - '0');
	if (p != equals || !parse_u64(equals + 1, &raw->value)) {
		problem(why, "%s: a raw value is written as pmcN=0x...", text);
		return problem_hint(why, "For example pmc0=0x4100c0. `pfmon info` lists the PMCs.");
	}
	raw->num = (unsigned int)num;
	if (!pmu_find_pmc(pmu, raw->num)) {
		problem(why, "%s: this PMU has no PMC%u", text, raw->num);
		return problem_hint(why, "`pfmon info` lists the PMCs.");
	}
	return true;
}

/* One value for each register, and no value that the kernel would alter. */
static bool raw_check(const struct events *events, const struct pmu *pmu, const char *text,
		      const struct raw_pmc *raw, struct problem *why)
{
	const struct reg *pmc = pmu_find_pmc(pmu, raw->num);
	const uint64_t lost = raw->value & ~pmc->def_value & pmc->rsvd_mask;
	size_t i;

	for (i = 0; i < events->nraw; i++)
		if (events->raw[i].num == raw->num)
			return problem(why, "%s: PMC%u is given twice", text, raw->num);
	if (lost) {
		problem(why, "%s: the bits %#llx of PMC%u are reserved and cannot be set",
			text, (unsigned long long)lost, raw->num);
		return problem_hint(why, "`pfmon info` shows the reserved bits of %s.",
				    pmc->name);
	}
	return true;
}

/* The levels that the value makes counters count at; 0 for a PMC that controls none. */
static bool raw_levels(const struct pmu *pmu, const char *text, const struct raw_pmc *raw,
		       unsigned int *levels, struct problem *why)
{
	bool controls = false;
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++)
		controls |= pmu->counters[i].pmc == raw->num;
	*levels = controls ? pmu->arch->raw_levels(pmu, raw->num, raw->value) : 0;
	if (!controls || *levels)
		return true;
	problem(why, "%s: this value counts nothing", text);
	return problem_hint(why, "It enables no privilege level, or its enable bit is off (on x86 the\n"
				 "event selects want bit 22, and bit 16 for user or 17 for kernel level;\n"
				 "on POWER CTL1 to CTL4 want an event, and all these bits 16 or 17).");
}

static bool raw_is_allowed(unsigned int levels, const struct rights *rights, const char *text,
			   struct problem *why)
{
	if (!(levels & ~rights->levels))
		return true;
	problem(why, "%s: this user may not count at kernel level", text);
	return problem_hint(why, "The value enables it. Leave that bit out, or:\n%s",
			    kernel_level_hint());
}

static uint64_t raw_code(const struct pmu *pmu, const struct raw_pmc *raw,
			 unsigned int counter)
{
	return pmu->arch->raw_code ?
		       pmu->arch->raw_code(pmu, &pmu->counters[counter], raw->value) :
		       raw->value;
}

static void raw_add_event(struct events *events, const struct pmu *pmu, const char *text,
			  const struct raw_pmc *raw, unsigned int counter)
{
	const bool fixed = pmu->counters[counter].fixed;
	const struct event event = {
		.name = fixed ? xasprintf("%s/pmd%u", text, pmu->counters[counter].pmd) :
				xstrdup(text),
		.full = xstrdup(text),
		.code = raw->value,
		.levels = pmu->arch->raw_levels(pmu, raw->num, raw->value),
		.kind = fixed ? KIND_OTHER : pmu->arch->kind(pmu, raw_code(pmu, raw, counter)),
		.counters = 1ULL << counter,
		.raw = true,
	};

	events_append(events, &event);
}

/* Add the counters as events. A PMC that controls none may still control other events. */
static bool raw_add_counters(struct events *events, const struct pmu *pmu, const char *text,
			     const struct raw_pmc *raw, unsigned int levels,
			     struct problem *why)
{
	const uint64_t counters =
		levels ? pmu->arch->raw_counters(pmu, raw->num, raw->value) : 0;
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++) {
		if (!(counters & 1ULL << i))
			continue;
		if (!pmu->counters[i].fixed &&
		    (!core_types_check(&pmu->cores, text, raw_code(pmu, raw, i), why) ||
		     !emulated_check(text, raw_code(pmu, raw, i), why)))
			return false;
		raw_add_event(events, pmu, text, raw, i);
	}
	return true;
}

bool events_add_raw(struct events *events, const struct pmu *pmu,
		    const struct rights *rights, const char *text, struct problem *why)
{
	struct raw_pmc raw = { 0 };
	unsigned int levels;

	if (!raw_parse(text, pmu, &raw, why) || !raw_check(events, pmu, text, &raw, why) ||
	    !raw_levels(pmu, text, &raw, &levels, why) ||
	    !raw_is_allowed(levels, rights, text, why) ||
	    !raw_add_counters(events, pmu, text, &raw, levels, why))
		return false;
	raw.group = (unsigned int)events->ngroups - 1;
	GROW(events->raw, events->nraw, events->raw_room);
	events->raw[events->nraw++] = raw;
	return true;
}
