// SPDX-License-Identifier: GPL-2.0
/* Messages, memory that is there or ends the program, small text helpers. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util.h"

bool problem(struct problem *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->what, sizeof(why->what), format, args);
	va_end(args);
	why->hint[0] = '\0';
	return false;
}

bool problem_hint(struct problem *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->hint, sizeof(why->hint), format, args);
	va_end(args);
	return false;
}

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

void complain(const char *format, ...)
{
	va_list args;

	fputs("pfmon: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void *there(void *memory)
{
	if (!memory) {
		fputs("pfmon: out of memory\n", stderr);
		exit(EXIT_PFMON);
	}
	return memory;
}

void *xcalloc(size_t n, size_t size)
{
	return there(calloc(n ? n : 1, size));
}

void *xrealloc(void *old, size_t n, size_t size)
{
	return there(reallocarray(old, n, size));
}

char *xstrdup(const char *text)
{
	return there(strdup(text));
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return there(n < 0 ? NULL : text);
}

void strings_add(struct strings *list, char *text)
{
	GROW(list->text, list->n, list->room);
	list->text[list->n++] = text;
}

void strings_free(struct strings *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		free(list->text[i]);
	free(list->text);
	memset(list, 0, sizeof(*list));
}

void append(char *buf, size_t size, const char *format, ...)
{
	const size_t used = strnlen(buf, size);
	va_list args;

	if (used >= size)
		return;
	va_start(args, format);
	vsnprintf(buf + used, size - used, format, args);
	va_end(args);
}

bool parse_u64(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text)) /* strtoull() would take "-1" and " 1" */
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && !*end;
}

char *with_thousands(uint64_t value, char *buf, size_t size)
{
	char digits[24];
	size_t n, i;

	n = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	buf[0] = '\0';
	for (i = 0; i < n; i++)
		append(buf, size, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
	return buf;
}

bool is_regular_file(int fd)
{
	struct stat info;

	return !fstat(fd, &info) && S_ISREG(info.st_mode);
}
