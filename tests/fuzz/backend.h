/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fuzzer's calls of the kernel: by the system call or, where perfmon is a module, by
 * /dev/perfmon.
 */
#ifndef FUZZ_BACKEND_H
#define FUZZ_BACKEND_H

#include <stdbool.h>

/* Open a file for the whole run, at a number that no operation closes; or -1, with errno. */
int open_kept(const char *path, int flags);

/* To be called before the first command. */
void backend_find(void);

/* If true, there are no direct calls. */
bool backend_is_device(void);

/* perfmonctl() by the present backend. May be called in a signal handler. */
int backend_call(int fd, int cmd, void *arg, int narg);

#endif /* FUZZ_BACKEND_H */
