// SPDX-License-Identifier: GPL-2.0
/* Short names that mean the same on every CPU, and what they are on this one. */
#define _GNU_SOURCE
#include <string.h>

#include "pmu/aliases.h"
#include "pmu/libpfm.h"

const struct alias aliases[] = {
	{ "cycles", { "UNHALTED_CORE_CYCLES", "CPU_CLK_UNHALTED:THREAD_P",
		      "CYCLES_NOT_IN_HALT", "CPU_CLK_UNHALTED", "PM_CYC" } },
	{ "instructions", { "INSTRUCTION_RETIRED", "INSTRUCTIONS_RETIRED",
			    "INST_RETIRED:ANY_P", "RETIRED_INSTRUCTIONS", "PM_INST_CMPL" } },
	{ "ref-cycles", { "UNHALTED_REFERENCE_CYCLES" } },
	{ "branches", { "BRANCH_INSTRUCTIONS_RETIRED", "BR_INST_RETIRED:ALL_BRANCHES",
			"RETIRED_BRANCH_INSTRUCTIONS", "PM_BR_CMPL" } },
	{ "branch-misses", { "MISPREDICTED_BRANCH_RETIRED", "BR_MISP_RETIRED:ALL_BRANCHES",
			     "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
			     "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "PM_BR_MPRED_CMPL" } },
	{ "loads", { "MEM_INST_RETIRED:LOADS", "MEM_INST_RETIRED:ALL_LOADS",
		     "MEM_UOPS_RETIRED:ALL_LOADS", "MEM_UOP_RETIRED:ANY_LOADS",
		     "LS_DISPATCH:LD_DISPATCH:LD_ST_DISPATCH",
		     "LS_DISPATCH:LOADS:LOAD_OP_STORES", "PM_LD_CMPL" } },
	{ "stores", { "MEM_INST_RETIRED:STORES", "MEM_INST_RETIRED:ALL_STORES",
		      "MEM_UOPS_RETIRED:ALL_STORES", "MEM_UOP_RETIRED:ANY_STORES",
		      "LS_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH",
		      "LS_DISPATCH:STORES:LOAD_OP_STORES", "PM_ST_CMPL" } },
	{ NULL, { NULL } },
};

static const struct alias *find(const char *name)
{
	const size_t length = strcspn(name, ":");
	const struct alias *alias;

	for (alias = aliases; alias->name; alias++)
		if (strlen(alias->name) == length &&
		    !strncasecmp(alias->name, name, length))
			return alias;
	return NULL;
}

bool alias_known(const char *name)
{
	return find(name) != NULL;
}

char *alias_expand(const char *name)
{
	const struct alias *alias = find(name);
	struct libpfm_encoding encoding;
	size_t i;

	for (i = 0; alias && i < COUNT(alias->events) && alias->events[i]; i++)
		if (libpfm_encode(alias->events[i], LEVEL_ALL, &encoding) == ENCODE_OK)
			return xasprintf("%s%s", alias->events[i],
					 name + strlen(alias->name));
	return NULL;
}
