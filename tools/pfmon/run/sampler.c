// SPDX-License-Identifier: GPL-2.0
/* A context with the kernel's default sampling format, and its buffer. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <perfmon_default_smpl.h>

#include "explain.h"
#include "run/sampler.h"

/* With a buffer of this size, emptying it does not count beside filling it. */
#define LARGEST_DEFAULT		(1UL << 20)
#define SMALLEST_DEFAULT	(1UL << 14)

/* perf_events cannot have the thread wait: then it runs on, and samples can be lost. */
static int create(uint64_t size, pfarg_ctx_t *made)
{
	struct {
		pfarg_ctx_t		context;
		pfm_default_smpl_arg_t	format;
	} arg = {
		.context.ctx_flags = PFM_FL_NOTIFY_BLOCK,
		.context.ctx_smpl_buf_id = PFM_DEFAULT_SMPL_UUID,
		.format.buf_size = size,
	};
	int fd = perfmon_create_context(&arg.context);

	if (fd < 0 && errno == ENOSYS) {
		arg.context.ctx_flags = 0;
		fd = perfmon_create_context(&arg.context);
	}
	*made = arg.context;
	return fd;
}

static bool explain_create(uint64_t size, int error, struct problem *why)
{
	struct rlimit locked;
	uint64_t all = 0;

	explain(why, PFM_CREATE_CONTEXT, error, NULL, 0);
	if (perfmon_refusal(error))
		return false;
	if (error == EPERM)
		return problem_hint(why, "Contexts are open to one group of users: see limits/thread_gid in /sys/kernel/perfmon.");
	if (error == EINVAL) {
		problem(why, "this kernel refuses a sampling buffer of %llu bytes",
			(unsigned long long)size);
		return problem_hint(why, "It is too small for one sample (--buffer), or the kernel's perfmon cannot sample.");
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

/* The size that was asked for, or the largest of the usual ones that there is. */
static bool create_and_map(struct sampler *sampler, uint64_t asked, struct problem *why)
{
	uint64_t size = asked == SAMPLER_DEFAULT_BUFFER ? LARGEST_DEFAULT : asked;
	pfarg_ctx_t context;
	const void *buffer;

	for (;;) {
		sampler->fd = create(size, &context);
		if (sampler->fd >= 0 || errno != ENOMEM || asked || size <= SMALLEST_DEFAULT)
			break;
		size /= 4;
	}
	if (sampler->fd < 0)
		return explain_create(size, errno, why);
	sampler->mapped = context.ctx_smpl_buf_size;
	buffer = perfmon_map_buffer(sampler->fd, sampler->mapped);
	if (!buffer)
		return problem(why, "cannot map the sampling buffer: %s", strerror(errno));
	sampler->buffer = buffer;
	return true;
}

/* Counters count up, and overflow: a period is a negative number. */
static bool write_pmds(int fd, const struct sampling *sampling, struct problem *why)
{
	const struct plan *plan = sampling->plan;
	pfarg_pmd_t pmd = plan->pmds[0];

	pmd.reg_value = -sampling->period;
	pmd.reg_long_reset = -sampling->period;
	pmd.reg_short_reset = -sampling->period;
	pmd.reg_random_mask = sampling->random_mask;
	pmd.reg_random_seed = sampling->random_seed;
	return !perfmon_write_pmds(fd, &pmd, 1) ||
	       explain(why, PFM_WRITE_PMDS, errno, &pmd, 1);
}

/*
 * The PMC that controls the event's counter is the one that the plan has; with raw
 * values there may be others, that steer it.
 */
static bool write_pmcs(int fd, const struct sampling *sampling, struct problem *why)
{
	const struct plan *plan = sampling->plan;
	const size_t size = (size_t)plan->npmcs * sizeof(*plan->pmcs);
	pfarg_pmc_t *pmcs = xcalloc(1, size);
	bool ok;
	int i;

	memcpy(pmcs, plan->pmcs, size);
	for (i = 0; i < plan->npmcs; i++) {
		pmcs[i].reg_flags = PFM_REGFL_OVFL_NOTIFY;
		if (sampling->random_mask)
			pmcs[i].reg_flags |= PFM_REGFL_RANDOM;
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
	if (create_and_map(sampler, sampling->buffer, why) &&
	    write_pmcs(sampler->fd, sampling, why) && write_pmds(sampler->fd, sampling, why))
		return true;
	sampler_close(sampler);
	return false;
}

bool sampler_begin(struct sampler *sampler, pid_t tid, struct problem *why)
{
	int error;

	if (perfmon_load(sampler->fd, tid)) {
		error = errno;
		explain(why, PFM_LOAD_CONTEXT, error, NULL, 0);
		errno = error;
		return false;
	}
	return session_start(sampler->fd, why);
}

/* The kernel writes there, as the compiler does not see. */
static uint64_t header_field(const void *field)
{
	return *(const volatile __u64 *)field;
}

struct batch sampler_take(struct sampler *sampler)
{
	const pfm_default_smpl_hdr_t *header = sampler->buffer;
	struct batch batch = { NULL, 0, 0 };
	uint64_t count, end;
	size_t begin;

	if (!header)
		return batch;
	count = header_field(&header->hdr_count);
	end = header_field(&header->hdr_cur_offs);
	begin = sampler->taken ? sampler->taken : sizeof(*header);
	if (end > sampler->mapped || end <= begin || count <= sampler->taken_count)
		return batch;
	batch.samples = (const char *)sampler->buffer + begin;
	batch.size = end - begin;
	batch.count = count - sampler->taken_count;
	sampler->taken = end;
	sampler->taken_count = count;
	return batch;
}

void sampler_restart(struct sampler *sampler)
{
	if (perfmon_restart(sampler->fd))
		return; /* unloaded meanwhile: the buffer stays as it is */
	sampler->taken = 0;
	sampler->taken_count = 0;
}

void sampler_close(struct sampler *sampler)
{
	if (sampler->buffer)
		munmap((void *)sampler->buffer, sampler->mapped);
	if (sampler->fd >= 0)
		perfmon_close(sampler->fd);
	sampler->buffer = NULL;
	sampler->fd = -1;
}
