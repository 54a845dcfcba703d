/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * perfmon2: additions of the Itanium processor family to the interface.
 *
 * Flags of the bits that <perfmon.h> leaves to the architecture, and the numbers of
 * the debug registers. See perfmonctl(2).
 */
#ifndef _UAPI_PERFMON_ITA_H
#define _UAPI_PERFMON_ITA_H

/* Context flags (ctx_flags), both for contexts of threads. */
#define PFM_ITA_FL_INSECURE	 0x10000 /* the monitored thread may read PMDs and use rum, sum */
#define PFM_ITA_FL_PRIV_MONITORS 0x20000 /* privileged monitors, not user monitors */

/* Event set flags (set_flags), both for privileged monitors; not together. */
#define PFM_ITA_SETFL_EXCL_INTR	0x10000	/* no monitoring in interruptions */
#define PFM_ITA_SETFL_INTR_ONLY	0x20000	/* monitoring in interruptions only */

/* The debug registers, for range restrictions, are PMCs. */
#define PFM_ITA_IBR0		256	/* to 263: IBR0-7, code */
#define PFM_ITA_DBR0		264	/* to 271: DBR0-7, data */
#define PFM_ITA_NUM_DEBUG	8	/* of each */

#endif /* _UAPI_PERFMON_ITA_H */
