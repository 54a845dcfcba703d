// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the ring sampling format: a buffer of two parts or more. While the tool reads
 * the full parts, monitoring goes on in the others; with two parts it is the double
 * buffering that the specification describes.
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <uapi/perfmon_ring_smpl.h>
#include "ring_parts.h"
#include "sample.h"

#define PFM_RING_FLAGS	(PFM_RING_SMPL_MASK_WHEN_FULL | PFM_RING_SMPL_POSITION)

/* Number of registers that a sample may hold: the same for all contexts of this machine. */
static unsigned int pfm_ring_num_pmds;

static size_t pfm_ring_sample_max(unsigned int num_pmds)
{
	return sizeof(pfm_default_smpl_entry_t) + num_pmds * sizeof(u64);
}

static size_t pfm_ring_parts_offs(void)
{
	return L1_CACHE_ALIGN(sizeof(pfm_ring_smpl_hdr_t));
}

static int pfm_ring_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_ring_smpl_arg_t *req = arg;

	if (req->ring_flags & ~PFM_RING_FLAGS)
		return -EINVAL;
	if (req->ring_parts < PFM_RING_SMPL_PARTS_MIN || req->ring_parts > PFM_RING_SMPL_PARTS_MAX)
		return -EINVAL;
	/* The headers of parts, and all samples, must be aligned to 64 bits. */
	if (req->ring_part_size % sizeof(u64) ||
	    req->ring_part_size < sizeof(pfm_ring_smpl_part_t) + pfm_ring_sample_max(num_pmds))
		return -EINVAL;
	WRITE_ONCE(pfm_ring_num_pmds, num_pmds);
	return 0;
}

/* The header, the parts, and a page of its own for the reader's position. */
static int pfm_ring_getsize(u32 ctx_flags, void *arg, size_t *size)
{
	const pfm_ring_smpl_arg_t *req = arg;

	if (req->ring_part_size > (SIZE_MAX >> 1) / PFM_RING_SMPL_PARTS_MAX)
		return -ENOMEM;
	*size = PAGE_ALIGN(pfm_ring_parts_offs() + req->ring_parts * req->ring_part_size) +
		PAGE_SIZE;
	return 0;
}

static int pfm_ring_init(u32 ctx_flags, void *arg, void *buf)
{
	const pfm_ring_smpl_arg_t *req = arg;
	pfm_ring_smpl_hdr_t *hdr = buf;
	size_t size;

	pfm_ring_getsize(ctx_flags, arg, &size);
	hdr->hdr_version = PFM_RING_SMPL_VERSION;
	hdr->hdr_flags = req->ring_flags;
	hdr->hdr_parts = req->ring_parts;
	hdr->hdr_part_size = req->ring_part_size;
	hdr->hdr_parts_offs = pfm_ring_parts_offs();
	hdr->hdr_reader_offs = size - PAGE_SIZE;
	hdr->hdr_sample_max = pfm_ring_sample_max(pfm_ring_num_pmds);
	return 0;
}

/* The current part is full, or there is none. True if there is a part for a sample now. */
static noinline bool pfm_ring_make_room(pfm_ring_smpl_hdr_t *hdr, pfm_ovfl_arg_t *arg)
{
	pfm_ring_take_position(hdr);
	if (hdr->hdr_masked) {
		if (!pfm_ring_is_free(hdr, hdr->hdr_filled))
			return false;
		pfm_ring_begin(hdr, hdr->hdr_filled);
	} else if (pfm_ring_is_free(hdr, hdr->hdr_filled + 1)) {
		pfm_ring_hand_over(hdr);
		arg->ovfl_ctrl.notify_user = 1;
	} else {
		pfm_ring_overwrite(hdr);
	}
	return true;
}

/* The current part is full: give it to the tool, unless it may be overwritten. */
static noinline void pfm_ring_filled(pfm_ring_smpl_hdr_t *hdr, pfm_ovfl_arg_t *arg)
{
	pfm_ring_take_position(hdr);
	if (!(hdr->hdr_flags & PFM_RING_SMPL_MASK_WHEN_FULL) &&
	    !pfm_ring_is_free(hdr, hdr->hdr_filled + 1))
		return;
	pfm_ring_hand_over(hdr);
	arg->ovfl_ctrl.notify_user = 1;
	if (hdr->hdr_masked)
		pfm_sample_report_full(arg);
}

/*
 * As with the default format a part is full when the largest sample would not fit any more.
 * A full part that may be overwritten is overwritten only when the next sample comes:
 * the tool may have given another one back by then.
 */
static int pfm_ring_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_ring_smpl_part_t *part;
	pfm_ring_smpl_hdr_t *hdr = buf;
	void *sample;

	if (unlikely(hdr->hdr_masked || pfm_ring_is_full(hdr, pfm_ring_part(hdr))) &&
	    !pfm_ring_make_room(hdr, arg)) {
		WRITE_ONCE(hdr->hdr_lost_full, hdr->hdr_lost_full + 1);
		return pfm_sample_lost(arg);
	}
	part = pfm_ring_part(hdr);
	sample = (void *)(part + 1) + part->part_bytes;
	pfm_sample_entry(sample, arg, tstamp, data);
	pfm_sample_values(sample + sizeof(pfm_default_smpl_entry_t), arg);
	part->part_bytes += sizeof(pfm_default_smpl_entry_t) + arg->num_smpl_pmds * sizeof(u64);
	/* A reader of the part that is being filled sees a sample before its count. */
	smp_store_release(&part->part_count, part->part_count + 1);
	arg->ovfl_ctrl.reset_ovfl_pmds = 1;
	if (unlikely(pfm_ring_is_full(hdr, part)))
		pfm_ring_filled(hdr, arg);
	return 0;
}

/* Masked monitoring stays masked while no part is free. */
static int pfm_ring_restart(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_ring_smpl_hdr_t *hdr = buf;

	pfm_ring_give_back(hdr);
	ctrl->mask_monitoring = !is_active && hdr->hdr_masked;
	ctrl->reset_ovfl_pmds = !is_active && !hdr->hdr_masked;
	return 0;
}

static const pfm_buffer_fmt_t pfm_ring_format = {
	.fmt_name	= "ring",
	.fmt_uuid	= PFM_RING_SMPL_UUID,
	.fmt_version	= PFM_RING_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_ring_smpl_arg_t),
	.fmt_msgq_depth	= PFM_RING_SMPL_PARTS_MAX,
	.fmt_flags	= PFM_FMTFL_READER,
	.owner		= THIS_MODULE,
	.fmt_validate	= pfm_ring_validate,
	.fmt_getsize	= pfm_ring_getsize,
	.fmt_init	= pfm_ring_init,
	.fmt_handler	= pfm_ring_handler,
	.fmt_restart	= pfm_ring_restart,
};

/**
 * pfm_ring_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_ring_register(void)
{
	return pfm_register_buffer_fmt(&pfm_ring_format);
}

/**
 * pfm_ring_unregister() - Undo pfm_ring_register(); no context has the format.
 */
void __exit pfm_ring_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_ring_format.fmt_uuid);
}

pfm_module(pfm_ring_register, pfm_ring_unregister, "perfmon: the ring sampling format");
