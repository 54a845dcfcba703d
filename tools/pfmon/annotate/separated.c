// SPDX-License-Identifier: GPL-2.0
/* Annotated functions as lines of fields. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "annotate/print.h"
#include "csv.h"

static void field(FILE *out, char *text, const char *separator)
{
	fputs(separator, out);
	csv_text(out, text, separator);
	free(text);
}

static void print_line(FILE *out, struct annotations *annotations,
		       const struct annotation *annotation, size_t i, const char *separator)
{
	const struct function *function = annotation->function;
	const struct line *line = &annotation->listing.line[i];
	const uint64_t *count = listing_count(&annotation->listing, i);
	size_t k, e;

	for (k = 0; k < annotations->nevents; k++) {
		e = annotations->event[k];
		fprintf(out, "%s%" PRIu64 "%s%.2f", k ? separator : "", count[e], separator,
			percent_of(count[e], function->count[e]));
	}
	field(out, xstrdup(function->symbol), separator);
	field(out, xstrdup(function->file), separator);
	field(out, line->file ? xasprintf("%s:%u", line->file, line->number) :
	      xstrdup("[unknown]"), separator);
	if (line->text) {
		field(out, xasprintf("%#" PRIx64, line->address), separator);
		field(out, xstrdup(line->text), separator);
	} else {
		field(out, xstrdup(line->file ? sources_line(&annotations->sources, line->file,
							     line->number) ?: "" : ""), separator);
	}
	fputc('\n', out);
}

void annotations_separated(FILE *out, struct annotations *annotations, const char *separator)
{
	const struct gathered *gathered = annotations->view.gathered;
	const struct annotation *annotation;
	size_t i, k;

	for (i = 0; i < annotations->n; i++) {
		annotation = &annotations->annotation[i];
		for (k = 0; k < annotation->listing.n; k++)
			if (annotation->listing.line[k].shown)
				print_line(out, annotations, annotation, k, separator);
	}
	for (i = 0; i < annotations->nevents; i++) {
		fputs("# event: ", out);
		print_plain(out, gathered->event[annotations->event[i]].name);
		fputc('\n', out);
	}
	print_notes(out, "# ", annotations_notes(annotations));
}
