// SPDX-License-Identifier: GPL-2.0
/*
 * The sampling options of pfmon 3 as those of `pfmon record`.
 *
 * A period was short or long: the long one followed a full buffer. If one of the two
 * was missing, it was equal to the other one. Events behind the last period were not sampled but
 * recorded with each sample.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <perfmon_default_smpl.h>
#include <stdlib.h>
#include <string.h>

#include "classic/events.h"
#include "classic/record.h"

/* False, with the reason: an option has no counterpart in pfmon record. */
static bool is_possible(const struct classic *classic, struct problem *why)
{
	if (!classic->long_periods && !classic->short_periods) {
		problem(why, "samples are asked for, but there is no period");
		return problem_hint(why, "Name it: --long-smpl-periods=N, a sample each N events.");
	}
	if (classic->interval_ms || classic->append) {
		problem(why, "%s is about counts, and samples are asked for",
			classic->interval_ms ? "--print-interval" : "--append");
		return problem_hint(why, "pfmon stat has it; pfmon record has not.");
	}
	return true;
}

/* The periods after a full buffer: those of the other list, or one for all events. */
static bool add_long_period(const struct classic *classic, struct strings *argv,
			    struct problem *why)
{
	const char *more = classic->long_periods, *less = classic->short_periods;

	if (!more || !less || !strcmp(more, less))
		return true;
	if (strchr(more, ',')) {
		problem(why, "--long-smpl-periods=%s: pfmon record has one long period for all events",
			more);
		return problem_hint(why, "Give the same periods as --short-smpl-periods, or one.");
	}
	strings_add(argv, xasprintf("--long-period=%s", more));
	return true;
}

/* MASK:SEED of each event; in pfmon record of all of them. */
static bool add_random(const char *random, struct strings *argv, struct problem *why)
{
	struct strings parts = { NULL, 0, 0 };
	bool same = true;
	size_t i;

	if (!random)
		return true;
	split_list(&parts, random);
	for (i = 1; i < parts.n; i++)
		same = same && !strcmp(parts.text[0], parts.text[i]);
	if (same)
		strings_add(argv, xasprintf("--random=%s", parts.text[0]));
	strings_free(&parts);
	return same || problem(why, "--smpl-periods-random=%s: pfmon record has one mask for all events",
			       random);
}

/* Room for @entries samples, with the @values values of each. */
static bool add_buffer(const char *entries, size_t values, struct strings *argv,
		       struct problem *why)
{
	const size_t size = sizeof(pfm_default_smpl_entry_t) + values * sizeof(uint64_t);
	uint64_t n;

	if (!entries)
		return true;
	if (!parse_u64(entries, &n) || !n || n > UINT32_MAX / size / 2)
		return problem(why, "--smpl-entries=%s: a number of samples is wanted", entries);
	strings_add(argv, xasprintf("--buffer=%" PRIu64, sizeof(pfm_default_smpl_hdr_t) + n * size));
	return true;
}

bool classic_sampling(const struct classic *classic, struct strings *argv, struct problem *why)
{
	const char *periods = classic->short_periods ? classic->short_periods :
						       classic->long_periods;
	struct strings sets = { NULL, 0, 0 }, names = { NULL, 0, 0 }, each = { NULL, 0, 0 };
	size_t i, sampled;
	bool ok;

	if (!is_possible(classic, why) || !classic_events(classic, &sets, why)) {
		strings_free(&sets);
		return false;
	}
	for (i = 0; i < sets.n; i++)
		split_list(&names, sets.text[i]);
	split_list(&each, periods);
	sampled = each.n;
	ok = sampled <= names.n ||
	     problem(why, "there are %zu periods for %zu event%s", sampled, names.n,
		     PLURAL(names.n));
	if (ok) {
		char *list = join_list(&names, 0, sampled);
		char *with = join_list(&names, sampled, names.n);

		strings_add(argv, xasprintf("--event=%s", list));
		strings_add(argv, xasprintf("--count=%s", periods));
		if (*with)
			strings_add(argv, xasprintf("--with=%s", with));
		free(list);
		free(with);
		ok = add_long_period(classic, argv, why) && add_random(classic->random, argv, why) &&
		     add_buffer(classic->entries, names.n - sampled, argv, why);
	}
	strings_free(&sets);
	strings_free(&names);
	strings_free(&each);
	return ok;
}
