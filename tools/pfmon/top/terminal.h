/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal: its keys, its size, and its former state at the end. */
#ifndef PFMON_TOP_TERMINAL_H
#define PFMON_TOP_TERMINAL_H

#include <stddef.h>

#include "util.h"

enum terminal_key {
	TERMINAL_NONE, TERMINAL_OTHER, TERMINAL_UP, TERMINAL_DOWN, TERMINAL_PAGE_UP,
	TERMINAL_PAGE_DOWN, TERMINAL_LETTER,
};

/* True if standard input and output are a terminal. */
bool terminal_there(void);

/* Take it over: a screen of its own, keys one by one. Every exit() restores it. */
bool terminal_begin(struct problem *why);
void terminal_end(void);

void terminal_size(size_t *lines, size_t *columns);

/* Read the next pressed key, without waiting; a letter goes to *@letter. */
enum terminal_key terminal_key(char *letter);

/* Show a text, as far as it fits. */
void terminal_show(const char *text, size_t lines, size_t columns);

#endif /* PFMON_TOP_TERMINAL_H */
