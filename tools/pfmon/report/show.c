// SPDX-License-Identifier: GPL-2.0
/* From options to output: the common part of the verbs that sum samples up. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "report/print.h"
#include "report/show.h"

static bool is_needed(const struct report_options *options, enum key key)
{
	return keys_have(&options->sort, key) || filter_has(&options->filter, key);
}

bool report_each_input(const struct report_options *options, void *data,
		       bool (*take)(void *data, const char *file, struct problem *why),
		       struct problem *why)
{
	size_t i;

	if (!options->input.n)
		return take(data, "pfmon.data", why);
	for (i = 0; i < options->input.n; i++)
		if (!take(data, options->input.text[i], why))
			return false;
	return true;
}

void report_add_notes(const struct report_options *options, struct strings *notes,
		      const char *file, const struct strings *from)
{
	const bool named = options->input.n > 1;
	size_t i;

	for (i = 0; i < from->n; i++)
		strings_add(notes, xasprintf("%s%s%s", named ? file : "", named ? ": " : "",
					     from->text[i]));
}

struct gathering {
	struct gathered		*gathered;
	struct gather_options	how;
};

static bool gather_one(void *data, const char *file, struct problem *why)
{
	struct gathering *gathering = data;

	return gather(gathering->gathered, file, &gathering->how, why);
}

bool report_gather(struct gathered *gathered, const struct report_options *options,
		   bool any_period, bool paths, struct problem *why)
{
	struct gathering gathering = {
		.gathered = gathered,
		.how = {
			.tasks = is_needed(options, KEY_COMM) || is_needed(options, KEY_PID) ||
				 is_needed(options, KEY_TID),
			.cpus = is_needed(options, KEY_CPU),
			.paths = paths,
			.any_period = any_period, .named = options->input.n > 1,
			.from = options->from, .to = options->to,
		},
	};

	return report_each_input(options, &gathering, gather_one, why);
}

bool report_is_filtered(const struct report_options *options)
{
	enum key key;

	for (key = 0; key < KEYS; key++)
		if (filter_has(&options->filter, key))
			return true;
	return options->from || options->to >= 0;
}

void report_begin_output(const struct report_options *options)
{
	if (!options->json && !options->separator && !options->no_pager)
		pager_begin();
}

bool report_end_output(const char *what, struct problem *why)
{
	const bool ok = !fflush(stdout) && !ferror(stdout);

	if (!ok)
		problem(why, "cannot write %s: %s", what, strerror(errno));
	pager_end();
	return ok;
}

static bool print(const struct report_options *options, const struct view *view,
		  struct problem *why)
{
	report_begin_output(options);
	if (options->json)
		print_json(stdout, view);
	else if (options->separator)
		print_separated(stdout, view, options->separator);
	else
		print_text(stdout, view);
	return report_end_output("the report", why);
}

bool report_show(const struct report_options *options, enum layout layout, struct problem *why)
{
	const struct table_options how = {
		.keys = options->sort, .layout = layout, .filter = &options->filter,
		.by_callees = options->by_callees, .mangled = options->mangled,
	};
	const bool one_column = layout == LAYOUT_SECTIONS || layout == LAYOUT_MIXED;
	struct gathered gathered = { .nsources = 0 };
	struct table table;
	const struct view view = {
		.gathered = &gathered, .table = &table, .filtered = report_is_filtered(options),
		.colour = colour_wanted(options->colour), .limit = options->limit,
		.percent_limit = options->percent_limit,
	};
	bool ok = report_gather(&gathered, options, layout == LAYOUT_SOURCES, one_column, why);

	if (ok) {
		table_make(&table, &gathered, &how);
		ok = print(options, &view, why);
		table_free(&table);
	}
	gathered_free(&gathered);
	return ok;
}
