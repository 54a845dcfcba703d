// SPDX-License-Identifier: GPL-2.0
/* The forms of an event on the command line, and the messages for words that are no event. */
#include <stdio.h>
#include <stdlib.h>

#include "../harness.h"
#include "../../tools/lib/events/assign.h"
#include "../../tools/lib/events/list.h"
#include "../../tools/lib/events/spelling.h"
#include "../../tools/lib/pmu/constraints.h"
#include "../../tools/lib/pmu/emulated.h"
#include "../../tools/pfmon/info/tables.h"
#include "nehalem.h"

static const struct rights all_rights = { .levels = LEVEL_ALL };
static const struct rights user_rights = { .levels = LEVEL_USER };

static struct problem why;
static struct events events;
static struct pmu pmu;

static const struct event *add(const char *list, const struct rights *rights)
{
	nehalem_pmu(&pmu);
	if (!events_add(&events, &pmu, rights, list, &why))
		FAIL("%s: %s", list, why.what);
	return &events.event[0];
}

static void refused(const char *list, const struct rights *rights)
{
	nehalem_pmu(&pmu);
	if (events_add(&events, &pmu, rights, list, &why))
		FAIL("%s is accepted", list);
}

static void says(const char *text, const char *part)
{
	if (!strstr(text, part))
		FAIL("\"%s\" does not contain \"%s\"", text, part);
}

TEST(an_event_counts_at_both_levels_by_default)
{
	CHECK_EQ(add("BR_INST_RETIRED:ALL_BRANCHES", &all_rights)->levels, LEVEL_ALL);
	CHECK_STREQ(events.event[0].name, "BR_INST_RETIRED:ALL_BRANCHES");
	CHECK(!events.lowered);
}

TEST(modifiers_choose_the_level)
{
	add("branches:u,branches:k,branches:u:k", &all_rights);
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_EQ(events.event[1].levels, LEVEL_KERNEL);
	CHECK_EQ(events.event[2].levels, LEVEL_ALL);
}

TEST(without_rights_an_event_is_lowered_to_user_level_and_says_so)
{
	CHECK_EQ(add("branches", &user_rights)->levels, LEVEL_USER);
	CHECK_STREQ(events.event[0].name, "branches:u");
	CHECK(events.lowered);
}

TEST(an_event_that_names_its_level_is_not_lowered)
{
	CHECK_EQ(add("branches:u", &user_rights)->levels, LEVEL_USER);
	CHECK_STREQ(events.event[0].name, "branches:u");
	CHECK(!events.lowered);
}

TEST(kernel_level_without_rights_is_refused_with_the_way_out)
{
	refused("branches:k", &user_rights);
	says(why.what, "event branches:k: this user may not count at kernel level");
	says(why.hint, "CAP_PERFMON");
	says(why.hint, "perf_event_paranoid");
	CHECK_EQ(events.n, 0);
}

TEST(names_ignore_case)
{
	CHECK_EQ(add("br_inst_retired:all_branches", &all_rights)->code & 0xffff, 0xc4);
	CHECK_EQ(add("CYCLES", &all_rights)->code & 0xffff, 0xc4);
	CHECK_EQ(events.event[1].kind, KIND_CYCLES);
}

TEST(short_names_stand_for_events_of_this_cpu)
{
	add("cycles,instructions,ref-cycles,branches,loads,stores", &all_rights);
	CHECK_EQ(events.event[0].code & 0xffff, 0x003c);
	CHECK_EQ(events.event[1].code & 0xffff, 0x00c0);
	CHECK_EQ(events.event[2].code & 0xffff, 0x0300);
	CHECK_EQ(events.event[3].code & 0xffff, 0x00c4);
	CHECK_EQ(events.event[4].code & 0xffff, 0x010b);
	CHECK_EQ(events.event[5].code & 0xffff, 0x020b);
}

TEST(a_short_name_without_an_event_here_says_so)
{
	refused("branch-misses", &all_rights); /* libpfm4's Nehalem has none */
	says(why.what, "no event with that meaning");
}

TEST(an_unknown_event_is_named_with_near_ones)
{
	refused("INST_RETIRD:ANY_P", &all_rights);
	says(why.what, "INST_RETIRD");
	says(why.hint, "INST_RETIRED");
	refused("instrucions", &all_rights);
	says(why.hint, "instructions");
}

