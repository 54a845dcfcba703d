// SPDX-License-Identifier: GPL-2.0
/* The counter of each event, and the values that are written to the registers for that. */
#include <stdlib.h>

#include "../harness.h"
#include "../../tools/lib/events/assign.h"
#include "../../tools/lib/events/list.h"
#include "../../tools/lib/session/session.h"
#include "nehalem.h"

static const struct rights all_rights = { .levels = LEVEL_ALL };

static struct problem why;

static void add(struct events *events, const struct pmu *pmu, const char *list)
{
	if (!events_add(events, pmu, &all_rights, list, &why))
		FAIL("%s: %s", list, why.what);
}

static void assign(struct events *events, const struct pmu *pmu)
{
	if (!assign_counters(events, pmu, &why))
		FAIL("%s", why.what);
}

static const struct counter *counter_of(const struct events *events,
					const struct pmu *pmu, size_t event)
{
	return &pmu->counters[events->event[event].counter];
}

static const pfarg_pmc_t *planned(const struct plan *plan, unsigned int pmc)
{
	int i;

	for (i = 0; i < plan->npmcs; i++)
		if (plan->pmcs[i].reg_num == pmc)
			return &plan->pmcs[i];
	FAIL("PMC%u is not written", pmc);
}

TEST(counters_are_found_by_the_addresses_of_their_registers)
{
	struct pmu pmu;
	unsigned int i;

	nehalem_pmu(&pmu);
	CHECK_EQ(pmu.ncounters, 7);
	for (i = 0; i < 4; i++) {
		CHECK_EQ(pmu.counters[i].pmc, NHM_PMC(i));
		CHECK_EQ(pmu.counters[i].pmd, NHM_PMD(i));
		CHECK(!pmu.counters[i].fixed);
	}
	for (i = 0; i < 3; i++) {
		CHECK_EQ(pmu.counters[4 + i].pmc, NHM_FIXED_CTRL);
		CHECK_EQ(pmu.counters[4 + i].pmd, NHM_FIXED_PMD(i));
		CHECK(pmu.counters[4 + i].fixed);
	}
}

TEST(registers_without_a_partner_are_no_counters)
{
	const struct reg pmcs[] = {
		{ .num = 0, .type = PFM_REG_TYPE_MSR, .index = 0x186 },
		{ .num = 1, .type = PFM_REG_TYPE_MSR, .index = 0x187 },
		{ .num = 2, .type = PFM_REG_TYPE_SPR, .index = 0x188 },
	};
	const struct reg pmds[] = {
		{ .num = 1, .type = PFM_REG_TYPE_MSR, .index = 0xc2 },
		{ .num = 2, .type = PFM_REG_TYPE_MSR, .index = 0xc3 },
		{ .num = 16, .type = PFM_REG_TYPE_MSR, .index = 0x309 },
	};
	struct pmu pmu;

	pmu_from_registers(&pmu, "", pmcs, 3, pmds, 3);
	CHECK_EQ(pmu.ncounters, 1);
	CHECK_EQ(pmu.counters[0].pmc, 1);
	CHECK_EQ(pmu.counters[0].pmd, 1);
}

TEST(full_width_counter_addresses_are_understood)
{
	const struct reg pmcs[] = { { .num = 0, .type = PFM_REG_TYPE_MSR, .index = 0x186 } };
	const struct reg pmds[] = { { .num = 4, .type = PFM_REG_TYPE_MSR, .index = 0x4c1 } };
	struct pmu pmu;

	pmu_from_registers(&pmu, "", pmcs, 1, pmds, 1);
	CHECK_EQ(pmu.ncounters, 1);
	CHECK_EQ(pmu.counters[0].pmd, 4);
}

TEST(a_foreign_pmu_has_no_counters_that_pfmon_knows)
{
	const struct reg pmcs[] = { { .num = 0, .type = PFM_REG_TYPE_SPR, .index = 0x31b } };
	const struct reg pmds[] = { { .num = 0, .type = PFM_REG_TYPE_SPR, .index = 0x311 } };
	struct events events = { 0 };
	struct pmu pmu;

	pmu_from_registers(&pmu, "", pmcs, 1, pmds, 1);
	CHECK_EQ(pmu.ncounters, 0);
	CHECK(!events_add(&events, &pmu, &all_rights, "cycles", &why));
	CHECK(strstr(why.hint, "pmcN=0x"));
}

