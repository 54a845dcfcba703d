// SPDX-License-Identifier: GPL-2.0
/* The buffer of the ring sampling format: perfmon_ring_smpl(5) has the rules of reading. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "session/parts.h"

/* One part is filled, one is read, and two are for a reader that is late. */
#define PARTS	4

pfm_ring_smpl_arg_t parts_argument(uint64_t size)
{
	return (pfm_ring_smpl_arg_t){
		.ring_part_size = size / PARTS / 8 * 8,
		.ring_parts = PARTS,
		.ring_flags = PFM_RING_SMPL_MASK_WHEN_FULL | PFM_RING_SMPL_POSITION,
	};
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bool parts_open(struct parts *parts, int fd, const void *buffer, size_t mapped)
{
	void *page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  (off_t)(mapped - page_size()));

	*parts = (struct parts){ .header = buffer };
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

struct batch parts_take(struct parts *parts, size_t sample_size)
{
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

bool parts_is_masked(const struct parts *parts)
{
	return __atomic_load_n(&parts->header->hdr_masked, __ATOMIC_ACQUIRE);
}

void parts_close(struct parts *parts)
{
	if (parts->reader)
		munmap(parts->reader, page_size());
	parts->reader = NULL;
}
