// SPDX-License-Identifier: GPL-2.0
/* A recording that is read while it is made. Records are checked as those of a file. */
#include <stdlib.h>
#include <string.h>

#include "data/load.h"
#include "data/read.h"
#include "data/samples.h"
#include "data/stream.h"

#define MAX_PENDING	(64UL << 20)	/* bytes of samples until the next look */

void stream_begin(struct stream *stream)
{
	memset(stream, 0, sizeof(*stream));
	profile_begin(&stream->profile);
}

static void grow(char **buffer, size_t wanted, size_t *room)
{
	if (wanted <= *room)
		return;
	*room = wanted > 2 * *room ? wanted : 2 * *room;
	*buffer = xrealloc(*buffer, *room, 1);
}

static bool no_recording(struct problem *why)
{
	return problem(why, "what samples come with makes no sense");
}

/* Samples wait for the next look, when all earlier records are known. */
static void keep_samples(struct stream *stream, const struct profile_record *record)
{
	if (stream->nsamples + record->size > MAX_PENDING) {
		stream->dropped += record->size - record->fixed;
		return;
	}
	grow(&stream->samples, stream->nsamples + record->size, &stream->samples_room);
	memcpy(stream->samples + stream->nsamples, record, record->size);
	stream->nsamples += record->size;
}

static bool take(struct stream *stream, const struct profile_record *record)
{
	const struct profile_exit *exit;

	switch (record->type) {
	case PROFILE_SAMPLES:
		keep_samples(stream, record);
		return true;
	case PROFILE_EXIT:
		exit = profile_fixed(record, sizeof(*exit));
		if (exit)
			processes_end(&stream->profile.processes, exit->pid, exit->tid);
		return exit != NULL;
	case PROFILE_CONTEXT:
		stream->begun = true;
		break;
	}
	return profile_take(&stream->profile, record);
}

/* The header or record at the beginning of the new bytes: its size, or 0: not complete. */
static size_t take_first(struct stream *stream, const char *at, size_t left, bool *ok)
{
	struct profile_header header;
	struct profile_record record;

	if (!stream->headed) {
		if (left < sizeof(header))
			return 0;
		memcpy(&header, at, sizeof(header));
		*ok = !memcmp(header.magic, PROFILE_MAGIC, sizeof(header.magic)) &&
		      header.size >= sizeof(header);
		stream->headed = *ok && left >= header.size;
		return stream->headed ? header.size : 0;
	}
	if (left < sizeof(record))
		return 0;
	memcpy(&record, at, sizeof(record));
	*ok = record.fixed >= sizeof(record) && record.fixed % 8 == 0 &&
	      record.size >= record.fixed && record.size % 8 == 0;
	if (!*ok || record.size > left)
		return 0;
	*ok = take(stream, (const void *)at);
	return record.size;
}

bool stream_add(struct stream *stream, const void *bytes, size_t n, struct problem *why)
{
	size_t at = 0, size;
	bool ok = true;

	grow(&stream->rest, stream->nrest + n, &stream->rest_room);
	memcpy(stream->rest + stream->nrest, bytes, n);
	stream->nrest += n;
	do {
		size = take_first(stream, stream->rest + at, stream->nrest - at, &ok);
		at += size;
	} while (ok && size);
	memmove(stream->rest, stream->rest + at, stream->nrest - at);
	stream->nrest -= at;
	return ok || no_recording(why);
}

/* Drop the samples of the last look. */
static void forget(struct stream *stream)
{
	struct profile *profile = &stream->profile;
	size_t i;

	hits_free(&profile->hits);
	memset(&profile->hits, 0, sizeof(profile->hits));
	for (i = 0; i < profile->ntasks; i++)
		free(profile->task[i].comm);
	profile->ntasks = 0;
	for (i = 0; i < profile->nevents; i++) {
		profile->event[i].samples = 0;
		profile->event[i].occurrences = 0;
	}
}

/* A context reports its losses at its end. */
static void forget_contexts(struct stream *stream)
{
	struct profile *profile = &stream->profile;
	size_t i;

	for (i = profile->ncontexts; i-- > 0;) {
		struct sampled_context *context = &profile->context[i];

		if (!context->over)
			continue;
		ledger_sum(&stream->ledger, &context->ledger);
		*context = profile->context[--profile->ncontexts];
	}
}

static void see_time(void *data, const struct profile *profile, const struct sample *sample)
{
	struct stream *stream = data;

	(void)profile;
	if (sample->time > stream->last)
		stream->last = sample->time;
}

bool stream_look(struct stream *stream, struct problem *why)
{
	const struct load_options how = {
		.hits = true, .tasks = true, .visit = see_time, .data = stream,
	};
	const struct profile_record *record;
	size_t at = 0;
	bool ok = true;

	forget(stream);
	for (; ok && at < stream->nsamples; at += record->size) {
		record = (const void *)(stream->samples + at);
		ok = samples_take(&stream->profile, record, &how);
	}
	stream->nsamples = 0;
	processes_forget(&stream->profile.processes, stream->last);
	forget_contexts(stream);
	return ok || no_recording(why);
}

void stream_free(struct stream *stream)
{
	profile_free(&stream->profile);
	free(stream->rest);
	free(stream->samples);
	memset(stream, 0, sizeof(*stream));
}
