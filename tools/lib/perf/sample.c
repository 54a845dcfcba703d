// SPDX-License-Identifier: GPL-2.0
/*
 * Samples: from perf_events' ring to the buffer of the default sampling format, or of the stack
 * format, which has their call chains.
 *
 * The ring belongs to the kernel and is filled while the buffer is being read; samples
 * without room in it are lost, and counted. The library copies samples when the program
 * reads messages or brings the buffer up to date, so that between the message and
 * PFM_RESTART the buffer stays as it is, as the kernel's does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>
#include <perfmon_stack_smpl.h>

#include "perf/context.h"
#include "perf_chain.h"

/* The fields of sample_type, in the order of perf_event_open(2). */
struct ring_sample {
	struct perf_event_header header;
	uint64_t	ip;
	uint32_t	pid, tid;
	uint64_t	time;
	uint32_t	cpu, reserved;
	/* Of the stack format only: */
	uint64_t	nchain;		/* words */
	uint64_t	chain[PERF_CHAIN_ROOM];
};

struct ring_lost {
	struct perf_event_header header;
	uint64_t	id, lost;
};

static const pfm_uuid_t default_format = PFM_DEFAULT_SMPL_UUID;
static const pfm_uuid_t stack_format = PFM_STACK_SMPL_UUID;

/* The use of the header is the same in both formats. */
_Static_assert(offsetof(pfm_stack_smpl_hdr_t, hdr_cur_offs) ==
	       offsetof(pfm_default_smpl_hdr_t, hdr_cur_offs), "one beginning");
_Static_assert(offsetof(pfm_stack_smpl_hdr_t, hdr_version) ==
	       offsetof(pfm_default_smpl_hdr_t, hdr_version), "one beginning");
_Static_assert(offsetof(pfm_stack_smpl_hdr_t, hdr_flags) ==
	       offsetof(pfm_default_smpl_hdr_t, hdr_flags), "one beginning");

static size_t pages_of(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

/* A power of two, from one page on, and no larger than the buffer. */
static size_t ring_size(size_t buffer)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	while (2 * size <= buffer)
		size *= 2;
	return size;
}

static pfm_default_smpl_hdr_t *header_of(const struct perf_sampling *sampling)
{
	return sampling->buffer;
}

static void reset_buffer(struct perf_sampling *sampling)
{
	pfm_default_smpl_hdr_t *header = header_of(sampling);

	header->hdr_count = 0;
	header->hdr_cur_offs = sampling->header_size;
}

static bool map_memory(struct perf_sampling *sampling)
{
	sampling->memory = memfd_create("perfmon samples", MFD_CLOEXEC);
	if (sampling->memory < 0 || ftruncate(sampling->memory, (off_t)sampling->mapped))
		return false;
	sampling->buffer = mmap(NULL, sampling->mapped, PROT_READ | PROT_WRITE, MAP_SHARED,
				sampling->memory, 0);
	if (sampling->buffer != MAP_FAILED)
		return true;
	sampling->buffer = NULL;
	return false;
}

static bool take_default(struct perf_sampling *sampling, const pfm_default_smpl_arg_t *format)
{
	if (format->buf_flags)
		return !perfmon_refuse(ENOSYS, NULL, "with perf_events samples have whole headers");
	sampling->size = format->buf_size;
	sampling->header_size = sizeof(pfm_default_smpl_hdr_t);
	sampling->largest_sample = sizeof(pfm_default_smpl_entry_t);
	return true;
}

static bool take_stack(struct perf_sampling *sampling, const pfm_stack_smpl_arg_t *format)
{
	const uint32_t both = PFM_STACK_SMPL_KERNEL | PFM_STACK_SMPL_USER;

	if (!format->buf_flags || format->buf_flags & ~both || !format->buf_depth ||
	    format->buf_depth > PFM_STACK_SMPL_MAX_DEPTH || format->buf_pad) {
		errno = EINVAL;
		return false;
	}
	sampling->size = format->buf_size;
	sampling->parts = format->buf_flags;
	sampling->depth = format->buf_depth;
	sampling->header_size = sizeof(pfm_stack_smpl_hdr_t);
	sampling->largest_sample = sizeof(pfm_stack_smpl_entry_t) +
				   (sampling->parts == both ? 2 : 1) * sampling->depth * sizeof(uint64_t);
	return true;
}

