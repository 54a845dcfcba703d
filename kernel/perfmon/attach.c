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
#include "bank_claim.h"
#include "block.h"
#include "call.h"
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "hooks.h"
#include "notify.h"
#include "refs.h"
#include "reset.h"
#include "rules.h"
#include "run.h"
#include "sessions.h"
#include "set_list.h"
#include "set_switch.h"
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
	 * PF_EXITING is set before pfm_task_exit() runs: a thread without the flag still
	 * finds the context there and unloads it.
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
	 * The hotplug callback runs on the CPU that goes offline: with preemption off it either
	 * has not run yet, or this code does not run on that CPU any more.
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

static void pfm_detach_paused(struct pfm_context *ctx, void *arg)
{
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
		WRITE_ONCE(per_cpu(pfm_cpu.parked, ctx->cpu), NULL);
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

	pfm_target_change(ctx, pfm_detach_paused, NULL);
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
	pfm_banks_unclaim(ctx);
	pfm_session_put(ctx);
	if (pmu)
		pfm_gate_leave();
	pfm_hooks_close();
	if (end)
		pfm_notify_end(ctx);
	pfm_context_put(ctx);
}

/* -EBUSY when the target has a context already, -ESRCH when the thread is exiting. */
static int pfm_load_check_target(struct pfm_context *ctx, struct task_struct *task)
{
	if (pfm_is_system_wide(ctx))
		return raw_cpu_read(pfm_cpu.system_ctx) ? -EBUSY : 0;
	if (READ_ONCE(task->flags) & PF_EXITING)
		return -ESRCH;
	return pfm_thread_context(task) ? -EBUSY : 0;
}

/*
 * Check a load; nothing outside the context changes. Under ctx->lock. @task is the monitored
 * thread, or NULL if there is none.
 *
 * Return: 1 if the context needs the PMU, 0 if not, or -errno.
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
	/* A claim is the only way to ask the architecture. */
	err = pfm_banks_claim(ctx);
	pfm_banks_unclaim(ctx);
	/* Threads that access the registers themselves write no PMC. */
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
	err = pfm_banks_claim(ctx);
	if (err)
		goto out_session;
	/* pfm_end_is_news() reads it, perhaps as soon as the thread is attached. */
	WRITE_ONCE(ctx->fd, call->fd);
	err = system_wide ? pfm_attach_cpu(ctx) : pfm_attach_task(ctx, task);
	if (err)
		goto out_claim;
	refcount_inc(&ctx->refs);
	ctx->state = PFM_LOADED;
	ctx->pid_raw = -1;
	/* Not started: no hook and no interrupt uses the sets yet. */
	pfm_sets_refresh(ctx);
	pfm_set_activate(ctx, set);
	pfm_reset_overdue(set, true);
	trace_pfm_load(ctx);
	return 0;

out_claim:
	pfm_banks_unclaim(ctx);
out_session:
	pfm_session_put(ctx);
	return err;
}

/* Blocking another thread interferes with it; counting only observes it. */
static bool pfm_may_attach(const struct pfm_context *ctx, struct task_struct *task)
{
	return ptrace_may_access(task, ctx->flags & PFM_FL_NOTIFY_BLOCK ?
				 PTRACE_MODE_ATTACH_REALCREDS : PTRACE_MODE_READ_REALCREDS);
}

enum pfm_load_step {
	PFM_LOAD_CHECK,
	PFM_LOAD_IDLE,		/* attach a context without a PMC */
	PFM_LOAD_PMU,		/* attach a context with a PMC, behind the gate */
};

/*
 * Check a load onto @task, which may be NULL. At the later steps, attach the context as well. The
 * caller must have access to the thread until the context is attached: an exec that would change
 * that waits, and then finds the context.
 *
 * Return: PFM_LOAD_CHECK: as pfm_load_check(). Else 0; -EAGAIN when the context's need of the PMU
 * has changed since the check; another errno.
 */
