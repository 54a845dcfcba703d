// SPDX-License-Identifier: GPL-2.0
/* A group counts and is read as a whole, by its first descriptor. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmu/software.h"
#include "run/software.h"

static bool explain_open(const struct software_event *event, int error, struct problem *why)
{
	problem(why, "event %s: perf_event_open(), which counts it, says: %s", event->name,
		strerror(error));
	if (error == EMFILE)
		return problem_hint(why, "Each event takes a descriptor for each thread or CPU: raise the limit (ulimit -Hn).");
	if (error == EACCES || error == EPERM)
		return problem_hint(why, "The target is another user's, or this user may not monitor it.");
	return false;
}

bool software_begin(const struct plan *plan, bool system_wide, pid_t id, bool started,
		    int **group, struct problem *why)
{
	unsigned int n = 0;
	int i, error, *fds;

	*group = NULL;
	if (!plan->nsoftware)
		return true;
	fds = xcalloc(plan->nsoftware, sizeof(*fds));
	for (i = 0; i < plan->npmds; i++) {
		const struct planned_software *software = &plan->software[i];

		if (!software->event)
			continue;
		fds[n] = software_open(software->event, system_wide ? -1 : id, (int)id,
				       n ? fds[0] : -1, software->levels, started);
		if (fds[n] >= 0) {
			n++;
			continue;
		}
		error = errno;
		while (n)
			close(fds[--n]);
		free(fds);
		explain_open(software->event, error, why);
		errno = error;
		return false;
	}
	*group = fds;
	return true;
}

void software_end(const struct plan *plan, int **group)
{
	unsigned int i;

	for (i = 0; *group && i < plan->nsoftware; i++)
		close((*group)[i]);
	free(*group);
	*group = NULL;
}

void software_start(const int *group)
{
	if (group)
		ioctl(group[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

void software_stop(const int *group)
{
	if (group)
		ioctl(group[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

bool software_read(const struct plan *plan, const int *group, uint64_t *sums,
		   struct problem *why)
{
	const size_t size = (1 + (size_t)plan->nsoftware) * sizeof(uint64_t);
	uint64_t *values, *value;
	ssize_t got;
	int i;

	if (!group)
		return true;
	values = xcalloc(1, size); /* the number of values, then the values */
	got = read(group[0], values, size);
	value = values + 1;
	for (i = 0; got == (ssize_t)size && i < plan->npmds; i++)
		if (plan_software(plan, i))
			sums[i] += *value++;
	free(values);
	return got == (ssize_t)size ||
	       problem(why, "the kernel's events cannot be read: %s",
		       got < 0 ? strerror(errno) : "a short read");
}
