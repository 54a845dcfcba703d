/* SPDX-License-Identifier: GPL-2.0 */
/* A recording in the formats of other programs. */
#ifndef PFMON_EXPORT_EXPORT_H
#define PFMON_EXPORT_EXPORT_H

#include <stdio.h>

#include "names.h"
#include "places/ordered.h"
#include "places/places.h"
#include "places/tree.h"

/* One recording. */
struct export {
	struct ordered	*ordered;
	struct places	*places;
	const char	*file;		/* its name */
	FILE		*out;		/* the caller checks it for errors */
};

/* All write @out from its beginning to its end, without seeking. */
bool export_pprof(struct export *export, struct problem *why);
bool export_firefox(struct export *export, struct problem *why);
bool export_json(struct export *export, struct problem *why);
bool export_perf_data(struct export *export, struct problem *why);

/*
 * The samples of one or more recordings by the thread's name and the functions of their chains,
 * from the outermost on; in the order of names. Zeroed is empty.
 */
struct graph {
	struct tree	tree;
	struct names	names;		/* of all texts */
	bool		files;		/* without chains, a level with the file in between */
	size_t		recordings;
	const char	*title;		/* of the first recording, as the next two */
	const char	*event;
	const char	*host;		/* or NULL */
	bool		hosts;		/* other recordings are of another host */
};

/* Add a recording of one event, in which that event is @event. */
void graph_add(struct graph *graph, const struct export *export, size_t event);
void graph_free(struct graph *graph);

bool export_folded(const struct graph *graph, FILE *out, struct problem *why);
bool export_svg(const struct graph *graph, FILE *out, struct problem *why);

/* The title of a picture or a profile: the command, or the host. Allocated. */
char *export_title(const struct export *export);

#endif /* PFMON_EXPORT_EXPORT_H */
