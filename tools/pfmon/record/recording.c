// SPDX-License-Identifier: GPL-2.0
/* A recording in progress: the records of its file. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "data/ranges.h"
#include "events/events.h"
#include "nanoseconds.h"
#include "record/branches.h"
#include "record/recording.h"
#include "run/loop.h"

static_assert(sizeof(struct chain_head) == sizeof(struct profile_chain) &&
	      PFM_STACK_SMPL_MAX_DEPTH == PROFILE_MAX_DEPTH &&
	      PFM_STACK_SMPL_KERNEL_CUT == PROFILE_KERNEL_CUT &&
	      PFM_STACK_SMPL_USER_CUT == PROFILE_USER_CUT, "chains are written as they are");
static_assert(sizeof(struct batch_count) == sizeof(struct profile_count), "likewise");

/* The largest piece of samples for a reader: a buffer can be far larger. */
#define LARGEST_RECORD	(PROFILE_WAITING_ROOM / 4)

/* Their number, and their two addresses each */
#define MOST_BRANCH_BYTES	((1 + 2 * PFM_BRANCH_SMPL_MAX_DEPTH) * sizeof(uint64_t))

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
		.realtime_ns = nanoseconds_now(CLOCK_REALTIME),
		.monotonic_ns = nanoseconds_now(CLOCK_MONOTONIC),
	};

	profile_write_bytes(&recording->file, PROFILE_START, &start, sizeof(start), NULL, 0);
}

static void write_format(struct recording *recording, const struct sampling *sampling)
{
	struct profile_sample_format format = {
		.uuid = PFM_DEFAULT_SMPL_UUID,
		.version = PFM_DEFAULT_SMPL_VERSION,
		.flags = sampling->format == SAMPLING_HIST && sampling->nsampled ? PROFILE_HAS_COUNTS : 0,
	};

	profile_write_bytes(&recording->file, PROFILE_FORMAT, &format, sizeof(format), NULL, 0);
}

/* The event of a sampled PMD; the values of the other PMDs come with each sample. */
static void write_event(struct recording *recording, const struct recording_about *about,
			size_t number)
{
	const struct sampling *sampling = about->sampling;
	const struct plan *plan = sampling->plan;
	const struct event *event = &about->events->event[number];
	const size_t values = sampling_values(sampling), nbranches = 2 * sampling->nbranches;
	const char *texts[2 + PROFILE_MAX_WORDS] = { event->name, event->full };
	struct profile_event record = {
		.pmd = plan->pmds[number].reg_num,
		.set = plan->pmds[number].reg_set,
		.levels = event->levels,
		.period = sampling->period[number] * (sampling->scale ?: 1),
		.random_mask = sampling->random_mask,
		.random_seed = sampling->random_seed,
		.nbodies = (uint32_t)(values + sampling->nextra - nbranches),
		.hz = sampling->hz,
	};
	size_t i;

	/* The extra values are the last bodies. */
	record.nregisters = (uint32_t)sampling->nregisters;
	for (i = values; i < record.nbodies; i++) {
		record.bodies[i] = (uint16_t)sampling->extra[nbranches + i - values];
		texts[2 + i] = sampling->extra_name[i - values];
	}
	for (i = 0; i < values; i++) {
		const size_t value = sampling_value(sampling, i);

		record.bodies[i] = plan->pmds[value].reg_num;
		texts[2 + i] = about->events->event[value].name;
	}
	profile_write_texts(&recording->file, PROFILE_EVENT, &record, sizeof(record), texts,
			    2 + record.nbodies);
}

/* Samples of a kernel event have no values, even if those of the PMU's events do. */
static void write_kernel_event(struct recording *recording, const struct kernel_sampling *kernel,
			       size_t number)
{
	const struct event *event = &kernel->events.event[number];
	const char *texts[] = { event->name, event->full };
	struct profile_event record = {
		.pmd = KERNEL_EVENTS_PMD(number),
		.set = KERNEL_EVENTS_SET,
		.levels = event->levels,
		.period = kernel->period[number],
		.hz = kernel->hz,
	};

	profile_write_texts(&recording->file, PROFILE_EVENT, &record, sizeof(record), texts,
			    COUNT(texts));
	if (event->levels & LEVEL_KERNEL)
		kernel_names_know(&recording->kernel); /* now: no thread waits while a ring is emptied */
}

static bool samples_the_kernel(const struct recording_about *about)
{
	size_t i;

	for (i = 0; i < about->sampling->nsampled; i++)
		if (about->events->event[i].levels & LEVEL_KERNEL)
			return true;
	return false;
}

bool recording_begin(struct recording *recording, const struct recording_about *about,
		     struct problem *why)
{
	size_t i;

