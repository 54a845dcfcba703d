// SPDX-License-Identifier: GPL-2.0
/* The description of the PMU, as from the kernel's commands and files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "perf/context.h"

/* The smallest that the interface allows; this backend has no limit of its own. */
#define ARG_SIZE	4096
#define BUFFER_MAX	(1UL << 26)

int perf_get_config(pfarg_config_t *arg)
{
	const struct perf_pmu *pmu = perf_pmu();
	unsigned int i;

	if (!pmu)
		return -1;
	memset(arg, 0, sizeof(*arg));
	arg->cf_version = PFM_VERSION;
	for (i = 0; i < PERF_REGS; i++) {
		if (pmu->pmc[i].name)
			perfmon_bv_set(arg->cf_impl_pmcs, i);
		if (pmu->pmd[i].name)
			perfmon_bv_set(arg->cf_impl_pmds, i);
	}
	arg->cf_sys_gid = arg->cf_thread_gid = PFM_GROUP_ANY;
	arg->cf_arg_size_max = ARG_SIZE;
	arg->cf_smpl_buf_size_max = BUFFER_MAX;
	arg->cf_counter_width = (__u16)pmu->width;
	return 0;
}

/* PFM_GETINFO_PMCS and _PMDS have elements of one layout. */
_Static_assert(sizeof(pfarg_pmcinfo_t) == sizeof(pfarg_pmdinfo_t), "one layout");

static int getinfo(const struct perf_reg *regs, pfarg_pmcinfo_t *arg, int narg)
{
	const struct perf_reg *reg;
	int i;

	for (i = 0; i < narg; i++) {
		reg = arg[i].reg_num < PERF_REGS ? &regs[arg[i].reg_num] : NULL;
		if (!reg || !reg->name) {
			arg[i].reg_flags = PFM_REG_RETFL_NOTAVAIL;
			errno = EINVAL;
			return -1;
		}
		arg[i].reg_type = (__u16)reg->type;
		arg[i].reg_flags = 0;
		arg[i].reg_def_value = reg->def;
		arg[i].reg_rsvd_mask = reg->rsvd;
		arg[i].reg_index = reg->addr;
	}
	return 0;
}

int perf_getinfo_pmcs(pfarg_pmcinfo_t *arg, int narg)
{
	const struct perf_pmu *pmu = perf_pmu();

	return pmu ? getinfo(pmu->pmc, arg, narg) : -1;
}

int perf_getinfo_pmds(pfarg_pmdinfo_t *arg, int narg)
{
	const struct perf_pmu *pmu = perf_pmu();

	return pmu ? getinfo(pmu->pmd, (pfarg_pmcinfo_t *)arg, narg) : -1;
}

/* pmu/pmc3/name and the like. */
static int register_file(const struct perf_pmu *pmu, const char *name, char *buf, size_t size)
{
	const struct perf_reg *reg;
	unsigned int num;
	char kind, file[16];

	if (sscanf(name, "pmu/pm%c%u/%15s", &kind, &num, file) != 3 || num >= PERF_REGS ||
	    (kind != 'c' && kind != 'd'))
		return 0;
	reg = kind == 'c' ? &pmu->pmc[num] : &pmu->pmd[num];
	if (!reg->name)
		return 0;
	if (!strcmp(file, "name"))
		return snprintf(buf, size, "%s", reg->name);
	if (!strcmp(file, "width"))
		return snprintf(buf, size, "%u", reg->width);
	return 0;
}

int perf_sysfs_read(const char *name, char *buf, size_t size)
{
	const struct perf_pmu *pmu = perf_pmu();
	int n = 0;

	if (!pmu)
		return -1;
	if (!strcmp(name, "pmu/model"))
		n = snprintf(buf, size, "%s", pmu->model);
	else if (!strcmp(name, "pmu/counter_width"))
		n = snprintf(buf, size, "%u", pmu->width);
	else if (!strcmp(name, "limits/switch_timeout_min_ns"))
		n = snprintf(buf, size, "%llu", PERF_TIMEOUT_MIN_NS);
	else
		n = register_file(pmu, name, buf, size);
	if (n > 0)
		return 0;
	errno = ENOENT;
	return -1;
}
