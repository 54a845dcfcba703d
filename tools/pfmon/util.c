// SPDX-License-Identifier: GPL-2.0
/* Messages. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util.h"

void problem_print(const struct problem *why)
{
	const char *line = why->hint;
	size_t n;

	complain("%s", why->what);
	for (; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		fprintf(stderr, "       %.*s\n", (int)n, line);
	}
}

bool problem_errno(struct problem *why, const char *what, int error)
{
	problem(why, "%s: %s", what, strerror(error));
	if (error == EMFILE)
		problem_hint(why, "Raise the limit of open files (ulimit -Hn).");
	return false;
}

void complain(const char *format, ...)
{
	va_list args;

	fputs("pfmon: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void complain_of_memory(void)
{
	fputs("pfmon: out of memory\n", stderr);
	exit(EXIT_PFMON);
}

bool is_regular_file(int fd)
{
	struct stat info;

	return !fstat(fd, &info) && S_ISREG(info.st_mode);
}

bool each_word(void *data, const char *list, struct problem *why,
	       bool (*take)(void *data, const char *word, struct problem *why))
{
	char *words = xstrdup(list), *rest = words, *word;
	bool ok = true;

	while (ok && (word = strsep(&rest, ",")))
		ok = take(data, word, why);
	free(words);
	return ok;
}
