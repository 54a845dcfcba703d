// SPDX-License-Identifier: GPL-2.0
/* The buffer of the stack sampling format: perfmon_stack_smpl(5) describes it. */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "session/kept.h"
#include "session/sampler.h"

struct chains {
	const pfm_stack_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	taken;		/* number of samples taken of it, ... */
	size_t		offset;		/* ... and the next one is here */
	struct kept	kept;		/* the samples taken last, without their chains */
	uint64_t	*words;		/* their chains */
	size_t		nwords, word_room;
};

static void chains_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_stack_smpl_arg_t arg = {
		.buf_size = size, .buf_flags = sampling->chain_parts,
		.buf_depth = (__u16)sampling->depth,
	};

	memcpy(argument, &arg, sizeof(arg));
}

static void chains_restart(void *state)
{
	struct chains *chains = state;

	chains->taken = 0;
	chains->offset = sizeof(*chains->header);
}

static bool chains_open(void *state, int fd, const void *buffer, size_t mapped)
{
	struct chains *chains = state;

	(void)fd;
	chains->header = buffer;
	chains->mapped = mapped;
	chains_restart(chains);
	return true;
}

/* The sample at the offset, or NULL: its sizes make no sense. */
static const pfm_stack_smpl_entry_t *entry_at(const struct chains *chains, size_t sample_size)
{
	const pfm_stack_smpl_entry_t *entry;
	const size_t left = chains->mapped - chains->offset;
	size_t size;

	if (left < sizeof(*entry))
		return NULL;
	entry = (const void *)((const char *)chains->header + chains->offset);
	size = sizeof(*entry) + ((size_t)entry->num_values + entry->kernel_frames +
				 entry->user_frames) * sizeof(uint64_t);
	if (entry->size != size || size > left ||
	    kept_size(entry->num_values) != sample_size)
		return NULL;
	return entry;
}

static void keep_chain(struct chains *chains, const pfm_stack_smpl_entry_t *entry,
		       const uint64_t *address)
{
	const struct chain_head head = {
		.kernel = entry->kernel_frames, .user = entry->user_frames,
		.flags = entry->chain_flags,
	};
	const size_t n = chain_words(&head);

	if (chains->nwords + n > chains->word_room) {
		chains->word_room = 2 * (chains->nwords + n);
		chains->words = xrealloc(chains->words, chains->word_room, sizeof(*chains->words));
	}
	memcpy(&chains->words[chains->nwords], &head, sizeof(head));
	memcpy(&chains->words[chains->nwords + 1], address, (n - 1) * sizeof(*address));
	chains->nwords += n;
}

static void keep(struct chains *chains, const pfm_stack_smpl_entry_t *entry, uint64_t number)
{
	kept_put(&chains->kept, number, &entry->sample, entry + 1, entry->num_values);
	keep_chain(chains, entry, (const uint64_t *)(entry + 1) + entry->num_values);
}

/* The size of a sample is that without its chain. */
static struct batch chains_take(void *state, size_t sample_size)
{
	struct batch batch = { .sample_size = sample_size };
	struct chains *chains = state;
	const pfm_stack_smpl_entry_t *entry;
	uint64_t count;

	/* Each sample is complete before it is counted. */
	count = __atomic_load_n(&chains->header->hdr_count, __ATOMIC_ACQUIRE);
	chains->nwords = 0;
	for (; chains->taken < count; chains->taken++) {
		entry = entry_at(chains, sample_size);
		if (!entry)
			break;
		keep(chains, entry, batch.count++);
		chains->offset += entry->size;
	}
	if (!batch.count)
		return batch;
	batch.samples = chains->kept.samples;
	batch.chains = chains->words;
	return batch;
}

static void chains_close(void *state)
{
	struct chains *chains = state;

	kept_free(&chains->kept);
	free(chains->words);
}

const struct sampling_reader chains_reader = {
	.name = "stack", .gives = "call chains", .uuid = PFM_STACK_SMPL_UUID,
	.state_size = sizeof(struct chains),
	.argument = chains_argument, .open = chains_open, .take = chains_take,
	.restart = chains_restart, .close = chains_close,
};
