// SPDX-License-Identifier: GPL-2.0
/*
 * Second registers: offcore events have their requests and responses in one, front-end events
 * the condition they wait for, loads by latency their threshold. extra_regs_intel.def has the
 * register of each event.
 *
 * The two registers for offcore events do the same, each for an event code of its own. So
 * either can serve an event, with that code: two of the events count at once, whatever their
 * names.
 */
#include <string.h>

#include "pmu/extra_regs.h"
#include "pmu/registers.h"

#define CODE	0xffffULL	/* unit mask and event */

enum extra_reg { NONE, OFFCORE_RSP_0, OFFCORE_RSP_1, LD_LAT, FRONTEND };

static const struct {
	uint64_t	msr;
	const char	*name;
} registers[] = {
	[NONE]		= { 0, "" },
	[OFFCORE_RSP_0]	= { 0x1a6, "MSR_OFFCORE_RSP_0" },
	[OFFCORE_RSP_1]	= { 0x1a7, "MSR_OFFCORE_RSP_1" },
	[LD_LAT]	= { 0x3f6, "MSR_PEBS_LD_LAT" },
	[FRONTEND]	= { 0x3f7, "MSR_PEBS_FRONTEND" },
};

struct extra_event {
	const char	*events;	/* the name of the models' events */
	uint16_t	libpfm, code;
	enum extra_reg	reg;
	uint64_t	value;		/* if libpfm4 misnames the event */
};

#define MODEL(name, events)
#define EVENT(events, code, reg)			{ #events, code, code, reg, 0 },
#define MISNAMED(events, libpfm, code, reg, value)	{ #events, libpfm, code, reg, value },
#define NO_EVENT(events, code)				{ #events, code, code, NONE, 0 },
static const struct extra_event extra_events[] = {
#include "pmu/extra_regs_intel.def"
};

#undef MODEL
#undef EVENT
#undef MISNAMED
#undef NO_EVENT
#define MODEL(name, events)	{ name, #events },
#define EVENT(events, code, reg)
#define MISNAMED(events, libpfm, code, reg, value)
#define NO_EVENT(events, code)
static const struct {
	const char	*name, *events;
} models[] = {
#include "pmu/extra_regs_intel.def"
};

static const char *events_of(const char *model)
{
	const size_t stem = strcspn(model, "_");
	size_t i;

	for (i = 0; i < COUNT(models); i++)
		if (strlen(models[i].name) == stem && !strncmp(model, models[i].name, stem))
			return models[i].events;
	return NULL;
}

/* A model is known by libpfm4's name, or by the kernel's where libpfm4 does not know it. */
static const struct extra_event *find_event(const struct pmu *pmu, uint64_t code)
{
	const char *events = events_of(pmu->events) ?: events_of(pmu->model);
	const struct extra_event *event;

	code &= CODE;
	for (event = extra_events; events && event < extra_events + COUNT(extra_events); event++)
		if (!strcmp(event->events, events) &&
		    (event->libpfm == code || event->code == code))
			return event;
	return NULL;
}

uint64_t extra_regs_msr(const char *model, uint64_t code)
{
	const char *events = events_of(model);
	size_t i;

	for (i = 0; events && i < COUNT(extra_events); i++)
		if (!strcmp(extra_events[i].events, events) &&
		    extra_events[i].code == (code & CODE))
			return registers[extra_events[i].reg].msr;
	return 0;
}

static bool is_offcore(const struct extra_event *event)
{
	return event->reg == OFFCORE_RSP_0 || event->reg == OFFCORE_RSP_1;
}

static const struct reg *pmc_of(const struct pmu *pmu, const struct extra_event *event)
{
	return reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_MSR, registers[event->reg].msr);
}

static uint64_t reserved_bits(const struct reg *pmc, uint64_t value)
{
	return (value ^ pmc->def_value) & pmc->rsvd_mask;
}

/* Add a register that can hold the value, if the PMU has it. */
static void add_choice(const struct pmu *pmu, const struct extra_event *event,
		       struct encoding *encoding)
{
	struct extra *extra = &encoding->extra;
	const struct reg *pmc = pmc_of(pmu, event);

	if (!pmc || reserved_bits(pmc, extra->value))
		return;
	extra->choice[extra->n].pmc = pmc->num;
	extra->choice[extra->n++].code = (encoding->code & ~CODE) | event->code;
}

static bool no_register(const struct pmu *pmu, const char *name,
			const struct extra_event *event, uint64_t value, struct problem *why)
{
	const struct reg *pmc = pmc_of(pmu, event);

	if (pmc) {
		problem(why, "event %s: the bits %#llx of %s (PMC%u) cannot be set on this PMU", name,
			(unsigned long long)reserved_bits(pmc, value), registers[event->reg].name,
			pmc->num);
		return problem_hint(why, "`pfmon info --registers` shows the reserved bits of each register.");
	}
	problem(why, "event %s: it needs the register %s (%#llx), which is no PMC of this kernel",
		name, registers[event->reg].name, (unsigned long long)registers[event->reg].msr);
	return problem_hint(why, "`pfmon info --registers` lists the PMCs. A hypervisor may leave this one out;\n"
				 "on Nehalem and Westmere it is there when hyper-threading is off.");
}

/* True for an event without a row but with a value, or with a row for a meaningless value. */
static bool no_event(const char *name, const struct extra_event *event, const uint64_t *value,
		     struct problem *why)
{
	if (event || !value)
		return true;
	problem(why, "event %s: it needs the value %#llx in a second register that pfmon does not know",
		name, (unsigned long long)*value);
	return problem_hint(why, "Raw values can be counted: -e pmcN=0x... (see pfmon-stat(1), `pfmon info`).");
}

bool extra_regs_find(const struct pmu *pmu, const char *name, const uint64_t *value,
		     struct encoding *encoding, struct problem *why)
{
	const struct extra_event *event = find_event(pmu, encoding->code);
	size_t i;

	if (!event || event->reg == NONE)
		return no_event(name, event, value, why);
	if (event->reg == LD_LAT) {
		problem(why, "event %s: only PEBS measures latencies of loads, and perfmon has none", name);
		return problem_hint(why, "Without it this event counts 0. `pfmon list` shows others of loads.");
	}
	encoding->extra.value = value ? *value : event->value;
	encoding->code = (encoding->code & ~CODE) | event->code;
	add_choice(pmu, event, encoding);
	for (i = 0; i < COUNT(extra_events); i++)
		if (is_offcore(event) && is_offcore(&extra_events[i]) &&
		    &extra_events[i] != event && !strcmp(extra_events[i].events, event->events))
			add_choice(pmu, &extra_events[i], encoding);
	if (!encoding->extra.n)
		return no_register(pmu, name, event, encoding->extra.value, why);
	encoding->code = encoding->extra.choice[0].code;
	return true;
}
