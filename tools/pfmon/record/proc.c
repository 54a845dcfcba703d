// SPDX-License-Identifier: GPL-2.0
/* The data that `pfmon record` takes from /proc: mappings, kernel symbols. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/ranges.h"
#include "record/proc.h"
#include "run/procfs.h"

/* The kernel writes a newline in a file's name as \012, and escapes nothing else. */
static char *unescape(const char *name)
{
	char *copy = xstrdup(name), *from, *to = copy;

	for (from = copy; *from; to++) {
		if (!strncmp(from, "\\012", 4)) {
			*to = '\n';
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return copy;
}

/* The path of the link to a mapping's file. The caller frees it. */
static char *link_of(pid_t pid, const struct mapping *mapping)
{
	return xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, mapping->start,
			 mapping->end);
}

/* The name from the link, which has no escapes. NULL: the link cannot be read. */
static char *linked_name(pid_t pid, const struct mapping *mapping)
{
	char *path = link_of(pid, mapping);
	char *name = xcalloc(1, PATH_MAX);
	const ssize_t size = readlink(path, name, PATH_MAX - 1);

	free(path);
	if (size > 0)
		return name;
	free(name);
	return NULL;
}

/* The link shows whether the name has a newline or these four characters. */
static char *name_of(pid_t pid, const char *text, const struct mapping *mapping)
{
	if (!strstr(text, "\\012"))
		return xstrdup(text);
	return linked_name(pid, mapping) ?: unescape(text);
}

/* "start-end rwxp offset device inode   name". False: not executable, or no such line. */
static bool parse_mapping(char *line, pid_t pid, struct mapping *mapping)
{
	char permissions[5];
	int name = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*u %n",
		   &mapping->start, &mapping->end, permissions, &mapping->offset, &name) != 4 ||
	    !name)
		return false;
	if (strlen(permissions) != 4 || permissions[2] != 'x')
		return false;
	mapping->protection = PROT_EXEC | (permissions[0] == 'r' ? PROT_READ : 0U) |
			      (permissions[1] == 'w' ? PROT_WRITE : 0U);
	mapping->name = line[name] ? name_of(pid, line + name, mapping) : xstrdup("[anon]");
	return true;
}

/* A main thread that has ended shows no mappings. */
pid_t living_thread(pid_t pid)
{
	char path[PROC_PATH], *exe, byte;
	struct dirent *entry;
	pid_t tid, found = 0;
	DIR *dir;

	dir = opendir(proc_path(path, pid, "task"));
	while (dir && !found && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid <= 0 || tid == pid)
			continue;
		exe = xasprintf("/proc/%d/exe", (int)tid);
		if (readlink(exe, &byte, 1) > 0)
			found = tid;
		free(exe);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool read_maps(struct mappings *mappings, pid_t pid)
{
	struct mapping mapping;
	char *line = NULL;
	size_t room = 0;
	char path[PROC_PATH];
	FILE *file;

	memset(mappings, 0, sizeof(*mappings));
	proc_path(path, pid, "maps");
	file = fopen(path, "re");
	if (!file)
		return false;
	while (getline(&line, &room, file) > 0) {
		if (!parse_mapping(line, pid, &mapping))
			continue;
		GROW(mappings->mapping, mappings->n, mappings->room);
		mappings->mapping[mappings->n++] = mapping;
	}
	free(line);
	fclose(file);
	return mappings->n > 0;
}

bool mappings_read(struct mappings *mappings, pid_t pid)
{
	pid_t tid;

	if (read_maps(mappings, pid))
		return true;
	tid = living_thread(pid);
	return tid && read_maps(mappings, tid);
}

bool mapping_equal(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->protection == b->protection && !strcmp(a->name, b->name);
}

void mappings_free(struct mappings *mappings)
{
	size_t i;

	for (i = 0; i < mappings->n; i++)
		free(mappings->mapping[i].name);
	free(mappings->mapping);
	memset(mappings, 0, sizeof(*mappings));
}

/* The link of the mapping is best, also for a removed file, but not every user may open it. */
static int open_as_seen_by(const struct mapping *mapping, pid_t pid)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	char *path = link_of(pid, mapping);
	int fd = open(path, flags);

	free(path);
	if (fd >= 0 || mapping->name[0] != '/')
		return fd;
	path = xasprintf("/proc/%d/root%s", (int)pid, mapping->name);
	fd = open(path, flags);
	free(path);
	return fd;
}

