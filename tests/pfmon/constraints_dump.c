// SPDX-License-Identifier: GPL-2.0
/*
 * For constraints.py, pfmon's own data of the events of a model, in hexadecimal:
 *
 *	constraints_dump counters MODEL		the general counters of each event, as lines
 *						"EVENT FIRST-UMASK LAST-UMASK COUNTERS"
 *	constraints_dump registers MODEL	the events with a second register, as lines
 *						"CODE MSR"
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../tools/lib/pmu/constraints.h"
#include "../../tools/lib/pmu/extra_regs.h"

static uint64_t counters(const char *model, uint64_t event, uint64_t umask)
{
	return constraint_counters(model, (event & 0xf00) << 24 | umask << 8 | (event & 0xff));
}

static void dump_counters(const char *model)
{
	const unsigned int events = strncmp(model, "amd", 3) ? 0x100 : 0x1000;
	unsigned int event, umask, first;

	for (event = 0; event < events; event++) {
		for (first = 0; first < 0x100; first = umask) {
			const uint64_t mask = counters(model, event, first);

			for (umask = first + 1; umask < 0x100; umask++)
				if (counters(model, event, umask) != mask)
					break;
			printf("%x %x %x %" PRIx64 "\n", event, first, umask - 1, mask);
		}
	}
}

static void dump_registers(const char *model)
{
	unsigned int code;

	for (code = 0; code < 0x10000; code++)
		if (extra_regs_msr(model, code))
			printf("%x %" PRIx64 "\n", code, extra_regs_msr(model, code));
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "counters")) {
		dump_counters(argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "registers")) {
		dump_registers(argv[2]);
	} else {
		fprintf(stderr, "usage: constraints_dump counters|registers MODEL\n");
		return 2;
	}
	return 0;
}
