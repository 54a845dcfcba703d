/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's events as values of samples (--with): perfmon's virtual PMDs have them. */
#ifndef PFMON_RECORD_KERNEL_VALUES_H
#define PFMON_RECORD_KERNEL_VALUES_H

#include "events/events.h"

#define MAX_KERNEL_VALUES	8

/* In ascending order. Zeroed: none. */
struct kernel_values {
	unsigned int	pmd[MAX_KERNEL_VALUES];
	const char	*name[MAX_KERNEL_VALUES];
	size_t		n;
};

/*
 * Take the kernel's events out of @events, from number @from on. False, with the reason: one of
 * these events has no virtual PMD.
 */
bool kernel_values_take(struct kernel_values *values, struct events *events, size_t from,
			const struct pmu *pmu, struct problem *why);

#endif /* PFMON_RECORD_KERNEL_VALUES_H */
