// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings can come later than the samples in them, so only the end shows the result; and a search
 * while the program is sampled would disturb it. To read a sample takes 0.2 us: the limit keeps
 * the user's wait below a second.
 */
#include <sys/stat.h>

#include "data/load.h"
#include "record/unplaced.h"

#define MOST	4000000

static void look(void *data, const struct profile *profile, const struct sample *sample)
{
	const struct object *object = &profile->object[sample->object];
	struct unplaced *unplaced = data;

	unplaced->samples += sample->count;
	if (sample->object == OBJECT_UNKNOWN)
		unplaced->unmapped += sample->count;
	else if (object->name[0] == '/' && object->id.kind == ID_UNKNOWN)
		unplaced->unidentified += sample->count;
}

struct unplaced unplaced_count(const char *name)
{
	struct unplaced unplaced = { 0 };
	const struct load_options options = { .visit = look, .data = &unplaced, .most = MOST };
	struct profile profile;
	struct problem why;
	struct stat info;

	if (stat(name, &info) || !S_ISREG(info.st_mode) ||
	    !profile_load(&profile, name, &options, &why))
		return (struct unplaced){ 0 };
	profile_free(&profile);
	return unplaced;
}
