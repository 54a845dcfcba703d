/* SPDX-License-Identifier: GPL-2.0 */
/*
 * POWER's event codes, as the User's Guides write them and libpfm4 has them: 0x4d05e is
 * event 5e of unit d on PMC4.
 */
#ifndef PFMON_PMU_POWER_CODES_H
#define PFMON_PMU_POWER_CODES_H

#include <stdint.h>

#define POWER_COUNTERS		6
#define POWER_WITH_EVENT	4	/* the others count one fixed event */

/* Fields of a code. Higher fields belong into registers of all counters. */
#define POWER_CODE_EVENT	0x000ffULL
#define POWER_CODE_COMBINE	0x00c00ULL	/* POWER8: the upper bit alone */
#define POWER_CODE_UNIT		0x0f000ULL
#define POWER_CODE_PMC		0xf0000ULL	/* 0: any counter with an event */

/* pfmon's place for the levels: above a code. The functions below take codes without levels. */
#define POWER_CODE_USR		(1ULL << 62)
#define POWER_CODE_OS		(1ULL << 63)
#define POWER_CODE_LEVELS	(POWER_CODE_USR | POWER_CODE_OS)

/*
 * One code for all codes that count the same: cycles, for instance, have another one on each
 * counter. It has the event field that is right on all counters of power_code_counters().
 */
uint64_t power_code_unify(uint64_t code);

/* The counters for a unified code: bit 0 is PMC1. */
unsigned int power_code_counters(uint64_t code);

#endif /* PFMON_PMU_POWER_CODES_H */
