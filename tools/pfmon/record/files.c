// SPDX-License-Identifier: GPL-2.0
/*
 * Files that a process leaves for profilers, in a directory where all can write. So they are
 * opened with care: a file must belong to the user of the process, or to root; it is no link, and
 * no link on the way leads out of the process' root directory; a FIFO does not stop pfmon.
 *
 * The root directory of a container's process is kept open, as /proc has it only until the end; and
 * its mount namespace, whose mounts go with the last process in it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/files.h"
#include "record/proc.h"
#include "run/procfs.h"

#define LARGEST_FILE	(1LL << 30)	/* a sparse file would take for ever */

struct root {
	struct root	*next;
	unsigned int	users;		/* processes */
	int		fd;
	int		mounts;		/* the namespace; -1: it cannot be opened */
	struct statx	is;
};

static bool identify(int fd, const char *path, struct statx *is)
{
	return !statx(fd, path, AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, is);
}

/* The same directory of another mount has other directories below it. */
static bool same(const struct statx *a, const struct statx *b)
{
	return a->stx_ino == b->stx_ino && a->stx_mnt_id == b->stx_mnt_id &&
	       a->stx_dev_major == b->stx_dev_major && a->stx_dev_minor == b->stx_dev_minor;
}

/*
 * "Uid: real effective saved filesystem", "NSpid: outermost ... innermost". A process that its
 * parent takes away meanwhile has the number 0 (task_pid_nr_ns() in kernel/pid.c): what was known
 * before is right.
 */
static bool read_status(struct files *files)
{
	struct files is = *files;
	char path[PROC_PATH], line[512];
	unsigned int found = 0;
	FILE *file = fopen(proc_path(path, files->pid, "status"), "re");

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Uid: %*u %*u %*u %u", &is.user) == 1) {
			found |= 1;
		} else if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t')) {
			is.inner = atoi(strrchr(line, '\t'));
			found |= 2;
		}
	}
	if (file)
		fclose(file);
	if (found != 3 || is.inner <= 0)
		return false;
	is.known = true;
	*files = is;
	return true;
}

/* A main thread that has ended shows neither a root nor namespaces. */
static int open_of(pid_t pid, const char *what)
{
	const int flags = O_PATH | O_CLOEXEC;
	char path[PROC_PATH];
	pid_t tid;
	int fd = open(proc_path(path, pid, what), flags);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	tid = living_thread(pid);
	return tid ? open(proc_path(path, tid, what), flags) : -1;
}

static struct root *find_root(const struct roots *roots, const struct statx *is)
{
	struct root *root;

	for (root = roots->first; root; root = root->next)
		if (same(&root->is, is))
			return root;
	return NULL;
}

/* Takes @fd. */
static void enter(struct files *files, struct roots *roots, int fd, const struct statx *is)
{
	struct root *root = find_root(roots, is);

	if (root) {
		close(fd);
	} else {
		root = xcalloc(1, sizeof(*root));
		*root = (struct root){
			.next = roots->first, .fd = fd, .mounts = open_of(files->pid, "ns/mnt"),
			.is = *is,
		};
		roots->first = root;
	}
	root->users++;
	files_leave(files, roots);
	files->root = root;
}

bool files_look(struct files *files, struct roots *roots)
{
	struct statx is, own;
	int fd;

	if (!read_status(files))
		return false;
	fd = open_of(files->pid, "root");
	if (fd < 0)
		return true;
	if (identify(fd, "", &is) && identify(AT_FDCWD, "/", &own) && !same(&is, &own)) {
		enter(files, roots, fd, &is);
		return true;
	}
	files_leave(files, roots);
	close(fd);
	return true;
}

static bool believed(const struct files *files, const struct stat *info)
{
	return S_ISREG(info->st_mode) && info->st_size <= LARGEST_FILE &&
	       (!info->st_uid || info->st_uid == (files->known ? files->user : geteuid()));
}

static FILE *open_believed(const struct files *files, int root, const char *path)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
		.resolve = RESOLVE_NO_MAGICLINKS | (root >= 0 ? RESOLVE_IN_ROOT : 0),
	};
	const int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	struct stat info;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &info) && believed(files, &info))
		return fdopen(fd, "r");
	close(fd);
	return NULL;
}

FILE *files_open(const struct files *files, const char *path)
{
	return open_believed(files, files->root ? files->root->fd : AT_FDCWD, path);
}

FILE *files_open_outside(const struct files *files, const char *path)
{
	return open_believed(files, AT_FDCWD, path);
}

void files_leave(struct files *files, struct roots *roots)
{
	struct root *root = files->root, **at;

	files->root = NULL;
	if (!root || --root->users)
		return;
	for (at = &roots->first; *at != root; at = &(*at)->next)
		;
	*at = root->next;
	close(root->fd);
	if (root->mounts >= 0)
		close(root->mounts);
	free(root);
}
