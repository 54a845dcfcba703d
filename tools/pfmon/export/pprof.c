// SPDX-License-Identifier: GPL-2.0
/* pprof's profile.proto, compressed: samples added up by thread and call chain. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "export/export.h"
#include "export/numbers.h"
#include "export/protobuf.h"

/* Each object has addresses of its own, so that those of several processes are one place. */
#define OBJECT_SPACE	(1ULL << 36)

struct pprof {
	struct export	*export;
	struct numbers	texts;		/* name */
	struct numbers	functions;	/* symbol, file */
	struct numbers	locations;	/* object, address, function */
	struct numbers	stacks;		/* number of the callers' stack from 1 on, or 0; location */
	struct numbers	samples;	/* stack, comm, pid and tid, event */
	struct frames	frames;
	uint64_t	*count, *occurrences; /* of each sample */
	size_t		room, occurrences_room;
};

static uint64_t text(struct pprof *pprof, const char *name)
{
	struct number_key key = { { number_of_name(places_name(pprof->export->places, name)) } };

	return numbers_find(&pprof->texts, &key);
}

static uint64_t find_function(struct pprof *pprof, const char *symbol, const char *file)
{
	struct number_key function = { { number_of_name(symbol), number_of_name(file) } };

	return numbers_find(&pprof->functions, &function);
}

static uint64_t find_location(struct pprof *pprof, const struct frame *frame)
{
	const struct place place = places_of_frame(pprof->export->places, frame);
	struct number_key location = { { place.object, place.address,
					 find_function(pprof, place.symbol, place.file) } };

	return numbers_find(&pprof->locations, &location);
}

/* Stacks that begin with the same functions have these in common. */
static uint64_t find_stack(struct pprof *pprof, const struct sample *sample)
{
	uint64_t number = 0;
	size_t i;

	frames_of(&pprof->frames, &pprof->export->ordered->profile, sample);
	for (i = pprof->frames.n; i; i--) {
		struct number_key stack = {
			{ number, find_location(pprof, &pprof->frames.frame[i - 1]) }
		};

		number = numbers_find(&pprof->stacks, &stack) + 1;
	}
	return number;
}

static void add_sample(struct pprof *pprof, const struct sample *sample)
{
	struct number_key row = { { find_stack(pprof, sample),
				    number_of_name(places_comm(pprof->export->places, sample)),
				    (uint32_t)sample->pid, (uint32_t)sample->tid, sample->event } };
	const size_t before = pprof->samples.n, number = numbers_find(&pprof->samples, &row);

	if (number == before) {
		GROW(pprof->count, number, pprof->room);
		GROW(pprof->occurrences, number, pprof->occurrences_room);
		pprof->count[number] = 0;
		pprof->occurrences[number] = 0;
	}
	pprof->count[number] += sample->count;
	pprof->occurrences[number] += sample->period;
}

static void put_value_type(struct pprof *pprof, struct buffer *profile, unsigned int field,
			   const char *type)
{
	struct buffer inner = { .n = 0 };

	protobuf_number(&inner, 1, text(pprof, type));
	protobuf_number(&inner, 2, text(pprof, "count"));
	protobuf_message(profile, field, &inner);
}

/* A sample has two values for each event: the number of samples, and that of events. */
static void put_value_types(struct pprof *pprof, struct buffer *profile)
{
	const struct profile *from = &pprof->export->ordered->profile;
	char *type;
	size_t i;

	for (i = 0; i < from->nevents; i++) {
		type = xasprintf("%s_samples", from->event[i].name);
		put_value_type(pprof, profile, 1, type);
		free(type);
		put_value_type(pprof, profile, 1, from->event[i].name);
	}
}

static void put_label(struct buffer *sample, uint64_t key, uint64_t name, uint64_t number)
{
	struct buffer inner = { .n = 0 };

	protobuf_number(&inner, 1, key);
	protobuf_number(&inner, 2, name);
	protobuf_number(&inner, 3, number);
	protobuf_message(sample, 3, &inner);
}

