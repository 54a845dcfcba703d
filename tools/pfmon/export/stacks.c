// SPDX-License-Identifier: GPL-2.0
/* All samples by thread and function: the input of flame graphs. */
#define _GNU_SOURCE
#include "export/export.h"

/* From the outermost function to that of the sample. @path has room for them. */
static size_t put_frames(struct export *export, const struct frames *frames, struct step *path)
{
	struct place place;
	size_t i;

	for (i = 0; i < frames->n; i++) {
		const struct frame *frame = &frames->frame[frames->n - 1 - i];

		place = places_of_frame(export->places, frame);
		path[i] = (struct step){
			.name = place.symbol, .kernel = frame->object == OBJECT_KERNEL,
		};
	}
	return frames->n;
}

void export_tree(struct tree *tree, struct export *export, const struct export_tree *how)
{
	struct ordered *ordered = export->ordered;
	const bool files = how->files && !ordered->profile.has_chains;
	struct frames frames = { .n = 0 };
	struct step path[2 + FRAMES_MOST];
	size_t n, i;

	for (i = 0; i < ordered->n; i++) {
		const struct sample *sample = &ordered->sample[i];

		frames_of(&frames, &ordered->profile, sample);
		n = 0;
		path[n++] = (struct step){ .name = places_comm(export->places, sample) };
		if (files)
			path[n++] = (struct step){
				.name = places_find(export->places, sample)->file,
				.kernel = sample->object == OBJECT_KERNEL,
			};
		n += put_frames(export, &frames, path + n);
		tree_add(tree, path, n);
	}
	tree_sort(tree, tree_by_name);
	frames_free(&frames);
}
