// SPDX-License-Identifier: GPL-2.0
/*
 * pfmon report --branches: the branches that came with the samples of one or more recordings, added
 * up by source and target. Memory grows with the number of different branches, not of samples.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "data/load.h"
#include "data/locate.h"
#include "places/places.h"
#include "report/branch_table.h"
#include "report/branches.h"
#include "report/chosen.h"
#include "report/show.h"

/* One end of a branch, as in struct hit. */
struct end {
	size_t		object;
	uint64_t	address;
};

struct edge {
	struct end	from, to;
	struct turns	turns;
};

/* The branches of the recording that is added now. */
struct edges {
	struct profile	profile;
	const struct filter *filter;
	void		*tree;
	uint64_t	all;		/* with those of samples that do not fit the filter */
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

static int by_name(const struct name *a, const struct name *b)
{
	return strcmp(a->place, b->place) ?: strcmp(a->file, b->file);
}

static int by_names(const void *one, const void *other)
{
	const struct named_branch *a = one, *b = other;

	return by_name(&a->from, &b->from) ?: by_name(&a->to, &b->to);
}

static int by_count(const void *one, const void *other)
{
	const struct named_branch *a = *(struct named_branch *const *)one;
	const struct named_branch *b = *(struct named_branch *const *)other;

	return compare(b->turns.count, a->turns.count) ?: by_names(a, b);
}

/* The equal node; if there was none, a copy of @wanted, of @size bytes: then *@is_new. */
static void *find_or_add(void **tree, const void *wanted, size_t size, bool *is_new,
			 int (*order)(const void *one, const void *other))
{
	void **found = tsearch(wanted, tree, order);

	if (!found) {
		complain("out of memory");
		exit(EXIT_PFMON);
	}
	*is_new = *found == wanted;
	if (*is_new) {
		*found = xcalloc(1, size);
		memcpy(*found, wanted, size);
	}
	return *found;
}

static struct end end_of(struct profile *profile, const struct sample *sample, uint64_t address)
{
	struct sample there = *sample;

	locate_address(profile, &there, address);
	return (struct end){ there.object, there.address };
}

static void count_branch(struct turns *turns, const struct profile_branch_detail *detail)
{
	turns->count++;
	turns->predicted += !!(detail->flags & PROFILE_BRANCH_PREDICTED);
	turns->mispredicted += !!(detail->flags & PROFILE_BRANCH_MISPREDICTED);
	if (detail->flags & PROFILE_BRANCH_CYCLES) {
		turns->timed++;
		turns->cycles += detail->cycles;
	}
}

static void add_turns(struct turns *sum, const struct turns *turns)
{
	sum->count += turns->count;
	sum->predicted += turns->predicted;
	sum->mispredicted += turns->mispredicted;
	sum->timed += turns->timed;
	sum->cycles += turns->cycles;
}

static void take(void *data, const struct profile *profile, const struct sample *sample)
{
	struct edges *edges = data;
	struct edge edge = { .turns.count = 0 }, *there;
	bool is_new;
	size_t i;

	edges->all += sample->nbranches;
	if (!sample_is_chosen(edges->filter, profile, sample))
		return;
	for (i = 0; i < sample->nbranches; i++) {
		/* Not by @profile: to find a place sorts the data of a process. */
		edge.from = end_of(&edges->profile, sample, sample->branch[i].from);
		edge.to = end_of(&edges->profile, sample, sample->branch[i].to);
		there = find_or_add(&edges->tree, &edge, sizeof(edge), &is_new, by_ends);
		count_branch(&there->turns, &sample->branch[i].detail);
	}
}

/* For name_edge(): the names of a recording's branches are looked up at its end, each once. */
struct naming {
	struct branches	*branches;
	struct places	*places;
};

static struct name name_of(struct naming *naming, const struct end *end, bool *fits)
{
	const struct place *place = places_at(naming->places, end->object, end->address);
	const struct filter *filter = &naming->branches->options->filter;
	struct names *names = &naming->branches->names;
	struct name name = { .file = names_keep(names, place->file) };
	char *text;

	*fits = (!filter_has(filter, KEY_SYMBOL) ||
		 filter_fits(filter, KEY_SYMBOL, place->symbol)) &&
		(!filter_has(filter, KEY_FILE) || filter_fits(filter, KEY_FILE, place->file));
	if (place->object == OBJECT_JIT)
		text = xstrdup(place->symbol);
	else if (place->known)
		text = xasprintf("%s+0x%" PRIx64, place->symbol, place->distance);
	else
		text = xasprintf("[0x%" PRIx64 "]", place->address);
	name.place = names_keep(names, text);
	free(text);
	return name;
}

/* The filters by name choose a branch by either of its ends. */
static void name_edge(const void *node, VISIT visit, void *data)
{
	const struct edge *edge = *(struct edge *const *)node;
	struct naming *naming = data;
	struct branches *branches = naming->branches;
	struct named_branch branch = { .turns.count = 0 }, *there;
	bool fits[2], is_new;

	if (visit != postorder && visit != leaf)
		return;
	branch.from = name_of(naming, &edge->from, &fits[0]);
	branch.to = name_of(naming, &edge->to, &fits[1]);
	if (!fits[0] && !fits[1])
		return;
	there = find_or_add(&branches->tree, &branch, sizeof(branch), &is_new, by_names);
	if (is_new) {
		GROW(branches->branch, branches->n, branches->room);
		branches->branch[branches->n++] = there;
	}
	add_turns(&there->turns, &edge->turns);
	branches->chosen += edge->turns.count;
	branches->detailed |= edge->turns.predicted || edge->turns.mispredicted || edge->turns.timed;
}

static void add_edges(struct branches *branches, struct edges *edges, const char *file)
{
	struct naming naming = { branches, places_open(&edges->profile, !branches->options->mangled) };

	twalk_r(edges->tree, name_edge, &naming);
	branches->all += edges->all;
	report_add_notes(branches->options, &branches->notes, file, &edges->profile.notes);
	report_add_notes(branches->options, &branches->notes, file, places_notes(naming.places));
	places_close(naming.places);
}

static bool add_recording(void *data, const char *file, struct problem *why)
{
	struct branches *branches = data;
	const struct report_options *options = branches->options;
	struct edges edges = { .filter = &options->filter };
	struct load_options load = { .visit = take, .data = &edges };
	bool ok = profile_choose_time(file, options->from, options->to, &load, why) &&
		  profile_load(&edges.profile, file, &load, why);

	if (ok) {
		ok = edges.profile.has_branches;
		if (ok) {
			add_edges(branches, &edges, file);
		} else {
			problem(why, "%s has no branches", file);
			problem_hint(why, "pfmon record -b records them.");
		}
		profile_free(&edges.profile);
	}
	/* Also those of a recording that is damaged further on. */
	tdestroy(edges.tree, free);
	return ok;
}

bool report_branches(const struct report_options *options, struct problem *why)
{
	struct branches branches = { .options = options };
	bool ok = report_each_input(options, &branches, add_recording, why);

	if (ok && branches.n)
		qsort(branches.branch, branches.n, sizeof(*branches.branch), by_count);
	ok = ok && branch_table_print(&branches, why);
	tdestroy(branches.tree, free);
	free(branches.branch);
	names_free(&branches.names);
	strings_free(&branches.notes);
	return ok;
}
