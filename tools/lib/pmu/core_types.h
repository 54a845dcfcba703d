/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of cores of a hybrid processor. All have the registers that the kernel shows, but
 * only architectural events are the same on each: others count correctly on one type alone.
 */
#ifndef PFMON_PMU_CORE_TYPES_H
#define PFMON_PMU_CORE_TYPES_H

#include <stdint.h>

#include "base.h"

#define MAX_CORE_TYPES	3

struct core_type {
	char	name[16];	/* the kernel's: "core", "atom" */
	char	cpus[256];	/* a list, as "0,2-3" */
};

struct core_types {
	unsigned int	n;	/* 0: not a hybrid processor */
	struct core_type type[MAX_CORE_TYPES];
	unsigned int chosen;	/* keep to this type, from 1 on; 0: to none */
};

/* Read the types from the kernel. False: the CPUs are alike. */
bool core_types_read(struct core_types *types);

/* False, with the reason: an event with this selector is not the same on all types. */
bool core_types_check(const struct core_types *types, const char *name, uint64_t code,
		      struct problem *why);

/* The target of counting. */
enum core_types_target {
	CORE_TYPES_COMMAND,	/* the commands that this process starts */
	CORE_TYPES_CPUS,	/* the CPUs of the type among @cpus */
	CORE_TYPES_RUNNING,	/* running threads, which are not moved */
};

/*
 * Keep to the type of this name from now on: this process and its children run on its CPUs
 * only, or @cpus are reduced to them. False, with the reason: not possible.
 */
bool core_types_keep(struct core_types *types, const char *name, enum core_types_target target,
		     unsigned int *cpus, size_t *n, struct problem *why);

#endif /* PFMON_PMU_CORE_TYPES_H */