	memset(recording, 0, sizeof(*recording));
	recording->sampling = about->sampling;
	if (!profile_create(&recording->file, about->output, why))
		return false;
	if (about->compress)
		profile_compress(&recording->file, about->compress);
	write_host(recording, about->pmu);
	if (about->command)
		write_command(recording, about->command);
	write_start(recording);
	write_format(recording, about->sampling);
	for (i = 0; i < about->sampling->nsampled; i++)
		write_event(recording, about, i);
	for (i = 0; about->kernel && i < about->kernel->events.n; i++)
		write_kernel_event(recording, about->kernel, i);
	/* Later, reading them would be a part of the samples of a CPU. */
	if (about->sampling->system_wide && samples_the_kernel(about))
		kernel_names_know(&recording->kernel);
	recording->started = now();
	return !recording->file.error || profile_close(&recording->file, why);
}

static uint32_t write_context(struct recording *recording, struct profile_context *context)
{
	context->id = recording->contexts++;
	profile_write_bytes(&recording->file, PROFILE_CONTEXT, context, sizeof(*context), NULL, 0);
	return context->id;
}

uint32_t recording_thread(struct recording *recording, pid_t pid, pid_t tid)
{
	struct profile_context context = { .kind = PROFILE_THREAD, .pid = pid, .tid = tid };

	return write_context(recording, &context);
}

uint32_t recording_cpu(struct recording *recording, unsigned int cpu)
{
	struct profile_context context = { .kind = PROFILE_CPU, .cpu = cpu };

	return write_context(recording, &context);
}

/* The name is "jit-", a number, ".dump". The number is the process' id in its own namespace. */
static void note_dump(struct recording *recording, pid_t pid, const char *name, uint64_t time)
{
	const char *base = strrchr(name, '/');
	struct recorded_dump *dump;
	int number, end = 0;

	if (!base || sscanf(base, "/jit-%d.dump%n", &number, &end) != 1 || !end || base[end])
		return;
	GROW(recording->dump, recording->ndumps, recording->dump_room);
	dump = &recording->dump[recording->ndumps++];
	*dump = (struct recorded_dump){ .pid = pid, .name = xstrdup(name), .time = time };
	clock_look(&dump->mapped);
}

static void free_dumps(struct recording *recording)
{
	while (recording->ndumps)
		free(recording->dump[--recording->ndumps].name);
	free(recording->dump);
	recording->dump = NULL;
	recording->dump_room = 0;
}

static void identify(struct profile_map *map, const struct build_id *id)
{
	map->id_size = id->size;
	map->id_kind = id->kind == ID_LINKED ? PROFILE_ID_LINKED :
		       id->kind == ID_FILE ? PROFILE_ID_FILE : PROFILE_ID_UNKNOWN;
	memcpy(map->id, id->id, id->size);
}

void recording_map(struct recording *recording, pid_t pid, const struct mapping *mapping,
		   const struct build_id *id, uint64_t time)
{
	const char *name = mapping->name;
	struct build_id of_image;
	struct profile_map map = {
		.pid = pid,
		.protection = mapping->protection,
		.start = mapping->start,
		.end = mapping->end,
		.offset = mapping->offset,
		.time = time,
	};

	note_dump(recording, pid, name, time);
	if (!strcmp(name, "[vdso]")) {
		of_image = vdso_know(&recording->vdso, &recording->file, pid, mapping);
		id = &of_image;
	}
	identify(&map, id);
	profile_write_texts(&recording->file, PROFILE_MAP, &map, sizeof(map), &name, 1);
}

void recording_unmap(struct recording *recording, pid_t pid, uint64_t start, uint64_t end,
		     uint64_t time)
{
	struct profile_unmap unmap = { .pid = pid, .start = start, .end = end, .time = time };

	if (start < end)
		profile_write_bytes(&recording->file, PROFILE_UNMAP, &unmap, sizeof(unmap),
				    NULL, 0);
}

void recording_exec(struct recording *recording, pid_t pid, uint64_t time)
{
	struct profile_exec exec = { .pid = pid, .time = time };

	profile_write_bytes(&recording->file, PROFILE_EXEC, &exec, sizeof(exec), NULL, 0);
}

void recording_comm(struct recording *recording, pid_t pid, pid_t tid, const char *name,
		    uint64_t time)
{
	struct profile_comm comm = { .pid = pid, .tid = tid, .time = time };

	profile_write_texts(&recording->file, PROFILE_COMM, &comm, sizeof(comm), &name, 1);
}

