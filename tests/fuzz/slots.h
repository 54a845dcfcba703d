/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the threads of a process, which compete for it: descriptors, mappings, and threads to
 * load onto.
 */
#ifndef TESTS_FUZZ_SLOTS_H
#define TESTS_FUZZ_SLOTS_H

#include "fuzz.h"

/* A context's descriptor and the size of its buffer. fd is -1 for none. */
struct context {
	int		fd;
	uint32_t	size;
};

struct context context_pick(struct fuzzer *f);
/* The same, but removed from its slot: no other thread gets it any more. */
struct context context_take(struct fuzzer *f);
/* Store it; the slot may be another context's, which is closed then. */
void context_keep(struct fuzzer *f, struct context context);

void target_add(pid_t tid);
void target_remove(pid_t tid);
pid_t target_pick(struct fuzzer *f);

/* The address of the mapping with this number, mapped or not. */
#define MAP_ROOM	(4UL << 20)
/* Behind the mappings of buffers: the page that a ring's reader may write. */
#define READERS_MAP	MAX_MAPS
static inline void *map_address(unsigned int i)
{
	return (void *)(0x200000000UL + i * MAP_ROOM);
}

#endif /* TESTS_FUZZ_SLOTS_H */
