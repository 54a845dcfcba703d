// SPDX-License-Identifier: GPL-2.0
/*
 * The types of cores of a hybrid processor.
 *
 * Facts: Intel SDM volume 3B, the table of architectural performance events.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "lib/perfmon_lib.h"
#include "pmu/core_types.h"
#include "pmu/emulated.h"

#define SELECT	0xffffULL	/* event and unit mask */

/* "core 0,2-3", a line each. */
bool core_types_read(struct core_types *types)
{
	char text[1024], *rest = text, *line, *cpus;

	memset(types, 0, sizeof(*types));
	if (perfmon_sysfs_read("pmu/core_types", text, sizeof(text)))
		return false;
	while ((line = strsep(&rest, "\n")) && types->n < MAX_CORE_TYPES) {
		struct core_type *type = &types->type[types->n];

		cpus = strchr(line, ' ');
		if (!cpus)
			continue;
		*cpus++ = '\0';
		snprintf(type->name, sizeof(type->name), "%s", line);
		snprintf(type->cpus, sizeof(type->cpus), "%s", cpus);
		types->n++;
	}
	return types->n;
}

static bool choose(struct core_types *types, const char *name, struct problem *why)
{
	char names[64] = "";
	unsigned int i;

	for (i = 0; i < types->n; i++) {
		append(names, sizeof(names), "%s%s", i ? " or " : "", types->type[i].name);
		if (strcmp(types->type[i].name, name))
			continue;
		types->chosen = i + 1;
		emulated_choose_core(!strcmp(name, "atom"));
		return true;
	}
	if (!types->n) {
		problem(why, "--core-type %s: all CPUs of this machine are of one type", name);
		return problem_hint(why, "Leave the option out: every event counts on all of them.");
	}
	return problem(why, "--core-type %s: here it is %s", name, names);
}

/* This includes codes of fixed counters, because all types have the fixed counters that exist. */
static bool is_architectural(uint64_t code)
{
	static const uint16_t selects[] = {
		0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5,
	};
	size_t i;

	for (i = 0; i < COUNT(selects); i++)
		if (selects[i] == (code & SELECT))
			return true;
	return !(code & 0xff) && code & 0xff00;
}

bool core_types_check(const struct core_types *types, const char *name, uint64_t code,
		      struct problem *why)
{
	if (!types->n || types->chosen || is_architectural(code))
		return true;
	problem(why, "event %s: it is not architectural, so the two types of cores of this processor do not count the same by it",
		name);
	return problem_hint(why, "Count it on one type: `pfmon stat --core-type core` (or atom) keeps a command to these CPUs.\n"
				 "`pfmon info` shows which they are.");
}

static bool is_one_of(unsigned int cpu, const unsigned int *cpus, size_t n)
{
	while (n--)
		if (cpus[n] == cpu)
			return true;
	return false;
}

static bool filter(const struct core_type *only, unsigned int *cpus, size_t *n,
		   struct problem *why)
{
	size_t i, kept = 0, nmine;
	unsigned int *mine;

	if (!cpus_parse(only->cpus, &mine, &nmine, why))
		return false;
	for (i = 0; i < *n; i++)
		if (is_one_of(cpus[i], mine, nmine))
			cpus[kept++] = cpus[i];
	free(mine);
	*n = kept;
	return kept || problem(why, "none of these CPUs is of the type %s: those are %s", only->name,
			       only->cpus);
}

static bool stay(const struct core_type *only, struct problem *why)
{
	cpu_set_t *allowed, *set;
	unsigned int *mine;
	size_t size, i, n;
	bool ok;

	if (!cpus_parse(only->cpus, &mine, &n, why))
		return false;
	allowed = cpus_get_affinity(&size);
	set = cpus_get_affinity(&size);
	CPU_ZERO_S(size, set);
	for (i = 0; i < n; i++)
		if (CPU_ISSET_S(mine[i], size, allowed))
			CPU_SET_S(mine[i], size, set);
	ok = CPU_COUNT_S(size, set) && !sched_setaffinity(0, size, set);
	CPU_FREE(set);
	CPU_FREE(allowed);
	free(mine);
	return ok || problem(why, "this process may run on no CPU of the type %s: those are %s",
			     only->name, only->cpus);
}

bool core_types_keep(struct core_types *types, const char *name, enum core_types_target target,
		     unsigned int *cpus, size_t *n, struct problem *why)
{
	const struct core_type *only;

	if (target == CORE_TYPES_RUNNING) {
		problem(why, "--core-type %s: it is for commands, -a and -C; what runs already is not moved",
			name);
		return problem_hint(why, "Move it with taskset(1), or measure the CPUs: -a --core-type %s.",
				    name);
	}
	if (!choose(types, name, why))
		return false;
	only = &types->type[types->chosen - 1];
	return target == CORE_TYPES_CPUS ? filter(only, cpus, n, why) : stay(only, why);
}