/* Determine the format, and take its argument. False: errno. */
static bool take_format(struct perf_sampling *sampling, const pfarg_ctx_t *arg)
{
	if (!memcmp(arg->ctx_smpl_buf_id, default_format, sizeof(default_format)))
		return take_default(sampling, (const void *)(arg + 1));
	if (!memcmp(arg->ctx_smpl_buf_id, stack_format, sizeof(stack_format)))
		return take_stack(sampling, (const void *)(arg + 1));
	return !perfmon_refuse(ENOSYS, "Of the sampling formats it has the default one, and that with call chains.",
			       "the sampling format is one of the kernel's perfmon");
}

static void begin_header(const struct perf_sampling *sampling)
{
	pfm_default_smpl_hdr_t *header = header_of(sampling);

	header->hdr_buf_size = sampling->size;
	header->hdr_version = sampling->parts ? PFM_STACK_SMPL_VERSION : PFM_DEFAULT_SMPL_VERSION;
	header->hdr_flags = sampling->parts;
	if (sampling->parts)
		((pfm_stack_smpl_hdr_t *)sampling->buffer)->hdr_depth = (__u16)sampling->depth;
}

bool perf_sampling_create(struct perf_context *ctx, pfarg_ctx_t *arg)
{
	struct perf_sampling *sampling = calloc(1, sizeof(*sampling));

	if (!sampling)
		return false;
	sampling->memory = -1;
	ctx->sampling = sampling;
	if (!take_format(sampling, arg))
		return false;
	if (sampling->size < sampling->header_size + sampling->largest_sample ||
	    sampling->size > UINT32_MAX) {
		errno = EINVAL;
		return false;
	}
	sampling->mapped = pages_of(sampling->size);
	if (!map_memory(sampling))
		return false;
	begin_header(sampling);
	reset_buffer(sampling);
	ctx->ring_size = ring_size(sampling->mapped);
	return true;
}

void perf_sampling_destroy(struct perf_context *ctx)
{
	struct perf_sampling *sampling = ctx->sampling;

	if (!sampling)
		return;
	if (sampling->buffer)
		munmap(sampling->buffer, sampling->mapped);
	if (sampling->memory >= 0)
		close(sampling->memory);
	free(sampling);
	ctx->sampling = NULL;
}

/* perf_events has one period: the three values must be the same negative number. */
static bool take_period(struct perf_sampling *sampling, const struct perf_counter *counter,
			unsigned int pmd)
{
	if (sampling->period)
		return !perfmon_refuse(ENOSYS, NULL, "with perf_events one event can be sampled at a time");
	if (counter->value != counter->long_reset || counter->value != counter->short_reset ||
	    !counter->value || counter->value <= INT64_MAX)
		return !perfmon_refuse(ENOSYS, "Value, long and short reset of the PMD must be the same negative number.",
				       "perf_events has one period, below 2^63");
	sampling->pmd = pmd;
	sampling->period = -counter->value;
	return true;
}

/* Before a load: determine the sampled PMD and its period. */
bool perf_sampling_check(struct perf_context *ctx)
{
	const struct perf_pmu *pmu = perf_pmu();
	struct perf_sampling *sampling = ctx->sampling;
	const struct perf_set *set = ctx->sets;
	struct perf_event_attr attr;
	unsigned int i, pmc;

	if (!sampling)
		return true;
	if (set->next)
		return !perfmon_refuse(ENOSYS, NULL, "with perf_events a context samples or has event sets");
	sampling->period = 0;
	for (i = 0; i < PERF_REGS; i++) {
		pmc = pmu->kind == PERF_PMU_INTEL && i >= PERF_INTEL_FIXED ? PERF_INTEL_FIXED : i;
		if (perf_describe(pmu, set, i, &attr) &&
		    set->pmc_flags[pmc] & PFM_REGFL_OVFL_NOTIFY &&
		    !take_period(sampling, &set->pmd[i], i))
			return false;
	}
	return true;
}

static bool is_full(const struct perf_sampling *sampling)
{
	return header_of(sampling)->hdr_cur_offs + sampling->largest_sample > sampling->size;
}

/* Append to the buffer, which has room. */
static void put(struct perf_sampling *sampling, const void *bytes, size_t size)
{
	pfm_default_smpl_hdr_t *header = header_of(sampling);

	memcpy((char *)sampling->buffer + header->hdr_cur_offs, bytes, size);
	header->hdr_cur_offs += size;
}

