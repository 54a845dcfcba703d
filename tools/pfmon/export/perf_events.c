// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a recording's life as records of a perf.data file in the order of time: the
 * records of processes, read from the recording once more, and the samples. An unmapping has no
 * record.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "data/read.h"
#include "export/perf_kernel.h"
#include "export/perf_records.h"

#define FINISHED_ROUND	68	/* perf's own record: nothing earlier follows */
#define ROUND		10000	/* the number of records in a round */
#define MAX_COMM	15	/* the kernel's limit, which perf relies on */

/* A record that waits in a buffer for its turn. */
struct waiting {
	uint64_t	time;
	size_t		begin, end;
};

struct history {
	struct buffer	records;
	struct waiting	*waiting;
	size_t		n, room;
	int32_t		exec_pid;	/* of the latest execution */
	uint64_t	exec_time;
};

static void wait_for_turn(struct history *history, uint64_t time, size_t begin)
{
	GROW(history->waiting, history->n, history->room);
	history->waiting[history->n++] = (struct waiting){ time, begin, history->records.n };
}

static void take_map(struct history *history, const struct profile_map *map, const char *name)
{
	struct build_id id = { .size = map->id_kind == PROFILE_ID_LINKED ? map->id_size : 0 };
	const struct perf_mapping mapping = {
		.origin = { (uint32_t)map->pid, (uint32_t)map->pid, map->time },
		.misc = PERF_RECORD_MISC_USER,
		.start = map->start,
		.length = map->end - map->start,
		.offset = map->offset,
		.protection = map->protection,
		.id = &id,
		/* As perf calls memory for which it looks into /tmp/perf-PID.map. */
		.name = strcmp(name, "[anon]") ? name : "//anon",
	};
	const size_t begin = history->records.n;

	memcpy(id.id, map->id, sizeof(id.id));
	perf_put_mapping(&history->records, &mapping);
	wait_for_turn(history, map->time, begin);
}

static void take_comm(struct history *history, const struct profile_comm *comm, const char *name)
{
	const bool exec = comm->pid == history->exec_pid && comm->time == history->exec_time &&
			  comm->time;
	const struct perf_origin origin = { (uint32_t)comm->pid, (uint32_t)comm->tid, comm->time };
	char text[MAX_COMM + 1] = "";
	const size_t begin = perf_record_begin(&history->records, PERF_RECORD_COMM,
					       exec ? PERF_RECORD_MISC_COMM_EXEC : 0);

	append(text, sizeof(text), "%s", name);
	buffer_u32(&history->records, origin.pid);
	buffer_u32(&history->records, origin.tid);
	perf_put_text(&history->records, text, 8);
	perf_record_end(&history->records, begin, &origin);
	wait_for_turn(history, comm->time, begin);
}

/* A birth or an end of a task. */
static void put_task(struct history *history, uint32_t type, const int32_t task[4], uint64_t time)
{
	const struct perf_origin origin = { (uint32_t)task[0], (uint32_t)task[2], time };
	const size_t begin = perf_record_begin(&history->records, type, 0);

	buffer_add(&history->records, task, 4 * sizeof(*task));
	buffer_u64(&history->records, time);
	perf_record_end(&history->records, begin, &origin);
	wait_for_turn(history, time, begin);
}

/* The recording was read before, and is sound. */
static void take_record(struct history *history, const struct profile_record *record)
{
	struct profile_rest rest = profile_rest(record);
	const void *fixed = record;

	if (record->type == PROFILE_MAP) {
		take_map(history, fixed, profile_text(&rest));
	} else if (record->type == PROFILE_EXEC) {
		const struct profile_exec *exec = fixed;

		history->exec_pid = exec->pid;
		history->exec_time = exec->time;
	} else if (record->type == PROFILE_COMM) {
		take_comm(history, fixed, profile_text(&rest));
	} else if (record->type == PROFILE_FORK) {
		const struct profile_fork *fork = fixed;
		const int32_t task[] = { fork->pid, fork->parent_pid, fork->tid, fork->parent_tid };

		put_task(history, PERF_RECORD_FORK, task, fork->time);
	} else if (record->type == PROFILE_EXIT) {
		const struct profile_exit *exit = profile_fixed(record, sizeof(*exit));

		if (exit)
			put_task(history, PERF_RECORD_EXIT,
				 (int32_t[]){ exit->pid, exit->pid, exit->tid, exit->tid }, exit->time);
	}
}

static bool read_history(struct history *history, const char *file, struct problem *why)
{
	const struct profile_record *record;
	struct profile_reader reader;

	if (!profile_open(&reader, file, why))
		return false;
	while (profile_next(&reader, &record, why) == FOUND_RECORD)
		take_record(history, record);
	profile_done(&reader);
	return true;
}

