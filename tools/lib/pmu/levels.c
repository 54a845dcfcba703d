// SPDX-License-Identifier: GPL-2.0
/* The modifiers for the levels at which an event counts. */
#define _GNU_SOURCE
#include <string.h>

#include "pmu/levels.h"
#include "pmu/pmu.h"

unsigned int levels_parse(const char *modifiers)
{
	unsigned int levels = 0;

	for (; *modifiers; modifiers += 2) {
		if (!strncasecmp(modifiers, ":u", 2))
			levels |= LEVEL_USER;
		else if (!strncasecmp(modifiers, ":k", 2))
			levels |= LEVEL_KERNEL;
		else
			return 0;
	}
	return levels;
}
