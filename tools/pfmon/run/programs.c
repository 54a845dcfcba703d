// SPDX-License-Identifier: GPL-2.0
/*
 * The choice of the programs to monitor, of those that a command starts.
 *
 * The name by which a program was executed is on its stack: the auxiliary vector has the address,
 * AT_EXECFN (getauxval(3)). A child that has executed nothing has its parent's name, so nothing
 * need be remembered from birth to exec.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/auxiliary.h"
#include "run/procfs.h"
#include "run/programs.h"

/* Text of the thread's memory, cut off at the size; "" where it cannot be read. */
static void read_text(pid_t tid, uint64_t address, char *text, size_t size)
{
	char path[PROC_PATH];
	ssize_t n = 0;
	int fd;

	proc_path(path, tid, "mem");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		/* The stack may end behind the name: then less is read. */
		n = pread(fd, text, size - 1, (off_t)address);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
}

static void read_file_name(pid_t tid, char *name, size_t size)
{
	char path[PROC_PATH];
	ssize_t n;

	proc_path(path, tid, "exe");
	n = readlink(path, name, size - 1);
	name[n > 0 ? n : 0] = '\0';
}

static bool fits(const char *pattern, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strchr(pattern, '/') && slash)
		path = slash + 1;
	return *path && !fnmatch(pattern, path, 0);
}

static bool fits_any(const struct strings *patterns, const char *executed, const char *file)
{
	size_t i;

	for (i = 0; i < patterns->n; i++)
		if (fits(patterns->text[i], executed) || fits(patterns->text[i], file))
			return true;
	return false;
}

bool programs_choose(const struct programs *programs, const char *executed, const char *file)
{
	return (!programs->only.n || fits_any(&programs->only, executed, file)) &&
	       !fits_any(&programs->except, executed, file);
}

bool programs_have(const struct programs *programs, pid_t tid)
{
	char executed[PATH_MAX] = "", file[PATH_MAX];
	uint64_t address;

	if (programs_all(programs))
		return true;
	if (auxiliary_value(tid, AT_EXECFN, &address))
		read_text(tid, address, executed, sizeof(executed));
	read_file_name(tid, file, sizeof(file));
	return programs_choose(programs, executed, file);
}

static void append_options(char *text, size_t size, const char *option,
			   const struct strings *patterns)
{
	size_t i;

	for (i = 0; i < patterns->n; i++)
		append(text, size, "%s%s=%s", *text ? ", " : "", option, patterns->text[i]);
}

char *programs_text(const struct programs *programs)
{
	char text[256] = "";

	append_options(text, sizeof(text), "--follow-exec", &programs->only);
	append_options(text, sizeof(text), "--follow-exec-exclude", &programs->except);
	return xstrdup(text);
}

void programs_free(struct programs *programs)
{
	strings_free(&programs->only);
	strings_free(&programs->except);
}
