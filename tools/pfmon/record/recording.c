// SPDX-License-Identifier: GPL-2.0
/* A recording that is being made: what goes into the file, and when. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "data/build_id.h"
#include "data/ranges.h"
#include "record/recording.h"
#include "run/loop.h"

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void write_host(struct recording *recording, const struct pmu *pmu)
{
	struct profile_host host;
	struct utsname name;
	const char *texts[] = { name.nodename, name.release, name.machine, pmu->model,
				pmu->events };

	uname(&name);
	profile_write_texts(&recording->file, PROFILE_HOST, &host, sizeof(host), texts,
			    COUNT(texts));
}

static void write_command(struct recording *recording, char **command)
{
	struct profile_command record = { .argc = 0 };

	while (command[record.argc])
		record.argc++;
	profile_write_texts(&recording->file, PROFILE_COMMAND, &record, sizeof(record),
			    (const char *const *)command, record.argc);
}

static void write_start(struct recording *recording)
{
	struct profile_start start = {
		.realtime_ns = nanoseconds(CLOCK_REALTIME),
		.monotonic_ns = nanoseconds(CLOCK_MONOTONIC),
	};

	profile_write_bytes(&recording->file, PROFILE_START, &start, sizeof(start), NULL, 0);
}

static void write_format(struct recording *recording)
{
	struct profile_sample_format format = {
		.uuid = PFM_DEFAULT_SMPL_UUID,
		.version = PFM_DEFAULT_SMPL_VERSION,
	};

	profile_write_bytes(&recording->file, PROFILE_FORMAT, &format, sizeof(format), NULL, 0);
}

static void write_event(struct recording *recording, const struct recording_about *about)
{
	const struct sampling *sampling = about->sampling;
	const char *texts[] = { about->event->name, about->event->full };
	struct profile_event event = {
		.pmd = sampling->plan->pmds[0].reg_num,
		.levels = about->event->levels,
		.period = sampling->period,
		.random_mask = sampling->random_mask,
		.random_seed = sampling->random_seed,
	};

	profile_write_texts(&recording->file, PROFILE_EVENT, &event, sizeof(event), texts,
			    COUNT(texts));
}

bool recording_begin(struct recording *recording, const struct recording_about *about,
		     struct problem *why)
{
	memset(recording, 0, sizeof(*recording));
	recording->context = UINT32_MAX;
	if (!profile_create(&recording->file, about->output, why))
		return false;
	write_host(recording, about->pmu);
	write_command(recording, about->command);
	write_start(recording);
	write_format(recording);
	write_event(recording, about);
	recording->started = now();
	return !recording->file.error || profile_close(&recording->file, why);
}

void recording_thread(struct recording *recording, pid_t pid, pid_t tid)
{
	struct profile_context context = {
		.id = ++recording->context,
		.kind = PROFILE_THREAD,
		.pid = pid,
		.tid = tid,
	};

	recording->pid = pid;
	profile_write_bytes(&recording->file, PROFILE_CONTEXT, &context, sizeof(context),
			    NULL, 0);
}

static void write_map(struct recording *recording, const struct mapping *mapping)
{
	const char *name = mapping->name;
	const int fd = mapping_open(mapping, recording->pid);
	struct build_id id = { .size = 0 };
	struct profile_map map = {
		.pid = recording->pid,
		.protection = mapping->protection,
		.start = mapping->start,
		.end = mapping->end,
		.offset = mapping->offset,
	};

	if (fd >= 0) {
		build_id_read(&id, fd);
		close(fd);
	}
	map.id_size = id.size;
	memcpy(map.id, id.id, id.size);
	profile_write_texts(&recording->file, PROFILE_MAP, &map, sizeof(map), &name, 1);
}

static void write_unmap(struct recording *recording, uint64_t start, uint64_t end)
{
	struct profile_unmap unmap = { .pid = recording->pid, .start = start, .end = end };

	if (start < end)
		profile_write_bytes(&recording->file, PROFILE_UNMAP, &unmap, sizeof(unmap),
				    NULL, 0);
}

static const struct mapping *find_equal(const struct mappings *maps,
					const struct mapping *mapping)
{
	size_t i;

	for (i = 0; i < maps->n; i++)
		if (mapping_equal(&maps->mapping[i], mapping))
			return &maps->mapping[i];
	return NULL;
}

/* Where @gone was, and none of the new mappings is. */
static void write_gone(struct recording *recording, const struct mapping *gone,
		       const struct mappings *fresh)
{
	uint64_t at = gone->start;
	size_t i;

	for (i = 0; i < fresh->n && fresh->mapping[i].start < gone->end; i++) {
		if (fresh->mapping[i].end <= at)
			continue;
		write_unmap(recording, at, fresh->mapping[i].start);
		at = fresh->mapping[i].end;
	}
	write_unmap(recording, at, gone->end);
}

