/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the code of a sample in the compact format: its difference to the sample before.
 *
 * A number has 7 bits a byte, the lowest ones first; the highest bit of a byte is set where
 * another byte follows. A difference is a number of which bit 0 is the sign, so that small
 * differences are short in both directions.
 *
 * The buffer's header has the sample before, and behind it are the values of that sample.
 */
#ifndef _FORMATS_COMPACT_DELTA_H
#define _FORMATS_COMPACT_DELTA_H

#include <linux/types.h>
#include <uapi/perfmon_compact_smpl.h>

static inline u8 *pfm_compact_number(u8 *to, u64 number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

static inline u8 *pfm_compact_difference(u8 *to, u64 before, u64 now)
{
	const u64 difference = now - before;

	return pfm_compact_number(to, difference << 1 ^ -(difference >> 63));
}

/* Write the members that change seldom, if they did, and keep them. *@changed gets their bits. */
static __always_inline u8 *pfm_compact_origin(u8 *to, pfm_default_smpl_entry_t *before,
					      const pfm_default_smpl_entry_t *now, u8 *changed)
{
	if (now->pid != before->pid || now->tid != before->tid) {
		*changed |= PFM_COMPACT_SMPL_TASK;
		to = pfm_compact_difference(to, before->pid, now->pid);
		to = pfm_compact_difference(to, before->tid, now->tid);
		before->pid = now->pid;
		before->tid = now->tid;
	}
	if (now->ovfl_pmd != before->ovfl_pmd || now->set != before->set) {
		*changed |= PFM_COMPACT_SMPL_PMD;
		to = pfm_compact_difference(to, before->ovfl_pmd, now->ovfl_pmd);
		to = pfm_compact_difference(to, before->set, now->set);
		before->ovfl_pmd = now->ovfl_pmd;
		before->set = now->set;
	}
	if (now->cpu != before->cpu) {
		*changed |= PFM_COMPACT_SMPL_CPU;
		to = pfm_compact_difference(to, before->cpu, now->cpu);
		before->cpu = now->cpu;
	}
	if (now->last_reset_val != before->last_reset_val) {
		*changed |= PFM_COMPACT_SMPL_RESET;
		to = pfm_compact_difference(to, before->last_reset_val, now->last_reset_val);
		before->last_reset_val = now->last_reset_val;
	}
	return to;
}

/* The words behind the buffer's header: for each place, the last value in this block. */
static inline u64 *pfm_compact_values(pfm_compact_smpl_hdr_t *hdr)
{
	return (u64 *)(hdr + 1);
}

/*
 * Write a sample, and keep it as the base of the next one: only the members that differ. Returns
 * the sample's end, at most PFM_COMPACT_SMPL_SAMPLE_MAX(@num_values) bytes behind @to.
 */
static __always_inline u8 *pfm_compact_sample(u8 *to, pfm_compact_smpl_hdr_t *hdr,
					      const pfm_default_smpl_entry_t *now,
					      const u64 *values, u16 num_values)
{
	pfm_default_smpl_entry_t *last = &hdr->hdr_last;
	u64 *before = pfm_compact_values(hdr);
	u8 changed = 0, *first = to++;
	unsigned int i;

	to = pfm_compact_origin(to, last, now, &changed);
	to = pfm_compact_difference(to, last->tstamp, now->tstamp);
	last->tstamp = now->tstamp;
	if (now->ip != last->ip) {
		changed |= PFM_COMPACT_SMPL_IP;
		to = pfm_compact_difference(to, last->ip, now->ip);
		last->ip = now->ip;
	}
	if (num_values != hdr->hdr_last_values) {
		changed |= PFM_COMPACT_SMPL_NUM;
		to = pfm_compact_number(to, num_values);
		hdr->hdr_last_values = num_values;
	}
	for (i = 0; i < num_values; i++) {
		to = pfm_compact_difference(to, before[i], values[i]);
		before[i] = values[i];
	}
	*first = changed;
	return to;
}

#endif /* _FORMATS_COMPACT_DELTA_H */
