// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers, lists, JSON and statistics.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../harness.h"
#include "../../tools/lib/cpus.h"
#include "../../tools/lib/json.h"
#include "../../tools/pfmon/stat/report.h"
#include "../../tools/lib/suggest.h"
#include "../../tools/pfmon/run/tasks.h"

static struct problem why;

static void check_cpus(const char *text, const char *want)
{
	unsigned int *cpus = NULL;
	char list[128] = "";
	size_t n, i;

	if (!cpus_parse(text, &cpus, &n, &why))
		FAIL("%s: %s", text, why.what);
	for (i = 0; i < n; i++)
		append(list, sizeof(list), "%s%u", i ? " " : "", cpus[i]);
	CHECK_STREQ(list, want);
	free(cpus);
}

TEST(cpu_lists_are_numbers_and_ranges)
{
	check_cpus("0", "0");
	check_cpus("0,2-4,7", "0 2 3 4 7");
	check_cpus("3-3", "3");
	check_cpus("1,1,0-2", "1 0 2");
}

TEST(bad_cpu_lists_are_refused)
{
	static const char *const bad[] = { "", ",", "1,", "a", "1-", "-1", "3-1", "1 2",
					   "99999", "0-99999999999", "1--2" };
	unsigned int *cpus;
	size_t n, i;

	for (i = 0; i < COUNT(bad); i++)
		if (cpus_parse(bad[i], &cpus, &n, &why))
			FAIL("\"%s\" is accepted", bad[i]);
}

TEST(numbers_are_read_whole_or_not_at_all)
{
	uint64_t value;

	CHECK(parse_u64("18446744073709551615", &value));
	CHECK_EQ(value, UINT64_MAX);
	CHECK(parse_u64("0x10", &value));
	CHECK_EQ(value, 16);
	CHECK(!parse_u64("", &value));
	CHECK(!parse_u64("-1", &value));
	CHECK(!parse_u64(" 1", &value));
	CHECK(!parse_u64("1 ", &value));
	CHECK(!parse_u64("18446744073709551616", &value));
}

TEST(thousands_are_separated)
{
	char buf[40];

	CHECK_STREQ(with_thousands(0, buf, sizeof(buf)), "0");
	CHECK_STREQ(with_thousands(999, buf, sizeof(buf)), "999");
	CHECK_STREQ(with_thousands(1000, buf, sizeof(buf)), "1,000");
	CHECK_STREQ(with_thousands(1234567, buf, sizeof(buf)), "1,234,567");
	CHECK_STREQ(with_thousands(UINT64_MAX, buf, sizeof(buf)), "18,446,744,073,709,551,615");
}

TEST(rates_have_prefixes)
{
	struct derived derived = { 999.5, "/sec" };
	char buf[80];

	CHECK_STREQ(derived_text(&derived, buf, sizeof(buf)), "   999.500  /sec");
	derived.value = 1234567;
	CHECK_STREQ(derived_text(&derived, buf, sizeof(buf)), "     1.235 M/sec");
	derived.value = 5e15;
	CHECK_STREQ(derived_text(&derived, buf, sizeof(buf)), "  5000.000 T/sec");
	derived = (struct derived){ 1.5, "insn per cycle" };
	CHECK_STREQ(derived_text(&derived, buf, sizeof(buf)), "     1.500  insn per cycle");
}

