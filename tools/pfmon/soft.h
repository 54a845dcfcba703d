/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the kernel's software PMU: libpfm4 has no names for them. */
#ifndef PFMON_SOFT_H
#define PFMON_SOFT_H

#include "libpfm.h"
#include "pmu.h"

struct soft_event {
	const char	*name, *desc;
	unsigned int	reg;		/* its PMC and its PMD */
	bool		usual;		/* counted without -e */
};

/* Ended by a NULL name. */
extern const struct soft_event soft_events[];

extern const struct pmu_arch pmu_soft;

/* The PMU is the software PMU. */
bool soft_pmu(const struct pmu *pmu);

/* The same, before the PMU is read. */
bool soft_machine(void);

/* Whether this kernel counts the event. */
bool soft_has(const struct pmu *pmu, const struct soft_event *event);

/* Encode "EVENT", "EVENT:u" or "EVENT:k", with @levels where it names none. */
bool soft_encode(const struct pmu *pmu, const char *name, unsigned int levels,
		 struct encoding *encoding, struct problem *why);

/* The event counts the same whatever level it is encoded for. */
bool soft_counts_all(const struct pmu *pmu, uint64_t code);

#endif /* PFMON_SOFT_H */
