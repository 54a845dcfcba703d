/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PFMON_KERNEL_INIT_H
#define PFMON_KERNEL_INIT_H

#define __init

#endif /* PFMON_KERNEL_INIT_H */