TEST(events_with_a_fixed_counter_use_it)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "UNHALTED_CORE_CYCLES,INST_RETIRED:ANY_P,UNHALTED_REFERENCE_CYCLES");
	assign(&events, &pmu);
	CHECK_EQ(counter_of(&events, &pmu, 0)->pmd, NHM_FIXED_PMD(1));
	CHECK_EQ(counter_of(&events, &pmu, 1)->pmd, NHM_FIXED_PMD(0));
	CHECK_EQ(counter_of(&events, &pmu, 2)->pmd, NHM_FIXED_PMD(2));
}

TEST(the_same_event_twice_takes_a_general_counter_too)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "cycles,cycles:u");
	assign(&events, &pmu);
	CHECK_EQ(counter_of(&events, &pmu, 0)->pmd, NHM_FIXED_PMD(1));
	CHECK_EQ(counter_of(&events, &pmu, 1)->pmd, NHM_PMD(0));
}

TEST(modifiers_keep_an_event_off_the_fixed_counters)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "INST_RETIRED:ANY_P:c=1,INST_RETIRED:ANY_P:u");
	assign(&events, &pmu);
	CHECK(!counter_of(&events, &pmu, 0)->fixed);
	CHECK(counter_of(&events, &pmu, 1)->fixed);
}

TEST(the_bus_clock_is_not_the_reference_clock)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "CPU_CLK_UNHALTED:REF_P");
	assign(&events, &pmu);
	CHECK(!counter_of(&events, &pmu, 0)->fixed);
}

TEST(constrained_events_move_others_away)
{
	struct events events = { 0 };
	struct pmu pmu;
	size_t i;

	/* L1D counts on the general counters 0 and 1 only; the other events come first. */
	nehalem_pmu(&pmu);
	add(&events, &pmu, "branches,loads,L1D:REPL,L1D:M_REPL");
	assign(&events, &pmu);
	for (i = 2; i < 4; i++)
		CHECK(counter_of(&events, &pmu, i)->hw <= 1);
	for (i = 0; i < 2; i++)
		CHECK(counter_of(&events, &pmu, i)->hw >= 2);
}

TEST(one_event_too_many_is_named_with_what_is_in_its_way)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "branches,L1D:REPL,L1D:M_REPL,L1D:M_EVICT");
	CHECK(!assign_counters(&events, &pmu, &why));
	CHECK(strstr(why.what, "event L1D:M_EVICT does not fit"));
	CHECK(strstr(why.what, "PMD40 PMD39"));
	CHECK(strstr(why.hint, "L1D:REPL"));
	CHECK(strstr(why.hint, "L1D:M_REPL"));
	CHECK(!strstr(why.hint, "branches"));
}

TEST(five_general_events_do_not_fit_on_four_counters)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "branches,loads,stores,DTLB_MISSES:WALK_COMPLETED");
	assign(&events, &pmu);
	add(&events, &pmu, "ITLB_MISSES:WALK_COMPLETED");
	CHECK(!assign_counters(&events, &pmu, &why));
	CHECK(strstr(why.what, "event ITLB_MISSES:WALK_COMPLETED does not fit"));
	CHECK(strstr(why.hint, "the 4 that can count them"));
}

TEST(a_raw_register_is_shared_with_no_event)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "pmc10=0x4100c4,branches,loads,stores");
	assign(&events, &pmu);
	CHECK_EQ(counter_of(&events, &pmu, 0)->pmd, NHM_PMD(0));
	add(&events, &pmu, "DTLB_MISSES:WALK_COMPLETED");
	CHECK(!assign_counters(&events, &pmu, &why));
}

