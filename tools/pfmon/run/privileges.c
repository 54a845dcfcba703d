// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel ignores a program's set-user-id bit, set-group-id bit and capabilities when a tracer
 * without CAP_SYS_PTRACE traces its process, and does not report that. So the privileges that the
 * program's file grants are compared with those of the process. A tracer is known by its name:
 * pfmon cannot see that its ptrace() fails.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <linux/capability.h>
#include <linux/xattr.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "run/privileges.h"
#include "run/procfs.h"
#include "util.h"

/* The privileges of a process, from /proc/PID/status. */
struct has {
	unsigned int		uid, gid;	/* effective */
	unsigned long long	permitted, bounding;
	bool			no_new;
};

static bool read_status(pid_t pid, struct has *has)
{
	char path[PROC_PATH], line[256];
	unsigned int no_new = 0;
	int found = 0;
	FILE *file;

	memset(has, 0, sizeof(*has));
	proc_path(path, pid, "status");
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		found += sscanf(line, "Uid: %*u %u", &has->uid) == 1;
		found += sscanf(line, "Gid: %*u %u", &has->gid) == 1;
		found += sscanf(line, "CapPrm: %llx", &has->permitted) == 1;
		found += sscanf(line, "CapBnd: %llx", &has->bounding) == 1;
		sscanf(line, "NoNewPrivs: %u", &no_new);
	}
	fclose(file);
	has->no_new = no_new != 0;
	return found == 4;
}

/* The capabilities that the file @path grants, as a mask. */
static unsigned long long granted(const char *path)
{
	struct vfs_ns_cap_data data;
	const ssize_t n = getxattr(path, XATTR_NAME_CAPS, &data, sizeof(data));

	if (n < (ssize_t)XATTR_CAPS_SZ_1)
		return 0;
	if (n < (ssize_t)XATTR_CAPS_SZ_2)
		return le32toh(data.data[0].permitted);
	return le32toh(data.data[0].permitted) |
	       (unsigned long long)le32toh(data.data[1].permitted) << 32;
}

/* The property of the file that would have given more than @has. */
static const char *what_is_lost(const char *path, const struct stat *info, const struct has *has)
{
	if (info->st_mode & S_ISUID && info->st_uid != has->uid)
		return "is set-user-id";
	if (info->st_mode & S_ISGID && info->st_mode & S_IXGRP && info->st_gid != has->gid)
		return "is set-group-id";
	if (granted(path) & has->bounding & ~has->permitted)
		return "has file capabilities";
	return NULL;
}

/* The path of the program that the process executes; empty if unknown. */
static void read_program(pid_t pid, char *name, size_t size)
{
	char exe[PROC_PATH];
	ssize_t n;

	proc_path(exe, pid, "exe");
	n = readlink(exe, name, size - 1);
	name[n < 0 ? 0 : n] = '\0';
}

/* A sentence if the process is a debugger; else NULL. */
static char *tracing_lost(pid_t pid)
{
	static const char *const tracers[] = { "gdb", "lldb", "ltrace", "rr", "strace" };
	const char *base;
	char name[256];
	size_t i;

	read_program(pid, name, sizeof(name));
	base = strrchr(name, '/');
	for (i = 0; base && i < COUNT(tracers); i++)
		if (!strcmp(base + 1, tracers[i]))
			return xasprintf("%s cannot trace programs here, as pfmon traces them: -i leaves what the command starts alone",
					 name);
	return NULL;
}

/* Likewise if its program should have got privileges, and did not. */
static char *privileges_lost(pid_t pid)
{
	char exe[PROC_PATH], name[256];
	const char *lost;
	struct statvfs mount;
	struct stat info;
	struct has has;

	proc_path(exe, pid, "exe");
	if (stat(exe, &info) || statvfs(exe, &mount) || mount.f_flag & ST_NOSUID ||
	    !read_status(pid, &has) || has.no_new)
		return NULL; /* it would not get them without pfmon either, or it is unknown */
	lost = what_is_lost(exe, &info, &has);
	if (!lost)
		return NULL;
	read_program(pid, name, sizeof(name));
	return xasprintf("%s %s, and runs without these privileges as it is traced: run pfmon as root, or measure it by -p or -a, as root, once it runs",
			 name, lost);
}

void privileges_note(struct strings *notes, pid_t pid, bool children)
{
	char *note = privileges_lost(pid);

	if (note)
		strings_add_once(notes, note);
	note = children ? tracing_lost(pid) : NULL;
	if (note)
		strings_add_once(notes, note);
}
