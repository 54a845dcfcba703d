// SPDX-License-Identifier: GPL-2.0
/*
 * pfmon report --branches: the branches that came with the samples, added up by source and target
 * instruction. Memory grows with the number of different branches, not of samples.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "data/load.h"
#include "data/locate.h"
#include "places/places.h"
#include "report/branches.h"
#include "report/print.h"
#include "report/show.h"

/* One end of a branch, as in struct hit. */
struct end {
	size_t		object;
	uint64_t	address;
};

struct edge {
	struct end	from, to;
	uint64_t	count;
};

struct edges {
	struct profile	profile;
	struct places	*places;
	void		*tree;
	struct edge	**edge;		/* the most frequent first, once all are there */
	size_t		n, room;
	uint64_t	count;		/* of all edges */
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_end(const struct end *a, const struct end *b)
{
	return compare(a->object, b->object) ?: compare(a->address, b->address);
}

static int by_ends(const void *one, const void *other)
{
	const struct edge *a = one, *b = other;

	return by_end(&a->from, &b->from) ?: by_end(&a->to, &b->to);
}

static int by_count(const void *one, const void *other)
{
	const struct edge *a = *(struct edge *const *)one, *b = *(struct edge *const *)other;

	return compare(b->count, a->count) ?: by_ends(a, b);
}

static struct end end_of(struct profile *profile, const struct sample *sample, uint64_t address)
{
	struct sample there = *sample;

	locate_address(profile, &there, address);
	return (struct end){ there.object, there.address };
}

static void add(struct edges *edges, const struct edge *wanted)
{
	struct edge **found = tsearch(wanted, &edges->tree, by_ends);

	if (!found) {
		complain("out of memory");
		exit(EXIT_PFMON);
	}
	if (*found == wanted) { /* it is new: copy it from the caller's stack */
		*found = xcalloc(1, sizeof(**found));
		**found = *wanted;
		GROW(edges->edge, edges->n, edges->room);
		edges->edge[edges->n++] = *found;
	}
	(*found)->count++;
	edges->count++;
}

static void take(void *data, const struct profile *profile, const struct sample *sample)
{
	struct edges *edges = data;
	struct edge edge = { .count = 0 };
	size_t i;

	(void)profile; /* it is edges->profile: to find a place sorts the data of a process */
	for (i = 0; i < sample->nbranches; i++) {
		edge.from = end_of(&edges->profile, sample, sample->branch[i].from);
		edge.to = end_of(&edges->profile, sample, sample->branch[i].to);
		add(edges, &edge);
	}
}

/* "symbol+0x12", and the file's name. To be freed. */
static char *name_of(struct edges *edges, const struct end *end, const char **file)
{
	const struct sample sample = { .object = end->object, .address = end->address };
	const struct place *place = places_find(edges->places, &sample);

	*file = place->file;
	if (place->known && place->object != OBJECT_JIT)
		return xasprintf("%s+0x%" PRIx64, place->symbol, place->distance);
	return xstrdup(place->symbol);
}

static void print_edge(FILE *out, struct edges *edges, const struct edge *edge,
		       const char *separator)
{
	const double percent = 100 * (double)edge->count / (double)edges->count;
	const char *from_file, *to_file;
	char *from = name_of(edges, &edge->from, &from_file);
	char *to = name_of(edges, &edge->to, &to_file);
	const char *text[] = { from, from_file, to, to_file };
	char count[40];
	size_t i;

	if (separator) {
		fprintf(out, "%" PRIu64 "%s%.2f", edge->count, separator, percent);
		for (i = 0; i < COUNT(text); i++) {
			fputs(separator, out);
			csv_text(out, text[i], separator);
		}
		fputc('\n', out);
	} else {
		fprintf(out, "%12s %7.2f%%  ", with_thousands(edge->count, count, sizeof(count)),
			percent);
		print_plain(out, from);
		fputs(" -> ", out);
		print_plain(out, to);
		fputs("  ", out);
		print_plain(out, from_file);
		if (strcmp(from_file, to_file)) {
			fputs(" -> ", out);
			print_plain(out, to_file);
		}
		fputc('\n', out);
	}
	free(from);
	free(to);
}

static bool print(struct edges *edges, const struct report_options *options, struct problem *why)
{
	const bool text = !options->separator;
	char count[40];
	size_t i;

	report_begin_output(options);
	if (text)
		printf("# branches: %s, the last ones before each sample\n#\n"
		       "#      count  percent  from -> to  file\n",
		       with_thousands(edges->count, count, sizeof(count)));
	for (i = 0; i < edges->n && (!options->limit || i < options->limit); i++)
		print_edge(stdout, edges, edges->edge[i], options->separator);
	if (text)
		print_notes(stdout, "# ", places_notes(edges->places));
	return report_end_output("the report", why);
}

static bool show(struct edges *edges, const struct report_options *options, const char *file,
		 struct problem *why)
{
	bool ok;

	if (!edges->profile.has_branches) {
		problem(why, "%s has no branches", file);
		return problem_hint(why, "pfmon record -b records them.");
	}
	edges->places = places_open(&edges->profile, !options->mangled);
	if (edges->n)
		qsort(edges->edge, edges->n, sizeof(*edges->edge), by_count);
	ok = print(edges, options, why);
	places_close(edges->places);
	return ok;
}

bool report_branches(const struct report_options *options, struct problem *why)
{
	const char *file = options->input.n ? options->input.text[0] : "pfmon.data";
	struct edges edges = { .n = 0 };
	const struct load_options load = { .visit = take, .data = &edges };
	bool ok = profile_load(&edges.profile, file, &load, why);

	if (ok) {
		ok = show(&edges, options, file, why);
		profile_free(&edges.profile);
	}
	/* Also those of a recording that is damaged further on. */
	tdestroy(edges.tree, free);
	free(edges.edge);
	return ok;
}
