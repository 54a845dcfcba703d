// SPDX-License-Identifier: GPL-2.0
/*
 * From the values of PMCs to perf events.
 *
 * An event select of x86 is perf_events' raw event except for the bits for levels, interrupt
 * and enable, which are attributes there. A fixed counter's event has a
 * general name in perf_events, which selects the same counter.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <perfmon_soft.h>

#include "perf/context.h"

/* Event selects, on Intel's and on AMD's processors. */
#define SEL_USR		(1ULL << 16)
#define SEL_OS		(1ULL << 17)
#define SEL_INT		(1ULL << 20)
#define SEL_EN		(1ULL << 22)
#define SEL_HOW		(SEL_USR | SEL_OS | SEL_INT | SEL_EN)

/* A fixed counter's four bits in the fixed control. */
#define FIXED_BITS	4
#define FIXED_OS	0x1ULL
#define FIXED_USR	0x2ULL

int perf_open(struct perf_event_attr *attr, pid_t tid, int cpu, int group)
{
	return (int)syscall(__NR_perf_event_open, attr, tid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

void perf_event_init(struct perf_event_attr *attr, uint32_t type, uint64_t config)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = type;
	attr->config = config;
	attr->disabled = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static void set_levels(struct perf_event_attr *attr, bool user, bool kernel)
{
	attr->exclude_user = !user;
	attr->exclude_kernel = !kernel;
	attr->exclude_hv = !kernel;
}

static bool describe_select(uint64_t value, struct perf_event_attr *attr)
{
	if (!(value & SEL_EN) || !(value & (SEL_USR | SEL_OS)))
		return false;
	perf_event_init(attr, PERF_TYPE_RAW, value & ~SEL_HOW);
	set_levels(attr, value & SEL_USR, value & SEL_OS);
	return true;
}

static bool describe_fixed(uint64_t control, unsigned int fixed, struct perf_event_attr *attr)
{
	static const uint64_t events[PERF_INTEL_NUM_FIXED] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_REF_CPU_CYCLES,
	};
	const uint64_t field = control >> (FIXED_BITS * fixed);

	if (fixed >= PERF_INTEL_NUM_FIXED || !(field & (FIXED_USR | FIXED_OS)))
		return false;
	perf_event_init(attr, PERF_TYPE_HARDWARE, events[fixed]);
	set_levels(attr, field & FIXED_USR, field & FIXED_OS);
	return true;
}

/* A PMC of the software PMU has the level bits that its event uses. */
static bool describe_software(const struct perf_pmu *pmu, uint64_t value, unsigned int pmd,
			      struct perf_event_attr *attr)
{
	static const uint64_t events[PERF_REGS] = {
		[PFM_SOFT_TASK_CLOCK]	= PERF_COUNT_SW_TASK_CLOCK,
		[PFM_SOFT_CPU_CLOCK]	= PERF_COUNT_SW_CPU_CLOCK,
		[PFM_SOFT_FAULTS]	= PERF_COUNT_SW_PAGE_FAULTS,
		[PFM_SOFT_MIN_FAULTS]	= PERF_COUNT_SW_PAGE_FAULTS_MIN,
		[PFM_SOFT_MAJ_FAULTS]	= PERF_COUNT_SW_PAGE_FAULTS_MAJ,
		[PFM_SOFT_CTX_SWITCHES]	= PERF_COUNT_SW_CONTEXT_SWITCHES,
		[PFM_SOFT_MIGRATIONS]	= PERF_COUNT_SW_CPU_MIGRATIONS,
	};
	const uint64_t levels = (PFM_SOFT_USER | PFM_SOFT_KERNEL) & ~pmu->pmc[pmd].rsvd;

	if (!(value & PFM_SOFT_ENABLE))
		return false;
	perf_event_init(attr, PERF_TYPE_SOFTWARE, events[pmd]);
	if (!levels) /* these happen in the kernel, whatever the program does */
		set_levels(attr, true, true);
	else if (levels & PFM_SOFT_USER)
		set_levels(attr, value & PFM_SOFT_USER, value & PFM_SOFT_KERNEL);
	else /* clocks: the level is that of samples, and all time counts */
		set_levels(attr, true, value & PFM_SOFT_KERNEL);
	return !attr->exclude_user || !attr->exclude_kernel;
}

/* The event of a PMD. False: with the present PMCs it does not count. */
bool perf_describe(const struct perf_pmu *pmu, const struct perf_set *set, unsigned int pmd,
		   struct perf_event_attr *attr)
{
	const bool fixed = pmu->kind == PERF_PMU_INTEL && pmd >= PERF_INTEL_FIXED;
	const unsigned int pmc = fixed ? PERF_INTEL_FIXED : pmd;

	if (!pmu->pmd[pmd].name || !(set->used & (1U << pmc)))
		return false;
	if (fixed)
		return describe_fixed(set->pmc[pmc], pmd - PERF_INTEL_FIXED, attr);
	if (pmu->kind == PERF_PMU_SOFT)
		return describe_software(pmu, set->pmc[pmc], pmd, attr);
	return describe_select(set->pmc[pmc], attr);
}

bool perf_read_event(int fd, struct perf_count *count)
{
	uint64_t values[4] = { 0 }; /* the last one with PERF_FORMAT_LOST */

	/* An empty read: a pinned group did not get its counters. */
	if (read(fd, values, sizeof(values)) < (ssize_t)(3 * sizeof(*values)))
		return false;
	count->value = values[0];
	count->enabled_ns = values[1];
	count->running_ns = values[2];
	count->lost = values[3];
	return values[1] == values[2];
}
