/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the features of Linux 6.1 that other kernels may lack: see <linux/perfmon_compat.h>.
 */
#ifndef _LINUX_PERFMON_FEATURES_H
#define _LINUX_PERFMON_FEATURES_H

#define PFM_HAS_SECURITY_ATTR
#define PFM_HAS_SIBLINGS

#endif /* _LINUX_PERFMON_FEATURES_H */
