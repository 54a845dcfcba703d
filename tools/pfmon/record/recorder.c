// SPDX-License-Identifier: GPL-2.0
/*
 * Sampling threads and CPUs into one file. A buffer is read while it is filled. The records of
 * mappings in the file have times, so neither has to wait for the other.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "losses.h"
#include "nanoseconds.h"
#include "record/recorder.h"
#include "run/loop.h"
#include "session/hist.h"

#define EVENTS_AT_ONCE	64

static int by_tid(const void *one, const void *other)
{
	const struct source *a = one, *b = other;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

static struct source *find(const struct recorder *r, pid_t tid)
{
	const struct source key = { .tid = tid };
	void *found = tfind(&key, &r->by_tid, by_tid);

	return found ? *(struct source **)found : NULL;
}

bool recorder_has(const struct recorder *r, pid_t tid)
{
	return find(r, tid) != NULL;
}

bool recorder_live(const struct recorder *r)
{
	const struct source *source;

	for (source = r->first; source; source = source->next)
		if (source_sampled(source) && !source->over)
			return true;
	return false;
}

/* Watch a descriptor; epoll returns @of: a source, known, delay, or NULL for the timer. */
static bool watch(struct recorder *r, int fd, void *of)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = of };

	return !epoll_ctl(r->wake, EPOLL_CTL_ADD, fd, &event);
}

/* Open a timer; epoll returns @of for it. False: see errno. */
static bool open_timer(struct recorder *r, int *timer, const struct itimerspec *time, void *of)
{
	*timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return *timer >= 0 && !timerfd_settime(*timer, 0, time, NULL) && watch(r, *timer, of);
}

bool recorder_open(struct recorder *r, const struct recording_about *about, uint64_t delay_ms,
		   struct problem *why)
{
	const struct itimerspec later = {
		.it_value = { (time_t)(delay_ms / 1000), (long)(delay_ms % 1000 * 1000000) },
	};
	const uint64_t every = about->sampling->hz ? ADAPT_NS : about->flush_ns ?: NSEC_PER_SEC;
	const struct timespec tick = { (time_t)(every / NSEC_PER_SEC), (long)(every % NSEC_PER_SEC) };
	const struct itimerspec ticks = { tick, tick };

	memset(r, 0, sizeof(*r));
	r->about = about;
	r->show = isatty(STDERR_FILENO);
	r->timer = -1;
	r->delay = -1;
	r->wake = epoll_create1(EPOLL_CLOEXEC);
	known_open(&r->known, &r->recording, r->wake);
	if (r->wake >= 0 &&
	    open_timer(r, &r->timer, &ticks, NULL) &&
	    (!delay_ms || open_timer(r, &r->delay, &later, &r->delay)))
		return true;
	return problem_errno(why, "epoll or timerfd", errno);
}

static uint64_t time_of_last(const struct batch *batch)
{
	const pfm_default_smpl_entry_t *last;

	if (!batch->count)
		return 0;
	last = (const void *)((const char *)batch->samples +
			      (batch->count - 1) * batch->sample_size);
	return last->tstamp;
}

static void leave(struct recorder *r, struct source *source)
{
	const struct hist *hist = hist_of(&source->sampler);
	struct ledger ledger = { .unplaced = hist ? hist_unplaced(hist) : 0 };

	if (source->sampler.fd >= 0 && ledger_add(&ledger, source->sampler.fd))
		recording_leave(&r->recording, source->context, &ledger);
	if (source->kernel.fd) {
		ledger = kernel_sampler_ledger(&source->kernel);
		recording_leave(&r->recording, source->kernel_context, &ledger);
		r->kernel_throttled += source->kernel.throttled;
	}
	source_close(source); /* takes it out of the epoll, too */
}

/* Samples that the kernel added up have neither a time nor a CPU. False: there are no new ones. */
static bool date(struct recorder *r, struct source *source, struct hist *hist)
{
	uint64_t now;

	if (!hist_has_news(hist))
		return false;
	now = sampler_clock(&source->sampler) ?: source->last;
	hist->time = known_date(&r->known, source->pid, now);
	hist->pid = source->pid;
	hist->tid = source->tid;
	hist->cpu = source->tid ? PROFILE_NO_CPU : (uint16_t)source->cpu;
	return true;
}

