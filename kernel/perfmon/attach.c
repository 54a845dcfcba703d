// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: load a context onto a thread or a CPU, and everything that ends it.
 */
#include <linux/errno.h>
#include <linux/fdtable.h>
#include <linux/perfmon_host.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <trace/events/perfmon.h>
#include "attach.h"
#include "block.h"
#include "call.h"
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "hooks.h"
#include "multiplex.h"
#include "notify.h"
#include "refs.h"
#include "reset.h"
#include "rules.h"
#include "run.h"
#include "sessions.h"
#include "sets.h"
#include "target.h"

struct pfm_attach {
	struct task_struct	*task;
	bool			self;
	int			err;
};

static void pfm_attach_here(struct pfm_context *ctx, bool here, void *arg)
{
	struct pfm_attach *attach = arg;
	struct task_struct *task = attach->task;

	/*
	 * The flag comes before pfm_task_exit(): a thread that does not have it
	 * yet will find the context there and unload it.
	 */
	if (task->flags & PF_EXITING)
		attach->err = -ESRCH;
	else if (pfm_thread_context(task))
		attach->err = -EBUSY;
	else
		pfm_thread_attach(task, ctx, &ctx->link);
	if (!attach->err)
		pfm_rules_thread(ctx, task, attach->self ? PFM_THREAD_ATTACH_SELF :
							   PFM_THREAD_ATTACH);
}

static int pfm_attach_task(struct pfm_context *ctx, struct task_struct *task)
{
	struct pfm_attach attach = { .task = task, .self = task == current };
	int err = pfm_thread_prepare(ctx);

	if (err)
		return err;
	pfm_target_call_task(ctx, task, pfm_attach_here, &attach);
	if (attach.err)
		return attach.err;
	ctx->task = get_task_struct(task);
	ctx->self = attach.self;
	return 0;
}

static bool pfm_has_exclusions(struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	unsigned long id;

	pfm_for_each_set(ctx, id, set) {
		if (set->flags & (PFM_SETFL_EXCL_IDLE | PFM_SETFL_EXCL_KERNEL_ONLY_THREADS))
			return true;
	}
	return false;
}

static int pfm_attach_cpu(struct pfm_context *ctx)
{
	bool excludes = pfm_has_exclusions(ctx);
	int err = -EBUSY;
	int cpu;

	/*
	 * The hotplug callback runs on the CPU that goes: with preemption off
	 * it either has not run yet, or we do not run there any more.
	 */
	cpu = get_cpu();
	if (!per_cpu(pfm_cpu.system_ctx, cpu)) {
		WRITE_ONCE(per_cpu(pfm_cpu.system_ctx, cpu), ctx);
		WRITE_ONCE(per_cpu(pfm_cpu_excludes, cpu), excludes);
		ctx->cpu = cpu;
		err = 0;
	}
	put_cpu();
	return err;
}

static void pfm_detach_here(struct pfm_context *ctx, bool here, void *arg)
{
	if (here)
		pfm_pause(ctx);
	ctx->started = false;
	ctx->masked = false;
	ctx->fmt_failures = 0;
	ctx->switch_due = false;
	WRITE_ONCE(ctx->blocked, false);
	pfm_rules_thread(ctx, ctx->task, PFM_THREAD_DETACH);
	if (ctx->task) {
		pfm_thread_detach(ctx->task, &ctx->link);
	} else {
		WRITE_ONCE(per_cpu(pfm_cpu_excludes, ctx->cpu), false);
		WRITE_ONCE(per_cpu(pfm_cpu.system_ctx, ctx->cpu), NULL);
		WRITE_ONCE(per_cpu(pfm_cpu.suspended, ctx->cpu), NULL);
	}
}

/**
 * pfm_detach() - Unload a context, whatever the reason.
 * @ctx: loaded context, locked; the caller has a reference of its own
 * @end: append PFM_MSG_END
 *
 * Monitoring is stopped, all values are in software.
 *
 * Context: may sleep.
 */
