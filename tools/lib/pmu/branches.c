// SPDX-License-Identifier: GPL-2.0
/*
 * Last branch records of Intel's processors: Documentation/x86-registers.md. The kernel gives
 * the records in the order of their age, as PMDs without an address of their own: their names
 * identify them. Facts about the control registers: Intel SDM volume 3B, "Last Branch
 * Records", and volume 4, MSR_LBR_SELECT.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "pmu/branches.h"
#include "pmu/registers.h"

#define MSR_LBR_SELECT		0x1c8
#define MSR_DEBUGCTL		0x1d9
#define MSR_LBR_CTL		0x14ce

/* As perfmon's PMC of MSR_LBR_SELECT has them, the first one inverted. */
#define SELECT_KERNEL		0x1	/* record branches into the kernel as well */
#define SELECT_NOT_USER		0x2

#define DEBUGCTL_LBR		0x1

#define CTL_ON			0x1
#define CTL_OS			0x2
#define CTL_USR			0x4
#define CTL_ALL_KINDS		0x7f0000

static const struct reg *find_named(const struct pmu *pmu, size_t i, const char *end)
{
	char name[32];
	size_t k;

	snprintf(name, sizeof(name), "LASTBRANCH_%zu_%s", i, end);
	for (k = 0; k < pmu->npmds; k++)
		if (!strcmp(pmu->pmds[k].name, name))
			return &pmu->pmds[k];
	return NULL;
}

static void find_records(const struct pmu *pmu, struct branch_registers *found)
{
	const struct reg *from, *to;

	for (found->n = 0; found->n < MAX_BRANCHES; found->n++) {
		from = find_named(pmu, found->n, "FROM_IP");
		to = find_named(pmu, found->n, "TO_IP");
		if (!from || !to)
			break;
		found->from[found->n] = from->num;
		found->to[found->n] = to->num;
	}
}

static void add_control(struct branch_registers *found, const struct reg *pmc, uint64_t value)
{
	found->pmc[found->npmcs].num = pmc->num;
	found->pmc[found->npmcs++].value = value;
}

/* Kinds that the register does not know are reserved; such a processor records them all. */
static uint64_t ctl_value(const struct reg *ctl, unsigned int levels)
{
	return (CTL_ON | CTL_ALL_KINDS | (levels & LEVEL_KERNEL ? CTL_OS : 0) |
		(levels & LEVEL_USER ? CTL_USR : 0)) & ~ctl->rsvd_mask;
}

bool branches_find(const struct pmu *pmu, unsigned int levels, struct branch_registers *found,
		   struct problem *why)
{
	const struct reg *select = reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_MSR, MSR_LBR_SELECT);
	const struct reg *debug = reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_MSR, MSR_DEBUGCTL);
	const struct reg *ctl = reg_at(pmu->pmcs, pmu->npmcs, PFM_REG_TYPE_MSR, MSR_LBR_CTL);

	memset(found, 0, sizeof(*found));
	find_records(pmu, found);
	if (found->n && ctl) {
		add_control(found, ctl, ctl_value(ctl, levels));
		return true;
	}
	if (found->n && select && debug) {
		add_control(found, select, (levels & LEVEL_KERNEL ? SELECT_KERNEL : 0) |
					   (levels & LEVEL_USER ? 0 : SELECT_NOT_USER));
		add_control(found, debug, DEBUGCTL_LBR);
		return true;
	}
	problem(why, "-b: this PMU (%s) has no records of branches that perfmon can use",
		*pmu->model ? pmu->model : "of an unknown model");
	return problem_hint(why, "They are last branch records, which Intel's processors since Nehalem have; hypervisors\n"
				 "often leave them out. `pfmon info --registers` would show LASTBRANCH_0_FROM_IP.");
}
