/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PFMON_KERNEL_MINMAX_H
#define PFMON_KERNEL_MINMAX_H

#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))

#endif /* PFMON_KERNEL_MINMAX_H */
