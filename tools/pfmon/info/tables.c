// SPDX-License-Identifier: GPL-2.0
/*
 * The tables are the kernel's own: the same files are compiled into both. Each
 * architecture has a list of families, and each family an array of tables; so has the
 * software PMU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/ia64/perfmon/tables.h"
#include "arch/powerpc/perfmon/tables.h"
#include "arch/x86/perfmon/tables.h"
#include "kernel/perfmon/soft.h"
#include "info/tables.h"
#include "util.h"

static const struct pfm_table *const software[] = { pfm_soft_tables, NULL };
static const struct pfm_table *const *const archs[] = {
	pfm_x86_tables, pfm_powerpc_tables, pfm_ita_tables, software
};

/* The table after @table, or the first one; NULL: there is no other. */
static const struct pfm_table *next_table(const struct pfm_table *table)
{
	const struct pfm_table *const *family;
	const struct pfm_table *t;
	bool found = !table;
	size_t i;

	for (i = 0; i < COUNT(archs); i++) {
		for (family = archs[i]; *family; family++) {
			for (t = *family; t->name; t++) {
				if (found)
					return t;
				found = t == table;
			}
		}
	}
	return NULL;
}

struct table_name *tables_names(void)
{
	const struct pfm_table *table = NULL;
	struct table_name *names = NULL;
	size_t n = 0, room = 0;

	do {
		table = next_table(table);
		GROW(names, n, room);
		names[n].name = table ? table->name : NULL;
		names[n++].model = table ? table->model : NULL;
	} while (table);
	return names;
}

static size_t add_registers(struct reg *regs, const char *kind,
			    const struct pfm_reg_desc *desc, size_t ndesc, unsigned int first)
{
	size_t i, n = 0;

	for (i = 0; i < ndesc; i++) {
		if (!desc[i].name)
			continue;
		regs[n].num = first + (unsigned int)i;
		regs[n].type = desc[i].type;
		regs[n].index = desc[i].addr;
		regs[n].def_value = desc[i].def;
		regs[n].rsvd_mask = desc[i].rsvd;
		regs[n].width = desc[i].width;
		if (snprintf(regs[n].name, sizeof(regs[n].name), "%s", desc[i].name) >=
		    (int)sizeof(regs[n].name))
			complain("the name of %s%u is cut off", kind, regs[n].num);
		n++;
	}
	return n;
}

static void convert(struct pmu *pmu, const struct pfm_table *table, const struct pfm_pmu *desc)
{
	struct reg *pmcs = xcalloc(desc->num_pmcs, sizeof(*pmcs));
	struct reg *pmds = xcalloc(desc->num_pmds + PFM_NUM_VIRTUAL_PMDS, sizeof(*pmds));
	size_t npmcs = add_registers(pmcs, "PMC", desc->pmcs, desc->num_pmcs, 0);
	size_t npmds = add_registers(pmds, "PMD", desc->pmds, desc->num_pmds, 0);

	npmds += add_registers(pmds + npmds, "PMD", pfm_virtual_pmds, PFM_NUM_VIRTUAL_PMDS,
			       table->virtual_pmd ? table->virtual_pmd : PFM_VIRTUAL_PMD);
	pmu_from_registers(pmu, desc->name, pmcs, npmcs, pmds, npmds);
	pmu->width = desc->counter_width;
	free(pmcs);
	free(pmds);
}

bool table_read(struct pmu *pmu, const char *name, struct problem *why)
{
	const struct pfm_table *table = NULL;
	void *space;

	do {
		table = next_table(table);
	} while (table && strcmp(table->name, name));
	if (!table) {
		problem(why, "there is no table of a PMU '%s'", name);
		return problem_hint(why, "`pfmon info --pmu list` shows their names.");
	}
	space = table->size ? xcalloc(1, table->size) : NULL;
	convert(pmu, table, table->build(table, space));
	free(space);
	return true;
}
