// SPDX-License-Identifier: GPL-2.0
/* From functions to their annotated lines: the choice of functions, and the files of their code. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/make.h"

/* A file of functions, open as long as functions are annotated. */
struct opened {
	const char	*file;
	struct symbols	*symbols;
};

struct making {
	struct annotations		*annotations;
	const struct annotate_options	*options;
	struct opened			*opened;
	size_t				n, room;
};

/* The file of this name: of several, the one that still exists. */
static struct symbols *open_file(struct making *making, const char *file, struct problem *why)
{
	const struct gathered *gathered = making->annotations->gathered;
	struct symbols *symbols = NULL;
	size_t i;

	for (i = 0; i < making->n; i++)
		if (making->opened[i].file == file)
			return making->opened[i].symbols;
	for (i = 0; i < gathered->nobjects && !symbols; i++)
		if (gathered->object[i].name == file)
			symbols = symbols_open(file, &gathered->object[i].id, why);
	if (!symbols)
		return NULL;
	GROW(making->opened, making->n, making->room);
	making->opened[making->n++] = (struct opened){ file, symbols };
	return symbols;
}

/* False, with the reason: the code of a function cannot be read anywhere. */
static bool has_code(const struct function *function, struct problem *why)
{
	const char *symbol = function->symbol, *file = function->file;
	uint64_t address;

	if (symbols_possible(file) && strcmp(symbol, "[unknown]"))
		return true;
	if (!function_address(function->row[0], &address))
		return problem(why, "%s was compiled at run time: its code was in memory only",
			       symbol);
	if (is_kernel_address(address))
		return problem(why, "%s is code of the kernel (%s), of which there is no image to read",
			       symbol, file);
	if (file[0] == '/') {
		problem(why, "%s is in no function that is known, so there is no code to show",
			file);
		return problem_hint(why, "`pfmon report --sort=address,file` shows where its samples are.");
	}
	return problem(why, "%s of %s is in no file: there is no code of it to read", symbol, file);
}

/* True if there is the text of at least one line. */
static bool has_text(struct annotations *annotations, const struct listing *listing)
{
	size_t i;

	for (i = 0; i < listing->n; i++)
		if (listing->line[i].file &&
		    sources_line(&annotations->sources, listing->line[i].file,
				 listing->line[i].number))
			return true;
	return false;
}

/* Add source lines to the instructions, as the options require. */
static void add_source(struct making *making, struct annotation *annotation)
{
	const struct annotate_options *options = making->options;
	struct annotations *annotations = making->annotations;
	struct listing source = { .n = 0 };

	if (!options->no_source && !listing_has_source(&annotation->listing))
		strings_add_once(&annotations->gathered->notes,
				 xasprintf("no source lines of %s: debug information is missing "
					   "(see pfmon-report(1))", annotation->function->file));
	if (!options->by_source) {
		annotation->source = !options->no_source && !options->report.json &&
				     !options->report.separator &&
				     has_text(annotations, &annotation->listing);
		return;
	}
	listing_of_source(&source, &annotation->listing);
	listing_free(&annotation->listing);
	annotation->listing = source;
	annotation->source = true;
}

static bool annotate(struct making *making, const struct function *function, struct problem *why)
{
	struct annotations *annotations = making->annotations;
	struct annotation annotation = {
		.function = function,
		.listing = { .nevents = annotations->view.table->ncolumns },
	};
	struct symbols *symbols;
	bool ok;

	if (!has_code(function, why))
		return false;
	symbols = open_file(making, function->file, why);
	ok = symbols && listing_of_code(&annotation.listing, function, symbols,
					&making->options->decoder, &annotations->gathered->names,
					why);
	if (!ok) {
		listing_free(&annotation.listing);
		return false;
	}
	add_source(making, &annotation);
	listing_choose(&annotation.listing, function->count, annotations->view.limit,
		       annotations->view.percent_limit);
	GROW(annotations->annotation, annotations->n, annotations->room);
	annotations->annotation[annotations->n++] = annotation;
	return true;
}

