/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the features of Linux 6.12 that other kernels may lack: see <linux/perfmon_compat.h>.
 */
#ifndef _LINUX_PERFMON_FEATURES_H
#define _LINUX_PERFMON_FEATURES_H

#define PFM_HAS_SYSCORE
#define PFM_HAS_VM_FLAGS_MOD

#endif /* _LINUX_PERFMON_FEATURES_H */
