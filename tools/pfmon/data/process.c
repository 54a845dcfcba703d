// SPDX-License-Identifier: GPL-2.0
/*
 * Processes and threads over time. A process keeps its mappings as of the time
 * of the last query, and goes on from there; for an earlier time it begins anew.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "data/process.h"
#include "util.h"

/* Generations of processes; more are a damaged file's. */
#define MAX_DEPTH	1000

static int by_pid(const void *one, const void *other)
{
	const struct process *a = one, *b = other;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

static int by_tid(const void *one, const void *other)
{
	const struct thread *a = one, *b = other;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

static struct process *find_process(struct processes *processes, pid_t pid)
{
	const struct process key = { .pid = pid };
	void *found;

	if (processes->last_process && processes->last_process->pid == pid)
		return processes->last_process;
	found = tfind(&key, &processes->process, by_pid);
	if (!found)
		return NULL;
	processes->last_process = *(struct process **)found;
	return processes->last_process;
}

static struct thread *find_thread(struct processes *processes, pid_t tid)
{
	const struct thread key = { .tid = tid };
	void *found;

	if (processes->last_thread && processes->last_thread->tid == tid)
		return processes->last_thread;
	found = tfind(&key, &processes->thread, by_tid);
	if (!found)
		return NULL;
	processes->last_thread = *(struct thread **)found;
	return processes->last_thread;
}

/* tsearch(3) returns NULL when there is no memory. */
static void insert(const void *key, void **root, int (*compare)(const void *, const void *))
{
	if (tsearch(key, root, compare))
		return;
	complain("out of memory");
	exit(EXIT_PFMON);
}

struct process *processes_get(struct processes *processes, pid_t pid)
{
	struct process *process = find_process(processes, pid);

	if (process)
		return process;
	process = xcalloc(1, sizeof(*process));
	process->pid = pid;
	insert(process, &processes->process, by_pid);
	processes->nprocesses++;
	return process;
}

struct thread *processes_get_thread(struct processes *processes, pid_t tid)
{
	struct thread *thread = find_thread(processes, tid);

	if (thread)
		return thread;
	thread = xcalloc(1, sizeof(*thread));
	thread->tid = tid;
	insert(thread, &processes->thread, by_tid);
	processes->nthreads++;
	return thread;
}

void process_note(struct process *process, const struct change *change)
{
	GROW(process->change, process->n, process->room);
	process->change[process->n] = *change;
	process->change[process->n].order = process->n;
	process->n++;
	process->sorted = false;
	process->ended = 0; /* otherwise the number is another process' now */
}

void thread_note(struct thread *thread, uint64_t time, const char *name, pid_t parent)
{
	struct thread_name *entry;

	GROW(thread->name, thread->n, thread->room);
	entry = &thread->name[thread->n];
	entry->time = time;
	entry->order = thread->n++;
	entry->name = name ? xstrdup(name) : NULL;
	entry->parent = parent;
	thread->sorted = false;
	thread->ended = 0;
}

static int order_of(uint64_t time_a, size_t order_a, uint64_t time_b, size_t order_b)
{
	if (time_a != time_b)
		return time_a < time_b ? -1 : 1;
	return (order_a > order_b) - (order_a < order_b);
}

static int changes_by_time(const void *one, const void *other)
{
	const struct change *a = one, *b = other;

	return order_of(a->time, a->order, b->time, b->order);
}

static int names_by_time(const void *one, const void *other)
{
	const struct thread_name *a = one, *b = other;

	return order_of(a->time, a->order, b->time, b->order);
}

static void begin_anew(struct process *process)
{
	if (!process->sorted && process->n)
		qsort(process->change, process->n, sizeof(*process->change), changes_by_time);
	process->sorted = true;
	process->applied = 0;
	ranges_copy(&process->maps, &process->base);
}

static void advance(struct processes *processes, struct process *process, uint64_t time,
		    unsigned int depth);

/* The child has the mappings of its parent at that time. */
static void inherit(struct processes *processes, struct process *process,
		    const struct change *fork, unsigned int depth)
{
	struct process *parent = find_process(processes, fork->parent);

	ranges_free(&process->maps);
	if (!parent || parent->busy || depth == MAX_DEPTH)
		return;
	advance(processes, parent, fork->time, depth + 1);
	ranges_copy(&process->maps, &parent->maps);
}

static void advance(struct processes *processes, struct process *process, uint64_t time,
		    unsigned int depth)
{
	const struct change *change;

	if (!process->sorted ||
	    (process->applied && process->change[process->applied - 1].time > time))
		begin_anew(process);
	process->busy = true;
	while (process->applied < process->n && process->change[process->applied].time <= time) {
		change = &process->change[process->applied++];
		switch (change->kind) {
		case CHANGE_MAP:
			ranges_set(&process->maps, &change->range);
			break;
		case CHANGE_UNMAP:
			ranges_clear(&process->maps, change->range.start, change->range.end);
			break;
		case CHANGE_EXEC:
			ranges_free(&process->maps);
			break;
		case CHANGE_FORK:
			inherit(processes, process, change, depth);
			break;
		}
	}
	process->busy = false;
}

const struct range *processes_find(struct processes *processes, pid_t pid, uint64_t address,
				   uint64_t time)
{
	struct process *process = find_process(processes, pid);

	if (!process)
		return NULL;
	advance(processes, process, time, 0);
	return ranges_find(&process->maps, address);
}

static const char *name_of(struct processes *processes, pid_t tid, uint64_t time,
			   unsigned int depth)
{
	struct thread *thread = find_thread(processes, tid);
	const struct thread_name *name;
	size_t i;

	if (!thread || !thread->n || depth == MAX_DEPTH)
		return "";
	if (!thread->sorted)
		qsort(thread->name, thread->n, sizeof(*thread->name), names_by_time);
	thread->sorted = true;
	for (i = thread->n; i; i--) {
		name = &thread->name[i - 1];
		if (name->time > time)
			continue;
		return name->name ?: name_of(processes, name->parent, name->time, depth + 1);
	}
	return "";
}

const char *processes_name(struct processes *processes, pid_t tid, uint64_t time)
{
	return name_of(processes, tid, time, 0);
}

static void free_process(void *data)
{
	struct process *process = data;

	ranges_free(&process->base);
	ranges_free(&process->maps);
	ranges_free(&process->symbols);
	free(process->change);
	free(process);
}

static void free_thread(void *data)
{
	struct thread *thread = data;
	size_t i;

	for (i = 0; i < thread->n; i++)
		free(thread->name[i].name);
	free(thread->name);
	free(thread);
}

void processes_end(struct processes *processes, pid_t pid, pid_t tid)
{
	struct thread *thread = find_thread(processes, tid);
	struct process *process = pid == tid ? find_process(processes, pid) : NULL;

	if (thread)
		thread->ended = 1;
	if (process)
		process->ended = 1;
}

/* All nodes of a tree, to be freed: it cannot be changed while it is walked. */
struct nodes {
	void	**node;
	size_t	n, room;
};

static void take_node(const void *at, VISIT visit, void *data)
{
	struct nodes *nodes = data;

	if (visit != postorder && visit != leaf)
		return;
	GROW(nodes->node, nodes->n, nodes->room);
	nodes->node[nodes->n++] = *(void *const *)at;
}

static struct nodes all_nodes(const void *tree)
{
	struct nodes nodes = { 0 };

	twalk_r(tree, take_node, &nodes);
	return nodes;
}

/*
 * First set what each process has at that time, then drop the changes before: a fork queries the
 * parent's earlier times.
 */
static void forget_changes(struct processes *processes, const struct nodes *all, uint64_t time)
{
	struct process *process;
	struct ranges *then = xcalloc(all->n, sizeof(*then));
	size_t i;

	for (i = 0; i < all->n; i++) {
		process = all->node[i];
		advance(processes, process, time, 0);
		ranges_copy(&then[i], &process->maps);
	}
	for (i = 0; i < all->n; i++) {
		process = all->node[i];
		advance(processes, process, time, 0); /* it may be that of a fork again */
		if (process->applied)
			memmove(process->change, process->change + process->applied,
				(process->n - process->applied) * sizeof(*process->change));
		process->n -= process->applied;
		process->applied = 0;
		ranges_free(&process->base);
		process->base = then[i];
		ranges_copy(&process->maps, &process->base);
	}
	free(then);
}

/* The name at that time becomes the first. */
static void forget_names(struct thread *thread, uint64_t time, char *now)
{
	size_t kept = 0, i;

	for (i = 0; i < thread->n; i++) {
		if (thread->name[i].time > time)
			thread->name[kept++] = thread->name[i];
		else
			free(thread->name[i].name);
	}
	thread->n = kept;
	thread->task_name = NULL;
	if (*now)
		thread_note(thread, 0, now, 0);
	free(now);
}

void processes_forget(struct processes *processes, uint64_t time)
{
	struct nodes all = all_nodes(processes->process);
	struct nodes threads = all_nodes(processes->thread);
	char **names = xcalloc(threads.n, sizeof(*names));
	size_t i;

	forget_changes(processes, &all, time);
	processes->last_process = NULL; /* it may go */
	for (i = 0; i < all.n; i++) {
		struct process *process = all.node[i];

		if (!process->ended || process->ended++ < 2)
			continue;
		tdelete(process, &processes->process, by_pid);
		processes->nprocesses--;
		free_process(process);
	}
	for (i = 0; i < threads.n; i++)
		names[i] = xstrdup(processes_name(processes, ((struct thread *)threads.node[i])->tid, time));
	processes->last_thread = NULL;
	for (i = 0; i < threads.n; i++) {
		struct thread *thread = threads.node[i];
		const unsigned int ended = thread->ended;

		forget_names(thread, time, names[i]);
		thread->ended = ended ? ended + 1 : 0;
		if (ended < 2)
			continue;
		tdelete(thread, &processes->thread, by_tid);
		processes->nthreads--;
		free_thread(thread);
	}
	free(names);
	free(all.node);
	free(threads.node);
}

void processes_free(struct processes *processes)
{
	tdestroy(processes->process, free_process);
	tdestroy(processes->thread, free_thread);
	memset(processes, 0, sizeof(*processes));
}
