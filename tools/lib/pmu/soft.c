// SPDX-License-Identifier: GPL-2.0
/*
 * The software PMU: a counter for each event, and a PMC to switch it on. Where level
 * bits can be set they select the level that is counted; for the clocks, which only have
 * the kernel's, they select only the levels of samples.
 */
#define _GNU_SOURCE
#include <string.h>

#include <perfmon_soft.h>

#include "pmu/levels.h"
#include "pmu/registers.h"
#include "pmu/soft.h"
#include "pmu/software.h"
#include "suggest.h"

/* An encoding is the PMC's value and, above it, its number. */
#define REG_SHIFT	32

const struct soft_event soft_events[] = {
	{ "task-clock", "Time in which a thread runs, in ns", PFM_SOFT_TASK_CLOCK },
	{ "cpu-clock", "Time, in ns; with -a or -C also while the CPU is idle",
	  PFM_SOFT_CPU_CLOCK },
	{ "page-faults", "Page faults", PFM_SOFT_FAULTS },
	{ "minor-faults", "Page faults that took no input or output", PFM_SOFT_MIN_FAULTS },
	{ "major-faults", "Page faults that did", PFM_SOFT_MAJ_FAULTS },
	{ "context-switches", "Times that a thread leaves the CPU", PFM_SOFT_CTX_SWITCHES },
	{ "cpu-migrations", "Times that a thread goes on on another CPU", PFM_SOFT_MIGRATIONS },
	{ "system-calls", "System calls entered", PFM_SOFT_SYSCALLS },
	{ "test0", "Events that a test injects", PFM_SOFT_TEST },
	{ "test1", "The same, on another counter", PFM_SOFT_TEST + 1 },
	{ "test2", "The same, on another counter", PFM_SOFT_TEST + 2 },
	{ "test3", "The same, on another counter", PFM_SOFT_TEST + 3 },
	{ NULL, NULL, 0 },
};

static const char *const soft_default_events[] = {
	"task-clock", "page-faults", "context-switches", "cpu-migrations", "system-calls", NULL
};

bool soft_machine(void)
{
	char model[64];

	return !perfmon_sysfs_read("pmu/model", model, sizeof(model)) &&
	       !strcmp(model, PFM_SOFT_MODEL);
}

bool soft_is_test(const struct soft_event *event)
{
	return event->reg < PFM_SOFT_TEST + PFM_SOFT_NUM_TESTS;
}

bool soft_has(const struct pmu *pmu, const struct soft_event *event)
{
	return pmu_find_pmc(pmu, event->reg);
}

/* The level bits that the PMC takes. */
static uint64_t level_bits(const struct pmu *pmu, unsigned int num)
{
	const struct reg *pmc = pmu_find_pmc(pmu, num);

	return pmc ? (PFM_SOFT_USER | PFM_SOFT_KERNEL) & ~pmc->rsvd_mask : 0;
}

static bool unknown(const struct pmu *pmu, const char *name, size_t length,
		    struct problem *why)
{
	const struct soft_event *event;
	struct suggest suggest;
	char near[256];

	suggest_begin(&suggest, name, length);
	for (event = soft_events; event->name; event++)
		if (soft_has(pmu, event))
			suggest_offer(&suggest, event->name);
	suggest_end(&suggest, near, sizeof(near));
	problem(why, "event %s: the software PMU has no event '%.*s'", name, (int)length, name);
	return problem_hint(why, "%s%s%sThis kernel has no other PMU. `pfmon list` shows what it counts.",
			    near[0] ? "Did you mean " : "", near, near[0] ? "?\n" : "");
}

/* Its name, or perf's short one. */
static bool is_called(const struct soft_event *event, const char *name, size_t length)
{
	const struct software_event *known = software_find(name, length);

	if (known && !strcmp(known->name, event->name))
		return true;
	return strlen(event->name) == length && !strncasecmp(event->name, name, length);
}

/* "EVENT", "EVENT:u" or "EVENT:k". */
static bool soft_encode(const struct pmu *pmu, const char *name, unsigned int levels,
			struct encoding *encoding, struct problem *why)
{
	const size_t length = strcspn(name, ":");
	const struct soft_event *event;
	uint64_t bits, value = PFM_SOFT_ENABLE;

