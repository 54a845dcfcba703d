/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fuzzer's way to the kernel: the system call or, where perfmon is a module, /dev/perfmon.
 */
#ifndef FUZZ_BACKEND_H
#define FUZZ_BACKEND_H

#include <stdbool.h>

/* Before the first call. */
void backend_find(void);

/* Then there are no direct calls. */
bool backend_is_device(void);

/* perfmonctl() by the backend that there is. May be called in a signal handler. */
int backend_call(int fd, int cmd, void *arg, int narg);

#endif /* FUZZ_BACKEND_H */