TEST(a_far_off_name_suggests_nothing)
{
	refused("xyzzy_plugh_quux", &all_rights);
	CHECK(!strstr(why.hint, "Did you mean"));
	says(why.hint, "pfmon list");
}

TEST(a_missing_unit_mask_lists_what_there_is)
{
	refused("MEM_INST_RETIRED", &all_rights);
	says(why.what, "unit mask is missing");
	says(why.hint, "LOADS");
	says(why.hint, "STORES");
}

TEST(an_unknown_unit_mask_lists_what_there_is)
{
	refused("MEM_INST_RETIRED:LODES", &all_rights);
	says(why.what, "no such unit mask or modifier");
	says(why.hint, "LOADS");
}

TEST(an_empty_name_is_refused)
{
	refused("cycles,,branches", &all_rights);
	says(why.what, "empty");
	refused("", &all_rights);
}

/* The group of each event, and the groups that have braces: "00-1 {}." */
static void check_groups(const char *list, const char *want)
{
	char got[64] = "";
	size_t i;

	memset(&events, 0, sizeof(events));
	add(list, &all_rights);
	for (i = 0; i < events.n; i++)
		append(got, sizeof(got), "%u", events.event[i].group);
	append(got, sizeof(got), " ");
	for (i = 0; i < events.ngroups; i++)
		append(got, sizeof(got), "%s", events.group[i].braces ? "{}" : ".");
	CHECK_STREQ(got, want);
}

TEST(braces_make_groups)
{
	check_groups("cycles,loads", "01 ..");
	check_groups("{cycles,loads},stores", "001 {}.");
	check_groups("cycles,{loads},{stores,branches:u}", "0122 .{}{}");
	check_groups("{pmc10=0x4100c4,loads}", "00 {}");
	CHECK_STREQ(events.event[1].name, "loads");
}

TEST(a_second_list_begins_new_groups)
{
	check_groups("{cycles,loads}", "00 {}");
	add("stores,{branches}", &all_rights);
	CHECK_EQ(events.event[2].group, 1);
	CHECK_EQ(events.event[3].group, 2);
	CHECK(events.group[2].braces);
}

TEST(the_counters_of_one_raw_value_are_one_group)
{
	check_groups("loads,pmc7=0x202,stores", "0112 ...");
	CHECK_EQ(events.raw[0].group, 1);
}

TEST(braces_that_do_not_match_are_refused)
{
	static const char *const bad[] = { "{cycles", "cycles}", "{cycles,{loads}}", "{{cycles}}",
					   "{cycles},loads}", "{cycles}loads", "cycles{loads}",
					   "{cycles,loads},{stores", "}cycles{", "}{" };
	size_t i;

	for (i = 0; i < COUNT(bad); i++) {
		refused(bad[i], &all_rights);
		says(why.what, bad[i]);
		says(why.what, "braces do not match");
		says(why.hint, "'{a,b}'");
	}
}

TEST(empty_groups_are_refused)
{
	refused("{}", &all_rights);
	says(why.what, "empty");
	refused("{cycles,}", &all_rights);
	says(why.what, "empty");
	refused("{cycles},", &all_rights);
	says(why.what, "empty");
}

TEST(the_first_bad_event_ends_a_list)
{
	refused("cycles,nonsense,branches", &all_rights);
	says(why.what, "event nonsense");
	CHECK_EQ(events.n, 1);
}

TEST(perf_events_own_names_are_no_events_here)
{
	refused("PERF_COUNT_HW_CPU_CYCLES", &all_rights);
	says(why.what, "no event");
}

TEST(an_event_whose_second_register_is_missing_is_refused)
{
	refused("OFFCORE_RESPONSE_0:ANY_REQUEST", &all_rights);
	CHECK_STREQ(why.what, "event OFFCORE_RESPONSE_0:ANY_REQUEST: it needs the register MSR_OFFCORE_RSP_0 (0x1a6), which is no PMC of this kernel");
	says(why.hint, "hyper-threading");
}

TEST(a_reserved_modifier_is_refused_not_dropped)
{
	refused("BR_INST_RETIRED:ALL_BRANCHES:t=1", &all_rights);
	says(why.what, "bit 21");
	says(why.what, "any thread");
}

TEST(a_fixed_only_event_with_a_modifier_has_no_counter)
{
	refused("UNHALTED_REFERENCE_CYCLES:t=1", &all_rights);
	says(why.what, "no counter");
}

