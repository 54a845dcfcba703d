// SPDX-License-Identifier: GPL-2.0
/* From samples at places to rows of a table: the values of the keys, and the filters. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/table.h"
#include "symbols/symbols.h"

static const char unknown[] = "[unknown]";

struct values {
	struct table			*table;
	struct gathered			*gathered;
	const struct table_options	*options;
	bool				needed[KEYS];
	uint64_t			unnamed;	/* samples in files, in no function */
	size_t				no_lines;	/* files without source lines ... */
	const char			*no_lines_in;	/* ... such as this one */
};

/* A value for which no file has to be read. */
static const char *quick_value(struct values *values, const struct cell *cell, enum key key)
{
	struct gathered *gathered = values->gathered;
	struct names *names = &gathered->names;

	switch (key) {
	case KEY_FILE:
		return cell->file;
	case KEY_COMM:
		return gathered->task[cell->task].comm;
	case KEY_PID:
		return names_keep_number(names, (uint64_t)gathered->task[cell->task].pid, false);
	case KEY_TID:
		return names_keep_number(names, (uint64_t)gathered->task[cell->task].tid, false);
	case KEY_CPU:
		return cell->cpu == PROFILE_NO_CPU ? names_keep(names, "?") :
						     names_keep_number(names, cell->cpu, false);
	case KEY_SET:
		return names_keep_number(names, gathered->event[cell->event].set, false);
	case KEY_EVENT:
		return gathered->event[cell->event].name;
	case KEY_HOST:
		return gathered->source[cell->source].host;
	default:
		return NULL;
	}
}

static bool is_wanted(struct values *values, const struct cell *cell)
{
	const struct filter *filter = values->options->filter;
	const char *value;
	enum key key;

	for (key = 0; key < KEYS; key++) {
		if (!filter_has(filter, key) || key == KEY_SYMBOL)
			continue;
		value = quick_value(values, cell, key);
		if (!filter_fits(filter, key, value))
			return false;
	}
	return true;
}

/* Drop the cells that will not be shown, before any file is read. */
static void drop_unwanted(struct values *values)
{
	struct gathered *gathered = values->gathered;
	size_t kept = 0, i;

	for (i = 0; i < gathered->ncells; i++)
		if (is_wanted(values, &gathered->cell[i]))
			gathered->cell[kept++] = gathered->cell[i];
	gathered->ncells = kept;
}

static const char *symbol_of(struct values *values, const struct cell *cell,
			     struct symbols *symbols)
{
	const char *name = symbols ? symbols_find(symbols, cell->address, !values->options->mangled) :
				     NULL;

	if (cell->symbol)
		return cell->symbol;
	if (name)
		return names_keep(&values->gathered->names, name);
	if (symbols_possible(cell->file))
		values->unnamed += cell->count;
	return names_keep(&values->gathered->names, unknown);
}

static const char *line_of(struct values *values, const struct cell *cell,
			   struct symbols *symbols, bool *found)
{
	struct names *names = &values->gathered->names;
	const char *file, *kept;
	unsigned int line;
	char *text;

	if (!symbols || !symbols_line(symbols, cell->address, &file, &line))
		return names_keep(names, unknown);
	*found = true;
	text = xasprintf("%s:%u", file, line);
	kept = names_keep(names, text);
	free(text);
	return kept;
}

/* As nm(1) shows it; without a file that in memory; code made at run time has none. */
static const char *address_of(struct values *values, const struct cell *cell,
			      struct symbols *symbols)
{
	uint64_t address;

	if (cell->object == OBJECT_JIT)
		return names_keep(&values->gathered->names, "-");
	if (!symbols || !symbols_file_address(symbols, cell->address, &address))
		address = cell->address;
	return names_keep_number(&values->gathered->names, address, true);
}

/* The values that need the symbols of the file. */
static void find_values(struct values *values, struct cell *cell, struct symbols *symbols,
			bool *lines)
{
	cell->value[KEY_FILE] = cell->file;
	if (values->needed[KEY_SYMBOL])
		cell->value[KEY_SYMBOL] = symbol_of(values, cell, symbols);
	if (values->needed[KEY_LINE])
		cell->value[KEY_LINE] = line_of(values, cell, symbols, lines);
	if (values->needed[KEY_ADDRESS])
		cell->value[KEY_ADDRESS] = address_of(values, cell, symbols);
}

/* One note for a file, with the number of samples concerned. */
static void note_unnamed(struct values *values, struct cell *const *cell, size_t n,
			 const struct problem *why)
{
	struct gathered_event *event;
	uint64_t samples = 0;
	char text[40];
	size_t i;

	for (i = 0; i < n; i++) {
		samples += cell[i]->count;
		event = &values->gathered->event[cell[i]->event];
		if (cell[i]->object == OBJECT_UNKNOWN)
			event->unmapped += cell[i]->count;
		else
			event->unread += cell[i]->count;
	}
	if (!samples)
		return; /* the file only led to samples in other files */
	with_thousands(samples, text, sizeof(text));
	strings_add(&values->gathered->notes, xasprintf("no symbols for %s sample%s: %s", text,
							PLURAL(samples), why->what));
}

