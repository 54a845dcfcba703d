// SPDX-License-Identifier: GPL-2.0
/* A measurement that a check of `pfmon test` makes: of this thread, or of a child. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "events/assign.h"
#include "events/list.h"
#include "explain.h"
#include "test/measure.h"

#define TURN_NS		2000000ULL

bool measurement_make(struct measurement *m, const struct tester *tester, const char *list,
		      bool sets, struct problem *why)
{
	memset(m, 0, sizeof(*m));
	errno = ENOSYS; /* the event does not exist, or there are too many: not possible here */
	if (!events_add(&m->events, &tester->pmu, &tester->rights, list, why) ||
	    !(sets ? assign_sets(&m->events, &tester->pmu, why) :
		     assign_counters(&m->events, &tester->pmu, why))) {
		events_free(&m->events);
		return false;
	}
	plan_make(&m->plan, &m->events, &tester->pmu);
	m->plan.timeout_ns = TURN_NS;
	if (plan_try(&m->plan, false, why))
		return true;
	measurement_free(m);
	return false;
}

void measurement_free(struct measurement *m)
{
	const int error = errno;

	plan_free(&m->plan);
	events_free(&m->events);
	errno = error;
}

static void close_context(int fd)
{
	const int error = errno;

	perfmon_close(fd);
	errno = error;
}

int measurement_load(const struct measurement *m, struct problem *why)
{
	int fd = session_open(&m->plan, false, why);

	if (fd >= 0 && !session_load(fd, gettid(), 0, why)) {
		close_context(fd);
		fd = -1;
	}
	return fd;
}

static bool read_and_close(const struct measurement *m, int fd, bool ok, uint64_t *counts,
			   struct set_time *times, struct problem *why)
{
	struct set_time unwanted[MAX_COUNTERS];
	int i;

	for (i = 0; i < m->plan.npmds; i++)
		counts[i] = 0;
	memset(times ? times : unwanted, 0, m->plan.nsets * sizeof(*times));
	ok = ok && session_read(&m->plan, fd, counts, times ? times : unwanted, why);
	close_context(fd);
	return ok;
}

bool measure_self(const struct measurement *m, const struct program *program, uint64_t rounds,
		  uint64_t *counts, struct set_time *times, struct problem *why)
{
	int fd = measurement_load(m, why);
	bool ok;

	if (fd < 0)
		return false;
	ok = session_start(fd, why);
	program->run(rounds);
	session_stop(fd);
	return read_and_close(m, fd, ok, counts, times, why);
}

bool measure_child(const struct measurement *m, const struct program *program, uint64_t rounds,
		   uint64_t *counts, struct problem *why)
{
	int fd = session_open(&m->plan, false, why);
	pid_t pid;
	bool ok;

	if (fd < 0)
		return false;
	pid = program_fork(program, rounds);
	if (pid < 0) {
		problem(why, "cannot start a child: %s", strerror(errno));
		close_context(fd);
		return false;
	}
	ok = session_load(fd, pid, 0, why) && session_start(fd, why);
	if (!ok)
		kill(pid, SIGKILL);
	if (!program_go(pid) && ok)
		ok = problem(why, "the child did not end well");
	return read_and_close(m, fd, ok, counts, NULL, why);
}
