/* SPDX-License-Identifier: GPL-2.0 */
/* What every file of pfmon uses: messages, memory, small text helpers. */
#ifndef PFMON_UTIL_H
#define PFMON_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Exit statuses that are pfmon's own while it runs a command, as env(1) uses them. */
#define EXIT_PFMON	125	/* pfmon itself failed */
#define EXIT_CANNOT_RUN	126	/* the command was found and cannot be run */
#define EXIT_NOT_FOUND	127	/* there is no such command */

/*
 * Why something cannot be done, and the way out: for the user, so in whole words. What
 * finds the problem fills it in; what decides about the program's end prints it.
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

/* "pfmon: what" and the hint on stderr. */
void problem_print(const struct problem *why);

/* One sentence on stderr, as "pfmon: ...". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that is there or the program ends. */
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
void strings_free(struct strings *list);

/* Append to the text in buf[size]; what does not fit is cut off. */
void append(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Decimal, octal or 0x number that fills the whole of @text. */
bool parse_u64(const char *text, uint64_t *value);

/* "1,234,567" */
char *with_thousands(uint64_t value, char *buf, size_t size);

bool is_regular_file(int fd);

/* "1 task", "2 tasks": a count and its noun. */
#define PLURAL(n)	((n) == 1 ? "" : "s")

#endif /* PFMON_UTIL_H */