/* A report of two events over three runs. */
static struct event two_events[2] = {
	{ .name = "cycles", .levels = LEVEL_USER, .kind = KIND_CYCLES },
	{ .name = "instructions", .levels = LEVEL_USER, .kind = KIND_INSTRUCTIONS },
};
static struct events events = { .event = two_events, .n = 2 };
static uint64_t counts[3][2] = { { 90, 200 }, { 100, 200 }, { 110, 200 } };
static struct set_time one_set[1] = { { 1000, 1 } };
static struct run runs[3] = {
	{ .count = counts[0], .scaled = counts[0], .set = one_set, .elapsed = 2, .user = 1, .sys = 0 },
	{ .count = counts[1], .scaled = counts[1], .set = one_set, .elapsed = 2, .user = 0.5, .sys = 0.5 },
	{ .count = counts[2], .scaled = counts[2], .set = one_set, .elapsed = 2, .user = 0, .sys = 1 },
};
static char *command[] = { "true", NULL };
static struct target target = { .kind = TARGET_COMMAND, .command = command };
static struct plan plan = { .nsets = 1 };
static struct report report = {
	.events = &events, .target = &target, .runs = runs, .nruns = 3, .asked = 3,
	.plan = &plan, .scale = true,
};

TEST(spread_is_the_standard_error_of_the_mean)
{
	const struct figure figure = figure_of_event(&report, 0);

	CHECK(fabs(figure.mean - 100) < 1e-9);
	CHECK(fabs(figure.percent - 10 / sqrt(3)) < 1e-9); /* s = 10, n = 3 */
	CHECK(figure_of_event(&report, 1).percent == 0);
}

TEST(one_run_has_no_spread)
{
	report.nruns = 1;
	CHECK(figure_of_event(&report, 0).mean == 90);
	CHECK(figure_of_event(&report, 0).percent == 0);
}

TEST(instructions_are_put_beside_cycles_of_the_same_levels)
{
	struct derived derived = derive(&report, 1);

	CHECK_STREQ(derived.unit, "insn per cycle");
	CHECK(fabs(derived.value - 2) < 1e-9);
	two_events[0].levels = LEVEL_ALL;
	derived = derive(&report, 1);
	CHECK_STREQ(derived.unit, "/sec");
}

TEST(rates_of_a_command_are_per_second_of_cpu_time)
{
	const struct derived derived = derive(&report, 0);

	CHECK_STREQ(derived.unit, "GHz");
	CHECK(fabs(derived.value - 100e-9) < 1e-15); /* mean 100 in 1 s, not in 2 */
}

TEST(rates_of_cpus_are_per_second_of_each)
{
	unsigned int cpus[4];
	struct derived derived;

	target.kind = TARGET_CPUS;
	target.cpus = cpus;
	target.ncpus = 4;
	derived = derive(&report, 0);
	CHECK(fabs(derived.value - 100e-9 / 8) < 1e-15);
}

TEST(rates_of_a_process_are_per_second_that_passed)
{
	struct derived derived;

	target.kind = TARGET_PROCESS;
	derived = derive(&report, 0);
	CHECK_STREQ(derived.unit, "/sec");
	CHECK(fabs(derived.value - 50) < 1e-9);
}

TEST(no_time_means_no_rate)
{
	size_t i;

	for (i = 0; i < 3; i++) {
		runs[i].user = 0;
		runs[i].sys = 0;
	}
	CHECK(!derive(&report, 0).unit);
	CHECK_STREQ(derive(&report, 1).unit, "insn per cycle");
}

/* The cycles are in set 0, for a quarter of the time, the instructions in set 1. */
static struct set_time times[3][2] = {
	{ { 1000, 1 }, { 3000, 1 } }, { { 500, 1 }, { 1500, 1 } }, { { 2000, 1 }, { 6000, 1 } },
};

/* The present contents of counts and times, with the instructions in this set. */
static void take_turns_with(unsigned int set)
{
	static pfarg_pmd_t pmds[2];
	const struct run before[3] = { runs[0], runs[1], runs[2] };
	struct tally tally;
	size_t i;

	plan = (struct plan){ .nsets = 2, .pmds = pmds, .npmds = 2 };
	two_events[1].set = set;
	pmds[1].reg_set = (__u16)set;
	for (i = 0; i < 3; i++) {
		tally = (struct tally){ counts[i], times[i] };
		run_from_tally(&runs[i], &plan, &tally);
		runs[i].elapsed = before[i].elapsed;
		runs[i].user = before[i].user;
		runs[i].sys = before[i].sys;
	}
}

