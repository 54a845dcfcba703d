// SPDX-License-Identifier: GPL-2.0
/* perf's software events, for counting. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "explain.h"
#include "perf_chain.h"
#include "pmu/software.h"

const struct software_event software_events[] = {
	{ "task-clock", NULL, "Time in which a thread runs; of a CPU, all time",
	  PERF_COUNT_SW_TASK_CLOCK, KIND_CLOCK, true, true, PFM_PMD_TASK_CLOCK },
	{ "cpu-clock", NULL, "The same, by the CPU's clock",
	  PERF_COUNT_SW_CPU_CLOCK, KIND_CLOCK, true, true, PFM_PMD_CPU_CLOCK },
	{ "page-faults", "faults", "Page faults",
	  PERF_COUNT_SW_PAGE_FAULTS, KIND_OTHER, false, true, 0 },
	{ "minor-faults", NULL, "Page faults that took no input or output",
	  PERF_COUNT_SW_PAGE_FAULTS_MIN, KIND_OTHER, false, true, PFM_PMD_MIN_FAULTS },
	{ "major-faults", NULL, "Page faults that did",
	  PERF_COUNT_SW_PAGE_FAULTS_MAJ, KIND_OTHER, false, true, PFM_PMD_MAJ_FAULTS },
	{ "context-switches", "cs", "Times that a thread leaves the CPU",
	  PERF_COUNT_SW_CONTEXT_SWITCHES, KIND_OTHER, false, false, PFM_PMD_CTX_SWITCHES },
	{ "cpu-migrations", "migrations", "Times that a thread continues on another CPU",
	  PERF_COUNT_SW_CPU_MIGRATIONS, KIND_OTHER, false, false, PFM_PMD_MIGRATIONS },
	{ NULL, NULL, NULL, 0, KIND_OTHER, false, false, 0 },
};

static bool is_name(const char *name, const char *text, size_t length)
{
	return name && strlen(name) == length && !strncasecmp(name, text, length);
}

const struct software_event *software_find(const char *name, size_t length)
{
	const struct software_event *event;

	for (event = software_events; event->name; event++)
		if (is_name(event->name, name, length) || is_name(event->short_name, name, length))
			return event;
	return NULL;
}

static int open_event(struct perf_event_attr *attr, pid_t tid, int cpu, int leader)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, tid < 0 ? cpu : -1, leader,
			    PERF_FLAG_FD_CLOEXEC);
}

int software_open(const struct software_event *event, pid_t tid, int cpu, int leader,
		  unsigned int levels, bool started)
{
	const bool kernel = !event->level_free && levels & LEVEL_KERNEL;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = event->config,
		.read_format = PERF_FORMAT_GROUP,
		.exclude_user = !event->level_free && !(levels & LEVEL_USER),
		.exclude_kernel = !kernel,
		.exclude_hv = !kernel,
		.disabled = leader < 0 && !started,
	};

	return open_event(&attr, tid, cpu, leader);
}

int software_open_sampled(const struct software_event *event, pid_t tid, int cpu,
			  const struct software_sampling *how)
{
	const bool kernel = how->levels & LEVEL_KERNEL;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = event->config,
		.sample_type = SOFTWARE_SAMPLE_TYPE | (how->hz ? PERF_SAMPLE_PERIOD : 0),
		.read_format = PERF_FORMAT_LOST,
		.exclude_user = !(how->levels & LEVEL_USER),
		.exclude_kernel = !kernel,
		.exclude_hv = !kernel,
		.disabled = 1,
		.freq = how->hz > 0,
		.watermark = 1, /* of 0 bytes: half of the ring, whatever its size */
	};
	int fd;

	if (how->chain_parts)
		perf_chain_ask(&attr, how->chain_parts, how->depth);
	if (how->hz)
		attr.sample_freq = how->hz;
	else
		attr.sample_period = how->period;
	fd = open_event(&attr, tid, cpu, -1);
	if (fd < 0 && errno == EINVAL) { /* before Linux 6.0 */
		attr.read_format = 0;
		fd = open_event(&attr, tid, cpu, -1);
	}
	return fd;
}

bool software_lost(int fd, uint64_t *lost)
{
	uint64_t values[2]; /* the count, and with PERF_FORMAT_LOST this */

	if (read(fd, values, sizeof(values)) != (ssize_t)sizeof(values))
		return false;
	*lost = values[1];
	return true;
}

/* True if this user may, for a thread of their own; else errno. */
static bool may_open(const struct software_event *event, enum software_use use,
		     unsigned int levels)
{
	const struct software_sampling how = { .levels = levels, .period = SOFTWARE_SHORTEST_NS };
	const int fd = use == SOFTWARE_SAMPLE ? software_open_sampled(event, 0, -1, &how) :
						software_open(event, 0, -1, -1, levels, false);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* This user may not, at the levels in question: errno. Returns 0. */
static unsigned int refuse(const struct software_event *event, enum software_use use,
			   unsigned int asked, const char *name, struct problem *why)
{
	const int error = errno;

	problem(why, "event %s: perf_event_open(), which %s it, says: %s",
		asked ? name : event->name, use == SOFTWARE_SAMPLE ? "samples" : "counts",
		strerror(error));
	if (error != EACCES && error != EPERM)
		return 0;
	problem_hint(why, "%s takes CAP_PERFMON, or a kernel.perf_event_paranoid below %d; it is %d.\n%s",
		     asked & LEVEL_KERNEL ? "Kernel level" :
		     event->at_user ? "It" : "It happens in the kernel, and that",
		     event->at_user && !(asked & LEVEL_KERNEL) ? 3 : 2, paranoid_level(),
		     event->at_user && asked & LEVEL_KERNEL ?
		     "Take :u, or run pfmon as root." :
		     "Leave the event out, or run pfmon as root.");
	return 0;
}

/* A level was named: true if the event has levels. */
static bool has_level(const struct software_event *event, enum software_use use,
		      unsigned int asked, const char *name, struct problem *why)
{
	if (use == SOFTWARE_VALUE || (use == SOFTWARE_COUNT && event->level_free)) {
		problem(why, "event %s: the kernel keeps one count of it, of both levels", name);
		return problem_hint(why, "Write %s%s.", event->name, use == SOFTWARE_VALUE ? "" :
				    "; `pfmon record` samples it by level");
	}
	if (event->at_user || asked & LEVEL_KERNEL)
		return true;
	problem(why, "event %s: it happens in the kernel, and never at user level", name);
	return problem_hint(why, "Write %s.", event->name);
}

unsigned int software_levels(const struct software_event *event, enum software_use use,
			     unsigned int asked, const char *name, struct problem *why)
{
	if (asked && !has_level(event, use, asked, name, why))
		return 0;
	if (use == SOFTWARE_VALUE)
		return LEVEL_ALL;
	if (may_open(event, use, asked ?: LEVEL_ALL))
		return asked ?: LEVEL_ALL;
	if (!asked && event->at_user && may_open(event, use, LEVEL_USER))
		return LEVEL_USER;
	return refuse(event, use, asked, name, why);
}