/* Add the files whose symbols are not available: the function may be in one of them. */
static bool add_reasons(const struct making *making, struct problem *why)
{
	const struct strings *notes = &making->annotations->gathered->notes;
	size_t i;

	for (i = 0; i < notes->n; i++)
		if (strstr(notes->text[i], "no symbols "))
			append(why->hint, sizeof(why->hint), " Note: %s.", notes->text[i]);
	return false;
}

/* Annotate the function with the most samples whose code is available. */
static bool annotate_hottest(struct making *making, const struct functions *functions,
			     struct problem *why)
{
	struct strings *notes = &making->annotations->gathered->notes;
	struct problem no_code;
	size_t i;

	for (i = 0; i < functions->n; i++) {
		if (!annotate(making, &functions->function[i], i ? &no_code : why))
			continue;
		making->annotations->choice = i ?
			"It has the most samples of those whose code can be read" :
			"It has the most samples";
		if (i)
			strings_add(notes, xasprintf("another function has more samples: %s",
						     why->what));
		return true;
	}
	if (functions->n)
		return add_reasons(making, why);
	return problem(why, making->annotations->view.filtered ?
		       "no sample of the recording is chosen" : "the recording has no samples");
}

static bool not_found(const struct making *making, struct problem *why)
{
	const struct strings *names = &making->options->functions.pattern[KEY_SYMBOL];

	problem(why, "no sample%s is in a function '%s'%s",
		making->annotations->view.filtered ? " that is chosen" : "", names->text[0],
		names->n > 1 ? " or the others that are named" : "");
	problem_hint(why, "`pfmon report` shows which functions have samples.");
	return add_reasons(making, why);
}

static bool annotate_named(struct making *making, const struct functions *functions,
			   struct problem *why)
{
	struct annotations *annotations = making->annotations;
	const struct function *function;
	struct problem no_code;
	size_t found = 0, i;

	for (i = 0; i < functions->n; i++) {
		function = &functions->function[i];
		if (!filter_fits(&making->options->functions, KEY_SYMBOL, function->symbol))
			continue;
		if (annotate(making, function, &no_code))
			found++;
		else if (found++ && annotations->n)
			strings_add(&annotations->gathered->notes, xstrdup(no_code.what));
		else
			*why = no_code;
	}
	return annotations->n || (found ? false : not_found(making, why));
}

/* The events that have samples: the columns of the others would be empty. */
static void find_events(struct annotations *annotations)
{
	const struct table *table = annotations->view.table;
	size_t i;

	annotations->event = xcalloc(table->ncolumns, sizeof(*annotations->event));
	for (i = 0; i < table->ncolumns; i++)
		if (table_total(table, 0, i))
			annotations->event[annotations->nevents++] = i;
}

bool annotations_make(struct annotations *annotations, const struct functions *functions,
		      const struct annotate_options *options, struct problem *why)
{
	struct making making = { .annotations = annotations, .options = options };
	bool ok;
	size_t i;

	annotations->by_source = options->by_source;
	find_events(annotations);
	if (filter_has(&options->functions, KEY_SYMBOL))
		ok = annotate_named(&making, functions, why);
	else
		ok = annotate_hottest(&making, functions, why);
	for (i = 0; i < making.n; i++)
		symbols_close(making.opened[i].symbols);
	free(making.opened);
	return ok;
}

const struct strings *annotations_notes(struct annotations *annotations)
{
	struct strings *notes = &annotations->gathered->notes;
	char *note = sources_note(&annotations->sources);

	if (note)
		strings_add(notes, note);
	return notes;
}

void annotations_free(struct annotations *annotations)
{
	size_t i;

	for (i = 0; i < annotations->n; i++)
		listing_free(&annotations->annotation[i].listing);
	free(annotations->annotation);
	free(annotations->event);
	sources_free(&annotations->sources);
}
