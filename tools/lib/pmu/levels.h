/* SPDX-License-Identifier: GPL-2.0 */
/* The modifiers for the levels at which an event counts. */
#ifndef PFMON_PMU_LEVELS_H
#define PFMON_PMU_LEVELS_H

/* ":u:k" and the like, as LEVEL_*; 0 when there is something else, or nothing. */
unsigned int levels_parse(const char *modifiers);

#endif /* PFMON_PMU_LEVELS_H */
