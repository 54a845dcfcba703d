/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: opening and closing the hooks of the scheduler: hooks.c where the patches
 * provide them, module/hooks.c where tracepoints do.
 */
#ifndef _KERNEL_PERFMON_HOOKS_H
#define _KERNEL_PERFMON_HOOKS_H

#include <asm/param.h>

/* The hooks stay open for a second: the next load may come soon. */
#define PFM_HOOKS_DELAY		HZ

int pfm_hooks_open(void);
void pfm_hooks_close(void);

#endif /* _KERNEL_PERFMON_HOOKS_H */