TEST(no_level_at_all_is_refused)
{
	refused("BR_INST_RETIRED:ALL_BRANCHES:u=0:k=0", &all_rights);
	says(why.what, "no privilege level");
}

TEST(raw_values_are_read_in_any_base)
{
	add("pmc10=0x4100c4,PMC13=4260032", &all_rights);
	CHECK_EQ(events.raw[0].num, 10);
	CHECK_EQ(events.raw[0].value, 0x4100c4);
	CHECK_EQ(events.raw[1].num, 13);
	CHECK_EQ(events.raw[1].value, 4260032);
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
}

TEST(a_malformed_raw_value_is_refused)
{
	static const char *const bad[] = { "pmc10=", "pmc10=zz", "pmc10=0x", "pmc10=-1",
					   "pmc10x=1", "pmc10=1x", "pmc10=0x1ffffffffffffffff" };
	size_t i;

	for (i = 0; i < COUNT(bad); i++) {
		refused(bad[i], &all_rights);
		says(why.what, "pmcN=0x");
	}
}

TEST(an_unknown_pmc_is_refused)
{
	refused("pmc99=0x4100c4", &all_rights);
	says(why.what, "no PMC99");
	refused("pmc99999999999999=0x1", &all_rights);
}

TEST(the_same_pmc_twice_is_refused)
{
	refused("pmc10=0x4100c4,pmc10=0x4100c0", &all_rights);
	says(why.what, "given twice");
}

TEST(a_raw_value_that_counts_nothing_is_refused)
{
	refused("pmc10=0x100c4", &all_rights); /* EN is off */
	says(why.what, "counts nothing");
	refused("pmc10=0x4000c4", &all_rights); /* no level */
	says(why.what, "counts nothing");
}

TEST(a_raw_value_with_reserved_bits_is_refused)
{
	refused("pmc10=0x6100c4", &all_rights); /* AnyThread */
	says(why.what, "0x200000");
}

TEST(a_raw_value_at_kernel_level_needs_the_right)
{
	refused("pmc10=0x4300c4", &user_rights);
	says(why.what, "may not count at kernel level");
}

TEST(the_default_set_fits_and_is_in_order)
{
	static const char *const names[] = { "cycles", "instructions", "ref-cycles",
					     "branches", "loads", "stores" };
	size_t i;

	nehalem_pmu(&pmu);
	CHECK(events_add_default(&events, &pmu, &all_rights, &why));
	CHECK(assign_counters(&events, &pmu, &why));
	CHECK_EQ(events.n, COUNT(names));
	for (i = 0; i < COUNT(names); i++)
		CHECK_STREQ(events.event[i].name, names[i]);
}

TEST(the_default_set_shrinks_to_the_counters_there_are)
{
	small_pmu(&pmu, 2);
	CHECK(events_add_default(&events, &pmu, &all_rights, &why));
	CHECK_EQ(events.n, 2);
	CHECK_STREQ(events.event[1].name, "instructions");
}

TEST(the_emulated_pmu_refuses_what_it_does_not_model)
{
	setenv("PFMON_EMULATED", "1", 1);
	refused("L1D:REPL", &all_rights);
	says(why.what, "does not model it");
	says(why.hint, "pfmon list");
	refused("pmc10=0x410151", &all_rights);
	says(why.what, "does not model it");
	refused("INST_RETIRED:ANY_P:e=1:c=1", &all_rights);
	says(why.what, "edge detection");
	refused("DTLB_MISSES:WALK_COMPLETED:c=1", &all_rights);
	says(why.what, "counter mask");
}

TEST(the_emulated_pmu_takes_all_that_it_models)
{
	const struct emulated_event *event;

	setenv("PFMON_EMULATED", "1", 1);
	for (event = emulated_events(); event->name; event++)
		add(event->name, &all_rights);
	CHECK_GE(events.n, 8);
	add("UNHALTED_REFERENCE_CYCLES", &all_rights);
}

TEST(names_that_only_the_emulated_pmu_has_take_levels)
{
	setenv("PFMON_EMULATED", "1", 1);
	add("HW_INT_RCVD,HW_INT_RCVD:k,hw_int_rcvd:u", &all_rights);
	CHECK_EQ(events.event[0].levels, LEVEL_ALL);
	CHECK_EQ(events.event[1].levels, LEVEL_KERNEL);
	CHECK_EQ(events.event[2].levels, LEVEL_USER);
	refused("HW_INT_RCVD:z", &all_rights);
	setenv("PFMON_EMULATED", "0", 1);
	refused("HW_INT_RCVD", &all_rights);
}

