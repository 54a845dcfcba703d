// SPDX-License-Identifier: GPL-2.0
/* The name of each place where a sample is, looked up once for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "places/places.h"
#include "symbols/symbols.h"

struct file {
	bool		tried;
	struct symbols	*symbols;	/* NULL: none */
};

struct places {
	const struct profile	*profile;
	bool			demangle;
	bool			inlines;
	struct file		*file;	/* for each object of the profile */
	struct strings		notes;
	struct names		names;
	struct place		*place;	/* a hash table; without a symbol: unused */
	size_t			n, room;
};

struct places *places_open(const struct profile *profile, bool demangle)
{
	struct places *places = xcalloc(1, sizeof(*places));

	places->profile = profile;
	places->demangle = demangle;
	places->file = xcalloc(profile->nobjects, sizeof(*places->file));
	places->room = 1024;
	places->place = xcalloc(places->room, sizeof(*places->place));
	return places;
}

void places_find_inlined(struct places *places)
{
	places->inlines = true;
}

const char *places_name(struct places *places, const char *name)
{
	return names_keep(&places->names, name);
}

const char *places_comm(struct places *places, const struct sample *sample)
{
	char number[TASK_NUMBER];

	return places_name(places, task_name(number, sample->comm, sample->tid));
}

static void name_in_kernel(struct places *places, struct place *place)
{
	const struct range *range = ranges_find(&places->profile->kernel, place->address);
	const struct kernel_name *name;

	if (!range)
		return;
	name = &places->profile->kernel_name[range->what];
	place->symbol = places_name(places, name->name);
	if (name->module[0])
		place->file = places_name(places, name->module);
	place->known = true;
	place->distance = place->address - range->start;
}

/* The last of the frames is the function that has code of its own. */
static void find_inlined(struct places *places, struct place *place, struct symbols *symbols)
{
	struct symbols_frame frame[SYMBOLS_MAX_FRAMES];
	const size_t n = symbols_frames(symbols, place->address, frame, COUNT(frame));
	const char *name;
	char *plain;
	size_t i;

	if (n < 2)
		return;
	place->ninlined = n - 1;
	place->inlined = xcalloc(n - 1, sizeof(*place->inlined));
	for (i = 0; i < n - 1; i++) {
		name = frame[i].function ?: "[unknown]";
		plain = places->demangle ? symbols_demangle(name) : NULL;
		place->inlined[i] = places_name(places, plain ?: name);
		free(plain);
	}
}

/* [anon] and the like have no symbols. */
static void name_in_file(struct places *places, struct place *place)
{
	const struct object *object = &places->profile->object[place->object];
	struct file *file = &places->file[place->object];
	struct problem why;
	const char *name;

	if (!file->tried && symbols_possible(object->name)) {
		file->symbols = symbols_open(object->name, &object->id, &why);
		if (!file->symbols)
			strings_add(&places->notes, xasprintf("no symbols: %s", why.what));
	}
	file->tried = true;
	if (!file->symbols)
		return;
	name = symbols_find_at(file->symbols, place->address, places->demangle, &place->distance);
	if (!name)
		return;
	place->symbol = places_name(places, name);
	place->known = true;
	if (places->inlines)
		find_inlined(places, place, file->symbols);
}

static void find_name(struct places *places, struct place *place)
{
	const struct profile *profile = places->profile;

	place->symbol = places_name(places, "[unknown]");
	place->file = places_name(places, profile->object[place->object].name);
	if (place->object == OBJECT_KERNEL) {
		name_in_kernel(places, place);
	} else if (place->object == OBJECT_JIT) {
		place->symbol = places_name(places, profile->jit_names.text[place->address]);
		place->known = true;
	} else {
		name_in_file(places, place);
	}
}

static struct place *find_slot(struct place *table, size_t room, size_t object, uint64_t address)
{
	size_t at = (address * 0x9e3779b97f4a7c15 + object) >> 20;
	struct place *place;

	for (;; at++) {
		place = &table[at & (room - 1)];
		if (!place->symbol || (place->object == object && place->address == address))
			return place;
	}
}

static void grow(struct places *places)
{
	const size_t room = 2 * places->room;
	struct place *table = xcalloc(room, sizeof(*table));
	const struct place *place;
	size_t i;

	for (i = 0; i < places->room; i++) {
		place = &places->place[i];
		if (place->symbol)
			*find_slot(table, room, place->object, place->address) = *place;
	}
	free(places->place);
	places->place = table;
	places->room = room;
}

const struct place *places_at(struct places *places, size_t object, uint64_t address)
{
	struct place *place;

	if (2 * places->n >= places->room)
		grow(places);
	place = find_slot(places->place, places->room, object, address);
	if (!place->symbol) {
		place->object = object;
		place->address = address;
		find_name(places, place);
		places->n++;
	}
	return place;
}

const struct place *places_find(struct places *places, const struct sample *sample)
{
	return places_at(places, sample->object, sample->address);
}

struct place places_of_frame(struct places *places, const struct frame *frame)
{
	struct place place = *places_at(places, frame->object, frame->address);

	place.distance += frame->returns;
	return place;
}

const struct strings *places_notes(const struct places *places)
{
	return &places->notes;
}

void places_say_notes(const struct places *places)
{
	const struct strings *lists[] = { &places->profile->notes, &places->notes };
	size_t list, i;

	for (list = 0; list < COUNT(lists); list++)
		for (i = 0; i < lists[list]->n; i++)
			complain("%s", lists[list]->text[i]);
}

void places_close(struct places *places)
{
	size_t i;

	for (i = 0; i < places->profile->nobjects; i++)
		symbols_close(places->file[i].symbols);
	strings_free(&places->notes);
	names_free(&places->names);
	for (i = 0; i < places->room; i++)
		free(places->place[i].inlined);
	free(places->file);
	free(places->place);
	free(places);
}