/* Names for the addresses in the kernel, each symbol once. */
static void write_kernel_symbols(struct recording *recording, const struct batch *batch)
{
	const pfm_default_smpl_entry_t *sample = batch->samples;
	struct kernel_symbol *symbol;
	uint64_t i;

	for (i = 0; i < batch->count; i++) {
		if (!is_kernel_address(sample[i].ip))
			continue;
		if (!recording->kernel_known) {
			kernel_symbols_read(&recording->kernel, "/proc/kallsyms");
			recording->kernel_known = true;
		}
		symbol = kernel_symbols_find(&recording->kernel, sample[i].ip);
		if (symbol && !symbol->seen) {
			const char *texts[] = { symbol->name, symbol->module };
			struct profile_ksymbol record = { .start = symbol->start,
							  .end = symbol->end };

			symbol->seen = true;
			profile_write_texts(&recording->file, PROFILE_KSYMBOL, &record,
					    sizeof(record), texts, COUNT(texts));
		}
	}
}

static void write_samples(struct recording *recording, const struct batch *batch)
{
	struct profile_samples samples = { .context = recording->context,
					   .count = batch->count };

	write_kernel_symbols(recording, batch);
	if (profile_write_bytes(&recording->file, PROFILE_SAMPLES, &samples, sizeof(samples),
				batch->samples, batch->size))
		recording->samples += batch->count;
}

/*
 * What was mapped since the last time comes before the samples, what was unmapped behind
 * them: they are from the time between, so that either may be theirs.
 */
void recording_add(struct recording *recording, const struct batch *batch)
{
	struct mappings fresh = { .n = 0 };
	const bool known = !recording->executing && mappings_read(&fresh, recording->pid);
	size_t i;

	for (i = 0; i < fresh.n; i++)
		if (!find_equal(&recording->maps, &fresh.mapping[i]))
			write_map(recording, &fresh.mapping[i]);
	if (batch->count)
		write_samples(recording, batch);
	if (!known) { /* the process is gone, and what it had last is what we have */
		mappings_free(&fresh);
		return;
	}
	for (i = 0; i < recording->maps.n; i++)
		if (!find_equal(&fresh, &recording->maps.mapping[i]))
			write_gone(recording, &recording->maps.mapping[i], &fresh);
	mappings_free(&recording->maps);
	recording->maps = fresh;
}

void recording_exec(struct recording *recording)
{
	struct profile_exec exec = { .pid = recording->pid };

	profile_write_bytes(&recording->file, PROFILE_EXEC, &exec, sizeof(exec), NULL, 0);
	mappings_free(&recording->maps);
}

void recording_leave(struct recording *recording, int fd)
{
	struct ledger ledger = { 0 };
	struct profile_lost lost = { .context = recording->context };

	if (!ledger_add(&ledger, fd))
		return;
	lost.overflows = ledger.overflows;
	lost.recorded = ledger.recorded;
	lost.full = ledger.full;
	lost.error = ledger.error;
	lost.throttled = ledger.throttled;
	lost.messages = ledger.messages;
	profile_write_bytes(&recording->file, PROFILE_LOST, &lost, sizeof(lost), NULL, 0);
	ledger_add(&recording->ledger, fd);
	recording->has_ledger = true;
}

void recording_note(struct recording *recording, const char *note)
{
	struct profile_note record;

	profile_write_texts(&recording->file, PROFILE_NOTE, &record, sizeof(record), &note, 1);
}

bool recording_end(struct recording *recording, int status, bool interrupted,
		   struct problem *why)
{
	struct profile_end end = {
		.duration_ns = (uint64_t)((now() - recording->started) * 1e9),
		.samples = recording->samples,
		.status = status,
		.flags = interrupted ? PROFILE_INTERRUPTED : 0,
	};

	profile_write_bytes(&recording->file, PROFILE_END, &end, sizeof(end), NULL, 0);
	mappings_free(&recording->maps);
	kernel_symbols_free(&recording->kernel);
	return profile_close(&recording->file, why);
}
