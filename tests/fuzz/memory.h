/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for arguments: a few pages between two inaccessible pages, so that a kernel that reads or
 * writes too much either faults or destroys a known pattern.
 */
#ifndef TESTS_FUZZ_MEMORY_H
#define TESTS_FUZZ_MEMORY_H

#include "fuzz.h"

#define ROOM_SIZE	(4 * PAGE)

void room_init(struct fuzzer *f);
/* Good memory for @size bytes: at the end, at the start, or anywhere in between. */
void *room_place(struct fuzzer *f, size_t size);
/* True if all bytes around the argument still have the pattern. */
bool room_is_intact(struct fuzzer *f, const void *place, size_t size);
/*
 * Memory that is not accessible for all of @size bytes; if its beginning is accessible, it has the
 * argument at @place.
 */
void *bad_memory(struct fuzzer *f, const void *place, size_t size);
/* Memory that all threads of all processes write to. */
void *common_memory(void);
void common_init(void);

#endif /* TESTS_FUZZ_MEMORY_H */
