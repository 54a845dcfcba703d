// SPDX-License-Identifier: GPL-2.0
/*
 * Annotated functions as text. Each run of instructions that belong to one line of the source
 * stands below that line, whose count is the sum of theirs; lines that are left out are counted.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/print.h"

#define MAX_BETWEEN	8	/* lines without code that are shown between two with code */
#define MAX_PLACE	24	/* columns of "file.c:12"; a longer one sticks out */

/* A function while it is printed. */
struct printing {
	FILE			*out;
	struct annotations	*annotations;
	const struct annotation	*annotation;
	int			place_width, address_width;
	bool			skipped;	/* lines were skipped since the last one */
	const char		*file;		/* of the last line of the source ... */
	unsigned int		number;		/* ... and its number */
};

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static void find_widths(struct printing *printing)
{
	const struct listing *listing = &printing->annotation->listing;
	char text[32];
	size_t i;
	int width;

	for (i = 0; i < listing->n; i++) {
		const struct line *line = &listing->line[i];

		width = snprintf(text, sizeof(text), "%" PRIx64, line->address);
		if (width > printing->address_width)
			printing->address_width = width;
		if (!line->file)
			continue;
		width = snprintf(NULL, 0, "%s:%u", base_name(line->file), line->number);
		if (width > printing->place_width)
			printing->place_width = width < MAX_PLACE ? width : MAX_PLACE;
	}
}

/* Without a sample the columns are empty, so that the lines with samples stand out. */
static void print_counts(const struct printing *printing, const uint64_t *count)
{
	const struct annotations *annotations = printing->annotations;
	const uint64_t *total = printing->annotation->function->count;
	char text[40];
	size_t i, e;

	for (i = 0; i < annotations->nevents; i++) {
		e = annotations->event[i];
		fputs(i ? "  " : "", printing->out);
		if (!count || !count[e]) {
			fprintf(printing->out, "%21s", "");
			continue;
		}
		fprintf(printing->out, "%12s", with_thousands(count[e], text, sizeof(text)));
		print_percent(printing->out, &annotations->view, percent_of(count[e], total[e]));
	}
}

/* A line of the source with this known text. */
static void print_source(const struct printing *printing, const uint64_t *count,
			 const char *file, unsigned int number, const char *text)
{
	const bool colour = printing->annotations->view.colour;
	char *place = file ? xasprintf("%s:%u", base_name(file), number) : xstrdup("[unknown]");
	size_t width;

	print_counts(printing, count);
	fputs(colour ? "  \033[36m" : "  ", printing->out);
	width = print_plain(printing->out, place);
	free(place);
	if (*text) {
		fprintf(printing->out, "%*s  ", width < (size_t)printing->place_width ?
			printing->place_width - (int)width : 0, "");
		print_plain(printing->out, text);
	}
	fputs(colour ? "\033[m\n" : "\n", printing->out);
}

/* Lines between the last one and this one have no code, or are shown elsewhere. */
static void print_between(const struct printing *printing, const struct line *line)
{
	struct sources *sources = &printing->annotations->sources;
	unsigned int number = printing->number;

	if (printing->skipped || printing->file != line->file || line->number <= number ||
	    line->number - number > MAX_BETWEEN)
		return;
	while (++number < line->number)
		print_source(printing, NULL, line->file, number,
			     sources_line(sources, line->file, number) ?: "");
}

static void print_line_of_source(struct printing *printing, const struct line *line,
				 const uint64_t *count)
{
	const char *text = line->file ? sources_line(&printing->annotations->sources, line->file,
						     line->number) : NULL;

	if (text)
		print_between(printing, line);
	print_source(printing, count, line->file, line->number, text ?: "");
	printing->file = line->file;
	printing->number = line->number;
}

static void print_instruction(const struct printing *printing, size_t i)
{
	const struct listing *listing = &printing->annotation->listing;

	print_counts(printing, listing_count(listing, i));
	fprintf(printing->out, "  %*s%*" PRIx64 ":  ",
		printing->annotation->source ? 8 : 0, "", printing->address_width,
		listing->line[i].address);
	print_plain(printing->out, listing->line[i].text);
	fputc('\n', printing->out);
}

