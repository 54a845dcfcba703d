/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for arguments: a few pages between two that cannot be touched, so that a
 * kernel that reads or writes too much either faults or destroys a known pattern.
 */
#ifndef TESTS_FUZZ_MEMORY_H
#define TESTS_FUZZ_MEMORY_H

#include "fuzz.h"

#define ROOM_SIZE	(4 * PAGE)

void room_init(struct fuzzer *f);
/* Good memory for @size bytes: at the end, at the start, or anywhere in between. */
void *room_place(struct fuzzer *f, size_t size);
/* Has everything around the place kept its pattern? */
bool room_is_intact(struct fuzzer *f, const void *place, size_t size);
/*
 * Memory that is not good for @size bytes, at least not in full; if it begins well,
 * the argument at @place is there.
 */
void *bad_memory(struct fuzzer *f, const void *place, size_t size);
/* Memory that all threads of all processes scribble on. */
void *common_memory(void);
void common_init(void);

#endif /* TESTS_FUZZ_MEMORY_H */
