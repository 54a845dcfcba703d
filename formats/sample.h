/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a sample, as all formats that keep whole samples write it: its header, and the
 * values of the PMDs of interest; and other common parts of formats.
 */
#ifndef _FORMATS_SAMPLE_H
#define _FORMATS_SAMPLE_H

#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/perfmon_fmt.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <uapi/perfmon_default_smpl.h>

/* The interrupted instruction; 0 when there is none to show. */
static __always_inline u64 pfm_sample_ip(const struct pfm_ovfl_data *data)
{
	return data->regs ? instruction_pointer(data->regs) : 0;
}

static __always_inline void pfm_sample_entry(pfm_default_smpl_entry_t *entry,
					     const pfm_ovfl_arg_t *arg, u64 tstamp,
					     const struct pfm_ovfl_data *data)
{
	entry->pid = data->pid;
	entry->tid = data->tid;
	entry->ovfl_pmd = arg->ovfl_pmd;
	entry->set = arg->active_set;
	entry->cpu = smp_processor_id();
	entry->pad = 0;
	entry->last_reset_val = arg->pmd_last_reset;
	entry->tstamp = tstamp;
	entry->ip = pfm_sample_ip(data);
}

/* A loop, because memcpy() would be a call, for which the handler must save registers. */
static __always_inline void pfm_sample_values(u64 *to, const pfm_ovfl_arg_t *arg)
{
	unsigned int i;

	for (i = 0; i < arg->num_smpl_pmds; i++)
		WRITE_ONCE(to[i], arg->smpl_pmds_values[i]);
}

/*
 * As fmt_getsize, where the argument begins with buf_size: a buffer as large as the tool
 * requests. Returns 0 or an errno for the tool.
 */
static inline int pfm_sample_getsize(u32 ctx_flags, void *arg, size_t *size)
{
	const u64 *buf_size = arg;

	if (*buf_size > SIZE_MAX)
		return -ENOMEM;
	*size = *buf_size;
	return 0;
}

/* Nothing is counted until a restart. A thread is blocked only when the tool is notified. */
static inline void pfm_sample_report_full(pfm_ovfl_arg_t *arg)
{
	arg->ovfl_ctrl.notify_user = 1;
	arg->ovfl_ctrl.block_thread = arg->ovfl_notify;
	arg->ovfl_ctrl.mask_monitoring = 1;
}

/* The sample does not fit. Returns the handler's result. */
static __always_inline int pfm_sample_lost(pfm_ovfl_arg_t *arg)
{
	pfm_sample_report_full(arg);
	return -ENOSPC;
}

/*
 * The sample is written and counted. @is_full: the largest one would not fit any more;
 * @overflows: the header's count of full buffers. Returns the handler's result.
 */
static __always_inline int pfm_sample_written(pfm_ovfl_arg_t *arg, bool is_full, u64 *overflows)
{
	if (likely(!is_full)) {
		arg->ovfl_ctrl.reset_ovfl_pmds = 1;
		return 0;
	}
	++*overflows;
	pfm_sample_report_full(arg);
	return 0;
}

#endif /* _FORMATS_SAMPLE_H */
