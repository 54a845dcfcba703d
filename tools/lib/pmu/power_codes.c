// SPDX-License-Identifier: GPL-2.0
/*
 * Facts: the POWER8, POWER9 and POWER10 Performance Monitor Unit User's Guides: the fields of
 * an event code, and the events that several counters have.
 */
#include "pmu/power_codes.h"
#include "base.h"

#define PMC(n)		(1U << ((n) - 1))
#define FIRST_FOUR	(PMC(1) | PMC(2) | PMC(3) | PMC(4))

/* The same on all three processors. The events of PMC5 and PMC6 are built in. */
static const struct {
	uint64_t	code;
	uint64_t	other;		/* a second code, beside that of each counter */
	unsigned int	counters;
} shared[] = {
	{ 0x0001e, 0x100f0, FIRST_FOUR },	/* PM_CYC */
	{ 0x00002, 0x100fe, FIRST_FOUR },	/* PM_INST_CMPL */
	{ 0x200f4, 0x600f4, PMC(2) | PMC(6) },	/* PM_RUN_CYC */
	{ 0x400fa, 0x500fa, PMC(4) | PMC(5) },	/* PM_RUN_INST_CMPL */
};

static unsigned int number(uint64_t code)
{
	return (unsigned int)((code & POWER_CODE_PMC) >> 16);
}

uint64_t power_code_unify(uint64_t code)
{
	const unsigned int n = number(code);
	size_t i;

	for (i = 0; i < COUNT(shared); i++) {
		if (code == shared[i].code || code == shared[i].other)
			return shared[i].code;
		if (shared[i].counters == FIRST_FOUR && n <= POWER_WITH_EVENT &&
		    (code & ~POWER_CODE_PMC) == shared[i].code)
			return shared[i].code;
	}
	return code;
}

unsigned int power_code_counters(uint64_t code)
{
	const unsigned int n = number(code);
	size_t i;

	for (i = 0; i < COUNT(shared); i++)
		if (code == shared[i].code)
			return shared[i].counters;
	if (!n)
		return FIRST_FOUR;
	return n <= POWER_COUNTERS ? PMC(n) : 0;
}
