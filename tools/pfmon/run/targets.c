// SPDX-License-Identifier: GPL-2.0
/* Attaching to each of the threads or CPUs that the user has named. */
#include <errno.h>

#include "cpus.h"
#include "run/targets.h"

struct visit {
	target_attach	attach;
	void		*data;
};

static bool attach_thread(const struct visit *visit, pid_t tid, struct problem *why)
{
	int error;

	if (visit->attach(visit->data, tid, why))
		return true;
	error = errno;
	if (error == ESRCH)
		problem(why, "there is no thread %d", (int)tid);
	else if (error == EBUSY || error == EPERM)
		append(why->what, sizeof(why->what), ", thread %d", (int)tid);
	return false;
}

bool targets_threads(const struct ids *tids, target_attach attach, void *data,
		     struct problem *why)
{
	const struct visit visit = { attach, data };
	size_t i;

	for (i = 0; i < tids->n; i++)
		if (!attach_thread(&visit, tids->id[i], why))
			return false;
	return true;
}

static bool attach_here(void *data, unsigned int cpu, struct problem *why)
{
	const struct visit *visit = data;

	if (visit->attach(visit->data, (pid_t)cpu, why))
		return true;
	append(why->what, sizeof(why->what), ", CPU %u", cpu);
	return false;
}

bool targets_cpus(const unsigned int *cpus, size_t n, target_attach attach, void *data,
		  struct problem *why)
{
	struct visit visit = { attach, data };
	size_t i;

	for (i = 0; i < n; i++)
		if (!cpus_visit(cpus[i], attach_here, &visit, why))
			return false;
	return true;
}
