/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: one call of a command.
 */
#ifndef _KERNEL_PERFMON_CALL_H
#define _KERNEL_PERFMON_CALL_H

#include <linux/compiler_types.h>
#include <linux/types.h>
#include <uapi/perfmon.h>

struct file;
struct pfm_context;

/**
 * struct pfm_call - One call of perfmonctl(), arguments copied in: the argument of a handler.
 * @ctx: the context, for commands that have one
 * @fd: its descriptor
 * @args: array of @n elements of the command's type, or NULL
 * @n: elements
 * @done: elements to copy out, set by the handler: all that were processed, and the bad one,
 *	which has a return flag set
 * @behind: PFM_CREATE_CONTEXT: user memory after the argument
 * @wants_pmu: set by a handler that did nothing, because its context must get the PMU first
 * @new_file: PFM_CREATE_CONTEXT: file to install once the result is copied out; dropped when
 *	that fails
 * @new_fd: its descriptor
 *
 * A handler may sleep, and returns 0 or an errno. Its caller holds ctx->lock, but not for
 * PFM_LOAD_CONTEXT and commands without a context.
 */
struct pfm_call {
	struct pfm_context	*ctx;
	int			fd;
	void			*args;
	unsigned int		n;
	unsigned int		done;
	void __user		*behind;
	bool			wants_pmu;
	struct file		*new_file;
	int			new_fd;
};

#endif /* _KERNEL_PERFMON_CALL_H */