TEST(amds_emulated_pmu_has_encodings_of_its_own)
{
	setenv("PFMON_EMULATED", "amd", 1);
	amd_pmu(&pmu);
	CHECK(events_add(&events, &pmu, &all_rights, "instructions:u,INST_RETIRED:u,branches:u,"
			 "LS_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH:u,cycles:u,HW_INT_RCVD:k", &why));
	CHECK_EQ(events.n, 6);
	CHECK_EQ(events.event[0].code & 0xf000fffffULL, 0x100c0);
	CHECK_EQ(events.event[1].code & 0xf000fffffULL, 0x100c0);
	CHECK_EQ(events.event[2].code & 0xf000fffffULL, 0x100c2);
	CHECK_EQ(events.event[3].code & 0xf000fffffULL, 0x10629);
	CHECK_EQ(events.event[4].code & 0xf000fffffULL, 0x10076);
	CHECK_EQ(events.event[5].code & 0xf000fffffULL, 0x2002c);
}

TEST(amds_emulated_pmu_refuses_what_it_does_not_model)
{
	setenv("PFMON_EMULATED", "amd", 1);
	amd_pmu(&pmu);
	CHECK(!events_add(&events, &pmu, &all_rights, "LS_DISPATCH:LD_DISPATCH", &why));
	says(why.what, "does not model it");
	/* Intel's branches, and an event whose lower bits alone are those of one. */
	CHECK(!events_add(&events, &pmu, &all_rights, "pmc0=0x4100c4", &why));
	says(why.what, "does not model it");
	CHECK(!events_add(&events, &pmu, &all_rights, "pmc0=0x1004100c0", &why));
	says(why.what, "does not model it");
}

TEST(real_hardware_takes_all_events)
{
	setenv("PFMON_EMULATED", "0", 1);
	add("L1D:REPL", &all_rights);
}

TEST(constraints_belong_to_their_model)
{
	CHECK_EQ(constraint_counters("nhm", 0x530151), 0x3);
	CHECK_EQ(constraint_counters("nhm_ex", 0x530140), 0x3);
	CHECK_EQ(constraint_counters("nhm", 0x5300c4), ~0ULL);
	CHECK_EQ(constraint_counters("wsm", 0x530140), ~0ULL);
	CHECK_EQ(constraint_counters("core", 0x530112), 0x2);
	CHECK_EQ(constraint_counters("coreduo", 0x530112), 0x2);
	CHECK_EQ(constraint_counters("coreduo", 0x530110), ~0ULL);
	CHECK_EQ(constraint_counters("Intel Ice Lake", 0x5302d1), 0xf);
	CHECK_EQ(constraint_counters("snb", 0x5302a3), 0x4);
	CHECK_EQ(constraint_counters("snb", 0x5304a3), 0xf);
	CHECK_EQ(constraint_counters("", 0x530151), ~0ULL);
}

TEST(the_kernels_name_of_a_model_stands_in_for_libpfm4s)
{
	CHECK(table_read(&pmu, "skylake", &why));
	snprintf(pmu.events, sizeof(pmu.events), "ix86arch");
	CHECK(events_add(&events, &pmu, &all_rights, "cpu/event=0xd1,umask=1/,cpu/event=0xc4/", &why));
	CHECK_EQ(events.event[0].counters, 0xf);
	CHECK_EQ(events.event[1].counters, 0xff);
}

TEST(an_event_for_a_pair_of_counters_is_refused)
{
	amd_pmu(&pmu);
	CHECK(!events_add(&events, &pmu, &all_rights, "RETIRED_SSE_AVX_FLOPS:ANY", &why));
	CHECK_STREQ(why.what, "event RETIRED_SSE_AVX_FLOPS:ANY: it wants two counters merged into one, which perfmon does not do");
	CHECK(!events_add(&events, &pmu, &all_rights, "cpu/event=0x3,umask=0xf/", &why));
	says(why.what, "two counters");
}

