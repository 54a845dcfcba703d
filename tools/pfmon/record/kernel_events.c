// SPDX-License-Identifier: GPL-2.0
/*
 * Samples of the kernel's events. Each event has a descriptor, and all events of a thread write to
 * the ring of the first one; a record has the id of its event. Formats: perf_event_open(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "perf_chain.h"
#include "pmu/software.h"
#include "record/kernel_events.h"
#include "session/locked.h"

/* A sample with the fields of SOFTWARE_SAMPLE_TYPE. */
struct ring_sample {
	struct perf_event_header header;
	uint64_t	id, ip;
	uint32_t	pid, tid;
	uint64_t	time;
	uint32_t	cpu, reserved;
	/* With a frequency the period, and with chains the number of words, and the words: */
	uint64_t	more[];
};

struct ring_lost {
	struct perf_event_header header;
	uint64_t	id, lost;
};

static bool explain_open(const struct event *event, uint64_t hz, int error, struct problem *why)
{
	problem(why, "event %s: perf_event_open(), which samples it, says: %s", event->name,
		strerror(error));
	if (error == EMFILE)
		problem_hint(why, "Each event takes a descriptor for each thread or CPU: raise the limit (ulimit -Hn).");
	else if (error == EACCES || error == EPERM)
		problem_hint(why, "The target is another user's, or this user may not monitor it.");
	else if (error == EINVAL && hz)
		problem_hint(why, "So many samples a second may be more than kernel.perf_event_max_sample_rate: ask for less with -F.");
	errno = error;
	return false;
}

/* All events write to the ring of the first one, which is as large as this user may have. */
static bool give_ring(struct kernel_sampler *sampler, size_t i, struct problem *why)
{
	const struct kernel_sampling *sampling = sampler->sampling;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = page;

	if (i)
		return !ioctl(sampler->fd[i], PERF_EVENT_IOC_SET_OUTPUT, sampler->fd[0]);
	while (2 * size <= sampling->buffer)
		size *= 2;
	if (sampling->shares)
		size = locked_share(size, page);
	for (; size >= page; size /= 2) {
		if (ring_map(&sampler->ring, sampler->fd[0], size))
			return true;
		if (errno != EPERM)
			break;
	}
	problem(why, "perf_events has no memory left for this user's samples: %s", strerror(errno));
	problem_hint(why, "Raise kernel.perf_event_mlock_kb or the limit of locked memory (ulimit -l),\n"
			  "or sample fewer threads at a time.");
	return false;
}

/* The kernel's part of chains only for events sampled there: it needs the same right. */
static unsigned int kernel_event_parts(const struct kernel_sampling *sampling,
				       const struct event *event)
{
	return event->levels & LEVEL_KERNEL ? sampling->chain_parts :
					      sampling->chain_parts & ~PFM_STACK_SMPL_KERNEL;
}

static bool open_event(struct kernel_sampler *sampler, size_t i, pid_t tid, unsigned int cpu,
		       struct problem *why)
{
	const struct kernel_sampling *sampling = sampler->sampling;
	const struct event *event = &sampling->events.event[i];
	const struct software_sampling how = {
		.levels = event->levels,
		.period = sampling->period[i],
		.hz = sampling->hz,
		.chain_parts = kernel_event_parts(sampling, event),
		.depth = sampling->depth,
	};

	sampler->fd[i] = software_open_sampled(event->software, sampling->system_wide ? -1 : tid,
					       (int)cpu, &how);
	if (sampler->fd[i] < 0)
		return explain_open(event, sampling->hz, errno, why);
	return !ioctl(sampler->fd[i], PERF_EVENT_IOC_ID, &sampler->id[i]) &&
	       give_ring(sampler, i, why);
}

bool kernel_sampler_open(struct kernel_sampler *sampler, const struct kernel_sampling *sampling,
			 pid_t tid, unsigned int cpu, struct problem *why)
{
	const size_t n = sampling->events.n;
	int error;
	size_t i;

	memset(sampler, 0, sizeof(*sampler));
	if (!n)
		return true;
	sampler->sampling = sampling;
	sampler->fd = xcalloc(n, sizeof(*sampler->fd));
	sampler->id = xcalloc(n, sizeof(*sampler->id));
	for (i = 0; i < n; i++)
		sampler->fd[i] = -1;
	for (i = 0; i < n; i++) {
		if (open_event(sampler, i, tid, cpu, why))
			continue;
		error = errno;
		kernel_sampler_close(sampler);
		errno = error;
		return false;
	}
	return true;
}

