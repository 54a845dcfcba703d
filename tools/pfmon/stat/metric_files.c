// SPDX-License-Identifier: GPL-2.0
/*
 * Groups are looked for in the directories of $PFMON_METRICS, separated by colons, then in
 * share/pfmon/metrics beside the bin/ directory of this program, then in this project's source,
 * if the program was built there.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/metric_files.h"

static const char *const beside[] = { "../share/pfmon/metrics", "../../tools/pfmon/metrics" };

static void add_own(struct strings *directories)
{
	char path[4096], *slash;
	const ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	size_t i;

	if (n <= 0)
		return;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	for (i = 0; i < COUNT(beside); i++)
		strings_add(directories, xasprintf("%s/%s", path, beside[i]));
}

static void find_directories(struct strings *directories)
{
	const char *variable = getenv("PFMON_METRICS");
	char *copy = xstrdup(variable ? variable : ""), *rest = copy, *directory;

	while ((directory = strsep(&rest, ":")))
		if (*directory)
			strings_add(directories, xstrdup(directory));
	free(copy);
	add_own(directories);
}

/* The rest of the first line "about ..." of a file. */
static void read_about(const char *path, char *buf, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[256];

	buf[0] = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "about ", 6))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, size, "%s", line + 6);
		break;
	}
	if (file)
		fclose(file);
}

static int is_group(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".txt");
}

static void list_groups(const char *directory, char *buf, size_t size)
{
	struct dirent **entry;
	char path[4096 + 256], about[256];
	int n = scandir(directory, &entry, is_group, alphasort), i;

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, entry[i]->d_name);
		read_about(path, about, sizeof(about));
		append(buf, size, "%s  %-12.*s %s", *buf ? "\n" : "",
		       (int)strlen(entry[i]->d_name) - 4, entry[i]->d_name, about);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

FILE *metric_file_open(const char *name, char **path, struct problem *why)
{
	struct strings directories = { NULL, 0, 0 };
	char list[sizeof(why->hint) - 64] = "";
	FILE *file = NULL;
	size_t i;

	find_directories(&directories);
	for (i = 0; !file && !strchr(name, '/') && i < directories.n; i++) {
		*path = xasprintf("%s/%s.txt", directories.text[i], name);
		file = fopen(*path, "re");
		if (!file)
			free(*path);
	}
	for (i = 0; !file && i < directories.n; i++)
		list_groups(directories.text[i], list, sizeof(list));
	strings_free(&directories);
	if (file)
		return file;
	problem(why, "there is no metric group '%s'", name);
	if (*list)
		problem_hint(why, "There are:\n%s", list);
	else
		problem_hint(why, "There are none at all: name their directory in $PFMON_METRICS.");
	return NULL;
}
