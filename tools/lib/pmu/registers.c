// SPDX-License-Identifier: GPL-2.0
/* Finding registers and counters of a PMU. */
#include "pmu/registers.h"

static const struct reg *find_num(const struct reg *regs, size_t n, unsigned int num)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (regs[i].num == num)
			return &regs[i];
	return NULL;
}

const struct reg *pmu_find_pmc(const struct pmu *pmu, unsigned int num)
{
	return find_num(pmu->pmcs, pmu->npmcs, num);
}

const struct reg *pmu_find_pmd(const struct pmu *pmu, unsigned int num)
{
	return find_num(pmu->pmds, pmu->npmds, num);
}

const struct reg *reg_at(const struct reg *regs, size_t n, unsigned int type,
			 uint64_t index)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (regs[i].type == type && regs[i].index == index)
			return &regs[i];
	return NULL;
}

char *pmu_counter_names(const struct pmu *pmu, uint64_t counters, char *buf, size_t size)
{
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < pmu->ncounters; i++)
		if (counters & (1ULL << i))
			append(buf, size, "%sPMD%u", buf[0] ? " " : "",
			       pmu->counters[i].pmd);
	if (!buf[0])
		append(buf, size, "(none)");
	return buf;
}
