/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that a user may lock, and the part that sampling buffers take. */
#ifndef PFMON_SESSION_LOCKED_H
#define PFMON_SESSION_LOCKED_H

#include <stdint.h>
#include <sys/types.h>

/*
 * The size of one more buffer: a 32nd of the rest at most, so that the buffers of the first threads
 * leave room for those of later ones. It is @largest, halved as often as that takes, but not
 * less than @smallest; both are powers of two, in bytes. For root, and without a limit, @largest.
 */
uint64_t locked_share(uint64_t largest, uint64_t smallest);

/* A buffer of this process was mapped; negative: unmapped. Any thread may call it. */
void locked_add(ssize_t bytes);

#endif /* PFMON_SESSION_LOCKED_H */
