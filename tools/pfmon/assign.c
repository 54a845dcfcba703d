// SPDX-License-Identifier: GPL-2.0
/*
 * A matching in the bipartite graph of events and counters, by augmenting paths: an
 * event that finds all its counters taken asks their holders to move over.
 */
#include <stdlib.h>
#include <string.h>

#include "assign.h"

#define FREE	(-1)

struct matching {
	const struct pmu	*pmu;
	const struct event	*event;
	uint64_t		*allowed;		/* counters of each event */
	int			holder[MAX_COUNTERS];	/* event on each counter, or FREE */
	uint64_t		visited;		/* counters asked on this path */
};

/* Fixed counters before general ones, each in order. */
static int next_counter(const struct matching *m, uint64_t candidates)
{
	int first = -1;
	unsigned int i;

	for (i = 0; i < m->pmu->ncounters; i++) {
		if (!(candidates & 1ULL << i))
			continue;
		if (m->pmu->counters[i].fixed)
			return (int)i;
		if (first < 0)
			first = (int)i;
	}
	return first;
}

/* Find @event a counter; the holders on the way move over. */
static bool augment(struct matching *m, int event)
{
	uint64_t candidates = m->allowed[event];
	int counter;

	/* A free one first: then nobody has to move. */
	while ((counter = next_counter(m, candidates)) >= 0) {
		candidates &= ~(1ULL << counter);
		if (m->holder[counter] == FREE) {
			m->holder[counter] = event;
			return true;
		}
	}
	candidates = m->allowed[event] & ~m->visited;
	while ((counter = next_counter(m, candidates)) >= 0) {
		m->visited |= 1ULL << counter;
		if (augment(m, m->holder[counter])) {
			m->holder[counter] = event;
			return true;
		}
		candidates = m->allowed[event] & ~m->visited;
	}
	return false;
}

/*
 * After a failed augment(), the visited counters are all that the event and the holders
 * of those counters could ever use: too few by one.
 */
static bool does_not_fit(const struct matching *m, int event, struct problem *why)
{
	const struct event *e = &m->event[event];
	const uint64_t taken = m->visited | m->allowed[event];
	char counters[300], others[400] = "";
	unsigned int i;

	for (i = 0; i < m->pmu->ncounters; i++)
		if (taken & 1ULL << i && m->holder[i] != FREE)
			append(others, sizeof(others), "%s%s", others[0] ? ", " : "",
			       m->event[m->holder[i]].name);
	if (!m->allowed[event]) {
		problem(why, "event %s does not fit: its counters (%s) are programmed by a raw value",
			e->name,
			pmu_counter_names(m->pmu, e->counters, counters, sizeof(counters)));
		return problem_hint(why, "Leave one of the two out.");
	}
	problem(why, "event %s does not fit: it needs one of the counters %s", e->name,
		pmu_counter_names(m->pmu, m->allowed[event], counters, sizeof(counters)));
	return problem_hint(why, "Together with %s\nit would need more counters than the %d that can count them (%s).\n"
				 "Leave one of these events out, or count them in separate runs.",
			    others, __builtin_popcountll(taken),
			    pmu_counter_names(m->pmu, taken, counters, sizeof(counters)));
}

/* A raw value takes its PMC as a whole: no event shares a register with it. */
static uint64_t allowed_counters(const struct events *events, const struct pmu *pmu,
				 const struct event *event)
{
	uint64_t allowed = event->counters;
	unsigned int i;
	size_t r;

	if (event->raw)
		return allowed;
	for (i = 0; i < pmu->ncounters; i++)
		for (r = 0; r < events->nraw; r++)
			if (pmu->counters[i].pmc == events->raw[r].num)
				allowed &= ~(1ULL << i);
	return allowed;
}

bool assign_counters(struct events *events, const struct pmu *pmu, struct problem *why)
{
	struct matching m = { .pmu = pmu, .event = events->event };
	bool ok = true;
	unsigned int i;
	size_t e;

	m.allowed = xcalloc(events->n, sizeof(*m.allowed));
	for (i = 0; i < MAX_COUNTERS; i++)
		m.holder[i] = FREE;
	for (e = 0; e < events->n; e++)
		m.allowed[e] = allowed_counters(events, pmu, &events->event[e]);

	for (e = 0; ok && e < events->n; e++) {
		m.visited = 0;
		ok = augment(&m, (int)e) || does_not_fit(&m, (int)e, why);
	}
	for (i = 0; ok && i < pmu->ncounters; i++)
		if (m.holder[i] != FREE)
			events->event[m.holder[i]].counter = i;
	free(m.allowed);
	return ok;
}
