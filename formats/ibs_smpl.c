// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the ibs sampling format: samples of AMD's Instruction-Based Sampling, decoded, one
 * after the other, until the buffer is full, as with the default format.
 *
 * The samples are in PMDs, which the format finds by their names. It decodes those that the tool
 * wants recorded: it shows no more than another format would.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/perfmon_ibs_smpl.h>
#include "ibs_decode.h"
#include "sample.h"

#define PFM_IBS_MIN_SIZE	(sizeof(pfm_ibs_smpl_hdr_t) + sizeof(pfm_ibs_smpl_entry_t))

static const char *const pfm_ibs_names[PFM_IBSR_END] = {
	[PFM_IBSR_FETCH_STATUS]		= "IBS_FETCH_STATUS",
	[PFM_IBSR_FETCH_LINADDR]	= "IBS_FETCH_LINADDR",
	[PFM_IBSR_FETCH_PHYSADDR]	= "IBS_FETCH_PHYSADDR",
	[PFM_IBSR_EXTD_CTL]		= "IC_IBS_EXTD_CTL",
	[PFM_IBSR_OP_RIP]		= "IBS_OP_RIP",
	[PFM_IBSR_OP_DATA]		= "IBS_OP_DATA",
	[PFM_IBSR_OP_DATA2]		= "IBS_OP_DATA2",
	[PFM_IBSR_OP_DATA3]		= "IBS_OP_DATA3",
	[PFM_IBSR_OP_DATA4]		= "IBS_OP_DATA4",
	[PFM_IBSR_DC_LINADDR]		= "IBS_DC_LINADDR",
	[PFM_IBSR_DC_PHYSADDR]		= "IBS_DC_PHYSADDR",
	[PFM_IBSR_TARGET]		= "BP_IBSTGT_RIP",
};

/*
 * Indices of the PMDs of pfm_ibs_names, and of the counters of fetches and of ops; negative:
 * the machine has none. They are the same for all contexts.
 */
static s16 pfm_ibs_pmds[PFM_IBSR_END], pfm_ibs_fetches, pfm_ibs_ops;

static void pfm_ibs_find(void)
{
	unsigned int i;

	for (i = 0; i < PFM_IBSR_END; i++)
		WRITE_ONCE(pfm_ibs_pmds[i], pfm_pmd_named(pfm_ibs_names[i]));
	WRITE_ONCE(pfm_ibs_fetches, pfm_pmd_named("IBS_FETCH"));
	WRITE_ONCE(pfm_ibs_ops, pfm_pmd_named("IBS_OP"));
}

static int pfm_ibs_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const pfm_ibs_smpl_arg_t *req = arg;

	if (req->buf_flags || req->buf_pad || req->buf_size < PFM_IBS_MIN_SIZE)
		return -EINVAL;
	pfm_ibs_find();
	return pfm_ibs_fetches < 0 && pfm_ibs_ops < 0 ? -EOPNOTSUPP : 0;
}

static int pfm_ibs_init(u32 ctx_flags, void *arg, void *buf)
{
	const pfm_ibs_smpl_arg_t *req = arg;
	pfm_ibs_smpl_hdr_t *hdr = buf;

	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_buf_size = req->buf_size;
	hdr->hdr_version = PFM_IBS_SMPL_VERSION;
	hdr->hdr_sample_size = sizeof(pfm_ibs_smpl_entry_t);
	return 0;
}

/* The registers among the values that the tool wants recorded. */
static void pfm_ibs_collect(struct pfm_ibs_values *values, const pfm_ovfl_arg_t *arg)
{
	const u64 named = arg->smpl_pmds[0];
	unsigned int i;
	int pmd;

	memset(values, 0, sizeof(*values));
	for (i = 0; i < PFM_IBSR_END; i++) {
		pmd = pfm_ibs_pmds[i];
		if (pmd < 0 || !(named & BIT_ULL(pmd)))
			continue;
		values->value[i] = arg->smpl_pmds_values[hweight64(named & (BIT_ULL(pmd) - 1))];
		values->known |= BIT(i);
	}
}

static void pfm_ibs_sample(pfm_ibs_smpl_entry_t *entry, const pfm_ovfl_arg_t *arg, u64 tstamp,
			   const struct pfm_ovfl_data *ovfl)
{
	struct pfm_ibs_values values;

	pfm_sample_entry(&entry->sample, arg, tstamp, ovfl);
	memset(&entry->kind, 0, sizeof(*entry) - offsetof(pfm_ibs_smpl_entry_t, kind));
	pfm_ibs_collect(&values, arg);
	if (arg->ovfl_pmd == pfm_ibs_ops)
		pfm_ibs_decode_op(entry, &values);
	else if (arg->ovfl_pmd == pfm_ibs_fetches)
		pfm_ibs_decode_fetch(entry, &values);
}

/* As in the default format, the call before has checked that a sample fits. */
static int pfm_ibs_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_ibs_smpl_hdr_t *hdr = buf;
	/* The last offset at which a sample fits. */
	const u64 last = hdr->hdr_buf_size - sizeof(pfm_ibs_smpl_entry_t);
	u64 offset = hdr->hdr_cur_offs;

	if (unlikely(offset > last))
		return pfm_sample_lost(arg);
	pfm_ibs_sample(buf + offset, arg, tstamp, data);
	offset += sizeof(pfm_ibs_smpl_entry_t);
	hdr->hdr_cur_offs = offset;
	/* A reader of a buffer that is being filled sees a sample before its count. */
	smp_store_release(&hdr->hdr_count, hdr->hdr_count + 1);
	return pfm_sample_written(arg, offset > last, &hdr->hdr_overflows);
}

static int pfm_ibs_restart(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_ibs_smpl_hdr_t *hdr = buf;

	hdr->hdr_count = 0;
	hdr->hdr_cur_offs = sizeof(*hdr);
	ctrl->reset_ovfl_pmds = !is_active;
	return 0;
}

static const pfm_buffer_fmt_t pfm_ibs_format = {
	.fmt_name	= "ibs",
	.fmt_uuid	= PFM_IBS_SMPL_UUID,
	.fmt_version	= PFM_IBS_SMPL_VERSION,
	.fmt_arg_size	= sizeof(pfm_ibs_smpl_arg_t),
	.owner		= THIS_MODULE,
	.fmt_validate	= pfm_ibs_validate,
	.fmt_getsize	= pfm_sample_getsize,
	.fmt_init	= pfm_ibs_init,
	.fmt_handler	= pfm_ibs_handler,
	.fmt_restart	= pfm_ibs_restart,
};

/**
 * pfm_ibs_register() - Register the format.
 *
 * Return: 0 or an errno.
 */
int __init pfm_ibs_register(void)
{
	return pfm_register_buffer_fmt(&pfm_ibs_format);
}

/**
 * pfm_ibs_unregister() - Undo pfm_ibs_register(); no context has the format.
 */
void __exit pfm_ibs_unregister(void)
{
	pfm_unregister_buffer_fmt(pfm_ibs_format.fmt_uuid);
}

pfm_module(pfm_ibs_register, pfm_ibs_unregister, "perfmon: the ibs sampling format");