TEST(a_raw_fixed_control_takes_all_fixed_counters)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "pmc7=0x202,cycles,ref-cycles");
	CHECK_EQ(events.n, 4);
	CHECK_STREQ(events.event[0].name, "pmc7=0x202/pmd5");
	CHECK_STREQ(events.event[1].name, "pmc7=0x202/pmd7");
	CHECK(!assign_counters(&events, &pmu, &why));
	CHECK(strstr(why.what, "ref-cycles does not fit"));
	CHECK(strstr(why.what, "programmed by a raw value"));
}

/* True if there is a way to place events i.. on the remaining counters. */
static bool fits(const uint64_t *masks, size_t n, size_t i, uint64_t left)
{
	unsigned int counter;

	if (i == n)
		return true;
	for (counter = 0; counter < MAX_COUNTERS; counter++)
		if ((masks[i] & left & 1ULL << counter) &&
		    fits(masks, n, i + 1, left & ~(1ULL << counter)))
			return true;
	return false;
}

TEST(assignment_agrees_with_trying_everything)
{
	unsigned int round, fitting = 0, i, j;
	struct pmu pmu;

	small_pmu(&pmu, 6);
	srand(1);
	for (round = 0; round < 3000; round++) {
		struct events events = { 0 };
		uint64_t masks[6];
		const size_t n = 1 + (size_t)rand() % 6;
		bool ok;

		for (i = 0; i < n; i++) {
			masks[i] = (uint64_t)(rand() & rand() & 0x3f);
			events_append(&events, &(struct event){ .name = strdup("e"),
								.full = strdup("e"),
								.counters = masks[i] });
		}
		ok = assign_counters(&events, &pmu, &why);
		CHECK_EQ(ok, fits(masks, n, 0, 0x3f));
		fitting += ok;
		for (i = 0; ok && i < n; i++) {
			CHECK(masks[i] & 1ULL << events.event[i].counter);
			for (j = 0; j < i; j++)
				CHECK_NE(events.event[i].counter, events.event[j].counter);
		}
		events_free(&events);
	}
	CHECK_GE(fitting, 300); /* the random cases had both results */
	CHECK_LE(fitting, 2700);
}

/* The set of each event of @list, a digit each. */
static void check_sets(const struct pmu *pmu, const char *list, const char *want)
{
	struct events events = { 0 };
	char got[64] = "";
	size_t i;

	add(&events, pmu, list);
	if (!assign_sets(&events, pmu, &why))
		FAIL("%s: %s", list, why.what);
	for (i = 0; i < events.n; i++)
		append(got, sizeof(got), "%u", events.event[i].set);
	CHECK_STREQ(got, want);
	events_free(&events);
}

TEST(events_that_fit_take_one_set)
{
	struct pmu pmu;

	nehalem_pmu(&pmu);
	check_sets(&pmu, "cycles,instructions,ref-cycles,branches,loads,stores", "000000");
	check_sets(&pmu, "{cycles,instructions},{branches,loads},{stores}", "00000");
	check_sets(&pmu, "branches,loads,L1D:REPL,L1D:M_REPL", "0000");
}

TEST(events_go_to_the_first_set_that_has_a_counter)
{
	struct pmu pmu;

	small_pmu(&pmu, 2);
	check_sets(&pmu, "loads,stores,branches", "001");
	check_sets(&pmu, "loads,loads,loads,loads,loads", "00112");
	/* L1D takes both counters of the first set; later events do not fill its gap. */
	nehalem_pmu(&pmu);
	check_sets(&pmu, "L1D:REPL,L1D:M_REPL,L1D:M_EVICT,loads,L1D:M_SNOOP_EVICT,stores,branches",
		   "0010101");
}

TEST(a_group_stays_in_one_set)
{
	struct pmu pmu;

	small_pmu(&pmu, 3);
	check_sets(&pmu, "loads,stores,{branches,branches:u}", "0011");
	check_sets(&pmu, "loads,{stores,branches},loads:u,{stores:u,branches:u}", "000111");
	check_sets(&pmu, "loads,stores,{branches,branches:u},loads:u", "00110");
}

