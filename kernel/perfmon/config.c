// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: global limits, and the rights of users.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_host.h>
#include <linux/security.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include "call.h"
#include "config.h"
#include "context.h"
#include "pmu.h"

/* The specification's minimum: the smallest page size. */
#define PFM_SIZE_MIN		SZ_4K
/* Upper bound of cf_arg_size_max: memory that one call may allocate. */
#define PFM_ARG_SIZE_TOP	SZ_16M

static DEFINE_SPINLOCK(pfm_limits_lock);
static struct pfm_limits pfm_limits = {
	.arg_size_max	= PAGE_SIZE,
	.sys_gid	= INVALID_GID,
	.thread_gid	= INVALID_GID,
};

/**
 * pfm_limits_init() - Derive limits from the machine.
 *
 * Return: 0.
 */
int __init pfm_limits_init(void)
{
	/* No more than a sixteenth of the memory in all sampling buffers. */
	pfm_limits.smpl_buf_size_max =
		max_t(u64, (u64)totalram_pages() * PAGE_SIZE / 16, PFM_SIZE_MIN);
	return 0;
}
pfm_initcall(core, pfm_limits_init);

/**
 * pfm_limits_get() - The limits in force, consistently.
 */
struct pfm_limits pfm_limits_get(void)
{
	struct pfm_limits limits;

	spin_lock(&pfm_limits_lock);
	limits = pfm_limits;
	spin_unlock(&pfm_limits_lock);
	return limits;
}

/**
 * pfm_arg_size_max() - Limit of the size of a vector argument, in bytes.
 */
size_t pfm_arg_size_max(void)
{
	return READ_ONCE(pfm_limits.arg_size_max);
}

#ifdef CONFIG_PERF_EVENTS

/* kernel.perf_event_paranoid: the administrator's choice, shared with perf_events. */
static int pfm_paranoid(void)
{
	return min(READ_ONCE(sysctl_perf_event_paranoid), PFM_HOST_PARANOID_MAX);
}

/**
 * pfm_security_attr() - An event that stands for a context.
 * @access: PERF_SECURITY_*: what is asked about it
 *
 * Security modules have hooks for perf_events only, so they are asked about such an event.
 */
struct perf_event_attr pfm_security_attr(int access)
{
	return (struct perf_event_attr) {
		.type		= PERF_TYPE_RAW,
		.size		= sizeof(struct perf_event_attr),
		.exclude_kernel	= access != PERF_SECURITY_KERNEL,
	};
}

static bool pfm_security_allows(int access)
{
	struct perf_event_attr attr = pfm_security_attr(access);

	return !pfm_security_ask(&attr, access);
}

static bool pfm_security_allows_create(bool system_wide)
{
	return pfm_security_allows(PERF_SECURITY_OPEN) &&
	       (!system_wide || pfm_security_allows(PERF_SECURITY_CPU));
}

static bool pfm_security_allows_kernel(void)
{
	return pfm_security_allows(PERF_SECURITY_KERNEL);
}

#else

static int pfm_paranoid(void)
{
	return 2;
}

static bool pfm_security_allows_create(bool system_wide)
{
	return true;
}

static bool pfm_security_allows_kernel(void)
{
	return true;
}

#endif

/**
 * pfm_may_create() - May the caller create such a context?
 * @flags: PFM_FL_*
 *
 * If the administrator has named a group, only its members may. Otherwise
 * kernel.perf_event_paranoid decides: a CPU needs a level below 1, a thread a level below 3, at
 * which distributions close perf_event_open() to users. CAP_PERFMON overrides the level.
 */
bool pfm_may_create(u32 flags)
{
	struct pfm_limits limits = pfm_limits_get();
	bool system_wide = flags & PFM_FL_SYSTEM_WIDE;
	kgid_t gid = system_wide ? limits.sys_gid : limits.thread_gid;
	bool may;

	if (gid_valid(gid))
		may = in_group_p(gid);
	else
		may = pfm_paranoid() < (system_wide ? 1 : 3) || perfmon_capable();
	return may && pfm_security_allows_create(system_wide);
}

