// SPDX-License-Identifier: GPL-2.0
/* Threads and CPUs with their contexts, and the sums of their counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/procfs.h"
#include "run/software.h"
#include "stat/parts.h"

struct tally tally_new(const struct plan *plan)
{
	return (struct tally){
		.count = xcalloc((size_t)plan->npmds, sizeof(uint64_t)),
		.set = xcalloc(plan->nsets, sizeof(struct set_time)),
	};
}

void tally_copy(struct tally *to, const struct tally *from, const struct plan *plan)
{
	memcpy(to->count, from->count, (size_t)plan->npmds * sizeof(*to->count));
	memcpy(to->set, from->set, plan->nsets * sizeof(*to->set));
}

void tally_free(struct tally *tally)
{
	free(tally->count);
	free(tally->set);
	memset(tally, 0, sizeof(*tally));
}

void parts_begin(struct parts *parts, const struct plan *plan, bool keep)
{
	memset(parts, 0, sizeof(*parts));
	parts->plan = plan;
	parts->keep = keep;
	parts->sum = tally_new(plan);
	parts->fresh = tally_new(plan);
	parts->estimate.plan = plan;
}

/* The last part takes its place. */
static void drop(struct parts *parts, struct part *part)
{
	struct part *last = parts->part[--parts->n];

	parts->part[part->index] = last;
	last->index = part->index;
	tally_free(&part->last);
	tally_free(&part->shown);
	free(part);
}

void parts_free(struct parts *parts)
{
	struct part *part;

	while (parts->n) {
		part = parts->part[parts->n - 1];
		if (part->fd >= 0)
			perfmon_close(part->fd);
		software_end(parts->plan, &part->software);
		drop(parts, part);
	}
	free(parts->part);
	tally_free(&parts->sum);
	tally_free(&parts->fresh);
	estimate_free(&parts->estimate);
	memset(parts, 0, sizeof(*parts));
}

static bool has_turns(const struct parts *parts)
{
	return parts->plan->nsets > 1;
}

/* A name costs three system calls: read it only where it is needed. */
static void take_name(const struct parts *parts, struct part *part)
{
	char path[PROC_PATH];
	FILE *file;

	if (parts->system_wide) {
		snprintf(part->name, sizeof(part->name), "CPU%d", (int)part->id);
		return;
	}
	if (!parts->keep && !has_turns(parts))
		return;
	proc_path(path, part->id, "comm");
	file = fopen(path, "re");
	if (!file)
		return; /* it is gone: keep the former name */
	if (fgets(part->name, sizeof(part->name), file))
		part->name[strcspn(part->name, "\n")] = '\0';
	fclose(file);
}

/* A new task that has executed nothing is a kind of its own: it does other work. */
static void take_kind(struct parts *parts, struct part *part, const char *mark)
{
	char kind[sizeof(part->name) + 8];

	if (!has_turns(parts))
		return;
	snprintf(kind, sizeof(kind), "%s%s", part->name, mark);
	part->kind = estimate_kind(&parts->estimate, kind);
}

static unsigned int first_set(struct parts *parts, const struct part *part)
{
	return has_turns(parts) ? estimate_first_set(&parts->estimate, part->kind) : 0;
}

static struct part *new_part(struct parts *parts, pid_t id)
{
	struct part *part = xcalloc(1, sizeof(*part));

	part->id = id;
	part->fd = -1;
	part->last = tally_new(parts->plan);
	part->index = parts->n;
	GROW(parts->part, parts->n, parts->room);
	parts->part[parts->n++] = part;
	take_name(parts, part);
	take_kind(parts, part, parts->births ? " born" : "");
	return part;
}

static bool load(struct parts *parts, struct part *part, int fd, struct problem *why)
{
	const pid_t tid = parts->system_wide ? gettid() : part->id;

	return session_load(fd, tid, first_set(parts, part), why) &&
	       software_begin(parts->plan, parts->system_wide, part->id, parts->started,
			      &part->software, why) &&
	       (!parts->started || session_start(fd, why));
}

struct part *parts_add(struct parts *parts, pid_t id, struct problem *why)
{
	const int fd = session_open(parts->plan, parts->system_wide, why);
	struct part *part;
	int error;