TEST(groups_keep_their_order)
{
	struct pmu pmu;

	/* The last event would fit into the first set too. */
	small_pmu(&pmu, 3);
	check_sets(&pmu, "{loads},{stores,branches,loads:u},{stores:u}", "01112");
	check_sets(&pmu, "{loads},{stores,branches,loads:u},stores:u", "01110");
	check_sets(&pmu, "{loads,stores},{branches,loads:u},{stores:u}", "00111");
}

TEST(each_set_has_counters_of_its_own)
{
	struct events events = { 0 };
	struct pmu pmu;
	size_t i, j;

	nehalem_pmu(&pmu);
	for (i = 0; i < 20; i++)
		add(&events, &pmu, i % 3 ? "loads,cycles" : "{L1D:REPL,stores}");
	CHECK(assign_sets(&events, &pmu, &why));
	CHECK_GE(events.nsets, 7);
	for (i = 0; i < events.n; i++) {
		CHECK(events.event[i].counters & 1ULL << events.event[i].counter);
		for (j = 0; j < i; j++)
			if (events.event[i].set == events.event[j].set)
				CHECK_NE(events.event[i].counter, events.event[j].counter);
	}
}

TEST(a_group_that_is_too_large_is_named_with_the_reason)
{
	struct events events = { 0 };
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "cycles,{L1D:REPL,L1D:M_REPL,L1D:M_EVICT},loads");
	CHECK(!assign_sets(&events, &pmu, &why));
	CHECK_STREQ(why.what, "the group {L1D:REPL,L1D:M_REPL,L1D:M_EVICT} does not fit into one event set");
	CHECK(strstr(why.hint, "event L1D:M_EVICT does not fit: it needs one of the counters PMD40 PMD39"));
	CHECK(strstr(why.hint, "split the group"));
}

TEST(a_raw_register_is_taken_in_its_own_set_only)
{
	struct pmu pmu;

	nehalem_pmu(&pmu);
	check_sets(&pmu, "pmc7=0x202,cycles,ref-cycles", "0001"); /* cycles: on a general one */
	check_sets(&pmu, "pmc10=0x4100c4,branches,loads,stores,branches:u,loads:u", "000011");
	check_sets(&pmu, "ref-cycles,pmc7=0x2", "01");
	check_sets(&pmu, "{pmc10=0x4100c4,ref-cycles},{pmc7=0x2,loads}", "0011");
}

TEST(a_set_that_others_have_left_can_be_used_again)
{
	struct events events = { 0 };
	struct pmu pmu;

	/* An event that did not fit must leave no trace in the set that was tried. */
	small_pmu(&pmu, 2);
	add(&events, &pmu, "loads,{stores,branches},loads:u");
	CHECK(assign_sets(&events, &pmu, &why));
	CHECK_EQ(events.nsets, 2);
	CHECK_EQ(events.event[3].set, 0);
	CHECK_NE(events.event[0].counter, events.event[3].counter);
}

TEST(registers_are_written_in_their_sets)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;
	int i;

	small_pmu(&pmu, 1);
	add(&events, &pmu, "loads:u,branches:u");
	CHECK(assign_sets(&events, &pmu, &why));
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.nsets, 2);
	CHECK_EQ(plan.npmcs, 2);
	for (i = 0; i < 2; i++) {
		CHECK_EQ(plan.pmcs[i].reg_num, 0);
		CHECK_EQ(plan.pmcs[i].reg_set, i);
		CHECK_EQ(plan.pmds[i].reg_num, 0);
		CHECK_EQ(plan.pmds[i].reg_set, i);
	}
	CHECK_EQ(plan.pmcs[0].reg_value & 0xffff, 0x010b);
	CHECK_EQ(plan.pmcs[1].reg_value & 0xffff, 0x00c4);
}

TEST(a_fixed_control_is_written_in_each_set_that_uses_it)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;
	int i, written = 0;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "ref-cycles:u,ref-cycles:k,loads");
	CHECK(assign_sets(&events, &pmu, &why));
	plan_make(&plan, &events, &pmu);
	for (i = 0; i < plan.npmcs; i++) {
		if (plan.pmcs[i].reg_num != NHM_FIXED_CTRL)
			continue;
		CHECK_EQ(plan.pmcs[i].reg_value, 0x888 | (plan.pmcs[i].reg_set ? 0x100 : 0x200));
		written++;
	}
	CHECK_EQ(written, 2);
}

