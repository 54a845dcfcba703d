// SPDX-License-Identifier: GPL-2.0
/* Libraries that are loaded when they are first needed. */
#include <dlfcn.h>

#include "late.h"

bool late_open(const struct late_library *library, struct problem *why)
{
	void *loaded = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
	void *address;
	size_t i;

	if (!loaded) {
		problem(why, "%s need %s, which cannot be loaded: %s", library->users,
			library->file, dlerror());
		problem_hint(why, "Debian's package is %s.", library->package);
		return false;
	}
	for (i = library->n; i-- > 0;) {
		address = dlsym(loaded, library->functions[i].name);
		if (!address) {
			problem(why, "%s is another library: %s", library->file, dlerror());
			problem_hint(why, "Debian's package is %s.", library->package);
			dlclose(loaded);
			return false;
		}
		*(void **)library->functions[i].pointer = address;
	}
	return true;
}
