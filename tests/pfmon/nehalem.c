// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "../harness.h"
#include "../../tools/lib/pmu/libpfm.h"
#include "../../tools/pfmon/info/tables.h"
#include "nehalem.h"

#define SELECT_RESERVED	0xffffffff00380000ULL	/* PC, INT, AnyThread, the upper half */
#define SELECT_DEFAULT	(1ULL << 20)

/* The tests end without freeing their memory: for the address sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static struct reg make(unsigned int num, uint64_t msr, uint64_t def, uint64_t rsvd)
{
	struct reg reg = { .num = num, .type = PFM_REG_TYPE_MSR, .index = msr,
			   .def_value = def, .rsvd_mask = rsvd };

	snprintf(reg.name, sizeof(reg.name), "REG_%llx", (unsigned long long)msr);
	return reg;
}

static void use_libpfm(struct pmu *pmu, const char *model)
{
	struct libpfm_pmu libpfm;
	struct problem why;

	setenv("LIBPFM_FORCE_PMU", model, 1);
	if (!libpfm_open(&libpfm, &why))
		FAIL("%s", why.what);
	snprintf(pmu->events, sizeof(pmu->events), "%s", libpfm.name);
}

void nehalem_pmu(struct pmu *pmu)
{
	struct reg pmcs[5], pmds[7];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		pmcs[i] = make(NHM_PMC(i), 0x186 + i, SELECT_DEFAULT, SELECT_RESERVED);
		pmds[i] = make(NHM_PMD(i), 0xc1 + i, 0, 0);
	}
	pmcs[4] = make(NHM_FIXED_CTRL, 0x38d, 0x888, ~0x333ULL);
	for (i = 0; i < 3; i++)
		pmds[4 + i] = make(NHM_FIXED_PMD(i), 0x309 + i, 0, 0);
	pmu_from_registers(pmu, "", pmcs, 5, pmds, 7);
	use_libpfm(pmu, "nhm");
}

void small_pmu(struct pmu *pmu, unsigned int general)
{
	struct reg pmcs[MAX_COUNTERS], pmds[MAX_COUNTERS];
	unsigned int i;

	for (i = 0; i < general; i++) {
		pmcs[i] = make(i, 0x186 + i, SELECT_DEFAULT, SELECT_RESERVED);
		pmds[i] = make(i, 0xc1 + i, 0, 0);
	}
	pmu_from_registers(pmu, "", pmcs, general, pmds, general);
	use_libpfm(pmu, "nhm");
}

void amd_pmu(struct pmu *pmu)
{
	struct reg pmcs[6], pmds[6];
	unsigned int i;

	for (i = 0; i < 6; i++) {
		pmcs[i] = make(i, 0xc0010200 + 2 * i, SELECT_DEFAULT, 0xfffffff000380000);
		pmds[i] = make(i, 0xc0010201 + 2 * i, 0, 0);
	}
	pmu_from_registers(pmu, "", pmcs, 6, pmds, 6);
	use_libpfm(pmu, "amd64_fam19h_zen4");
}

void table_pmu(struct pmu *pmu, const char *table, const char *model)
{
	struct problem why;

	if (!table_read(pmu, table, &why))
		FAIL("%s", why.what);
	use_libpfm(pmu, model);
}
