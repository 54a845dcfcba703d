// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the default sampling format: samples one after the other, until the
 * buffer is full; then nothing is counted until the tool has taken them.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include "sample.h"

/* Number of registers that a sample may hold: the same for all contexts of this machine. */
static unsigned int pfm_dfl_num_pmds;

static size_t pfm_dfl_header_size(u32 flags)
{
	if (flags & PFM_DFL_SMPL_NO_HDR)
		return 0;
	if (flags & PFM_DFL_SMPL_IIP_HDR)
		return sizeof(u64);
	return sizeof(pfm_default_smpl_entry_t);
}

static size_t pfm_dfl_max_sample(u32 flags, unsigned int num_pmds)
{
	return pfm_dfl_header_size(flags) + num_pmds * sizeof(u64);
}

static int pfm_dfl_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_default_smpl_arg_t *req = arg;
	const u32 all = PFM_DFL_SMPL_NO_HDR | PFM_DFL_SMPL_IIP_HDR;

	if ((req->buf_flags & ~all) || req->buf_flags == all)
		return -EINVAL;
	if (req->buf_size < sizeof(pfm_default_smpl_hdr_t) +
			    pfm_dfl_max_sample(req->buf_flags, num_pmds))
		return -EINVAL;
	WRITE_ONCE(pfm_dfl_num_pmds, num_pmds);
	return 0;
}

static int pfm_dfl_init(u32 ctx_flags, void *arg, void *buf)
{
	const pfm_default_smpl_arg_t *req = arg;
	pfm_default_smpl_hdr_t *hdr = buf;

	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_buf_size = req->buf_size;
	hdr->hdr_version = PFM_DEFAULT_SMPL_VERSION;
	hdr->hdr_flags = req->buf_flags;
	return 0;
}

/*
 * After each sample a check finds if the largest sample still fits. So the last sample that
 * fits reports that the buffer is full. Further overflows of the same interrupt are lost.
 */
static int pfm_dfl_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	const struct pfm_ovfl_data *ovfl = data;
	pfm_default_smpl_hdr_t *hdr = buf;
	const u32 flags = hdr->hdr_flags;
	const size_t head = pfm_dfl_header_size(flags);
	/* The last offset at which the largest sample fits. */
	const u64 last = hdr->hdr_buf_size - head - pfm_dfl_num_pmds * sizeof(u64);
	u64 offset = hdr->hdr_cur_offs;
	void *sample = buf + offset;

	if (unlikely(offset > last))
		return pfm_sample_lost(arg);
	if (flags & PFM_DFL_SMPL_IIP_HDR)
		*(u64 *)sample = pfm_sample_ip(ovfl);
	else if (!(flags & PFM_DFL_SMPL_NO_HDR))
		pfm_sample_entry(sample, arg, tstamp, ovfl);
	pfm_sample_values(sample + head, arg);
	offset += head + arg->num_smpl_pmds * sizeof(u64);
	hdr->hdr_cur_offs = offset;
	/* A reader of a buffer that is being filled sees a sample before its count. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	return pfm_sample_written(arg, offset > last, &hdr->hdr_overflows);
}

static int pfm_dfl_restart(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_default_smpl_hdr_t *hdr = buf;

	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = sizeof(*hdr);
	ctrl->reset_ovfl_pmds = !is_active;
	return 0;
}

static const pfm_buffer_fmt_t pfm_dfl_format = {
	.fmt_name	= "default",
	.fmt_uuid	= PFM_DEFAULT_SMPL_UUID,
	.fmt_version	= PFM_DEFAULT_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_default_smpl_arg_t),
	.fmt_validate	= pfm_dfl_validate,
	.fmt_getsize	= pfm_sample_getsize,
	.fmt_init	= pfm_dfl_init,
	.fmt_handler	= pfm_dfl_handler,
	.fmt_restart	= pfm_dfl_restart,
};

/**
 * pfm_dfl_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_dfl_register(void)
{
	return pfm_register_buffer_fmt(&pfm_dfl_format);
}
pfm_initcall(subsys, pfm_dfl_register);

/**
 * pfm_dfl_unregister() - Undo pfm_dfl_register(); no context has the format.
 */
void __exit pfm_dfl_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_dfl_format.fmt_uuid);
}
