// SPDX-License-Identifier: GPL-2.0
/* The name of a recording where there is room for one line. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "export/export.h"

char *export_title(const struct export *export)
{
	const struct profile *profile = &export->ordered->profile;
	char *title = NULL, *longer;
	size_t i;

	for (i = 0; i < profile->command.n; i++) {
		longer = xasprintf("%s%s%s", title ?: "", title ? " " : "", profile->command.text[i]);
		free(title);
		title = longer;
	}
	return title ?: xstrdup(profile->host.n ? profile->host.text[0] : "pfmon");
}
