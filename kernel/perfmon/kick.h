/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: an interrupt that an NMI raises on its own CPU.
 */
#ifndef _KERNEL_PERFMON_KICK_H
#define _KERNEL_PERFMON_KICK_H

void pfm_kick(void);

#endif /* _KERNEL_PERFMON_KICK_H */
