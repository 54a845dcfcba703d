/* SPDX-License-Identifier: GPL-2.0 */
/* Annotated functions in three forms: text, separated fields, JSON. */
#ifndef PFMON_ANNOTATE_PRINT_H
#define PFMON_ANNOTATE_PRINT_H

#include "annotate/listing.h"
#include "annotate/sources.h"
#include "report/print.h"

struct annotation {
	const struct function	*function;
	struct listing		listing;
	bool			source;		/* lines of the source have their text */
};

struct annotations {
	struct gathered		*gathered;
	struct view		view;		/* of the table that the functions are from */
	size_t			*event;		/* those with samples: columns of the table */
	size_t			nevents;
	struct annotation	*annotation;
	size_t			n, room;
	bool			by_source;	/* without instructions */
	const char		*choice;	/* why this function, if none was named */
	struct sources		sources;
};

void annotations_text(FILE *out, struct annotations *annotations);
void annotations_separated(FILE *out, struct annotations *annotations, const char *separator);
void annotations_json(FILE *out, struct annotations *annotations);

/*
 * Common parts: the remaining notes, known once all lines are printed; and a percentage.
 */
const struct strings *annotations_notes(struct annotations *annotations);

static inline double percent_of(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

#endif /* PFMON_ANNOTATE_PRINT_H */
