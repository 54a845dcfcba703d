// SPDX-License-Identifier: GPL-2.0
/* A context with one of the kernel's sampling formats, and its buffer. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <perfmon_default_smpl.h>

#include "explain.h"
#include "session/locked.h"
#include "session/sampler.h"

size_t sampling_values(const struct sampling *sampling)
{
	return (size_t)sampling->plan->npmds - sampling->nsampled;
}

/* The kernel writes them by increasing number of the PMD. */
size_t sampling_value(const struct sampling *sampling, size_t i)
{
	const pfarg_pmd_t *pmds = sampling->plan->pmds;
	size_t value, other, below;

	for (value = sampling->nsampled; value < (size_t)sampling->plan->npmds; value++) {
		below = 0;
		for (other = sampling->nsampled; other < (size_t)sampling->plan->npmds; other++)
			below += pmds[other].reg_num < pmds[value].reg_num;
		if (below == i)
			break;
	}
	return value;
}

unsigned int sampling_chain_parts(const struct events *events, size_t n)
{
	unsigned int parts = PFM_STACK_SMPL_USER;
	size_t i;

	for (i = 0; i < n; i++)
		if (events->event[i].levels & LEVEL_KERNEL)
			parts |= PFM_STACK_SMPL_KERNEL;
	return parts;
}

/* perf_events cannot have the thread wait: then it runs on, and samples can be lost. */
static int create(const struct sampling *sampling, uint64_t size, pfarg_ctx_t *made)
{
	const struct sampling_reader *reader = sampling_readers[sampling->format];
	struct {
		pfarg_ctx_t	context;
		uint64_t	format[READER_ARGUMENT_MAX / sizeof(uint64_t)];
	} arg = {
		.context.ctx_flags = PFM_FL_EXTRA_MSG |
				     (sampling->system_wide ? PFM_FL_SYSTEM_WIDE :
				      sampling->runs_on ? 0 : PFM_FL_NOTIFY_BLOCK),
	};
	int fd;

	memcpy(arg.context.ctx_smpl_buf_id, reader->uuid, sizeof(pfm_uuid_t));
	reader->argument(arg.format, sampling, size);
	fd = perfmon_create_context(&arg.context);
	if (fd < 0 && errno == ENOSYS && arg.context.ctx_flags & PFM_FL_NOTIFY_BLOCK) {
		arg.context.ctx_flags &= ~PFM_FL_NOTIFY_BLOCK;
		fd = perfmon_create_context(&arg.context);
	}
	*made = arg.context;
	return fd;
}

static bool lists_format(const struct sampling_reader *reader)
{
	char name[64], version[32];

	snprintf(name, sizeof(name), "formats/%s/version", reader->name);
	return !perfmon_sysfs_read(name, version, sizeof(version));
}

/* True if the kernel lists its sampling formats, and this one is missing. */
static bool lacks_format(const struct sampling_reader *reader)
{
	return lists_format(sampling_readers[SAMPLING_DEFAULT]) && !lists_format(reader);
}

static bool explain_sampler(const struct sampling *sampling, uint64_t size, int error,
			    struct problem *why)
{
	const struct sampling_reader *reader = sampling_readers[sampling->format];
	struct rlimit locked;
	uint64_t all = 0;

	explain_create(why, error, sampling->system_wide);
	if (perfmon_last_error(error))
		return false;
	if (error == EINVAL && reader->gives && lacks_format(reader)) {
		problem(why, "this kernel's perfmon has no %s: its sampling format %s is not there",
			reader->gives, reader->name);
		return problem_hint(why, "Load its module, perfmon_%s_smpl, if there is one; or record by perf_events: PERFMON=perf pfmon ...",
				    reader->name);
	}
	if (error == EINVAL) {
		problem(why, "this kernel refuses a sampling buffer of %llu bytes",
			(unsigned long long)size);
		return problem_hint(why, "It is too small for one sample (--buffer), or the kernel's perfmon does not have the sampling format.");
	}
	if (error != ENOMEM)
		return false;
	problem(why, "a sampling buffer of %llu bytes is more than this user may have",
		(unsigned long long)size);
	if (!getrlimit(RLIMIT_MEMLOCK, &locked) && locked.rlim_cur != RLIM_INFINITY)
		problem_hint(why, "It counts as locked memory, limited to %llu bytes (ulimit -l)",
			     (unsigned long long)locked.rlim_cur);
	else
		problem_hint(why, "The memory is not there");
	if (!perfmon_sysfs_u64("limits/smpl_buf_size_max", &all))
		append(why->hint, sizeof(why->hint), ",\nand all buffers together to %llu",
		       (unsigned long long)all);
	append(why->hint, sizeof(why->hint), ". Ask for less with --buffer.");
	return false;
}

/* With call chains or branches, room for some of the largest samples. */
static uint64_t smallest_default(const struct sampling *sampling)
{
	const size_t beside = sampling->depth * sizeof(uint64_t) +
			      sampling->branch_depth * sizeof(pfm_branch_smpl_record_t);
	uint64_t size = 1UL << 12;

	while (size < 8 * beside)
		size *= 2;
	return size;
}

/* Use the requested size, or the largest of the usual ones that is available. */
static bool create_and_map(struct sampler *sampler, const struct sampling *sampling,
			   struct problem *why)
{
	const uint64_t asked = sampling->buffer, smallest = smallest_default(sampling);
	const struct sampling_reader *reader = sampling_readers[sampling->format];
	uint64_t size = asked;
	pfarg_ctx_t context;
	const void *buffer;

