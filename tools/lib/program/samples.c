// SPDX-License-Identifier: GPL-2.0
/*
 * Samples one by one, from a buffer that the kernel fills meanwhile. Samples that were taken
 * stay until the buffer is emptied, which waits until the program has had them all.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "events/assign.h"
#include "ledger.h"
#include "perfmon_lib.h"
#include "program/error.h"
#include "program/session.h"

#define LARGEST_BUFFER	(1UL << 20)
#define RANDOM_SEED	1
#define LOOK_MS		100	/* interval of checks: messages report full buffers */

struct samples {
	struct sampler	sampler;
	struct sampling	sampling;
	uint64_t	period;
	struct batch	batch;		/* the rest of the samples that were taken */
	const uint64_t	*chain;		/* of the sample that was given out last, or NULL */
	bool		full;		/* the buffer must be emptied after the batch */
	bool		over;		/* the thread has ended, or the CPU is gone */
	uint64_t	values[];	/* of the sample that was given out last */
};

void samples_close(struct samples *samples)
{
	sampler_close(&samples->sampler);
	free(samples);
}

/*
 * A thread of another process waits while its buffer is full, so that nothing is lost. A thread of
 * this process may hold a lock meanwhile that the thread which empties the buffer needs.
 */
static bool is_own(pid_t tid)
{
	return !tid || !tgkill(getpid(), tid, 0);
}

/*
 * The options of a program: an older one has fewer, and a newer one more, which must be zero. An
 * option that is missing has the value 0.
 */
static bool read_opts(struct perfmon_sample_opts *known, const struct perfmon_sample_opts *opts,
		      struct problem *why)
{
	const char *bytes = (const char *)opts;
	size_t i;

	if (!opts || opts->size < offsetof(struct perfmon_sample_opts, period) + sizeof(opts->period))
		return problem(why, "sampling takes a struct perfmon_sample_opts with its size and a period");
	for (i = sizeof(*opts); i < opts->size; i++)
		if (bytes[i])
			return problem(why, "this libperfmon has fewer options than the program sets");
	*known = (struct perfmon_sample_opts){ .size = sizeof(*known) };
	memcpy(known, opts, opts->size < sizeof(*known) ? opts->size : sizeof(*known));
	return !known->reserved || problem(why, "struct perfmon_sample_opts: reserved is not 0");
}

static bool is_possible(const struct perfmon_event_list *events,
			const struct perfmon_sample_opts *opts, struct problem *why)
{
	if (!opts->period || opts->period > INT64_MAX)
		return problem(why, "a sampling period is from 1 to 2^63 - 1");
	if (opts->random_mask >= opts->period)
		return problem(why, "the mask of a random period is below the period");
	if (opts->chain_depth > PERFMON_CHAIN_MAX)
		return problem(why, "a call chain has up to %u addresses of each level", PERFMON_CHAIN_MAX);
	if (events->plan.nsets == 1)
		return true;
	problem(why, "the events take %u event sets, and a sample has the values of one",
		events->plan.nsets);
	return problem_hint(why, "Leave events out, so that the rest fits into one set.");
}

static struct samples *make(const struct perfmon_event_list *events, const struct place *place,
			    const struct perfmon_sample_opts *opts)
{
	struct samples *samples = xcalloc(1, sizeof(*samples) +
					     events->events.n * sizeof(samples->values[0]));

	samples->period = opts->period;
	samples->sampling = (struct sampling){
		.plan = &events->plan, .nsampled = 1, .period = &samples->period,
		.random_mask = opts->random_mask, .random_seed = RANDOM_SEED,
		.buffer = SAMPLER_DEFAULT_BUFFER, .largest_buffer = LARGEST_BUFFER,
		.system_wide = place->tid < 0,
		.runs_on = place->tid >= 0 && is_own(place->tid),
	};
	if (opts->chain_depth) {
		samples->sampling.format = SAMPLING_STACK;
		samples->sampling.chain_parts = sampling_chain_parts(&events->events, 1);
		samples->sampling.depth = opts->chain_depth;
	}
	return samples;
}

static struct perfmon_session *open_at(const struct perfmon_event_list *events,
				       const struct place *place,
				       const struct perfmon_sample_opts *wanted)
{
	struct perfmon_sample_opts opts;
	struct perfmon_session *session;
	struct samples *samples;
	int error;

	if (!events)
		return NULL;
	errno = 0;
	if (!read_opts(&opts, wanted, error_why()) || !is_possible(events, &opts, error_why())) {
		error_fail(EINVAL);
		return NULL;
	}
	samples = make(events, place, &opts);
	if (!sampler_open(&samples->sampler, &samples->sampling, error_why()) ||
	    !place_load(place, samples->sampler.fd, error_why())) {
		error = errno;
		samples_close(samples);
		error_fail(error);
		return NULL;
	}
	session = xcalloc(1, sizeof(*session));
	session->events = events_hold(events);
	session->fd = samples->sampler.fd;
	session->samples = samples;
	return session;
}

struct perfmon_session *perfmon_sample_open(const struct perfmon_event_list *events, pid_t tid,
					    const struct perfmon_sample_opts *opts)
{
	return place_is_thread(tid) ? open_at(events, &(struct place){ .tid = tid }, opts) : NULL;
}

