/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the kernel that are counted beside those of a hardware PMU: clocks, page faults,
 * switches. They take no counter.
 *
 * They are perf's, as in its man page perf_event_open(2). perfmon's virtual PMDs have
 * these values as well, but are made for samples: they are 0 once the thread has
 * ended, and in a context of a CPU they are those of the thread that runs at the moment, so
 * that no difference of two readings is a count. The software PMU, on a machine without another,
 * has events of the same names, which are its own (soft.h).
 */
#ifndef PFMON_PMU_SOFTWARE_H
#define PFMON_PMU_SOFTWARE_H

#include <sys/types.h>

#include "pmu/pmu.h"

struct software_event {
	const char	*name;
	const char	*short_name;	/* perf's other name, or NULL */
	const char	*desc;
	uint64_t	config;		/* PERF_COUNT_SW_* */
	enum event_kind	kind;
	bool		level_free;	/* counts the same whatever the level */
	bool		at_user;	/* has a count at user level alone */
	unsigned int	pmd;		/* perfmon's virtual PMD of it; 0: there is none */
};

/* The purpose of an event. */
enum software_use {
	SOFTWARE_COUNT,		/* perf counts it */
	SOFTWARE_SAMPLE,	/* perf samples it */
	SOFTWARE_VALUE,		/* perfmon's virtual PMD comes with samples, without perf */
};

/* Ended by a NULL name. */
extern const struct software_event software_events[];

/* The event of this name, of @length characters, or NULL. */
const struct software_event *software_find(const char *name, size_t length);

/*
 * Count it for the thread @tid, or, if that is below 0, for @cpu, in the group of the
 * descriptor @leader; -1 begins a group, which counts at once if @started. Returns a
 * descriptor, or -1 with errno.
 */
int software_open(const struct software_event *event, pid_t tid, int cpu, int leader,
		  unsigned int levels, bool started);

/* Parameters of sampling: the levels of the events, and the rate. */
struct software_sampling {
	unsigned int	levels;		/* LEVEL_* */
	uint64_t	period;		/* events for each sample, or ns of a clock */
	uint64_t	hz;		/* ... or, if this is not 0, samples a second */
	unsigned int	chain_parts;	/* of call chains: PFM_STACK_SMPL_*; 0: samples have none */
	unsigned int	depth;		/* of each part, at most */
};

/*
 * Each sample has its event's id, place, thread, time and CPU, in this order; with a frequency,
 * its period as well; then, if requested, its call chain. The descriptor is readable when half of
 * the ring is full. With a fixed period, a request for the period would make the kernel take each
 * event for a sample.
 */
#define SOFTWARE_SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* A clock's timer comes no faster than this, in ns, whatever the period. */
#define SOFTWARE_SHORTEST_NS	10000

/* As software_open(), but for samples, in the ring of the descriptor; it does not begin yet. */
int software_open_sampled(const struct software_event *event, pid_t tid, int cpu,
			  const struct software_sampling *how);

/* Number of samples without room in the ring. False: the kernel does not count them. */
bool software_lost(int fd, uint64_t *lost);

/*
 * The levels of an event for @use: @asked, as LEVEL_*, or, if no level was
 * named and it is 0, the levels that this user may have. A clock's samples have levels, its count
 * has none. 0, with the reason: it has no such level, or this user may not. @name: the user's text.
 */
unsigned int software_levels(const struct software_event *event, enum software_use use,
			     unsigned int asked, const char *name, struct problem *why);

#endif /* PFMON_PMU_SOFTWARE_H */
