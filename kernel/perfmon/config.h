/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: limits, and the rights of users.
 */
#ifndef _KERNEL_PERFMON_CONFIG_H
#define _KERNEL_PERFMON_CONFIG_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct perf_event_attr;
struct pfm_call;
struct pfm_context;

struct pfm_limits {
	u64			arg_size_max;
	u64			smpl_buf_size_max;
	kgid_t			sys_gid;
	kgid_t			thread_gid;
};

int pfm_set_config(struct pfm_call *call);
int pfm_get_config(struct pfm_call *call);
struct pfm_limits pfm_limits_get(void);
size_t pfm_arg_size_max(void);
u32 pfm_gid_to_user(kgid_t gid);
bool pfm_may_create(u32 flags);
bool pfm_may_count_kernel(const struct pfm_context *ctx);
bool pfm_is_privileged(void);
struct perf_event_attr pfm_security_attr(int access);

/* Users that may have the NMI watchdog paused; /sys/kernel/perfmon/limits. */
enum pfm_watchdog_pause {
	PFM_PAUSE_ANY,
	PFM_PAUSE_CAPABLE,
	PFM_PAUSE_NEVER,
};

extern enum pfm_watchdog_pause pfm_watchdog_pause_by;
bool pfm_may_pause_watchdog(void);

#endif /* _KERNEL_PERFMON_CONFIG_H */
