// SPDX-License-Identifier: GPL-2.0
/*
 * Events that not every general counter can count, by model.
 *
 * The facts are those of Intel's Software Developer's Manual, volume 3, "Performance
 * Monitoring Events" (the column of comments), and of the constraint tables in Linux'
 * arch/x86/events/intel/core.c. AMD's counters are all alike.
 */
#include <string.h>

#include "pmu/constraints.h"
#include "util.h"

/* Events from..to (of which only those with this unit mask, unless ANY) go to mask. */
struct rule {
	uint8_t		from, to;
	int		umask;
	uint32_t	mask;
};

#define ANY		(-1)
#define EVENT(e, m)		{ e, e, ANY, m }
#define EVENTS(e, f, m)		{ e, f, ANY, m }
#define UNIT(e, u, m)		{ e, e, u, m }

static const struct rule core2[] = {
	EVENT(0x10, 0x1), EVENT(0x11, 0x2), EVENT(0x12, 0x2), EVENT(0x13, 0x2),
	EVENT(0x14, 0x1), EVENT(0x18, 0x1), EVENT(0x19, 0x2), EVENT(0xa1, 0x1),
	EVENT(0xc9, 0x1), EVENT(0xcb, 0x1),
};

static const struct rule nehalem[] = {
	EVENTS(0x40, 0x43, 0x3), /* L1D_CACHE_LD, _ST, _LOCK, L1D_ALL_REF */
	EVENT(0x48, 0x3),	 /* L1D_PEND_MISS */
	EVENT(0x4e, 0x3),	 /* L1D_PREFETCH */
	EVENT(0x51, 0x3),	 /* L1D */
	EVENT(0x63, 0x3),	 /* CACHE_LOCK_CYCLES */
};

static const struct rule westmere[] = {
	EVENT(0x51, 0x3), /* L1D */
	EVENT(0x60, 0x1), /* OFFCORE_REQUESTS_OUTSTANDING */
	EVENT(0x63, 0x3), /* CACHE_LOCK_CYCLES */
	EVENT(0xb3, 0x1), /* SNOOPQ_REQUESTS_OUTSTANDING */
};

