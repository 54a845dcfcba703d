// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of all tables of PMUs, whatever the architecture: they are data.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../../../arch/ia64/perfmon/tables.h"
#include "../../../arch/powerpc/perfmon/tables.h"
#include "../../../arch/x86/perfmon/tables.h"
#include "../soft.h"

static const struct pfm_table * const software[] = { pfm_soft_tables, NULL };

static const struct pfm_table * const * const archs[] = {
#ifdef CONFIG_X86
	pfm_x86_tables,
#endif
	pfm_powerpc_tables, pfm_ita_tables,
#ifdef CONFIG_PERFMON_SOFT
	software,
#endif
	NULL
};

/* Visit all tables. */
#define for_each_table(arch, family, table)					\
	for ((arch) = archs; *(arch); (arch)++)					\
		for ((family) = *(arch); *(family); (family)++)			\
			for ((table) = *(family); (table)->name; (table)++)

static const struct pfm_pmu *build(struct kunit *test, const struct pfm_table *table)
{
	void *space = kunit_kzalloc(test, table->size ?: 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, space);
	return table->build(table, space);
}

static void every_table_is_valid(struct kunit *test)
{
	const struct pfm_table * const * const *arch, * const *family;
	const struct pfm_table *table;
	const char *what, *where;
	unsigned int n = 0;

	for_each_table(arch, family, table) {
		what = pfm_pmu_mistake(build(test, table), &where);
		KUNIT_EXPECT_NULL_MSG(test, what, "%s: %s: %s", table->name, where, what);
		n++;
	}
	KUNIT_EXPECT_GE(test, n, 7U);
}

static void every_table_has_counters_as_wide_as_it_says(struct kunit *test)
{
	const struct pfm_table * const * const *arch, * const *family;
	const struct pfm_table *table;
	const struct pfm_pmu *pmu;
	unsigned int i, n;

	for_each_table(arch, family, table) {
		pmu = build(test, table);
		for (i = 0, n = 0; i < pmu->num_pmds; i++)
			n += pmu->pmds[i].name && pmu->pmds[i].cls == PFM_CLASS_COUNTER &&
			     pmu->pmds[i].width == pmu->counter_width;
		KUNIT_EXPECT_GE_MSG(test, n, 2U, table->name);
	}
}

/* pfmon's name of a model is the name that the kernel reports on it. */
static void every_table_is_called_by_its_model(struct kunit *test)
{
	const struct pfm_table * const * const *arch, * const *family;
	const struct pfm_table *table;

	for_each_table(arch, family, table)
		KUNIT_EXPECT_STREQ(test, build(test, table)->name, table->model);
}

static void names_are_unique(struct kunit *test)
{
	const struct pfm_table * const * const *a1, * const * const *a2, * const *f1, * const *f2;
	const struct pfm_table *t1, *t2;

	for_each_table(a1, f1, t1) {
		for_each_table(a2, f2, t2)
			KUNIT_EXPECT_TRUE_MSG(test, t1 == t2 || strcmp(t1->name, t2->name),
					      t1->name);
	}
}

static struct kunit_case pfm_tables_cases[] = {
	KUNIT_CASE(every_table_is_valid),
	KUNIT_CASE(every_table_has_counters_as_wide_as_it_says),
	KUNIT_CASE(every_table_is_called_by_its_model),
	KUNIT_CASE(names_are_unique),
	{ }
};

static struct kunit_suite pfm_tables_suite = {
	.name = "perfmon_tables",
	.test_cases = pfm_tables_cases,
};

kunit_test_suite(pfm_tables_suite);