TEST(events_of_a_unit_have_counters_of_the_unit)
{
	amd_pmu(&pmu);
	snprintf(pmu.events, sizeof(pmu.events), "amd64_fam15h_interlagos");
	CHECK(events_add(&events, &pmu, &all_rights, "cpu/event=0x3,umask=1/,cpu/event=0x1c0,umask=1/,"
			 "cpu/event=0x187/,cpu/event=0x7d,umask=1/,cpu/event=0xc0/", &why));
	CHECK_EQ(events.event[0].counters, 0x08);
	CHECK_EQ(events.event[1].counters, 0x38);
	CHECK_EQ(events.event[2].counters, 0x01);
	CHECK_EQ(events.event[3].counters, 0x07);
	CHECK_EQ(events.event[4].counters, 0x3f);
	CHECK(!events_add(&events, &pmu, &all_rights, "cpu/event=0xe0/", &why));
	says(why.what, "the northbridge's");
	CHECK(!events_add(&events, &pmu, &all_rights, "cpu/event=0x31,umask=3/", &why));
	says(why.what, "one of its unit masks at a time");
}

TEST(the_shortest_period_is_the_models)
{
	nehalem_pmu(&pmu);
	setenv("PFMON_EMULATED", "0", 1);
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5300c0).least, 32);
	snprintf(pmu.events, sizeof(pmu.events), "wsm");
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5300c0).least, 2);
	snprintf(pmu.events, sizeof(pmu.events), "hsw_ep");
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5300c0).least, 32);
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5301c0).least, 128);
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5301c0).multiple, 1);
	pmu.events[0] = '\0';
	snprintf(pmu.model, sizeof(pmu.model), "Intel Broadwell");
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5301c0).least, 128);
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5301c0).multiple, 64);
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5300c0).least, 2);
	setenv("PFMON_EMULATED", "1", 1);
	CHECK_EQ(pmu.arch->period_limit(&pmu, 0x5301c0).least, 1);
}

TEST(perfs_names_are_known)
{
	add("cpu-cycles,branch-instructions,cache-misses,L1-dcache-loads", &all_rights);
	CHECK_EQ(events.event[0].code & 0xffff, 0x3c);
	CHECK_EQ(events.event[1].code & 0xffff, 0xc4);
	CHECK_EQ(events.event[2].code & 0xffff, 0x412e);
	CHECK_EQ(events.event[3].code & 0xffff, 0x10b);
	CHECK_STREQ(events.event[2].name, "cache-misses");
	add("stalled-cycles-frontend,LLC-load-misses", &all_rights);
	CHECK_EQ(events.event[4].code & ~(0x73ULL << 16), 0x180010e);
	CHECK_EQ(events.event[5].code & 0xffff, 0x10cb);
	refused("LLC-loads", &all_rights);
}

TEST(perfs_names_are_known_on_amds_processors)
{
	amd_pmu(&pmu);
	CHECK(events_add(&events, &pmu, &all_rights,
			 "cache-references,cache-misses,stalled-cycles-frontend", &why));
	CHECK_EQ(events.event[0].code & 0xffff, 0xff60);
	CHECK_EQ(events.event[1].code & 0xffff, 0x0964);
	CHECK_EQ(events.event[2].code & 0xffff, 0x00a9);
}

/* The double of the kernel has an Intel processor: see cli_metrics.sh for Intel's groups. */
TEST(the_events_of_zen_4s_metric_group_are_countable)
{
	char line[256], name[200];
	bool zen4 = false;
	FILE *file;

	file = fopen(TOPDOWN, "r");
	CHECK(file);
	table_pmu(&pmu, "amd_v2", "amd64_fam19h_zen4");
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "pmu ", 4))
			zen4 = strstr(line, "amd64_fam19h_zen4");
		if (zen4 && sscanf(line, "event %*s = %199s", name) == 1 &&
		    !events_add(&events, &pmu, &all_rights, name, &why))
			FAIL("%s: %s", name, why.what);
	}
	fclose(file);
	CHECK_EQ(events.n, 6);
	CHECK_EQ(events.event[1].code & 0xf0000ffff, 0x1000001a0);
}

TEST(perfs_modifiers_may_stand_in_one_word)
{
	add("cycles:u,branches:k,branches:uk,branches:ku", &all_rights);
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_EQ(events.event[1].levels, LEVEL_KERNEL);
	CHECK_EQ(events.event[2].levels, LEVEL_ALL);
	CHECK_EQ(events.event[3].levels, LEVEL_ALL);
	refused("cycles:up", &all_rights);
	says(why.what, "event cycles:up: samples are not precise here");
	refused("cycles:p", &all_rights);
	refused("cycles:uH", &all_rights);
	says(why.what, "'H' is no modifier");
}

