// SPDX-License-Identifier: GPL-2.0
/* Names of code that a process made at run time. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/jit.h"

FILE *jit_open(const char *path)
{
	struct stat info;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) &&
	    (info.st_uid == geteuid() || geteuid() == 0))
		return fdopen(fd, "r");
	close(fd);
	return NULL;
}

static void tell_line(struct recording *recording, pid_t pid, char *line)
{
	struct profile_symbol symbol = { .pid = pid };
	const char *name;
	uint64_t size;
	int begin = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &symbol.start, &size, &begin) != 2 || !begin ||
	    !size || symbol.start + size < symbol.start)
		return;
	symbol.end = symbol.start + size;
	name = line + begin;
	profile_write_texts(&recording->file, PROFILE_SYMBOL, &symbol, sizeof(symbol), &name, 1);
}

void jit_tell(struct recording *recording, pid_t pid)
{
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	file = jit_open(path);
	if (!file)
		return;
	while (getline(&line, &room, file) > 0)
		tell_line(recording, pid, line);
	free(line);
	fclose(file);
}