void pfm_detach(struct pfm_context *ctx, bool end)
{
	bool pmu = ctx->share != PFM_IDLE;

	lockdep_assert_held(&ctx->lock);

	pfm_target_call(ctx, pfm_detach_here, NULL);
	pfm_notify_flush(ctx);
	pfm_thread_flush(ctx->task, &ctx->link);
	pfm_unblock(ctx);
	trace_pfm_unload(ctx);
	if (ctx->task)
		put_task_struct(ctx->task);
	ctx->task = NULL;
	ctx->cpu = -1;
	ctx->self = false;
	ctx->state = PFM_UNLOADED;
	pfm_rules_unclaim(ctx);
	pfm_session_put(ctx);
	if (pmu)
		pfm_gate_leave();
	pfm_hooks_close();
	if (end)
		pfm_notify_end(ctx);
	pfm_context_put(ctx);
}

/* Is there a context already, or will there be no time for one? */
static int pfm_load_check_target(struct pfm_context *ctx, struct task_struct *task)
{
	if (pfm_is_system_wide(ctx))
		return raw_cpu_read(pfm_cpu.system_ctx) ? -EBUSY : 0;
	if (READ_ONCE(task->flags) & PF_EXITING)
		return -ESRCH;
	return pfm_thread_context(task) ? -EBUSY : 0;
}

/*
 * Everything that can be told without changing anything outside the context. Under
 * ctx->lock. @task is the monitored thread, or NULL if there is none.
 *
 * Return: whether the context is to have the PMU, or -errno.
 */
static int pfm_load_check(struct pfm_context *ctx, const pfarg_load_t *req,
			  struct task_struct *task)
{
	bool system_wide = pfm_is_system_wide(ctx);
	int err;

	if (ctx->state != PFM_UNLOADED)
		return -EBUSY;
	if (system_wide && task != current)
		return -EINVAL;
	if (!task)
		return -ESRCH;
	/* A thread that blocks itself would wait for ever: it cannot restart. */
	if (task == current && (ctx->flags & PFM_FL_NOTIFY_BLOCK))
		return -EINVAL;
	if (!pfm_set_find(ctx, req->load_set))
		return -EINVAL;
	err = pfm_sets_chain(ctx);
	if (!err)
		err = pfm_load_check_target(ctx, task);
	if (err)
		return err;
	/* The architecture can only be asked by trying. */
	err = pfm_rules_claim(ctx);
	pfm_rules_unclaim(ctx);
	/* Threads that work the registers themselves write no PMC. */
	return err ?: pfm_sets_have_pmc(ctx) || pfm_rules_direct();
}

/* After pfm_load_check(), under the same lock. */
static int pfm_load_attach(struct pfm_call *call, struct task_struct *task, bool pmu)
{
	const pfarg_load_t *req = call->args;
	struct pfm_context *ctx = call->ctx;
	struct pfm_event_set *set = pfm_set_find(ctx, req->load_set);
	bool system_wide = pfm_is_system_wide(ctx);
	int err;

	err = pfm_session_get(ctx, pmu);
	if (err)
		return err;
	err = pfm_rules_claim(ctx);
	if (err)
		goto out_session;
	err = system_wide ? pfm_attach_cpu(ctx) : pfm_attach_task(ctx, task);
	if (err)
		goto out_claim;
	refcount_inc(&ctx->refs);
	ctx->state = PFM_LOADED;
	ctx->fd = call->fd;
	ctx->pid_raw = -1;
	/* Not started: no hook and no interrupt looks at the sets yet. */
	pfm_sets_refresh(ctx);
	pfm_set_activate(ctx, set);
	pfm_reset_overdue(set, true);
	trace_pfm_load(ctx);
	return 0;

out_claim:
	pfm_rules_unclaim(ctx);
out_session:
	pfm_session_put(ctx);
	return err;
}