	if (asked == SAMPLER_DEFAULT_BUFFER)
		size = locked_share(sampling->largest_buffer, smallest);
	for (;;) {
		sampler->fd = create(sampling, size, &context);
		if (sampler->fd >= 0 || errno != ENOMEM || asked || size <= smallest)
			break;
		size /= 2;
	}
	if (sampler->fd < 0)
		return explain_sampler(sampling, size, errno, why);
	sampler->mapped = context.ctx_smpl_buf_size;
	buffer = perfmon_map_buffer(sampler->fd, sampler->mapped);
	if (!buffer)
		return problem(why, "cannot map the sampling buffer: %s", strerror(errno));
	sampler->buffer = buffer;
	locked_add((ssize_t)sampler->mapped);
	sampler->reader = reader;
	sampler->state = xcalloc(1, reader->state_size);
	if (!reader->open(sampler->state, sampler->fd, buffer, sampler->mapped))
		return problem(why, "cannot map the reader's page of the sampling buffer: %s",
			       strerror(errno));
	return true;
}

/* Counters count up, and overflow: a period is a negative number. */
static bool write_pmds(int fd, const struct sampling *sampling, struct problem *why)
{
	const struct plan *plan = sampling->plan;
	pfarg_pmd_t *pmds = xcalloc((size_t)plan->npmds, sizeof(*pmds));
	size_t i;
	bool ok;

	memcpy(pmds, plan->pmds, (size_t)plan->npmds * sizeof(*pmds));
	for (i = 0; i < sampling->nsampled; i++) {
		pmds[i].reg_value = -sampling->period[i];
		pmds[i].reg_short_reset = -sampling->period[i];
		pmds[i].reg_long_reset = -(sampling->long_period ?: sampling->period[i]);
		pmds[i].reg_random_mask = sampling->random_mask;
		pmds[i].reg_random_seed = sampling->random_seed;
	}
	ok = !perfmon_write_pmds(fd, pmds, plan->npmds) ||
	     explain(why, PFM_WRITE_PMDS, errno, pmds, plan->npmds);
	free(pmds);
	return ok;
}

/*
 * A PMC that controls no sampled counter has no effect when one overflows; so
 * all PMCs get the same: this file does not know which of them control sampled counters.
 */
static bool write_pmcs(int fd, const struct sampling *sampling, struct problem *why)
{
	const struct plan *plan = sampling->plan;
	const size_t size = (size_t)plan->npmcs * sizeof(*plan->pmcs);
	pfarg_pmc_t *pmcs = xcalloc(1, size);
	size_t value;
	bool ok;
	int i;

	memcpy(pmcs, plan->pmcs, size);
	for (i = 0; i < plan->npmcs; i++) {
		pmcs[i].reg_flags = PFM_REGFL_OVFL_NOTIFY;
		if (sampling->random_mask)
			pmcs[i].reg_flags |= PFM_REGFL_RANDOM;
		for (value = sampling->nsampled; value < (size_t)plan->npmds; value++)
			perfmon_bv_set(pmcs[i].reg_smpl_pmds, plan->pmds[value].reg_num);
		for (value = 0; value < sampling->nextra; value++)
			perfmon_bv_set(pmcs[i].reg_smpl_pmds, sampling->extra[value]);
	}
	ok = !perfmon_write_pmcs(fd, pmcs, plan->npmcs) ||
	     explain(why, PFM_WRITE_PMCS, errno, pmcs, plan->npmcs);
	free(pmcs);
	return ok;
}

bool sampler_open(struct sampler *sampler, const struct sampling *sampling,
		  struct problem *why)
{
	memset(sampler, 0, sizeof(*sampler));
	sampler->fd = -1;
	sampler->sample_size = sizeof(pfm_default_smpl_entry_t) +
			       (sampling_values(sampling) + sampling->nextra) * sizeof(uint64_t);
	if (create_and_map(sampler, sampling, why) &&
	    (sampling->plan->nsets < 2 || session_create_sets(sampling->plan, sampler->fd, why)) &&
	    write_pmcs(sampler->fd, sampling, why) && write_pmds(sampler->fd, sampling, why))
		return true;
	sampler_close(sampler);
	return false;
}

bool sampler_load(struct sampler *sampler, pid_t tid, unsigned int set, struct problem *why)
{
	return session_load(sampler->fd, tid, set, why);
}

bool sampler_begin(struct sampler *sampler, pid_t tid, unsigned int set, struct problem *why)
{
	return sampler_load(sampler, tid, set, why) && session_start(sampler->fd, why);
}

struct batch sampler_take(struct sampler *sampler)
{
	if (!sampler->state)
		return (struct batch){ .sample_size = sampler->sample_size };
	return sampler->reader->take(sampler->state, sampler->sample_size);
}

uint64_t sampler_clock(const struct sampler *sampler)
{
	pfarg_pmd_t clock = { .reg_num = PFM_PMD_CPU_CLOCK };

	return perfmon_read_pmds(sampler->fd, &clock, 1) ? 0 : clock.reg_value;
}

void sampler_restart(struct sampler *sampler)
{
	const struct sampling_reader *reader = sampler->reader;

	if (reader->waits && !reader->waits(sampler->state))
		return;
	if (perfmon_restart(sampler->fd))
		return; /* unloaded meanwhile: the buffer stays as it is */
	if (reader->restart)
		reader->restart(sampler->state);
}

static void unmap(const struct sampler *sampler)
{
	munmap((void *)sampler->buffer, sampler->mapped);
	locked_add(-(ssize_t)sampler->mapped);
}

void sampler_close(struct sampler *sampler)
{
	if (sampler->state && sampler->reader->close)
		sampler->reader->close(sampler->state);
	free(sampler->state);
	if (sampler->buffer)
		unmap(sampler);
	if (sampler->fd >= 0)
		perfmon_close(sampler->fd);
	sampler->state = NULL;
	sampler->buffer = NULL;
	sampler->fd = -1;
}