/* @look: the mappings are still those of the samples. False: there are no more samples. */
static bool take_batch(struct recorder *r, struct source *source, bool look)
{
	const pid_t pid = look ? source->pid : 0;
	struct hist *hist = hist_of(&source->sampler);
	struct batch batch;

	if (hist && !date(r, source, hist))
		return false;
	batch = sampler_take(&source->sampler);
	if (!batch.count)
		return false;
	known_before(&r->known, pid);
	known_samples(&r->known, source->pid, &batch);
	recording_samples(&r->recording, source->context, &batch);
	source->last = time_of_last(&batch);
	pace_samples(source->pace, r->about->sampling, &batch);
	known_after(&r->known, pid, source->last);
	if (r->recording.file.error)
		leave(r, source);
	return batch.more && source->sampler.fd >= 0;
}

static void take_samples(struct recorder *r, struct source *source, bool look)
{
	while (take_batch(r, source, look))
		;
}

static void slow(const struct recorder *r, struct source *source)
{
	if (r->about->sampling->hz && source->sampler.fd >= 0 && !source->over)
		pace_slow(source->pace, source->sampler.fd, r->about->sampling);
}

/*
 * The messages of the kernel: the buffer is full, there were too many interrupts, the end. After
 * too many interrupts the context continues by itself, as after a suspension: a restart would
 * empty the buffer while the kernel fills it.
 */
static void read_messages(struct recorder *r, struct source *source, bool look)
{
	struct pollfd poller = { .fd = source->sampler.fd, .events = POLLIN };
	pfm_msg_t msg;

	while (source->sampler.fd >= 0 && !source->over) {
		perfmon_sync_buffer(source->sampler.fd);
		if (poll(&poller, 1, 0) < 1)
			return;
		if (perfmon_read_message(source->sampler.fd, &msg) != 1)
			msg.msg_type = PFM_MSG_END;
		if (msg.msg_type == PFM_MSG_THROTTLE) {
			r->throttled++;
			take_samples(r, source, look);
			slow(r, source);
			continue;
		}
		if (msg.msg_type == PFM_MSG_SUSPEND || msg.msg_type == PFM_MSG_RESUME)
			continue;
		take_samples(r, source, look);
		source->over = msg.msg_type == PFM_MSG_END;
		slow(r, source);
		if (!source->over && source->sampler.fd >= 0)
			sampler_restart(&source->sampler);
	}
	/* Else the descriptor would be readable for ever. */
	if (source->over && source->sampler.fd >= 0)
		epoll_ctl(r->wake, EPOLL_CTL_DEL, source->sampler.fd, NULL);
}

static void take_kernel_samples(struct recorder *r, struct source *source, bool look)
{
	const struct batch batch = kernel_sampler_take(&source->kernel);
	const pid_t pid = look ? source->pid : 0;

	if (!batch.count)
		return;
	known_before(&r->known, pid);
	known_samples(&r->known, source->pid, &batch);
	recording_kernel_samples(&r->recording, source->kernel_context, &batch);
	source->last = time_of_last(&batch);
	known_after(&r->known, pid, source->last);
	if (r->recording.file.error)
		leave(r, source);
}

/* The descriptor of an ended sampler would be readable for ever. */
static void look_for_end(struct recorder *r, struct source *source)
{
	if (!kernel_sampler_over(&source->kernel))
		return;
	epoll_ctl(r->wake, EPOLL_CTL_DEL, kernel_sampler_descriptor(&source->kernel), NULL);
	if (source->sampler.fd < 0)
		source->over = true;
}

static void take_all(struct recorder *r, struct source *source, bool look)
{
	read_messages(r, source, look);
	if (source->sampler.fd >= 0)
		take_samples(r, source, look);
	if (!source->kernel.fd)
		return;
	look_for_end(r, source);
	take_kernel_samples(r, source, look);
}

static void link_source(struct recorder *r, struct source *source)
{
	source->next = r->first;
	if (r->first)
		r->first->before = source;
	r->first = source;
	if (source->tid && !tsearch(source, &r->by_tid, by_tid)) {
		complain("out of memory");
		exit(EXIT_PFMON);
	}
}

static void unlink_source(struct recorder *r, struct source *source)
{
	if (source->tid)
		tdelete(source, &r->by_tid, by_tid);
	if (source->before)
		source->before->next = source->next;
	else
		r->first = source->next;
	if (source->next)
		source->next->before = source->before;
}

