/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the slots of the histogram format: a hash table of samples that are added up.
 *
 * A look-up ends after PFM_HIST_PROBES slots: a program could be written so that its addresses
 * collide, and an interrupt must take a bounded time.
 */
#ifndef _FORMATS_HIST_SLOTS_H
#define _FORMATS_HIST_SLOTS_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/perfmon_fmt.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <uapi/perfmon_hist_smpl.h>
#include "sample.h"

/* Slots in which a key is looked for. */
#define PFM_HIST_PROBES		16

static inline size_t pfm_hist_slot_size(unsigned int num_values)
{
	return sizeof(pfm_hist_smpl_entry_t) + num_values * sizeof(u64);
}

/* The key of a sample: samples with equal keys are added up. */
static inline pfm_hist_smpl_entry_t pfm_hist_key(const pfm_hist_smpl_hdr_t *hdr,
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

static inline bool pfm_hist_alike(const pfm_hist_smpl_entry_t *a, const pfm_hist_smpl_entry_t *b)
{
	return a->ip == b->ip && a->pid == b->pid && a->tid == b->tid && a->set == b->set &&
	       a->ovfl_pmd == b->ovfl_pmd;
}

/* All bits of the value have an effect on the low half, too. hash_64() returns 32 bits only. */
static inline u64 pfm_hist_mix(u64 value)
{
	value *= GOLDEN_RATIO_64;
	return value ^ value >> 32;
}

/* The slot in which a key is looked for first. */
static inline u32 pfm_hist_home(const pfm_hist_smpl_hdr_t *hdr, const pfm_hist_smpl_entry_t *key)
{
	u64 who = (u64)(u32)key->pid << 32 | (u32)key->tid;
	u64 hash = pfm_hist_mix(who) ^ ((u64)key->set << 16 | key->ovfl_pmd);

	hash = hash_64(pfm_hist_mix(hash) + key->ip, 32);
	/* Scaled from 2^32 to the number of slots. */
	return hash * hdr->hdr_slots >> 32;
}

/*
 * The slot of a key, or a free slot for it; NULL if other keys use all slots of its search.
 * The steps grow, so that searches that begin in adjacent slots soon differ.
 */
static inline pfm_hist_smpl_entry_t *pfm_hist_find(pfm_hist_smpl_hdr_t *hdr,
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

static inline void pfm_hist_add_values(u64 *sums, const pfm_hist_smpl_hdr_t *hdr,
				       const pfm_ovfl_arg_t *arg)
{
	if (arg->num_smpl_pmds)
		__pfm_hist_add_values(sums, arg, min(arg->num_smpl_pmds, hdr->hdr_num_values));
}

static inline void pfm_hist_add(pfm_hist_smpl_hdr_t *hdr, pfm_hist_smpl_entry_t *entry,
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

#endif /* _FORMATS_HIST_SLOTS_H */