void kernel_sampler_switch(const struct kernel_sampler *sampler, bool on)
{
	size_t i;

	for (i = 0; sampler->fd && i < sampler->sampling->events.n; i++)
		ioctl(sampler->fd[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int kernel_sampler_descriptor(const struct kernel_sampler *sampler)
{
	return sampler->fd ? sampler->fd[0] : -1;
}

bool kernel_sampler_over(const struct kernel_sampler *sampler)
{
	struct pollfd watch = { .fd = kernel_sampler_descriptor(sampler) };

	return poll(&watch, 1, 0) == 1 && watch.revents & POLLHUP;
}

/* @word is the chain of perf_events: the number of words, and the words. */
static void take_chain(struct kernel_sampler *sampler, const uint64_t *word, size_t n)
{
	const unsigned int depth = sampler->sampling->depth;
	struct perf_chain chain;
	struct chain_head head;

	perf_chain_take(&chain, word + 1, word[0] < n - 1 ? word[0] : n - 1, depth,
			perf_chain_limit(depth));
	head = (struct chain_head){
		.kernel = chain.kernel, .user = chain.user, .flags = chain.flags,
	};
	n = chain_words(&head);
	if (sampler->nwords + n > sampler->word_room) {
		sampler->word_room = 2 * (sampler->nwords + n);
		sampler->chains = xrealloc(sampler->chains, sampler->word_room,
					   sizeof(*sampler->chains));
	}
	memcpy(&sampler->chains[sampler->nwords], &head, sizeof(head));
	memcpy(&sampler->chains[sampler->nwords + 1], chain.address,
	       (n - 1) * sizeof(*chain.address));
	sampler->nwords += n;
}

static void take_sample(struct kernel_sampler *sampler, const struct ring_sample *from)
{
	const struct kernel_sampling *sampling = sampler->sampling;
	const size_t behind = sampling->hz ? 1 : 0;
	pfm_default_smpl_entry_t *samples;
	uint64_t period;
	size_t i;

	for (i = 0; i < sampling->events.n && sampler->id[i] != from->id; i++)
		;
	if (i == sampling->events.n)
		return;
	period = sampling->hz ? from->more[0] : sampling->period[i];
	samples = sampler->samples;
	GROW(samples, sampler->n, sampler->room);
	sampler->samples = samples;
	samples[sampler->n++] = (pfm_default_smpl_entry_t){
		.pid = (__s32)from->pid, .tid = (__s32)from->tid,
		.ovfl_pmd = KERNEL_EVENTS_PMD(i), .set = KERNEL_EVENTS_SET,
		.cpu = (__u16)from->cpu, .last_reset_val = -period,
		.tstamp = from->time, .ip = from->ip,
	};
	if (sampling->chain_parts)
		take_chain(sampler, from->more + behind,
			   (from->header.size - sizeof(*from)) / sizeof(uint64_t) - behind);
	sampler->recorded++;
}

static void take_record(void *data, const struct perf_event_header *record)
{
	struct kernel_sampler *sampler = data;
	const struct kernel_sampling *sampling = sampler->sampling;
	const size_t more = (sampling->hz > 0) + (sampling->chain_parts != 0);

	if (record->type == PERF_RECORD_SAMPLE &&
	    record->size >= sizeof(struct ring_sample) + more * sizeof(uint64_t))
		take_sample(sampler, (const void *)record);
	else if (record->type == PERF_RECORD_LOST && record->size >= sizeof(struct ring_lost))
		sampler->lost += ((const struct ring_lost *)record)->lost;
	else if (record->type == PERF_RECORD_THROTTLE)
		sampler->throttled++;
}

struct batch kernel_sampler_take(struct kernel_sampler *sampler)
{
	static uint64_t room[RING_MAX_RECORD / sizeof(uint64_t)];

	sampler->n = 0;
	sampler->nwords = 0;
	ring_take(&sampler->ring, room, take_record, sampler);
	return (struct batch){
		.samples = sampler->samples,
		.sample_size = sizeof(pfm_default_smpl_entry_t),
		.count = sampler->n,
		.chains = sampler->chains,
	};
}

/* Read the number: records of lost samples come with the next sample that finds room, if any. */
static uint64_t lost(const struct kernel_sampler *sampler)
{
	uint64_t sum = 0, n;
	size_t i;

	for (i = 0; i < sampler->sampling->events.n; i++) {
		if (!software_lost(sampler->fd[i], &n))
			return sampler->lost;
		sum += n;
	}
	return sum;
}

struct ledger kernel_sampler_ledger(const struct kernel_sampler *sampler)
{
	const uint64_t full = lost(sampler);

	return (struct ledger){
		.overflows = sampler->recorded + full,
		.recorded = sampler->recorded,
		.full = full,
	};
}

void kernel_sampler_close(struct kernel_sampler *sampler)
{
	size_t i;

	ring_unmap(&sampler->ring);
	for (i = 0; sampler->fd && i < sampler->sampling->events.n; i++)
		if (sampler->fd[i] >= 0)
			close(sampler->fd[i]);
	free(sampler->fd);
	free(sampler->id);
	free(sampler->samples);
	free(sampler->chains);
	memset(sampler, 0, sizeof(*sampler));
}
