// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the choice of the PMU.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>
#include "bank.h"
#include "pmu.h"
#include "pmu_register.h"
#include "set_list.h"

/* perfmon.pmu= on the kernel's command line; without it the first PMU that registers. */
static char *pfm_pmu_choice;
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "perfmon."
module_param_named(pmu, pfm_pmu_choice, charp, 0444);

static bool __init pfm_pmu_is_chosen(const struct pfm_pmu *pmu)
{
	if (!pfm_pmu_choice)
		return true;
	if (!strcmp(pfm_pmu_choice, "soft"))
		return pmu->software;
	if (strcmp(pfm_pmu_choice, "none"))
		pr_err("no %s PMU: perfmon.pmu=%s: there is soft, and none\n", pmu->name,
		       pfm_pmu_choice);
	return false;
}

static void pfm_pmu_install(const struct pfm_pmu *pmu)
{
	pfm_pmu_set(pmu);
	pfm_banks_set(pmu);
	pfm_sets_set_pmu();
}

#ifdef CONFIG_PERFMON_KUNIT_TEST
bool pfm_pmu_modelled;

/**
 * pfm_pmu_use() - Work with another PMU, for tests of the core on a model of it.
 * @pmu: the PMU
 *
 * Context: boot; there is no context.
 *
 * Return: the previous PMU.
 */
const struct pfm_pmu *pfm_pmu_use(const struct pfm_pmu *pmu)
{
	static const struct pfm_pmu *own;
	const struct pfm_pmu *before = pfm_pmu;

	if (!own)
		own = before;
	WRITE_ONCE(pfm_pmu_modelled, pmu != own);
	pfm_pmu_install(pmu);
	return before;
}
#endif

/**
 * pfm_pmu_register() - Register the PMU of this machine.
 * @pmu: the table; stays for ever
 *
 * Context: boot, before user space.
 *
 * Return: 0; -EINVAL when the table is wrong, -EBUSY when there is one already or
 * the kernel's command line wants another.
 */
int __init pfm_pmu_register(const struct pfm_pmu *pmu)
{
	int err;

	if (pfm_pmu_is_known() || !pfm_pmu_is_chosen(pmu))
		return -EBUSY;
	err = pfm_pmu_validate(pmu);
	if (err)
		return err;
	pfm_pmu_install(pmu);
	pr_info("%s PMU, %u-bit counters\n", pmu->name, pmu->counter_width);
	return 0;
}

/**
 * pfm_pmu_unregister() - Undo pfm_pmu_register(): the PMU's driver goes, and perfmon with it.
 *
 * Context: may sleep; there is no context, nor will there be one.
 */
void __exit pfm_pmu_unregister(void)
{
	pfm_sets_forget_pmu();
}
