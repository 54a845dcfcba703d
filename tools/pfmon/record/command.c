// SPDX-License-Identifier: GPL-2.0
/*
 * The command is traced. So each of its threads and processes stops at its birth, and gets its
 * context before its first instruction. It stops at an exec as well: a program with other
 * privileges loses its context there. Where mappings come from /proc a thread also stops at its
 * exit, while the mappings still exist.
 *
 * In between the kernel stops a thread when its buffer is full, until pfmon has emptied it.
 *
 * Where programs are chosen, the others are traced as well, but have no context.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>

#include "record/command.h"
#include "run/follow.h"
#include "run/privileges.h"

struct sampled {
	const struct record_target	*target;
	struct recorder			*recorder;
	struct triggers			triggers;
	struct follow_ops		ops;
	struct follower			follower;
};

static void sample_forked(void *data, pid_t pid)
{
	struct sampled *s = data;

	known_expect(&s->recorder->known, pid);
}

static void note_privileges(struct sampled *s, pid_t pid)
{
	privileges_note(&s->recorder->notes, pid, !s->target->choice.first_only);
}

static bool sample_begin(void *data, struct problem *why)
{
	struct sampled *s = data;
	const pid_t pid = s->follower.child.pid;

	note_privileges(s, pid);
	if (!programs_have(&s->target->choice.programs, pid))
		return recorder_follow(s->recorder, pid, why);
	return triggers_arm(&s->triggers, pid, why) &&
	       recorder_add_thread(s->recorder, pid, pid, false, why);
}

static void miss(const struct sampled *s, const struct problem *why)
{
	if (errno != ESRCH)
		recorder_missed(s->recorder, why);
}

/* A new task stops before it runs. The command begins at its exec only. */
static void sample_stop(void *data, pid_t tid)
{
	struct sampled *s = data;
	struct problem why;

	if (!s->follower.started || recorder_has(s->recorder, tid) ||
	    triggers_refused(&s->triggers, tid) || !programs_have(&s->target->choice.programs, tid))
		return;
	if (!triggers_arm(&s->triggers, tid, &why) ||
	    !recorder_add_thread(s->recorder, process_of(tid), tid, true, &why))
		miss(s, &why);
}

/* The thread executes a program to sample. Its former program may not have been sampled. */
static void sample_program(struct sampled *s, pid_t pid, pid_t former)
{
	struct recorder *r = s->recorder;
	struct problem why;

	if (!recorder_exec(r, pid, former, &why))
		strings_add(&r->notes,
			    xasprintf("the command executed a program with other privileges, and was sampled until there: %s",
				      why.what));
	else if (r->hold && recorder_has(r, pid))
		recorder_switch(r, pid, false);
	else if (!recorder_has(r, pid) && !recorder_add_thread(r, pid, pid, true, &why))
		miss(s, &why);
}

static void sample_exec(void *data, pid_t pid, pid_t former)
{
	struct sampled *s = data;
	struct problem why;
	bool chosen;

	chosen = programs_have(&s->target->choice.programs, pid);
	note_privileges(s, pid);
	triggers_end(&s->triggers, former);
	triggers_end(&s->triggers, pid);
	if (chosen && triggers_arm(&s->triggers, pid, &why)) {
		sample_program(s, pid, former);
		return;
	}
	if (chosen)
		miss(s, &why);
	recorder_exec_unsampled(s->recorder, pid, former);
}

static bool sample_trap(void *data, pid_t tid)
{
	struct sampled *s = data;
	enum trigger_turn turn;

	if (!triggers_hit(&s->triggers, tid, &turn))
		return false;
	if (turn != TRIGGER_NONE)
		recorder_switch(s->recorder, tid, turn == TRIGGER_START);
	return true;
}

static void sample_exit(void *data, pid_t tid)
{
	const struct sampled *s = data;

	recorder_exits(s->recorder, tid);
}

static void sample_end(void *data, pid_t tid, const struct rusage *usage)
{
	struct sampled *s = data;

	(void)usage;
	triggers_end(&s->triggers, tid);
	recorder_end(s->recorder, tid);
}

static int sample_descriptor(void *data)
{
	const struct sampled *s = data;

	return s->recorder->wake;
}

static void sample_readable(void *data)
{
	const struct sampled *s = data;

	recorder_work(s->recorder);
}

#define FOLLOW_ALL	(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)

static const struct follow_ops sample_ops = {
	.forked		= sample_forked,
	.begin		= sample_begin,
	.exec		= sample_exec,
	.stop		= sample_stop,
	.trap		= sample_trap,
	.exit		= sample_exit,
	.end		= sample_end,
	.descriptor	= sample_descriptor,
	.readable	= sample_readable,
};

/* Threads that outlive the command were sampled until its end. */
static void note_rest(struct recorder *r)
{
	const struct source *source;
	size_t n = 0;

	for (source = r->first; source; source = source->next)
		n++;
	recorder_stop(r);
	if (n)
		strings_add(&r->notes, xasprintf("%zu thread%s outlived the command: sampled until its end",
						 n, PLURAL(n)));
}

static void note_programs(struct recorder *r, const struct programs *programs)
{
	char *options;

	if (programs_all(programs) || r->threads || r->missed)
		return;
	options = programs_text(programs);
	strings_add(&r->notes, xasprintf("no program that was executed is one of %s: nothing was sampled",
					 options));
	free(options);
}

bool record_command(struct recorder *r, const struct record_target *target,
		    struct record_result *result, struct problem *why)
{
	struct sampled s = {
		.target = target, .recorder = r, .ops = sample_ops,
		.triggers = { .options = &target->choice.triggers },
		.follower = { .ops = &s.ops, .data = &s, .timeout_ms = target->timeout_ms },
	};
	bool ok;

	r->hold = trigger_options_hold(&target->choice.triggers);
	s.ops.options |= trigger_options_trace(&target->choice.triggers);
	if (!target->choice.first_only)
		s.ops.options |= FOLLOW_ALL;
	if (r->known.by_proc)
		s.ops.options |= PTRACE_O_TRACEEXIT;
	r->known.stops = true;
	ok = follow_command(&s.follower, target->command, why);
	result->interrupted = s.follower.interrupted;
	result->status = ok || s.follower.error ? s.follower.status : EXIT_PFMON;
	if (ok)
		note_rest(r);
	follow_release_rest(&s.follower);
	if (ok)
		note_programs(r, &target->choice.programs);
	triggers_free(&s.triggers);
	return ok;
}
