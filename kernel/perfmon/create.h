/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: creation of contexts.
 */
#ifndef _KERNEL_PERFMON_CREATE_H
#define _KERNEL_PERFMON_CREATE_H

struct pfm_call;

int pfm_create_context(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_CREATE_H */