static void put_chain(struct perf_sampling *sampling, const struct ring_sample *from,
		      const pfm_default_smpl_entry_t *entry)
{
	struct perf_chain chain;
	pfm_stack_smpl_entry_t stack = { .sample = *entry };
	size_t size;

	/* There is never more than was requested. */
	perf_chain_take(&chain, from->chain,
			from->nchain < PERF_CHAIN_ROOM ? from->nchain : PERF_CHAIN_ROOM,
			sampling->depth, sampling->limit);
	size = (chain.kernel + chain.user) * sizeof(uint64_t);
	stack.size = (__u32)(sizeof(stack) + size);
	stack.kernel_frames = chain.kernel;
	stack.user_frames = chain.user;
	stack.chain_flags = chain.flags;
	put(sampling, &stack, sizeof(stack));
	put(sampling, chain.address, size);
}

/* False: the buffer is full. */
static bool add_sample(struct perf_context *ctx, const struct ring_sample *from)
{
	struct perf_sampling *sampling = ctx->sampling;
	pfm_default_smpl_hdr_t *header = header_of(sampling);
	pfm_default_smpl_entry_t entry = {
		.pid = (__s32)from->pid, .tid = (__s32)from->tid,
		.ovfl_pmd = (__u16)sampling->pmd, .cpu = (__u16)from->cpu,
		.last_reset_val = -sampling->period,
		.tstamp = from->time, .ip = from->ip,
	};

	if (sampling->masked || is_full(sampling))
		return false;
	if (sampling->parts)
		put_chain(sampling, from, &entry);
	else
		put(sampling, &entry, sizeof(entry));
	header->hdr_count++;
	header->hdr_overflows += is_full(sampling);
	sampling->recorded++;
	sampling->fresh = true;
	return true;
}

/* One record of the ring; false: it has to stay there. */
static bool take_record(struct perf_context *ctx, const struct perf_event_header *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		return add_sample(ctx, (const struct ring_sample *)record);
	case PERF_RECORD_LOST:
		ctx->sampling->ring_lost += ((const struct ring_lost *)record)->lost;
		return true;
	case PERF_RECORD_THROTTLE:
		ctx->sampling->throttles++;
		return true;
	default:
		return true;
	}
}

/* Copy bytes from @offset: records wrap at the end of the ring. */
static void copy_out(const struct perf_context *ctx, uint64_t offset, void *to, size_t size)
{
	const char *data = (const char *)ctx->ring + sysconf(_SC_PAGESIZE);
	const size_t at = offset % ctx->ring_size;
	const size_t first = size < ctx->ring_size - at ? size : ctx->ring_size - at;

	memcpy(to, data + at, first);
	memcpy((char *)to + first, data, size - first);
}

/* @last: samples without room are lost, as there is no later call. */
static bool drain(struct perf_context *ctx, bool last)
{
	union {
		struct perf_event_header header;
		struct ring_sample	sample;
		struct ring_lost	lost;
	} record;
	uint64_t head, tail;
	size_t size;

	/* Pairs with the kernel's barrier between the data and data_head. */
	head = __atomic_load_n(&ctx->ring->data_head, __ATOMIC_ACQUIRE);
	for (tail = ctx->ring->data_tail; tail < head; tail += size) {
		copy_out(ctx, tail, &record, sizeof(record.header));
		size = record.header.size;
		copy_out(ctx, tail, &record, size < sizeof(record) ? size : sizeof(record));
		if (take_record(ctx, &record.header))
			continue;
		if (!last)
			break;
		ctx->sampling->lost++;
	}
	/* The kernel may write there again once it sees this. */
	__atomic_store_n(&ctx->ring->data_tail, tail, __ATOMIC_RELEASE);
	return tail == head;
}

bool perf_drain(struct perf_context *ctx)
{
	if (!ctx->sampling || !ctx->ring || ctx->sampling->masked)
		return true;
	return drain(ctx, false);
}

void perf_drain_last(struct perf_context *ctx)
{
	if (ctx->sampling && ctx->ring)
		drain(ctx, true);
}

void perf_sampling_reset(struct perf_context *ctx)
{
	if (!ctx->sampling)
		return;
	ctx->sampling->masked = ctx->sampling->fresh = false;
	reset_buffer(ctx->sampling);
}
