// SPDX-License-Identifier: GPL-2.0
/*
 * In a set: a matching in the bipartite graph of events and counters, by augmenting
 * paths. An event whose counters are all taken asks their holders to move.
 */
#include <stdlib.h>
#include <string.h>

#include "events/assign.h"
#include "events/extra.h"
#include "pmu/registers.h"

#define FREE		(-1)
#define MAX_SETS	65536	/* set identifiers have 16 bits */

/* Events that must count at once, as indices. */
struct members {
	size_t	*event;
	size_t	n, room;
};

struct matching {
	const struct pmu	*pmu;
	const struct events	*events;
	const struct members	*members;
	uint64_t		*allowed;		/* counters of each member */
	int			holder[MAX_COUNTERS];	/* member on each counter, or FREE */
	uint64_t		visited;		/* counters asked on this path */
};

static const struct event *member(const struct matching *m, int i)
{
	return &m->events->event[m->members->event[i]];
}

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

/* Find a counter for member @i; the holders on the way move. */
static bool augment(struct matching *m, int i)
{
	uint64_t candidates = m->allowed[i];
	int counter;

	/* A free counter first: then no event has to move. */
	while ((counter = next_counter(m, candidates)) >= 0) {
		candidates &= ~(1ULL << counter);
		if (m->holder[counter] == FREE) {
			m->holder[counter] = i;
			return true;
		}
	}
	candidates = m->allowed[i] & ~m->visited;
	while ((counter = next_counter(m, candidates)) >= 0) {
		m->visited |= 1ULL << counter;
		if (augment(m, m->holder[counter])) {
			m->holder[counter] = i;
			return true;
		}
		candidates = m->allowed[i] & ~m->visited;
	}
	return false;
}

/*
 * After a failed augment(), the visited counters are all that the event and the holders
 * of those counters can use: too few by one.
 */
static bool does_not_fit(const struct matching *m, int i, struct problem *why)
{
	const struct event *event = member(m, i);
	const uint64_t taken = m->visited | m->allowed[i];
	char counters[300], others[400] = "";
	unsigned int c;

	for (c = 0; c < m->pmu->ncounters; c++)
		if (taken & 1ULL << c && m->holder[c] != FREE)
			append(others, sizeof(others), "%s%s", others[0] ? ", " : "",
			       member(m, m->holder[c])->name);
	if (!m->allowed[i]) {
		problem(why, "event %s does not fit: its counters (%s) are programmed by a raw value",
			event->name,
			pmu_counter_names(m->pmu, event->counters, counters, sizeof(counters)));
		return problem_hint(why, "Leave one of the two out.");
	}
	problem(why, "event %s does not fit: it needs one of the counters %s", event->name,
		pmu_counter_names(m->pmu, m->allowed[i], counters, sizeof(counters)));
	return problem_hint(why, "Together with %s\nit would need more counters than the %d that can count them (%s).\n"
				 "Leave one of these events out, or count them in separate runs.",
			    others, __builtin_popcountll(taken),
			    pmu_counter_names(m->pmu, taken, counters, sizeof(counters)));
}

/* True if a raw value is written while the members count, because one is of its group. */
static bool is_beside(const struct events *events, const struct members *members,
		      const struct raw_pmc *raw)
{
	size_t i;

	for (i = 0; i < members->n; i++)
		if (events->event[members->event[i]].group == raw->group)
			return true;
	return false;
}

/* A raw value takes its PMC as a whole: no event shares a register with it. */
static uint64_t allowed_counters(const struct events *events, const struct pmu *pmu,
				 const struct members *members, const struct event *event)
{
	uint64_t allowed = event->counters;
	unsigned int i;
	size_t r;

	if (event->raw)
		return allowed;
	for (r = 0; r < events->nraw; r++) {
		if (!is_beside(events, members, &events->raw[r]))
			continue;
		for (i = 0; i < pmu->ncounters; i++)
			if (pmu->counters[i].pmc == events->raw[r].num)
				allowed &= ~(1ULL << i);
	}
	return allowed;
}