void recording_fork(struct recording *recording, pid_t pid, pid_t tid, pid_t parent_pid,
		    pid_t parent_tid, uint64_t time)
{
	struct profile_fork fork = {
		.pid = pid, .tid = tid,
		.parent_pid = parent_pid, .parent_tid = parent_tid,
		.time = time,
	};

	profile_write_bytes(&recording->file, PROFILE_FORK, &fork, sizeof(fork), NULL, 0);
}

void recording_exit(struct recording *recording, pid_t pid, pid_t tid, uint64_t time)
{
	struct profile_exit exit = { .pid = pid, .tid = tid, .time = time };

	profile_write_bytes(&recording->file, PROFILE_EXIT, &exit, sizeof(exit), NULL, 0);
}

void recording_kernel_code(struct recording *recording, uint64_t start, uint64_t size,
			   const char *name, const char *module)
{
	kernel_names_made(&recording->kernel, start, size, name, module);
}

/* Write the symbol at an address, if the address is in the kernel. */
static void write_kernel_name(struct recording *recording, uint64_t address)
{
	kernel_names_tell(&recording->kernel, &recording->file, address);
}

/* Names for the addresses in the kernel, each symbol once. */
static void write_kernel_symbols(struct recording *recording, const struct batch *batch)
{
	const pfm_default_smpl_entry_t *sample;
	uint64_t i;

	for (i = 0; i < batch->count; i++) {
		sample = (const void *)((const char *)batch->samples + i * batch->sample_size);
		write_kernel_name(recording, sample->ip);
	}
}

/* If none waits any more, the waiting samples are written or lost. */
static void settle(struct recording *recording)
{
	if (recording->file.nwaiting)
		return;
	if (!recording->file.error)
		recording->samples += recording->waiting;
	recording->waiting = 0;
}

static void write_samples(struct recording *recording, uint32_t context,
			  const struct batch *batch)
{
	struct profile_samples samples = { .context = context, .count = batch->count };

	write_kernel_symbols(recording, batch);
	if (profile_write_bytes(&recording->file, PROFILE_SAMPLES, &samples, sizeof(samples),
				batch->samples, batch->count * batch->sample_size))
		recording->waiting += batch_total(batch);
	settle(recording);
}

/* Write the chains ahead of their samples, which are @batch. */
static void write_chains(struct recording *recording, uint32_t context, const struct batch *batch,
			 size_t words)
{
	struct profile_chains record = { .context = context, .count = batch->count };
	const uint64_t *word = batch->chains;
	const struct chain_head *head;
	uint64_t i, frame;

	/* The names of the calling functions: a call can be the last instruction of a function. */
	for (i = 0; i < batch->count; i++, word += chain_words(head)) {
		head = (const struct chain_head *)word;
		for (frame = 0; frame < head->kernel; frame++)
			write_kernel_name(recording, word[1 + frame] - (frame > 0));
	}
	profile_write_bytes(&recording->file, PROFILE_CHAINS, &record, sizeof(record),
			    batch->chains, words * sizeof(*word));
}

/* Write the counts ahead of their samples. */
static void write_with_counts(struct recording *recording, uint32_t context,
			      const struct batch *batch)
{
	struct profile_counts record = { .context = context, .count = batch->count };

	profile_write_bytes(&recording->file, PROFILE_COUNTS, &record, sizeof(record),
			    batch->counts, batch->count * sizeof(*batch->counts));
	write_samples(recording, context, batch);
}

/* Write the branches ahead of their samples, @batch. */
static void write_branches(struct recording *recording, uint32_t context,
			   const struct batch *batch, const uint64_t *words, size_t nwords)
{
	struct profile_branches record = { .context = context, .count = batch->count };
	size_t i;

	for (i = 0; i < nwords; i++) /* the words that are numbers are no kernel addresses */
		write_kernel_name(recording, words[i]);
	profile_write_bytes(&recording->file, PROFILE_BRANCHES, &record, sizeof(record), words,
			    nwords * sizeof(*words));
	write_samples(recording, context, batch);
}

/* The branches are values of the samples. */
static void write_with_branches(struct recording *recording, uint32_t context,
				const struct batch *batch)
{
	struct branches_split split;
	struct batch without;

	branches_split(&split, batch, recording->sampling->nbranches,
		       recording->sampling->ncounts);
	without = (struct batch){
		.samples = split.samples, .sample_size = split.sample_size, .count = batch->count,
	};
	write_branches(recording, context, &without, split.words, split.nwords);
	branches_split_free(&split);
}

