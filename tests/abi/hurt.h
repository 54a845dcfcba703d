/* SPDX-License-Identifier: GPL-2.0 */
/* perfmon_hurt.ko, which delays functions and makes calls fail. */
#ifndef TESTS_ABI_HURT_H
#define TESTS_ABI_HURT_H

#include "modules.h"
#include "settings.h"

/* The directory of modules for tests. */
#define PLACE	"kernel/perfmon/tests"

static inline void no_hurt(void)
{
	if (!unload_module("perfmon_hurt"))
		printf("a test before this one left perfmon_hurt\n");
}

static inline void hurt(const char *parameters)
{
	no_hurt();
	if (load_module(PLACE, "perfmon_hurt", parameters))
		FAIL("perfmon_hurt.ko with %s: %s", parameters, strerror(errno));
}

/* The number of functions that it has delayed or calls that it has made fail. */
static inline unsigned int hits(void)
{
	char text[16];

	read_file("/sys/module/perfmon_hurt/parameters/hits", text, sizeof(text));
	return atoi(text);
}

/* Return: hits(). */
static inline unsigned int heal(void)
{
	unsigned int n = hits();

	CHECK_OK(unload_module("perfmon_hurt"));
	return n;
}

#endif /* TESTS_ABI_HURT_H */
