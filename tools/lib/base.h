/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the by-name half of the library, and of pfmon: reasons in words, memory,
 * lists, texts. None of them is visible outside the library.
 */
#ifndef PERFMON_BASE_H
#define PERFMON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * Why something cannot be done, and the way out: for the user, so in whole words. The function
 * that finds the problem fills it in; the one that decides about the program's end prints it.
 */
struct problem {
	char	what[512];
	char	hint[1024];	/* or empty */
};

/* Fill in @why. Both return false, so that a function can `return problem(...)`. */
bool problem(struct problem *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool problem_hint(struct problem *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Ends the program when there is no memory; by default abort(), with a message. */
extern void (*out_of_memory)(void);

/* Memory that is there or the program ends. libiberty has functions of the first two names. */
#define xcalloc		pfmon_calloc
#define xrealloc	pfmon_realloc
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *old, size_t n, size_t size);
char *xstrdup(const char *text);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Make room for one element more in an array that grows by doubling. */
#define GROW(array, used, room)						\
	do {								\
		if ((used) == (room)) {					\
			(room) = (room) ? 2 * (room) : 8;		\
			(array) = xrealloc((array), (room), sizeof(*(array))); \
		}							\
	} while (0)

/* A growing list of strings. Zeroed is empty. */
struct strings {
	char	**text;
	size_t	n, room;
};

void strings_add(struct strings *list, char *text); /* takes @text over */
void strings_add_once(struct strings *list, char *text); /* ... unless it is there */
void strings_free(struct strings *list);

/* Append to the text in buf[size]; what does not fit is cut off. */
void append(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Decimal, octal or 0x number that fills the whole of @text. */
bool parse_u64(const char *text, uint64_t *value);

/* "1,234,567" */
char *with_thousands(uint64_t value, char *buf, size_t size);

/*
 * The length of the UTF-8 sequence at @s, or 0 when it is none. Overlong forms, surrogates
 * and what lies beyond U+10FFFF are none.
 */
size_t utf8_length(const unsigned char *s);

#endif /* PERFMON_BASE_H */
