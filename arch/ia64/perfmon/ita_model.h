/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the PMUs of the Itanium processor family.
 *
 * Logical registers are the processor's, number by number; PMC256-271 are the debug
 * registers. PMC0-3, freeze bit and overflow status, are perfmon's own: holes.
 */
#ifndef _IA64_PERFMON_ITA_MODEL_H
#define _IA64_PERFMON_ITA_MODEL_H

#include <linux/perfmon_pmu.h>
#include <uapi/perfmon_ita.h>

#define PFM_ITA_FREEZE		0x1ULL		/* PMC0: nothing counts */
#define PFM_ITA_NUM_STATUS	4		/* PMC0-3 */
#define PFM_ITA_NUM_PMCS	(PFM_ITA_DBR0 + PFM_ITA_NUM_DEBUG)

/* The same in every monitor: privilege levels that it counts. */
#define PFM_ITA_PLM		0xfULL
#define PFM_ITA_PLM_KERNEL	0x1ULL

/* In every counter's PMC. */
#define PFM_ITA_OI		BIT_ULL(5)	/* interrupt on overflow */

#define PFM_ITA_IBR_X		BIT_ULL(63)
#define PFM_ITA_DBR_R		BIT_ULL(63)
#define PFM_ITA_DBR_W		BIT_ULL(62)

/**
 * struct pfm_ita_model - Meaning of one model's registers, beyond their table.
 * @pmu: the table, without operations
 * @family: the processor's family, as CPUID register 3 has it
 * @pm6: monitors, PMCs whose privilege levels select something, with pm in bit 6
 * @pm4: those with pm in bit 4
 * @restricts: does @value in PMC @pmc restrict monitoring to ranges?
 * @conflicts: do these values of all PMCs make a forbidden combination?
 */
struct pfm_ita_model {
	const struct pfm_pmu	*pmu;
	u8			family;
	u64			pm6;
	u64			pm4;
	bool			(*restricts)(unsigned int pmc, u64 value);
	bool			(*conflicts)(const u64 *pmcs);
};

extern const struct pfm_ita_model pfm_itanium;
extern const struct pfm_ita_model pfm_itanium2;
extern const struct pfm_ita_model pfm_montecito;

/*
 * Rows of the tables. Bits beyond @_writable keep their default: PMC.pm is the kernel's,
 * PMC.oi the 64-bit emulation's, PMC.ev drives a pin.
 */
#define PFM_ITA_PMC(_index, _def, _writable, _kernel, _deps)			\
	[_index] = {								\
		.name = "PMC" #_index, .type = PFM_REG_TYPE_PMC,		\
		.cls = PFM_CLASS_CONTROL, .width = 64, .addr = (_index),	\
		.def = (_def), .rsvd = ~(_writable), .kernel_bits = (_kernel),	\
		.deps = { (_deps) },						\
	}

/* Monitors, which select privilege levels, and PMCs that do not. */
#define PFM_ITA_MONITOR_PMC(_index, _def, _writable, _pmds)			\
	PFM_ITA_PMC(_index, _def, _writable, PFM_ITA_PLM_KERNEL, _pmds)
#define PFM_ITA_CONFIG_PMC(_index, _def, _writable)				\
	PFM_ITA_PMC(_index, _def, _writable, 0, 0)

#define PFM_ITA_COUNTER(_index, _width, _deps)					\
	[_index] = {								\
		.name = "PMD" #_index, .type = PFM_REG_TYPE_PMD,		\
		.cls = PFM_CLASS_COUNTER, .width = (_width),			\
		.write_width = (_width), .direct = true, .addr = (_index),	\
		.deps = { (_deps) },						\
	}

#define PFM_ITA_BUFFER(_index, _deps)						\
	[_index] = {								\
		.name = "PMD" #_index, .type = PFM_REG_TYPE_PMD,		\
		.cls = PFM_CLASS_BUFFER, .width = 64, .addr = (_index),		\
		.deps = { (_deps) },						\
	}

