// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the commands of perfmonctl(), for every entry point.
 *
 * One table states the argument of each command, and the states of the context in
 * which it is legal; one function checks, copies in, runs the handler
 * and copies out. So all commands fail in the same order: unknown command
 * (EINVAL), no context (EBADF), number of arguments (EINVAL), their size
 * (E2BIG), their memory (EFAULT), permission (EPERM), state (EBUSY), and then
 * any fault of an element.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/perfmon_compat.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>
#include <uapi/perfmon_branch_smpl.h>
#include <uapi/perfmon_compact_smpl.h>
#include <uapi/perfmon_default_smpl.h>
#include <uapi/perfmon_hist_smpl.h>
#include <uapi/perfmon_ibs_smpl.h>
#include <uapi/perfmon_ring_smpl.h>
#include <uapi/perfmon_stack_smpl.h>
#include "attach.h"
#include "call.h"
#include "config.h"
#include "context.h"
#include "control.h"
#include "create.h"
#include "dispatch.h"
#include "evtset_cmds.h"
#include "file.h"
#include "read_plain.h"
#include "registers.h"
/* Pins the structures declared so far. */
#include "abi_layout.h"

#define PFM_ANY_STATE	(BIT(PFM_UNLOADED) | BIT(PFM_LOADED))
#define PFM_VECTOR	.min = 1, .max = INT_MAX

/**
 * struct pfm_cmd - A command.
 * @handler: does the work
 * @quick: does all of the work, copies included, of frequent arguments; -EAGAIN for others
 * @size: of an element
 * @min: fewest elements; with none, the pointer must be NULL
 * @max: most elements
 * @out: elements are copied out again
 * @has_ctx: the descriptor must be a context's
 * @locks: the handler takes ctx->lock, and checks the state, itself
 * @states: states in which the command is legal
 */
struct pfm_cmd {
	int		(*handler)(struct pfm_call *call);
	int		(*quick)(struct pfm_context *ctx, void __user *arg, unsigned int n);
	u16		size;
	bool		out;
	bool		has_ctx;
	bool		locks;
	u8		states;
	u8		min;
	int		max;
};

static const struct pfm_cmd pfm_cmds[] = {
	[PFM_WRITE_PMCS] = {
		.handler = pfm_write_pmcs, .size = sizeof(pfarg_pmc_t), PFM_VECTOR,
		.out = true, .has_ctx = true, .states = PFM_ANY_STATE,
	},
	[PFM_WRITE_PMDS] = {
		.handler = pfm_write_pmds, .size = sizeof(pfarg_pmd_t), PFM_VECTOR,
		.out = true, .has_ctx = true, .states = PFM_ANY_STATE,
	},
	[PFM_READ_PMDS] = {
		.handler = pfm_read_pmds, .size = sizeof(pfarg_pmd_t), PFM_VECTOR,
		.quick = pfm_read_plain, .out = true, .has_ctx = true, .states = PFM_ANY_STATE,
	},
	[PFM_STOP] = {
		.handler = pfm_stop,
		.has_ctx = true, .states = BIT(PFM_LOADED),
	},
	[PFM_START] = {
		.handler = pfm_start, .size = sizeof(pfarg_start_t), .max = 1,
		.has_ctx = true, .states = BIT(PFM_LOADED),
	},
	[PFM_RESTART] = {
		.handler = pfm_restart,
		.has_ctx = true, .states = BIT(PFM_LOADED),
	},
	[PFM_CREATE_CONTEXT] = {
		.handler = pfm_create_context, .size = sizeof(pfarg_ctx_t), .min = 1, .max = 1,
		.out = true,
	},
	[PFM_LOAD_CONTEXT] = {
		.handler = pfm_load_context, .size = sizeof(pfarg_load_t), .min = 1, .max = 1,
		.has_ctx = true, .locks = true,
	},
	[PFM_UNLOAD_CONTEXT] = {
		.handler = pfm_unload_context,
		.has_ctx = true, .states = BIT(PFM_LOADED),
	},
	[PFM_CREATE_EVTSETS] = {
		.handler = pfm_create_evtsets, .size = sizeof(pfarg_setdesc_t),
		PFM_VECTOR, .out = true, .has_ctx = true,
		.states = BIT(PFM_UNLOADED),
	},
	[PFM_DELETE_EVTSETS] = {
		.handler = pfm_delete_evtsets, .size = sizeof(pfarg_setdesc_t),
		PFM_VECTOR, .out = true, .has_ctx = true,
		.states = BIT(PFM_UNLOADED),
	},
	[PFM_GETINFO_EVTSETS] = {
		.handler = pfm_getinfo_evtsets, .size = sizeof(pfarg_setinfo_t),
		PFM_VECTOR, .out = true, .has_ctx = true,
		.states = PFM_ANY_STATE,
	},
	[PFM_GETINFO_PMCS] = {
		.handler = pfm_getinfo_pmcs, .size = sizeof(pfarg_pmcinfo_t),
		PFM_VECTOR, .out = true,
	},
	[PFM_GETINFO_PMDS] = {
		.handler = pfm_getinfo_pmds, .size = sizeof(pfarg_pmdinfo_t),
		PFM_VECTOR, .out = true,
	},
	[PFM_SET_CONFIG] = {
		.handler = pfm_set_config, .size = sizeof(pfarg_config_t), .min = 1, .max = 1,
	},
	[PFM_GET_CONFIG] = {
		.handler = pfm_get_config, .size = sizeof(pfarg_config_t), .min = 1, .max = 1,
		.out = true,
	},
};

