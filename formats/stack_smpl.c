// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the stack sampling format: samples with their call chains, one after the other,
 * until the buffer is full, as with the default format.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <uapi/perfmon_stack_smpl.h>
#include "sample.h"

#define PFM_STACK_PARTS	(PFM_STACK_SMPL_KERNEL | PFM_STACK_SMPL_USER)

static_assert(PFM_STACK_SMPL_KERNEL == PFM_CHAIN_KERNEL);
static_assert(PFM_STACK_SMPL_USER == PFM_CHAIN_USER);
static_assert(PFM_STACK_SMPL_KERNEL_CUT == PFM_CHAIN_KERNEL);
static_assert(PFM_STACK_SMPL_USER_CUT == PFM_CHAIN_USER);
static_assert(PFM_STACK_SMPL_MAX_DEPTH <= PFM_CHAIN_DEPTH_MAX);

/* Number of registers that a sample may hold: the same for all contexts of this machine. */
static unsigned int pfm_stack_num_pmds;

/* @flags, @depth: as in the argument, checked */
static size_t pfm_stack_max_sample(u32 flags, u16 depth, unsigned int num_pmds)
{
	return sizeof(pfm_stack_smpl_entry_t) +
	       (num_pmds + hweight32(flags) * depth) * sizeof(u64);
}

static int pfm_stack_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_stack_smpl_arg_t *req = arg;

	if (!req->buf_flags || (req->buf_flags & ~PFM_STACK_PARTS) || req->buf_pad)
		return -EINVAL;
	if (!req->buf_depth || req->buf_depth > PFM_STACK_SMPL_MAX_DEPTH)
		return -EINVAL;
	if (req->buf_size < sizeof(pfm_stack_smpl_hdr_t) +
			    pfm_stack_max_sample(req->buf_flags, req->buf_depth, num_pmds))
		return -EINVAL;
	if (!pfm_chain_works())
		return -EOPNOTSUPP;
	WRITE_ONCE(pfm_stack_num_pmds, num_pmds);
	return 0;
}

static int pfm_stack_init(u32 ctx_flags, void *arg, void *buf)
{
	const pfm_stack_smpl_arg_t *req = arg;
	pfm_stack_smpl_hdr_t *hdr = buf;

	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_buf_size = req->buf_size;
	hdr->hdr_version = PFM_STACK_SMPL_VERSION;
	hdr->hdr_flags = req->buf_flags;
	hdr->hdr_depth = req->buf_depth;
	return 0;
}

/* Write a sample. Returns its size. */
static size_t pfm_stack_sample(const pfm_stack_smpl_hdr_t *hdr, pfm_stack_smpl_entry_t *entry,
			       const pfm_ovfl_arg_t *arg, u64 tstamp,
			       const struct pfm_ovfl_data *ovfl)
{
	u64 *values = (u64 *)(entry + 1);
	struct pfm_chain chain;

	pfm_sample_entry(&entry->sample, arg, tstamp, ovfl);
	pfm_sample_values(values, arg);
	pfm_chain(ovfl, hdr->hdr_flags, hdr->hdr_depth, values + arg->num_smpl_pmds, &chain);
	entry->size = sizeof(*entry) +
		      (arg->num_smpl_pmds + chain.kernel + chain.user) * sizeof(u64);
	entry->num_values = arg->num_smpl_pmds;
	entry->kernel_frames = chain.kernel;
	entry->user_frames = chain.user;
	entry->chain_flags = chain.cut;
	entry->reserved = 0;
	return entry->size;
}

/* As in the default format, the call before has checked that the largest sample fits. */
static int pfm_stack_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_stack_smpl_hdr_t *hdr = buf;
	/* The last offset at which the largest sample fits. */
	const u64 last = hdr->hdr_buf_size -
			 pfm_stack_max_sample(hdr->hdr_flags, hdr->hdr_depth, pfm_stack_num_pmds);
	u64 offset = hdr->hdr_cur_offs;

	if (unlikely(offset > last))
		return pfm_sample_lost(arg);
	offset += pfm_stack_sample(hdr, buf + offset, arg, tstamp, data);
	hdr->hdr_cur_offs = offset;
	/* A reader of a buffer that is being filled sees a sample before its count. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	return pfm_sample_written(arg, offset > last, &hdr->hdr_overflows);
}

static int pfm_stack_restart(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_stack_smpl_hdr_t *hdr = buf;

	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = sizeof(*hdr);
	ctrl->reset_ovfl_pmds = !is_active;
	return 0;
}

static const pfm_buffer_fmt_t pfm_stack_format = {
	.fmt_name	= "stack",
	.fmt_uuid	= PFM_STACK_SMPL_UUID,
	.fmt_version	= PFM_STACK_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_stack_smpl_arg_t),
	.owner		= THIS_MODULE,
	.fmt_validate	= pfm_stack_validate,
	.fmt_getsize	= pfm_sample_getsize,
	.fmt_init	= pfm_stack_init,
	.fmt_handler	= pfm_stack_handler,
	.fmt_restart	= pfm_stack_restart,
};

/**
 * pfm_stack_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_stack_register(void)
{
	return pfm_register_buffer_fmt(&pfm_stack_format);
}

/**
 * pfm_stack_unregister() - Undo pfm_stack_register(); no context has the format.
 */
void __exit pfm_stack_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_stack_format.fmt_uuid);
}

pfm_module(pfm_stack_register, pfm_stack_unregister, "perfmon: the stack sampling format");
