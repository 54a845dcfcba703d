/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libperfmon by event name: count and sample this thread, another one or a CPU. For C and
 * C++ programs; see perfmon_events(3).
 *
 *	struct perfmon_event_list *events = perfmon_events("instructions:u,branches:u");
 *	struct perfmon_session *session = perfmon_session_open(events, 0);
 *	uint64_t counts[2];
 *
 *	if (!session || perfmon_session_start(session))
 *		errx(1, "%s", perfmon_error());
 *	work();
 *	perfmon_session_stop(session);
 *	perfmon_session_read(session, counts, 2);
 *
 * Functions return 0, or -1 with errno and a sentence in perfmon_error(); functions that return
 * a pointer return NULL then.
 */
#ifndef PERFMON_EVENTS_H
#define PERFMON_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <perfmon.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The reason why the last function of this header (or perfmon_regions.h) that failed in this
 * thread did, as a sentence; and the way out, some lines or "". Valid until the next failure.
 */
const char *perfmon_error(void);
const char *perfmon_error_hint(void);

/*
 * The events of a list as pfmon-stat(1) describes it, each with a counter and an event set;
 * NULL: the usual ones. They are not changed after that: any number of threads and sessions
 * may use them.
 */
struct perfmon_event_list;

struct perfmon_event_list *perfmon_events(const char *list);

/* Sessions with these events go on. */
void perfmon_events_free(struct perfmon_event_list *events);

size_t perfmon_events_count(const struct perfmon_event_list *events);

/* The number of event sets that take turns; with one, all events are counted all the time. */
unsigned int perfmon_events_sets(const struct perfmon_event_list *events);

/* The name of event @i, with :u if this user may not count at kernel level; or NULL. */
const char *perfmon_events_name(const struct perfmon_event_list *events, size_t i);

/*
 * The registers, for a context of the program's own (perfmonctl(2)): values of PMCs, and a
 * PMD for each event, in the events' order. *@n is set to their number.
 */
const pfarg_pmc_t *perfmon_events_pmcs(const struct perfmon_event_list *events, int *n);
const pfarg_pmd_t *perfmon_events_pmds(const struct perfmon_event_list *events, int *n);

/*
 * A session counts on one thread (@tid; 0: the calling one), or on one CPU. It is used by
 * one thread at a time. NULL for @events, the result of a failed perfmon_events(), leaves
 * perfmon_error() as it is.
 */
struct perfmon_session;

struct perfmon_session *perfmon_session_open(const struct perfmon_event_list *events, pid_t tid);
struct perfmon_session *perfmon_session_open_cpu(const struct perfmon_event_list *events,
						 unsigned int cpu);
void perfmon_session_close(struct perfmon_session *session);

/* Counts go on from where they were. */
int perfmon_session_start(struct perfmon_session *session);
int perfmon_session_stop(struct perfmon_session *session);

/*
 * The counts of the first @n events, since the session was opened; at any time. If event
 * sets take turns, the counts are estimates, in proportion to the time.
 */
int perfmon_session_read(struct perfmon_session *session, uint64_t *counts, size_t n);

/* The same with the basis of an estimate. */
struct perfmon_count {
	uint64_t	count;		/* as from perfmon_session_read() */
	uint64_t	counted;	/* the events that were counted in truth */
	uint64_t	active_ns;	/* in this time; 0 with one set, always active */
	uint64_t	total_ns;	/* all time in which anything was counted */
};

int perfmon_session_read_counts(struct perfmon_session *session, struct perfmon_count *counts,
				size_t n);

/* The context of a session, for poll() and the functions of libperfmon(3). */
int perfmon_session_fd(const struct perfmon_session *session);

/*
 * Options of a session that samples. @size makes a program run with a library that has more of
 * them, or fewer, if the program sets none of those: PERFMON_OPTS() sets it.
 *
 *	PERFMON_OPTS(perfmon_sample_opts, opts, .period = 100000);
 */
struct perfmon_sample_opts {
	size_t		size;		/* of this structure */
	uint64_t	period;		/* times that the first event happens for each sample */
	uint64_t	random_mask;	/* periods are shorter by a random number with these bits */
	unsigned int	chain_depth;	/* addresses of a call chain, of each level; 0: no chains */
	unsigned int	reserved;	/* 0 */
};

#define PERFMON_OPTS(type, name, ...) struct type name = { .size = sizeof(name), __VA_ARGS__ }

/* The limit of chain_depth. */
#define PERFMON_CHAIN_MAX	127

/* Samples have the values of the other events. All events must fit into one event set. */
struct perfmon_session *perfmon_sample_open(const struct perfmon_event_list *events, pid_t tid,
					    const struct perfmon_sample_opts *opts);
struct perfmon_session *perfmon_sample_open_cpu(const struct perfmon_event_list *events,
						unsigned int cpu,
						const struct perfmon_sample_opts *opts);

struct perfmon_sample {
	uint64_t	ip;		/* the instruction that was interrupted */
	uint64_t	time;		/* ns of the CPU's clock */
	pid_t		pid, tid;
	unsigned int	cpu;
	unsigned int	nvalues;
	const uint64_t	*values;	/* of the second and later events, valid until the
					 * next sample is taken
					 */
};

/*
 * The next sample, in the order in which they were made. Waits for one for @timeout_ms, or
 * without an end for -1. Returns 1, or 0 at the end: the thread has ended or the session was
 * stopped, and all its samples were taken. -1 with EAGAIN: no sample came in that time.
 */
int perfmon_sample_next(struct perfmon_session *session, struct perfmon_sample *sample,
			int timeout_ms);

/* Each part begins with the instruction that was interrupted, or that called the kernel. */
struct perfmon_chain {
	const uint64_t	*kernel, *user;	/* valid until the next sample is taken */
	unsigned int	nkernel, nuser;
	int		cut;		/* there are more callers: the depth, or unreadable memory */
};

/* The chain of the sample that perfmon_sample_next() has returned last. */
int perfmon_sample_chain(struct perfmon_session *session, struct perfmon_chain *chain);

/* overflows = recorded + lost. */
struct perfmon_ledger {
	uint64_t	overflows;	/* samples that there should be */
	uint64_t	recorded;	/* samples that there are */
	uint64_t	lost;
	uint64_t	masked_ns;	/* nothing was counted: the buffer was full */
};

int perfmon_sample_ledger(struct perfmon_session *session, struct perfmon_ledger *ledger);

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_EVENTS_H */
