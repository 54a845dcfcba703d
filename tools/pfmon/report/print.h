/* SPDX-License-Identifier: GPL-2.0 */
/* A flat profile in three forms. */
#ifndef PFMON_REPORT_PRINT_H
#define PFMON_REPORT_PRINT_H

#include <stdio.h>

#include "report/lines.h"

struct profile_view {
	const struct profile	*profile;
	const struct lines	*lines;
	enum profile_sort	sort;
	uint64_t		limit;	/* lines of an event; 0: all */
	struct strings		notes;
};

void profile_print_text(FILE *out, const struct profile_view *view);
void profile_print_json(FILE *out, const struct profile_view *view);

/* False, with the reason: a name has the separator in it. Nothing is printed then. */
bool profile_print_separated(FILE *out, const struct profile_view *view,
			     const char *separator, struct problem *why);

#endif /* PFMON_REPORT_PRINT_H */
