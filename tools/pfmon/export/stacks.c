// SPDX-License-Identifier: GPL-2.0
/* All samples by thread and function: the input of flame graphs. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "export/export.h"
#include "places/steps.h"

/* A function is one, whether it is inlined or called, and whatever file it is in. */
static void add_functions(struct steps *steps, const struct export *export,
			  const struct sample *sample)
{
	size_t i = steps->n;

	steps_add_functions(steps, export->places, &export->ordered->profile, sample,
			   STEPS_OUTERMOST_FIRST);
	for (; i < steps->n; i++) {
		steps->step[i].file = NULL;
		steps->step[i].inlined = false;
	}
}

static void add_samples(struct tree *tree, const struct export *export, bool files)
{
	const struct ordered *ordered = export->ordered;
	struct steps steps = { .n = 0 };
	size_t i;

	for (i = 0; i < ordered->n; i++) {
		const struct sample *sample = &ordered->sample[i];
		struct step step = { .name = places_comm(export->places, sample) };

		steps.n = 0;
		steps_add(&steps, &step);
		if (files) {
			step.name = places_find(export->places, sample)->file;
			step.kernel = sample->object == OBJECT_KERNEL;
			steps_add(&steps, &step);
		}
		add_functions(&steps, export, sample);
		tree_add(tree, steps.step, steps.n, sample->count);
	}
	steps_free(&steps);
}

static void add_heading(struct graph *graph, const struct export *export, size_t event)
{
	const struct profile *profile = &export->ordered->profile;
	const char *host = profile->host.n ? names_keep(&graph->names, profile->host.text[0]) : NULL;
	char *title;

	if (graph->recordings++) {
		graph->hosts |= host != graph->host;
		return;
	}
	title = export_title(export);
	graph->title = names_keep(&graph->names, title);
	graph->host = host;
	if (event < profile->nevents)
		graph->event = names_keep(&graph->names, profile->event[event].name);
	free(title);
}

/* The names of the recording's places end with it, so its tree is merged with copies. */
void graph_add(struct graph *graph, const struct export *export, size_t event)
{
	struct tree tree = { .n = 0 };

	add_heading(graph, export, event);
	add_samples(&tree, export, graph->files && !export->ordered->profile.has_chains);
	tree_merge(&graph->tree, &tree, &graph->names);
	tree_free(&tree);
}

void graph_free(struct graph *graph)
{
	tree_free(&graph->tree);
	names_free(&graph->names);
}
