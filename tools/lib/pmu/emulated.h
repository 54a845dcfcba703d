/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The emulated PMU of tools/qemu: which events it models.
 *
 * It claims to be a Nehalem, or what tools/vm/run --cpu asks for, so libpfm4 offers all
 * of that CPU's events; but only those of tools/qemu/pmu-events.def ever count, and on
 * POWER those of tools/qemu/ppc64. A count of zero would be a lie there. None of this
 * applies to real hardware.
 */
#ifndef PFMON_PMU_EMULATED_H
#define PFMON_PMU_EMULATED_H

#include <stdint.h>

#include "base.h"

struct emulated_event {
	const char	*name;
	const char	*desc;
	uint64_t	code;	/* event and unit mask, as in an event select; POWER's code */
};

/*
 * Does this program run on it? Asked of the machine once; PFMON_EMULATED=0|1|amd|power is
 * for tests.
 */
bool emulated_pmu(void);

/* What it models on this CPU, ended by a NULL name; nothing where it is not. */
const struct emulated_event *emulated_events(void);

/* Of a hybrid processor: from now on those that an E-core encodes, or a P-core. */
void emulated_choose_core(bool atom);

/* The event that this encoding selects, or NULL when it is not modelled. */
const struct emulated_event *emulated_find(uint64_t code);

/*
 * Why this event does not count truly there, as the end of a sentence, or NULL.
 * Edge detection it refuses, and a counter mask on events that can happen more than
 * once in a cycle (see x86-pmu.c there).
 */
const char *emulated_refusal(uint64_t code);

/* The event of this name, up to a ':' that begins modifiers; or NULL. */
const struct emulated_event *emulated_by_name(const char *name, const char **modifiers);

/* False, with the reason, when the present PMU is emulated and this would not count. */
bool emulated_check(const char *name, uint64_t code, struct problem *why);

#endif /* PFMON_PMU_EMULATED_H */