/* One general counter, and a PMC that controls none. */
static void steered_pmu(struct pmu *pmu)
{
	const struct reg pmcs[] = {
		{ .num = 0, .type = PFM_REG_TYPE_MSR, .index = 0x186 },
		{ .num = 9, .type = PFM_REG_TYPE_MSR, .index = 0x1a6 },
	};
	const struct reg pmds[] = { { .num = 0, .type = PFM_REG_TYPE_MSR, .index = 0xc1 } };

	small_pmu(pmu, 1); /* opens libpfm4 */
	pmu_free(pmu);
	pmu_from_registers(pmu, "", pmcs, 2, pmds, 1);
}

/* The number of sets in which this PMC is written. */
static unsigned int times_written(const struct plan *plan, unsigned int pmc)
{
	unsigned int n = 0;
	int i;

	for (i = 0; i < plan->npmcs; i++)
		n += plan->pmcs[i].reg_num == pmc;
	return n;
}

TEST(a_raw_value_that_steers_is_written_in_all_sets)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;

	steered_pmu(&pmu);
	add(&events, &pmu, "loads:u,pmc9=0x5,branches:u");
	CHECK(assign_sets(&events, &pmu, &why));
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.nsets, 2);
	CHECK_EQ(times_written(&plan, 9), 2);
	CHECK_EQ(times_written(&plan, 0), 2);
}

TEST(a_raw_value_that_steers_in_a_group_is_written_in_its_set)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;

	steered_pmu(&pmu);
	add(&events, &pmu, "loads:u,{pmc9=0x5,branches:u}");
	CHECK(assign_sets(&events, &pmu, &why));
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(times_written(&plan, 9), 1);
	CHECK_EQ(planned(&plan, 9)->reg_set, 1);
}

TEST(event_selects_are_written_enabled)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "BR_INST_RETIRED:ALL_BRANCHES:u");
	assign(&events, &pmu);
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.npmcs, 1);
	CHECK_EQ(planned(&plan, NHM_PMC(0))->reg_value, 0x5100c4);
	CHECK_EQ(plan.npmds, 1);
	CHECK_EQ(plan.pmds[0].reg_num, NHM_PMD(0));
}

TEST(fixed_counters_share_one_write_of_their_control)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "cycles:u,instructions:k,ref-cycles");
	assign(&events, &pmu);
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.npmcs, 1);
	CHECK_EQ(planned(&plan, NHM_FIXED_CTRL)->reg_value, 0x888 | 0x300 | 0x20 | 0x1);
	CHECK_EQ(plan.pmds[0].reg_num, NHM_FIXED_PMD(1));
	CHECK_EQ(plan.pmds[1].reg_num, NHM_FIXED_PMD(0));
	CHECK_EQ(plan.pmds[2].reg_num, NHM_FIXED_PMD(2));
}

TEST(a_raw_value_is_written_as_it_is)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;

	nehalem_pmu(&pmu);
	add(&events, &pmu, "pmc13=0x4100c0,cycles");
	assign(&events, &pmu);
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(planned(&plan, NHM_PMC(1))->reg_value, 0x4100c0);
	CHECK_EQ(plan.pmds[0].reg_num, NHM_PMD(1));
}

TEST(amd_counters_count_any_event)
{
	struct events events = { 0 };
	struct plan plan;
	struct pmu pmu;

	amd_pmu(&pmu);
	CHECK_EQ(pmu.ncounters, 6);
	add(&events, &pmu, "cycles,instructions,branches,branch-misses,loads,stores");
	assign(&events, &pmu);
	CHECK_EQ(events.event[0].kind, KIND_CYCLES);
	CHECK_EQ(events.event[1].kind, KIND_INSTRUCTIONS);
	plan_make(&plan, &events, &pmu);
	CHECK_EQ(plan.npmcs, 6);
}
