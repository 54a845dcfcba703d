/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A context behind the backend of perf_event_open().
 *
 * Its descriptor is an epoll descriptor, so that it can be polled for events of the kernel and
 * of the library: the hang-up of a perf event whose thread is gone, samples, and
 * @more, which the library sets itself. Each event set is a group of perf events, pinned,
 * so that either all of them count or perf_events reports that they cannot; at most one group is
 * enabled. One lock guards everything: table.c's, which every command takes.
 */
#ifndef PERFMON_PERF_CONTEXT_H
#define PERFMON_PERF_CONTEXT_H

#include <linux/perf_event.h>

#include "backend.h"
#include "perf/pmu.h"

/* A PMD: its value is @value and the count of @fd. */
struct perf_counter {
	uint64_t	value;		/* modulo 2^64 */
	uint64_t	long_reset, short_reset;
	uint64_t	last_reset;
	uint64_t	period;		/* events for each sample; 0: it is not sampled */
	int		fd;		/* of the perf event, or -1: it does not count now */
};

struct perf_set {
	struct perf_set	*next;		/* by increasing @id */
	uint16_t	id, id_next;
	uint32_t	flags;
	uint64_t	timeout_ns;
	uint32_t	used;		/* PMCs that were written, a mask */
	uint64_t	pmc[PERF_REGS];
	uint32_t	pmc_flags[PERF_REGS];
	struct perf_counter pmd[PERF_REGS];
	int		leader;		/* the group's first perf event, or -1: it is not open */
	uint64_t	runs;
	uint64_t	active_ns;	/* in groups that are closed */
};

/* Further data of a context with a sampling format: the default one, or the one with chains. */
struct perf_sampling {
	int		memory;		/* descriptor of the buffer */
	void		*buffer;	/* pfm_default_smpl_hdr_t or pfm_stack_smpl_hdr_t, and samples */
	size_t		mapped, size;	/* bytes of it: whole pages, and as requested */
	size_t		header_size, largest_sample; /* likewise */
	uint32_t	parts;		/* of chains: PFM_STACK_SMPL_*; 0: samples have none */
	unsigned int	depth;		/* ... most addresses of each, ... */
	unsigned int	limit;		/* ... and most that perf_events delivers */
	unsigned int	pmd;		/* the sampled PMD, in set 0 */
	uint64_t	period;
	bool		masked;		/* a message was sent: the buffer is kept */
	bool		fresh;		/* there are samples since the last message */
	uint64_t	throttles;	/* times, and ... */
	uint64_t	throttles_reported;
	uint64_t	recorded;
	uint64_t	lost;		/* without room in the buffer, at the end ... */
	uint64_t	ring_lost;	/* ... and in the ring */
};

struct perf_context {
	int		fd;		/* the epoll descriptor */
	uint32_t	flags;		/* PFM_FL_* */
	struct perf_set	*sets;		/* at least one */
	struct perf_set	*active;
	bool		loaded, running;
	bool		over;		/* the thread is gone, without a message yet */
	bool		short_of;	/* perf_events took a counter: counts have gaps */
	pid_t		tid;		/* or -1 */
	int		cpu;		/* or -1 */
	uint64_t	deadline;	/* CLOCK_MONOTONIC when the set is left; 0: never */
	int		more;		/* eventfd: a message is due; -1: it does not sample */
	struct perf_event_mmap_page *ring;	/* of the first set's first event */
	size_t		ring_size;	/* bytes of data, without the first page */
	struct perf_sampling *sampling;	/* or NULL */
};

/* table.c: takes the lock; NULL with errno, and without the lock, for no context. */
struct perf_context *perf_get(int fd);
void perf_put(void);
void perf_lock(void);
void perf_unlock(void);
/* The context after this one, or the first one (NULL); under the lock. */
struct perf_context *perf_next(struct perf_context *ctx);
/*
 * Under the lock, too. @before: the context that had this descriptor, or NULL; the caller
 * owns it. False: no memory.
 */
bool perf_table_add(struct perf_context *ctx, struct perf_context **before);
void perf_table_remove(const struct perf_context *ctx);

/* Commands: one function each. Those without a context lock for themselves. */
int perf_create(pfarg_ctx_t *arg, int narg);
int perf_write_pmcs(struct perf_context *ctx, pfarg_pmc_t *arg, int narg);
int perf_write_pmds(struct perf_context *ctx, pfarg_pmd_t *arg, int narg);
int perf_read_pmds(struct perf_context *ctx, pfarg_pmd_t *arg, int narg);
int perf_create_evtsets(struct perf_context *ctx, pfarg_setdesc_t *arg, int narg);
int perf_delete_evtsets(struct perf_context *ctx, pfarg_setdesc_t *arg, int narg);
int perf_getinfo_evtsets(struct perf_context *ctx, pfarg_setinfo_t *arg, int narg);
int perf_load(struct perf_context *ctx, const pfarg_load_t *arg);
int perf_unload(struct perf_context *ctx);
int perf_start(struct perf_context *ctx, const pfarg_start_t *arg);
int perf_stop(struct perf_context *ctx);
int perf_restart(struct perf_context *ctx);
int perf_get_config(pfarg_config_t *arg);
int perf_getinfo_pmcs(pfarg_pmcinfo_t *arg, int narg);
int perf_getinfo_pmds(pfarg_pmdinfo_t *arg, int narg);
int perf_sysfs_read(const char *name, char *buf, size_t size);

/* perf_create.c */
void perf_destroy(struct perf_context *ctx);

/* perf_sets.c */
struct perf_set *perf_find_set(const struct perf_context *ctx, unsigned int id);
struct perf_set *perf_new_set(unsigned int id);
struct perf_set *perf_set_after(const struct perf_context *ctx, const struct perf_set *set);

/* A switch is a wake-up and two system calls: in less time a set would hardly count. */
#define PERF_TIMEOUT_MIN_NS	1000000ULL

/* perf_timer.c: a context with a deadline was started. False, with errno: no timer. */
bool perf_timer_begin(void);

/* perf_turn.c: start or stop counting with the active set. */
bool perf_set_enable(struct perf_context *ctx);
void perf_set_disable(struct perf_context *ctx);

/* perf_run.c */
/* Has the thread ended? Then unload the context, and set @over. */
void perf_check_end(struct perf_context *ctx);

/* perf_sample.c */
bool perf_sampling_create(struct perf_context *ctx, pfarg_ctx_t *arg);
void perf_sampling_destroy(struct perf_context *ctx);
bool perf_sampling_check(struct perf_context *ctx);
/* The message was handled, the buffer is empty. */
void perf_sampling_reset(struct perf_context *ctx);
/* Copy samples to the buffer, as far as it has room. True: nothing is left in the ring. */
bool perf_drain(struct perf_context *ctx);
/* The ring goes away: samples without room in the buffer are lost. */
void perf_drain_last(struct perf_context *ctx);

/* perf_event.c */
int perf_open(struct perf_event_attr *attr, pid_t tid, int cpu, int group);
bool perf_describe(const struct perf_pmu *pmu, const struct perf_set *set, unsigned int pmd,
		   struct perf_event_attr *attr);

/* The count of a perf event; false: perf_events could not count it all the time. */
struct perf_count {
	uint64_t	value, enabled_ns, running_ns;
	uint64_t	lost;		/* lost samples, if the kernel counts them; else 0 */
};

bool perf_read_event(int fd, struct perf_count *count);
void perf_event_init(struct perf_event_attr *attr, uint32_t type, uint64_t config);

#endif /* PERFMON_PERF_CONTEXT_H */
