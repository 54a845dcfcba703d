// SPDX-License-Identifier: GPL-2.0
/* The samples that a ledger counts as lost, for the user. */
#define _GNU_SOURCE
#include "losses.h"
#include "util.h"

uint64_t ledger_lost(const struct ledger *ledger)
{
	return ledger->full + ledger->error + ledger->throttled + ledger->late;
}

void append_lost(char *text, size_t size, const struct ledger *ledger)
{
	const struct {
		uint64_t	n;
		const char	*why;
	} kinds[] = {
		{ ledger->full, "buffer full" },
		{ ledger->throttled, "throttled" },
		{ ledger->late, "interrupts late" },
		{ ledger->error, "errors" },
	};
	const char *between = " (";
	char number[40];
	size_t i;

	append(text, size, "%s lost", with_thousands(ledger_lost(ledger), number, sizeof(number)));
	for (i = 0; i < COUNT(kinds); i++) {
		if (!kinds[i].n)
			continue;
		append(text, size, "%s%s: %s", between, kinds[i].why,
		       with_thousands(kinds[i].n, number, sizeof(number)));
		between = ", ";
	}
	if (ledger_lost(ledger))
		append(text, size, ")");
}