/**
 * pfm_may_count_kernel() - May the caller monitor kernel level with a context?
 * @ctx: the context
 *
 * Samples and captured registers of kernel level show its addresses: a kernel that is
 * locked down for confidentiality allows none.
 */
bool pfm_may_count_kernel(const struct pfm_context *ctx)
{
	struct pfm_limits limits = pfm_limits_get();
	kgid_t gid = pfm_is_system_wide(ctx) ? limits.sys_gid : limits.thread_gid;

	return (pfm_paranoid() < 2 || (gid_valid(gid) && in_group_p(gid)) ||
		perfmon_capable()) &&
	       pfm_security_allows_kernel() && !security_locked_down(LOCKDOWN_PERF);
}

/**
 * pfm_is_privileged() - Do the sessions of others give way to the caller?
 *
 * This is called for each load, so a refusal is not audited.
 */
bool pfm_is_privileged(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/* Without the NMI watchdog a CPU that hangs is not noticed: the administrator decides. */
enum pfm_watchdog_pause pfm_watchdog_pause_by = PFM_PAUSE_CAPABLE;

/**
 * pfm_may_pause_watchdog() - May the caller have the NMI watchdog paused?
 */
bool pfm_may_pause_watchdog(void)
{
	switch (READ_ONCE(pfm_watchdog_pause_by)) {
	case PFM_PAUSE_ANY:
		return true;
	case PFM_PAUSE_CAPABLE:
		return perfmon_capable();
	default:
		return false;
	}
}

/**
 * pfm_set_config() - PFM_SET_CONFIG: set the global limits.
 * @call: one pfarg_config_t
 *
 * Return: 0; -EPERM without CAP_SYS_ADMIN; -EINVAL for flags (none is defined)
 * or for a limit out of range.
 */
int pfm_set_config(struct pfm_call *call)
{
	const pfarg_config_t *req = call->args;
	struct user_namespace *ns = current_user_ns();

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (req->cf_flags)
		return -EINVAL;
	if (req->cf_arg_size_max < PFM_SIZE_MIN || req->cf_arg_size_max > PFM_ARG_SIZE_TOP)
		return -EINVAL;
	if (req->cf_smpl_buf_size_max < PFM_SIZE_MIN)
		return -EINVAL;

	spin_lock(&pfm_limits_lock);
	WRITE_ONCE(pfm_limits.arg_size_max, req->cf_arg_size_max);
	pfm_limits.smpl_buf_size_max = req->cf_smpl_buf_size_max;
	pfm_limits.sys_gid = make_kgid(ns, req->cf_sys_gid);
	pfm_limits.thread_gid = make_kgid(ns, req->cf_thread_gid);
	spin_unlock(&pfm_limits_lock);
	return 0;
}

/**
 * pfm_gid_to_user() - A group limit as the caller sees it.
 * @gid: of struct pfm_limits
 */
u32 pfm_gid_to_user(kgid_t gid)
{
	return gid_valid(gid) ? from_kgid_munged(current_user_ns(), gid) : PFM_GROUP_ANY;
}

/**
 * pfm_get_config() - PFM_GET_CONFIG: report limits and registers.
 * @call: one pfarg_config_t, overwritten in full
 *
 * Return: 0.
 */
int pfm_get_config(struct pfm_call *call)
{
	struct pfm_limits limits = pfm_limits_get();
	pfarg_config_t *req = call->args;
	unsigned int i;

	memset(req, 0, sizeof(*req));
	req->cf_version = PFM_VERSION;
	for (i = 0; i < PFM_MAX_PMCS; i++) {
		if (pfm_pmc_valid(i))
			pfm_bv_set(req->cf_impl_pmcs, i);
	}
	for (i = 0; i < PFM_MAX_PMDS; i++) {
		if (pfm_pmd_valid(i))
			pfm_bv_set(req->cf_impl_pmds, i);
	}
	req->cf_sys_gid = pfm_gid_to_user(limits.sys_gid);
	req->cf_thread_gid = pfm_gid_to_user(limits.thread_gid);
	req->cf_arg_size_max = limits.arg_size_max;
	req->cf_smpl_buf_size_max = limits.smpl_buf_size_max;
	req->cf_counter_width = pfm_pmu->counter_width;
	call->done = 1;
	return 0;
}