/*
 * The PMDs until Montecito: event addresses of code (PMC10) and of data (PMC11), four
 * counters, the branch trace buffer (PMC12).
 */
#define PFM_ITA_IEAR_PMDS	0x3ULL
#define PFM_ITA_DEAR_PMDS	0x2000cULL
#define PFM_ITA_BTB_PMDS	0x1ff00ULL

#define PFM_ITA_FIRST_PMDS(_width)						\
	PFM_ITA_BUFFER(0, BIT_ULL(10)), PFM_ITA_BUFFER(1, BIT_ULL(10)),		\
	PFM_ITA_BUFFER(2, BIT_ULL(11)), PFM_ITA_BUFFER(3, BIT_ULL(11)),		\
	PFM_ITA_COUNTER(4, _width, BIT_ULL(4)),					\
	PFM_ITA_COUNTER(5, _width, BIT_ULL(5)),					\
	PFM_ITA_COUNTER(6, _width, BIT_ULL(6)),					\
	PFM_ITA_COUNTER(7, _width, BIT_ULL(7)),					\
	PFM_ITA_BUFFER(8, BIT_ULL(12)), PFM_ITA_BUFFER(9, BIT_ULL(12)),		\
	PFM_ITA_BUFFER(10, BIT_ULL(12)), PFM_ITA_BUFFER(11, BIT_ULL(12)),	\
	PFM_ITA_BUFFER(12, BIT_ULL(12)), PFM_ITA_BUFFER(13, BIT_ULL(12)),	\
	PFM_ITA_BUFFER(14, BIT_ULL(12)), PFM_ITA_BUFFER(15, BIT_ULL(12)),	\
	PFM_ITA_BUFFER(16, BIT_ULL(12)), PFM_ITA_BUFFER(17, BIT_ULL(11))

/* A pair is an address, and a mask with control bits: the bits that arm a breakpoint stay 0. */
#define PFM_ITA_DEBUG_REG(_kind, _n, _rsvd)					\
	[PFM_ITA_##_kind##0 + (_n)] = {						\
		.name = #_kind #_n, .type = PFM_REG_TYPE_##_kind,		\
		.cls = PFM_CLASS_CONTROL, .width = 64, .addr = (_n),		\
		.rsvd = (_rsvd), .bare = true,					\
	}

#define PFM_ITA_IBR_PAIR(_a, _m)						\
	PFM_ITA_DEBUG_REG(IBR, _a, 0),						\
	PFM_ITA_DEBUG_REG(IBR, _m, PFM_ITA_IBR_X)

#define PFM_ITA_DBR_PAIR(_a, _m)						\
	PFM_ITA_DEBUG_REG(DBR, _a, 0),						\
	PFM_ITA_DEBUG_REG(DBR, _m, PFM_ITA_DBR_R | PFM_ITA_DBR_W)

#define PFM_ITA_DEBUG_REGS							\
	PFM_ITA_IBR_PAIR(0, 1), PFM_ITA_IBR_PAIR(2, 3),				\
	PFM_ITA_IBR_PAIR(4, 5), PFM_ITA_IBR_PAIR(6, 7),				\
	PFM_ITA_DBR_PAIR(0, 1), PFM_ITA_DBR_PAIR(2, 3),				\
	PFM_ITA_DBR_PAIR(4, 5), PFM_ITA_DBR_PAIR(6, 7)

/* Debug registers among the PMCs. */
static inline bool pfm_ita_is_debug(unsigned int pmc)
{
	return pmc >= PFM_ITA_IBR0;
}

/* Does a context with these flags have privileged monitors? */
static inline bool pfm_ita_privileged(u32 ctx_flags)
{
	return ctx_flags & (PFM_FL_SYSTEM_WIDE | PFM_ITA_FL_PRIV_MONITORS);
}

#endif /* _IA64_PERFMON_ITA_MODEL_H */
