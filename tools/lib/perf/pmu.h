/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU as the backend of perf_event_open() shows it: the registers of the kernel's
 * own tables, by the same numbers, as far as perf_events can count with them now.
 */
#ifndef PERFMON_PERF_PMU_H
#define PERFMON_PERF_PMU_H

#include <stdbool.h>
#include <stdint.h>

#define PERF_REGS		32	/* of each kind; none of the tables needs more */

/* Intel's fixed counters, as arch/x86/perfmon/intel_arch.h numbers them. */
#define PERF_INTEL_FIXED	16	/* PMC16, and from PMD16 on */
#define PERF_INTEL_NUM_FIXED	3	/* the ones that perf_events names */

enum perf_pmu_kind { PERF_PMU_SOFT, PERF_PMU_INTEL, PERF_PMU_AMD };

/* A logical register; without a name the number has none. */
struct perf_reg {
	const char	*name;
	unsigned int	type, width;
	uint64_t	addr, def, rsvd, kernel_bits;
};

struct perf_pmu {
	enum perf_pmu_kind	kind;
	const char		*model;
	unsigned int		width;
	bool			kernel;		/* this user may count at kernel level */
	struct perf_reg		pmc[PERF_REGS], pmd[PERF_REGS];
};

/* Determined once in a process. NULL: perf_event_open() is refused altogether; see errno. */
const struct perf_pmu *perf_pmu(void);

/*
 * Store the reason why perf_event_open() has failed with @error. If this user has no right to
 * monitor @what, kernel.perf_event_paranoid would have to be @paranoid at most. Returns -1.
 */
int perf_refuse_open(int error, const char *what, int paranoid);

/* The registers that the processor's CPUID reports. False: no known ones. */
bool perf_tables_processor(struct perf_pmu *pmu);
void perf_tables_software(struct perf_pmu *pmu);

#endif /* PERFMON_PERF_PMU_H */