static void check_spelling(const char *list, const char *want)
{
	char *got = spelling_of_groups(list);

	CHECK_STREQ(got, want);
	free(got);
}

TEST(the_modifiers_of_a_group_are_those_of_its_items)
{
	check_spelling("{cycles,branches}:u", "{cycles:u,branches:u}");
	check_spelling("loads,{cycles:k,rc0,r1c0:k}:u,stores", "loads,{cycles:ku,rc0:u,r1c0:ku},stores");
	check_spelling("{cpu/event=0xc0,umask=0/,cpu/event=0xc4/k}:uk",
		       "{cpu/event=0xc0,umask=0/uk,cpu/event=0xc4/kuk}");
	check_spelling("{MEM_INST_RETIRED:LOADS}:k,{cycles}", "{MEM_INST_RETIRED:LOADS:k},{cycles}");
	check_spelling("{cycles,}:u", "{cycles:u,}");
	check_spelling("{}:u", "{}");
	check_spelling("{cycles}:", "{cycles}:");
	check_spelling("{cycles", "{cycles");
	check_groups("{cycles,loads}:u,stores", "001 {}.");
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_EQ(events.event[1].levels, LEVEL_USER);
	CHECK_EQ(events.event[2].levels, LEVEL_ALL);
	CHECK_STREQ(events.event[1].name, "loads:u");
	add("{cycles:k,branches}:u", &all_rights);
	CHECK_EQ(events.event[3].levels, LEVEL_ALL);
	CHECK_EQ(events.event[4].levels, LEVEL_USER);
	refused("{cycles,branches}:x", &all_rights);
	says(why.what, "UNHALTED_CORE_CYCLES:x");
	refused("{cycles}:", &all_rights);
	says(why.what, "events '{cycles}:': the braces do not match");
	refused("{cycles,}:u", &all_rights);
	says(why.what, "an event's name is empty");
}

TEST(raw_events_are_perfs)
{
	add("r00c4:u,r4100010b:k,rc0", &all_rights);
	CHECK_EQ(events.event[0].code & 0xffff, 0xc4);
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_STREQ(events.event[0].name, "r00c4:u");
	CHECK_EQ(events.event[1].code & ~(0x73ULL << 16), 0x4100010b & ~(0x73ULL << 16));
	CHECK_EQ(events.event[1].levels, LEVEL_KERNEL);
	CHECK_EQ(events.event[2].levels, LEVEL_ALL);
}

TEST(raw_events_have_fields)
{
	add("cpu/event=0xb,umask=1,cmask=2,inv,edge/u,cpu/config=0x1c5,name=mine/", &all_rights);
	CHECK_EQ(events.n, 2);
	CHECK_EQ(events.event[0].code & 0xff8cffff, 0x0284010b);
	CHECK_EQ(events.event[0].levels, LEVEL_USER);
	CHECK_STREQ(events.event[0].name, "cpu/event=0xb,umask=1,cmask=2,inv,edge/u");
	CHECK_STREQ(events.event[1].name, "mine");
	CHECK_EQ(events.event[1].code & 0xffff, 0x1c5);
}

TEST(raw_events_are_lowered_without_rights)
{
	CHECK_EQ(add("r00c4", &user_rights)->levels, LEVEL_USER);
	CHECK_STREQ(events.event[0].name, "r00c4:u");
	refused("cpu/event=0xc4/k", &user_rights);
	says(why.what, "may not count at kernel level");
}

TEST(bad_raw_events_are_refused)
{
	refused("cpu/event=0xc0", &all_rights);
	says(why.what, "the second / is missing");
	refused("cpu/foo=1/", &all_rights);
	says(why.what, "'foo' is no field");
	refused("cpu/umask=0x100/", &all_rights);
	says(why.what, "'umask' is no field of this PMU's events, or too small");
	refused("cpu/event=x/", &all_rights);
	says(why.what, "event=x: a number is wanted");
	refused("uncore/event=1/", &all_rights);
	says(why.what, "of perf's PMUs there is cpu/.../");
	refused("r00c4:w", &all_rights);
	says(why.what, "'w' is no modifier");
}

TEST(a_pmu_without_raw_events_says_so)
{
	nehalem_pmu(&pmu);
	pmu.arch = &pmu_soft;
	CHECK(!events_add(&events, &pmu, &all_rights, "r1", &why));
	says(why.what, "the counters of this PMU have no raw events");
}