static uint32_t tell_context(struct recorder *r, const struct source *source)
{
	return source->tid ? recording_thread(&r->recording, source->pid, source->tid) :
			     recording_cpu(&r->recording, source->cpu);
}

/* Record the source's contexts; the file has numbers for them. */
static void tell_contexts(struct recorder *r, struct source *source)
{
	if (source->sampler.fd >= 0)
		source->context = tell_context(r, source);
	if (source->kernel.fd)
		source->kernel_context = tell_context(r, source);
}

/*
 * Create, load and start the contexts of a source. Each source begins with another event set, so
 * that threads which end before the first switch are not all sampled in the same set.
 */
static bool begin(struct recorder *r, struct source *source, struct problem *why)
{
	const struct sampling *sampling = r->about->sampling;

	if (!source_open(source, sampling, r->about->kernel, why) ||
	    !source_load(source, r->turn % sampling->plan->nsets, why) ||
	    (r->delay < 0 && !r->hold && !source_start(source, why)) ||
	    (!r->begun && !recording_begin(&r->recording, r->about, why))) {
		source_close(source);
		return false;
	}
	r->begun = true;
	r->turn++;
	source->over = false;
	source->pace = paces_new(sampling);
	tell_contexts(r, source);
	if (source->sampler.fd >= 0)
		watch(r, source->sampler.fd, source);
	if (source->kernel.fd)
		watch(r, kernel_sampler_descriptor(&source->kernel), source);
	return true;
}

static bool add(struct recorder *r, const struct source *as, struct problem *why)
{
	struct source *source = xcalloc(1, sizeof(*source));

	*source = *as;
	if (!begin(r, source, why)) {
		const int error = errno;

		free(source);
		errno = error;
		return false;
	}
	link_source(r, source);
	return true;
}

/* The main thread of a process that ran before may have ended, or may not be sampled. */
static bool is_new_process(const struct recorder *r, pid_t pid, pid_t tid, bool born)
{
	const struct source *source;

	if (born || find(r, pid))
		return pid == tid;
	for (source = r->first; source; source = source->next)
		if (source->pid == pid)
			return false;
	return true;
}

bool recorder_add_thread(struct recorder *r, pid_t pid, pid_t tid, bool born, struct problem *why)
{
	const struct source source = { .pid = pid, .tid = tid };
	const bool another = is_new_process(r, pid, tid, born);

	if (!add(r, &source, why))
		return false;
	known_thread(&r->known, pid, tid, born, 0);
	r->threads++;
	r->processes += another;
	return true;
}

/* A target that cannot be sampled must not replace an old file, here as well. */
bool recorder_follow(struct recorder *r, pid_t pid, struct problem *why)
{
	struct source source = { .pid = pid, .tid = pid };
	const bool ok = source_open(&source, r->about->sampling, r->about->kernel, why);

	source_close(&source);
	if (!ok || !recording_begin(&r->recording, r->about, why))
		return false;
	r->begun = true;
	known_thread(&r->known, pid, pid, false, 0);
	return true;
}

bool recorder_add_cpu(struct recorder *r, unsigned int cpu, struct problem *why)
{
	const struct source source = { .cpu = cpu };

	if (!add(r, &source, why))
		return false;
	known_cpu(&r->known, cpu);
	return true;
}

bool recorder_start(struct recorder *r, struct problem *why)
{
	struct source *source;

	r->hold = false;
	for (source = r->delay < 0 ? r->first : NULL; source; source = source->next)
		if (!source_start(source, why))
			return false;
	return true;
}

/* A source that cannot be started has just ended. */
void recorder_switch(struct recorder *r, pid_t tid, bool on)
{
	struct source *source = find(r, tid);
	struct problem why;

	if (!source)
		return;
	if (on)
		source_start(source, &why);
	else
		source_stop(source);
}

void recorder_missed(struct recorder *r, const struct problem *why)
{
	if (!r->missed++)
		r->missed_why = *why;
}

/* The thread has the id of its process now, and the former thread of that id is gone. */
static void rename_source(struct recorder *r, struct source *source, pid_t pid)
{
	recorder_end(r, pid);
	unlink_source(r, source);
	source->tid = pid;
	source->before = NULL;
	link_source(r, source);
	tell_contexts(r, source);
}

/*
 * The other threads of a process have ended when it executes another program. Samples without a
 * time must be taken before the exec is done with.
 */
