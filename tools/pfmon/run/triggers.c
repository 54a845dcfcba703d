// SPDX-License-Identifier: GPL-2.0
/*
 * Places in a command's code at which monitoring starts and stops.
 *
 * An address is the file's, as nm(1) shows it. For a program that can be loaded anywhere the
 * difference between its entry in memory, which the kernel passes to it (AT_ENTRY), and that of the
 * file is added. Only the program itself is looked at: no library is mapped yet.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/auxiliary.h"
#include "run/procfs.h"
#include "run/triggers.h"
#include "symbols/symbols.h"

struct triggered_file {
	dev_t			device;
	ino_t			inode;
	uint64_t		entry;
	uint64_t		address[BREAKPOINTS];
	bool			ok;	/* the file has all places ... */
	struct problem		why;	/* ... or the reason if not */
	struct triggered_file	*next;
};

struct triggered {
	pid_t	tid;
	bool	running;
	bool	started;	/* it is or was running */
	bool	refused;	/* its program lacks a place */
};

bool trigger_options_take(struct trigger_options *options, bool start, const char *list,
			  struct problem *why)
{
	const char *name = start ? "--trigger-start" : "--trigger-stop";
	size_t n;

	for (;; list += n + 1) {
		n = strcspn(list, ",");
		if (!n)
			return problem(why, "%s: a function or an address is wanted", name);
		if (options->n == BREAKPOINTS)
			return problem(why, "%s: there are debug registers for %d places, and these are more",
				       name, BREAKPOINTS);
		options->trigger[options->n++] = (struct trigger){
			.place = xasprintf("%.*s", (int)n, list), .start = start,
		};
		if (!list[n])
			return true;
	}
}

bool trigger_options_check(const struct trigger_options *options, bool command, bool delay,
			   struct problem *why)
{
	if (options->repeat && !options->n)
		return problem(why, "--trigger-repeat is about --trigger-start and --trigger-stop, and there is neither");
	if (options->n && !command) {
		problem(why, "--trigger-start and --trigger-stop are places in the code of a command");
		return problem_hint(why, "What runs already is not stopped for breakpoints: -p, -t and -a have none.");
	}
	if (options->n && delay)
		return problem(why, "--delay and --trigger-start or --trigger-stop exclude each other");
	return !options->n || breakpoints_possible(why);
}

bool trigger_options_hold(const struct trigger_options *options)
{
	size_t i;

	for (i = 0; i < options->n; i++)
		if (options->trigger[i].start)
			return true;
	return false;
}

static bool has_stop(const struct trigger_options *options)
{
	size_t i;

	for (i = 0; i < options->n; i++)
		if (!options->trigger[i].start)
			return true;
	return false;
}

unsigned long trigger_options_trace(const struct trigger_options *options)
{
	return options->n ? PTRACE_O_EXITKILL : 0;
}

void trigger_options_free(struct trigger_options *options)
{
	while (options->n)
		free(options->trigger[--options->n].place);
}

static bool find_place(struct symbols *symbols, const char *path, const char *place,
		       uint64_t *address, struct problem *why)
{
	unsigned int found;

	if (parse_u64(place, address))
		return true;
	found = symbols_named(symbols, place, address);
	if (found == 1)
		return true;
	if (found) {
		problem(why, "%s has %u functions '%s'", path, found, place);
		return problem_hint(why, "Give the address of one, as nm shows it: 0x...");
	}
	problem(why, "%s has no function '%s'", path, place);
	return problem_hint(why, "Places are of the program itself, not of its libraries. An address that nm or\n"
				 "objdump shows is one as well: 0x...");
}

static bool find_places(struct triggered_file *file, const struct trigger_options *options,
			const char *path, struct problem *why)
{
	static const struct build_id any = { .size = 0 };
	struct symbols *symbols = symbols_open(path, &any, why);
	bool ok = symbols;
	size_t i;

	if (symbols && !symbols_entry(symbols, &file->entry))
		ok = problem(why, "%s: it has no entry", path);
	for (i = 0; ok && i < options->n; i++)
		ok = find_place(symbols, path, options->trigger[i].place, &file->address[i], why);
	symbols_close(symbols);
	return ok;
}

/* The program that a thread runs; NULL: the thread is gone. */
static struct triggered_file *file_of(struct triggers *triggers, pid_t tid)
{
	char link[PROC_PATH], path[PATH_MAX] = "";
	struct triggered_file *file;
	struct stat info;