struct perfmon_session *perfmon_sample_open_cpu(const struct perfmon_event_list *events,
						unsigned int cpu,
						const struct perfmon_sample_opts *opts)
{
	return open_at(events, &(struct place){ .tid = -1, .cpu = cpu }, opts);
}

/* Give out the first sample of the batch. */
static void give(struct samples *samples, struct perfmon_sample *sample)
{
	const size_t n = sampling_values(&samples->sampling);
	pfm_default_smpl_entry_t entry;
	const char *at = samples->batch.samples;
	size_t i;

	memcpy(&entry, at, sizeof(entry));
	for (i = 0; i < n; i++)
		memcpy(&samples->values[sampling_value(&samples->sampling, i) - 1],
		       at + sizeof(entry) + i * sizeof(uint64_t), sizeof(uint64_t));
	*sample = (struct perfmon_sample){
		.ip = entry.ip, .time = entry.tstamp, .pid = entry.pid, .tid = entry.tid,
		.cpu = entry.cpu, .nvalues = (unsigned int)n, .values = samples->values,
	};
	samples->batch.samples = at + samples->batch.sample_size;
	samples->batch.count--;
	samples->chain = samples->batch.chains;
	if (samples->chain)
		samples->batch.chains += chain_words((const struct chain_head *)samples->chain);
}

/* Read one message, if there is one. After a throttle, sampling goes on by itself. */
static void read_message(struct samples *samples)
{
	struct pollfd poller = { .fd = samples->sampler.fd, .events = POLLIN };
	pfm_msg_t msg;

	if (poll(&poller, 1, 0) < 1)
		return;
	if (perfmon_read_message(samples->sampler.fd, &msg) != 1)
		msg.msg_type = PFM_MSG_END;
	samples->full = msg.msg_type == PFM_MSG_OVFL;
	samples->over = msg.msg_type == PFM_MSG_END;
}

/* Handle the kernel's messages; true if there are samples. */
static bool look(struct samples *samples)
{
	perfmon_sync_buffer(samples->sampler.fd);
	samples->batch = sampler_take(&samples->sampler);
	while (!samples->batch.count) {
		if (samples->full) {
			samples->full = false;
			sampler_restart(&samples->sampler);
		}
		if (samples->over)
			return false;
		read_message(samples);
		samples->batch = sampler_take(&samples->sampler);
		if (!samples->full && !samples->over)
			break;
	}
	return samples->batch.count > 0;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Wait for a message, or until it is time to check again. */
static int wait_ms(const struct samples *samples, int64_t left)
{
	struct pollfd poller = { .fd = samples->sampler.fd, .events = POLLIN };

	return poll(&poller, 1, left < 0 || left > LOOK_MS ? LOOK_MS : (int)left);
}

int perfmon_sample_next(struct perfmon_session *session, struct perfmon_sample *sample,
			int timeout_ms)
{
	struct samples *samples = session->samples;
	const int64_t end = now_ms() + timeout_ms;
	int64_t left;

	if (!samples) {
		problem(error_why(), "this session counts: perfmon_sample_open() opens one that samples");
		return error_fail(EINVAL);
	}
	while (!samples->batch.count && !look(samples)) {
		if (samples->over || !session->running)
			return 0;
		left = timeout_ms < 0 ? -1 : end - now_ms();
		if (timeout_ms >= 0 && left <= 0) {
			problem(error_why(), "there was no sample within %d ms", timeout_ms);
			return error_fail(EAGAIN);
		}
		if (wait_ms(samples, left) < 0) {
			problem(error_why(), "waiting for a sample: %s", strerror(errno));
			return error_fail(errno);
		}
	}
	give(samples, sample);
	return 1;
}

int perfmon_sample_chain(struct perfmon_session *session, struct perfmon_chain *chain)
{
	const struct samples *samples = session->samples;
	const struct chain_head *head;

	if (!samples || !samples->chain) {
		problem(error_why(), samples && samples->sampling.depth ?
			"there was no sample yet: perfmon_sample_next() takes one" :
			"this session has no call chains: it was opened without a chain_depth");
		return error_fail(EINVAL);
	}
	head = (const struct chain_head *)samples->chain;
	*chain = (struct perfmon_chain){
		.kernel = samples->chain + 1, .user = samples->chain + 1 + head->kernel,
		.nkernel = head->kernel, .nuser = head->user, .cut = head->flags != 0,
	};
	return 0;
}

int perfmon_sample_ledger(struct perfmon_session *session, struct perfmon_ledger *ledger)
{
	struct ledger all = { 0 };

	if (!session->samples || !ledger_add(&all, session->fd)) {
		problem(error_why(), session->samples ?
			"how many samples were lost is not known here: perf_events throttled the event" :
			"this session counts: it has no samples to lose");
		return error_fail(session->samples ? ENODATA : EINVAL);
	}
	*ledger = (struct perfmon_ledger){
		.overflows = all.overflows, .recorded = all.recorded,
		.lost = all.full + all.error + all.throttled + all.late, .masked_ns = all.masked_ns,
	};
	return 0;
}