static void take_ended(struct recorder *r, pid_t pid, pid_t former)
{
	struct source *source;

	if (r->about->sampling->format != SAMPLING_HIST)
		return;
	for (source = r->first; source; source = source->next)
		if (source->pid == pid && source->tid != former)
			take_all(r, source, false);
}

bool recorder_exec(struct recorder *r, pid_t pid, pid_t former, struct problem *why)
{
	struct source *source = find(r, former);

	if (!source || !source_sampled(source))
		return true;
	take_all(r, source, false);
	take_ended(r, pid, former);
	if (former != pid)
		rename_source(r, source, pid);
	known_exec(&r->known, pid, source->last);
	if (!source->over || !source_sampled(source))
		return true;
	/* The context is gone: a program with other privileges loses its context. */
	leave(r, source);
	if (!begin(r, source, why))
		return false;
	known_exec_privileged(&r->known, pid, source->last);
	return true;
}

void recorder_exec_unsampled(struct recorder *r, pid_t pid, pid_t former)
{
	struct source *source = find(r, former);
	uint64_t last = 0;

	take_ended(r, pid, former);
	if (former != pid)
		recorder_end(r, pid);
	if (source) {
		take_all(r, source, false);
		last = source->last;
		leave(r, source);
		known_end(&r->known, pid);
		unlink_source(r, source);
		free(source);
	}
	known_exec(&r->known, pid, last);
}

void recorder_exits(struct recorder *r, pid_t tid)
{
	struct source *source = find(r, tid);

	if (source)
		take_all(r, source, true);
}

void recorder_end(struct recorder *r, pid_t tid)
{
	struct source *source = find(r, tid);

	if (!source)
		return;
	take_all(r, source, true);
	leave(r, source);
	if (source->pid == tid)
		known_end(&r->known, tid);
	unlink_source(r, source);
	free(source);
}

/* Of the contexts that are closed, and of the others as far as they are now. */
static struct ledger ledger_now(const struct recorder *r)
{
	struct ledger sum = r->recording.ledger, ledger;
	const struct source *source;

	for (source = r->first; source; source = source->next) {
		if (source->sampler.fd >= 0)
			ledger_add(&sum, source->sampler.fd);
		if (source->kernel.fd) {
			ledger = kernel_sampler_ledger(&source->kernel);
			ledger_sum(&sum, &ledger);
		}
	}
	return sum;
}

static void show_status(const struct recorder *r)
{
	char samples[40], lost[40];
	struct ledger ledger;

	if (!r->show)
		return;
	ledger = ledger_now(r);
	fprintf(stderr, "\r%.0f s, %s samples, %s lost\033[K", now() - r->recording.started,
		with_thousands(r->recording.samples + r->recording.waiting, samples, sizeof(samples)),
		with_thousands(ledger_lost(&ledger), lost, sizeof(lost)));
}

/* Each second, or more often: the samples must not be lost with pfmon. */
static void flush(struct recorder *r)
{
	struct source *source;

	known_before(&r->known, 0);
	for (source = r->first; source; source = source->next)
		take_all(r, source, true);
	recording_flush(&r->recording);
	show_status(r);
}

/* The delay is over. A thread that has just ended does not start. */
static void start_all(struct recorder *r)
{
	struct source *source;
	struct problem why;

	close(r->delay);
	r->delay = -1;
	for (source = r->first; source; source = source->next)
		source_start(source, &why);
}

static void adapt(struct recorder *r)
{
	struct source *source;

	for (source = r->first; source; source = source->next) {
		take_all(r, source, true);
		if (source->sampler.fd >= 0 && !source->over)
			pace_adapt(source->pace, source->sampler.fd, r->about->sampling);
	}
}

static void tick(struct recorder *r)
{
	const bool hurry = r->about->sampling->hz;

	if (hurry)
		adapt(r);
	if (!hurry || ++r->ticks % (NSEC_PER_SEC / ADAPT_NS) == 0)
		flush(r);
}

/*
 * perf_events reports a full ring once, and a caller that waits for @wake with poll() gets that
 * report first. So read the rings whatever the reason of the wakeup is.
 */
static void take_rings(struct recorder *r)
{
	struct source *source;

	known_before(&r->known, 0);
	for (source = r->about->kernel->events.n ? r->first : NULL; source; source = source->next)
		take_kernel_samples(r, source, true);
}

