// SPDX-License-Identifier: GPL-2.0
/* Reasons in words, memory, lists, texts. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

/* A sentence that is too long keeps this much of its end, which states the problem. */
#define ENDING	128

bool problem(struct problem *why, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		text = xstrdup(format);
	if (length < (int)sizeof(why->what))
		snprintf(why->what, sizeof(why->what), "%s", text);
	else
		snprintf(why->what, sizeof(why->what), "%.*s...%s",
			 (int)sizeof(why->what) - ENDING - 4, text, text + length - ENDING);
	free(text);
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

static void word_and_abort(void)
{
	fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
	abort();
}

void (*out_of_memory)(void) = word_and_abort;

static void *there(void *memory)
{
	if (!memory)
		out_of_memory();
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

void strings_add_once(struct strings *list, char *text)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (strcmp(list->text[i], text))
			continue;
		free(text);
		return;
	}
	strings_add(list, text);
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

size_t utf8_length(const unsigned char *s)
{
	const unsigned int second = s[0] ? s[1] : 0;
	size_t n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if ((s[0] == 0xe0 && second < 0xa0) || (s[0] == 0xed && second > 0x9f) ||
	    (s[0] == 0xf0 && second < 0x90) || (s[0] == 0xf4 && second > 0x8f))
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}
