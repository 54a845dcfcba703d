// SPDX-License-Identifier: GPL-2.0
/*
 * Access to libpfm4. Programs that are linked statically, and pfmon, have it as any
 * other library. The shared library is compiled with LIBPFM_LATE: it loads libpfm4 when an
 * event is first named. The addresses in libpfm4's tables are 41,000 relocations, which
 * take more time than everything else at the start of a small program: programs that name
 * no event do not pay for them.
 */
#include "pmu/libpfm_calls.h"

#ifdef LIBPFM_LATE
#include <dlfcn.h>

#define LIBPFM_FILE	"libpfm.so.4"

const struct libpfm_calls *libpfm_calls(struct problem *why)
{
	static struct libpfm_calls calls;
	static void *library;
	void *symbol;

	if (library)
		return &calls;
	library = dlopen(LIBPFM_FILE, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		problem(why, "event names need libpfm4, which cannot be loaded: %s", dlerror());
		problem_hint(why, "Debian's package is libpfm4.");
		return NULL;
	}
#define LIBPFM_FIND(name)							\
	symbol = dlsym(library, "pfm_" #name);					\
	if (!symbol)								\
		goto missing;							\
	*(void **)&calls.name = symbol;
	LIBPFM_CALLS(LIBPFM_FIND)
	return &calls;

missing:
	problem(why, "%s is not libpfm4's: %s", LIBPFM_FILE, dlerror());
	dlclose(library);
	library = NULL;
	return NULL;
}
#else
const struct libpfm_calls *libpfm_calls(struct problem *why)
{
#define LIBPFM_ADDRESS(name)	.name = pfm_##name,
	static const struct libpfm_calls calls = { LIBPFM_CALLS(LIBPFM_ADDRESS) };

	(void)why;
	return &calls;
}
#endif
