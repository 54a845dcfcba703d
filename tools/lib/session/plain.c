// SPDX-License-Identifier: GPL-2.0
/* The buffer of the default sampling format: perfmon_default_smpl(5) describes it. */
#include <string.h>

#include <perfmon_default_smpl.h>

#include "session/reader.h"

struct plain {
	const pfm_default_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	taken;		/* number of samples taken of it */
};

static void plain_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_default_smpl_arg_t arg = { .buf_size = size };

	(void)sampling;
	memcpy(argument, &arg, sizeof(arg));
}

static bool plain_open(void *state, int fd, const void *buffer, size_t mapped)
{
	struct plain *plain = state;

	(void)fd;
	plain->header = buffer;
	plain->mapped = mapped;
	return true;
}

static struct batch plain_take(void *state, size_t sample_size)
{
	struct batch batch = { .sample_size = sample_size };
	struct plain *plain = state;
	const pfm_default_smpl_hdr_t *header = plain->header;
	uint64_t count;

	/* Each sample is complete before it is counted. */
	count = __atomic_load_n(&header->hdr_count, __ATOMIC_ACQUIRE);
	if (count <= plain->taken || count > (plain->mapped - sizeof(*header)) / sample_size)
		return batch;
	batch.samples = (const char *)(header + 1) + plain->taken * sample_size;
	batch.count = count - plain->taken;
	plain->taken = count;
	return batch;
}

static void plain_restart(void *state)
{
	struct plain *plain = state;

	plain->taken = 0;
}

const struct sampling_reader plain_reader = {
	.name = "default", .uuid = PFM_DEFAULT_SMPL_UUID, .state_size = sizeof(struct plain),
	.argument = plain_argument, .open = plain_open, .take = plain_take,
	.restart = plain_restart,
};
