/* SPDX-License-Identifier: GPL-2.0 */
/* A file that is there as a whole, or not at all. */
#ifndef PFMON_EXPORT_OUTPUT_H
#define PFMON_EXPORT_OUTPUT_H

#include <stdio.h>

#include "util.h"

struct output {
	FILE	*file;
	char	*name;		/* as messages have it */
	char	*target;	/* the final name, or NULL: the file is written directly */
};

/* @name: "-" is stdout. An existing file that is not regular, as a pipe, is written directly. */
bool output_open(struct output *output, const char *name, struct problem *why);

/* Put the file in its place; with @ok false, or if it could not be written, take it away. */
bool output_close(struct output *output, bool ok, struct problem *why);

#endif /* PFMON_EXPORT_OUTPUT_H */
