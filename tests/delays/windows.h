/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines "delay" of the file "windows".
 */
#ifndef TESTS_DELAYS_WINDOWS_H
#define TESTS_DELAYS_WINDOWS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* From the top of the tree, which is the current directory of test programs. */
#define WINDOWS	"tests/delays/windows"

struct window {
	char	function[64];
	char	scenes[128];
};

/* Find the next line of @file with the form @here. Return: false: there is none. */
static inline bool windows_next(FILE *file, const char *here, struct window *w)
{
	char line[512], form[16];

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "delay %63s %15s %127[^\n]", w->function, form, w->scenes) == 3 &&
		    (!strcmp(form, "both") || !strcmp(form, here)))
			return true;
	}
	return false;
}

#endif /* TESTS_DELAYS_WINDOWS_H */
