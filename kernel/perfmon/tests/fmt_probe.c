// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: a sampling format for tests: records how the core calls it, and
 * answers as the test requests. The number of its exit calls is a module parameter,
 * so that tests see the last call-back, after which the buffer is gone.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "fmt_probe.h"

static int exits;
module_param(exits, int, 0444);
MODULE_PARM_DESC(exits, "how often the exit call-back was called with what init had");

static pfm_probe_call_t *probe_record(pfm_probe_buf_t *buf, u32 what)
{
	pfm_probe_call_t *call;
	size_t room;

	if (!buf)
		return NULL;
	room = (buf->size - sizeof(*buf)) / sizeof(*call);
	if (buf->count >= room) {
		buf->dropped++;
		return NULL;
	}
	call = &buf->calls[buf->count++];
	memset(call, 0, sizeof(*call));
	call->what = what;
	return call;
}

static int probe_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	pfm_probe_arg_t *req = arg;

	if (req->buf_size && req->buf_size < sizeof(pfm_probe_buf_t))
		return -EINVAL;
	req->seen_flags = ctx_flags;
	req->seen_pmds = num_pmds;
	return -(int)(req->validate_error & 0xfff);
}

static int probe_getsize(u32 ctx_flags, void *arg, size_t *size)
{
	pfm_probe_arg_t *req = arg;

	req->seen_size_flags = ctx_flags;
	*size = req->buf_size;
	return -(int)(req->getsize_error & 0xfff);
}

static int probe_init(u32 ctx_flags, void *arg, void *base)
{
	pfm_probe_arg_t *req = arg;
	pfm_probe_buf_t *buf = base;
	pfm_probe_call_t *call;

	if (buf) {
		buf->size = req->buf_size;
		buf->arg = *req;
	}
	call = probe_record(buf, PFM_PROBE_INIT);
	if (call)
		call->ctx_flags = ctx_flags;
	return -(int)(req->init_error & 0xfff);
}

static void probe_ctrl(pfm_ovfl_ctrl_t *ctrl, u32 bits)
{
	ctrl->notify_user = !!(bits & PFM_PROBE_NOTIFY);
	ctrl->reset_ovfl_pmds = !!(bits & PFM_PROBE_RESET);
	ctrl->block_thread = !!(bits & PFM_PROBE_BLOCK);
	ctrl->mask_monitoring = !!(bits & PFM_PROBE_MASK);
}

static void probe_record_overflow(pfm_probe_buf_t *buf, const pfm_ovfl_arg_t *arg, u64 tstamp,
				  const struct pfm_ovfl_data *data)
{
	pfm_probe_call_t *call = probe_record(buf, PFM_PROBE_HANDLER);

	if (!call)
		return;
	call->ovfl_pmd = arg->ovfl_pmd;
	call->active_set = arg->active_set;
	call->ovfl_notify = arg->ovfl_notify;
	call->tstamp = tstamp;
	call->ip = data->regs ? instruction_pointer(data->regs) : 0;
	call->last_reset = arg->pmd_last_reset;
	call->value = arg->pmd_value;
	call->eventid = arg->pmd_eventid;
	memcpy(call->smpl_pmds, arg->smpl_pmds, sizeof(call->smpl_pmds));
	call->num_values = arg->num_smpl_pmds;
	memcpy(call->values, arg->smpl_pmds_values,
	       min_t(size_t, arg->num_smpl_pmds, ARRAY_SIZE(call->values)) * sizeof(u64));
}

static int probe_handler(void *base, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	pfm_probe_buf_t *buf = base;
	u64 nr;

	/* Without a buffer there is no argument either. */
	if (!buf) {
		arg->ovfl_ctrl.reset_ovfl_pmds = 1;
		return 0;
	}
	probe_record_overflow(buf, arg, tstamp, data);
	nr = buf->handled++;
	probe_ctrl(&arg->ovfl_ctrl, nr == buf->arg.handler_ctrl_at ? buf->arg.handler_ctrl :
								       buf->arg.handler_ctrl_else);
	return nr >= buf->arg.handler_error_at ? -(int)(buf->arg.handler_error & 0xfff) : 0;
}

static int probe_restart(void *base, int is_active, pfm_ovfl_ctrl_t *ctrl)
{
	pfm_probe_buf_t *buf = base;
	pfm_probe_call_t *call = probe_record(buf, PFM_PROBE_RESTART);

	if (call)
		call->is_active = is_active;
	if (!buf)
		return 0;
	probe_ctrl(ctrl, buf->arg.restart_ctrl);
	return -(int)(buf->arg.restart_error & 0xfff);
}

/* The buffer, if there is one, is still the one of fmt_init. */
static int probe_exit(void *base)
{
	pfm_probe_buf_t *buf = base;

	if (!buf || (buf->size == buf->arg.buf_size && buf->calls[0].what == PFM_PROBE_INIT))
		exits++;
	return 0;
}

#define PROBE_FORMAT(_name, _uuid, _flags, _depth)	\
	{						\
		.fmt_name	= _name,		\
		.fmt_uuid	= _uuid,		\
		.fmt_version	= 1 << 16,		\
		.fmt_arg_size	= sizeof(pfm_probe_arg_t), \
		.fmt_msgq_depth	= _depth,		\
		.fmt_flags	= _flags,		\
		.owner		= THIS_MODULE,		\
		.fmt_validate	= probe_validate,	\
		.fmt_getsize	= probe_getsize,	\
		.fmt_init	= probe_init,		\
		.fmt_handler	= probe_handler,	\
		.fmt_restart	= probe_restart,	\
		.fmt_exit	= probe_exit,		\
	}

/* Records nothing: the buffer keeps the content that the core put there. */
static int probe_reset_only(void *base, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	arg->ovfl_ctrl.reset_ovfl_pmds = 1;
	return 0;
}

static const pfm_buffer_fmt_t probe_formats[] = {
	PROBE_FORMAT("probe", PFM_PROBE_UUID, 0, 0),
	PROBE_FORMAT("probe-noset", PFM_PROBE_NOSET_UUID, PFM_FMTFL_NOSET, 4),
	{
		.fmt_name	= "probe-large",
		.fmt_uuid	= PFM_PROBE_LARGE_UUID,
		.fmt_version	= 1 << 16 | 2,
		.fmt_arg_size	= PFM_PROBE_LARGE_SIZE,
		.owner		= THIS_MODULE,
		.fmt_getsize	= probe_getsize,
		.fmt_handler	= probe_reset_only,
	}, {
		.fmt_name	= "probe-bare",
		.fmt_uuid	= PFM_PROBE_BARE_UUID,
		.owner		= THIS_MODULE,
		.fmt_handler	= probe_reset_only,
	},
};

static int __init probe_module_init(void)
{
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(probe_formats) && !err; i++)
		err = pfm_register_buffer_fmt(&probe_formats[i]);
	if (!err)
		return 0;
	/* The last format was not registered. */
	for (i -= 2; i >= 0; i--)
		pfm_unregister_buffer_fmt(probe_formats[i].fmt_uuid);
	return err;
}

static void __exit probe_module_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probe_formats); i++)
		pfm_unregister_buffer_fmt(probe_formats[i].fmt_uuid);
}

module_init(probe_module_init);
module_exit(probe_module_exit);
MODULE_DESCRIPTION("perfmon: sampling format for tests");
MODULE_LICENSE("GPL");