/* Locations, the innermost first. */
static void put_stack(const struct pprof *pprof, struct buffer *sample, uint64_t stack)
{
	uint64_t *location = NULL;
	size_t n = 0, room = 0;

	for (; stack; stack = pprof->stacks.key[stack - 1]->word[0]) {
		GROW(location, n, room);
		location[n++] = pprof->stacks.key[stack - 1]->word[1] + 1;
	}
	protobuf_numbers(sample, 1, location, n);
	free(location);
}

static void put_samples(struct pprof *pprof, struct buffer *profile)
{
	const size_t n = 2 * pprof->export->ordered->profile.nevents;
	uint64_t *value = xcalloc(n, sizeof(*value));
	struct buffer inner = { .n = 0 };
	const uint64_t *word;
	size_t i;

	for (i = 0; i < pprof->samples.n; i++) {
		word = pprof->samples.key[i]->word;
		memset(value, 0, n * sizeof(*value));
		value[2 * word[4]] = pprof->count[i];
		value[2 * word[4] + 1] = pprof->occurrences[i];
		put_stack(pprof, &inner, word[0]);
		protobuf_numbers(&inner, 2, value, n);
		put_label(&inner, text(pprof, "comm"), text(pprof, name_of_number(word[1])), 0);
		put_label(&inner, text(pprof, "pid"), 0, word[2]);
		put_label(&inner, text(pprof, "tid"), 0, word[3]);
		protobuf_message(profile, 2, &inner);
	}
	free(value);
}

static void put_mapping(struct pprof *pprof, struct buffer *profile, size_t number)
{
	const struct object *object = &pprof->export->ordered->profile.object[number];
	char id[2 * MAX_BUILD_ID + 1] = "";
	struct buffer inner = { .n = 0 };
	const bool kernel = number == OBJECT_KERNEL;
	size_t i;

	for (i = 0; i < object->id.size; i++)
		append(id, sizeof(id), "%02x", object->id.id[i]);
	protobuf_number(&inner, 1, number + 1);
	protobuf_number(&inner, 2, kernel ? 1ULL << 63 : (number + 1) * OBJECT_SPACE);
	protobuf_number(&inner, 3, kernel ? UINT64_MAX : (number + 2) * OBJECT_SPACE);
	protobuf_number(&inner, 5, text(pprof, object->name));
	protobuf_number(&inner, 6, text(pprof, id));
	protobuf_number(&inner, 7, 1); /* has functions: names need not be looked for */
	protobuf_message(profile, 3, &inner);
}

/* The object that has the samples of a stack. */
static uint64_t object_of(const struct pprof *pprof, uint64_t stack)
{
	return pprof->locations.key[pprof->stacks.key[stack - 1]->word[1]]->word[0];
}

/* pprof takes the first one as the program: the object with the most samples, if it is a file. */
static void put_mappings(struct pprof *pprof, struct buffer *profile)
{
	const struct profile *from = &pprof->export->ordered->profile;
	uint64_t *samples = xcalloc(from->nobjects, sizeof(*samples));
	size_t first = 0, i;

	for (i = 0; i < pprof->samples.n; i++)
		samples[object_of(pprof, pprof->samples.key[i]->word[0])] += pprof->count[i];
	for (i = 1; i < from->nobjects; i++)
		if (from->object[i].name[0] == '/' && (!first || samples[i] > samples[first]))
			first = i;
	put_mapping(pprof, profile, first);
	for (i = 0; i < from->nobjects; i++)
		if (i != first)
			put_mapping(pprof, profile, i);
	free(samples);
}

static void put_line(struct buffer *location, uint64_t function)
{
	struct buffer line = { .n = 0 };

	protobuf_number(&line, 1, function + 1);
	protobuf_message(location, 4, &line);
}

/* The functions of a location are its lines, the innermost first. */
static void put_lines(struct pprof *pprof, struct buffer *location, const uint64_t *word)
{
	const struct place *place = places_at(pprof->export->places, word[0], word[1]);
	size_t i;

	for (i = 0; i < place->ninlined; i++)
		put_line(location, find_function(pprof, place->inlined[i], place->file));
	put_line(location, word[2]);
}

