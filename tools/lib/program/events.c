// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon_events(): from a list to registers, as pfmon does it. The PMU is read once: it does
 * not change while the program runs. libpfm4 is for one thread at a time.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "events/assign.h"
#include "events/list.h"
#include "perfmon_lib.h"
#include "program/error.h"
#include "program/events.h"
#include "session/session.h"

/* The turn of a set: short, as programs may be. With perf_events a switch itself takes 0.2 ms. */
#define SWITCH_NS	1000000
#define PERF_SWITCH_NS	10000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pmu pmu;
static bool pmu_known;

static bool know_pmu(struct problem *why)
{
	if (!pmu_known && pmu_read(&pmu, why)) {
		pmu_known = pmu_find_names(&pmu, why);
		if (!pmu_known)
			pmu_free(&pmu);
	}
	return pmu_known;
}

/* A user may be allowed contexts of CPUs and none of threads. */
static bool know_rights(struct rights *rights, struct problem *why)
{
	struct problem of_threads;

	if (rights_ask(rights, &pmu, false, &of_threads) || rights_ask(rights, &pmu, true, why))
		return true;
	*why = of_threads;
	return false;
}

static bool fill_in(struct perfmon_event_list *events, const char *list, struct problem *why)
{
	struct rights rights;

	if (!know_pmu(why) || !know_rights(&rights, why))
		return false;
	errno = 0; /* the names themselves have none */
	if (!(list ? events_add(&events->events, &pmu, &rights, list, why) :
		     events_add_default(&events->events, &pmu, &rights, why)) ||
	    !assign_sets(&events->events, &pmu, why)) {
		errno = EINVAL;
		return false;
	}
	plan_make(&events->plan, &events->events, &pmu);
	events->plan.timeout_ns = perfmon_in_kernel() ? SWITCH_NS :
									  PERF_SWITCH_NS;
	return true;
}

struct perfmon_event_list *perfmon_events(const char *list)
{
	struct perfmon_event_list *events = xcalloc(1, sizeof(*events));
	bool ok;

	events->users = 1;
	pthread_mutex_lock(&lock);
	ok = fill_in(events, list, error_why());
	pthread_mutex_unlock(&lock);
	if (ok)
		return events;
	error_fail(errno);
	perfmon_events_free(events);
	return NULL;
}

struct perfmon_event_list *events_hold(const struct perfmon_event_list *events)
{
	struct perfmon_event_list *held = (struct perfmon_event_list *)events;

	__atomic_add_fetch(&held->users, 1, __ATOMIC_RELAXED);
	return held;
}

void perfmon_events_free(struct perfmon_event_list *events)
{
	const int error = errno;

	if (!events || __atomic_sub_fetch(&events->users, 1, __ATOMIC_ACQ_REL))
		return;
	plan_free(&events->plan);
	events_free(&events->events);
	free(events);
	errno = error;
}

size_t perfmon_events_count(const struct perfmon_event_list *events)
{
	return events->events.n;
}

unsigned int perfmon_events_sets(const struct perfmon_event_list *events)
{
	return events->plan.nsets;
}

const char *perfmon_events_name(const struct perfmon_event_list *events, size_t i)
{
	return i < events->events.n ? events->events.event[i].name : NULL;
}

const pfarg_pmc_t *perfmon_events_pmcs(const struct perfmon_event_list *events, int *n)
{
	*n = events->plan.npmcs;
	return events->plan.pmcs;
}

const pfarg_pmd_t *perfmon_events_pmds(const struct perfmon_event_list *events, int *n)
{
	*n = events->plan.npmds;
	return events->plan.pmds;
}
