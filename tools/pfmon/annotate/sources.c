// SPDX-License-Identifier: GPL-2.0
/* Source files, read when a line of them is wanted, with tabs as blanks. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/sources.h"

#define TAB	8

/* A copy of a line, without its end. */
static char *plain(const char *line)
{
	const size_t length = strcspn(line, "\r\n");
	char *text = xcalloc(length * TAB + 1, 1);
	size_t i, n = 0;

	for (i = 0; i < length; i++) {
		if (line[i] == '\t')
			n += TAB - n % TAB;
		else
			text[n++] = line[i];
	}
	for (i = 0; i < n; i++)
		text[i] = text[i] ?: ' ';
	return text;
}

static bool read_lines(struct source_file *source)
{
	/* Debug information may name anything: opening it must not block. */
	const int fd = open(source->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *line = NULL;
	size_t room = 0;
	FILE *file;

	if (fd < 0)
		return false;
	file = is_regular_file(fd) ? fdopen(fd, "r") : NULL;
	if (!file) {
		close(fd);
		errno = EINVAL;
		return false;
	}
	while (getline(&line, &room, file) > 0)
		strings_add(&source->text, plain(line));
	free(line);
	fclose(file);
	return true;
}

static struct source_file *find_file(struct sources *sources, const char *name)
{
	struct source_file *file;
	size_t i;

	for (i = 0; i < sources->n; i++)
		if (!strcmp(sources->file[i].name, name))
			return &sources->file[i];
	GROW(sources->file, sources->n, sources->room);
	file = &sources->file[sources->n++];
	*file = (struct source_file){ .name = name };
	file->there = read_lines(file);
	if (!file->there && !sources->missing++) {
		sources->missing_one = name;
		sources->error = errno;
	}
	return file;
}

const char *sources_line(struct sources *sources, const char *file, unsigned int number)
{
	const struct source_file *source = find_file(sources, file);

	if (!source->there)
		return NULL;
	return number && number <= source->text.n ? source->text.text[number - 1] : "";
}

char *sources_note(const struct sources *sources)
{
	if (!sources->missing)
		return NULL;
	return xasprintf("no text of %zu source file%s, such as %s: %s", sources->missing,
			 PLURAL(sources->missing), sources->missing_one, strerror(sources->error));
}

void sources_free(struct sources *sources)
{
	size_t i;

	for (i = 0; i < sources->n; i++)
		strings_free(&sources->file[i].text);
	free(sources->file);
}
