// SPDX-License-Identifier: GPL-2.0
/*
 * The call chains of one or more recordings as a tree for each event: from the outermost functions to those that they
 * call, or from the functions with the samples to their callers.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "names.h"
#include "places/ordered.h"
#include "places/steps.h"
#include "report/calls.h"
#include "report/chosen.h"
#include "report/print.h"
#include "report/show.h"

#define FORMAT_VERSION	1
#define PERCENT_LIMIT	0.5	/* without --percent-limit */
#define MOST_INDENT	40

/* An event, of all recordings that have it. */
struct event_tree {
	const char	*name;
	uint64_t	samples;
	struct tree	tree;		/* of the samples that passed the filters */
};

struct calls {
	const struct report_options *options;
	struct event_tree *event;
	size_t		n, room;
	struct names	names;		/* of the steps in the trees */
	struct strings	notes;
	struct steps	steps;
	uint64_t	lines;		/* the number that may still be shown of an event */
	uint64_t	hidden;		/* functions that are not shown, with all below them */
};

/* The recording that is added now. */
struct added {
	struct ordered	ordered;
	struct places	*places;
	size_t		*event;		/* the trees of its events; SIZE_MAX: not wanted */
	struct tree	*tree;		/* of the recording alone, for each event */
};

static bool is_wanted(const struct calls *calls, const struct added *added,
		      const struct sample *sample)
{
	const double after = (double)(sample->time - added->ordered.sample[0].time) * 1e-9;

	return sample_is_chosen(&calls->options->filter, &added->ordered.profile, sample) &&
	       after >= calls->options->from &&
	       (calls->options->to < 0 || after <= calls->options->to);
}

/* From the first function that fits the filter: a function that calls itself is there once. */
static void add_sample(struct calls *calls, struct added *added, const struct sample *sample)
{
	const struct filter *filter = &calls->options->filter;
	struct steps *steps = &calls->steps;
	size_t i = 0;

	steps->n = 0;
	steps_add_functions(steps, added->places, &added->ordered.profile, sample,
			    calls->options->calls == CALLS_CALLERS ? STEPS_INNERMOST_FIRST :
								     STEPS_OUTERMOST_FIRST);
	while (filter_has(filter, KEY_SYMBOL) && i < steps->n &&
	       !filter_fits(filter, KEY_SYMBOL, steps->step[i].name))
		i++;
	if (i == steps->n)
		return;
	tree_add(&added->tree[sample->event], steps->step + i, steps->n - i, sample->count);
}

/* The tree of an event, by its name; SIZE_MAX: the event is not wanted. */
static size_t tree_of(struct calls *calls, const struct sampled_event *of)
{
	const struct filter *filter = &calls->options->filter;
	struct event_tree *event = calls->event;
	size_t i;

	if (filter_has(filter, KEY_EVENT) && !filter_fits(filter, KEY_EVENT, of->name))
		return SIZE_MAX;
	for (i = 0; i < calls->n; i++)
		if (!strcmp(event[i].name, of->name))
			break;
	if (i == calls->n) {
		GROW(event, calls->n, calls->room);
		calls->event = event;
		event[calls->n++] = (struct event_tree){ .name = names_keep(&calls->names, of->name) };
	}
	event[i].samples += of->samples;
	return i;
}

/* Names of the recording's places do not stay. */
static void take_tree(struct calls *calls, struct event_tree *event, struct tree *tree)
{
	tree_merge(&event->tree, tree, &calls->names);
	tree_free(tree);
}

static void add_samples(struct calls *calls, struct added *added, const char *file)
{
	const struct profile *profile = &added->ordered.profile;
	size_t i;

	added->places = places_open(&added->ordered.profile, !calls->options->mangled);
	if (!calls->options->no_inline)
		places_find_inlined(added->places);
	added->event = xcalloc(profile->nevents, sizeof(*added->event));
	added->tree = xcalloc(profile->nevents, sizeof(*added->tree));
	for (i = 0; i < profile->nevents; i++)
		added->event[i] = tree_of(calls, &profile->event[i]);
	for (i = 0; i < added->ordered.n; i++)
		if (is_wanted(calls, added, &added->ordered.sample[i]))
			add_sample(calls, added, &added->ordered.sample[i]);
	for (i = 0; i < profile->nevents; i++)
		if (added->event[i] != SIZE_MAX)
			take_tree(calls, &calls->event[added->event[i]], &added->tree[i]);
	report_add_notes(calls->options, &calls->notes, file, &profile->notes);
	report_add_notes(calls->options, &calls->notes, file, places_notes(added->places));
	places_close(added->places);
	free(added->event);
	free(added->tree);
}

static bool add_recording(void *data, const char *file, struct problem *why)
{
	struct calls *calls = data;
	struct added added = { .places = NULL };
	bool ok;

	if (!ordered_load(&added.ordered, file, why))
		return false;
	ok = added.ordered.profile.has_chains;
	if (ok) {
		add_samples(calls, &added, file);
	} else {
		problem(why, "%s has no call chains", file);
		problem_hint(why, "pfmon record -g records them.");
	}
	ordered_free(&added.ordered);
	return ok;
}

