// SPDX-License-Identifier: GPL-2.0
/* A table of samples as an object of JSON. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "json.h"
#include "report/print.h"

#define FORMAT_VERSION	2

static void json_lost(struct json *json, const struct view *view)
{
	struct ledger ledger;

	if (!view_ledger(view, &ledger)) {
		json_null(json, "lost");
		return;
	}
	json_object(json, "lost");
	json_u64(json, "all", ledger_lost(&ledger));
	json_u64(json, "buffer_full", ledger.full);
	json_u64(json, "throttled", ledger.throttled);
	json_u64(json, "late", ledger.late);
	json_u64(json, "errors", ledger.error);
	json_u64(json, "without_room", ledger.unplaced);
	json_double(json, "masked_seconds", (double)ledger.masked_ns * 1e-9, 9);
	json_double(json, "suspended_seconds", (double)ledger.suspended_ns * 1e-9, 9);
	json_end(json);
}

static void json_sources(struct json *json, const struct view *view)
{
	size_t i;

	json_array(json, "recordings");
	for (i = 0; i < view->gathered->nsources; i++) {
		const struct source *source = &view->gathered->source[i];

		json_object(json, NULL);
		json_string(json, "recording", source->input);
		json_strings(json, "command", &source->command);
		if (*source->host)
			json_string(json, "host", source->host);
		else
			json_null(json, "host");
		json_double(json, "started", (double)source->started * 1e-9, 3);
		json_double(json, "elapsed_seconds", (double)source->duration * 1e-9, 9);
		json_bool(json, "finished", source->finished);
		json_bool(json, "interrupted", source->interrupted);
		json_int(json, "status", source->status);
		json_end(json);
	}
	json_end(json);
	json_lost(json, view);
}

static void json_keys(struct json *json, const struct table *table, const struct row *row)
{
	size_t i;

	for (i = 0; i < table->keys.n; i++) {
		const enum key key = table->keys.key[i];

		if (key_is_number(key))
			json_int(json, key_name(key), atoll(row->value[i]));
		else
			json_string(json, key_name(key), row->value[i]);
	}
}

static void json_side(struct json *json, const struct table *table, const struct row *row,
		      size_t column, const char *name)
{
	json_object(json, name);
	json_u64(json, "samples", row->count[column]);
	json_double(json, "percent", table_percent(table, row, column), 4);
	json_end(json);
}

/* One value, or, where events are columns, an array in the order of the events. */
static void json_counts(struct json *json, const struct table *table, const struct row *row)
{
	size_t i;

	if (table->layout == LAYOUT_SOURCES) {
		json_side(json, table, row, 0, "before");
		json_side(json, table, row, 1, "after");
		json_double(json, "difference", table_difference(table, row), 4);
		return;
	}
	if (table->layout != LAYOUT_EVENTS) {
		json_u64(json, "samples", row->count[0]);
		json_double(json, "percent", table_percent(table, row, 0), 4);
		if (table->callees) {
			json_u64(json, "with_callees", row->callees);
			json_double(json, "with_callees_percent",
				    table_callees_percent(table, row), 4);
		}
		return;
	}
	json_array(json, "samples");
	for (i = 0; i < table->ncolumns; i++)
		json_u64(json, NULL, row->count[i]);
	json_end(json);
	json_array(json, "percent");
	for (i = 0; i < table->ncolumns; i++)
		json_double(json, NULL, table_percent(table, row, i), 4);
	json_end(json);
}

static void json_lines(struct json *json, const struct view *view, size_t section)
{
	const struct row **rows;
	size_t n, i;

	rows = view_rows(view, section, &n);
	json_array(json, "lines");
	for (i = 0; i < n; i++) {
		json_object(json, NULL);
		json_counts(json, view->table, rows[i]);
		json_keys(json, view->table, rows[i]);
		json_end(json);
	}
	json_end(json);
	free(rows);
}

static void json_event(struct json *json, const struct view *view, size_t number)
{
	const struct gathered_event *event = &view->gathered->event[number];

	json_object(json, NULL);
	json_string(json, "event", event->name);
	json_string(json, "encoded", event->full);
	json_u64(json, "pmd", event->pmd);
	json_u64(json, "set", event->set);
	json_u64(json, "period", event->period);
	json_u64(json, "random_mask", event->random_mask);
	json_u64(json, "hz", event->hz);
	json_u64(json, "samples", event->samples);
	json_u64(json, "occurrences", event->occurrences);
	json_u64(json, "chosen", view_chosen(view, number));
	if (view->table->layout != LAYOUT_MIXED && view->table->layout != LAYOUT_EVENTS)
		json_lines(json, view, number);
	json_end(json);
}

void print_json(FILE *out, const struct view *view)
{
	const enum layout layout = view->table->layout;
	struct json json = { .out = out };
	size_t i;

	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	json_sources(&json, view);
	json_array(&json, "events");
	for (i = 0; i < view->gathered->nevents; i++)
		json_event(&json, view, i);
	json_end(&json);
	if (layout == LAYOUT_MIXED || layout == LAYOUT_EVENTS)
		json_lines(&json, view, 0);
	json_strings(&json, "notes", &view->gathered->notes);
	json_end(&json);
}
