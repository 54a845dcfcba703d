/* SPDX-License-Identifier: GPL-2.0 */
/* /proc, whose process numbers may be of another PID namespace. */
#ifndef PFMON_RUN_PROCFS_H
#define PFMON_RUN_PROCFS_H

#include <sys/types.h>

#include "util.h"

/* Room for a path: see proc_path(). */
#define PROC_PATH	64

/*
 * True if /proc has the process numbers that pfmon and the kernel use. A container's /proc may have
 * those of the host, where pfmon's numbers mean other processes.
 */
bool proc_is_ours(void);

/*
 * The path of the file @what of a process or thread, in @path, which has room for PROC_PATH. It is
 * "", which is no file, if /proc is of another PID namespace.
 */
const char *proc_path(char *path, pid_t pid, const char *what);

/* Return: false, with the reason and a solution, if /proc is of another PID namespace. */
bool proc_must_be_ours(const char *what, struct problem *why);

#endif /* PFMON_RUN_PROCFS_H */
