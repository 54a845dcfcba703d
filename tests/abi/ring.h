/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling with the ring format.
 */
#ifndef TESTS_ABI_RING_H
#define TESTS_ABI_RING_H

#include "sampling.h"

#include <perfmon_ring_smpl.h>

#define MASK		PFM_RING_SMPL_MASK_WHEN_FULL
#define POSITION	PFM_RING_SMPL_POSITION

static const struct format ring_format = {
	"ring", PFM_RING_SMPL_UUID, sizeof(pfm_ring_smpl_arg_t),
};

/* A context with the ring format, its buffer, and the page of the reader's. */
struct ring {
	int				fd;
	size_t				size;	/* of the mapping */
	const pfm_ring_smpl_hdr_t	*hdr;
	pfm_ring_smpl_reader_t		*reader;
};

static inline pfm_ring_smpl_arg_t ring_argument(__u32 parts, __u64 part_size, __u32 ring_flags)
{
	return (pfm_ring_smpl_arg_t){
		.ring_part_size = part_size, .ring_parts = parts, .ring_flags = ring_flags,
	};
}

static inline int try_create_ring(__u32 parts, __u64 part_size, __u32 ring_flags)
{
	const pfm_ring_smpl_arg_t arg = ring_argument(parts, part_size, ring_flags);

	return try_create_formatted(&ring_format, 0, &arg, NULL);
}

static inline size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static inline void *try_map_reader(int fd, size_t size, int protection)
{
	return mmap(NULL, page_size(), protection, MAP_SHARED, fd, size - page_size());
}

static inline struct ring create_ring(__u32 flags, __u32 parts, __u64 part_size,
				      __u32 ring_flags)
{
	const pfm_ring_smpl_arg_t arg = ring_argument(parts, part_size, ring_flags);
	struct formatted made;
	struct ring ring;

	need_format(&ring_format);
	made = create_formatted(&ring_format, flags, &arg);
	ring = (struct ring){ .fd = made.fd, .size = made.size, .hdr = made.hdr };
	ring.reader = try_map_reader(ring.fd, ring.size, PROT_READ | PROT_WRITE);
	CHECK_NE(ring.reader, MAP_FAILED);
	set_nonblocking(ring.fd);
	return ring;
}

static inline void close_ring(const struct ring *ring)
{
	CHECK_OK(munmap((void *)ring->hdr, ring->size));
	CHECK_OK(munmap(ring->reader, page_size()));
	CHECK_OK(close(ring->fd));
}

/* Bytes of a part that is full with @n samples of headers alone. */
static inline __u64 part_for(__u64 n)
{
	return sizeof(pfm_ring_smpl_part_t) + (n - 1) * ENTRY_SIZE + largest_sample(0);
}

static inline const pfm_ring_smpl_part_t *part_of(const struct ring *ring, __u64 number)
{
	return (const void *)((const char *)ring->hdr + ring->hdr->hdr_parts_offs +
			      number % ring->hdr->hdr_parts * ring->hdr->hdr_part_size);
}

static inline const pfm_default_smpl_entry_t *ring_entry(const struct ring *ring, __u64 number,
							 __u64 i)
{
	return (const pfm_default_smpl_entry_t *)(part_of(ring, number) + 1) + i;
}

static inline __u64 filled(const struct ring *ring)
{
	return __atomic_load_n(&ring->hdr->hdr_filled, __ATOMIC_ACQUIRE);
}

static inline __u64 part_count(const struct ring *ring, __u64 number)
{
	return __atomic_load_n(&part_of(ring, number)->part_count, __ATOMIC_ACQUIRE);
}

static inline void give_back(const struct ring *ring, __u64 position)
{
	__atomic_store_n(&ring->reader->reader_position, position, __ATOMIC_RELEASE);
}

/* Sample ourselves with register 0; register 1 counts. */
static inline void ring_self(const struct ring *ring, __u64 period)
{
	program(ring->fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period });
	count_up(ring->fd, 0, 1);
	load_self(ring->fd);
}

/* Run until @n more samples have been taken, of a period of 2000, and stop. */
static inline void take_samples(const struct ring *ring, __u64 n)
{
	leave_window();
	start_loop_stop(ring->fd, 1000 * n);
	CHECK_EQ(ledger(ring->fd, "lost-throttled"), 0);
}

#endif /* TESTS_ABI_RING_H */
