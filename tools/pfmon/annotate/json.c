// SPDX-License-Identifier: GPL-2.0
/* Annotated functions as an object of JSON. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>

#include "annotate/print.h"
#include "json.h"

#define FORMAT_VERSION	1

/* In the order of the events: the count, and its part of all. */
static void json_counts(struct json *json, const struct annotations *annotations,
			const uint64_t *count, const uint64_t *all)
{
	size_t i;

	json_array(json, "samples");
	for (i = 0; i < annotations->nevents; i++)
		json_u64(json, NULL, count[annotations->event[i]]);
	json_end(json);
	json_array(json, "percent");
	for (i = 0; i < annotations->nevents; i++)
		json_double(json, NULL, percent_of(count[annotations->event[i]],
						   all[annotations->event[i]]), 4);
	json_end(json);
}

static void json_line(struct json *json, struct annotations *annotations,
		      const struct annotation *annotation, size_t i)
{
	const struct line *line = &annotation->listing.line[i];
	const char *text;
	char address[24];

	json_object(json, NULL);
	json_counts(json, annotations, listing_count(&annotation->listing, i),
		    annotation->function->count);
	if (line->file) {
		json_string(json, "source", line->file);
		json_u64(json, "line", line->number);
	} else {
		json_null(json, "source");
		json_null(json, "line");
	}
	if (line->text) {
		snprintf(address, sizeof(address), "%#" PRIx64, line->address);
		json_string(json, "address", address);
		json_string(json, "instruction", line->text);
	} else {
		text = line->file ? sources_line(&annotations->sources, line->file, line->number) :
				    NULL;
		if (text)
			json_string(json, "text", text);
		else
			json_null(json, "text");
	}
	json_end(json);
}

static void json_function(struct json *json, struct annotations *annotations,
			  const struct annotation *annotation)
{
	size_t i;

	json_object(json, NULL);
	json_string(json, "symbol", annotation->function->symbol);
	json_string(json, "file", annotation->function->file);
	json_counts(json, annotations, annotation->function->count,
		    annotations->view.table->total);
	json_array(json, "lines");
	for (i = 0; i < annotation->listing.n; i++)
		if (annotation->listing.line[i].shown)
			json_line(json, annotations, annotation, i);
	json_end(json);
	json_end(json);
}

void annotations_json(FILE *out, struct annotations *annotations)
{
	const struct gathered *gathered = annotations->view.gathered;
	struct json json = { .out = out };
	size_t i;

	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	json_array(&json, "events");
	for (i = 0; i < annotations->nevents; i++) {
		json_object(&json, NULL);
		json_string(&json, "event", gathered->event[annotations->event[i]].name);
		json_u64(&json, "samples", gathered->event[annotations->event[i]].samples);
		json_u64(&json, "chosen", view_chosen(&annotations->view, annotations->event[i]));
		json_end(&json);
	}
	json_end(&json);
	json_array(&json, "functions");
	for (i = 0; i < annotations->n; i++)
		json_function(&json, annotations, &annotations->annotation[i]);
	json_end(&json);
	json_strings(&json, "notes", annotations_notes(annotations));
	json_end(&json);
}
