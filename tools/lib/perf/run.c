// SPDX-License-Identifier: GPL-2.0
/* Loading and unloading, starting and stopping. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf/context.h"
#include "perf_chain.h"

static bool open_event(struct perf_context *ctx, struct perf_set *set, unsigned int pmd,
		       struct perf_event_attr *attr)
{
	struct perf_counter *counter = &set->pmd[pmd];

	attr->pinned = set->leader < 0;
	attr->disabled = set->leader < 0;
	if (ctx->sampling && ctx->sampling->period && ctx->sampling->pmd == pmd) {
		attr->sample_period = counter->period = ctx->sampling->period;
		attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				    PERF_SAMPLE_CPU;
		if (ctx->sampling->parts) {
			perf_chain_ask(attr, ctx->sampling->parts, ctx->sampling->depth);
			ctx->sampling->limit = attr->sample_max_stack;
		}
		attr->read_format |= PERF_FORMAT_LOST;
		attr->watermark = 1;
		attr->wakeup_watermark = (uint32_t)ctx->ring_size / 2;
	}
	counter->fd = perf_open(attr, ctx->tid, ctx->cpu, set->leader);
	if (counter->fd < 0 && errno == EINVAL && attr->read_format & PERF_FORMAT_LOST) {
		attr->read_format &= ~(uint64_t)PERF_FORMAT_LOST; /* before Linux 6.0 */
		counter->fd = perf_open(attr, ctx->tid, ctx->cpu, set->leader);
	}
	if (counter->fd < 0)
		return false;
	if (set->leader < 0)
		set->leader = counter->fd;
	return true;
}

/* The ring reports lost samples with the next one that has room, and there may be none. */
static void note_lost(struct perf_sampling *sampling, const struct perf_count *count)
{
	if (count->lost > sampling->ring_lost)
		sampling->ring_lost = count->lost;
}

static void close_set(struct perf_context *ctx, struct perf_set *set)
{
	struct perf_count count = { 0 };
	unsigned int i;

	if (set->leader >= 0 && perf_read_event(set->leader, &count))
		set->active_ns += count.enabled_ns;
	for (i = 0; i < PERF_REGS; i++) {
		struct perf_counter *counter = &set->pmd[i];

		if (counter->fd < 0)
			continue;
		if (perf_read_event(counter->fd, &count))
			counter->value += counter->period ? count.value % counter->period : count.value;
		else
			ctx->short_of = true;
		if (counter->period)
			note_lost(ctx->sampling, &count);
		close(counter->fd);
		counter->fd = -1;
		counter->period = 0;
	}
	set->leader = -1;
}

/* The sampled event goes first: it has the ring. */
static bool open_set(struct perf_context *ctx, struct perf_set *set)
{
	const struct perf_sampling *sampling = ctx->sampling;
	const struct perf_pmu *pmu = perf_pmu();
	const unsigned int first = sampling && sampling->period ? sampling->pmd : 0;
	struct perf_event_attr attr;
	unsigned int i, pmd;

	for (i = 0; i < PERF_REGS; i++) {
		pmd = (first + i) % PERF_REGS;
		if (perf_describe(pmu, set, pmd, &attr) && !open_event(ctx, set, pmd, &attr))
			return false;
	}
	return true;
}

/*
 * Only an event with a ring can be polled for the end of its thread. A counting context
 * has a ring of one page, to which nothing is written.
 */
static bool open_ring(struct perf_context *ctx)
{
	struct epoll_event event = { .events = EPOLLIN };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int leader = ctx->sets->leader;
	void *ring;

	if (leader < 0 || (ctx->cpu >= 0 && !ctx->sampling))
		return true;
	ring = mmap(NULL, page + ctx->ring_size, PROT_READ | PROT_WRITE, MAP_SHARED, leader, 0);
	if (ring == MAP_FAILED)
		return !perfmon_refuse(ENOMEM, "Raise kernel.perf_event_mlock_kb or the limit of locked memory (ulimit -l),\n"
				       "or monitor fewer threads at a time; for samples, take a smaller --buffer.",
				       "perf_events has no memory left for this user's contexts");
	ctx->ring = ring;
	return !epoll_ctl(ctx->fd, EPOLL_CTL_ADD, leader, &event);
}