/* Having another thread wait interferes with it; counting it only looks at it. */
static bool pfm_may_attach(const struct pfm_context *ctx, struct task_struct *task)
{
	return ptrace_may_access(task, ctx->flags & PFM_FL_NOTIFY_BLOCK ?
				 PTRACE_MODE_ATTACH_REALCREDS : PTRACE_MODE_READ_REALCREDS);
}

enum pfm_load_step {
	PFM_LOAD_CHECK,
	PFM_LOAD_IDLE,		/* attach a context without a PMC */
	PFM_LOAD_PMU,		/* attach one that has one, behind the gate */
};

/*
 * Check a load onto @task, which may be NULL, and, if that is the step, do it. Another thread
 * must be one that the caller has access to, and stay one until the context is attached: an
 * exec that changes that waits, and then finds the context.
 *
 * Return: PFM_LOAD_CHECK: whether it is to have the PMU; 0; -EAGAIN when that has changed
 * since the check; another errno.
 */
static int pfm_load(struct pfm_call *call, struct task_struct *task, enum pfm_load_step step)
{
	struct pfm_context *ctx = call->ctx;
	bool other = task && task != current && !pfm_is_system_wide(ctx);
	int err = 0;

	if (other) {
		err = down_read_killable(&task->signal->exec_update_lock);
		if (err)
			return err;
		if (!pfm_may_attach(ctx, task))
			err = -EPERM;
	}
	if (!err)
		err = mutex_lock_killable(&ctx->lock);
	if (!err) {
		err = pfm_load_check(ctx, call->args, task);
		if (err >= 0 && step != PFM_LOAD_CHECK)
			err = err == (step == PFM_LOAD_PMU) ?
			      pfm_load_attach(call, task, err) : -EAGAIN;
		mutex_unlock(&ctx->lock);
	}
	if (other)
		up_read(&task->signal->exec_update_lock);
	return err;
}

/* Checked, and perhaps through the gate. */
static int pfm_load_hooked(struct pfm_call *call, struct task_struct *task,
			   enum pfm_load_step step)
{
	int err = pfm_hooks_open();

	if (err)
		return err;
	err = pfm_load(call, task, step);
	if (err)
		pfm_hooks_close();
	return err;
}

/* Checked. */
static int pfm_load_gated(struct pfm_call *call, struct task_struct *task)
{
	int err = pfm_gate_enter();

	if (err)
		return err;
	err = pfm_load_hooked(call, task, PFM_LOAD_PMU);
	if (err)
		pfm_gate_leave();
	return err;
}

static int pfm_use_pmu_once(struct pfm_context *ctx)
{
	bool idle;
	int err = pfm_gate_enter();

	if (err)
		return err;
	if (mutex_lock_killable(&ctx->lock)) {
		pfm_gate_leave();
		return -EINTR;
	}
	idle = ctx->state == PFM_LOADED && ctx->share == PFM_IDLE;
	if (idle)
		err = pfm_session_get(ctx, true);
	mutex_unlock(&ctx->lock);
	if (err || !idle)
		pfm_gate_leave();
	return err;
}

/**
 * pfm_use_pmu() - A loaded context is to have its first PMC.
 * @ctx: the context
 *
 * Return: 0, also when it is not loaded any more or has the PMU already; -EBUSY and -EINTR as
 * pfm_load_context().
 *
 * Context: ctx->lock not held; may sleep.
 */
int pfm_use_pmu(struct pfm_context *ctx)
{
	int err = pfm_use_pmu_once(ctx);

	return err == -EBUSY && pfm_gate_is_stale() ? pfm_use_pmu_once(ctx) : err;
}

