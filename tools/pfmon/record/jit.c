// SPDX-License-Identifier: GPL-2.0
/* Names of code that a process made at run time. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/jit.h"

static void tell_line(struct recording *recording, pid_t pid, char *line)
{
	struct profile_symbol symbol = { .pid = pid };
	const char *name;
	uint64_t size;
	int begin = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &symbol.start, &size, &begin) != 2 || !begin ||
	    !line[begin] || !size || symbol.start + size < symbol.start)
		return;
	symbol.end = symbol.start + size;
	name = line + begin;
	profile_write_texts(&recording->file, PROFILE_SYMBOL, &symbol, sizeof(symbol), &name, 1);
}

static FILE *open_map(const struct files *files)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)files->inner);
	file = files_open(files, path);
	if (file)
		return file;
	/* An agent may have written it from outside of the container. */
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)files->pid);
	return files_open_outside(files, path);
}

void jit_tell(struct recording *recording, const struct files *files)
{
	FILE *file = open_map(files);
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return;
	while (getline(&line, &room, file) > 0)
		tell_line(recording, files->pid, line);
	free(line);
	fclose(file);
}
