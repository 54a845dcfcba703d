// SPDX-License-Identifier: GPL-2.0
/*
 * Events that not every general counter can count, by model: the rows of
 * constraints_intel.def and constraints_amd.def, which name the source of each fact.
 */
#include <string.h>

#include "pmu/constraints.h"
#include "base.h"

enum umask_test { UMASK_ANY, UMASK_IS, UMASK_HAS, UMASK_SEVERAL, UMASK_HALVES };

/* Events @first to @last, of their bits @select, with a unit mask that passes the test. */
struct rule {
	const char	*rules;		/* the name of its group of rules */
	uint16_t	select, first, last;
	enum umask_test	test;
	uint8_t		umask;
	uint32_t	counters;
	const char	*refusal;
};

/* Unit masks of rows: a test and its operand. */
#define ANY		UMASK_ANY, 0
#define IS(umask)	UMASK_IS, umask
#define HAS(bits)	UMASK_HAS, bits
#define SEVERAL		UMASK_SEVERAL, 0
#define HALVES		UMASK_HALVES, 0

#define RULE(rules, first, last, umask, counters, source)			\
	{ #rules, EVENT_BITS, first, last, umask, counters, NULL },
#define GROUP(rules, first, last, counters, source)				\
	{ #rules, 0x0f0, first, last, ANY, counters, NULL },
#define REFUSED(rules, first, last, umask, refusal)				\
	{ #rules, EVENT_BITS, first, last, umask, 0, refusal },
#define REFUSED_GROUP(rules, first, last, refusal)				\
	{ #rules, 0x0f0, first, last, ANY, 0, refusal },
#define MODEL(name, rules)

static const struct rule rules[] = {
#define EVENT_BITS	0x0ff
#include "pmu/constraints_intel.def"
#undef EVENT_BITS
#define EVENT_BITS	0xfff
#include "pmu/constraints_amd.def"
};

#undef RULE
#undef GROUP
#undef REFUSED
#undef REFUSED_GROUP
#undef MODEL
#define RULE(rules, first, last, umask, counters, source)
#define GROUP(rules, first, last, counters, source)
#define REFUSED(rules, first, last, umask, refusal)
#define REFUSED_GROUP(rules, first, last, refusal)
#define MODEL(name, rules)	{ name, #rules },

static const struct model {
	const char	*name, *rules;
} models[] = {
#include "pmu/constraints_intel.def"
#include "pmu/constraints_amd.def"
};

/* A name stands for its variants: "hsw" for "hsw_ep" as well. */
static const char *rules_of(const char *pmu)
{
	size_t i, length;

	for (i = 0; i < COUNT(models); i++) {
		length = strlen(models[i].name);
		if (!strncmp(pmu, models[i].name, length) && (!pmu[length] || pmu[length] == '_'))
			return models[i].rules;
	}
	return NULL;
}

static bool umask_passes(const struct rule *rule, unsigned int umask)
{
	switch (rule->test) {
	case UMASK_IS:
		return umask == rule->umask;
	case UMASK_HAS:
		return (umask & rule->umask) == rule->umask;
	case UMASK_SEVERAL:
		return __builtin_popcount(umask) > 1;
	case UMASK_HALVES:
		return (umask & 0x0f) && (umask & 0xf0);
	default:
		return true;
	}
}

/* The first rule that fits, or NULL. An event of AMD's has four bits above the others. */
static const struct rule *find_rule(const char *pmu, uint64_t code)
{
	const unsigned int event = (code & 0xff) | (code >> 24 & 0xf00);
	const unsigned int umask = code >> 8 & 0xff;
	const char *name = rules_of(pmu);
	size_t i;

	for (i = 0; name && i < COUNT(rules); i++) {
		const struct rule *rule = &rules[i];
		const unsigned int selected = event & rule->select;

		if (!strcmp(rule->rules, name) && selected >= rule->first &&
		    selected <= rule->last && umask_passes(rule, umask))
			return rule;
	}
	return NULL;
}

bool constraint_known(const char *pmu)
{
	return rules_of(pmu) != NULL;
}

uint64_t constraint_counters(const char *pmu, uint64_t code)
{
	const struct rule *rule = find_rule(pmu, code);

	return rule ? rule->counters : ~0ULL;
}

const char *constraint_refusal(const char *pmu, uint64_t code)
{
	const struct rule *rule = find_rule(pmu, code);

	return rule ? rule->refusal : NULL;
}
