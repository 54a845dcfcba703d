/* SPDX-License-Identifier: GPL-2.0 */
/* The data of `pfmon info`, and its two forms: text and JSON. */
#ifndef PFMON_INFO_INFO_H
#define PFMON_INFO_INFO_H

#include <stdio.h>

#include "pmu/pmu.h"
#include "info/tables.h"

/* The present user's rights with contexts of one kind. */
struct right {
	bool		allowed;
	bool		kernel_level;
	struct problem	why;		/* when not allowed */
};

struct info {
	struct pmu	pmu;
	bool		has_events;	/* they have names */
	struct event_names events;
	struct problem	no_events;	/* why they have none */
	struct right	thread, system_wide;
	int		paranoid;
	bool		has_sessions;
	unsigned int	thread_sessions, system_sessions;
	bool		has_switch_min, has_rate_max;
	uint64_t	switch_min_ns;	/* shortest time-out of an event set */
	uint64_t	rate_max;	/* interrupts per second before a context is masked */
	struct strings	formats;	/* names of the sampling formats */
};

void info_text(FILE *out, const struct info *info);

/* @why is NULL, or the reason why there is no data. */
void info_json(FILE *out, const struct info *info, const struct problem *why);

/* A PMU: in short, or all its registers; JSON has one form. */
void info_text_pmu(FILE *out, const struct pmu *pmu);
void info_text_registers(FILE *out, const struct pmu *pmu);
void info_json_pmu(FILE *out, const struct pmu *pmu);

void info_text_names(FILE *out, const struct table_name *names);
void info_json_names(FILE *out, const struct table_name *names);

#endif /* PFMON_INFO_INFO_H */
