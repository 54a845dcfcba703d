// SPDX-License-Identifier: GPL-2.0
/* The emulated PMU of tools/qemu: the events of its CPU that it counts. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "pmu/emulated.h"
#include "pmu/power_codes.h"
#include "base.h"

#define EVENT_AND_UMASK	0xffffULL
#define AMD_EVENT_HIGH	(0xfULL << 32)
#define EDGE		(1ULL << 18)
#define CMASK		(0xffULL << 24)

#define HYPERVISOR	(1U << 31)	/* ECX of leaf 1 */

static const struct emulated_event intel_events[] = {
#define PMU_EVENT(event, umask, name, desc)	{ #name, desc, (umask) << 8 | (event) },
#include "qemu/pmu-events.def"
	{ NULL, NULL, 0 },
};

/* AMD's encodings of the events; an event's four upper bits are apart from the others. */
static const struct {
	unsigned int	first, last;	/* families */
	const char	*name;
	uint64_t	code;
} amd_encodings[] = {
#define PMU_AMD_EVENT(first, last, event, umask, name)				\
	{ first, last, #name, (uint64_t)((event) >> 8) << 32 | (umask) << 8 | ((event) & 0xff) },
#include "qemu/pmu-events.def"
};

/* An E-core's encodings. The name of an event means the first encoding with it. */
static const struct {
	const char	*name;
	uint64_t	code;
} atom_encodings[] = {
#define PMU_ATOM_EVENT(event, umask, name)	{ #name, (umask) << 8 | (event) },
#include "qemu/pmu-events.def"
};

static bool on_atom;

/* Fixed counter n is named by event 0 with unit mask n + 1 (see x86.c). */
static const struct {
	uint64_t	code;
	const char	*name;
} fixed_events[] = {
#define PMU_FIXED(index, name)	{ ((index) + 1) << 8, #name },
#include "qemu/pmu-events.def"
};

/* POWER's, by unified codes (power_codes.h). */
static const struct emulated_event power_events[] = {
	{ "PM_CYC", "Cycles; an instruction takes one", 0x0001e },
	{ "PM_INST_CMPL", "Instructions completed", 0x00002 },
	{ "PM_RUN_CYC", "Cycles while the run latch is set", 0x200f4 },
	{ "PM_RUN_INST_CMPL", "Instructions completed while the run latch is set", 0x400fa },
	{ NULL, NULL, 0 },
};

static const struct emulated_event no_events[] = { { NULL, NULL, 0 } };

/* The events that a family of AMD's processors encodes. */
static const struct emulated_event *amd_events(unsigned int family)
{
	static struct emulated_event events[COUNT(amd_encodings) + 1];
	const struct emulated_event *event;
	size_t i, n = 0;

	for (i = 0; i < COUNT(amd_encodings); i++) {
		if (family < amd_encodings[i].first || family > amd_encodings[i].last)
			continue;
		for (event = intel_events; strcmp(event->name, amd_encodings[i].name); event++)
			;
		events[n] = *event;
		events[n++].code = amd_encodings[i].code;
	}
	events[n] = *no_events;
	return events;
}

static const struct emulated_event *atom_events(void)
{
	static struct emulated_event events[COUNT(atom_encodings) + 1];
	const struct emulated_event *event;
	size_t i;

	for (i = 0; i < COUNT(atom_encodings); i++) {
		for (event = intel_events; strcmp(event->name, atom_encodings[i].name); event++)
			;
		events[i] = *event;
		events[i].code = atom_encodings[i].code;
	}
	return events;
}

#if defined(__x86_64__) || defined(__i386__)
/*
 * QEMU's TCG signs the first hypervisor leaf. It never passes a real PMU through, so
 * a CPU of Intel's or AMD's with counters and that signature has the emulated PMU.
 */
static const struct emulated_event *ask_machine(void)
{
	unsigned int eax, ebx, ecx, edx, vendor, family;
	char text[13] = "";

	if (!__get_cpuid(0, &eax, &vendor, &ecx, &edx))
		return no_events;
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & HYPERVISOR))
		return no_events;
	family = (eax >> 8) & 0xf;
	if (family == 0xf)
		family += (eax >> 20) & 0xff;
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(text, &ebx, 4);
	memcpy(text + 4, &ecx, 4);
	memcpy(text + 8, &edx, 4);
	if (strcmp(text, "TCGTCGTCGTCG"))
		return no_events;
	if (vendor == signature_INTEL_ebx)
		return intel_events;
	if (vendor == signature_AMD_ebx)
		return amd_events(family);
	return no_events;
}
#elif defined(__powerpc64__)
/* QEMU names itself in the model of the machine; under KVM there is a node for that, too. */
static const struct emulated_event *ask_machine(void)
{
	FILE *file = fopen("/proc/device-tree/model", "re");
	char model[128] = "";
	size_t n = 0;

	if (file) {
		n = fread(model, 1, sizeof(model) - 1, file);
		fclose(file);
	}
	model[n] = '\0';
	if (!strstr(model, "emulated by qemu") || !access("/proc/device-tree/hypervisor", F_OK))
		return no_events;
	return power_events;
}
#else
static const struct emulated_event *ask_machine(void)
{
	return no_events;
}
#endif