	for (event = soft_events; event->name; event++)
		if (is_called(event, name, length) && soft_has(pmu, event))
			break;
	if (!event->name)
		return unknown(pmu, name, length, why);
	bits = level_bits(pmu, event->reg);
	if (name[length]) {
		levels = levels_parse(name + length);
		if (!bits || !levels) {
			problem(why, "event %s: it has no such modifier", name);
			return problem_hint(why, bits ? "There are :u, user level, and :k, kernel level." :
						 "It has none.");
		}
	}
	if (levels & LEVEL_USER)
		value |= PFM_SOFT_USER;
	if (levels & LEVEL_KERNEL)
		value |= PFM_SOFT_KERNEL;
	value &= bits | PFM_SOFT_ENABLE;
	memset(encoding, 0, sizeof(*encoding));
	encoding->code = value | (uint64_t)event->reg << REG_SHIFT;
	encoding->level_free = !(bits & PFM_SOFT_USER);
	append(encoding->full, sizeof(encoding->full), "%s%s%s", event->name,
	       value & PFM_SOFT_USER ? ":u" : "", value & PFM_SOFT_KERNEL ? ":k" : "");
	return true;
}

/* The events that this kernel has. */
static bool soft_names(const struct pmu *pmu, struct event_names *names, struct problem *why)
{
	const struct soft_event *event;

	(void)why;
	memset(names, 0, sizeof(*names));
	names->pmu = pmu->model;
	names->desc = "of the kernel";
	for (event = soft_events; event->name; event++)
		names->n += soft_has(pmu, event);
	return true;
}

static bool soft_find_counters(struct pmu *pmu)
{
	size_t i;

	if (strcmp(pmu->model, PFM_SOFT_MODEL))
		return false;
	for (i = 0; i < pmu->npmcs && pmu->ncounters < MAX_COUNTERS; i++)
		pmu->counters[pmu->ncounters++] = (struct counter){
			.pmc = pmu->pmcs[i].num, .pmd = pmu->pmcs[i].num,
			.hw = pmu->pmcs[i].num, .fixed = true,
		};
	return pmu->ncounters;
}

static uint64_t counter_of(const struct pmu *pmu, unsigned int pmc)
{
	unsigned int i;

	for (i = 0; i < pmu->ncounters; i++)
		if (pmu->counters[i].pmc == pmc)
			return 1ULL << i;
	return 0;
}

static uint64_t soft_raw_counters(const struct pmu *pmu, unsigned int pmc, uint64_t value)
{
	return value & PFM_SOFT_ENABLE ? counter_of(pmu, pmc) : 0;
}

static uint64_t soft_event_counters(const struct pmu *pmu, uint64_t code)
{
	return counter_of(pmu, (unsigned int)(code >> REG_SHIFT));
}

static bool soft_check(const struct pmu *pmu, const char *name, uint64_t code,
		       uint64_t counters, struct problem *why)
{
	(void)pmu;
	(void)name;
	(void)code;
	(void)counters;
	(void)why;
	return true;
}

static uint64_t soft_program(const struct pmu *pmu, const struct counter *counter,
			     uint64_t code, uint64_t value)
{
	(void)pmu;
	(void)counter;
	(void)value;
	return (uint32_t)code | PFM_SOFT_ENABLE;
}

/* An event without a level needs no right, as user level does not. */
static unsigned int soft_levels(uint64_t code)
{
	const unsigned int kernel = code & PFM_SOFT_KERNEL ? LEVEL_KERNEL : 0;

	return kernel && !(code & PFM_SOFT_USER) ? LEVEL_KERNEL : LEVEL_USER | kernel;
}

static unsigned int soft_raw_levels(const struct pmu *pmu, unsigned int pmc, uint64_t value)
{
	if (!(value & PFM_SOFT_ENABLE))
		return 0;
	if ((level_bits(pmu, pmc) & PFM_SOFT_USER) &&
	    !(value & (PFM_SOFT_USER | PFM_SOFT_KERNEL)))
		return 0;
	return soft_levels(value);
}

static enum event_kind soft_kind(const struct pmu *pmu, uint64_t code)
{
	const unsigned int num = (unsigned int)(code >> REG_SHIFT);

	(void)pmu;
	return num == PFM_SOFT_TASK_CLOCK || num == PFM_SOFT_CPU_CLOCK ? KIND_CLOCK : KIND_OTHER;
}

const struct pmu_arch pmu_soft = {
	.find_counters	= soft_find_counters,
	.names		= soft_names,
	.encode		= soft_encode,
	.default_events	= soft_default_events,
	.default_sample_event = "task-clock",
	.raw_counters	= soft_raw_counters,
	.event_counters	= soft_event_counters,
	.check		= soft_check,
	.program	= soft_program,
	.levels		= soft_levels,
	.raw_levels	= soft_raw_levels,
	.kind		= soft_kind,
	.kernel_code	= PFM_SOFT_KERNEL,
};