static void take_turns(void)
{
	take_turns_with(1);
}

TEST(one_set_is_counted_all_the_time)
{
	CHECK(!report_has_turns(&report));
	CHECK(share_of_event(&report, 1) == 1);
	CHECK(is_counted(&report, 0, 1));
	CHECK(!is_scaled(&report, 1));
	counts[0][0] = UINT64_MAX; /* no double has exactly this value */
	CHECK_EQ(count_of_run(&report, 0, 0), UINT64_MAX);
}

TEST(counts_of_sets_are_scaled_by_their_share)
{
	take_turns();
	CHECK(fabs(share_of_event(&report, 0) - 0.25) < 1e-9);
	CHECK(fabs(share_of_event(&report, 1) - 0.75) < 1e-9);
	CHECK(is_scaled(&report, 0) && is_scaled(&report, 1));
	CHECK_EQ(count_of_run(&report, 0, 0), 360);
	CHECK_EQ(count_of_run(&report, 0, 1), 267); /* 266.7 */
	CHECK(fabs(figure_of_event(&report, 0).mean - 400) < 1e-9);
	CHECK(fabs(figure_of_event(&report, 0).percent - 10 / sqrt(3)) < 1e-9);
	CHECK(fabs(figure_of_raw_count(&report, 0).mean - 100) < 1e-9);
}

TEST(large_counts_are_scaled_exactly)
{
	counts[0][0] = 1000000000000000001;
	take_turns();
	CHECK_EQ(count_of_run(&report, 0, 0), 4000000000000000004);
}

TEST(counts_stay_as_they_are_when_asked)
{
	take_turns();
	report.scale = false;
	CHECK_EQ(count_of_run(&report, 0, 0), 90);
	CHECK(!is_scaled(&report, 0));
	CHECK(fabs(figure_of_event(&report, 0).mean - 100) < 1e-9);
	CHECK(fabs(share_of_event(&report, 0) - 0.25) < 1e-9);
	CHECK(fabs(derive(&report, 0).value - 400e-9) < 1e-15); /* rates use the whole time */
}

TEST(a_set_that_had_no_turn_has_no_count)
{
	for (size_t i = 0; i < 3; i++)
		times[i][0].active_ns = 0;
	take_turns();
	CHECK(!is_counted(&report, 0, 0));
	CHECK(is_counted(&report, 0, 1));
	CHECK_EQ(figure_of_event(&report, 0).n, 0);
	CHECK(share_of_event(&report, 0) == 0);
	CHECK(!derive(&report, 0).unit);
	CHECK(share_of_event(&report, 1) == 1);
	CHECK(!is_scaled(&report, 1)); /* here it was counted all the time */
	CHECK_EQ(count_of_run(&report, 0, 1), 200);
}

TEST(no_turn_at_all_is_no_division_by_zero)
{
	memset(times, 0, sizeof(times));
	take_turns();
	CHECK(share_of_event(&report, 0) == 0);
	CHECK_EQ(figure_of_event(&report, 0).n, 0);
	CHECK_EQ(figure_of_event(&report, 1).n, 0);
}

TEST(runs_without_a_turn_are_not_in_the_mean)
{
	times[0][0].active_ns = 0;
	take_turns();
	CHECK(!is_counted(&report, 0, 0));
	CHECK(is_counted(&report, 1, 0));
	CHECK_EQ(figure_of_event(&report, 0).n, 2);
	CHECK(fabs(figure_of_event(&report, 0).mean - 420) < 1e-9);
}

TEST(figures_are_put_together_within_a_set_only)
{
	take_turns();
	CHECK_STREQ(derive(&report, 1).unit, "/sec");
	take_turns_with(0);
	CHECK_STREQ(derive(&report, 1).unit, "insn per cycle");
	CHECK(fabs(derive(&report, 1).value - 2) < 1e-9);
}

