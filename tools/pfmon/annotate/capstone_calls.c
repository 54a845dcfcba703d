// SPDX-License-Identifier: GPL-2.0
/* Access to capstone, of the version whose header this is compiled with. */
#include "annotate/capstone_calls.h"
#include "late.h"

#define TEXT(number)	#number
#define FILE_OF(major)	"libcapstone.so." TEXT(major)
#define PACKAGE_OF(major) "libcapstone" TEXT(major)

const struct capstone_calls *capstone_calls(struct problem *why)
{
#define CAPSTONE_ADDRESS(name)	.name = LATE_ADDRESS(cs_##name),
#define CAPSTONE_FUNCTION(name)	{ "cs_" #name, &calls.name },
	static struct capstone_calls calls = { CAPSTONE_CALLS(CAPSTONE_ADDRESS) };
	static const struct late_function functions[] = { CAPSTONE_CALLS(CAPSTONE_FUNCTION) };
	static const struct late_library library = {
		FILE_OF(CS_API_MAJOR), "instructions", PACKAGE_OF(CS_API_MAJOR), functions,
		COUNT(functions),
	};

	return late_load(&library, why) ? &calls : NULL;
}
