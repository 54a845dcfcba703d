// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of POWER8 to POWER10. pfmon compiles this file, too.
 *
 * Facts: Power ISA Version 2.07 B, 3.0 B and 3.1, Book III, "Performance Monitor
 * Facility": Performance Monitor SPRs; the fields of MMCR1, MMCRA and MMCR3 that the ISA
 * leaves to the processor: the POWER8, POWER9 and POWER10 Performance Monitor Unit User's
 * Guides, Monitor Mode Control Registers.
 */
#include "power_model.h"
#include "tables.h"

/* Counters 5 and 6 have no event: they count instructions and cycles. */
#define EVENT_BITS(n, combine)						\
	((n) < PFM_POWER_WITH_EVENT ?					\
	 PFM_POWER_EVENT | PFM_POWER_UNIT | ((combine) & PFM_POWER_COMBINE) : 0)

/* CTLn is no hardware register: its address is the counter's number. */
#define CTL(n, combine)							\
	[(n) - 1] = {							\
		.name = "CTL" #n, .type = PFM_REG_TYPE_PMC,		\
		.cls = PFM_CLASS_CONTROL, .width = 64, .addr = (n),	\
		.rsvd = ~(EVENT_BITS((n) - 1, combine) | PFM_POWER_USR | PFM_POWER_OS), \
		.kernel_bits = PFM_POWER_OS,				\
		.deps = { BIT_ULL((n) - 1) },				\
	}

#define CTLS(combine)							\
	CTL(1, combine), CTL(2, combine), CTL(3, combine),		\
	CTL(4, combine), CTL(5, combine), CTL(6, combine)

/*
 * Registers of all counters. They have no dependencies, though they control all counters: the
 * request for an overflow of a counter is in its own control register.
 */
#define MMCR(reg, spr, preset, bits)					\
	[PFM_POWER_##reg] = {						\
		.name = #reg, .type = PFM_REG_TYPE_SPR,			\
		.cls = PFM_CLASS_CONTROL, .width = 64, .addr = (spr),	\
		.def = (preset), .rsvd = ~(u64)(bits),			\
	}

/*
 * MMCR0: alerts are always on, and problem state has no access. A user may freeze all
 * counters at a level, and have counters 5 and 6 count without the run latch. The time
 * base's events, triggers and event-based branches are not available to sessions.
 */
#define MMCR0_DEF	(PFM_MMCR0_PMAE | PFM_MMCR0_PMC1CE | PFM_MMCR0_PMCJCE | \
			 PFM_MMCR0_PMCC_NONE)
#define MMCR0_BITS	(PFM_MMCR0_FCS | PFM_MMCR0_FCP | PFM_MMCR0_FCM1 | \
			 PFM_MMCR0_FCM0 | PFM_MMCR0_CC56RUN)

/* MMCR1: qualifiers of cache events; POWER8: the fabric's match. The rest is in CTLn. */
#define MMCR1_CACHE	GENMASK_ULL(47, 46)
#define MMCR1_FABRIC	GENMASK_ULL(43, 36)
#define MMCR1_RADIX	BIT_ULL(45)

/* MMCR2: freeze in a thread's marked and unmarked state, and while it waits. */
#define MMCR2_OF(n)	(PFM_MMCR2_FCM(n) | PFM_MMCR2_FCWAIT(n))
#define MMCR2_BITS	(MMCR2_OF(0) | MMCR2_OF(1) | MMCR2_OF(2) | MMCR2_OF(3) | \
			 MMCR2_OF(4) | MMCR2_OF(5))

/*
 * MMCRA: random sampling, thresholds, SDAR's sources. The branch history buffer is
 * left out, and so is its filter; on POWER10 the buffer can be disabled, and is.
 */
#define MMCRA_SAMPLING	(GENMASK_ULL(6, 0) | GENMASK_ULL(18, 8))
#define MMCRA_SDAR	GENMASK_ULL(43, 42)
#define MMCRA_THR_CMP8	GENMASK_ULL(41, 32)
#define MMCRA_THR_CMP	GENMASK_ULL(63, 45)
#define MMCRA_BHRB_OFF	BIT_ULL(37)

