// SPDX-License-Identifier: GPL-2.0
/* Reading the PMU's description from the kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "pmu/pmu.h"

/* Read the properties of a register that only sysfs has. */
static void read_sysfs(struct reg *reg, const char *kind)
{
	char path[64];
	uint64_t width;

	snprintf(path, sizeof(path), "pmu/%s%u/width", kind, reg->num);
	if (!perfmon_sysfs_u64(path, &width))
		reg->width = (unsigned int)width;
	snprintf(path, sizeof(path), "pmu/%s%u/name", kind, reg->num);
	if (perfmon_sysfs_read(path, reg->name, sizeof(reg->name)))
		snprintf(reg->name, sizeof(reg->name), "%s%u",
			 !strcmp(kind, "pmc") ? "PMC" : "PMD", reg->num);
}

/* PFM_GETINFO_PMCS and _PMDS have elements of one layout. */
_Static_assert(sizeof(pfarg_pmcinfo_t) == sizeof(pfarg_pmdinfo_t), "one layout");

static struct reg *read_registers(int cmd, const perfmon_word_t *implemented,
				  unsigned int max, size_t *count)
{
	const char *kind = cmd == PFM_GETINFO_PMCS ? "pmc" : "pmd";
	const unsigned int n = perfmon_bv_count(implemented, max);
	pfarg_pmcinfo_t *info = xcalloc(n, sizeof(*info));
	struct reg *regs = xcalloc(n, sizeof(*regs));
	unsigned int num, i = 0;
	int error;

	*count = n;
	perfmon_bv_for_each(num, implemented, max)
		info[i++].reg_num = (__u16)num;
	if (n && (cmd == PFM_GETINFO_PMCS ?
			  perfmon_getinfo_pmcs(info, (int)n) :
			  perfmon_getinfo_pmds((pfarg_pmdinfo_t *)info, (int)n))) {
		error = errno;
		free(info);
		free(regs);
		errno = error;
		return NULL;
	}
	for (i = 0; i < n; i++) {
		regs[i].num = info[i].reg_num;
		regs[i].type = info[i].reg_type;
		regs[i].index = info[i].reg_index;
		regs[i].def_value = info[i].reg_def_value;
		regs[i].rsvd_mask = info[i].reg_rsvd_mask;
		read_sysfs(&regs[i], kind);
	}
	free(info);
	return regs;
}

/* Find the architecture whose rules the registers follow. */
static void find_arch(struct pmu *pmu)
{
	static const struct pmu_arch *const archs[] = {
		&pmu_soft, &pmu_x86, &pmu_power, &pmu_other
	};
	size_t i;

	for (i = 0; !archs[i]->find_counters(pmu); i++)
		; /* the last one takes all */
	pmu->arch = archs[i];
}

bool pmu_read(struct pmu *pmu, struct problem *why)
{
	memset(pmu, 0, sizeof(*pmu));
	if (perfmon_get_config(&pmu->config))
		return explain(why, PFM_GET_CONFIG, errno, NULL, 0);
	pmu->width = pmu->config.cf_counter_width;

	pmu->pmcs = read_registers(PFM_GETINFO_PMCS, pmu->config.cf_impl_pmcs, PFM_MAX_PMCS,
				   &pmu->npmcs);
	if (!pmu->pmcs)
		return explain(why, PFM_GETINFO_PMCS, errno, NULL, 0);
	pmu->pmds = read_registers(PFM_GETINFO_PMDS, pmu->config.cf_impl_pmds, PFM_MAX_PMDS,
				   &pmu->npmds);
	if (!pmu->pmds) {
		explain(why, PFM_GETINFO_PMDS, errno, NULL, 0);
		pmu_free(pmu);
		return false;
	}
	if (perfmon_sysfs_read("pmu/model", pmu->model, sizeof(pmu->model)))
		pmu->model[0] = '\0';
	core_types_read(&pmu->cores);
	find_arch(pmu);
	return true;
}

void pmu_from_registers(struct pmu *pmu, const char *model, const struct reg *pmcs,
			size_t npmcs, const struct reg *pmds, size_t npmds)
{
	memset(pmu, 0, sizeof(*pmu));
	snprintf(pmu->model, sizeof(pmu->model), "%s", model);
	pmu->pmcs = xcalloc(npmcs, sizeof(*pmcs));
	pmu->pmds = xcalloc(npmds, sizeof(*pmds));
	memcpy(pmu->pmcs, pmcs, npmcs * sizeof(*pmcs));
	memcpy(pmu->pmds, pmds, npmds * sizeof(*pmds));
	pmu->npmcs = npmcs;
	pmu->npmds = npmds;
	find_arch(pmu);
}

void pmu_free(struct pmu *pmu)
{
	free(pmu->pmcs);
	free(pmu->pmds);
	memset(pmu, 0, sizeof(*pmu));
}

bool pmu_find_names(struct pmu *pmu, struct problem *why)
{
	struct event_names names;

	if (!pmu->arch->names(pmu, &names, why))
		return false;
	snprintf(pmu->events, sizeof(pmu->events), "%s", names.pmu);
	return true;
}
