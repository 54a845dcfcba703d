// SPDX-License-Identifier: GPL-2.0
/*
 * A sampling format to begin from: a flight recorder. It keeps the last addresses at which
 * samples were taken, and never stops. Documentation/writing-a-format.md goes through it.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/perfmon_fmt.h>
#include <linux/ptrace.h>
#include "last_smpl.h"

/*
 * A tool creates a context: check its argument, which is a copy in the kernel's memory, so that
 * it cannot change any more. The core checks that there is enough memory, and that the user
 * may have it.
 */
static int last_validate(u32 ctx_flags, u16 num_pmds, void *arg)
{
	const struct last_smpl_arg *req = arg;

	if (!req->places || (req->places & (req->places - 1)) || req->places > LAST_SMPL_MAX)
		return -EINVAL;
	return 0;
}

/* Next: set the size of the buffer. */
static int last_getsize(u32 ctx_flags, void *arg, size_t *size)
{
	const struct last_smpl_arg *req = arg;

	*size = sizeof(struct last_smpl_buffer) + req->places * sizeof(u64);
	return 0;
}

/*
 * Next: initialise the buffer, which is all zeroes. Tools can only read it, so it is the best
 * place for values that the handler needs later.
 */
static int last_init(u32 ctx_flags, void *arg, void *buf)
{
	const struct last_smpl_arg *req = arg;
	struct last_smpl_buffer *last = buf;

	last->places = req->places;
	return 0;
}

/*
 * A counter has overflowed. This runs in an interrupt that nothing can interrupt: no lock, no
 * sleep, no memory but the buffer, no printk(), and no loop over the whole buffer. It need not
 * be reentrant: no two calls for a context overlap.
 */
static int last_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	const struct pfm_ovfl_data *ovfl = data;
	struct last_smpl_buffer *last = buf;

	/* No regs: the address is in the kernel, and only users are monitored: show none. */
	last->ip[last->count & (last->places - 1)] =
		ovfl->regs ? instruction_pointer(ovfl->regs) : 0;
	/* The tool may read at any moment: the sample is written before it is counted. */
	smp_store_release(&last->count, last->count + 1);
	/* Begin the next period. A format that wants the tool to act would notify, or mask. */
	arg->ovfl_ctrl.reset_ovfl_pmds = 1;
	return 0;
}

static const pfm_buffer_fmt_t last_format = {
	.fmt_name	= "last",	/* in /sys/kernel/perfmon/formats */
	.fmt_uuid	= LAST_SMPL_UUID,
	.fmt_version	= 1 << 16,	/* 1.0 */
	.fmt_arg_size	= sizeof(struct last_smpl_arg),
	.owner		= THIS_MODULE,	/* which stays while a context uses the format */
	.fmt_validate	= last_validate,
	.fmt_getsize	= last_getsize,
	.fmt_init	= last_init,
	.fmt_handler	= last_handler,
};

static int __init last_register(void)
{
	return pfm_register_buffer_fmt(&last_format);
}
module_init(last_register);

static void __exit last_unregister(void)
{
	pfm_unregister_buffer_fmt(last_format.fmt_uuid);
}
module_exit(last_unregister);

MODULE_DESCRIPTION("perfmon: the last addresses at which samples were taken");
MODULE_LICENSE("GPL");
