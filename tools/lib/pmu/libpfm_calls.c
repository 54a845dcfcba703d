// SPDX-License-Identifier: GPL-2.0
/* Access to libpfm4. */
#include "late.h"
#include "pmu/libpfm_calls.h"

const struct libpfm_calls *libpfm_calls(struct problem *why)
{
#define LIBPFM_ADDRESS(name)	.name = LATE_ADDRESS(pfm_##name),
#define LIBPFM_FUNCTION(name)	{ "pfm_" #name, &calls.name },
	static struct libpfm_calls calls = { LIBPFM_CALLS(LIBPFM_ADDRESS) };
	static const struct late_function functions[] = { LIBPFM_CALLS(LIBPFM_FUNCTION) };
	static const struct late_library library = {
		"libpfm.so.4", "event names", "libpfm4", functions, COUNT(functions),
	};

	return late_load(&library, why) ? &calls : NULL;
}
