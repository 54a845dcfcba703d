/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fuzzer's way to the kernel: the system call or, where perfmon is a module, /dev/perfmon.
 */
#ifndef FUZZ_DOOR_H
#define FUZZ_DOOR_H

#include <stdbool.h>

/* Before the first call. */
void door_find(void);

/* Then there are no direct calls. */
bool door_is_device(void);

/* perfmonctl() by the door that there is. May be called in a signal handler. */
int door_call(int fd, int cmd, void *arg, int narg);

#endif /* FUZZ_DOOR_H */
