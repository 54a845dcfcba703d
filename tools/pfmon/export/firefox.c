// SPDX-License-Identifier: GPL-2.0
/*
 * The Gecko profile format, which profiler.firefox.com and speedscope read: a track for each
 * thread, with its samples over time. Version 24, symbols included, as the Firefox profiler
 * itself makes it from the output of `perf script`.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "export/export.h"
#include "export/numbers.h"
#include "json.h"
#include "places/steps.h"

#define GECKO_VERSION	24

enum { CATEGORY_USER, CATEGORY_KERNEL };

/* Samples by thread: those of thread t from first[t] on, in the order of time. */
struct tracks {
	struct numbers	threads;	/* pid, tid, name */
	size_t		*first;		/* and one behind the last */
	size_t		*sample;
};

static size_t find_track(struct tracks *tracks, struct export *export, const struct sample *sample)
{
	struct number_key key = { { (uint32_t)sample->pid, (uint32_t)sample->tid,
				    number_of_name(places_comm(export->places, sample)) } };

	return numbers_find(&tracks->threads, &key);
}

static void sort_into_tracks(struct tracks *tracks, struct export *export)
{
	const struct ordered *ordered = export->ordered;
	size_t *track = xcalloc(ordered->n, sizeof(*track)), *next, i;

	for (i = 0; i < ordered->n; i++)
		track[i] = find_track(tracks, export, &ordered->sample[i]);
	tracks->first = xcalloc(tracks->threads.n + 1, sizeof(*tracks->first));
	tracks->sample = xcalloc(ordered->n, sizeof(*tracks->sample));
	next = xcalloc(tracks->threads.n + 1, sizeof(*next));
	for (i = 0; i < ordered->n; i++)
		tracks->first[track[i] + 1]++;
	for (i = 0; i < tracks->threads.n; i++) {
		tracks->first[i + 1] += tracks->first[i];
		next[i] = tracks->first[i];
	}
	for (i = 0; i < ordered->n; i++)
		tracks->sample[next[track[i]]++] = i;
	free(next);
	free(track);
}

/* The place of each value in a row. */
static void write_schema(struct json *json, const char *const *name, size_t n)
{
	size_t i;

	json_object(json, "schema");
	for (i = 0; i < n; i++)
		json_u64(json, name[i], i);
	json_end(json);
}

static double milliseconds(const struct export *export, const struct sample *sample)
{
	return (double)(sample->time - export->ordered->sample[0].time) * 1e-6;
}

/* The frames and stacks of a thread's samples. */
struct tables {
	struct numbers	frames;		/* symbol, file, category */
	struct numbers	stacks;		/* number of the callers' stack from 1 on, or 0; frame */
	struct steps	steps;
};

static size_t find_stack(struct tables *tables, struct export *export, const struct sample *sample)
{
	size_t number = 0, i;

	tables->steps.n = 0;
	steps_add_functions(&tables->steps, export->places, &export->ordered->profile, sample,
			   STEPS_OUTERMOST_FIRST);
	for (i = 0; i < tables->steps.n; i++) {
		const struct step *step = &tables->steps.step[i];
		struct number_key key = {
			{ number_of_name(step->name), number_of_name(step->file),
			  step->kernel ? CATEGORY_KERNEL : CATEGORY_USER }
		};
		struct number_key stack = { { number, numbers_find(&tables->frames, &key) } };

		number = numbers_find(&tables->stacks, &stack) + 1;
	}
	return number - 1;
}