int mapping_open(const struct mapping *mapping, pid_t pid)
{
	pid_t tid;
	int fd;

	if (!proc_is_ours())
		return -1;
	fd = open_as_seen_by(mapping, pid);
	if (fd >= 0 || mapping->name[0] != '/')
		return fd;
	tid = living_thread(pid);
	return tid ? open_as_seen_by(mapping, tid) : -1;
}

/* Order several names of an address: global before local, then the plainer one. */
static int better_name(const struct kernel_symbol *a, const struct kernel_symbol *b)
{
	const bool global_a = a->type == 'T', global_b = b->type == 'T';
	const size_t plain_a = strspn(a->name, "_"), plain_b = strspn(b->name, "_");

	if (global_a != global_b)
		return global_a ? -1 : 1;
	if (plain_a != plain_b)
		return plain_a < plain_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_address(const void *one, const void *other)
{
	const struct kernel_symbol *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return better_name(a, b);
}

/* "address type name" and, in a module, "\t[module]". */
static bool parse_symbol(char *line, struct kernel_symbol *symbol)
{
	char *name, *module, *end;

	line[strcspn(line, "\n")] = '\0';
	symbol->start = strtoull(line, &end, 16);
	if (*end != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return false;
	symbol->type = end[1];
	if (!strchr("tTwW", symbol->type) || !is_kernel_address(symbol->start))
		return false;
	name = end + 3;
	module = strchr(name, '\t');
	if (module)
		*module++ = '\0';
	symbol->name = xstrdup(name);
	symbol->module = xstrdup(module ? module : "");
	symbol->last = false;
	symbol->seen = false;
	return true;
}

static void free_symbol(struct kernel_symbol *symbol)
{
	free(symbol->name);
	free(symbol->module);
}

/* The assumed size of the last symbol before a gap, such as the gaps between modules. */
#define LAST_SYMBOL	0x10000

static uint64_t end_of_last(const struct kernel_symbol *symbol)
{
	const uint64_t end = symbol->start + LAST_SYMBOL;

	return end > symbol->start ? end : UINT64_MAX;
}

/* Keep one name for each address. A symbol ends where the next one begins, at the latest. */
static void arrange(struct kernel_symbols *symbols)
{
	struct kernel_symbol *symbol = symbols->symbol;
	size_t kept = 0, i;

	if (!symbols->n)
		return;
	qsort(symbol, symbols->n, sizeof(*symbol), by_address);
	for (i = 1; i < symbols->n; i++) {
		if (symbol[i].start == symbol[kept].start)
			free_symbol(&symbol[i]);
		else
			symbol[++kept] = symbol[i];
	}
	symbols->n = kept + 1;
	for (i = 0; i < symbols->n; i++) {
		symbol[i].last = i == kept || strcmp(symbol[i].module, symbol[i + 1].module);
		symbol[i].end = symbol[i].last ? end_of_last(&symbol[i]) : UINT64_MAX;
		if (i < kept && symbol[i].end > symbol[i + 1].start)
			symbol[i].end = symbol[i + 1].start;
	}
}

void kernel_symbols_read(struct kernel_symbols *symbols, const char *path)
{
	struct kernel_symbol symbol;
	char *line = NULL;
	size_t room = 0;
	FILE *file;

	memset(symbols, 0, sizeof(*symbols));
	file = fopen(path, "re");
	if (!file)
		return;
	while (getline(&line, &room, file) > 0) {
		if (!parse_symbol(line, &symbol))
			continue;
		GROW(symbols->symbol, symbols->n, symbols->room);
		symbols->symbol[symbols->n++] = symbol;
	}
	free(line);
	fclose(file);
	arrange(symbols);
}

struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *symbols,
					  uint64_t address)
{
	size_t low = 0, high = symbols->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (symbols->symbol[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	if (low < symbols->n && symbols->symbol[low].start <= address)
		return &symbols->symbol[low];
	return NULL;
}

void kernel_symbols_free(struct kernel_symbols *symbols)
{
	size_t i;

	for (i = 0; i < symbols->n; i++)
		free_symbol(&symbols->symbol[i]);
	free(symbols->symbol);
	memset(symbols, 0, sizeof(*symbols));
}
