/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU as the kernel describes it: logical registers, the address of each, and,
 * derived from these, the pairs of a PMC and a PMD that are counters.
 *
 * No register index is built in: the addresses that PFM_GETINFO_PMCS and
 * PFM_GETINFO_PMDS report identify a register. The meaning of an address, and the
 * events of the counters, are known to one struct pmu_arch for each architecture
 * (x86.c, power.c, soft.c); other.c is for the others.
 */
#ifndef PFMON_PMU_PMU_H
#define PFMON_PMU_PMU_H

#include <stdint.h>

#include "lib/perfmon_lib.h"
#include "base.h"
#include "pmu/core_types.h"

struct pmu;

#define MAX_COUNTERS	64	/* a set of counters is a 64-bit mask */

/* One logical register. */
struct reg {
	unsigned int	num;
	unsigned int	type;		/* PFM_REG_TYPE_* */
	uint64_t	index;		/* MSR or SPR number, ... */
	uint64_t	def_value;
	uint64_t	rsvd_mask;
	unsigned int	width;		/* bits; 0: not known, without sysfs */
	char		name[40];	/* the kernel's, or "PMC3" without sysfs */
};

/* A PMD that counts, and the PMC that selects its event. */
struct counter {
	unsigned int	pmc;
	unsigned int	pmd;
	unsigned int	hw;		/* the hardware's number within its kind */
	bool		fixed;		/* counts one event only */
};

/* Privilege levels. */
#define LEVEL_USER	0x1
#define LEVEL_KERNEL	0x2
#define LEVEL_ALL	(LEVEL_USER | LEVEL_KERNEL)

/* Events from which figures are derived. */
enum event_kind {
	KIND_OTHER,
	KIND_CYCLES,
	KIND_REF_CYCLES,
	KIND_INSTRUCTIONS,
	KIND_BRANCHES,
	KIND_BRANCH_MISSES,
	KIND_CLOCK,		/* ns */
};

/*
 * A value that a second register holds while an event counts, and the registers that can:
 * the choice of the register determines the event's code, too.
 */
#define MAX_EXTRA_CHOICES	2

struct extra {
	unsigned int	n;		/* registers; 0: the event needs none */
	uint64_t	value;
	struct {
		unsigned int	pmc;
		uint64_t	code;
	} choice[MAX_EXTRA_CHOICES];
};

/* An event in the form in which the PMU gets it. */
struct encoding {
	uint64_t	code;
	struct extra	extra;
	bool		level_free;	/* counts the same whatever levels it is encoded for */
	char		full[256];	/* its full name */
};

/* The processor's limits of sampling periods: not fewer, and whole multiples of this. */
struct period_limit {
	uint64_t	least, multiple;
};

/* The events that have names. */
struct event_names {
	const char	*pmu;		/* the PMU of the events: "nhm" */
	const char	*desc;		/* "Intel Nehalem" */
	int		n;
	bool		libpfm;		/* the names are libpfm4's */
	bool		emulated;	/* tools/qemu's PMU, which models only some */
};

/*
 * An architecture's registers and events. All members are mandatory; a PMU without
 * counters needs the marked members only.
 */
struct pmu_arch {
	/* Fill in pmu->counters; false when this is not such a PMU. Always there. */
	bool		(*find_counters)(struct pmu *pmu);

	/*
	 * Get the names of events ready, and describe them; false, with the reason: none.
	 * names->emulated is valid even then. Always there.
	 */
	bool		(*names)(const struct pmu *pmu, struct event_names *names,
				 struct problem *why);

	/*
	 * Encode an event by its name and modifiers, at @levels (LEVEL_*) where it names none.
	 * Always there.
	 */
	bool		(*encode)(const struct pmu *pmu, const char *name, unsigned int levels,
				  struct encoding *encoding, struct problem *why);

	/*
	 * perf's raw events: set a field of attr.config, false: there is no such field or it
	 * is too small; and the result of encode() for a whole one. NULL: there are none.
	 */
	bool		(*config_field)(const char *field, uint64_t value, uint64_t *config);
	uint64_t	(*from_config)(const struct pmu *pmu, uint64_t config, unsigned int levels);

	/*
	 * Fill in encoding->extra for the @value of a raw event in a second register; false:
	 * it has none, or not here. NULL: no event has one.
	 */
	bool		(*second_register)(const struct pmu *pmu, const char *name,
					   const uint64_t *value, struct encoding *encoding,
					   struct problem *why);

	/* The way back, for display: attr.config of an encoding, and its fields between commas. */
	uint64_t	(*to_config)(uint64_t code);
	void		(*config_fields)(uint64_t config, char *text, size_t size);

	/* Names of the default events, ended by NULL, and of the sampled one. Always there. */
	const char *const *default_events;
	const char	*default_sample_event;

	/* The counters that a raw value in PMC @pmc makes count, as a mask. */
	uint64_t	(*raw_counters)(const struct pmu *pmu, unsigned int pmc,
					uint64_t value);

	/*
	 * The result of encode() for a raw value of @counter's PMC, when that controls no
	 * other. NULL: a raw value is such an encoding itself.
	 */
	uint64_t	(*raw_code)(const struct pmu *pmu, const struct counter *counter,
				    uint64_t value);

	/* The counters that can count an encoded event, as a mask. */
	uint64_t	(*event_counters)(const struct pmu *pmu, uint64_t code);

	/* False, with the reason: @counters would not count the encoded event @name correctly. */
	bool		(*check)(const struct pmu *pmu, const char *name, uint64_t code,
				 uint64_t counters, struct problem *why);

	/* The limits of a sampling period of the event. NULL: none. */
	struct period_limit (*period_limit)(const struct pmu *pmu, uint64_t code);

	/* @value with the bits that PMC @counter->pmc needs for this event. */
	uint64_t	(*program)(const struct pmu *pmu, const struct counter *counter,
				   uint64_t code, uint64_t value);

	unsigned int	(*levels)(uint64_t code);	/* LEVEL_* at which it counts */
	unsigned int	(*raw_levels)(const struct pmu *pmu, unsigned int pmc,
				      uint64_t value);
	enum event_kind	(*kind)(const struct pmu *pmu, uint64_t code);

	/* An encoding that counts at kernel level only: to test if that is allowed. */
	uint64_t	kernel_code;
};

extern const struct pmu_arch pmu_x86, pmu_power, pmu_soft, pmu_other;

struct pmu {
	char			model[64];	/* the kernel's name for it, or "" */
	char			events[64];	/* the name for its events, or "" */
	unsigned int		width;		/* bits of a hardware counter */
	pfarg_config_t		config;
	struct reg		*pmcs, *pmds;
	size_t			npmcs, npmds;
	struct counter		counters[MAX_COUNTERS];
	unsigned int		ncounters;	/* 0: none, or none that pfmon knows */
	const struct pmu_arch	*arch;
	struct core_types	cores;
};

/* Read the PMU from the kernel. */
bool pmu_read(struct pmu *pmu, struct problem *why);

/* The same from a model's registers; the rest of @pmu is zeroed or filled in. */
void pmu_from_registers(struct pmu *pmu, const char *model, const struct reg *pmcs,
			size_t npmcs, const struct reg *pmds, size_t npmds);
void pmu_free(struct pmu *pmu);

/* Get the names of its events ready and fill in pmu->events. False: there are none. */
bool pmu_find_names(struct pmu *pmu, struct problem *why);

#endif /* PFMON_PMU_PMU_H */
