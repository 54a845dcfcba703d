/* SPDX-License-Identifier: GPL-2.0 */
/* /proc, where the numbers of processes may be another PID namespace's. */
#ifndef PFMON_RUN_PROCFS_H
#define PFMON_RUN_PROCFS_H

#include <sys/types.h>

#include "util.h"

/* Room for a path: see proc_path(). */
#define PROC_PATH	64

/*
 * Does /proc have the numbers of processes that we and the kernel use? A container's may have
 * those of the host, where ours are other processes'.
 */
bool proc_is_ours(void);

/*
 * The file @what of a process or thread, in @path, which has room for PROC_PATH. It is "", which
 * is no file, where /proc is not ours.
 */
const char *proc_path(char *path, pid_t pid, const char *what);

/* Return: false, with the reason and the way out, where /proc is not ours. */
bool proc_must_be_ours(const char *what, struct problem *why);

#endif /* PFMON_RUN_PROCFS_H */
