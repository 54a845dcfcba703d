/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the parts of the ring format: which one is filled, and which the tool has.
 *
 * Parts are numbered as they are filled. Those from hdr_freed to hdr_filled - 1 are the
 * tool's; the next one is being filled, unless all are the tool's: hdr_masked. All of that
 * is in the buffer's header, which nobody but the format can write. The tool writes one
 * number, reader_position, which is compared, and neither an index nor a divisor.
 *
 * What a tool may read while this goes on, it can by these pairs:
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

/* Would the largest sample not fit? */
static __always_inline bool pfm_ring_is_full(const pfm_ring_smpl_hdr_t *hdr,
					     const pfm_ring_smpl_part_t *part)
{
	return sizeof(*part) + part->part_bytes + hdr->hdr_sample_max > hdr->hdr_part_size;
}

/* May part @number be filled? */
static inline bool pfm_ring_is_free(const pfm_ring_smpl_hdr_t *hdr, u64 number)
{
	return number - hdr->hdr_freed < hdr->hdr_parts;
}

/* Believe the tool that it has read some of what is there; nothing else can be. */
static inline void pfm_ring_take_position(pfm_ring_smpl_hdr_t *hdr)
{
	const pfm_ring_smpl_reader_t *reader = (void *)hdr + hdr->hdr_reader_offs;
	u64 position;

	if (!(hdr->hdr_flags & PFM_RING_SMPL_POSITION))
		return;
	/* What the tool has read, it has read: it may be written. */
	position = smp_load_acquire(&reader->reader_position);
	if (position - hdr->hdr_freed > hdr->hdr_filled - hdr->hdr_freed)
		hdr->hdr_refused++;
	else
		WRITE_ONCE(hdr->hdr_freed, position);
}

/* Begin part @number, which is free, where hdr_current says. */
static inline void pfm_ring_begin(pfm_ring_smpl_hdr_t *hdr, u64 number)
{
	pfm_ring_smpl_part_t *part = pfm_ring_part(hdr);

	WRITE_ONCE(part->part_count, 0);
	part->part_bytes = 0;
	part->part_laps = 0;
	/* Who sees the number sees that it is empty. */
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
	/* Who sees it handed over sees all of it. */
	smp_store_release(&hdr->hdr_filled, next);
}

/* No part is free: that which is full is filled once more. */
static inline void pfm_ring_overwrite(pfm_ring_smpl_hdr_t *hdr)
{
	pfm_ring_smpl_part_t *part = pfm_ring_part(hdr);

	WRITE_ONCE(hdr->hdr_overwritten, hdr->hdr_overwritten + part->part_count);
	WRITE_ONCE(part->part_laps, part->part_laps + 1);
	/* Who sees a new sample sees that the old ones are gone. */
	smp_wmb();
	WRITE_ONCE(part->part_count, 0);
	part->part_bytes = 0;
}

/* The tool says that it has read: by its position, or of the oldest part of its. */
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
