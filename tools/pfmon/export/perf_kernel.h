/* SPDX-License-Identifier: GPL-2.0 */
/* How perf finds the names of kernel addresses. */
#ifndef PFMON_EXPORT_PERF_KERNEL_H
#define PFMON_EXPORT_PERF_KERNEL_H

#include "export/perf_records.h"

/* Records that stand before all others. */
void perf_put_kernel(struct buffer *buffer, const struct profile *profile);

#endif /* PFMON_EXPORT_PERF_KERNEL_H */
