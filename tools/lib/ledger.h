/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's ledger of a context: what was recorded, and what was lost. */
#ifndef PFMON_LEDGER_H
#define PFMON_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

struct ledger {
	uint64_t	overflows, recorded;
	uint64_t	full, error, throttled, late, messages;	/* lost */
	uint64_t	masked_ns;	/* in which nothing was counted */
	uint64_t	suspended_ns;	/* likewise: others had the PMU */
};

/* Add what is known of the context behind @fd. False: this kernel does not tell. */
bool ledger_add(struct ledger *ledger, int fd);

/* Add another one. */
void ledger_sum(struct ledger *sum, const struct ledger *ledger);

#endif /* PFMON_LEDGER_H */
