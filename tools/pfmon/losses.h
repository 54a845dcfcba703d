/* SPDX-License-Identifier: GPL-2.0 */
/* The samples that a ledger counts as lost, for the user. */
#ifndef PFMON_LOSSES_H
#define PFMON_LOSSES_H

#include <stddef.h>

#include "ledger.h"

uint64_t ledger_lost(const struct ledger *ledger);

/* Append "0 lost", or "12 lost (buffer full: 10, throttled: 2)". */
void append_lost(char *text, size_t size, const struct ledger *ledger);

#endif /* PFMON_LOSSES_H */