static char *written(FILE *file)
{
	static char text[4096];
	size_t n;

	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

TEST(json_nests_and_separates)
{
	FILE *file = tmpfile();
	struct json json = { .out = file };

	json_object(&json, NULL);
	json_u64(&json, "a", UINT64_MAX);
	json_array(&json, "b");
	json_end(&json);
	json_array(&json, "c");
	json_int(&json, NULL, -1);
	json_bool(&json, NULL, true);
	json_end(&json);
	json_double(&json, "d", 1.5, 2);
	json_double(&json, "e", NAN, 2);
	json_end(&json);
	CHECK_STREQ(written(file), "{\n  \"a\": 18446744073709551615,\n  \"b\": [],\n  \"c\": [\n"
				   "    -1,\n    true\n  ],\n  \"d\": 1.50,\n  \"e\": null\n}\n");
}

static void check_quoted(const char *text, const char *want)
{
	FILE *file = tmpfile();
	struct json json = { .out = file };

	json_string(&json, NULL, text);
	CHECK_STREQ(written(file), want);
}

TEST(json_strings_are_valid_whatever_is_in_them)
{
	check_quoted("a\"b\\c", "\"a\\\"b\\\\c\"");
	check_quoted("a\nb\tc\x01", "\"a\\u000ab\\u0009c\\u0001\"");
	check_quoted("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
	check_quoted("\xff\xc3", "\"\\ufffd\\ufffd\"");		/* not UTF-8: cut off */
	check_quoted("\xc0\xaf", "\"\\ufffd\\ufffd\"");		/* overlong */
	check_quoted("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
}

TEST(edit_distance_counts_changes)
{
	CHECK_EQ(edit_distance("", 0, "abc", 3), 3);
	CHECK_EQ(edit_distance("abc", 3, "abc", 3), 0);
	CHECK_EQ(edit_distance("abc", 3, "ABC", 3), 0);
	CHECK_EQ(edit_distance("abc", 3, "acb", 3), 1);
	CHECK_EQ(edit_distance("kitten", 6, "sitting", 7), 3);
}

TEST(suggestions_come_nearest_first)
{
	struct suggest suggest;
	char text[128];

	suggest_begin(&suggest, "branchs", 7);
	suggest_offer(&suggest, "branch-misses");
	suggest_offer(&suggest, "brunches");
	suggest_offer(&suggest, "branches");
	suggest_offer(&suggest, "cycles");
	suggest_end(&suggest, text, sizeof(text));
	CHECK_STREQ(text, "branches or brunches");
}

TEST(tasks_are_found_renamed_and_removed)
{
	struct tasks tasks = { 0 };
	struct task *task;
	unsigned int n = 0;
	pid_t tid;

	for (tid = 1; tid <= 1000; tid++)
		tasks_add(&tasks, tid);
	CHECK_EQ(tasks.n, 1000);
	tasks_remove(&tasks, 7);
	tasks_remove(&tasks, 7);
	CHECK(!tasks_find(&tasks, 7));
	tasks_rename(&tasks, 500, 5000);
	CHECK(!tasks_find(&tasks, 500));
	CHECK_EQ(tasks_find(&tasks, 5000)->tid, 5000);
	for (task = tasks_next(&tasks, NULL); task; task = tasks_next(&tasks, task))
		n++;
	CHECK_EQ(n, 999);
	while ((task = tasks_any(&tasks)))
		tasks_remove(&tasks, task->tid);
	CHECK_EQ(tasks.n, 0);
}

TEST(long_text_is_cut_not_overrun)
{
	char buf[8] = "";

	append(buf, sizeof(buf), "%s", "abcdef");
	append(buf, sizeof(buf), "%s", "ghijkl");
	CHECK_STREQ(buf, "abcdefg");
}
