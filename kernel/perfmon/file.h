/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the descriptor of a context.
 */
#ifndef _KERNEL_PERFMON_FILE_H
#define _KERNEL_PERFMON_FILE_H

#include <linux/fs.h>

extern const struct file_operations pfm_file_ops;

#endif /* _KERNEL_PERFMON_FILE_H */
