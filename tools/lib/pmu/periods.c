// SPDX-License-Identifier: GPL-2.0
/*
 * The shortest sampling periods, by model: with a shorter one a counter's overflow is missed, or
 * comes with the next one as one interrupt.
 *
 * Facts: errata HSW11, BDM11 and BDM55, and the limits of Linux in arch/x86/events: the
 * functions of the name limit_period in intel/core.c, and the least of all in core.c.
 */
#include <string.h>

#include "pmu/emulated.h"
#include "pmu/periods.h"

#define CODE		0xffff	/* unit mask and event */
#define ANY		-1
#define PREC_DIST	0x01c0	/* INST_RETIRED, with unit mask 1 */

/* The first row that fits applies; "hsw" is "hsw_ep" as well. */
static const struct {
	const char		*libpfm, *model;	/* its names */
	int			code;
	struct period_limit	limit;
} rows[] = {
	{ "nhm", "Intel Nehalem", ANY, { .least = 32, .multiple = 1 } },
	{ "hsw", "Intel Haswell", PREC_DIST, { .least = 128, .multiple = 1 } },
	{ "hsw", "Intel Haswell", ANY, { .least = 32, .multiple = 1 } },
	{ "bdw", "Intel Broadwell", PREC_DIST, { .least = 128, .multiple = 64 } },
};

static bool is_model(const struct pmu *pmu, const char *libpfm, const char *model)
{
	const size_t stem = strcspn(pmu->events, "_");

	return !strcmp(pmu->model, model) ||
	       (strlen(libpfm) == stem && !strncmp(pmu->events, libpfm, stem));
}

struct period_limit period_limit_of(const struct pmu *pmu, uint64_t code)
{
	size_t i;

	/* The interrupts of the emulated PMU are exact. */
	if (emulated_pmu())
		return (struct period_limit){ .least = 1, .multiple = 1 };
	for (i = 0; i < COUNT(rows); i++)
		if (is_model(pmu, rows[i].libpfm, rows[i].model) &&
		    (rows[i].code == ANY || rows[i].code == (int)(code & CODE)))
			return rows[i].limit;
	return (struct period_limit){ .least = 2, .multiple = 1 };
}
