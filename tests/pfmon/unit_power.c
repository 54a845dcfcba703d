// SPDX-License-Identifier: GPL-2.0
/*
 * POWER's events, from their codes to the counters' control registers. Names are libpfm4's, which
 * has POWER's names only if it was compiled for POWER: see tests/ppc64le/events.c.
 */
#include <stdlib.h>

#include "../harness.h"
#include "../../tools/lib/events/assign.h"
#include "../../tools/lib/events/list.h"
#include "../../tools/lib/events/plan.h"
#include "../../tools/lib/pmu/emulated.h"
#include "../../tools/lib/pmu/power_codes.h"
#include "../../tools/pfmon/info/tables.h"

#define USR	(1ULL << 16)
#define OS	(1ULL << 17)

static const struct rights all_rights = { .levels = LEVEL_ALL };
static const struct rights user_rights = { .levels = LEVEL_USER };

static struct problem why;
static struct events events;
static struct pmu pmu;

/* The tests end without freeing their memory: for the address sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static void use(const char *model)
{
	if (!table_read(&pmu, model, &why))
		FAIL("%s", why.what);
}

static bool add(const char *list, const struct rights *rights)
{
	return events_add(&events, &pmu, rights, list, &why);
}

/* The control register @pmc for the raw code that its counter's value @value becomes. */
static uint64_t there_and_back(unsigned int pmc, uint64_t value)
{
	const struct counter *counter = &pmu.counters[pmc];

	CHECK_EQ(counter->pmc, pmc);
	return pmu.arch->program(&pmu, counter, pmu.arch->raw_code(&pmu, counter, value), 0);
}

TEST(a_power_has_four_counters_with_events_and_two_without)
{
	static const char *const models[] = { "power8", "power9", "power10" };
	unsigned int i, m;

	for (m = 0; m < COUNT(models); m++) {
		use(models[m]);
		CHECK(pmu.arch == &pmu_power);
		CHECK_EQ(pmu.ncounters, 6);
		for (i = 0; i < 6; i++) {
			CHECK_EQ(pmu.counters[i].pmc, i);
			CHECK_EQ(pmu.counters[i].pmd, i);
			CHECK_EQ(pmu.counters[i].fixed, i > 3);
		}
	}
}

TEST(no_other_architecture_is_taken_for_power)
{
	use("itanium2");
	CHECK(pmu.arch == &pmu_other);
	use("skylake");
	CHECK(pmu.arch == &pmu_x86);
}

TEST(one_event_has_one_code_whatever_counter_it_is_named_for)
{
	CHECK_EQ(power_code_unify(0x1001e), 0x1e);
	CHECK_EQ(power_code_unify(0x4001e), 0x1e);
	CHECK_EQ(power_code_unify(0x100f0), 0x1e);
	CHECK_EQ(power_code_unify(0x30002), 0x2);
	CHECK_EQ(power_code_unify(0x100fe), 0x2);
	CHECK_EQ(power_code_unify(0x600f4), 0x200f4);
	CHECK_EQ(power_code_unify(0x500fa), 0x400fa);
}

TEST(the_same_event_field_on_another_counter_or_unit_is_another_event)
{
	CHECK_EQ(power_code_unify(0x200f0), 0x200f0);
	CHECK_EQ(power_code_unify(0x100f4), 0x100f4);
	CHECK_EQ(power_code_unify(0x1d01e), 0x1d01e);
	CHECK_EQ(power_code_unify(0x5001e), 0x5001e);
	CHECK_EQ(power_code_unify(0x4d05e), 0x4d05e);
}

TEST(an_event_is_counted_where_its_code_says)
{
	CHECK_EQ(power_code_counters(0x4d05e), 0x08);
	CHECK_EQ(power_code_counters(0x00054), 0x0f);
	CHECK_EQ(power_code_counters(0x0001e), 0x0f);
	CHECK_EQ(power_code_counters(0x200f4), 0x22);
	CHECK_EQ(power_code_counters(0x400fa), 0x18);
	CHECK_EQ(power_code_counters(0x700fa), 0);
}