/**
 * pfm_load_context() - PFM_LOAD_CONTEXT: attach a context.
 * @call: one pfarg_load_t
 *
 * To a thread; a system-wide context to the CPU that the caller runs on. What is
 * refused is so before the NMI watchdog is paused for it: the gate, which does that, is
 * entered with no lock held, so the checks are made on both sides of it. A context without a
 * PMC does not need the PMU yet, and leaves it to others.
 *
 * Return: 0; -EPERM when the caller has no access to the thread; -EBUSY when
 * the context is loaded, the thread or CPU has a context, the PMU is in use
 * otherwise, or the NMI watchdog uses it and the caller may not have that paused;
 * -ESRCH when there is no such thread; -EINVAL when the event set
 * does not exist or one names a successor that does not, a system-wide context
 * is not loaded by its thread, or a blocking one is; -EINTR when the caller is killed.
 *
 * Context: ctx->lock not held.
 */
int pfm_load_context(struct pfm_call *call)
{
	const pfarg_load_t *req = call->args;
	struct pid *pid = find_get_pid(req->load_pid);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);
	bool twice = false;
	int err;

	put_pid(pid);
	do {
		err = pfm_load(call, task, PFM_LOAD_CHECK);
		if (err >= 0)
			err = err ? pfm_load_gated(call, task) :
				    pfm_load_hooked(call, task, PFM_LOAD_IDLE);
		if (err == -EBUSY && !twice && pfm_gate_is_stale()) {
			twice = true;
			err = -EAGAIN;
		}
	} while (err == -EAGAIN);
	if (task)
		put_task_struct(task);
	return err;
}

/**
 * pfm_unload_context() - PFM_UNLOAD_CONTEXT: detach a context.
 * @call: no argument
 *
 * Return: 0.
 */
int pfm_unload_context(struct pfm_call *call)
{
	pfm_detach(call->ctx, false);
	return 0;
}

/**
 * pfm_files_have() - Is a descriptor that of a file?
 * @files: the descriptor's table; NULL has none
 * @fd: the descriptor
 * @filp: the file
 *
 * One number is looked at: to look for others would take as long as a table is large.
 *
 * Context: any but NMI; no lock is taken.
 */
bool pfm_files_have(struct files_struct *files, unsigned int fd, struct file *filp)
{
	bool have;

	if (!files)
		return false;
	rcu_read_lock();
	have = files_lookup_fd_raw(files, fd) == filp;
	rcu_read_unlock();
	return have;
}

/**
 * pfm_end_is_news() - Is PFM_MSG_END to be told when a thread leaves by itself?
 * @ctx: the thread's context, which is not freed
 * @task: current
 * @exec: it gained privileges by an exec, else it exits
 *
 * An exiting thread that has the descriptor by which it was loaded, by a fork or in
 * the table that it shares with the controller, is taken for one that monitors
 * itself: its end is no news.
 *
 * Context: the exiting thread still has its descriptors; no lock is taken.
 */
bool pfm_end_is_news(const struct pfm_context *ctx, struct task_struct *task, bool exec)
{
	return exec || !pfm_files_have(task->files, READ_ONCE(ctx->fd), ctx->filp);
}

/* Unload a context from @task, if it is still that thread's, and drop a reference. */
static void pfm_leave(struct pfm_context *ctx, struct task_struct *task, bool end)
{
	mutex_lock(&ctx->lock);
	if (ctx->task == task)
		pfm_detach(ctx, end);
	mutex_unlock(&ctx->lock);
	pfm_context_put(ctx);
}

/**
 * pfm_task_leave() - Unload the context of a thread, if it has one.
 * @task: the thread
 * @end: append PFM_MSG_END
 *
 * Context: may sleep.
 */
void pfm_task_leave(struct task_struct *task, bool end)
{
	struct pfm_context *ctx = pfm_context_get_thread(task);

	if (ctx)
		pfm_leave(ctx, task, end);
}

/**
 * __pfm_task_gone() - Monitoring of a thread ends for reasons of its own.
 * @task: current
 * @exec: it gained privileges by an exec, else it exits
 *
 * Context: may sleep.
 */
void __pfm_task_gone(struct task_struct *task, bool exec)
{
	struct pfm_context *ctx = pfm_context_get_thread(task);

	if (ctx)
		pfm_leave(ctx, task, pfm_end_is_news(ctx, task, exec));
}