/* Place all the members, or none. */
static bool assign_members(struct events *events, const struct pmu *pmu,
			   const struct members *members, struct problem *why)
{
	struct matching m = { .pmu = pmu, .events = events, .members = members };
	bool ok = extra_assign(events, pmu, members->event, members->n, why);
	unsigned int c;
	size_t i;

	m.allowed = xcalloc(members->n, sizeof(*m.allowed));
	for (c = 0; c < MAX_COUNTERS; c++)
		m.holder[c] = FREE;
	for (i = 0; i < members->n; i++)
		m.allowed[i] = allowed_counters(events, pmu, members,
						&events->event[members->event[i]]);

	for (i = 0; ok && i < members->n; i++) {
		m.visited = 0;
		ok = augment(&m, (int)i) || does_not_fit(&m, (int)i, why);
	}
	for (c = 0; ok && c < pmu->ncounters; c++)
		if (m.holder[c] != FREE)
			events->event[members->event[m.holder[c]]].counter = c;
	free(m.allowed);
	return ok;
}

static void add_member(struct members *members, size_t event)
{
	GROW(members->event, members->n, members->room);
	members->event[members->n++] = event;
}

bool assign_counters(struct events *events, const struct pmu *pmu, struct problem *why)
{
	struct members all = { 0 };
	bool ok;
	size_t e;

	for (e = 0; e < events->n; e++) {
		events->event[e].set = 0;
		if (!events->event[e].software)
			add_member(&all, e);
	}
	ok = assign_members(events, pmu, &all, why);
	events->nsets = 1;
	free(all.event);
	return ok;
}

/*
 * The events of group @g that need a counter. *@at is the index of its first event, and becomes
 * that of the next group.
 */
static struct members group_members(const struct events *events, size_t g, size_t *at)
{
	struct members members = { 0 };

	for (; *at < events->n && events->event[*at].group == g; (*at)++)
		if (!events->event[*at].software)
			add_member(&members, *at);
	return members;
}

/* Put @group into @set beside its members, if there are counters for all. */
static bool join_set(struct events *events, const struct pmu *pmu, struct members *set,
		     const struct members *group, struct problem *why)
{
	const size_t before = set->n;
	size_t i;

	for (i = 0; i < group->n; i++)
		add_member(set, group->event[i]);
	if (assign_members(events, pmu, set, why))
		return true;
	set->n = before;
	return false;
}

/* Alone in a set, a group with braces can still be too large. */
static bool group_does_not_fit(const struct events *events, const struct members *group,
			       struct problem *why)
{
	char names[300] = "";
	struct problem reason = *why;
	size_t i;

	if (group->n == 1)
		return false;
	for (i = 0; i < group->n; i++)
		append(names, sizeof(names), "%s%s", i ? "," : "",
		       events->event[group->event[i]].name);
	problem(why, "the group {%s} does not fit into one event set", names);
	return problem_hint(why, "%s.\n%s\nOr split the group: what is in no common group can be in several sets.",
			    reason.what, reason.hint);
}

/* Sets in the making. */
struct packing {
	struct members	*set;
	size_t		n, room;
	size_t		first;		/* that a group with braces may go to */
};

static bool pack(struct events *events, const struct pmu *pmu, struct packing *packing,
		 const struct members *group, bool braces, struct problem *why)
{
	size_t s, i;

	for (s = braces ? packing->first : 0; s < packing->n; s++)
		if (packing->set[s].n + group->n <= pmu->ncounters &&
		    join_set(events, pmu, &packing->set[s], group, why))
			break;
	if (s == packing->n) {
		if (packing->n == MAX_SETS)
			return problem(why, "these events need more than %d event sets, which is all there can be",
				       MAX_SETS);
		GROW(packing->set, packing->n, packing->room);
		memset(&packing->set[packing->n], 0, sizeof(packing->set[0]));
		if (!join_set(events, pmu, &packing->set[packing->n++], group, why))
			return group_does_not_fit(events, group, why);
	}
	for (i = 0; i < group->n; i++)
		events->event[group->event[i]].set = (unsigned int)s;
	if (braces)
		packing->first = s;
	return true;
}

bool assign_sets(struct events *events, const struct pmu *pmu, struct problem *why)
{
	struct packing packing = { 0 };
	bool ok = true;
	size_t g, e = 0;

	for (g = 0; ok && g < events->ngroups; g++) {
		struct members group = group_members(events, g, &e);

		ok = !group.n || pack(events, pmu, &packing, &group, events->group[g].braces,
				      why);
		free(group.event);
	}
	events->nsets = packing.n ? (unsigned int)packing.n : 1; /* set 0 is always there */
	for (g = 0; g < packing.n; g++)
		free(packing.set[g].event);
	free(packing.set);
	return ok;
}
