// SPDX-License-Identifier: GPL-2.0
/*
 * A PMC's value begins with the register's default, takes a raw value if there is one, and
 * is completed by each event whose counter it controls, or whose second register it is.
 */
#include <stdlib.h>
#include <string.h>

#include "events/plan.h"
#include "pmu/registers.h"

static pfarg_pmc_t *plan_pmc(struct plan *plan, const struct pmu *pmu, unsigned int set,
			     unsigned int num)
{
	pfarg_pmc_t *pmc;
	int i;

	for (i = 0; i < plan->npmcs; i++)
		if (plan->pmcs[i].reg_set == set && plan->pmcs[i].reg_num == num)
			return &plan->pmcs[i];
	pmc = &plan->pmcs[plan->npmcs++];
	pmc->reg_set = (__u16)set;
	pmc->reg_num = (__u16)num;
	pmc->reg_value = pmu_find_pmc(pmu, num)->def_value;
	return pmc;
}

static void plan_raw(struct plan *plan, const struct events *events, const struct pmu *pmu)
{
	const struct raw_pmc *raw;
	unsigned int set;
	size_t i;

	for (i = 0; i < events->nraw; i++) {
		raw = &events->raw[i];
		for (set = 0; set < plan->nsets; set++)
			if (raw_in_set(events, raw, set))
				plan_pmc(plan, pmu, set, raw->num)->reg_value = raw->value;
	}
}

void plan_make(struct plan *plan, const struct events *events, const struct pmu *pmu)
{
	size_t i;

	memset(plan, 0, sizeof(*plan));
	plan->nsets = events->nsets;
	plan->pmcs = xcalloc(2 * events->n + plan->nsets * events->nraw, sizeof(*plan->pmcs));
	plan->pmds = xcalloc(events->n, sizeof(*plan->pmds));
	plan->software = xcalloc(events->n, sizeof(*plan->software));
	plan->npmds = (int)events->n;

	plan_raw(plan, events, pmu);
	for (i = 0; i < events->n; i++) {
		const struct event *event = &events->event[i];
		const struct counter *counter = &pmu->counters[event->counter];
		pfarg_pmc_t *pmc;

		if (event->software) {
			plan->software[i].event = event->software;
			plan->software[i].levels = event->levels;
			plan->nsoftware++;
			continue;
		}
		plan->pmds[i].reg_set = (__u16)event->set;
		plan->pmds[i].reg_num = (__u16)counter->pmd;
		if (event->raw)
			continue;
		pmc = plan_pmc(plan, pmu, event->set, counter->pmc);
		pmc->reg_value = pmu->arch->program(pmu, counter, event->code,
						    pmc->reg_value);
		if (event->extra.n)
			plan_pmc(plan, pmu, event->set, event->extra_pmc)->reg_value =
				event->extra.value;
	}
}

void plan_add(struct plan *plan, unsigned int num, uint64_t value)
{
	unsigned int set;

	plan->pmcs = xrealloc(plan->pmcs, (size_t)plan->npmcs + plan->nsets, sizeof(*plan->pmcs));
	for (set = 0; set < plan->nsets; set++) {
		pfarg_pmc_t *pmc = &plan->pmcs[plan->npmcs++];

		memset(pmc, 0, sizeof(*pmc));
		pmc->reg_set = (__u16)set;
		pmc->reg_num = (__u16)num;
		pmc->reg_value = value;
	}
}

void plan_free(struct plan *plan)
{
	free(plan->pmcs);
	free(plan->pmds);
	free(plan->software);
	memset(plan, 0, sizeof(*plan));
}