static void close_all(struct perf_context *ctx)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_set *set;

	if (ctx->ring) {
		if (ctx->fd >= 0)
			epoll_ctl(ctx->fd, EPOLL_CTL_DEL, ctx->sets->leader, NULL);
		munmap(ctx->ring, page + ctx->ring_size);
	}
	ctx->ring = NULL;
	for (set = ctx->sets; set; set = set->next)
		close_set(ctx, set);
	ctx->loaded = ctx->running = false;
	ctx->deadline = 0;
	ctx->tid = ctx->cpu = -1;
}

/* The errors of LOAD for an event that cannot be opened: the rights were checked before. */
static int refuse_load(int error)
{
	if (error == EMFILE || error == ENFILE)
		return perfmon_refuse(error, "Each event of each thread takes one: raise the limit (ulimit -Hn).",
				      "perf_events: too many open files");
	if (error == EINVAL || error == ENOENT || error == EOPNOTSUPP)
		return perfmon_refuse(ENOSYS, "Try the events one by one.",
				      "perf_events has no such event here, or too few counters for these together");
	errno = error == EACCES ? EPERM : error;
	return -1;
}

int perf_load(struct perf_context *ctx, const pfarg_load_t *arg)
{
	struct perf_set *first = perf_find_set(ctx, arg->load_set), *set;
	int error;

	if (ctx->loaded) {
		errno = EBUSY;
		return -1;
	}
	if (!first || arg->load_pid <= 0 ||
	    (ctx->flags & PFM_FL_SYSTEM_WIDE && arg->load_pid != gettid())) {
		errno = EINVAL;
		return -1;
	}
	if (!perf_sampling_check(ctx))
		return -1;
	ctx->ring_size = ctx->sampling ? ctx->ring_size : (size_t)sysconf(_SC_PAGESIZE);
	ctx->tid = ctx->flags & PFM_FL_SYSTEM_WIDE ? -1 : arg->load_pid;
	ctx->cpu = ctx->flags & PFM_FL_SYSTEM_WIDE ? sched_getcpu() : -1;
	for (set = ctx->sets; set; set = set->next)
		if (!open_set(ctx, set))
			break;
	if (set || !open_ring(ctx)) {
		error = errno;
		close_all(ctx);
		ctx->short_of = false;
		errno = error;
		return set ? refuse_load(error) : -1;
	}
	ctx->active = first;
	ctx->loaded = true;
	ctx->short_of = ctx->over = false;
	return 0;
}

/* True while the context is loaded; else errno is as from the kernel's perfmon. */
static bool is_loaded(const struct perf_context *ctx)
{
	if (ctx->loaded)
		return true;
	errno = EBUSY;
	return false;
}

int perf_unload(struct perf_context *ctx)
{
	if (!is_loaded(ctx))
		return -1;
	perf_stop(ctx);
	perf_drain_last(ctx);
	close_all(ctx);
	return 0;
}

int perf_start(struct perf_context *ctx, const pfarg_start_t *arg)
{
	struct perf_set *set = arg ? perf_find_set(ctx, arg->start_set) : ctx->active;

	if (!is_loaded(ctx))
		return -1;
	if (!set) {
		errno = EINVAL;
		return -1;
	}
	if (ctx->running) {
		if (!arg || set == ctx->active)
			return 0;
		perf_set_disable(ctx);
	}
	ctx->active = set;
	if (!perf_set_enable(ctx))
		return -1;
	ctx->running = true;
	return !ctx->deadline || perf_timer_begin() ? 0 : -1;
}

int perf_stop(struct perf_context *ctx)
{
	if (!is_loaded(ctx))
		return -1;
	if (ctx->running)
		perf_set_disable(ctx);
	ctx->running = false;
	return 0;
}

int perf_restart(struct perf_context *ctx)
{
	if (!is_loaded(ctx))
		return -1;
	perf_sampling_reset(ctx);
	return 0;
}

void perf_check_end(struct perf_context *ctx)
{
	struct pollfd watch = { .fd = ctx->sets->leader };

	if (!ctx->loaded || !ctx->ring || poll(&watch, 1, 0) < 1 || !(watch.revents & POLLHUP))
		return;
	perf_unload(ctx);
	ctx->over = true;
}
