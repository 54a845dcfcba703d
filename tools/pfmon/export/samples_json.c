// SPDX-License-Identifier: GPL-2.0
/* Every sample as JSON: pfmon-export(1) describes the keys. */
#define _GNU_SOURCE
#include <inttypes.h>

#include "export/export.h"
#include "json.h"

#define FORMAT_VERSION	1

static void write_events(struct json *json, const struct profile *profile)
{
	const struct sampled_event *event;

	json_array(json, "events");
	for (event = profile->event; event < profile->event + profile->nevents; event++) {
		json_object(json, NULL);
		json_string(json, "event", event->name);
		json_string(json, "encoded", event->full);
		json_u64(json, "pmd", event->pmd);
		json_u64(json, "set", event->set);
		json_u64(json, "period", event->period);
		json_u64(json, "random_mask", event->random_mask);
		json_u64(json, "samples", event->samples);
		json_strings(json, "values", &event->bodies);
		json_end(json);
	}
	json_end(json);
}

static void write_place(struct json *json, const struct export *export,
			const struct frame *frame)
{
	const struct place place = places_of_frame(export->places, frame);
	char ip[24];

	/* A string: readers of JSON have 53 bits for a number. */
	snprintf(ip, sizeof(ip), "0x%" PRIx64, frame->ip);
	json_string(json, "ip", ip);
	if (place.known)
		json_string(json, "symbol", place.symbol);
	else
		json_null(json, "symbol");
	json_u64(json, "offset", place.distance);
	json_string(json, "file", place.file);
}

/* The calling functions, the innermost first. */
static void write_callers(struct json *json, const struct export *export,
			  const struct frames *frames)
{
	size_t i;

	json_array(json, "callers");
	for (i = 1; i < frames->n; i++) {
		json_object(json, NULL);
		write_place(json, export, &frames->frame[i]);
		json_end(json);
	}
	json_end(json);
}

static void write_sample(struct json *json, const struct export *export,
			 const struct sample *sample)
{
	struct profile *profile = &export->ordered->profile;
	const struct sampled_event *event = &profile->event[sample->event];
	struct frames frames = { .n = 0 };
	uint32_t i;

	frames_of(&frames, profile, sample);
	json_object(json, NULL);
	json_u64(json, "event", sample->event);
	json_u64(json, "time", sample->time);
	json_int(json, "pid", sample->pid);
	json_int(json, "tid", sample->tid);
	json_string(json, "comm", places_comm(export->places, sample));
	if (sample->cpu == PROFILE_NO_CPU)
		json_null(json, "cpu");
	else
		json_u64(json, "cpu", sample->cpu);
	if (profile->has_counts)
		json_u64(json, "count", sample->count);
	json_u64(json, "period", sample->period);
	write_place(json, export, &frames.frame[0]);
	if (profile->has_chains)
		write_callers(json, export, &frames);
	frames_free(&frames);
	if (event->nbodies) {
		json_array(json, "values");
		for (i = 0; i < event->nbodies; i++)
			json_u64(json, NULL, sample->values[i]);
		json_end(json);
	}
	json_end(json);
}

bool export_json(struct export *export, struct problem *why)
{
	const struct profile *profile = &export->ordered->profile;
	struct json json = { .out = export->out };
	size_t i;

	(void)why;
	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	json_strings(&json, "command", &profile->command);
	if (profile->host.n)
		json_string(&json, "host", profile->host.text[0]);
	else
		json_null(&json, "host");
	json_double(&json, "started", (double)profile->started * 1e-9, 3);
	json_double(&json, "elapsed_seconds", (double)profile->duration * 1e-9, 9);
	json_bool(&json, "finished", profile->finished);
	write_events(&json, profile);
	json_array(&json, "samples");
	for (i = 0; i < export->ordered->n && !ferror(export->out); i++)
		write_sample(&json, export, &export->ordered->sample[i]);
	json_end(&json);
	json_strings(&json, "notes", &profile->notes);
	json_end(&json);
	return true;
}