/* Find the values for the cells of one file; [anon] and the like have no symbols. */
static void find_in_object(struct values *values, struct cell *const *cell, size_t n)
{
	const struct gathered_object *object = &values->gathered->object[cell[0]->object];
	const bool reads = values->needed[KEY_SYMBOL] || values->needed[KEY_LINE] ||
			   values->needed[KEY_ADDRESS];
	struct symbols *symbols = NULL;
	struct problem why;
	bool lines = false;
	size_t i;

	if (reads && symbols_possible(object->name)) {
		symbols = symbols_cache_open(values->options->cache, object->name, &object->id,
					     &why);
		if (!symbols)
			note_unnamed(values, cell, n, &why);
	} else if (reads && cell[0]->object == OBJECT_UNKNOWN) {
		problem(&why, "nothing is known to be mapped there");
		note_unnamed(values, cell, n, &why);
	}
	for (i = 0; i < n; i++)
		find_values(values, cell[i], symbols, &lines);
	if (symbols && values->needed[KEY_LINE] && !lines) {
		values->no_lines++;
		values->no_lines_in = object->name;
	}
	symbols_cache_close(values->options->cache, symbols);
}

static int by_object(const void *one, const void *other)
{
	const struct cell *a = *(struct cell *const *)one, *b = *(struct cell *const *)other;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

/* List the cells and, once each, the functions that led there. Returns their number. */
static size_t list_cells(struct gathered *gathered, struct cell **list)
{
	size_t n = 0, i, path;

	for (i = 0; i < gathered->ncells; i++) {
		list[n++] = &gathered->cell[i];
		for (path = gathered->cell[i].path; path; path = gathered->path[path].parent) {
			if (gathered->path[path].cell.wanted)
				break; /* its parents are listed as well */
			gathered->path[path].cell.wanted = true;
			list[n++] = &gathered->path[path].cell;
		}
	}
	return n;
}

/* One file at a time, so that only one is open. */
static void find_all(struct values *values)
{
	struct gathered *gathered = values->gathered;
	struct cell **list = xcalloc(gathered->ncells + gathered->npaths, sizeof(*list));
	const size_t all = list_cells(gathered, list);
	size_t i, n;

	if (all)
		qsort(list, all, sizeof(*list), by_object);
	for (i = 0; i < all; i += n) {
		for (n = 1; i + n < all && list[i + n]->object == list[i]->object; n++)
			;
		find_in_object(values, &list[i], n);
	}
	free(list);
}

/* @place is the place of the cell's samples, or of a function that led there. */
static struct row row_of(struct values *values, const struct cell *cell, const struct cell *place)
{
	const struct table_options *options = values->options;
	struct row row = { .event = options->layout == LAYOUT_EVENTS ? 0 : cell->event };
	enum key key;
	size_t i;

	for (i = 0; i < options->keys.n; i++) {
		key = options->keys.key[i];
		row.value[i] = key <= KEY_ADDRESS ? place->value[key] :
						    quick_value(values, cell, key);
	}
	return row;
}

static void add_callees(struct values *values, const struct cell *cell, uint64_t number)
{
	const struct gathered_path *paths = values->gathered->path;
	struct row row = row_of(values, cell, cell);
	size_t path;

	table_add_callees(values->table, &row, number, cell->count);
	for (path = cell->path; path; path = paths[path].parent) {
		row = row_of(values, cell, &paths[path].cell);
		table_add_callees(values->table, &row, number, cell->count);
	}
}

/* @number is the cell's, from 1 on. */
static void add_cell(struct values *values, const struct cell *cell, uint64_t number)
{
	const struct table_options *options = values->options;
	const struct row row = row_of(values, cell, cell);
	const size_t column = options->layout == LAYOUT_EVENTS ? cell->event :
			      options->layout == LAYOUT_SOURCES ? cell->source : 0;

	if (filter_has(options->filter, KEY_SYMBOL) &&
	    !filter_fits(options->filter, KEY_SYMBOL, cell->value[KEY_SYMBOL]))
		return;
	table_add(values->table, &row, column, cell->count);
	if (values->table->callees)
		add_callees(values, cell, number);
}

static void add_notes(const struct values *values)
{
	struct strings *notes = &values->gathered->notes;

	if (values->unnamed && !values->needed[KEY_ADDRESS])
		strings_add(notes, xasprintf("%" PRIu64 " sample%s in files but in no known function: "
					     "--sort=address,file shows where",
					     values->unnamed, PLURAL(values->unnamed)));
	if (values->no_lines)
		strings_add(notes, xasprintf("no source lines of %zu file%s, such as %s: "
					     "debug information is missing (see pfmon-report(1))",
					     values->no_lines, PLURAL(values->no_lines),
					     values->no_lines_in));
}

void table_make(struct table *table, struct gathered *gathered,
		const struct table_options *options)
{
	struct values values = { .table = table, .gathered = gathered, .options = options };
	enum key key;
	size_t i;

	for (key = 0; key < KEYS; key++)
		values.needed[key] = keys_have(&options->keys, key) ||
				     filter_has(options->filter, key);
	table_begin(table, options, gathered);
	drop_unwanted(&values);
	find_all(&values);
	for (i = 0; i < gathered->ncells; i++)
		add_cell(&values, &gathered->cell[i], i + 1);
	table_sort(table);
	add_notes(&values);
}