/* Records of the same time keep the order of the recording. */
static int by_time(const void *one, const void *other)
{
	const struct waiting *a = one, *b = other;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* The bits of struct perf_branch_entry; its cycles have 16 of them. */
static uint64_t branch_flags(const struct profile_branch_detail *detail)
{
	const uint64_t cycles = detail->cycles < UINT16_MAX ? detail->cycles : UINT16_MAX;

	return (detail->flags & PROFILE_BRANCH_MISPREDICTED ? 1 << 0 : 0) |
	       (detail->flags & PROFILE_BRANCH_PREDICTED ? 1 << 1 : 0) |
	       (detail->flags & PROFILE_BRANCH_IN_TRANSACTION ? 1 << 2 : 0) |
	       (detail->flags & PROFILE_BRANCH_ABORT ? 1 << 3 : 0) | cycles << 4;
}

static void put_branches(struct buffer *buffer, const struct sample *sample)
{
	size_t i;

	buffer_u64(buffer, sample->nbranches);
	for (i = 0; i < sample->nbranches; i++) {
		buffer_u64(buffer, sample->branch[i].from);
		buffer_u64(buffer, sample->branch[i].to);
		buffer_u64(buffer, branch_flags(&sample->branch[i].detail));
	}
}

/* @n addresses of one part of a chain, behind the marker that names the part. */
static void put_part(struct buffer *buffer, enum perf_callchain_context part,
		     const uint64_t *address, size_t n)
{
	if (!n)
		return;
	buffer_u64(buffer, (uint64_t)part);
	buffer_add(buffer, address, n * sizeof(*address));
}

/* perf reads the chain alone, so the chain contains the address of the sample in any case. */
static void put_chain(struct buffer *buffer, const struct sample *sample)
{
	const struct chain *chain = &sample->chain;
	const size_t n = chain->kernel + chain->user;
	const bool alone = !n || chain->address[0] != sample->ip;
	const bool kernel = sample->object == OBJECT_KERNEL;

	buffer_u64(buffer, n + (chain->kernel > 0) + (chain->user > 0) + (alone ? 2 : 0));
	if (alone)
		put_part(buffer, kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER, &sample->ip, 1);
	put_part(buffer, PERF_CONTEXT_KERNEL, chain->address, chain->kernel);
	put_part(buffer, PERF_CONTEXT_USER, chain->address + chain->kernel, chain->user);
}

static void put_sample(struct buffer *buffer, const struct sample *sample,
		       const struct profile *profile)
{
	const size_t begin = perf_record_begin(buffer, PERF_RECORD_SAMPLE,
					       sample->object == OBJECT_KERNEL ?
						       PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);

	buffer_u64(buffer, perf_event_id(sample->event));
	buffer_u64(buffer, sample->ip);
	buffer_u32(buffer, (uint32_t)sample->pid);
	buffer_u32(buffer, (uint32_t)sample->tid);
	buffer_u64(buffer, sample->time);
	buffer_u32(buffer, sample->cpu == PROFILE_NO_CPU ? UINT32_MAX : sample->cpu);
	buffer_u32(buffer, 0);
	buffer_u64(buffer, sample->period);
	if (profile->has_chains)
		put_chain(buffer, sample);
	if (profile->has_branches)
		put_branches(buffer, sample);
	perf_record_end(buffer, begin, NULL);
}

/* The other records of the same time come before a sample. */
static void merge(struct buffer *buffer, const struct history *history,
		  const struct ordered *ordered)
{
	const struct waiting *waiting = history->waiting;
	size_t next = 0, i = 0, n;

	for (n = 1; next < history->n || i < ordered->n; n++) {
		if (i == ordered->n ||
		    (next < history->n && waiting[next].time <= ordered->sample[i].time)) {
			buffer_add(buffer, history->records.data + waiting[next].begin,
				   waiting[next].end - waiting[next].begin);
			next++;
		} else {
			put_sample(buffer, &ordered->sample[i++], &ordered->profile);
		}
		if (n % ROUND == 0)
			perf_record_end(buffer, perf_record_begin(buffer, FINISHED_ROUND, 0), NULL);
	}
}

bool perf_put_all(struct buffer *buffer, const struct export *export, struct problem *why)
{
	struct history history = { .n = 0 };
	const bool ok = read_history(&history, export->file, why);

	if (ok) {
		if (history.n)
			qsort(history.waiting, history.n, sizeof(*history.waiting), by_time);
		perf_put_kernel(buffer, &export->ordered->profile);
		merge(buffer, &history, export->ordered);
	}
	buffer_free(&history.records);
	free(history.waiting);
	return ok;
}
