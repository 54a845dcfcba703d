// SPDX-License-Identifier: GPL-2.0
/*
 * The call chains of a recording as a tree: from the outermost functions to those that they
 * call, or from the functions with the samples to their callers.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "places/ordered.h"
#include "places/steps.h"
#include "report/calls.h"
#include "report/print.h"
#include "report/show.h"

#define FORMAT_VERSION	1
#define PERCENT_LIMIT	0.5	/* without --percent-limit */
#define MOST_INDENT	40

struct calls {
	const struct report_options *options;
	struct ordered	ordered;
	struct places	*places;
	struct tree	tree;		/* of one event */
	uint64_t	chosen;		/* its samples in the tree: they passed the filters */
	uint64_t	lines;		/* the number that may still be shown */
	uint64_t	hidden;		/* functions that are not shown, with all below them */
	struct steps	steps;
};

static bool number_fits(const struct filter *filter, enum key key, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	return !filter_has(filter, key) || filter_fits(filter, key, text);
}

static bool is_wanted(const struct calls *calls, const struct sample *sample)
{
	const struct filter *filter = &calls->options->filter;
	const double after = (double)(sample->time - calls->ordered.sample[0].time) * 1e-9;

	return number_fits(filter, KEY_PID, (uint64_t)sample->pid) &&
	       number_fits(filter, KEY_TID, (uint64_t)sample->tid) &&
	       number_fits(filter, KEY_CPU, sample->cpu) &&
	       (!filter_has(filter, KEY_COMM) ||
		filter_fits(filter, KEY_COMM, places_comm(calls->places, sample))) &&
	       after >= calls->options->from &&
	       (calls->options->to < 0 || after <= calls->options->to);
}

/* From the first function that fits the filter: a function that calls itself is there once. */
static void add_sample(struct calls *calls, const struct sample *sample)
{
	const struct filter *filter = &calls->options->filter;
	struct steps *steps = &calls->steps;
	size_t i = 0;

	steps->n = 0;
	steps_add_functions(steps, calls->places, &calls->ordered.profile, sample,
			   calls->options->calls == CALLS_CALLERS ? STEPS_INNERMOST_FIRST :
								    STEPS_OUTERMOST_FIRST);
	while (filter_has(filter, KEY_SYMBOL) && i < steps->n &&
	       !filter_fits(filter, KEY_SYMBOL, steps->step[i].name))
		i++;
	if (i == steps->n)
		return;
	tree_add(&calls->tree, steps->step + i, steps->n - i, sample->count);
	calls->chosen += sample->count;
}

static void make_tree(struct calls *calls, size_t event)
{
	size_t i;

	calls->chosen = calls->hidden = 0;
	calls->lines = calls->options->limit ?: UINT64_MAX;
	for (i = 0; i < calls->ordered.n; i++)
		if (calls->ordered.sample[i].event == event &&
		    is_wanted(calls, &calls->ordered.sample[i]))
			add_sample(calls, &calls->ordered.sample[i]);
	tree_sort(&calls->tree, tree_by_count);
}

static double percent_of(const struct calls *calls, uint64_t count)
{
	return 100 * (double)count / (double)calls->chosen;
}

/* True if the function is large enough and a line is left; takes the line. */
static bool is_shown(struct calls *calls, const struct node *node)
{
	const double limit = calls->options->percent_limit;

	if (percent_of(calls, node->count) >= (limit < 0 ? PERCENT_LIMIT : limit) && calls->lines) {
		calls->lines--;
		return true;
	}
	calls->hidden++;
	return false;
}

static void print_node(struct calls *calls, const struct node *node, unsigned int level)
{
	const struct view view = { .colour = colour_wanted(calls->options->colour) };
	const struct node *child;
	char count[40];

	if (!is_shown(calls, node))
		return;
	printf("%12s", with_thousands(node->count, count, sizeof(count)));
	print_percent(stdout, &view, percent_of(calls, node->count));
	if (calls->options->calls == CALLS_CALLEES)
		print_percent(stdout, &view, percent_of(calls, node_own(node)));
	printf("  %*s", level < MOST_INDENT ? (int)level : MOST_INDENT, "");
	print_plain(stdout, node->step.name);
	if (!strcmp(node->step.name, "[unknown]")) {
		fputs(" of ", stdout);
		print_plain(stdout, node->step.file);
	}
	if (node->step.inlined)
		fputs(" (inlined)", stdout);
	putchar('\n');
	for (child = node->child; child; child = child->next)
		print_node(calls, child, level + 1);
}

