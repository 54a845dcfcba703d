/* SPDX-License-Identifier: GPL-2.0 */
/* Source files, read when a line of them is wanted. */
#ifndef PFMON_ANNOTATE_SOURCES_H
#define PFMON_ANNOTATE_SOURCES_H

#include "util.h"

struct source_file {
	const char	*name;		/* the caller's */
	bool		there;
	struct strings	text;		/* its lines */
};

/* Zeroed is empty. */
struct sources {
	struct source_file *file;
	size_t		n, room;
	size_t		missing;	/* files that cannot be read ... */
	const char	*missing_one;	/* ... such as this one ... */
	int		error;		/* ... for this reason */
};

/* The text of a line; NULL: the file cannot be read. A line behind its end is empty. */
const char *sources_line(struct sources *sources, const char *file, unsigned int number);

/* A sentence about files that cannot be read, to be freed; or NULL. */
char *sources_note(const struct sources *sources);

void sources_free(struct sources *sources);

#endif /* PFMON_ANNOTATE_SOURCES_H */