void recorder_work(struct recorder *r)
{
	struct epoll_event events[EVENTS_AT_ONCE];
	uint64_t ticks;
	int n, i;

	if (!r->begun)
		return;
	n = epoll_wait(r->wake, events, EVENTS_AT_ONCE, 0);
	for (i = 0; i < n; i++) {
		if (!events[i].data.ptr) {
			if (read(r->timer, &ticks, sizeof(ticks)) == sizeof(ticks))
				tick(r);
		} else if (events[i].data.ptr == &r->delay) {
			start_all(r);
		} else if (events[i].data.ptr != &r->known) {
			read_messages(r, events[i].data.ptr, true);
			look_for_end(r, events[i].data.ptr);
		}
	}
	take_rings(r);
}

void recorder_stop(struct recorder *r)
{
	struct source *source, *next;

	for (source = r->first; source; source = source->next)
		source_stop(source);
	for (source = r->first; source; source = next) {
		next = source->next;
		take_all(r, source, true);
		leave(r, source);
		unlink_source(r, source);
		free(source);
	}
	known_end_all(&r->known);
	recording_flush(&r->recording);
	if (r->show)
		fputs("\r\033[K", stderr);
}

static const char *throttle_limits(void)
{
	return perfmon_in_kernel() ?
		       "/sys/kernel/perfmon/limits/cpu_time_max_percent or interrupt_rate_max allows" :
		       "kernel.perf_event_max_sample_rate or perf_cpu_time_max_percent allows; perf_events counted nothing then";
}

static void add_notes(struct recorder *r)
{
	const struct recording *recording = &r->recording;
	struct strings *notes = &r->notes;

	if (r->missed)
		strings_add(notes, xasprintf("%u thread%s could not be sampled: %s", r->missed,
					     PLURAL(r->missed), r->missed_why.what));
	if (recording->has_ledger &&
	    recording->ledger.recorded != recording->samples + recording->ledger.unplaced &&
	    !recording->file.error)
		strings_add(notes,
			    xasprintf("the kernel recorded %llu samples, and %llu arrived",
				      (unsigned long long)recording->ledger.recorded,
				      (unsigned long long)recording->samples));
	if (r->throttled)
		strings_add(notes,
			    xasprintf("sampling was throttled %u time%s: interrupts took more of a CPU than %s",
				      r->throttled, PLURAL(r->throttled), throttle_limits()));
	if (r->kernel_throttled)
		strings_add(notes,
			    xasprintf("perf_events throttled the kernel's events %u time%s: samples came faster than kernel.perf_event_max_sample_rate, and none is known of that time",
				      r->kernel_throttled, PLURAL(r->kernel_throttled)));
	if (r->known.sideband.lost)
		strings_add(notes,
			    xasprintf("%llu changes of mappings were lost: some samples may have no file",
				      (unsigned long long)r->known.sideband.lost));
	if (known_lacks_proc(&r->known))
		strings_add(notes,
			    xstrdup("names and files of processes are missing: /proc has the numbers of another PID namespace (unshare --mount-proc gives one its own)"));
	session_note_suspended(notes, recording->ledger.suspended_ns);
}

/* The file could not be written any more. */
static bool explain_end(const struct recording *recording, struct problem *why)
{
	char samples[40], lost[40];

	if (!recording->file.end || !recording->has_ledger)
		return false;
	with_thousands(recording->samples, samples, sizeof(samples));
	with_thousands(recording->ledger.recorded - recording->samples, lost, sizeof(lost));
	return problem_hint(why, "What was recorded until then is in the file: %s sample%s. %s more %s lost,\n"
			    "and then sampling ended.", samples, PLURAL(recording->samples), lost,
			    recording->ledger.recorded - recording->samples == 1 ? "is" : "are");
}

bool recorder_finish(struct recorder *r, int status, bool interrupted, struct problem *why)
{
	size_t i;

	recorder_stop(r);
	add_notes(r);
	for (i = 0; i < r->notes.n; i++)
		recording_note(&r->recording, r->notes.text[i]);
	return recording_end(&r->recording, status, interrupted, why) ||
	       explain_end(&r->recording, why);
}

void recorder_close(struct recorder *r)
{
	known_close(&r->known);
	strings_free(&r->notes);
	if (r->timer >= 0)
		close(r->timer);
	if (r->delay >= 0)
		close(r->delay);
	if (r->wake >= 0)
		close(r->wake);
}