static void put_locations(struct pprof *pprof, struct buffer *profile)
{
	struct buffer inner = { .n = 0 };
	const uint64_t *word;
	uint64_t address;
	size_t i;

	for (i = 0; i < pprof->locations.n; i++) {
		word = pprof->locations.key[i]->word;
		address = word[1];
		if (word[0] != OBJECT_KERNEL)
			address = (word[0] + 1) * OBJECT_SPACE + address % OBJECT_SPACE;
		protobuf_number(&inner, 1, i + 1);
		protobuf_number(&inner, 2, word[0] + 1);
		protobuf_number(&inner, 3, address);
		put_lines(pprof, &inner, word);
		protobuf_message(profile, 4, &inner);
	}
}

static void put_functions(struct pprof *pprof, struct buffer *profile)
{
	struct buffer inner = { .n = 0 };
	const uint64_t *word;
	uint64_t name;
	size_t i;

	for (i = 0; i < pprof->functions.n; i++) {
		word = pprof->functions.key[i]->word;
		name = text(pprof, name_of_number(word[0]));
		protobuf_number(&inner, 1, i + 1);
		protobuf_number(&inner, 2, name);
		protobuf_number(&inner, 3, name);
		protobuf_number(&inner, 4, text(pprof, name_of_number(word[1])));
		protobuf_message(profile, 5, &inner);
	}
}

static void put_profile(struct pprof *pprof, struct buffer *profile)
{
	const struct profile *from = &pprof->export->ordered->profile;
	size_t i;

	text(pprof, ""); /* has to be the first one */
	put_value_types(pprof, profile);
	put_samples(pprof, profile);
	put_mappings(pprof, profile);
	put_locations(pprof, profile);
	put_functions(pprof, profile);
	protobuf_number(profile, 9, from->started);
	protobuf_number(profile, 10, from->duration);
	if (from->nevents) {
		put_value_type(pprof, profile, 11, from->event[0].name);
		protobuf_number(profile, 12, from->event[0].period);
	}
	for (i = 0; i < from->notes.n; i++) {
		const uint64_t comment = text(pprof, from->notes.text[i]);

		protobuf_numbers(profile, 13, &comment, 1);
	}
	for (i = 0; i < pprof->texts.n; i++)
		protobuf_text(profile, 6, name_of_number(pprof->texts.key[i]->word[0]));
}

/* zlib compresses into memory: the file belongs to the caller. */
static bool compress_to(FILE *out, const struct buffer *data, struct problem *why)
{
	z_stream stream = { .next_in = data->data, .avail_in = (uInt)data->n };
	uint8_t chunk[1 << 14];
	int result;

	if (data->n > UINT32_MAX)
		return problem(why, "the profile has more than 4 GB, which pprof does not read");
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return problem(why, "cannot compress: out of memory");
	do {
		stream.next_out = chunk;
		stream.avail_out = sizeof(chunk);
		result = deflate(&stream, Z_FINISH);
		fwrite(chunk, 1, sizeof(chunk) - stream.avail_out, out);
	} while (result == Z_OK);
	deflateEnd(&stream);
	return true;
}

bool export_pprof(struct export *export, struct problem *why)
{
	struct pprof pprof = { .export = export };
	struct buffer profile = { .n = 0 };
	size_t i;
	bool ok;

	for (i = 0; i < export->ordered->n; i++)
		add_sample(&pprof, &export->ordered->sample[i]);
	put_profile(&pprof, &profile);
	ok = compress_to(export->out, &profile, why);
	buffer_free(&profile);
	numbers_free(&pprof.texts);
	numbers_free(&pprof.functions);
	numbers_free(&pprof.locations);
	numbers_free(&pprof.stacks);
	numbers_free(&pprof.samples);
	frames_free(&pprof.frames);
	free(pprof.count);
	free(pprof.occurrences);
	return ok;
}
