// SPDX-License-Identifier: GPL-2.0
/* All samples by thread and function: the input of flame graphs. */
#define _GNU_SOURCE
#include "export/export.h"
#include "places/steps.h"

/* A function is one, whether it is inlined or called, and whatever file it is in. */
static void add_functions(struct steps *steps, struct export *export, const struct sample *sample)
{
	size_t i = steps->n;

	steps_add_functions(steps, export->places, &export->ordered->profile, sample,
			   STEPS_OUTERMOST_FIRST);
	for (; i < steps->n; i++) {
		steps->step[i].file = NULL;
		steps->step[i].inlined = false;
	}
}

void export_tree(struct tree *tree, struct export *export, const struct export_tree *how)
{
	struct ordered *ordered = export->ordered;
	const bool files = how->files && !ordered->profile.has_chains;
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
	tree_sort(tree, tree_by_name);
	steps_free(&steps);
}