	if (fd < 0)
		return NULL;
	part = new_part(parts, id);
	if (load(parts, part, fd, why)) {
		part->fd = fd;
		parts->live++;
		return part;
	}
	error = errno;
	perfmon_close(fd);
	software_end(parts->plan, &part->software);
	drop(parts, part);
	errno = error;
	return NULL;
}

static void miss(struct parts *parts, const struct problem *why)
{
	if (!parts->missed++)
		parts->missed_why = *why;
}

void parts_miss(struct parts *parts, const struct problem *why)
{
	if (errno != ESRCH) /* killed before it ran */
		miss(parts, why);
}

struct part *parts_try(struct parts *parts, pid_t id)
{
	struct problem why;
	struct part *part = parts_add(parts, id, &why);

	if (!part)
		parts_miss(parts, &why);
	return part;
}

bool parts_start(struct parts *parts, struct problem *why)
{
	size_t i;

	parts->started = true;
	for (i = 0; i < parts->n; i++)
		software_start(parts->part[i]->software);
	for (i = 0; i < parts->n; i++) /* a part that has ended is reported later */
		if (parts->part[i]->fd >= 0 && !session_start(parts->part[i]->fd, why) &&
		    errno != ESRCH)
			return false;
	return true;
}

void part_stop(const struct part *part)
{
	session_stop(part->fd);
	software_stop(part->software);
}

void parts_stop(struct parts *parts)
{
	size_t i;

	for (i = 0; i < parts->n; i++)
		if (parts->part[i]->fd >= 0)
			part_stop(parts->part[i]);
}

/* Add the new counts to the sums; @fresh becomes the difference. */
static void take_difference(struct parts *parts, struct part *part)
{
	struct tally *fresh = &parts->fresh, *last = &part->last;
	const struct plan *plan = parts->plan;
	unsigned int k;
	int i;

	for (i = 0; i < plan->npmds; i++) {
		const uint64_t count = fresh->count[i];

		fresh->count[i] -= last->count[i];
		last->count[i] = count;
		parts->sum.count[i] += fresh->count[i];
	}
	for (k = 0; k < plan->nsets; k++) {
		const struct set_time time = fresh->set[k];

		fresh->set[k].active_ns -= last->set[k].active_ns;
		fresh->set[k].turns -= last->set[k].turns;
		last->set[k] = time;
		parts->sum.set[k].active_ns += fresh->set[k].active_ns;
		parts->sum.set[k].turns += fresh->set[k].turns;
	}
}

static bool read_part(struct parts *parts, struct part *part, struct problem *why)
{
	const struct plan *plan = parts->plan;

	memset(parts->fresh.count, 0, (size_t)plan->npmds * sizeof(*parts->fresh.count));
	memset(parts->fresh.set, 0, plan->nsets * sizeof(*parts->fresh.set));
	if (!session_read(plan, part->fd, parts->fresh.count, parts->fresh.set, why) ||
	    !software_read(plan, part->software, parts->fresh.count, why))
		return false;
	take_difference(parts, part);
	if (has_turns(parts))
		estimate_add(&parts->estimate, part->kind, parts->fresh.count, parts->fresh.set);
	return true;
}

void parts_read(struct parts *parts)
{
	struct problem why; /* only the last reading must succeed */
	size_t i;

	for (i = 0; i < parts->n; i++)
		if (parts->part[i]->fd >= 0)
			read_part(parts, parts->part[i], &why);
}

void part_exec(struct parts *parts, struct part *part, pid_t id)
{
	struct problem why;

	part->id = id;
	if (part->fd < 0)
		return;
	if (has_turns(parts))
		read_part(parts, part, &why);
	take_name(parts, part);
	take_kind(parts, part, "");
	if (has_turns(parts) && parts->started)
		perfmon_start_set(part->fd, first_set(parts, part)); /* else it keeps its set */
}

void part_end(struct parts *parts, struct part *part)
{
	struct problem why;

	if (read_part(parts, part, &why))
		parts->sessions++;
	else
		miss(parts, &why);
	parts->suspended_ns += session_suspended_ns(part->fd);
	perfmon_close(part->fd);
	part->fd = -1;
	software_end(parts->plan, &part->software);
	parts->live--;
	if (!parts->keep)
		drop(parts, part);
}

void parts_end(struct parts *parts)
{
	size_t i;

	for (i = parts->n; i-- > 0;) /* backwards: the last part takes the place of a dropped one */
		if (parts->part[i]->fd >= 0)
			part_end(parts, parts->part[i]);
}