	proc_path(link, tid, "exe");
	if (stat(link, &info) || readlink(link, path, sizeof(path) - 1) < 0)
		return NULL;
	for (file = triggers->file; file; file = file->next)
		if (file->device == info.st_dev && file->inode == info.st_ino)
			return file;
	file = xcalloc(1, sizeof(*file));
	file->device = info.st_dev;
	file->inode = info.st_ino;
	file->ok = find_places(file, triggers->options, path, &file->why);
	file->next = triggers->file;
	triggers->file = file;
	return file;
}

static int by_tid(const void *one, const void *other)
{
	const struct triggered *a = one, *b = other;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

static struct triggered *find(const struct triggers *triggers, pid_t tid)
{
	const struct triggered key = { .tid = tid };
	void *found = tfind(&key, &triggers->thread, by_tid);

	return found ? *(struct triggered **)found : NULL;
}

static struct triggered *note(struct triggers *triggers, pid_t tid)
{
	struct triggered *thread = find(triggers, tid);

	if (!thread) {
		thread = xcalloc(1, sizeof(*thread));
		thread->tid = tid;
		if (!tsearch(thread, &triggers->thread, by_tid)) {
			complain("out of memory");
			exit(EXIT_PFMON);
		}
	}
	return thread;
}

bool triggers_refused(const struct triggers *triggers, pid_t tid)
{
	const struct triggered *thread = find(triggers, tid);

	return thread && thread->refused;
}

/* Sets errno to @error. */
static bool explain_breakpoints(int error, struct problem *why)
{
	problem(why, "the breakpoints of --trigger-start and --trigger-stop cannot be set: %s",
		strerror(error));
	if (error == ENOSPC)
		problem_hint(why, "The debug registers are taken, by perf or a debugger of the kernel.");
	errno = error;
	return false;
}

bool triggers_arm(struct triggers *triggers, pid_t tid, struct problem *why)
{
	const size_t n = triggers->options->n;
	uint64_t address[BREAKPOINTS], entry;
	struct triggered_file *file;
	struct triggered *thread;
	size_t i;

	if (!n)
		return true;
	file = file_of(triggers, tid);
	if (!file || !auxiliary_value(tid, AT_ENTRY, &entry)) {
		errno = ESRCH;
		return problem(why, "there is no thread %d", (int)tid);
	}
	thread = note(triggers, tid);
	thread->refused = !file->ok;
	thread->running = !trigger_options_hold(triggers->options);
	thread->started = thread->running;
	if (thread->refused) {
		*why = file->why;
		errno = ENOENT;
		return false;
	}
	for (i = 0; i < n; i++)
		address[i] = file->address[i] + entry - file->entry;
	return breakpoints_set(tid, address, n) || explain_breakpoints(errno, why);
}

/* True if a hit breakpoint starts, or stops, monitoring now. */
static bool is_due(const struct triggers *triggers, unsigned int hit, bool start)
{
	size_t i;

	for (i = 0; i < triggers->options->n; i++)
		if (hit & 1U << i && triggers->options->trigger[i].start == start)
			return true;
	return false;
}

bool triggers_hit(struct triggers *triggers, pid_t tid, enum trigger_turn *turn)
{
	struct triggered *thread = find(triggers, tid);
	const unsigned int hit = thread ? breakpoints_hit(tid) : 0;
	const bool repeat = triggers->options->repeat;

	*turn = TRIGGER_NONE;
	if (!hit || !is_due(triggers, hit, !thread->running))
		return hit;
	if (!thread->running && thread->started && !repeat)
		return true;
	thread->running = !thread->running;
	thread->started = true;
	*turn = thread->running ? TRIGGER_START : TRIGGER_STOP;
	/* Remove breakpoints that have no effect any more: each would stop the thread. */
	if (!repeat && (!thread->running || !has_stop(triggers->options)))
		breakpoints_set(tid, NULL, 0);
	return true;
}

void triggers_end(struct triggers *triggers, pid_t tid)
{
	struct triggered *thread = find(triggers, tid);

	if (!thread)
		return;
	tdelete(thread, &triggers->thread, by_tid);
	free(thread);
}

void triggers_free(struct triggers *triggers)
{
	struct triggered_file *file;

	tdestroy(triggers->thread, free);
	while ((file = triggers->file)) {
		triggers->file = file->next;
		free(file);
	}
	memset(triggers, 0, sizeof(*triggers));
}
