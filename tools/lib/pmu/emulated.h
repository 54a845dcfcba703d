/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The emulated PMU of tools/qemu: the events that it models.
 *
 * It claims to be a Nehalem, or the CPU of tools/vm/run --cpu, so libpfm4 offers all
 * of that CPU's events; but only those of tools/qemu/pmu-events.def ever count, and on
 * POWER those of tools/qemu/ppc64. For other events a count of zero would be wrong. None of this
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
 * True if this program runs on the emulated PMU, which is determined once;
 * PFMON_EMULATED=0|1|amd|power is for tests.
 */
bool emulated_pmu(void);

/* The events that it models on this CPU, ended by a NULL name; none without the emulated PMU. */
const struct emulated_event *emulated_events(void);

/* On a hybrid processor: from now on the events of an E-core, or of a P-core. */
void emulated_choose_core(bool atom);

/* The event that this encoding selects, or NULL when it is not modelled. */
const struct emulated_event *emulated_find(uint64_t code);

/*
 * Why this event does not count correctly there, as the end of a sentence, or NULL.
 * The emulated PMU refuses edge detection, and a counter mask on events that can happen more
 * than once in a cycle (see x86-pmu.c there).
 */
const char *emulated_refusal(uint64_t code);

/* The event of this name, up to a ':' that begins modifiers; or NULL. */
const struct emulated_event *emulated_by_name(const char *name, const char **modifiers);

/* False, with the reason: the present PMU is emulated, and the event would not count. */
bool emulated_check(const char *name, uint64_t code, struct problem *why);

#endif /* PFMON_PMU_EMULATED_H */
