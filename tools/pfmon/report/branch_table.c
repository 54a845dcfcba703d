// SPDX-License-Identifier: GPL-2.0
/* The table of `pfmon report --branches`: as text, with separators, as JSON. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csv.h"
#include "json.h"
#include "report/branch_table.h"
#include "report/print.h"
#include "report/show.h"

#define FORMAT_VERSION	1

static double percent_of(const struct branches *branches, const struct named_branch *branch)
{
	return 100 * (double)branch->turns.count / (double)branches->chosen;
}

/* The share of mispredicted turns, of those of which it is known. False: of none. */
static bool mispredicted_of(const struct turns *turns, double *percent)
{
	const uint64_t known = turns->predicted + turns->mispredicted;

	*percent = known ? 100 * (double)turns->mispredicted / (double)known : 0;
	return known > 0;
}

/* The mean of the known cycles. */
static bool cycles_of(const struct turns *turns, double *mean)
{
	*mean = turns->timed ? (double)turns->cycles / (double)turns->timed : 0;
	return turns->timed > 0;
}

/* The branches to show: they are sorted, the most frequent first. */
static void choose_shown(struct branches *branches)
{
	const struct report_options *options = branches->options;
	size_t n = 0;

	while (n < branches->n && (!options->limit || n < options->limit) &&
	       percent_of(branches, branches->branch[n]) >= options->percent_limit)
		n++;
	branches->nshown = n;
}

static void print_fields(const struct branches *branches, const struct named_branch *branch)
{
	const char *separator = branches->options->separator;
	const char *text[] = { branch->from.place, branch->from.file, branch->to.place,
			       branch->to.file };
	double mispredicted, cycles;
	size_t i;

	printf("%" PRIu64 "%s%.2f", branch->turns.count, separator, percent_of(branches, branch));
	for (i = 0; i < COUNT(text); i++) {
		fputs(separator, stdout);
		csv_text(stdout, text[i], separator);
	}
	fputs(separator, stdout);
	if (mispredicted_of(&branch->turns, &mispredicted))
		printf("%.2f", mispredicted);
	fputs(separator, stdout);
	if (cycles_of(&branch->turns, &cycles))
		printf("%.1f", cycles);
	putchar('\n');
}

static void print_details(const struct turns *turns)
{
	double mispredicted, cycles;

	if (mispredicted_of(turns, &mispredicted))
		printf("%7.2f%%", mispredicted);
	else
		printf("%8s", "-");
	if (cycles_of(turns, &cycles))
		printf(" %7.1f  ", cycles);
	else
		printf(" %7s  ", "-");
}

static void print_branch(const struct branches *branches, const struct named_branch *branch)
{
	char count[40];

	printf("%12s %7.2f%%  ", with_thousands(branch->turns.count, count, sizeof(count)),
	       percent_of(branches, branch));
	if (branches->detailed)
		print_details(&branch->turns);
	print_plain(stdout, branch->from.place);
	fputs(" -> ", stdout);
	print_plain(stdout, branch->to.place);
	fputs("  ", stdout);
	print_plain(stdout, branch->from.file);
	if (branch->from.file != branch->to.file) {
		fputs(" -> ", stdout);
		print_plain(stdout, branch->to.file);
	}
	putchar('\n');
}

static void print_text_of(const struct branches *branches)
{
	char all[40], chosen[40];
	size_t i;

	printf("# branches: %s, the last ones before each sample",
	       with_thousands(branches->all, all, sizeof(all)));
	if (branches->chosen != branches->all)
		printf("; chosen: %s", with_thousands(branches->chosen, chosen, sizeof(chosen)));
	printf("\n#\n#      count  percent  %sfrom -> to  file\n",
	       branches->detailed ? "  missed  cycles  " : "");
	for (i = 0; i < branches->nshown; i++)
		print_branch(branches, branches->branch[i]);
	print_notes(stdout, "# Note: ", &branches->notes);
}

static void json_end_of(struct json *json, const char *key, const struct name *name)
{
	json_object(json, key);
	json_string(json, "place", name->place);
	json_string(json, "file", name->file);
	json_end(json);
}

static void json_details_of(struct json *json, const struct turns *turns)
{
	double value;

	if (mispredicted_of(turns, &value))
		json_double(json, "mispredicted_percent", value, 4);
	if (cycles_of(turns, &value))
		json_double(json, "cycles", value, 4);
}

static void print_json_of(const struct branches *branches)
{
	struct json json = { .out = stdout };
	const struct named_branch *branch;
	size_t i;

	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	json_u64(&json, "all", branches->all);
	json_u64(&json, "chosen", branches->chosen);
	json_array(&json, "branches");
	for (i = 0; i < branches->nshown; i++) {
		branch = branches->branch[i];
		json_object(&json, NULL);
		json_u64(&json, "count", branch->turns.count);
		json_double(&json, "percent", percent_of(branches, branch), 4);
		json_details_of(&json, &branch->turns);
		json_end_of(&json, "from", &branch->from);
		json_end_of(&json, "to", &branch->to);
		json_end(&json);
	}
	json_end(&json);
	json_strings(&json, "notes", &branches->notes);
	json_end(&json);
}

bool branch_table_print(struct branches *branches, struct problem *why)
{
	const struct report_options *options = branches->options;
	size_t i;

	choose_shown(branches);
	report_begin_output(options);
	if (options->json)
		print_json_of(branches);
	else if (options->separator)
		for (i = 0; i < branches->nshown; i++)
			print_fields(branches, branches->branch[i]);
	else
		print_text_of(branches);
	return report_end_output("the report", why);
}
