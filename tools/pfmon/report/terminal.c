// SPDX-License-Identifier: GPL-2.0
/* A report on a terminal: through a pager, and with colours. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/terminal.h"

static pid_t pager;	/* 0: there is none */

bool colour_parse(enum colour *colour, const char *text, struct problem *why)
{
	static const char *const names[] = {
		[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never",
	};
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		if (strcmp(text, names[i]))
			continue;
		*colour = (enum colour)i;
		return true;
	}
	return problem(why, "--color %s: auto, always or never is wanted", text);
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

bool colour_wanted(enum colour colour)
{
	const char *terminal = getenv("TERM");

	if (colour != COLOUR_AUTO)
		return colour == COLOUR_ALWAYS;
	return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") && terminal &&
	       strcmp(terminal, "dumb");
}

/* The user's pager, or less(1); NULL: the user wants none. */
static const char *find_pager(void)
{
	const char *name = getenv("PFMON_PAGER");

	if (!name)
		name = getenv("PAGER");
	if (!name)
		name = "less";
	return *name && strcmp(name, "cat") ? name : NULL;
}

/* The pager's process. With these options less prints a short report without paging. */
static void be_pager(const char *name, int from)
{
	dup2(from, STDIN_FILENO);
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", name, (char *)NULL);
	_exit(127);
}

/* True if the shell knows the command: a missing pager must not swallow the report. */
static bool is_there(const char *name)
{
	const size_t length = strcspn(name, " \t");
	char *check = xasprintf("command -v %.*s >/dev/null 2>&1", (int)length, name);
	const bool there = !system(check);

	free(check);
	return there;
}

void pager_begin(void)
{
	const char *name = find_pager();
	int ends[2];

	if (!isatty(STDOUT_FILENO) || !name || !is_there(name) || pipe2(ends, O_CLOEXEC))
		return;
	fflush(stdout);
	pager = fork();
	if (!pager)
		be_pager(name, ends[0]);
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		signal(SIGINT, SIG_IGN);	/* it is for the pager */
	} else {
		pager = 0;
	}
	close(ends[0]);
	close(ends[1]);
}

void pager_end(void)
{
	if (!pager)
		return;
	fflush(stdout);
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0)
		;
}