/* The branches are beside the samples. */
static void write_beside_branches(struct recording *recording, uint32_t context,
				  const struct batch *batch)
{
	struct profile_branch_details record = { .context = context, .count = batch->count };
	size_t n, nwords;
	struct profile_branch_detail *details = branches_details(batch, &n);
	uint64_t *words = branches_words(batch, &nwords);

	if (details)
		profile_write_bytes(&recording->file, PROFILE_BRANCH_DETAILS, &record,
				    sizeof(record), details, n * sizeof(*details));
	free(details);
	write_branches(recording, context, batch, words, nwords);
	free(words);
}

/* Instruction-Based Sampling: take the instruction's address, if known, not the interrupt's. */
static void write_with_address(struct recording *recording, uint32_t context,
			       const struct batch *batch)
{
	const struct sampling *sampling = recording->sampling;
	char *samples = xcalloc(batch->count, batch->sample_size);
	const struct batch copy = {
		.samples = samples, .sample_size = batch->sample_size, .count = batch->count,
	};
	uint64_t i;

	memcpy(samples, batch->samples, batch->count * batch->sample_size);
	for (i = 0; i < batch->count; i++) {
		pfm_default_smpl_entry_t *entry = (void *)(samples + i * batch->sample_size);
		const uint64_t *value = (const void *)(entry + 1);

		entry->last_reset_val *= (__s64)sampling->scale;
		if (value[sampling->address - 1])
			entry->ip = value[sampling->address - 1];
	}
	write_samples(recording, context, &copy);
	free(samples);
}

/* The first samples of @batch that are no larger than the limit, and the words of their chains. */
static uint64_t first_part(const struct batch *batch, size_t *words)
{
	const size_t beside = batch->branches ? MOST_BRANCH_BYTES : 0;
	const uint64_t most = LARGEST_RECORD / (batch->sample_size + beside);
	const uint64_t *word = batch->chains;
	size_t next;
	uint64_t n;

	*words = 0;
	for (n = 0; n < batch->count && n < most; n++) {
		if (!word)
			continue;
		next = chain_words((const struct chain_head *)(word + *words));
		if (n && (*words + next) * sizeof(*word) > LARGEST_RECORD)
			break;
		*words += next;
	}
	return n;
}

/* One record of the samples, or several: none is larger than the limit. */
static void write_parts(struct recording *recording, uint32_t context, const struct batch *batch,
			void (*write)(struct recording *recording, uint32_t context,
				      const struct batch *batch))
{
	struct batch left = *batch, part;
	size_t words;

	kernel_names_refresh(&recording->kernel, &recording->file);
	while (left.count) {
		part = left;
		part.count = first_part(&left, &words);
		if (part.chains)
			write_chains(recording, context, &part, words);
		write(recording, context, &part);
		left.samples = (const char *)left.samples + part.count * left.sample_size;
		left.chains = left.chains ? left.chains + words : NULL;
		left.counts = left.counts ? left.counts + part.count : NULL;
		left.branches = left.branches ? left.branches + part.count : NULL;
		left.count -= part.count;
	}
}

void recording_samples(struct recording *recording, uint32_t context,
		       const struct batch *batch)
{
	write_parts(recording, context, batch,
		    batch->counts ? write_with_counts :
		    batch->branches ? write_beside_branches :
		    recording->sampling->address ? write_with_address :
		    recording->sampling->nbranches ? write_with_branches : write_samples);
}

void recording_kernel_samples(struct recording *recording, uint32_t context,
			      const struct batch *batch)
{
	write_parts(recording, context, batch, write_samples);
}

void recording_flush(struct recording *recording)
{
	profile_flush(&recording->file);
	settle(recording);
}

void recording_leave(struct recording *recording, uint32_t context, const struct ledger *ledger)
{
	struct profile_lost lost = {
		.context = context,
		.overflows = ledger->overflows, .recorded = ledger->recorded,
		.full = ledger->full, .error = ledger->error, .throttled = ledger->throttled,
		.late = ledger->late, .unplaced = ledger->unplaced,
		.messages = ledger->messages,
		.masked_ns = ledger->masked_ns, .suspended_ns = ledger->suspended_ns,
	};

	profile_write_bytes(&recording->file, PROFILE_LOST, &lost, sizeof(lost), NULL, 0);
	ledger_sum(&recording->ledger, ledger);
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
		.samples = recording->samples + recording->waiting,
		.status = status,
		.flags = interrupted ? PROFILE_INTERRUPTED : 0,
	};

	kernel_names_end(&recording->kernel, &recording->file);
	profile_write_bytes(&recording->file, PROFILE_END, &end, sizeof(end), NULL, 0);
	recording_flush(recording);
	kernel_names_free(&recording->kernel);
	free_dumps(recording);
	vdso_free(&recording->vdso);
	return profile_close(&recording->file, why);
}
