// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: all tables of the Itanium processor family. pfmon compiles this file, too.
 */
#include "ita_model.h"
#include "tables.h"

/* Software registers come behind the debug registers. */
#define PFM_ITA_VIRTUAL_PMD	PFM_ITA_NUM_PMCS

static const struct pfm_pmu *ita_build(const struct pfm_table *table, void *space)
{
	const struct pfm_ita_model *model = table->data;

	return model->pmu;
}

#define TABLE(_name, _model, _data)						\
	{									\
		.name = (_name), .model = (_model), .build = ita_build,		\
		.data = &(_data), .virtual_pmd = PFM_ITA_VIRTUAL_PMD,		\
	}

static const struct pfm_table ita_tables[] = {
	TABLE("itanium", "Intel Itanium", pfm_itanium),
	TABLE("itanium2", "Intel Itanium 2", pfm_itanium2),
	TABLE("montecito", "Intel Itanium 2 Montecito", pfm_montecito),
	{ }
};

const struct pfm_table * const pfm_ita_tables[] = { ita_tables, NULL };
