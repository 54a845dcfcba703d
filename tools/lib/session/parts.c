// SPDX-License-Identifier: GPL-2.0
/* The buffer of the ring sampling format: perfmon_ring_smpl(5) has the rules of reading. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon_ring_smpl.h>

#include "session/reader.h"

/* One part is filled, one is read, and two are for a reader that is late. */
#define PARTS	4

struct parts {
	const pfm_ring_smpl_hdr_t *header;
	pfm_ring_smpl_reader_t	*reader;	/* its page, NULL: not mapped */
	uint64_t		position;	/* the part that is read */
	uint64_t		taken;		/* number of samples taken of it */
};

/* Monitoring is masked only when the reader has all parts. */
static void parts_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_ring_smpl_arg_t arg = {
		.ring_part_size = size / PARTS / 8 * 8,
		.ring_parts = PARTS,
		.ring_flags = PFM_RING_SMPL_MASK_WHEN_FULL | PFM_RING_SMPL_POSITION,
	};

	(void)sampling;
	memcpy(argument, &arg, sizeof(arg));
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static bool parts_open(void *state, int fd, const void *buffer, size_t mapped)
{
	void *page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  (off_t)(mapped - page_size()));
	struct parts *parts = state;

	parts->header = buffer;
	if (page == MAP_FAILED)
		return false;
	parts->reader = page;
	return true;
}

static const pfm_ring_smpl_part_t *part_at(const struct parts *parts)
{
	const pfm_ring_smpl_hdr_t *header = parts->header;

	return (const void *)((const char *)header + header->hdr_parts_offs +
			      parts->position % header->hdr_parts * header->hdr_part_size);
}

/* The part was read: it may be filled again. */
static void give_back(struct parts *parts)
{
	parts->taken = 0;
	parts->position++;
	__atomic_store_n(&parts->reader->reader_position, parts->position, __ATOMIC_RELEASE);
}

/* Number of samples. A part that is full and was not given back has no number yet. */
static uint64_t samples_in(const struct parts *parts, const pfm_ring_smpl_part_t *part)
{
	if (__atomic_load_n(&part->part_number, __ATOMIC_ACQUIRE) != parts->position)
		return 0;
	return __atomic_load_n(&part->part_count, __ATOMIC_ACQUIRE);
}

/*
 * The samples taken the last time are given back. With @more of the batch there may be others,
 * behind them.
 */
static struct batch parts_take(void *state, size_t sample_size)
{
	struct parts *parts = state;
	const uint64_t filled = __atomic_load_n(&parts->header->hdr_filled, __ATOMIC_ACQUIRE);
	struct batch batch = { .sample_size = sample_size };
	const pfm_ring_smpl_part_t *part;
	uint64_t count;

	for (;;) {
		part = part_at(parts);
		count = samples_in(parts, part);
		batch.more = parts->position < filled;
		if (!batch.more || parts->taken < count)
			break;
		give_back(parts);
	}
	if (count <= parts->taken ||
	    count > (parts->header->hdr_part_size - sizeof(*part)) / sample_size)
		return (struct batch){ .sample_size = sample_size };
	batch.samples = (const char *)(part + 1) + parts->taken * sample_size;
	batch.count = count - parts->taken;
	parts->taken = count;
	return batch;
}

/* Parts were given back as they were taken. */
static bool parts_wait(const void *state)
{
	const struct parts *parts = state;

	return __atomic_load_n(&parts->header->hdr_masked, __ATOMIC_ACQUIRE);
}

static void parts_close(void *state)
{
	struct parts *parts = state;

	if (parts->reader)
		munmap(parts->reader, page_size());
}

const struct sampling_reader parts_reader = {
	.name = "ring", .uuid = PFM_RING_SMPL_UUID, .state_size = sizeof(struct parts),
	.argument = parts_argument, .open = parts_open, .take = parts_take,
	.waits = parts_wait, .close = parts_close,
};
