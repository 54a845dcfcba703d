/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PFMON_KERNEL_ARRAY_SIZE_H
#define PFMON_KERNEL_ARRAY_SIZE_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif /* PFMON_KERNEL_ARRAY_SIZE_H */
