/* SPDX-License-Identifier: GPL-2.0 */
/* A recording in the formats of other programs. */
#ifndef PFMON_EXPORT_EXPORT_H
#define PFMON_EXPORT_EXPORT_H

#include <stdio.h>

#include "places/ordered.h"
#include "places/places.h"
#include "places/tree.h"

struct export {
	struct ordered	*ordered;
	struct places	*places;
	const char	*file;		/* the name of the recording */
	FILE		*out;		/* the caller checks it for errors */
};

/* All write @out from its beginning to its end, without seeking. */
bool export_folded(struct export *export, struct problem *why);
bool export_svg(struct export *export, struct problem *why);
bool export_pprof(struct export *export, struct problem *why);
bool export_firefox(struct export *export, struct problem *why);
bool export_json(struct export *export, struct problem *why);
bool export_perf_data(struct export *export, struct problem *why);

/*
 * All samples by the thread's name and the functions of their chains, from the outermost on; in
 * the order of names.
 */
struct export_tree {
	bool	files;		/* without chains, a level with the file in between */
};

void export_tree(struct tree *tree, struct export *export, const struct export_tree *how);

/* The title of a picture or a profile: the command, or the host. Allocated. */
char *export_title(const struct export *export);

#endif /* PFMON_EXPORT_EXPORT_H */
