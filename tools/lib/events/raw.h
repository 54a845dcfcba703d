/* SPDX-License-Identifier: GPL-2.0 */
/* Raw values of registers: "pmcN=0x...". */
#ifndef PFMON_EVENTS_RAW_H
#define PFMON_EVENTS_RAW_H

#include "events/events.h"

/* True if the item is meant as a raw value. */
bool is_raw(const char *text);

/* Add the value to the last group, and the events that it makes counters count. */
bool events_add_raw(struct events *events, const struct pmu *pmu,
		    const struct rights *rights, const char *text, struct problem *why);

#endif /* PFMON_EVENTS_RAW_H */
