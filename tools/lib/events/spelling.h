/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf's ways of writing an event: "r01c0:u", "cpu/event=0xc0,umask=0x1/uk", "cycles:uk",
 * "{cycles,branches}:u". Their meaning is that of perf-list(1).
 */
#ifndef PFMON_EVENTS_SPELLING_H
#define PFMON_EVENTS_SPELLING_H

#include "pmu/pmu.h"

struct spelling {
	char		*name;		/* for pmu_arch.encode(), or of a raw event */
	bool		raw;		/* a raw event: @config */
	uint64_t	config;		/* as perf has it in attr.config */
	bool		has_second;	/* there is a value for a second register */
	uint64_t	second;
	unsigned int	levels;		/* LEVEL_* that it names; 0: none */
};

/* False, with the reason: the text is one of perf's ways, but wrong or not supported here. */
bool spelling_read(struct spelling *spelling, const struct pmu *pmu, const char *text,
		   struct problem *why);
void spelling_free(struct spelling *spelling);

/*
 * The end of the item of a list at @text: a comma within slashes is the item's own. As with
 * strchr(), it can be written to if the text can.
 */
char *spelling_item_end(const char *text);

/* A list with the modifiers of its groups at their items: "{a,b:k},c" for "{a,b}:k,c". */
char *spelling_of_groups(const char *list);

#endif /* PFMON_EVENTS_SPELLING_H */
