/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of a sample's call chain, the inlined ones among them, as a path of a tree. */
#ifndef PFMON_PLACES_STEPS_H
#define PFMON_PLACES_STEPS_H

#include "places/places.h"
#include "places/tree.h"

/* One path after the other. Zeroed: none yet. */
struct steps {
	struct step	*step;
	size_t		n, room;
	struct frames	frames;
};

enum steps_order { STEPS_OUTERMOST_FIRST, STEPS_INNERMOST_FIRST };

/* A step at the end of the path. */
void steps_add(struct steps *steps, const struct step *step);

/* The functions of a sample of this profile, at the end of the path: one at least. */
void steps_add_functions(struct steps *steps, struct places *places, struct profile *profile,
			const struct sample *sample, enum steps_order order);
void steps_free(struct steps *steps);

#endif /* PFMON_PLACES_STEPS_H */
