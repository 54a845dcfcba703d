// SPDX-License-Identifier: GPL-2.0
/*
 * POWER's events by name: libpfm4's tables of all three processors, on any guest, and pfmon's
 * assignment of them. pfmon/unit_power.c tests the way from a code to the registers.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness.h"
#include "../../tools/lib/events/assign.h"
#include "../../tools/lib/events/list.h"
#include "../../tools/lib/events/plan.h"
#include "../../tools/lib/pmu/libpfm.h"
#include "../../tools/pfmon/info/tables.h"

#define USR	(1ULL << 16)
#define OS	(1ULL << 17)

static const char *const models[] = { "power8", "power9", "power10" };

static const struct rights all_rights = { .levels = LEVEL_ALL };
static const struct rights user_rights = { .levels = LEVEL_USER };

static struct problem why;
static struct events events;
static struct pmu pmu;

/* This is real hardware: the guest's PMU would refuse events that it does not model. */
static void use(const char *model)
{
	setenv("LIBPFM_FORCE_PMU", model, 1);
	setenv("PFMON_EMULATED", "0", 1);
	if (!table_read(&pmu, model, &why) || !pmu_find_names(&pmu, &why))
		FAIL("%s", why.what);
	CHECK_STREQ(pmu.events, model);
}

static void add(const char *list)
{
	if (!events_add(&events, &pmu, &all_rights, list, &why))
		FAIL("%s: %s", list, why.what);
}

static void refused(const char *list, const char *reason)
{
	if (events_add(&events, &pmu, &all_rights, list, &why))
		FAIL("%s is accepted", list);
	if (!strstr(why.what, reason))
		FAIL("%s: %s", list, why.what);
}

/* The value of the control register of the last event's counter. */
static void writes(const char *name, unsigned int pmc, uint64_t value)
{
	struct plan plan;

	memset(&events, 0, sizeof(events));
	add(name);
	CHECK(assign_sets(&events, &pmu, &why));
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.npmcs, 1);
	CHECK_EQ(plan.pmcs[0].reg_num, pmc);
	CHECK_EQ(plan.pmcs[0].reg_value, value);
	CHECK_EQ(plan.npmds, 1);
	CHECK_EQ(plan.pmds[0].reg_num, pmc);
}

/* The codes are 0x40060 and 0x1002e. */
TEST(a_name_becomes_its_counters_control_register)
{
	use("power8");
	writes("PM_BR_CMPL:u", 3, USR | 0x060);
	writes("PM_LD_CMPL:k", 0, OS | 0x02e);
}

/* 0x4d05e and 0x44054. */
TEST(a_unit_goes_with_it)
{
	use("power9");
	writes("PM_BR_CMPL:u", 3, USR | 0xd5e);
	writes("PM_VECTOR_LD_CMPL", 3, USR | OS | 0x454);
	writes("power9::PM_BR_CMPL:u:k", 3, USR | OS | 0xd5e);
}

TEST(power10_has_them_too)
{
	use("power10");
	writes("pm_br_cmpl:u", 3, USR | 0xd5e);
	writes("PM_CYC:u", 0, USR | 0x1e);
}

TEST(short_names_stand_for_events_of_all_three)
{
	static const enum event_kind kinds[] = {
		KIND_CYCLES, KIND_INSTRUCTIONS, KIND_BRANCHES, KIND_BRANCH_MISSES,
		KIND_OTHER, KIND_OTHER
	};
	size_t m, i;

	for (m = 0; m < COUNT(models); m++) {
		pid_t child = fork();
		int status;

		CHECK_OK(child);
		if (!child) {
			use(models[m]);
			add("cycles,instructions,branches,branch-misses,loads,stores");
			CHECK_EQ(events.n, COUNT(kinds));
			for (i = 0; i < events.n; i++)
				CHECK_EQ(events.event[i].kind, kinds[i]);
			_exit(0);
		}
		CHECK_EQ(waitpid(child, &status, 0), child);
		CHECK_EQ(status, 0);
	}
}

TEST(modifiers_choose_the_level)
{
	use("power9");
	add("cycles:u,cycles:k,cycles:k:u,cycles");
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_EQ(events.event[1].levels, LEVEL_KERNEL);
	CHECK_EQ(events.event[2].levels, LEVEL_ALL);
	CHECK_EQ(events.event[3].levels, LEVEL_ALL);
	CHECK_STREQ(events.event[0].full, "power9::PM_CYC:k=0:u=1");
}

TEST(without_rights_an_event_is_lowered_to_user_level)
{
	use("power9");
	CHECK(events_add(&events, &pmu, &user_rights, "cycles", &why));
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_STREQ(events.event[0].name, "cycles:u");
	CHECK(events.lowered);
	CHECK(!events_add(&events, &pmu, &user_rights, "cycles:k", &why));
}

TEST(other_modifiers_are_refused)
{
	use("power9");
	refused("PM_CYC:h", "no such modifier");
	refused("PM_CYC:u:", "no such modifier");
	refused("PM_CYC:MASK", "no such modifier");
}

TEST(an_unknown_event_is_named_with_near_ones)
{
	use("power9");
	refused("PM_BR_CPML", "no event 'PM_BR_CPML'");
	CHECK(strstr(why.hint, "PM_BR_CMPL"));
}

TEST(an_event_that_needs_a_shared_register_is_refused)
{
	use("power9");
	refused("PM_MRK_INST_CMPL", "registers that all counters share");
	CHECK(strstr(why.hint, "pmcN="));
}

TEST(cycles_and_instructions_move_to_any_counter)
{
	use("power9");
	add("PM_LD_REF_L1,PM_ST_CMPL,cycles,instructions:u,PM_RUN_CYC,PM_RUN_INST_CMPL");
	CHECK(assign_counters(&events, &pmu, &why));
	add("PM_BR_CMPL");
	CHECK(!assign_counters(&events, &pmu, &why));
	CHECK(strstr(why.what, "does not fit"));
}

/* Of the default set, the events that need PMC4 as well are left out. */
TEST(the_default_set_uses_the_counters_with_built_in_events)
{
	static const char *const names[] = {
		"PM_RUN_CYC", "PM_RUN_INST_CMPL", "branches", "stores"
	};
	size_t i;

	use("power9");
	CHECK(events_add_default(&events, &pmu, &all_rights, &why));
	CHECK_EQ(events.n, COUNT(names));
	for (i = 0; i < events.n; i++)
		CHECK_STREQ(events.event[i].name, names[i]);
	CHECK(assign_counters(&events, &pmu, &why));
	CHECK_EQ(events.event[0].counter, 5);
	CHECK_EQ(events.event[1].counter, 4);
}

/*
 * The number of @model's events that can be counted; each other event has a message that states why
 * not.
 */
static void check_all(const char *model, unsigned int countable)
{
	struct libpfm_item event;
	struct encoding encoding;
	unsigned int n = 0;
	int id = -1;

	use(model);
	for (; libpfm_next_event(id, &event); id = event.id) {
		if (pmu.arch->encode(&pmu, event.name, LEVEL_ALL, &encoding, &why)) {
			CHECK(pmu.arch->event_counters(&pmu, encoding.code));
			n++;
		} else if (!strstr(why.what, "registers that all counters share")) {
			FAIL("%s: %s", event.name, why.what);
		}
	}
	CHECK_EQ(n, countable);
}

TEST(all_of_power8s_events_count_or_say_why_not)
{
	check_all("power8", 661);
}

TEST(all_of_power9s_events_count_or_say_why_not)
{
	check_all("power9", 786);
}

TEST(all_of_power10s_events_count_or_say_why_not)
{
	check_all("power10", 231);
}
