// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the compact sampling format: the samples of the default format as differences to
 * the sample before, one after the other, until the buffer is full, as with that format.
 *
 * Samples are in blocks. Nothing in a block depends on an earlier block, and no sample is in
 * two of them, so a reader can begin with any block of a buffer that is damaged or cut off.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <uapi/perfmon_compact_smpl.h>
#include "compact_blocks.h"
#include "sample.h"

/* Number of registers that a sample may hold: the same for all contexts of this machine. */
static unsigned int pfm_compact_num_pmds;

static int pfm_compact_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_compact_smpl_arg_t *req = arg;

	if (req->buf_flags)
		return -EINVAL;
	/* The headers of blocks must be aligned to 64 bits. */
	if (req->buf_block_size % sizeof(u64) ||
	    req->buf_block_size < pfm_compact_block_min(num_pmds))
		return -EINVAL;
	if (req->buf_size < pfm_compact_blocks_offs(num_pmds) + pfm_compact_block_min(num_pmds))
		return -EINVAL;
	WRITE_ONCE(pfm_compact_num_pmds, num_pmds);
	return 0;
}

static int pfm_compact_init(u32 ctx_flags, void *arg, void *buf)
{
	pfm_compact_setup(buf, arg, pfm_compact_num_pmds);
	return 0;
}

/* Rare: kept out of the code of the usual sample, which then needs no memory. */
static noinline void pfm_compact_next_block(pfm_compact_smpl_hdr_t *hdr,
					    const pfm_ovfl_arg_t *arg, u64 tstamp,
					    const struct pfm_ovfl_data *data)
{
	pfm_default_smpl_entry_t sample;

	pfm_sample_entry(&sample, arg, tstamp, data);
	pfm_compact_begin(hdr, &sample);
}

/* As in the default format, the call before has checked that the largest sample fits. */
static int pfm_compact_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_compact_smpl_hdr_t *hdr = buf;
	pfm_compact_smpl_block_t *block;
	pfm_default_smpl_entry_t sample;

	if (unlikely(!pfm_compact_fits(hdr))) {
		if (pfm_compact_is_full(hdr))
			return pfm_sample_lost(arg);
		if (pfm_compact_block_ends(hdr, arg->num_smpl_pmds))
			pfm_compact_next_block(hdr, arg, tstamp, data);
	}
	pfm_sample_entry(&sample, arg, tstamp, data);
	block = pfm_compact_write(hdr, &sample, arg->smpl_pmds_values, arg->num_smpl_pmds);
	WRITE_ONCE(block->block_count, block->block_count + 1);
	/* A reader that sees the count sees the sample, and the count of its block. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	return pfm_sample_written(arg, pfm_compact_is_full(hdr), &hdr->hdr_overflows);
}

static int pfm_compact_restart(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_compact_empty(buf);
	ctrl->reset_ovfl_pmds = !is_active;
	return 0;
}

static const pfm_buffer_fmt_t pfm_compact_format = {
	.fmt_name	= "compact",
	.fmt_uuid	= PFM_COMPACT_SMPL_UUID,
	.fmt_version	= PFM_COMPACT_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_compact_smpl_arg_t),
	.owner		= THIS_MODULE,
	.fmt_validate	= pfm_compact_validate,
	.fmt_getsize	= pfm_sample_getsize,
	.fmt_init	= pfm_compact_init,
	.fmt_handler	= pfm_compact_handler,
	.fmt_restart	= pfm_compact_restart,
};

/**
 * pfm_compact_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_compact_register(void)
{
	return pfm_register_buffer_fmt(&pfm_compact_format);
}

/**
 * pfm_compact_unregister() - Undo pfm_compact_register(); no context has the format.
 */
void __exit pfm_compact_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_compact_format.fmt_uuid);
}

pfm_module(pfm_compact_register, pfm_compact_unregister, "perfmon: the compact sampling format");
