// SPDX-License-Identifier: GPL-2.0
/*
 * The command's first thread is traced, for three moments at which it has to stand still:
 *
 * - after its exec, before its first instruction, it gets its context;
 * - after a later exec, the samples of the program before are taken, whose mappings are
 *   gone, and those of the new one are read;
 * - at its exit, while its mappings are still there, they are read for the last time.
 *
 * In between the kernel stops it when the buffer is full, until we have emptied that.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <string.h>
#include <sys/ptrace.h>

#include "record/command.h"
#include "run/follow.h"

struct sampled {
	const struct recording_about	*about;
	struct record_result		*result;
	struct follower			follower;
	struct sampler			sampler;
	bool				lost;	/* the kernel has unloaded the context */
};

/* No more samples: the command goes on without. */
static void leave(struct sampled *s)
{
	if (s->sampler.fd < 0)
		return;
	recording_leave(&s->result->recording, s->sampler.fd);
	sampler_close(&s->sampler);
}

static void add_samples(struct sampled *s)
{
	const struct batch batch = sampler_take(&s->sampler);

	recording_add(&s->result->recording, &batch);
	if (s->result->recording.file.error)
		leave(s);
}

/*
 * What the kernel has to say: the buffer is full, there were too many interrupts, the end.
 * After too many it goes on by itself, as after a suspension: a restart would empty the
 * buffer under its hands.
 */
static void read_messages(struct sampled *s)
{
	struct pollfd poller = { .fd = s->sampler.fd, .events = POLLIN };
	pfm_msg_t msg;

	while (s->sampler.fd >= 0 && !s->lost) {
		perfmon_sync_buffer(s->sampler.fd);
		if (poll(&poller, 1, 0) < 1)
			return;
		if (perfmon_read_message(s->sampler.fd, &msg) != 1) {
			s->lost = true;
			return;
		}
		if (msg.msg_type == PFM_MSG_THROTTLE) {
			s->result->throttled++;
			continue;
		}
		if (msg.msg_type == PFM_MSG_SUSPEND || msg.msg_type == PFM_MSG_RESUME)
			continue;
		add_samples(s);
		if (msg.msg_type == PFM_MSG_END)
			s->lost = true;
		else if (s->sampler.fd >= 0)
			sampler_restart(&s->sampler);
	}
}

/* It is stopped, and runs monitored when it goes on. */
static bool attach(struct sampled *s, struct problem *why)
{
	const pid_t pid = s->follower.child.pid;

	if (!sampler_open(&s->sampler, s->about->sampling, why))
		return false;
	/* The file comes last: what cannot be sampled shall not replace an old one. */
	if (!sampler_begin(&s->sampler, pid, why) ||
	    (!s->follower.started && !recording_begin(&s->result->recording, s->about, why))) {
		sampler_close(&s->sampler);
		return false;
	}
	s->lost = false;
	recording_thread(&s->result->recording, pid, pid);
	add_samples(s); /* its first mappings */
	return true;
}

static bool sample_begin(void *data, struct problem *why)
{
	return attach(data, why);
}

/*
 * It executes another program. Its context stays, except when that has other privileges:
 * then the kernel unloaded it, and a new one is tried.
 */
static void sample_exec(void *data, pid_t pid, pid_t former)
{
	struct sampled *s = data;
	struct recording *recording = &s->result->recording;
	struct problem why;

	(void)pid;
	(void)former;
	if (s->sampler.fd < 0)
		return;
	recording->executing = true;
	read_messages(s);
	add_samples(s);
	recording->executing = false;
	recording_exec(recording);
	if (!s->lost) {
		add_samples(s);
		return;
	}
	leave(s);
	if (!attach(s, &why))
		strings_add(&s->result->notes,
			    xasprintf("the command executed a program with other privileges, and was sampled until there: %s",
				      why.what));
}

static void sample_exit(void *data, pid_t tid)
{
	struct sampled *s = data;

	(void)tid;
	read_messages(s);
	if (s->sampler.fd >= 0)
		add_samples(s);
}

static int sample_descriptor(void *data)
{
	const struct sampled *s = data;

	return s->lost ? -1 : s->sampler.fd;
}

static void sample_readable(void *data)
{
	read_messages(data);
}

static const struct follow_ops sample_ops = {
	.options	= PTRACE_O_TRACEEXIT,
	.begin		= sample_begin,
	.exec		= sample_exec,
	.exit		= sample_exit,
	.descriptor	= sample_descriptor,
	.readable	= sample_readable,
};

static const char *throttle_limits(void)
{
	return strcmp(perfmon_door(), "perf_events") ?
		       "/sys/kernel/perfmon/limits/cpu_time_max_percent or interrupt_rate_max allows" :
		       "kernel.perf_event_max_sample_rate or perf_cpu_time_max_percent allows; perf_events counted nothing then";
}

/* What is still in the buffer; then the ledger has to agree with the file. */
static void finish(struct sampled *s)
{
	struct recording *recording = &s->result->recording;
	size_t i;

	read_messages(s);
	if (s->sampler.fd >= 0)
		add_samples(s);
	leave(s);
	if (recording->has_ledger && recording->ledger.recorded != recording->samples &&
	    !recording->file.error)
		strings_add(&s->result->notes,
			    xasprintf("the kernel recorded %llu samples, and %llu arrived",
				      (unsigned long long)recording->ledger.recorded,
				      (unsigned long long)recording->samples));
	if (s->result->throttled)
		strings_add(&s->result->notes,
			    xasprintf("sampling was throttled %u time%s: interrupts took more of a CPU than %s",
				      s->result->throttled, PLURAL(s->result->throttled),
				      throttle_limits()));
	session_note_suspended(&s->result->notes, recording->ledger.suspended_ns);
	for (i = 0; i < s->result->notes.n; i++)
		recording_note(recording, s->result->notes.text[i]);
}

bool record_command(const struct recording_about *about, struct record_result *result,
		    struct problem *why)
{
	struct sampled s = {
		.about = about, .result = result, .sampler.fd = -1,
		.follower = { .ops = &sample_ops, .data = &s },
	};
	bool ok;

	ok = follow_command(&s.follower, about->command, why);
	result->interrupted = s.follower.interrupted;
	result->status = ok || s.follower.error ? s.follower.status : EXIT_PFMON;
	if (!ok)
		return false;
	finish(&s);
	if (recording_end(&result->recording, result->status, result->interrupted, why))
		return true;
	result->status = EXIT_PFMON;
	return false;
}