const struct emulated_event *emulated_events(void)
{
	const char *forced = getenv("PFMON_EMULATED");
	static const struct emulated_event *known;

	if (forced && !strcmp(forced, "0"))
		return no_events;
	if (forced && !strcmp(forced, "1"))
		return intel_events;
	if (forced && !strcmp(forced, "amd"))
		return amd_events(0x17);
	if (forced && !strcmp(forced, "power"))
		return power_events;
	if (!known)
		known = ask_machine();
	return on_atom && known == intel_events ? atom_events() : known;
}

void emulated_choose_core(bool atom)
{
	on_atom = atom;
}

bool emulated_pmu(void)
{
	return emulated_events()->name != NULL;
}

const struct emulated_event *emulated_find(uint64_t code)
{
	const bool intel = emulated_events() == intel_events || on_atom;
	const struct emulated_event *event;
	const char *rest;
	uint64_t select;
	size_t i;

	if (emulated_events() == power_events)
		select = power_code_unify(code & ~POWER_CODE_LEVELS);
	else
		select = code & (intel ? EVENT_AND_UMASK : EVENT_AND_UMASK | AMD_EVENT_HIGH);

	for (event = emulated_events(); event->name; event++)
		if (event->code == select)
			return event;
	for (i = 0; intel && i < COUNT(fixed_events); i++)
		if (fixed_events[i].code == select)
			return emulated_by_name(fixed_events[i].name, &rest);
	return NULL;
}

const struct emulated_event *emulated_by_name(const char *name, const char **modifiers)
{
	const struct emulated_event *event;

	for (event = emulated_events(); event->name; event++) {
		const size_t length = strlen(event->name);

		if (!strncasecmp(event->name, name, length) &&
		    (!name[length] || name[length] == ':')) {
			*modifiers = name + length;
			return event;
		}
	}
	return NULL;
}

const char *emulated_refusal(uint64_t code)
{
	static const char *const several[] = { "DTLB_MISSES_WALK_COMPLETED",
					       "ITLB_MISSES_WALK_COMPLETED", "HW_INT_RCVD" };
	const struct emulated_event *event = emulated_find(code);
	size_t i;

	if (!event)
		return "does not model it, it would always count 0";
	if (emulated_events() == power_events)
		return NULL;
	if (code & EDGE)
		return "does not model edge detection";
	for (i = 0; code & CMASK && i < COUNT(several); i++)
		if (!strcmp(event->name, several[i]))
			return "does not model a counter mask on it";
	return NULL;
}

bool emulated_check(const char *name, uint64_t code, struct problem *why)
{
	const char *refusal = emulated_pmu() ? emulated_refusal(code) : NULL;

	if (!refusal)
		return true;
	problem(why, "event %s: the emulated PMU of this guest %s", name, refusal);
	return problem_hint(why, "`pfmon list` shows the events that count here.");
}
