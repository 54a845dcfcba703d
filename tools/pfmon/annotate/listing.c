// SPDX-License-Identifier: GPL-2.0
/* The lines of a function, of its code or of its source, with the samples of each. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "annotate/listing.h"
#include "names.h"

/* Data to make lines of code. */
struct making {
	struct listing			*listing;
	struct symbols			*symbols;
	const struct decoder_options	*options;
	struct names			*names;
	struct decoder			*decoder;	/* once there was code */
};

static void find_source(struct making *making, struct line *line)
{
	uint64_t offset;
	const char *file;

	if (symbols_offset(making->symbols, line->address, &offset) &&
	    symbols_line(making->symbols, offset, &file, &line->number))
		line->file = names_keep(making->names, file);
}

static void add_code(struct making *making, const struct symbols_code *code)
{
	struct listing *listing = making->listing;
	struct line line;
	uint64_t at;
	size_t size;

	for (at = code->start; at < code->end; at += size) {
		line = (struct line){ .address = at };
		line.text = decoder_instruction(making->decoder, code, at, &size);
		find_source(making, &line);
		GROW(listing->line, listing->n, listing->room);
		listing->line[listing->n++] = line;
	}
}

/* The pieces that the samples are in, in the order of their addresses. */
static bool add_pieces(struct making *making, const struct function *function,
		       struct problem *why)
{
	struct symbols_code code = { .end = 0 };
	uint64_t address;
	size_t i;

	for (i = 0; i < function->nrows; i++) {
		if (!function_address(function->row[i], &address))
			return problem(why, "the samples of %s have no address", function->symbol);
		if (i && address < code.end)
			continue;
		if (!symbols_code(making->symbols, address, &code, why))
			return false;
		if (!making->decoder)
			making->decoder = decoder_open(making->symbols, &code, making->options,
						       why);
		if (!making->decoder)
			return false;
		add_code(making, &code);
	}
	return true;
}

/* The instruction that an address belongs to: the last one that begins there or before it. */
static size_t line_at(const struct listing *listing, uint64_t address)
{
	size_t low = 1, high = listing->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (listing->line[middle].address > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low - 1;
}

static void count_samples(struct listing *listing, const struct function *function)
{
	uint64_t address = 0, *count;
	size_t i, e;

	listing->count = xcalloc(listing->n * listing->nevents, sizeof(*listing->count));
	for (i = 0; i < function->nrows; i++) {
		function_address(function->row[i], &address);
		count = listing->count + line_at(listing, address) * listing->nevents;
		for (e = 0; e < listing->nevents; e++)
			count[e] += function->row[i]->count[e];
	}
}

bool listing_of_code(struct listing *listing, const struct function *function,
		     struct symbols *symbols, const struct decoder_options *options,
		     struct names *names, struct problem *why)
{
	struct making making = {
		.listing = listing, .symbols = symbols, .options = options, .names = names,
	};
	const bool ok = add_pieces(&making, function, why);

	decoder_close(making.decoder);
	if (ok)
		count_samples(listing, function);
	return ok;
}

static int by_source(const void *one, const void *other, void *data)
{
	const struct listing *code = data;
	const struct line *a = &code->line[*(const size_t *)one];
	const struct line *b = &code->line[*(const size_t *)other];

	if (a->file != b->file)
		return !a->file ? 1 : !b->file ? -1 : strcmp(a->file, b->file);
	return (a->number > b->number) - (a->number < b->number);
}

void listing_of_source(struct listing *source, const struct listing *code)
{
	size_t *order = xcalloc(code->n, sizeof(*order)), i, e;
	uint64_t *count;

	for (i = 0; i < code->n; i++)
		order[i] = i;
	if (code->n)
		qsort_r(order, code->n, sizeof(*order), by_source, (void *)code);
	source->nevents = code->nevents;
	source->count = xcalloc(code->n * code->nevents, sizeof(*source->count));
	for (i = 0; i < code->n; i++) {
		const struct line *from = &code->line[order[i]];

		if (!i || by_source(&order[i - 1], &order[i], (void *)code)) {
			GROW(source->line, source->n, source->room);
			source->line[source->n++] = (struct line){ .file = from->file,
								   .number = from->number };
		}
		count = source->count + (source->n - 1) * source->nevents;
		for (e = 0; e < source->nevents; e++)
			count[e] += listing_count(code, order[i])[e];
	}
	free(order);
}

bool listing_has_source(const struct listing *listing)
{
	size_t i;

	for (i = 0; i < listing->n; i++)
		if (listing->line[i].file)
			return true;
	return false;
}

static bool is_large(const struct listing *listing, size_t i, const uint64_t *total,
		     double percent)
{
	size_t e;

	for (e = 0; e < listing->nevents; e++)
		if (100 * (double)listing_count(listing, i)[e] >= percent * (double)total[e] &&
		    total[e])
			return true;
	return false;
}

static bool is_hot(const struct listing *listing, size_t i)
{
	size_t e;

	for (e = 0; e < listing->nevents; e++)
		if (listing_count(listing, i)[e])
			return true;
	return false;
}

static int by_samples(const void *one, const void *other, void *data)
{
	const size_t a = *(const size_t *)one, b = *(const size_t *)other;
	const struct listing *listing = data;
	const uint64_t *count = listing_count(listing, a);
	const uint64_t *other_count = listing_count(listing, b);
	size_t e;

	for (e = 0; e < listing->nevents; e++)
		if (count[e] != other_count[e])
			return count[e] < other_count[e] ? 1 : -1;
	return (a > b) - (a < b);
}

void listing_choose(struct listing *listing, const uint64_t *total, uint64_t limit,
		    double percent_limit)
{
	size_t *order = xcalloc(listing->n, sizeof(*order)), i;
	bool wanted;

	for (i = 0; i < listing->n; i++)
		order[i] = i;
	if (limit && listing->n)
		qsort_r(order, listing->n, sizeof(*order), by_samples, listing);
	for (i = 0; i < listing->n; i++) {
		wanted = !limit || (i < limit && is_hot(listing, order[i]));
		listing->line[order[i]].shown = wanted && is_large(listing, order[i], total,
								   percent_limit);
	}
	free(order);
}

void listing_free(struct listing *listing)
{
	size_t i;

	for (i = 0; i < listing->n; i++)
		free(listing->line[i].text);
	free(listing->line);
	free(listing->count);
	memset(listing, 0, sizeof(*listing));
}