TEST(fields_of_a_control_register_come_through)
{
	use("power9");
	CHECK_EQ(there_and_back(3, USR | 0xd5e), USR | 0xd5e);
	CHECK_EQ(there_and_back(0, OS | 0x3054), OS | 0x3054);
	CHECK_EQ(there_and_back(2, USR | OS | 0x1fff), USR | OS | 0x1fff);
	use("power8");
	CHECK_EQ(there_and_back(1, USR | 0x1fff), USR | 0x1fff);
	use("power10");
	CHECK_EQ(there_and_back(1, USR | 0x2fff), USR | 0x2fff);
}

/* POWER9 has two bits for it, 11 and 10 of the code, POWER8 the upper one. */
TEST(the_combine_field_is_where_the_processor_has_it)
{
	use("power9");
	CHECK_EQ(pmu.arch->raw_code(&pmu, &pmu.counters[0], 0x1054) & POWER_CODE_COMBINE, 0x400);
	CHECK_EQ(pmu.arch->raw_code(&pmu, &pmu.counters[0], 0x2054) & POWER_CODE_COMBINE, 0x800);
	use("power8");
	CHECK_EQ(pmu.arch->raw_code(&pmu, &pmu.counters[0], 0x1054) & POWER_CODE_COMBINE, 0x800);
}

TEST(counters_with_a_built_in_event_are_told_the_level_only)
{
	const uint64_t code = 0x200f4 | 1ULL << 62;

	use("power9");
	CHECK_EQ(pmu.arch->program(&pmu, &pmu.counters[1], code, 0), USR | 0xf4);
	CHECK_EQ(pmu.arch->program(&pmu, &pmu.counters[5], code, 0), USR);
}

TEST(raw_values_are_events_with_their_levels)
{
	use("power9");
	CHECK(add("pmc0=0x1001e,pmc3=0x30d5e,pmc4=0x20000", &all_rights));
	CHECK_EQ(events.n, 3);
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_EQ(events.event[0].kind, KIND_CYCLES);
	CHECK_EQ(events.event[0].counters, 0x01);
	CHECK_EQ(events.event[1].levels, LEVEL_ALL);
	CHECK_EQ(events.event[1].kind, KIND_BRANCHES);
	CHECK_EQ(events.event[1].counters, 0x08);
	CHECK_EQ(events.event[2].levels, LEVEL_KERNEL);
	CHECK_EQ(events.event[2].counters, 0x10);
}

TEST(a_raw_value_is_written_as_it_is)
{
	struct plan plan;

	use("power9");
	CHECK(add("pmc3=0x10d5e,pmc9=0x20", &all_rights));
	CHECK(assign_sets(&events, &pmu, &why));
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.npmcs, 2);
	CHECK_EQ(plan.pmcs[0].reg_num + plan.pmcs[1].reg_num, 12);
	CHECK_EQ(plan.npmds, 1);
	CHECK_EQ(plan.pmds[0].reg_num, 3);
}

TEST(a_raw_value_that_counts_nothing_is_refused)
{
	use("power9");
	CHECK(!add("pmc0=0x10000", &all_rights)); /* no event */
	CHECK(strstr(why.what, "counts nothing"));
	CHECK(strstr(why.hint, "POWER"));
	CHECK(!add("pmc1=0x1e", &all_rights)); /* no level */
	CHECK(strstr(why.what, "counts nothing"));
	CHECK(!add("pmc5=0", &all_rights));
}

TEST(a_raw_value_at_kernel_level_needs_the_right)
{
	use("power9");
	CHECK(!add("pmc4=0x20000", &user_rights));
	CHECK(strstr(why.what, "may not count at kernel level"));
	CHECK(add("pmc4=0x10000", &user_rights));
}

TEST(the_emulated_pmu_models_cycles_and_instructions)
{
	setenv("PFMON_EMULATED", "power", 1);
	CHECK(emulated_pmu());
	CHECK(!emulated_refusal(0x1001e));
	CHECK(!emulated_refusal(0x100fe));
	CHECK(!emulated_refusal(0x400fa));
	CHECK(!emulated_refusal(0x600f4));
	CHECK(emulated_refusal(0x4d05e));
	use("power9");
	CHECK(add("pmc1=0x100f4,pmc0=0x100f0", &all_rights));
	CHECK(!add("pmc3=0x10d5e", &all_rights));
	CHECK(strstr(why.what, "does not model"));
}
