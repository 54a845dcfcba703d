// SPDX-License-Identifier: GPL-2.0
/* The kernel's ledger of a context, from its descriptor's fdinfo. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ledger.h"
#include "lib/perfmon_lib.h"
#include "base.h"

bool ledger_add(struct ledger *ledger, int fd)
{
	const struct {
		const char	*name;
		uint64_t	*sum;
	} lines[] = {
		{ "pfm-overflows", &ledger->overflows },
		{ "pfm-recorded", &ledger->recorded },
		{ "pfm-lost-full", &ledger->full },
		{ "pfm-lost-error", &ledger->error },
		{ "pfm-lost-throttled", &ledger->throttled },
		{ "pfm-lost-late", &ledger->late },
		{ "pfm-lost-messages", &ledger->messages },
		{ "pfm-masked-ns", &ledger->masked_ns },
		{ "pfm-suspended-ns", &ledger->suspended_ns },
	};
	char text[2048], name[64], *line, *rest = text;
	size_t known = 0, i;
	uint64_t value;

	if (perfmon_read_fdinfo(fd, text, sizeof(text)))
		return false;
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%63[^:]: %" SCNu64, name, &value) != 2)
			continue;
		for (i = 0; i < COUNT(lines); i++) {
			if (strcmp(name, lines[i].name))
				continue;
			*lines[i].sum += value;
			known++;
		}
	}
	return known == COUNT(lines);
}

void ledger_sum(struct ledger *sum, const struct ledger *ledger)
{
	sum->overflows += ledger->overflows;
	sum->recorded += ledger->recorded;
	sum->full += ledger->full;
	sum->error += ledger->error;
	sum->throttled += ledger->throttled;
	sum->late += ledger->late;
	sum->messages += ledger->messages;
	sum->unplaced += ledger->unplaced;
	sum->masked_ns += ledger->masked_ns;
	sum->suspended_ns += ledger->suspended_ns;
}
