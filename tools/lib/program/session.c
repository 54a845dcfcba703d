// SPDX-License-Identifier: GPL-2.0
/* Sessions that count: opened, started, read, closed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "explain.h"
#include "perfmon_lib.h"
#include "program/error.h"
#include "program/session.h"

static struct perfmon_session *open_at(const struct perfmon_event_list *events,
				       const struct place *place)
{
	struct perfmon_session *session;
	int fd, error;

	if (!events)
		return NULL;
	fd = session_open(&events->plan, place->tid < 0, error_why());
	if (fd < 0 || !place_load(place, fd, error_why())) {
		error = errno;
		if (fd >= 0)
			perfmon_close(fd);
		error_fail(error);
		return NULL;
	}
	session = xcalloc(1, sizeof(*session));
	session->events = events_hold(events);
	session->fd = fd;
	return session;
}

struct perfmon_session *perfmon_session_open(const struct perfmon_event_list *events, pid_t tid)
{
	return place_is_thread(tid) ? open_at(events, &(struct place){ .tid = tid }) : NULL;
}

struct perfmon_session *perfmon_session_open_cpu(const struct perfmon_event_list *events,
						 unsigned int cpu)
{
	return open_at(events, &(struct place){ .tid = -1, .cpu = cpu });
}

void perfmon_session_close(struct perfmon_session *session)
{
	const int error = errno;

	if (!session)
		return;
	if (session->samples)
		samples_close(session->samples);
	else
		perfmon_close(session->fd);
	perfmon_events_free(session->events);
	free(session);
	errno = error;
}

int perfmon_session_start(struct perfmon_session *session)
{
	if (!session_start(session->fd, error_why()))
		return error_fail(errno);
	session->running = true;
	return 0;
}

int perfmon_session_stop(struct perfmon_session *session)
{
	session->running = false;
	/* A thread that has ended counts nothing any more: it is stopped. */
	if (!perfmon_stop(session->fd) || errno == EBUSY)
		return 0;
	explain(error_why(), PFM_STOP, errno, NULL, 0);
	return error_fail(errno);
}

static void estimate(struct perfmon_count *count, const struct set_time *set, uint64_t total_ns)
{
	count->active_ns = set->active_ns;
	count->total_ns = total_ns;
	if (set->active_ns)
		count->count = (uint64_t)((double)count->counted * (double)total_ns /
						  (double)set->active_ns + 0.5);
}

static bool read_counts(struct perfmon_session *session, struct perfmon_count *counts, size_t n)
{
	const struct plan *plan = &session->events->plan;
	struct set_time *times = xcalloc(plan->nsets, sizeof(*times));
	uint64_t *sums = xcalloc((size_t)plan->npmds, sizeof(*sums));
	uint64_t total_ns = 0;
	unsigned int s;
	size_t i;
	bool ok;

	ok = session_read(plan, session->fd, sums, times, error_why());
	for (s = 0; s < plan->nsets; s++)
		total_ns += times[s].active_ns;
	for (i = 0; ok && i < n; i++) {
		counts[i] = (struct perfmon_count){ .count = sums[i], .counted = sums[i] };
		if (plan->nsets > 1)
			estimate(&counts[i], &times[plan->pmds[i].reg_set], total_ns);
	}
	free(times);
	free(sums);
	return ok;
}

int perfmon_session_read_counts(struct perfmon_session *session, struct perfmon_count *counts,
				size_t n)
{
	if (n > session->events->events.n) {
		problem(error_why(), "%zu counts are wanted of %zu events", n,
			session->events->events.n);
		return error_fail(EINVAL);
	}
	return read_counts(session, counts, n) ? 0 : error_fail(errno);
}

int perfmon_session_read(struct perfmon_session *session, uint64_t *values, size_t n)
{
	struct perfmon_count *counts = xcalloc(n, sizeof(*counts));
	const int result = perfmon_session_read_counts(session, counts, n);
	size_t i;

	for (i = 0; !result && i < n; i++)
		values[i] = counts[i].count;
	free(counts);
	return result;
}

int perfmon_session_fd(const struct perfmon_session *session)
{
	return session->fd;
}
