/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: what Linux 6.12 has of what kernels differ in: see <linux/perfmon_compat.h>.
 */
#ifndef _LINUX_PERFMON_FEATURES_H
#define _LINUX_PERFMON_FEATURES_H

#define PFM_HAS_SYSCORE
#define PFM_HAS_VM_FLAGS_MOD

#endif /* _LINUX_PERFMON_FEATURES_H */