static const struct rule sandy_bridge[] = {
	EVENT(0x48, 0x4),	/* L1D_PEND_MISS */
	UNIT(0xa3, 0x02, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UNIT(0xa3, 0x06, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	EVENT(0xa3, 0xf),
	UNIT(0xc0, 0x01, 0x2),	/* INST_RETIRED.PREC_DIST */
	EVENT(0xcd, 0x8),	/* MEM_TRANS_RETIRED */
};

static const struct rule ivy_bridge[] = {
	UNIT(0x48, 0x01, 0x4),	/* L1D_PEND_MISS.PENDING */
	UNIT(0x79, 0x02, 0xf),	/* IDQ.EMPTY */
	UNIT(0x9c, 0x01, 0xf),	/* IDQ_UOPS_NOT_DELIVERED.CORE */
	UNIT(0xa3, 0x08, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UNIT(0xa3, 0x0c, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	EVENT(0xa3, 0xf),
	UNIT(0xc0, 0x01, 0x2),	/* INST_RETIRED.PREC_DIST */
	EVENT(0xcd, 0x8),	/* MEM_TRANS_RETIRED.LOAD_LATENCY */
};

static const struct rule haswell[] = {
	UNIT(0x48, 0x01, 0x4),	/* L1D_PEND_MISS.PENDING */
	UNIT(0xa3, 0x04, 0xf),	/* CYCLE_ACTIVITY.CYCLES_NO_EXECUTE */
	UNIT(0xa3, 0x08, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UNIT(0xa3, 0x0c, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	UNIT(0xc0, 0x01, 0x2),	/* INST_RETIRED.PREC_DIST */
	EVENT(0xcd, 0x8),	/* MEM_TRANS_RETIRED.LOAD_LATENCY */
};

static const struct rule broadwell[] = {
	UNIT(0x48, 0x01, 0x4),	/* L1D_PEND_MISS.PENDING */
	UNIT(0xa3, 0x08, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_MISS */
	UNIT(0xa3, 0x0c, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_MISS */
	UNIT(0xc0, 0x01, 0x2),	/* INST_RETIRED.PREC_DIST */
	EVENTS(0xcd, 0xcd, 0xf), EVENTS(0xd0, 0xd2, 0xf),
};

static const struct rule skylake[] = {
	UNIT(0xc0, 0x01, 0x2),	/* INST_RETIRED.PREC_DIST */
	EVENT(0xc6, 0xf),	/* FRONTEND_RETIRED */
	EVENT(0xcd, 0xf),	/* MEM_TRANS_RETIRED */
	EVENTS(0xd0, 0xd2, 0xf), /* MEM_INST_RETIRED, MEM_LOAD_RETIRED, ..._L3_HIT */
};

/* Eight general counters, of which many events use the first four. */
static const struct rule ice_lake[] = {
	EVENTS(0x03, 0x0a, 0xf), EVENTS(0x1f, 0x28, 0xf), EVENT(0x32, 0xf),
	EVENTS(0x48, 0x56, 0xf), EVENTS(0x60, 0x8b, 0xf), UNIT(0xa3, 0x04, 0xff),
	UNIT(0xa3, 0x10, 0xff), UNIT(0xa3, 0x14, 0xff), EVENT(0xa3, 0xf),
	EVENTS(0xa8, 0xb0, 0xf), EVENTS(0xb7, 0xbd, 0xf), EVENTS(0xd0, 0xe6, 0xf),
	EVENT(0xef, 0xf), EVENTS(0xf0, 0xf4, 0xf),
};

static const struct rule sapphire_rapids[] = {
	EVENT(0x2e, 0xff), EVENT(0x3c, 0xff), EVENTS(0x01, 0x8f, 0xf),
	UNIT(0xa3, 0x01, 0xf), UNIT(0xa3, 0x02, 0xf), UNIT(0xa3, 0x08, 0xf),
	UNIT(0xa4, 0x04, 0x1), UNIT(0xa4, 0x08, 0x1), UNIT(0xcd, 0x02, 0x1),
	EVENT(0xce, 0x1), EVENTS(0xd0, 0xdf, 0xf), EVENTS(0x90, 0xfe, 0xff),
};

/* libpfm4's names, without what follows a '_' ("hsw" and "hsw_ep" are alike here). */
static const struct model {
	const char		*name;
	const struct rule	*rules;
	size_t			n;
} models[] = {
#define MODEL(name, rules)	{ name, rules, COUNT(rules) }
	MODEL("core", core2),
	MODEL("nhm", nehalem),
	MODEL("wsm", westmere),
	MODEL("snb", sandy_bridge),
	MODEL("ivb", ivy_bridge),
	MODEL("hsw", haswell),
	MODEL("bdw", broadwell),
	MODEL("skl", skylake), MODEL("skx", skylake), MODEL("clx", skylake),
	MODEL("icl", ice_lake), MODEL("icx", ice_lake),
	MODEL("spr", sapphire_rapids), MODEL("emr", sapphire_rapids),
};

uint64_t constraint_counters(const char *pmu, uint64_t code)
{
	const unsigned int event = code & 0xff, umask = (code >> 8) & 0xff;
	const struct model *model = NULL;
	const size_t stem = strcspn(pmu, "_");
	size_t i;

	for (i = 0; i < COUNT(models); i++) {
		if (!strncmp(pmu, models[i].name, stem) && !models[i].name[stem]) {
			model = &models[i];
			break;
		}
	}
	for (i = 0; model && i < model->n; i++) {
		const struct rule *rule = &model->rules[i];

		if (event >= rule->from && event <= rule->to &&
		    (rule->umask == ANY || umask == (unsigned int)rule->umask))
			return rule->mask;
	}
	return ~0ULL;
}
