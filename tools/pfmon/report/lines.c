// SPDX-License-Identifier: GPL-2.0
/* A flat profile: samples summed up by symbol or by file. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"
#include "report/symbols.h"

static const char unknown[] = "[unknown]";

static int by_place(const void *one, const void *other)
{
	const struct hit *a = one, *b = other;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return 0;
}

static int by_name(const void *one, const void *other)
{
	const struct line *a = one, *b = other;
	int order;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	order = strcmp(a->symbol, b->symbol);
	return order ? order : strcmp(a->file, b->file);
}

static int by_count(const void *one, const void *other)
{
	const struct line *a = one, *b = other;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return by_name(one, other);
}

/* A copy that lives as long as the lines. Neighbours have often the same name. */
static const char *keep(struct lines *lines, const char *name)
{
	struct strings *names = &lines->names;

	if (!names->n || strcmp(names->text[names->n - 1], name))
		strings_add(names, xstrdup(name));
	return names->text[names->n - 1];
}

/* The used places of the table, sorted, so that each file is opened once. */
static struct hit *sorted_hits(const struct profile *profile)
{
	struct hit *hits = xcalloc(profile->hits.n, sizeof(*hits));
	size_t n = 0, i;

	for (i = 0; i < profile->hits.room; i++)
		if (profile->hits.hit[i].count)
			hits[n++] = profile->hits.hit[i];
	if (n)
		qsort(hits, n, sizeof(*hits), by_place);
	return hits;
}

static void name_in_kernel(const struct profile *profile, const struct hit *hit,
			   struct line *line)
{
	const struct range *range = ranges_find(&profile->kernel, hit->address);

	if (!range)
		return;
	line->symbol = profile->kernel_name[range->what].name;
	if (profile->kernel_name[range->what].module[0])
		line->file = profile->kernel_name[range->what].module;
}

/* The hits of one file become lines; [vdso] and the like have no symbols to be had. */
static void name_in_file(struct lines *lines, const struct profile *profile,
			 const struct hit *hit, size_t n, bool demangle,
			 struct strings *notes)
{
	const struct object *object = &profile->object[hit->object];
	struct line *line = &lines->line[lines->n];
	struct symbols *symbols = NULL;
	struct problem why;
	const char *name;
	size_t i;

	if (object->name[0] == '/') {
		symbols = symbols_open(object->name, &object->id, &why);
		if (!symbols)
			strings_add(notes, xasprintf("no symbols: %s", why.what));
	}
	for (i = 0; symbols && i < n; i++) {
		name = symbols_find(symbols, hit[i].address, demangle);
		if (name)
			line[i].symbol = keep(lines, name);
	}
	symbols_close(symbols);
}

/* Lines with the same names become one. */
static void merge(struct lines *lines)
{
	struct line *line = lines->line;
	size_t kept = 0, i;

	if (!lines->n)
		return;
	qsort(line, lines->n, sizeof(*line), by_name);
	for (i = 1; i < lines->n; i++) {
		if (by_name(&line[kept], &line[i]))
			line[++kept] = line[i];
		else
			line[kept].count += line[i].count;
	}
	lines->n = kept + 1;
	qsort(line, lines->n, sizeof(*line), by_count);
}

void lines_make(struct lines *lines, const struct profile *profile, enum profile_sort sort,
		bool demangle, struct strings *notes)
{
	struct hit *hits = sorted_hits(profile);
	size_t i, n;

	memset(lines, 0, sizeof(*lines));
	lines->line = xcalloc(profile->hits.n, sizeof(*lines->line));
	for (i = 0; i < profile->hits.n; i++) {
		struct line *line = &lines->line[i];

		line->event = hits[i].event;
		line->symbol = unknown;
		line->file = profile->object[hits[i].object].name;
		line->count = hits[i].count;
		if (hits[i].object == OBJECT_KERNEL)
			name_in_kernel(profile, &hits[i], line);
		if (sort == SORT_FILE)
			line->symbol = "";
	}
	for (i = 0; sort == SORT_SYMBOL && i < profile->hits.n; i += n) {
		for (n = 1; i + n < profile->hits.n && hits[i + n].object == hits[i].object; n++)
			;
		lines->n = i;
		name_in_file(lines, profile, &hits[i], n, demangle, notes);
	}
	lines->n = profile->hits.n;
	merge(lines);
	free(hits);
}

void lines_free(struct lines *lines)
{
	free(lines->line);
	strings_free(&lines->names);
	memset(lines, 0, sizeof(*lines));
}
