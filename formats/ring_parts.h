/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the parts of the ring format: the part that is filled, and the parts of the tool.
 *
 * Parts are numbered as they are filled. Parts hdr_freed to hdr_filled - 1 belong to the
 * tool; the next one is being filled, unless the tool has all: hdr_masked. This state is
 * in the buffer's header, to which only the format can write. The tool writes one
 * number, reader_position, which is compared, and is neither an index nor a divisor.
 *
 * These pairs allow a tool to read meanwhile:
 *
 *	format					tool
 *	sample, release part_count		acquire part_count, sample
 *	part_count = 0, release part_number	acquire part_number, part_count
 *	part, release hdr_filled		acquire hdr_filled, part
 *	part_laps, write barrier, samples	samples, read barrier, part_laps
 *	acquire reader_position, samples	samples, release reader_position
 */
#ifndef _FORMATS_RING_PARTS_H
#define _FORMATS_RING_PARTS_H

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/perfmon_ring_smpl.h>

/* The part that is filled, or will be. */
static __always_inline pfm_ring_smpl_part_t *pfm_ring_part(pfm_ring_smpl_hdr_t *hdr)
{
	return (void *)hdr + hdr->hdr_parts_offs + hdr->hdr_current * hdr->hdr_part_size;
}

/* True if the largest sample would not fit. */
static __always_inline bool pfm_ring_is_full(const pfm_ring_smpl_hdr_t *hdr,
					     const pfm_ring_smpl_part_t *part)
{
	return sizeof(*part) + part->part_bytes + hdr->hdr_sample_max > hdr->hdr_part_size;
}

/* True if part @number may be filled. */
static inline bool pfm_ring_is_free(const pfm_ring_smpl_hdr_t *hdr, u64 number)
{
	return number - hdr->hdr_freed < hdr->hdr_parts;
}

/* Take the tool's position, if it is within the tool's parts; refuse any other value. */
static inline void pfm_ring_take_position(pfm_ring_smpl_hdr_t *hdr)
{
	const pfm_ring_smpl_reader_t *reader = (void *)hdr + hdr->hdr_reader_offs;
	u64 position;

	if (!(hdr->hdr_flags & PFM_RING_SMPL_POSITION))
		return;
	/* Acquire: the tool has finished with the parts before its position. */
	position = smp_load_acquire(&reader->reader_position);
	if (position - hdr->hdr_freed > hdr->hdr_filled - hdr->hdr_freed)
		hdr->hdr_refused++;
	else
		WRITE_ONCE(hdr->hdr_freed, position);
}

/* Begin part @number, which is free, at index hdr_current. */
static inline void pfm_ring_begin(pfm_ring_smpl_hdr_t *hdr, u64 number)
{
	pfm_ring_smpl_part_t *part = pfm_ring_part(hdr);

	WRITE_ONCE(part->part_count, 0);
	part->part_bytes = 0;
	part->part_laps = 0;
	/* A reader that sees the number sees that the part is empty. */
	smp_store_release(&part->part_number, number);
	WRITE_ONCE(hdr->hdr_masked, 0);
}

/* The part that is filled becomes the tool's, and the next one is begun, if it is free. */
static inline void pfm_ring_hand_over(pfm_ring_smpl_hdr_t *hdr)
{
	u64 next = hdr->hdr_filled + 1;

	hdr->hdr_current = hdr->hdr_current + 1 < hdr->hdr_parts ? hdr->hdr_current + 1 : 0;
	if (pfm_ring_is_free(hdr, next))
		pfm_ring_begin(hdr, next);
	else
		WRITE_ONCE(hdr->hdr_masked, 1);
	/* A reader that sees the part handed over sees all of it. */
	smp_store_release(&hdr->hdr_filled, next);
}

/* No part is free: fill the full part once more. */
static inline void pfm_ring_overwrite(pfm_ring_smpl_hdr_t *hdr)
{
	pfm_ring_smpl_part_t *part = pfm_ring_part(hdr);

	WRITE_ONCE(hdr->hdr_overwritten, hdr->hdr_overwritten + part->part_count);
	WRITE_ONCE(part->part_laps, part->part_laps + 1);
	/* A reader that sees a new sample sees that the old ones are gone. */
	smp_wmb();
	WRITE_ONCE(part->part_count, 0);
	part->part_bytes = 0;
}

/* Free the parts that the tool has read: up to its position, or the oldest of its parts. */
static inline void pfm_ring_give_back(pfm_ring_smpl_hdr_t *hdr)
{
	if (hdr->hdr_flags & PFM_RING_SMPL_POSITION)
		pfm_ring_take_position(hdr);
	else if (hdr->hdr_freed != hdr->hdr_filled)
		WRITE_ONCE(hdr->hdr_freed, hdr->hdr_freed + 1);
	if (hdr->hdr_masked && pfm_ring_is_free(hdr, hdr->hdr_filled))
		pfm_ring_begin(hdr, hdr->hdr_filled);
}

#endif /* _FORMATS_RING_PARTS_H */
