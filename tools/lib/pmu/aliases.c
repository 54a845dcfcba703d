// SPDX-License-Identifier: GPL-2.0
/* Short names that mean the same on every CPU, and their events on this one. */
#define _GNU_SOURCE
#include <string.h>

#include "pmu/aliases.h"
#include "pmu/libpfm.h"

/* All requests to the L2 cache of a core, without those whose names vary from Zen to Zen. */
#define ZEN_L2	"REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CACHEABLE_IC_READ:" \
		"CHANGE_TO_X:L2_HW_PF:"

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
	/* perf's names, of perf-list(1), as far as libpfm4 has an event of their meaning */
	{ "cpu-cycles", { "UNHALTED_CORE_CYCLES", "CPU_CLK_UNHALTED:THREAD_P",
			  "CYCLES_NOT_IN_HALT", "CPU_CLK_UNHALTED", "PM_CYC" } },
	{ "branch-instructions", { "BRANCH_INSTRUCTIONS_RETIRED", "BR_INST_RETIRED:ALL_BRANCHES",
				   "RETIRED_BRANCH_INSTRUCTIONS", "PM_BR_CMPL" } },
	{ "bus-cycles", { "CPU_CLK_UNHALTED:REF_P", "CPU_CLK_UNHALTED:REF_XCLK",
			  "CPU_CLK_THREAD_UNHALTED:REF_XCLK" } },
	/* On AMD, as perf: of the L2 cache, since the next one is not a core's. */
	{ "cache-references", { "LAST_LEVEL_CACHE_REFERENCES", "LONGEST_LAT_CACHE:REFERENCE",
				"L3_LAT_CACHE:REFERENCE", ZEN_L2 "PREFETCH_L2:OTHER_REQUESTS",
				ZEN_L2 "PREFETCH_L2:GROUP2", ZEN_L2 "PREFETCH_L2",
				ZEN_L2 "PREFETCH_L2_CMD:MISC",
				"REQUESTS_TO_L2:INSTRUCTIONS:DATA:TLB_WALK" } },
	{ "cache-misses", { "LAST_LEVEL_CACHE_MISSES", "LONGEST_LAT_CACHE:MISS",
			    "L3_LAT_CACHE:MISS",
			    "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS",
			    "L2_CACHE_MISS:INSTRUCTIONS:DATA:TLB_WALK" } },
	{ "stalled-cycles-frontend", { "UOPS_ISSUED:STALL_CYCLES", "UOPS_ISSUED:STALLED_CYCLES",
				       "INSTRUCTION_PIPE_STALL:IC_STALL_DQ_EMPTY",
				       "UOPS_QUEUE_EMPTY", "OPS_QUEUE_EMPTY", "DECODER_EMPTY" } },
	{ "stalled-cycles-backend", { "UOPS_EXECUTED:CORE_STALL_CYCLES", "UOPS_EXECUTED:STALL_CYCLES",
				      "UOPS_EXECUTED:PORT015_STALL_CYCLES",
				      "INSTRUCTION_PIPE_STALL:IC_STALL_BACK_PRESSURE",
				      "DISPATCH_STALLS" } },
	{ "LLC-loads", { "MEM_LOAD_RETIRED:L2_MISS", "MEM_LOAD_UOPS_RETIRED:L2_MISS" } },
	{ "LLC-load-misses", { "MEM_LOAD_RETIRED:L3_MISS", "MEM_LOAD_UOPS_RETIRED:L3_MISS" } },
	{ "L1-dcache-loads", { "MEM_INST_RETIRED:LOADS", "MEM_INST_RETIRED:ALL_LOADS",
			       "MEM_UOPS_RETIRED:ALL_LOADS", "MEM_UOP_RETIRED:ANY_LOADS",
			       "PM_LD_CMPL" } },
	{ "L1-dcache-stores", { "MEM_INST_RETIRED:STORES", "MEM_INST_RETIRED:ALL_STORES",
				"MEM_UOPS_RETIRED:ALL_STORES", "MEM_UOP_RETIRED:ANY_STORES",
				"PM_ST_CMPL" } },
	{ "L1-dcache-load-misses", { "MEM_LOAD_RETIRED:L1_MISS", "MEM_LOAD_UOPS_RETIRED:L1_MISS",
				     "DATA_CACHE_MISSES", "PM_LD_MISS_L1" } },
	{ "L1-icache-load-misses", { "L1I:MISSES", "ICACHE:MISSES", "PM_L1_ICACHE_MISS" } },
	{ "dTLB-load-misses", { "DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK", "DTLB_LOAD_MISSES:ANY" } },
	{ "dTLB-store-misses", { "DTLB_STORE_MISSES:MISS_CAUSES_A_WALK" } },
	{ "iTLB-load-misses", { "ITLB_MISSES:MISS_CAUSES_A_WALK", "ITLB_MISSES:ANY" } },
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