static const struct pfm_reg_desc power8_pmcs[] = {
	CTLS(BIT_ULL(12)),
	MMCR(MMCR0, 795, MMCR0_DEF, MMCR0_BITS),
	MMCR(MMCR1, 798, 0, MMCR1_CACHE | MMCR1_FABRIC),
	MMCR(MMCR2, 785, 0, MMCR2_BITS),
	MMCR(MMCRA, 786, 0, MMCRA_SAMPLING | MMCRA_SDAR | MMCRA_THR_CMP8),
};

static const struct pfm_reg_desc power9_pmcs[] = {
	CTLS(PFM_POWER_COMBINE),
	MMCR(MMCR0, 795, MMCR0_DEF, MMCR0_BITS),
	MMCR(MMCR1, 798, 0, MMCR1_CACHE),
	MMCR(MMCR2, 785, 0, MMCR2_BITS),
	MMCR(MMCRA, 786, 0, MMCRA_SAMPLING | MMCRA_SDAR | MMCRA_THR_CMP),
};

static const struct pfm_reg_desc power10_pmcs[] = {
	CTLS(PFM_POWER_COMBINE),
	MMCR(MMCR0, 795, MMCR0_DEF | PFM_MMCR0_PMCCEXT, MMCR0_BITS),
	MMCR(MMCR1, 798, 0, MMCR1_CACHE | MMCR1_RADIX),
	MMCR(MMCR2, 785, 0, MMCR2_BITS),
	MMCR(MMCRA, 786, MMCRA_BHRB_OFF, MMCRA_SAMPLING | MMCRA_SDAR | MMCRA_THR_CMP),
	MMCR(MMCR3, 754, 0, GENMASK_ULL(63, 4)),
};

#define COUNTER(n)							\
	[(n) - 1] = {							\
		.name = "PMC" #n, .type = PFM_REG_TYPE_SPR,		\
		.cls = PFM_CLASS_COUNTER, .width = PFM_POWER_WIDTH,	\
		.write_width = PFM_POWER_WIDTH, .addr = 786 + (n),	\
		.deps = { BIT_ULL((n) - 1) },				\
	}

/* Written by the hardware when a counter overflows. */
#define BUFFER(reg, spr)						\
	[PFM_POWER_##reg] = {						\
		.name = #reg, .type = PFM_REG_TYPE_SPR,			\
		.cls = PFM_CLASS_BUFFER, .width = 64, .addr = (spr),	\
	}

static const struct pfm_reg_desc power_pmds[PFM_POWER_NUM_PMDS] = {
	COUNTER(1), COUNTER(2), COUNTER(3), COUNTER(4), COUNTER(5), COUNTER(6),
	BUFFER(SIAR, 796), BUFFER(SDAR, 797), BUFFER(SIER, 784),
};

#define POWER(_name, _pmcs)						\
	{								\
		.name = (_name), .counter_width = PFM_POWER_WIDTH,	\
		.num_pmcs = sizeof(_pmcs) / sizeof((_pmcs)[0]),		\
		.num_pmds = PFM_POWER_NUM_PMDS,				\
		.pmcs = (_pmcs), .pmds = power_pmds,			\
	}

const struct pfm_power_model pfm_power8 = {
	.pmu = POWER("IBM POWER8", power8_pmcs), .combine_bits = 1,
};

const struct pfm_power_model pfm_power9 = {
	.pmu = POWER("IBM POWER9", power9_pmcs), .combine_bits = 2,
};

const struct pfm_power_model pfm_power10 = {
	.pmu = POWER("IBM POWER10", power10_pmcs), .combine_bits = 2, .isa31 = true,
};

static const struct pfm_pmu *power_build(const struct pfm_table *table, void *space)
{
	return table->data;
}

const struct pfm_table pfm_power_tables[] = {
	{
		.name = "power8", .model = "IBM POWER8", .build = power_build,
		.data = &pfm_power8.pmu,
	},
	{
		.name = "power9", .model = "IBM POWER9", .build = power_build,
		.data = &pfm_power9.pmu,
	},
	{
		.name = "power10", .model = "IBM POWER10", .build = power_build,
		.data = &pfm_power10.pmu,
	},
	{ }
};
