// SPDX-License-Identifier: GPL-2.0
/*
 * JSON is read by json-c, object by object: with -I the file has lines of intervals, and the sums
 * come last. A build without the library refuses to compare.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/baseline.h"

#if __has_include(<json-c/json.h>)
#include <json-c/json.h>

static void forget(struct baseline *baseline)
{
	size_t i;

	for (i = 0; i < baseline->n; i++)
		free(baseline->old[i].event);
	baseline->n = 0;
}

/* True: the object has sums. Former sums, if any, were another measurement's. */
static bool take_object(struct baseline *baseline, struct json_object *object)
{
	struct json_object *events, *event, *name, *count;
	size_t i;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, "format", NULL) ||
	    !json_object_object_get_ex(object, "events", &events) ||
	    !json_object_is_type(events, json_type_array))
		return false;
	forget(baseline);
	for (i = 0; i < json_object_array_length(events); i++) {
		event = json_object_array_get_idx(events, i);
		if (!json_object_object_get_ex(event, "event", &name) ||
		    !json_object_object_get_ex(event, "count", &count) || !count)
			continue;
		GROW(baseline->old, baseline->n, baseline->room);
		baseline->old[baseline->n].event = xstrdup(json_object_get_string(name));
		baseline->old[baseline->n++].count = json_object_get_double(count);
	}
	return true;
}

static char *read_all(const char *path, size_t *length)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0, n = 0, got;

	if (!file)
		return NULL;
	do {
		GROW(text, n, room);
		got = fread(text + n, 1, room - n, file);
		n += got;
	} while (got);
	got = (size_t)ferror(file);
	fclose(file);
	*length = n;
	if (!got)
		return text;
	free(text);
	return NULL;
}

bool baseline_read(struct baseline *baseline, const char *path, struct problem *why)
{
	struct json_tokener *reader = json_tokener_new();
	struct json_object *object;
	size_t length, at = 0;
	char *text = read_all(path, &length);
	bool found = false;

	if (!text || !reader) {
		problem(why, "cannot read %s: %s", path, strerror(errno));
		free(text);
		json_tokener_free(reader);
		return false;
	}
	while (at < length) {
		object = json_tokener_parse_ex(reader, text + at, (int)(length - at));
		if (!object)
			break; /* the end, or text that is not JSON */
		at += json_tokener_get_parse_end(reader);
		found |= take_object(baseline, object);
		json_object_put(object);
	}
	json_tokener_free(reader);
	free(text);
	if (found)
		return true;
	problem(why, "%s has no counts", path);
	return problem_hint(why, "It has to be what `pfmon stat -j -o %s` wrote.", path);
}

void baseline_free(struct baseline *baseline)
{
	forget(baseline);
	free(baseline->old);
	memset(baseline, 0, sizeof(*baseline));
}

#else

bool baseline_read(struct baseline *baseline, const char *path, struct problem *why)
{
	(void)baseline;
	return problem(why, "cannot read %s: this pfmon was built without json-c", path);
}

void baseline_free(struct baseline *baseline)
{
	memset(baseline, 0, sizeof(*baseline));
}

#endif

double baseline_count(const struct baseline *baseline, const char *event)
{
	size_t i;

	for (i = 0; i < baseline->n; i++)
		if (!strcmp(baseline->old[i].event, event))
			return baseline->old[i].count;
	return -1;
}