static const struct pfm_cmd *pfm_find_cmd(int cmd)
{
	if ((unsigned int)cmd >= ARRAY_SIZE(pfm_cmds))
		return NULL;
	cmd = array_index_nospec(cmd, ARRAY_SIZE(pfm_cmds));
	return pfm_cmds[cmd].handler ? &pfm_cmds[cmd] : NULL;
}

static bool pfm_nargs_valid(const struct pfm_cmd *cmd, const void __user *arg, int narg)
{
	return narg >= cmd->min && narg <= cmd->max && (narg || !arg);
}

static int pfm_run_locked(const struct pfm_cmd *cmd, struct pfm_call *call)
{
	struct pfm_context *ctx = call->ctx;
	int err = -EBUSY;

	if (mutex_lock_killable(&ctx->lock))
		return -EINTR;
	if (cmd->states & BIT(ctx->state))
		err = cmd->handler(call);
	mutex_unlock(&ctx->lock);
	return err;
}

static int pfm_run_handler(const struct pfm_cmd *cmd, struct pfm_call *call)
{
	int err;

	if (!call->ctx || cmd->locks)
		return cmd->handler(call);
	do {
		call->wants_pmu = false;
		err = pfm_run_locked(cmd, call);
		/* The PMU is taken with no lock held. */
		if (!err && call->wants_pmu)
			err = pfm_use_pmu(call->ctx);
	} while (!err && call->wants_pmu);
	return err;
}

/* Copy the result out. A new descriptor is installed only if that succeeds. */
static int pfm_copy_out(const struct pfm_cmd *cmd, struct pfm_call *call, void __user *arg)
{
	bool fault = cmd->out && call->done &&
		     copy_to_user(arg, call->args, call->done * cmd->size);

	if (call->new_file && fault) {
		put_unused_fd(call->new_fd);
		fput(call->new_file);
	} else if (call->new_file) {
		fd_install(call->new_fd, call->new_file);
	}
	return fault ? -EFAULT : 0;
}

static int pfm_run_copied(const struct pfm_cmd *cmd, struct pfm_call *call,
			  void __user *arg, size_t bytes)
{
	int err, fault;

	if (bytes && copy_from_user(call->args, arg, bytes))
		return -EFAULT;
	err = pfm_run_handler(cmd, call);
	fault = pfm_copy_out(cmd, call, arg);
	return fault ? fault : err;
}

static noinline int pfm_run_usual(const struct pfm_cmd *cmd, struct pfm_context *ctx, int fd,
				  void __user *arg, unsigned int n)
{
	u64 small[32];	/* four PMDs: enough for most writes, and below any limit */
	u64 bytes = (u64)n * cmd->size;
	struct pfm_call call = {
		.ctx = ctx, .fd = fd, .args = small, .n = n, .behind = arg + bytes,
	};
	int err;

	if (likely(bytes <= sizeof(small)))
		return pfm_run_copied(cmd, &call, arg, bytes);
	if (bytes > pfm_arg_size_max())
		return -E2BIG;
	call.args = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!call.args)
		return -ENOMEM;
	err = pfm_run_copied(cmd, &call, arg, bytes);
	kvfree(call.args);
	return err;
}

static int pfm_run(const struct pfm_cmd *cmd, struct pfm_context *ctx, int fd,
		   void __user *arg, unsigned int n)
{
	int err = cmd->quick ? cmd->quick(ctx, arg, n) : -EAGAIN;

	return err == -EAGAIN ? pfm_run_usual(cmd, ctx, fd, arg, n) : err;
}

/**
 * pfm_dispatch() - Run a command of perfmonctl().
 * @fd: descriptor of a context, for commands that have one
 * @cmd: the command
 * @arg: array of @narg elements of the command's type
 * @narg: elements
 *
 * Return: 0 or an errno, see the top of this file and the commands.
 *
 * Context: process context, no locks.
 */
long pfm_dispatch(int fd, int cmd, void __user *arg, int narg)
{
	const struct pfm_cmd *desc = pfm_find_cmd(cmd);
	struct pfm_context *ctx = NULL;
	struct fd f = { };
	int err;

	if (!desc)
		return -EINVAL;
	if (desc->has_ctx) {
		f = fdget(fd);
		err = -EBADF;
		if (!fd_file(f) || fd_file(f)->f_op != &pfm_file_ops)
			goto out;
		ctx = fd_file(f)->private_data;
	}
	err = -EINVAL;
	if (pfm_nargs_valid(desc, arg, narg))
		err = pfm_run(desc, ctx, fd, arg, narg);
out:
	fdput(f);
	return err;
}

/**
 * pfm_dispatch_context() - Run a command of a context whose descriptor's number is not known.
 * @ctx: the context
 * @cmd: the command
 * @arg: array of @narg elements of the command's type
 * @narg: elements
 *
 * Return: as pfm_dispatch(); -ENOTTY when the command takes no context, or needs the number.
 *
 * Context: process context, no locks.
 */
long pfm_dispatch_context(struct pfm_context *ctx, int cmd, void __user *arg, int narg)
{
	const struct pfm_cmd *desc = pfm_find_cmd(cmd);

	if (!desc || !desc->has_ctx || desc->locks)
		return -ENOTTY;
	return pfm_nargs_valid(desc, arg, narg) ? pfm_run(desc, ctx, -1, arg, narg) : -EINVAL;
}
