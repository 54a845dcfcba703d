// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the histogram sampling format: samples that are alike are added up, in a hash
 * table that is the buffer.
 *
 * Samples of a hot loop take one slot, however many they are, so a small buffer holds a long
 * run, and monitoring is never masked. No slot becomes free again. A sample that finds no slot
 * is added to the header, so that the totals are exact whatever the size.
 *
 * A look-up ends after PFM_HIST_PROBES slots: a program could be written so that its addresses
 * collide, and an interrupt must take a bounded time.
 */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <uapi/perfmon_hist_smpl.h>
#include "sample.h"

/* Slots in which a key is looked for. */
#define PFM_HIST_PROBES		16

static size_t pfm_hist_slot_size(unsigned int num_values)
{
	return sizeof(pfm_hist_smpl_entry_t) + num_values * sizeof(u64);
}

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

/* The key of a sample: samples with equal keys are added up. */
static pfm_hist_smpl_entry_t pfm_hist_key(const pfm_hist_smpl_hdr_t *hdr,
					  const pfm_ovfl_arg_t *arg,
					  const struct pfm_ovfl_data *ovfl)
{
	pfm_hist_smpl_entry_t key = {
		.set = arg->active_set,
		.ovfl_pmd = arg->ovfl_pmd,
	};

	if (hdr->hdr_flags & PFM_HIST_SMPL_PID)
		key.pid = ovfl->pid;
	if (hdr->hdr_flags & PFM_HIST_SMPL_TID)
		key.tid = ovfl->tid;
	/* A shift by all bits is not defined in C. */
	if (hdr->hdr_ip_shift < PFM_HIST_SMPL_NO_IP)
		key.ip = pfm_sample_ip(ovfl) >> hdr->hdr_ip_shift << hdr->hdr_ip_shift;
	return key;
}

static bool pfm_hist_alike(const pfm_hist_smpl_entry_t *a, const pfm_hist_smpl_entry_t *b)
{
	return a->ip == b->ip && a->pid == b->pid && a->tid == b->tid && a->set == b->set &&
	       a->ovfl_pmd == b->ovfl_pmd;
}

/* The slot in which a key is looked for first. */
static u32 pfm_hist_home(const pfm_hist_smpl_hdr_t *hdr, const pfm_hist_smpl_entry_t *key)
{
	u64 who = (u64)(u32)key->pid << 32 | (u32)key->tid;
	u64 hash = hash_64(who, 64) ^ ((u64)key->set << 16 | key->ovfl_pmd);

	hash = hash_64(hash_64(hash, 64) + key->ip, 32);
	/* Scaled from 2^32 to the number of slots. */
	return hash * hdr->hdr_slots >> 32;
}

/*
 * The slot of a key, or a free slot for it; NULL if other keys use all slots of its search.
 * The steps grow, so that searches that begin in adjacent slots soon differ.
 */
static pfm_hist_smpl_entry_t *pfm_hist_find(pfm_hist_smpl_hdr_t *hdr,
					    const pfm_hist_smpl_entry_t *key)
{
	u32 step, slot = pfm_hist_home(hdr, key);
	pfm_hist_smpl_entry_t *entry;

	for (step = 1; step <= PFM_HIST_PROBES; step++) {
		entry = (void *)(hdr + 1) + (u64)slot * hdr->hdr_slot_size;
		if (!entry->count || pfm_hist_alike(entry, key))
			return entry;
		slot = ((u64)slot + step) % hdr->hdr_slots;
	}
	return NULL;
}

/* Kept out of the code of a sample without values. */
static noinline void __pfm_hist_add_values(u64 *sums, const pfm_ovfl_arg_t *arg, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		sums[i] += arg->smpl_pmds_values[i];
}

static void pfm_hist_add_values(u64 *sums, const pfm_hist_smpl_hdr_t *hdr,
				const pfm_ovfl_arg_t *arg)
{
	if (arg->num_smpl_pmds)
		__pfm_hist_add_values(sums, arg, min(arg->num_smpl_pmds, hdr->hdr_num_values));
}

static void pfm_hist_add(pfm_hist_smpl_hdr_t *hdr, pfm_hist_smpl_entry_t *entry,
			 const pfm_hist_smpl_entry_t *key, const pfm_ovfl_arg_t *arg)
{
	if (!entry->count) {
		*entry = *key;
		hdr->hdr_used++;
	}
	entry->periods -= arg->pmd_last_reset;
	pfm_hist_add_values((u64 *)(entry + 1), hdr, arg);
	/* The key is written before the count: a tool may read it at any time. */
	smp_store_release(&entry->count, entry->count + 1);
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
