/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: loading and unloading.
 */
#ifndef _KERNEL_PERFMON_ATTACH_H
#define _KERNEL_PERFMON_ATTACH_H

#include <linux/types.h>

struct file;
struct files_struct;
struct pfm_call;
struct pfm_context;
struct task_struct;

int pfm_load_context(struct pfm_call *call);
int pfm_unload_context(struct pfm_call *call);
bool pfm_files_have(struct files_struct *files, unsigned int fd, struct file *filp);
int pfm_use_pmu(struct pfm_context *ctx);
void pfm_detach(struct pfm_context *ctx, bool end);
bool pfm_end_is_news(const struct pfm_context *ctx, struct task_struct *task, bool exec);

#endif /* _KERNEL_PERFMON_ATTACH_H */
