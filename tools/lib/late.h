/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Libraries that are loaded when they are first needed. libpfm4 and capstone have large tables of
 * addresses, 41,000 and 80,000 relocations: more work than everything else at the start of a small
 * program. What needs no event's name, or decodes no code, does not pay for them.
 *
 * That is for code compiled with LATE_LIBRARIES. Other programs, those that are linked statically,
 * have the libraries as any other, and calls through the same tables.
 */
#ifndef PERFMON_LATE_H
#define PERFMON_LATE_H

#include "base.h"

struct late_function {
	const char	*name;
	void		*pointer;	/* where its address goes */
};

struct late_library {
	const char	*file;
	const char	*users;		/* for the message: what needs it */
	const char	*package;	/* Debian's */
	const struct late_function *functions;
	size_t		n;
};

/* A pointer of the table, before late_load() fills it in. */
#ifdef LATE_LIBRARIES
#define LATE_ADDRESS(function)	NULL
#else
#define LATE_ADDRESS(function)	(function)
#endif

/* Load the library and fill in all pointers. False, with the reason: it cannot be loaded. */
bool late_open(const struct late_library *library, struct problem *why);

/* The same, once. */
static inline bool late_load(const struct late_library *library, struct problem *why)
{
#ifdef LATE_LIBRARIES
	/* The first one is filled in last. */
	return *(void **)library->functions[0].pointer || late_open(library, why);
#else
	(void)library;
	(void)why;
	return true;
#endif
}

#endif /* PERFMON_LATE_H */
