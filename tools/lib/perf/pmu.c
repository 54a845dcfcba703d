// SPDX-License-Identifier: GPL-2.0
/*
 * The available counters, determined by using them.
 *
 * perf_events lets its users share the counters, and takes turns when there are too few.
 * Here a count is whole or there is none, so the PMU is shown with the counters that are
 * available together now: without that of the NMI watchdog, or those of other pinned
 * events. A larger plan then takes event sets, and reports that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <perfmon_soft.h>

#include "perf/context.h"

/* Retired branches: an event that every general counter of every model counts. */
#define INTEL_BRANCHES	0xc4
#define AMD_BRANCHES	0xc2

static struct perf_pmu machine;
static struct perfmon_last_error refused;	/* .error: the reason for no PMU */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int paranoid_level(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = -1;

	if (file && fscanf(file, "%d", &level) != 1)
		level = -1;
	if (file)
		fclose(file);
	return level;
}

/* The module is loaded, but this user may not open the device. */
static bool device_is_shut(void)
{
	return !access("/dev/perfmon", F_OK) && access("/dev/perfmon", R_OK | W_OK);
}

int perf_refuse_open(int error, const char *what, int paranoid)
{
	static _Thread_local char hint[480];

	if (error == ENOSYS)
		return perfmon_refuse(ENOSYS, "It needs CONFIG_PERF_EVENTS, or a sandbox that lets the call through.",
				      "this kernel has neither perfmonctl() nor perf_event_open()");
	if (error != EACCES && error != EPERM)
		return perfmon_refuse(error, NULL, "perf_event_open(): %s", strerror(error));
	snprintf(hint, sizeof(hint),
		 "It needs kernel.perf_event_paranoid at %d or below%s (it is %d): sysctl kernel.perf_event_paranoid=%d,\n"
		 "or the capability CAP_PERFMON. A container's seccomp filter can forbid it as well.%s",
		 paranoid, paranoid > 1 ? ", for whole CPUs 0" : "", paranoid_level(), paranoid,
		 device_is_shut() ?
		 "\nOr the right to open /dev/perfmon, which perfmon's module has: an administrator gives it." :
		 "");
	return perfmon_refuse(EPERM, hint, "perf_events forbids this user to monitor %s", what);
}

/* Open an event that counts on this thread; true: this user may. */
static bool may_open(struct perf_event_attr *attr)
{
	const int fd = perf_open(attr, 0, -1, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool find_rights(struct perf_pmu *pmu)
{
	struct perf_event_attr attr;

	perf_event_init(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	pmu->kernel = may_open(&attr);
	attr.exclude_kernel = attr.exclude_hv = 1;
	return pmu->kernel || may_open(&attr);
}

/* A group that is growing, on this thread. */
struct group {
	int		fd[2 * PERF_REGS];
	unsigned int	n;
};

static void group_close(struct group *group)
{
	while (group->n)
		close(group->fd[--group->n]);
}

/* Add an event at user level. */
static bool group_add(struct group *group, uint32_t type, uint64_t config)
{
	struct perf_event_attr attr;
	int fd;

	perf_event_init(&attr, type, config);
	attr.exclude_kernel = attr.exclude_hv = 1;
	attr.pinned = !group->n;
	attr.disabled = !group->n;
	fd = perf_open(&attr, 0, -1, group->n ? group->fd[0] : -1);
	if (fd < 0)
		return false;
	group->fd[group->n++] = fd;
	return true;
}

/* True if all its events get counters at the same time. */
static bool group_counts(const struct group *group)
{
	struct perf_count count;
	bool ok;

	if (ioctl(group->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP))
		return false;
	ok = perf_read_event(group->fd[0], &count);
	ioctl(group->fd[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	return ok && count.enabled_ns;
}

/* True if @general general counters and the fixed counters in @fixed, a mask, count together. */
static bool together(const struct perf_pmu *pmu, unsigned int general, unsigned int fixed)
{
	const uint64_t branches = pmu->kind == PERF_PMU_INTEL ? INTEL_BRANCHES : AMD_BRANCHES;
	static const uint64_t events[PERF_INTEL_NUM_FIXED] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_REF_CPU_CYCLES,
	};
	struct group group = { .n = 0 };
	bool ok = true;
	unsigned int i;

	for (i = 0; ok && i < general; i++)
		ok = group_add(&group, PERF_TYPE_RAW, branches);
	for (i = 0; ok && i < PERF_INTEL_NUM_FIXED; i++)
		if (fixed & (1U << i))
			ok = group_add(&group, PERF_TYPE_HARDWARE, events[i]);
	ok = ok && group.n && group_counts(&group);
	group_close(&group);
	return ok;
}

/* Keep the counters of the table that are available together. */
static bool find_counters(struct perf_pmu *pmu)
{
	unsigned int general = 0, fixed = 0, i;

	while (general < PERF_INTEL_FIXED && pmu->pmc[general].name &&
	       pmu->pmd[general].name)
		general++;
	while (general && !together(pmu, general, 0))
		general--;
	if (!general)
		return false;
	for (i = 0; i < PERF_INTEL_NUM_FIXED; i++)
		if (pmu->pmd[PERF_INTEL_FIXED + i].name &&
		    together(pmu, general, fixed | 1U << i))
			fixed |= 1U << i;
	for (i = general; i < PERF_INTEL_FIXED; i++)
		pmu->pmc[i].name = pmu->pmd[i].name = NULL;
	for (i = 0; i < PERF_REGS - PERF_INTEL_FIXED; i++) {
		if (i < PERF_INTEL_NUM_FIXED && fixed & (1U << i))
			continue;
		pmu->pmd[PERF_INTEL_FIXED + i].name = NULL;
		if (i < PERF_INTEL_NUM_FIXED)
			pmu->pmc[PERF_INTEL_FIXED].rsvd |= 0xfULL << (4 * i);
	}
	if (!fixed)
		pmu->pmc[PERF_INTEL_FIXED].name = NULL;
	return true;
}

/*
 * perf_events has no event for system calls but tracepoints, and no injected events.
 * Switches and migrations happen in the kernel: without that level they are 0.
 */
static void find_software(struct perf_pmu *pmu)
{
	unsigned int i;

	memset(pmu->pmc, 0, sizeof(pmu->pmc));
	memset(pmu->pmd, 0, sizeof(pmu->pmd));
	perf_tables_software(pmu);
	for (i = 0; i < PERF_REGS; i++)
		if (i < PFM_SOFT_TASK_CLOCK || i >= PFM_SOFT_SYSCALLS ||
		    (i >= PFM_SOFT_CTX_SWITCHES && !pmu->kernel))
			pmu->pmc[i].name = pmu->pmd[i].name = NULL;
}

static void find(void)
{
	const struct perfmon_last_error *refusal;

	if (!find_rights(&machine)) {
		perf_refuse_open(errno, "anything", 2);
		refusal = perfmon_last_error(errno);
		refused = *refusal;
		refused.hint = strdup(refusal->hint);
		return;
	}
	if (!perf_tables_processor(&machine) || !find_counters(&machine))
		find_software(&machine);
}

const struct perf_pmu *perf_pmu(void)
{
	pthread_once(&once, find);
	if (!refused.error)
		return &machine;
	perfmon_refuse(refused.error, refused.hint, "%s", refused.what);
	return NULL;
}
