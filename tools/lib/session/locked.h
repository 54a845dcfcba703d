/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that a user may lock, and what sampling buffers take of it. */
#ifndef PFMON_SESSION_LOCKED_H
#define PFMON_SESSION_LOCKED_H

#include <stdint.h>
#include <sys/types.h>

/*
 * One more buffer gets a 32nd of what is left at most, so that those of the first threads leave
 * something for those of later ones: @largest, or half of it as often as that takes, but not
 * less than @smallest; both are powers of two, in bytes. For root, and without a limit, @largest.
 */
uint64_t locked_share(uint64_t largest, uint64_t smallest);

/* A buffer of this process was mapped; negative: was unmapped. From any thread. */
void locked_add(ssize_t bytes);

#endif /* PFMON_SESSION_LOCKED_H */
