// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "emulated.h"
#include "util.h"

#define EVENT_AND_UMASK	0xffff
#define EDGE		(1ULL << 18)
#define CMASK		(0xffULL << 24)

const struct emulated_event emulated_events[] = {
#define PMU_EVENT(event, umask, name, desc)	{ #name, desc, (umask) << 8 | (event) },
#include "../qemu/pmu-events.def"
	{ NULL, NULL, 0 },
};

/* Fixed counter n is named by event 0 with unit mask n + 1 (see pmu_x86.c). */
static const struct {
	uint64_t	code;
	const char	*name;
} fixed_events[] = {
#define PMU_FIXED(index, name)	{ ((index) + 1) << 8, #name },
#include "../qemu/pmu-events.def"
};

/*
 * QEMU's TCG signs the first hypervisor leaf. It never passes a real PMU through, so
 * an Intel CPU with counters below that signature is ours.
 */
static bool ask_cpuid(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int eax, ebx, ecx, edx;
	char text[13] = "";

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) || ebx != signature_INTEL_ebx)
		return false;
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & 1U << 31))
		return false;
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(text, &ebx, 4);
	memcpy(text + 4, &ecx, 4);
	memcpy(text + 8, &edx, 4);
	return !strcmp(text, "TCGTCGTCGTCG");
#else
	return false;
#endif
}

bool emulated_pmu(void)
{
	const char *forced = getenv("PFMON_EMULATED");
	static int known = -1;

	if (forced && (!strcmp(forced, "0") || !strcmp(forced, "1")))
		return *forced == '1';
	if (known < 0)
		known = ask_cpuid();
	return known;
}

const struct emulated_event *emulated_find(uint64_t code)
{
	const struct emulated_event *event;
	const char *rest;
	size_t i;

	for (event = emulated_events; event->name; event++)
		if (event->code == (code & EVENT_AND_UMASK))
			return event;
	for (i = 0; i < COUNT(fixed_events); i++)
		if (fixed_events[i].code == (code & EVENT_AND_UMASK))
			return emulated_by_name(fixed_events[i].name, &rest);
	return NULL;
}

const struct emulated_event *emulated_by_name(const char *name, const char **modifiers)
{
	const struct emulated_event *event;

	for (event = emulated_events; event->name; event++) {
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
	if (code & EDGE)
		return "does not model edge detection";
	for (i = 0; code & CMASK && i < COUNT(several); i++)
		if (!strcmp(event->name, several[i]))
			return "does not model a counter mask on it";
	return NULL;
}
