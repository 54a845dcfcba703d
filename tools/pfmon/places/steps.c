// SPDX-License-Identifier: GPL-2.0
/* The functions of a sample's call chain, the inlined ones among them. */
#include <stdlib.h>

#include "places/steps.h"

void steps_add(struct steps *steps, const struct step *step)
{
	GROW(steps->step, steps->n, steps->room);
	steps->step[steps->n++] = *step;
}

/* The functions of one place: the inlined ones are inside that with code of its own. */
static void add_place(struct steps *steps, const struct place *place, bool kernel,
		      enum steps_order order)
{
	const size_t n = place->ninlined;
	struct step step = { .file = place->file, .kernel = kernel };
	size_t i, inner;

	for (i = 0; i <= n; i++) {
		inner = order == STEPS_INNERMOST_FIRST ? i : n - i;
		step.inlined = inner < n;
		step.name = step.inlined ? place->inlined[inner] : place->symbol;
		steps_add(steps, &step);
	}
}

void steps_add_functions(struct steps *steps, struct places *places, struct profile *profile,
			const struct sample *sample, enum steps_order order)
{
	const struct frame *frame;
	struct place place;
	size_t i;

	frames_of(&steps->frames, profile, sample);
	for (i = 0; i < steps->frames.n; i++) {
		frame = &steps->frames.frame[order == STEPS_INNERMOST_FIRST ?
					    i : steps->frames.n - 1 - i];
		place = places_of_frame(places, frame);
		add_place(steps, &place, frame->object == OBJECT_KERNEL, order);
	}
}

void steps_free(struct steps *steps)
{
	frames_free(&steps->frames);
	free(steps->step);
}
