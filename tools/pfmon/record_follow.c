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
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "loop.h"
#include "record_follow.h"

#define STOP_EVENT(status)	((status) >> 16)

struct follower {
	const struct recording_about	*about;
	struct record_result		*result;
	struct child			child;
	struct sampler			sampler;
	bool				started;	/* the command was executed */
	bool				lost;		/* the kernel has unloaded the context */
	bool				ended;		/* the command is gone */
	bool				failed;		/* it was not to run: @why */
	struct problem			*why;
};

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* The tracee can be killed at any time, so that this fails is no news. */
static void resume(pid_t tid, int sig)
{
	ptrace(PTRACE_CONT, tid, NULL, (void *)(long)sig);
}

/* No more samples: the command goes on without. */
static void leave(struct follower *f)
{
	if (f->sampler.fd < 0)
		return;
	recording_leave(&f->result->recording, f->sampler.fd);
	sampler_close(&f->sampler);
}

static void add_samples(struct follower *f)
{
	const struct batch batch = sampler_take(&f->sampler);

	recording_add(&f->result->recording, &batch);
	if (f->result->recording.file.error)
		leave(f);
}

/*
 * What the kernel has to say: the buffer is full, there were too many interrupts, the end.
 * After too many it goes on by itself, as after a suspension: a restart would empty the
 * buffer under its hands.
 */
static void read_messages(struct follower *f)
{
	struct pollfd poller = { .fd = f->sampler.fd, .events = POLLIN };
	pfm_msg_t msg;

	while (f->sampler.fd >= 0 && !f->lost && poll(&poller, 1, 0) > 0) {
		if (perfmon_read_message(f->sampler.fd, &msg) != 1) {
			f->lost = true;
			return;
		}
		if (msg.msg_type == PFM_MSG_THROTTLE) {
			f->result->throttled++;
			continue;
		}
		if (msg.msg_type == PFM_MSG_SUSPEND || msg.msg_type == PFM_MSG_RESUME)
			continue;
		add_samples(f);
		if (msg.msg_type == PFM_MSG_END)
			f->lost = true;
		else if (f->sampler.fd >= 0)
			sampler_restart(&f->sampler);
	}
}

/* It is stopped, and runs monitored when it goes on. */
static bool attach(struct follower *f, struct problem *why)
{
	const pid_t pid = f->child.pid;

	if (!sampler_open(&f->sampler, f->about->sampling, why))
		return false;
	/* The file comes last: what cannot be sampled shall not replace an old one. */
	if (!sampler_begin(&f->sampler, pid, why) ||
	    (!f->started && !recording_begin(&f->result->recording, f->about, why))) {
		sampler_close(&f->sampler);
		return false;
	}
	f->lost = false;
	recording_thread(&f->result->recording, pid, pid);
	add_samples(f); /* its first mappings */
	return true;
}

/* The first exec: this is the command now, and it has not run yet. */
static void begin(struct follower *f)
{
	if (attach(f, f->why)) {
		f->started = true;
		return;
	}
	f->failed = true;
	kill(f->child.pid, SIGKILL);
}

/*
 * It executes another program. Its context stays, except when that has other privileges:
 * then the kernel unloaded it, and a new one is tried.
 */
static void on_exec(struct follower *f)
{
	struct recording *recording = &f->result->recording;
	struct problem why;

	if (!f->started) {
		begin(f);
		return;
	}
	if (f->sampler.fd < 0)
		return;
	recording->executing = true;
	read_messages(f);
	add_samples(f);
	recording->executing = false;
	recording_exec(recording);
	if (!f->lost) {
		add_samples(f);
		return;
	}
	leave(f);
	if (!attach(f, &why))
		strings_add(&f->result->notes,
			    xasprintf("the command executed a program with other privileges, and was sampled until there: %s",
				      why.what));
}

static void on_stop(struct follower *f, pid_t tid, int status)
{
	const int sig = WSTOPSIG(status);

	switch (STOP_EVENT(status)) {
	case 0: /* a signal is about to be delivered */
		resume(tid, sig);
		break;
	case PTRACE_EVENT_STOP:
		if (is_stop_signal(sig)) /* job control: it stays stopped until SIGCONT */
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		else
			resume(tid, 0);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(f);
		resume(tid, 0);
		break;
	case PTRACE_EVENT_EXIT:
		read_messages(f);
		if (f->sampler.fd >= 0)
			add_samples(f);
		resume(tid, 0);
		break;
	default:
		resume(tid, 0);
		break;
	}
}

/* Handle everything that has happened to the command. */
static void drain(struct follower *f)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		if (tid != f->child.pid)
			continue;
		if (WIFSTOPPED(status)) {
			on_stop(f, tid, status);
			continue;
		}
		f->ended = true;
		f->result->status = child_status(status);
	}
}

static void wait_for_command(struct follower *f)
{
	struct pollfd watch = { .fd = -1, .events = POLLIN };
	unsigned int woken;
	struct loop loop;

	loop_begin(&loop, 0);
	for (;;) {
		drain(f);
		if (f->ended)
			return;
		watch.fd = f->lost ? -1 : f->sampler.fd;
		woken = loop_wait(&loop, &watch, 1);
		if (woken & WAKE_FD)
			read_messages(f);
		if (woken & WAKE_SIGNAL) {
			f->result->interrupted = true;
			loop_forward_signal(&loop, f->child.pid);
		}
	}
}

/* What is still in the buffer; then the ledger has to agree with the file. */
static void finish(struct follower *f)
{
	struct recording *recording = &f->result->recording;
	size_t i;

	read_messages(f);
	if (f->sampler.fd >= 0)
		add_samples(f);
	leave(f);
	if (recording->has_ledger && recording->ledger.recorded != recording->samples &&
	    !recording->file.error)
		strings_add(&f->result->notes,
			    xasprintf("the kernel recorded %llu samples, and %llu arrived",
				      (unsigned long long)recording->ledger.recorded,
				      (unsigned long long)recording->samples));
	if (f->result->throttled)
		strings_add(&f->result->notes,
			    xasprintf("sampling was throttled %u time%s: interrupts took more of a CPU than /sys/kernel/perfmon/limits/cpu_time_max_percent or interrupt_rate_max allows",
				      f->result->throttled, PLURAL(f->result->throttled)));
	session_note_suspended(&f->result->notes, recording->ledger.suspended_ns);
	for (i = 0; i < f->result->notes.n; i++)
		recording_note(recording, f->result->notes.text[i]);
}

bool record_command(const struct recording_about *about, struct record_result *result,
		    struct problem *why)
{
	struct follower f = { .about = about, .result = result, .sampler.fd = -1, .why = why };
	int error;

	result->status = EXIT_PFMON;
	if (!child_start(&f.child, about->command, why) ||
	    !child_trace(&f.child, PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT, why))
		return false;
	child_go(&f.child);
	wait_for_command(&f);

	error = child_exec_error(&f.child, about->command[0], why);
	if (error || f.failed || !f.started) {
		result->status = error ? child_exec_status(error) : EXIT_PFMON;
		if (!error && !f.failed)
			problem(why, "the command ended before it was executed");
		return false;
	}
	finish(&f);
	if (recording_end(&result->recording, result->status, result->interrupted, why))
		return true;
	result->status = EXIT_PFMON;
	return false;
}
