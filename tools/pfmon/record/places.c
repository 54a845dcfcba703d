// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings can come later than the samples in them, so only the end shows the result; and a search
 * while the program is sampled would disturb it. To read a sample takes 0.2 us: the limit keeps
 * the user's wait below a second.
 */
#include <sys/stat.h>

#include "data/load.h"
#include "record/places.h"

#define MOST	4000000

static void look(void *data, const struct profile *profile, const struct sample *sample)
{
	const struct object *object = &profile->object[sample->object];
	struct record_places *places = data;

	places->samples++;
	if (sample->object == OBJECT_UNKNOWN)
		places->unmapped++;
	else if (object->name[0] == '/' && object->id.kind == ID_UNKNOWN)
		places->unidentified++;
}

struct record_places record_places(const char *name)
{
	struct record_places places = { 0 };
	const struct load_options options = { .visit = look, .data = &places, .most = MOST };
	struct profile profile;
	struct problem why;
	struct stat info;

	if (stat(name, &info) || !S_ISREG(info.st_mode) ||
	    !profile_load(&profile, name, &options, &why))
		return (struct record_places){ 0 };
	profile_free(&profile);
	return places;
}
