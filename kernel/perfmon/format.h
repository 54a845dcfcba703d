/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: sampling formats.
 */
#ifndef _KERNEL_PERFMON_FORMAT_H
#define _KERNEL_PERFMON_FORMAT_H

#include <linux/perfmon_fmt.h>

struct kobject;

const pfm_buffer_fmt_t *pfm_format_get(const pfm_uuid_t uuid);
void pfm_format_put(const pfm_buffer_fmt_t *fmt);
int pfm_formats_publish(struct kobject *top);
void pfm_formats_withdraw(void);

#endif /* _KERNEL_PERFMON_FORMAT_H */