/* The end of the lines that belong to the same line of the source. */
static size_t end_of_run(const struct annotation *annotation, size_t from)
{
	const struct line *line = annotation->listing.line;
	size_t to = from + 1;

	if (!annotation->source)
		return annotation->listing.n;
	while (to < annotation->listing.n && line[to].file == line[from].file &&
	       line[to].number == line[from].number)
		to++;
	return to;
}

static void print_skipped(struct printing *printing)
{
	if (!printing->skipped)
		return;
	print_counts(printing, NULL);
	fputs("  ...\n", printing->out);
	printing->skipped = false;
}

static bool is_shown(const struct listing *listing, size_t from, size_t to)
{
	for (; from < to; from++)
		if (listing->line[from].shown)
			return true;
	return false;
}

static void print_run(struct printing *printing, size_t from, size_t to)
{
	const struct listing *listing = &printing->annotation->listing;
	uint64_t *count = xcalloc(listing->nevents, sizeof(*count));
	size_t i, e;

	for (i = from; i < to; i++)
		for (e = 0; e < listing->nevents; e++)
			count[e] += listing_count(listing, i)[e];
	if (printing->annotation->source) {
		print_skipped(printing);
		print_line_of_source(printing, &listing->line[from], count);
	}
	for (i = from; i < to; i++) {
		if (!listing->line[i].text)
			continue;
		if (listing->line[i].shown) {
			print_skipped(printing);
			print_instruction(printing, i);
		} else {
			printing->skipped = true;
		}
	}
	free(count);
}

static void print_columns(const struct printing *printing)
{
	const struct annotations *annotations = printing->annotations;
	FILE *out = printing->out;
	size_t i;

	fputs("#\n#", out);
	if (annotations->nevents > 1) {
		for (i = 0; i < annotations->nevents; i++)
			fprintf(out, "%s%*.*s", i ? "  " : "", i ? 21 : 20, 20,
				annotations->view.gathered->event[annotations->event[i]].name);
		fputs("\n#", out);
	}
	for (i = 0; i < annotations->nevents; i++)
		fprintf(out, "%*s %8s", i ? 14 : 11, "samples", "percent");
	fputs(annotations->by_source ? "  line\n" : "  address: instruction\n", out);
}

static void print_title(const struct printing *printing)
{
	const struct annotations *annotations = printing->annotations;
	const struct function *function = printing->annotation->function;
	FILE *out = printing->out;
	char text[40];
	size_t i, e;

	fputs("#\n# function: ", out);
	print_plain(out, function->symbol);
	fputs(" of ", out);
	print_plain(out, function->file);
	for (i = 0; i < annotations->nevents; i++) {
		e = annotations->event[i];
		fprintf(out, "\n# %s sample%s of ",
			with_thousands(function->count[e], text, sizeof(text)),
			PLURAL(function->count[e]));
		print_plain(out, annotations->view.gathered->event[e].name);
		fprintf(out, ", %.2f%% of %s",
			percent_of(function->count[e], table_total(annotations->view.table, 0, e)),
			annotations->view.filtered ? "those chosen" : "all");
	}
	fputc('\n', out);
	if (annotations->choice)
		fprintf(out, "# %s; `pfmon annotate NAME` shows another function.\n",
			annotations->choice);
}

static void print_annotation(FILE *out, struct annotations *annotations,
			     const struct annotation *annotation)
{
	struct printing printing = {
		.out = out, .annotations = annotations, .annotation = annotation,
	};
	const struct listing *listing = &annotation->listing;
	size_t from, to;

	find_widths(&printing);
	print_title(&printing);
	print_columns(&printing);
	for (from = 0; from < listing->n; from = to) {
		to = end_of_run(annotation, from);
		if (is_shown(listing, from, to))
			print_run(&printing, from, to);
		else
			printing.skipped = true;
	}
	print_skipped(&printing);
}

void annotations_text(FILE *out, struct annotations *annotations)
{
	size_t i;

	print_heading(out, &annotations->view);
	for (i = 0; i < annotations->nevents; i++)
		print_event(out, &annotations->view, annotations->event[i]);
	for (i = 0; i < annotations->n; i++) {
		if (i)
			fputc('\n', out);
		print_annotation(out, annotations, &annotations->annotation[i]);
	}
	print_notes(out, "# Note: ", annotations_notes(annotations));
}