static void write_samples(struct json *json, struct export *export, const struct tracks *tracks,
			  size_t track, struct tables *tables)
{
	static const char *const schema[] = { "stack", "time", "responsiveness" };
	const struct sample *sample;
	size_t i;

	json_object(json, "samples");
	write_schema(json, schema, COUNT(schema));
	json_array(json, "data");
	for (i = tracks->first[track]; i < tracks->first[track + 1]; i++) {
		sample = &export->ordered->sample[tracks->sample[i]];
		json_array(json, NULL);
		json_u64(json, NULL, find_stack(tables, export, sample));
		json_double(json, NULL, milliseconds(export, sample), 6);
		json_u64(json, NULL, 0);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void write_frame_table(struct json *json, const struct numbers *frames)
{
	static const char *const schema[] = {
		"location", "relevantForJS", "innerWindowID", "implementation", "optimizations",
		"line", "column", "category", "subcategory",
	};
	size_t i, j;

	json_object(json, "frameTable");
	write_schema(json, schema, COUNT(schema));
	json_array(json, "data");
	for (i = 0; i < frames->n; i++) {
		json_array(json, NULL);
		json_u64(json, NULL, i); /* of the string table */
		json_bool(json, NULL, false);
		json_u64(json, NULL, 0);
		for (j = 0; j < 4; j++)
			json_null(json, NULL);
		json_u64(json, NULL, frames->key[i]->word[2]);
		json_null(json, NULL);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void write_stack_table(struct json *json, const struct numbers *stacks)
{
	const uint64_t *word;
	static const char *const schema[] = { "prefix", "frame" };
	size_t i;

	json_object(json, "stackTable");
	write_schema(json, schema, COUNT(schema));
	json_array(json, "data");
	for (i = 0; i < stacks->n; i++) {
		word = stacks->key[i]->word;
		json_array(json, NULL);
		if (word[0])
			json_u64(json, NULL, word[0] - 1);
		else
			json_null(json, NULL);
		json_u64(json, NULL, word[1]);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void write_string_table(struct json *json, const struct numbers *frames)
{
	char *location;
	size_t i;

	json_array(json, "stringTable");
	for (i = 0; i < frames->n; i++) {
		location = xasprintf("%s (in %s)", name_of_number(frames->key[i]->word[0]),
				     name_of_number(frames->key[i]->word[1]));
		json_string(json, NULL, location);
		free(location);
	}
	json_end(json);
}

/* The name of a process is that of its first thread, or of another one if that has no samples. */
static const char *process_name(const struct tracks *tracks, uint64_t pid)
{
	const char *name = NULL;
	size_t i;

	for (i = 0; i < tracks->threads.n; i++) {
		const uint64_t *word = tracks->threads.key[i]->word;

		if (word[0] == pid && (!name || word[1] == pid))
			name = name_of_number(word[2]);
	}
	return name;
}

static void write_thread(struct json *json, struct export *export, const struct tracks *tracks,
			 size_t track)
{
	static const char *const markers[] = {
		"name", "startTime", "endTime", "phase", "category", "data",
	};
	const uint64_t *word = tracks->threads.key[track]->word;
	const struct sample *first = &export->ordered->sample[tracks->sample[tracks->first[track]]];
	struct tables tables = { .steps = { .n = 0 } };

	json_object(json, NULL);
	json_string(json, "name", name_of_number(word[2]));
	json_u64(json, "pid", word[0]);
	json_u64(json, "tid", word[1]);
	json_string(json, "processType", "default");
	json_string(json, "processName", process_name(tracks, word[0]));
	json_double(json, "registerTime", milliseconds(export, first), 6);
	json_null(json, "unregisterTime");
	json_object(json, "markers");
	write_schema(json, markers, COUNT(markers));
	json_array(json, "data");
	json_end(json);
	json_end(json);
	write_samples(json, export, tracks, track, &tables);
	write_frame_table(json, &tables.frames);
	write_stack_table(json, &tables.stacks);
	write_string_table(json, &tables.frames);
	json_end(json);
	numbers_free(&tables.frames);
	numbers_free(&tables.stacks);
	steps_free(&tables.steps);
}

static void write_category(struct json *json, const char *name, const char *colour)
{
	json_object(json, NULL);
	json_string(json, "name", name);
	json_string(json, "color", colour);
	json_array(json, "subcategories");
	json_string(json, NULL, "Other");
	json_end(json);
	json_end(json);
}

static void write_meta(struct json *json, const struct export *export)
{
	const struct profile *profile = &export->ordered->profile;
	char *title = export_title(export);

	json_object(json, "meta");
	json_u64(json, "version", GECKO_VERSION);
	json_u64(json, "interval", 1);
	json_u64(json, "processType", 0);
	json_string(json, "product", title);
	json_u64(json, "stackwalk", 1);
	json_u64(json, "debug", 0);
	json_u64(json, "gcpoison", 0);
	json_u64(json, "asyncstack", 1);
	json_double(json, "startTime", (double)profile->started * 1e-6, 3);
	json_null(json, "shutdownTime");
	json_bool(json, "presymbolicated", true);
	json_array(json, "categories");
	write_category(json, "User", "yellow");
	write_category(json, "Kernel", "orange");
	json_end(json);
	json_array(json, "markerSchema");
	json_end(json);
	json_end(json);
	free(title);
}

static void write_empty(struct json *json, const char *key)
{
	json_array(json, key);
	json_end(json);
}

bool export_firefox(struct export *export, struct problem *why)
{
	struct json json = { .out = export->out };
	struct tracks tracks = { .sample = NULL };
	size_t i;

	if (export->ordered->profile.has_counts) {
		problem(why, "firefox: this is of samples over time, and the kernel added those of the recording up");
		return problem_hint(why, "pprof, svg, folded, perf.data and json have their numbers.");
	}
	sort_into_tracks(&tracks, export);
	json_object(&json, NULL);
	write_meta(&json, export);
	write_empty(&json, "libs");
	json_array(&json, "threads");
	for (i = 0; i < tracks.threads.n && !ferror(export->out); i++)
		write_thread(&json, export, &tracks, i);
	json_end(&json);
	write_empty(&json, "processes");
	write_empty(&json, "pausedRanges");
	json_end(&json);
	numbers_free(&tracks.threads);
	free(tracks.first);
	free(tracks.sample);
	return true;
}
