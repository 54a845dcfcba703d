// SPDX-License-Identifier: GPL-2.0
/* The PID namespace of /proc: "NSpid" has a number for each namespace from that one on. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "run/procfs.h"

/* Return: the number of pfmon's ids there; 0: the line is missing, or pfmon is unknown there. */
static int count_numbers(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[512], *words;
	int n = 0;

	while (file && !n && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		for (words = line + 6; strtok_r(words, " \t\n", &words);)
			n++;
	}
	if (file)
		fclose(file);
	return n;
}

bool proc_is_ours(void)
{
	static int numbers = -1;

	if (numbers < 0)
		numbers = count_numbers();
	return numbers == 1;
}

const char *proc_path(char *path, pid_t pid, const char *what)
{
	path[0] = '\0';
	if (proc_is_ours())
		snprintf(path, PROC_PATH, "/proc/%d/%s", (int)pid, what);
	return path;
}

bool proc_must_be_ours(const char *what, struct problem *why)
{
	if (proc_is_ours())
		return true;
	problem(why, "%s: /proc has the numbers of another PID namespace's processes", what);
	return problem_hint(why, "Give this namespace its own: unshare --mount-proc, or mount -t proc proc /proc.");
}