static int pfm_load(struct pfm_call *call, struct task_struct *task, enum pfm_load_step step)
{
	struct pfm_context *ctx = call->ctx;
	bool thread = task && !pfm_is_system_wide(ctx);
	int err = 0;

	if (thread) {
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
	if (thread)
		up_read(&task->signal->exec_update_lock);
	return err;
}

/* After PFM_LOAD_CHECK; for PFM_LOAD_PMU, behind the gate. */
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

/* After PFM_LOAD_CHECK. */
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

/* The check of the PMC may have claimed registers: a context without a PMC needs none. */
static void pfm_use_no_pmu(struct pfm_context *ctx)
{
	mutex_lock(&ctx->lock);
	if (ctx->share == PFM_IDLE)
		pfm_banks_unclaim(ctx);
	mutex_unlock(&ctx->lock);
}

/**
 * pfm_use_pmu() - Get the PMU for a loaded context that is about to have its first PMC.
 * @ctx: the context
 *
 * Return: 0, also when the context is not loaded any more or has the PMU already; -EBUSY and
 * -EINTR as pfm_load_context().
 *
 * Context: ctx->lock not held; may sleep.
 */
int pfm_use_pmu(struct pfm_context *ctx)
{
	int err = pfm_use_pmu_once(ctx);

	if (err == -EBUSY && pfm_gate_is_stale())
		err = pfm_use_pmu_once(ctx);
	if (err)
		pfm_use_no_pmu(ctx);
	return err;
}

/**
 * pfm_load_context() - PFM_LOAD_CONTEXT: attach a context.
 * @call: one pfarg_load_t
 *
 * A context is attached to a thread, a system-wide one to the CPU that the caller runs on. A load
 * that fails its checks does not pause the NMI watchdog: pfm_gate_enter(), which pauses it, is
 * called with no lock held, so the checks are made before and after it. A context without a
 * PMC does not need the PMU yet, and leaves it to others.
 *
 * Return: 0; -EPERM when the caller has no access to the thread; -EBUSY when
 * the context is loaded, the thread or CPU has a context, the PMU is in use
 * otherwise, or the NMI watchdog uses it and the caller may not have that paused;
 * -ESRCH when there is no such thread; -EINVAL when the event set does not exist, a set names a
 * successor that does not exist, load_pid is not the caller for a system-wide context, or is
 * the caller for a blocking one; -EINTR when the caller is killed.
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
		if (!err)
			err = pfm_load_hooked(call, task, PFM_LOAD_IDLE);
		else if (err == 1)
			err = pfm_load_gated(call, task);
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
 * pfm_files_have() - Does a descriptor refer to a file?
 * @files: the descriptor's table; NULL has none
 * @fd: the descriptor
 * @filp: the file
 *
 * Only @fd is looked up: a search takes as long as the table is large.
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
 * pfm_end_is_news() - Must PFM_MSG_END be sent when a thread leaves by itself?
 * @ctx: the thread's context, which is not freed
 * @task: current
 * @exec: the thread gained privileges by an exec; false: it exits
 *
 * An exiting thread that has the descriptor by which it was loaded, after a fork or in a
 * table that it shares with the controller, counts as monitoring itself: no PFM_MSG_END.
 *
 * Context: the exiting thread still has its descriptors; no lock is taken.
 */
bool pfm_end_is_news(const struct pfm_context *ctx, struct task_struct *task, bool exec)
{
	return exec || !pfm_files_have(task->files, READ_ONCE(ctx->fd), ctx->filp);
}

/**
 * __pfm_task_gone() - End the monitoring of a thread that exits or has gained privileges.
 * @task: current
 * @exec: the thread gained privileges by an exec; false: it exits
 *
 * Context: may sleep.
 */
void __pfm_task_gone(struct task_struct *task, bool exec)
{
	struct pfm_context *ctx = pfm_context_get_thread(task);
	bool end;

	if (!ctx)
		return;
	end = pfm_end_is_news(ctx, task, exec);
	mutex_lock(&ctx->lock);
	if (ctx->task == task)
		pfm_detach(ctx, end);
	mutex_unlock(&ctx->lock);
	pfm_context_put(ctx);
}
