/* SPDX-License-Identifier: GPL-2.0 */
/* Short names that mean the same on every CPU. */
#ifndef PFMON_PMU_ALIASES_H
#define PFMON_PMU_ALIASES_H

#include "base.h"

struct alias {
	const char	*name;
	const char	*events[8];	/* libpfm4's names; the first that exists is meant */
};

/* Ended by a NULL name. */
extern const struct alias aliases[];

/*
 * The event of the alias at the beginning of @name on the present CPU, with the
 * modifiers that follow it ("cycles:u"); allocated. NULL: no alias, or no such event here.
 */
char *alias_expand(const char *name);

/* An alias by that name exists, on whatever CPU. */
bool alias_known(const char *name);

#endif /* PFMON_PMU_ALIASES_H */
