/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the commands.
 */
#ifndef _KERNEL_PERFMON_CALL_H
#define _KERNEL_PERFMON_CALL_H

#include <linux/compiler_types.h>
#include <linux/types.h>
#include <uapi/perfmon.h>

struct file;
struct pfm_context;

/**
 * struct pfm_call - One call of perfmonctl(), arguments copied in.
 * @ctx: the context, for commands that have one
 * @fd: its descriptor
 * @args: array of @n elements of the command's type, or NULL
 * @n: elements
 * @done: elements to copy out, set by the handler: all that were processed, and the bad one,
 *	which has a return flag set
 * @behind: PFM_CREATE_CONTEXT: user memory after the argument
 * @wants_pmu: set by a handler that did nothing, because its context must get the PMU first
 *	first
 * @new_file: PFM_CREATE_CONTEXT: file to install once the result is copied out; dropped when
 *	that fails
 * @new_fd: its descriptor
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

/*
 * Handlers of commands. Context: ctx->lock held, but not for PFM_LOAD_CONTEXT and commands
 * without a context. May sleep. Return 0 or an errno.
 */
int pfm_write_pmcs(struct pfm_call *call);
int pfm_write_pmds(struct pfm_call *call);
int pfm_read_pmds(struct pfm_call *call);
int pfm_getinfo_pmcs(struct pfm_call *call);
int pfm_getinfo_pmds(struct pfm_call *call);
int pfm_start(struct pfm_call *call);
int pfm_stop(struct pfm_call *call);
int pfm_restart(struct pfm_call *call);
int pfm_load_context(struct pfm_call *call);
int pfm_unload_context(struct pfm_call *call);
int pfm_create_context(struct pfm_call *call);
int pfm_create_evtsets(struct pfm_call *call);
int pfm_delete_evtsets(struct pfm_call *call);
int pfm_getinfo_evtsets(struct pfm_call *call);
int pfm_set_config(struct pfm_call *call);
int pfm_get_config(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_CALL_H */
