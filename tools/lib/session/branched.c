// SPDX-License-Identifier: GPL-2.0
/* The buffer of the branch sampling format: perfmon_branch_smpl(5) describes it. */
#include <stdlib.h>
#include <string.h>

#include <perfmon_branch_smpl.h>

#include "base.h"
#include "session/kept.h"
#include "session/sampler.h"

struct branched {
	const pfm_branch_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	taken;		/* number of samples taken of it, ... */
	size_t		offset;		/* ... and the next one is here */
	struct kept	kept;		/* the samples taken last, without their branches */
	struct batch_branches *branches; /* their branches, which stay in the buffer */
	size_t		room;
};

static void branched_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_branch_smpl_arg_t arg = {
		.buf_size = size, .buf_depth = (__u16)sampling->branch_depth,
	};

	memcpy(argument, &arg, sizeof(arg));
}

static void branched_restart(void *state)
{
	struct branched *branched = state;

	branched->taken = 0;
	branched->offset = sizeof(*branched->header);
}

static bool branched_open(void *state, int fd, const void *buffer, size_t mapped)
{
	struct branched *branched = state;

	(void)fd;
	branched->header = buffer;
	branched->mapped = mapped;
	branched_restart(branched);
	return true;
}

/* The sample at the offset, or NULL: its sizes make no sense. */
static const pfm_branch_smpl_entry_t *entry_at(const struct branched *branched, size_t sample_size)
{
	const pfm_branch_smpl_entry_t *entry;
	size_t left, size;

	if (branched->mapped < branched->offset + sizeof(*entry))
		return NULL;
	left = branched->mapped - branched->offset;
	entry = (const void *)((const char *)branched->header + branched->offset);
	size = sizeof(*entry) + entry->num_values * sizeof(uint64_t) +
	       entry->num_branches * sizeof(pfm_branch_smpl_record_t);
	if (entry->size != size || size > left || kept_size(entry->num_values) != sample_size ||
	    entry->num_branches > PFM_BRANCH_SMPL_MAX_DEPTH)
		return NULL;
	return entry;
}

static void keep(struct branched *branched, const pfm_branch_smpl_entry_t *entry, uint64_t number)
{
	const uint64_t *values = (const void *)(entry + 1);

	kept_put(&branched->kept, number, &entry->sample, values, entry->num_values);
	if (number == branched->room) {
		branched->room = 2 * branched->room + 64;
		branched->branches = xrealloc(branched->branches, branched->room,
					      sizeof(*branched->branches));
	}
	branched->branches[number] = (struct batch_branches){
		.branch = (const void *)(values + entry->num_values), .n = entry->num_branches,
	};
}

/* The size of a sample is that without its branches. */
static struct batch branched_take(void *state, size_t sample_size)
{
	struct batch batch = { .sample_size = sample_size };
	struct branched *branched = state;
	const pfm_branch_smpl_entry_t *entry;
	uint64_t count;

	/* Each sample is complete before it is counted. */
	count = __atomic_load_n(&branched->header->hdr_count, __ATOMIC_ACQUIRE);
	for (; branched->taken < count; branched->taken++) {
		entry = entry_at(branched, sample_size);
		if (!entry)
			break;
		keep(branched, entry, batch.count++);
		branched->offset += entry->size;
	}
	if (!batch.count)
		return batch;
	batch.samples = branched->kept.samples;
	batch.branches = branched->branches;
	return batch;
}

static void branched_close(void *state)
{
	struct branched *branched = state;

	kept_free(&branched->kept);
	free(branched->branches);
}

const struct sampling_reader branched_reader = {
	.name = "branch", .gives = "samples with branch records", .uuid = PFM_BRANCH_SMPL_UUID,
	.state_size = sizeof(struct branched),
	.argument = branched_argument, .open = branched_open, .take = branched_take,
	.restart = branched_restart, .close = branched_close,
};
