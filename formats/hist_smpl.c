// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the histogram sampling format: samples that are alike are added up, in a hash
 * table that is the buffer.
 *
 * Samples of a hot loop take one slot, however many they are, so a small buffer holds a long
 * run, and monitoring is never masked. No slot becomes free again. A sample that finds no slot
 * is added to the header, so that the totals are exact whatever the size.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <uapi/perfmon_hist_smpl.h>
#include "hist_slots.h"
#include "sample.h"

static int pfm_hist_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_hist_smpl_arg_t *req = arg;

	if ((req->buf_flags & ~(PFM_HIST_SMPL_PID | PFM_HIST_SMPL_TID)) ||
	    req->buf_ip_shift > PFM_HIST_SMPL_NO_IP ||
	    req->buf_num_values > PFM_HIST_SMPL_MAX_VALUES)
		return -EINVAL;
	if (req->buf_size < sizeof(pfm_hist_smpl_hdr_t) + pfm_hist_slot_size(req->buf_num_values))
		return -EINVAL;
	return 0;
}

static int pfm_hist_init(u32 ctx_flags, void *arg, void *buf)
{
	const pfm_hist_smpl_arg_t *req = arg;
	pfm_hist_smpl_hdr_t *hdr = buf;

	hdr->hdr_slot_size = pfm_hist_slot_size(req->buf_num_values);
	hdr->hdr_slots = min_t(u64, (req->buf_size - sizeof(*hdr)) / hdr->hdr_slot_size, U32_MAX);
	hdr->hdr_buf_size = req->buf_size;
	hdr->hdr_version = PFM_HIST_SMPL_VERSION;
	hdr->hdr_flags = req->buf_flags;
	hdr->hdr_ip_shift = req->buf_ip_shift;
	hdr->hdr_num_values = req->buf_num_values;
	return 0;
}

static int pfm_hist_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_hist_smpl_hdr_t *hdr = buf;
	const pfm_hist_smpl_entry_t key = pfm_hist_key(hdr, arg, data);
	pfm_hist_smpl_entry_t *entry = pfm_hist_find(hdr, &key);

	if (likely(entry)) {
		pfm_hist_add(hdr, entry, &key, arg);
	} else {
		/* Notify once: a restart frees no slot. */
		arg->ovfl_ctrl.notify_user = !hdr->hdr_other_count;
		hdr->hdr_other_periods -= arg->pmd_last_reset;
		pfm_hist_add_values(hdr->hdr_other_values, hdr, arg);
		hdr->hdr_other_count++;
	}
	/* As with the entry: no sample is counted that a reader cannot find. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	arg->ovfl_ctrl.reset_ovfl_pmds = 1;
	return 0;
}

static const pfm_buffer_fmt_t pfm_hist_format = {
	.fmt_name	= "hist",
	.fmt_uuid	= PFM_HIST_SMPL_UUID,
	.fmt_version	= PFM_HIST_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_hist_smpl_arg_t),
	.owner		= THIS_MODULE,
	.fmt_validate	= pfm_hist_validate,
	.fmt_getsize	= pfm_sample_getsize,
	.fmt_init	= pfm_hist_init,
	.fmt_handler	= pfm_hist_handler,
};

/**
 * pfm_hist_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_hist_register(void)
{
	return pfm_register_buffer_fmt(&pfm_hist_format);
}

/**
 * pfm_hist_unregister() - Undo pfm_hist_register(); no context has the format.
 */
void __exit pfm_hist_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_hist_format.fmt_uuid);
}

pfm_module(pfm_hist_register, pfm_hist_unregister, "perfmon: histogram sampling format");
