// SPDX-License-Identifier: GPL-2.0
/*
 * AMD's Instruction-Based Sampling, as Documentation/x86-registers.md describes perfmon's
 * registers of it. Facts: AMD64 Architecture Programmer's Manual, volume 2, "Instruction-Based
 * Sampling". The unit counts in sixteens up to a value of 16 bits: fetches or, where the
 * processor can, ops; else cycles.
 */
#define _GNU_SOURCE
#include <string.h>

#include "pmu/ibs.h"
#include "pmu/registers.h"

#define MSR_FETCH_CTL	0xc0011030
#define MSR_OP_CTL	0xc0011033

#define FETCH_ENABLE	(1ULL << 48)
#define FETCH_RANDOM	(1ULL << 57)	/* of its lowest bits */
#define OP_ENABLE	(1ULL << 17)
#define OP_COUNT_OPS	(1ULL << 19)

#define UNIT		16
#define SHORTEST	(0x400 * UNIT)	/* the kernel's limit */
#define LONGEST		(0xffffULL * UNIT)

static const struct kind {
	const char	*name, *counter;
	uint64_t	msr, enable, options;
	const char	*buffers[IBS_BUFFERS + 1];
	const char	*address;
} kinds[] = {
	{ "ibs_fetch", "IBS_FETCH", MSR_FETCH_CTL, FETCH_ENABLE, FETCH_RANDOM,
	  { "IBS_FETCH_STATUS", "IBS_FETCH_LINADDR", "IBS_FETCH_PHYSADDR", "IC_IBS_EXTD_CTL" },
	  "IBS_FETCH_LINADDR" },
	{ "ibs_op", "IBS_OP", MSR_OP_CTL, OP_ENABLE, OP_COUNT_OPS,
	  { "IBS_OP_STATUS", "IBS_OP_RIP", "IBS_OP_DATA", "IBS_OP_DATA2", "IBS_OP_DATA3",
	    "IBS_DC_LINADDR", "IBS_DC_PHYSADDR", "BP_IBSTGT_RIP", "IBS_OP_DATA4" },
	  "IBS_OP_RIP" },
};

static const struct kind *find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(kinds); i++)
		if (!strcasecmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

static const struct reg *find_named(const struct pmu *pmu, const char *name)
{
	size_t i;

	for (i = 0; i < pmu->npmds; i++)
		if (!strcmp(pmu->pmds[i].name, name))
			return &pmu->pmds[i];
	return NULL;
}

/* A period beyond the register's range is several samples of the hardware. */
static bool choose_period(struct ibs *ibs, const char *name, uint64_t period, struct problem *why)
{
	if (period < SHORTEST) {
		problem(why, "-c %llu: the shortest period of %s is %d", (unsigned long long)period,
			name, SHORTEST);
		return problem_hint(why, "The next one begins while the kernel handles the last sample.");
	}
	ibs->of = (period + LONGEST - 1) / LONGEST;
	ibs->every = period / ibs->of / UNIT * UNIT;
	return true;
}

bool ibs_find(const struct pmu *pmu, const char *name, uint64_t period, struct ibs *ibs,
	      struct problem *why)
{
	const struct kind *kind = find_kind(name);
	const struct reg *pmc, *pmd;
	size_t i;

	memset(ibs, 0, sizeof(*ibs));
	if (!kind)
		return problem(why, "-e %s: the events of Instruction-Based Sampling are ibs_op and ibs_fetch",
			       name);
	pmc = reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_MSR, kind->msr);
	pmd = find_named(pmu, kind->counter);
	if (!pmc || !pmd) {
		problem(why, "event %s: this PMU (%s) has no Instruction-Based Sampling that perfmon can use",
			name, *pmu->model ? pmu->model : "of an unknown model");
		return problem_hint(why, "AMD's processors since family 12h have it; hypervisors often leave it out.");
	}
	if (!choose_period(ibs, name, period, why))
		return false;
	ibs->full = kind->counter;
	ibs->pmc = pmc->num;
	ibs->pmd = pmd->num;
	ibs->control = kind->enable | (kind->options & ~pmc->rsvd_mask) | ibs->every / UNIT;
	for (i = 0; i < IBS_BUFFERS && kind->buffers[i]; i++) {
		const struct reg *buffer = find_named(pmu, kind->buffers[i]);

		if (!buffer)
			continue;
		if (!strcmp(buffer->name, kind->address))
			ibs->address = ibs->n;
		ibs->buffer[ibs->n] = buffer->num;
		ibs->name[ibs->n++] = kind->buffers[i];
	}
	return true;
}
