// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the branch sampling format: samples with the branches that led to them, one after the
 * other, until the buffer is full, as with the default format.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <linux/stddef.h>
#include <uapi/perfmon_branch_smpl.h>
#include "sample.h"

/* The core writes its records straight into the buffer: the structures must be equal. */
static_assert(sizeof(pfm_branch_smpl_record_t) == sizeof(struct pfm_branch));
static_assert(offsetof(pfm_branch_smpl_record_t, from) == offsetof(struct pfm_branch, from));
static_assert(offsetof(pfm_branch_smpl_record_t, to) == offsetof(struct pfm_branch, to));
static_assert(offsetof(pfm_branch_smpl_record_t, flags) == offsetof(struct pfm_branch, flags));
static_assert(offsetof(pfm_branch_smpl_record_t, cycles) == offsetof(struct pfm_branch, cycles));
static_assert(PFM_BRANCH_SMPL_MISPREDICTED == PFM_BRANCH_MISPREDICTED);
static_assert(PFM_BRANCH_SMPL_PREDICTED == PFM_BRANCH_PREDICTED);
static_assert(PFM_BRANCH_SMPL_IN_TRANSACTION == PFM_BRANCH_IN_TRANSACTION);
static_assert(PFM_BRANCH_SMPL_ABORT == PFM_BRANCH_ABORT);
static_assert(PFM_BRANCH_SMPL_CYCLES == PFM_BRANCH_CYCLES);
static_assert(PFM_BRANCH_SMPL_MAX_DEPTH <= PFM_BRANCHES_MAX);

/* Number of registers that a sample may hold: the same for all contexts of this machine. */
static unsigned int pfm_branch_num_pmds;

/* @depth: as in the argument, checked */
static size_t pfm_branch_max_sample(u16 depth, unsigned int num_pmds)
{
	return sizeof(pfm_branch_smpl_entry_t) + num_pmds * sizeof(u64) +
	       depth * sizeof(pfm_branch_smpl_record_t);
}

static int pfm_branch_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_branch_smpl_arg_t *req = arg;

	if (req->buf_flags || req->buf_pad)
		return -EINVAL;
	if (!req->buf_depth || req->buf_depth > PFM_BRANCH_SMPL_MAX_DEPTH)
		return -EINVAL;
	if (req->buf_size < sizeof(pfm_branch_smpl_hdr_t) +
			    pfm_branch_max_sample(req->buf_depth, num_pmds))
		return -EINVAL;
	if (!pfm_branches_work())
		return -EOPNOTSUPP;
	WRITE_ONCE(pfm_branch_num_pmds, num_pmds);
	return 0;
}

static int pfm_branch_init(u32 ctx_flags, void *arg, void *buf)
{
	const pfm_branch_smpl_arg_t *req = arg;
	pfm_branch_smpl_hdr_t *hdr = buf;

	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_buf_size = req->buf_size;
	hdr->hdr_version = PFM_BRANCH_SMPL_VERSION;
	hdr->hdr_depth = req->buf_depth;
	return 0;
}

/* Write a sample. Returns its size. */
static size_t pfm_branch_sample(const pfm_branch_smpl_hdr_t *hdr, pfm_branch_smpl_entry_t *entry,
				const pfm_ovfl_arg_t *arg, u64 tstamp,
				const struct pfm_ovfl_data *ovfl)
{
	u64 *values = (u64 *)(entry + 1);
	struct pfm_branch *branches = (void *)(values + arg->num_smpl_pmds);

	pfm_sample_entry(&entry->sample, arg, tstamp, ovfl);
	pfm_sample_values(values, arg);
	entry->num_values = arg->num_smpl_pmds;
	entry->num_branches = pfm_branches(ovfl, hdr->hdr_depth, branches);
	entry->size = sizeof(*entry) + entry->num_values * sizeof(u64) +
		      entry->num_branches * sizeof(*branches);
	return entry->size;
}

/* As in the default format, the call before has checked that the largest sample fits. */
static int pfm_branch_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_branch_smpl_hdr_t *hdr = buf;
	/* The last offset at which the largest sample fits. */
	const u64 last = hdr->hdr_buf_size -
			 pfm_branch_max_sample(hdr->hdr_depth, pfm_branch_num_pmds);
	u64 offset = hdr->hdr_cur_offs;

	if (unlikely(offset > last))
		return pfm_sample_lost(arg);
	offset += pfm_branch_sample(hdr, buf + offset, arg, tstamp, data);
	hdr->hdr_cur_offs = offset;
	/* A reader of a buffer that is being filled sees a sample before its count. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	return pfm_sample_written(arg, offset > last, &hdr->hdr_overflows);
}

static int pfm_branch_restart(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_branch_smpl_hdr_t *hdr = buf;

	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = sizeof(*hdr);
	ctrl->reset_ovfl_pmds = !is_active;
	return 0;
}

static const pfm_buffer_fmt_t pfm_branch_format = {
	.fmt_name	= "branch",
	.fmt_uuid	= PFM_BRANCH_SMPL_UUID,
	.fmt_version	= PFM_BRANCH_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_branch_smpl_arg_t),
	.owner		= THIS_MODULE,
	.fmt_validate	= pfm_branch_validate,
	.fmt_getsize	= pfm_sample_getsize,
	.fmt_init	= pfm_branch_init,
	.fmt_handler	= pfm_branch_handler,
	.fmt_restart	= pfm_branch_restart,
};

/**
 * pfm_branch_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_branch_register(void)
{
	return pfm_register_buffer_fmt(&pfm_branch_format);
}

/**
 * pfm_branch_unregister() - Undo pfm_branch_register(); no context has the format.
 */
void __exit pfm_branch_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_branch_format.fmt_uuid);
}

pfm_module(pfm_branch_register, pfm_branch_unregister, "perfmon: the branch sampling format");
