/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's ledger of a context: recorded and lost overflows. */
#ifndef PFMON_LEDGER_H
#define PFMON_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

struct ledger {
	uint64_t	overflows, recorded;
	uint64_t	full, error, throttled, late, messages;	/* lost */
	uint64_t	unplaced;	/* recorded without an address: see hist_unplaced() */
	uint64_t	masked_ns;	/* time in which nothing was counted */
	uint64_t	suspended_ns;	/* likewise, as others had the PMU */
};

/* Add the ledger of the context behind @fd. False: this kernel has none. */
bool ledger_add(struct ledger *ledger, int fd);

/* Add another ledger. */
void ledger_sum(struct ledger *sum, const struct ledger *ledger);

#endif /* PFMON_LEDGER_H */