static double percent_of(const struct event_tree *event, uint64_t count)
{
	return 100 * (double)count / (double)event->tree.root.count;
}

/* True if the function is large enough and a line is left; takes the line. */
static bool is_shown(struct calls *calls, const struct event_tree *event,
		     const struct node *node)
{
	const double limit = calls->options->percent_limit;

	if (percent_of(event, node->count) >= (limit < 0 ? PERCENT_LIMIT : limit) && calls->lines) {
		calls->lines--;
		return true;
	}
	calls->hidden++;
	return false;
}

static void print_node(struct calls *calls, const struct event_tree *event,
		       const struct node *node, unsigned int level)
{
	const struct view view = { .colour = colour_wanted(calls->options->colour) };
	const struct node *child;
	char count[40];

	if (!is_shown(calls, event, node))
		return;
	printf("%12s", with_thousands(node->count, count, sizeof(count)));
	print_percent(stdout, &view, percent_of(event, node->count));
	if (calls->options->calls == CALLS_CALLEES)
		print_percent(stdout, &view, percent_of(event, node_own(node)));
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
		print_node(calls, event, child, level + 1);
}

static void print_tree(struct calls *calls, const struct event_tree *event)
{
	const bool callees = calls->options->calls == CALLS_CALLEES;
	const struct node *node;
	char all[40], chosen[40];

	fputs("# event: ", stdout);
	print_plain(stdout, event->name);
	printf("\n# samples: %s", with_thousands(event->samples, all, sizeof(all)));
	if (event->tree.root.count != event->samples)
		printf(", chosen: %s", with_thousands(event->tree.root.count, chosen, sizeof(chosen)));
	printf("\n# below a function: %s\n#\n", callees ? "those that it calls" : "those that call it");
	printf("#    samples  percent%s  function\n", callees ? "     self" : "");
	for (node = event->tree.root.child; node; node = node->next)
		print_node(calls, event, node, 0);
	if (calls->hidden)
		printf("# Not shown: %" PRIu64 " smaller one%s (--percent-limit, --limit)\n",
		       calls->hidden, PLURAL(calls->hidden));
}

static void json_nodes(struct json *json, struct calls *calls, const struct event_tree *event,
		       const struct node *parent)
{
	const struct node *node;

	json_array(json, "calls");
	for (node = parent->child; node; node = node->next) {
		if (!is_shown(calls, event, node))
			continue;
		json_object(json, NULL);
		json_string(json, "symbol", node->step.name);
		json_string(json, "file", node->step.file);
		json_bool(json, "inlined", node->step.inlined);
		json_u64(json, "samples", node->count);
		json_double(json, "percent", percent_of(event, node->count), 4);
		if (calls->options->calls == CALLS_CALLEES)
			json_u64(json, "self", node_own(node));
		json_nodes(json, calls, event, node);
		json_end(json);
	}
	json_end(json);
}

static void json_tree(struct json *json, struct calls *calls, const struct event_tree *event)
{
	json_object(json, NULL);
	json_string(json, "event", event->name);
	json_u64(json, "samples", event->samples);
	json_u64(json, "chosen", event->tree.root.count);
	json_nodes(json, calls, event, &event->tree.root);
	json_u64(json, "hidden", calls->hidden);
	json_end(json);
}

static void print_trees(struct calls *calls, struct json *json)
{
	struct event_tree *event;

	for (event = calls->event; event < calls->event + calls->n; event++) {
		calls->hidden = 0;
		calls->lines = calls->options->limit ?: UINT64_MAX;
		tree_sort(&event->tree, tree_by_count);
		if (json)
			json_tree(json, calls, event);
		else
			print_tree(calls, event);
	}
}

static void print_as_json(struct calls *calls)
{
	struct json json = { .out = stdout };

	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	json_string(&json, "tree", calls->options->calls == CALLS_CALLERS ? "callers" : "callees");
	json_array(&json, "events");
	print_trees(calls, &json);
	json_end(&json);
	json_strings(&json, "notes", &calls->notes);
	json_end(&json);
}

static bool print(struct calls *calls, struct problem *why)
{
	report_begin_output(calls->options);
	if (calls->options->json) {
		print_as_json(calls);
	} else {
		print_trees(calls, NULL);
		print_notes(stdout, "# Note: ", &calls->notes);
	}
	return report_end_output("the report", why);
}

static void free_calls(struct calls *calls)
{
	size_t i;

	for (i = 0; i < calls->n; i++)
		tree_free(&calls->event[i].tree);
	free(calls->event);
	names_free(&calls->names);
	strings_free(&calls->notes);
	steps_free(&calls->steps);
}

bool report_calls(const struct report_options *options, struct problem *why)
{
	struct calls calls = { .options = options };
	const bool ok = report_each_input(options, &calls, add_recording, why) &&
			print(&calls, why);

	free_calls(&calls);
	return ok;
}
