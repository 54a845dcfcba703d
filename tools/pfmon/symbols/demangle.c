// SPDX-License-Identifier: GPL-2.0
/* Names as the source has them, by libiberty: of C++, Rust and D. */
#include <libiberty/demangle.h>
#include <stddef.h>
#include <string.h>

#include "symbols/symbols.h"

/* Names of C begin with these letters as well: libiberty distinguishes them by the rest. */
char *symbols_demangle(const char *name)
{
	const int how = DMGL_PARAMS | DMGL_ANSI;

	if (!strncmp(name, "_D", 2))
		return cplus_demangle(name, how | DMGL_DLANG);
	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	return cplus_demangle(name, how | DMGL_AUTO);
}