static void print_tree(struct calls *calls, size_t event)
{
	const bool callees = calls->options->calls == CALLS_CALLEES;
	const struct sampled_event *of = &calls->ordered.profile.event[event];
	const struct node *node;
	char all[40], chosen[40];

	fputs("# event: ", stdout);
	print_plain(stdout, of->name);
	printf("\n# samples: %s", with_thousands(of->samples, all, sizeof(all)));
	if (calls->chosen != of->samples)
		printf(", chosen: %s", with_thousands(calls->chosen, chosen, sizeof(chosen)));
	printf("\n# below a function: %s\n#\n", callees ? "those that it calls" : "those that call it");
	printf("#    samples  percent%s  function\n", callees ? "     self" : "");
	for (node = calls->tree.root.child; node; node = node->next)
		print_node(calls, node, 0);
	if (calls->hidden)
		printf("# Not shown: %" PRIu64 " smaller one%s (--percent-limit, --limit)\n",
		       calls->hidden, PLURAL(calls->hidden));
}

static void json_nodes(struct json *json, struct calls *calls, const struct node *parent)
{
	const struct node *node;

	json_array(json, "calls");
	for (node = parent->child; node; node = node->next) {
		if (!is_shown(calls, node))
			continue;
		json_object(json, NULL);
		json_string(json, "symbol", node->step.name);
		json_string(json, "file", node->step.file);
		json_bool(json, "inlined", node->step.inlined);
		json_u64(json, "samples", node->count);
		json_double(json, "percent", percent_of(calls, node->count), 4);
		if (calls->options->calls == CALLS_CALLEES)
			json_u64(json, "self", node_own(node));
		json_nodes(json, calls, node);
		json_end(json);
	}
	json_end(json);
}

static void json_event(struct json *json, struct calls *calls, size_t event)
{
	const struct sampled_event *of = &calls->ordered.profile.event[event];

	json_object(json, NULL);
	json_string(json, "event", of->name);
	json_u64(json, "samples", of->samples);
	json_u64(json, "chosen", calls->chosen);
	json_nodes(json, calls, &calls->tree.root);
	json_u64(json, "hidden", calls->hidden);
	json_end(json);
}

static bool event_is_wanted(const struct calls *calls, size_t event)
{
	const struct filter *filter = &calls->options->filter;

	return !filter_has(filter, KEY_EVENT) ||
	       filter_fits(filter, KEY_EVENT, calls->ordered.profile.event[event].name);
}

static bool print(struct calls *calls, struct problem *why)
{
	const struct report_options *options = calls->options;
	struct json json = { .out = stdout };
	size_t event;

	report_begin_output(options);
	if (options->json) {
		json_object(&json, NULL);
		json_u64(&json, "format", FORMAT_VERSION);
		json_string(&json, "tree", options->calls == CALLS_CALLERS ? "callers" : "callees");
		json_array(&json, "events");
	}
	for (event = 0; event < calls->ordered.profile.nevents; event++) {
		if (!event_is_wanted(calls, event))
			continue;
		make_tree(calls, event);
		if (options->json)
			json_event(&json, calls, event);
		else
			print_tree(calls, event);
		tree_free(&calls->tree);
	}
	if (options->json) {
		json_end(&json);
		json_strings(&json, "notes", &calls->ordered.profile.notes);
		json_end(&json);
	} else {
		print_notes(stdout, "# Note: ", &calls->ordered.profile.notes);
		print_notes(stdout, "# Note: ", places_notes(calls->places));
	}
	return report_end_output("the report", why);
}

bool report_calls(const struct report_options *options, struct problem *why)
{
	const char *file = options->input.n ? options->input.text[0] : "pfmon.data";
	struct calls calls = { .options = options };
	bool ok;

	if (!ordered_load(&calls.ordered, file, why))
		return false;
	ok = calls.ordered.profile.has_chains;
	if (!ok) {
		problem(why, "%s has no call chains", file);
		problem_hint(why, "pfmon record -g records them.");
	} else {
		calls.places = places_open(&calls.ordered.profile, !options->mangled);
		if (!options->no_inline)
			places_find_inlined(calls.places);
		ok = print(&calls, why);
		places_close(calls.places);
	}
	steps_free(&calls.steps);
	ordered_free(&calls.ordered);
	return ok;
}
