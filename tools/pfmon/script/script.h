/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a sample, as `perf script` prints it. */
#ifndef PFMON_SCRIPT_SCRIPT_H
#define PFMON_SCRIPT_SCRIPT_H

#include <stdio.h>

#include "places/places.h"

enum {
	FIELD_COMM	= 1 << 0,
	FIELD_PID	= 1 << 1,
	FIELD_TID	= 1 << 2,
	FIELD_CPU	= 1 << 3,
	FIELD_TIME	= 1 << 4,
	FIELD_PERIOD	= 1 << 5,
	FIELD_EVENT	= 1 << 6,
	FIELD_IP	= 1 << 7,
	FIELD_SYM	= 1 << 8,
	FIELD_SYMOFF	= 1 << 9,
	FIELD_DSO	= 1 << 10,
	FIELD_VALUES	= 1 << 11,
	FIELD_BRSTACK	= 1 << 12,
	FIELD_COUNT	= 1 << 13,
};

#define FIELDS_DEFAULT	(FIELD_VALUES - 1)

struct script {
	struct profile		*profile;
	struct places		*places;
	unsigned int		fields;
	bool			one_line;
	FILE			*out;
};

/* "comm,ip", or "+values,-dso": in addition to the default fields, or without them. */
bool fields_parse(const char *text, unsigned int *fields, struct problem *why);

void script_print(const struct script *script, const struct sample *sample);

#endif /* PFMON_SCRIPT_SCRIPT_H */
