// SPDX-License-Identifier: GPL-2.0
/*
 * perf.data, for perf report and perf script: a header, the events, records, and facts about the
 * machine. perf.data-file-format.txt of Linux describes it.
 */
#define _GNU_SOURCE
#include <string.h>

#include "export/perf_records.h"

struct section {
	uint64_t	offset, size;
};

struct header {
	char		magic[8];
	uint64_t	size;
	uint64_t	attr_size;	/* of an event with the section of its ids */
	struct section	attrs, data, event_types;
	uint64_t	features[4];	/* bits */
};

enum feature {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_BRANCH_STACK = 15,	/* empty; its presence means: samples have branches */
	FEATURE_SAMPLE_TIME = 21,
};

/* Levels of a struct sampled_event, as pfmon.data(5) has them. */
#define EVENT_USER		1
#define EVENT_KERNEL		2

#define MISC_BUILD_ID_SIZE	(1 << 15)	/* perf's own: a size behind a build id */
#define TEXT_ALIGN		64

/* perf's numbers of events that it has by name; any other one is a raw one with a name. */
static uint64_t generic_event(const char *name, uint32_t *type)
{
	static const struct {
		const char	*name;
		uint32_t	type;
		uint64_t	config;
	} events[] = {
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
		{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
		{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
		{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
		{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
		{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
		{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
		{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
		{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
		{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
		{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	};
	const size_t length = strcspn(name, ":");
	size_t i;

	for (i = 0; i < COUNT(events); i++) {
		*type = events[i].type;
		if (strlen(events[i].name) == length && !strncmp(events[i].name, name, length))
			return events[i].config;
	}
	*type = PERF_TYPE_RAW;
	return 0;
}

static void put_attr(struct buffer *buffer, const struct profile *profile, size_t i)
{
	const struct sampled_event *event = &profile->event[i];
	const bool first = i == 0;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_period = event->period,
		.sample_type = perf_sample_type(profile),
		.branch_sample_type = profile->has_branches ? PERF_SAMPLE_BRANCH_ANY : 0,
		.sample_id_all = 1,
		.inherit = 1,
		.exclude_user = !(event->levels & EVENT_USER),
		.exclude_kernel = !(event->levels & EVENT_KERNEL),
		.exclude_hv = 1,
		.mmap = first, .mmap2 = first, .build_id = first,
		.comm = first, .comm_exec = first,
		.task = first,
		.ksymbol = first,
	};
	uint32_t type;

	attr.config = generic_event(event->name, &type);
	attr.type = type;
	buffer_add(buffer, &attr, sizeof(attr));
}

static void put_string(struct buffer *buffer, const char *text)
{
	const size_t length = buffer->n;
	uint32_t size;

	buffer_u32(buffer, 0);
	perf_put_text(buffer, text, TEXT_ALIGN);
	size = (uint32_t)(buffer->n - length - sizeof(size));
	memcpy(buffer->data + length, &size, sizeof(size));
}

static void put_event_descriptions(struct buffer *buffer, const struct profile *profile)
{
	size_t i;

	buffer_u32(buffer, (uint32_t)profile->nevents);
	buffer_u32(buffer, sizeof(struct perf_event_attr));
	for (i = 0; i < profile->nevents; i++) {
		put_attr(buffer, profile, i);
		buffer_u32(buffer, 1);
		put_string(buffer, profile->event[i].name);
		buffer_u64(buffer, perf_event_id(i));
	}
}

static void put_command(struct buffer *buffer, const struct profile *profile)
{
	size_t i;

	buffer_u32(buffer, (uint32_t)profile->command.n + 3);
	put_string(buffer, "pfmon");
	put_string(buffer, "record");
	put_string(buffer, "--");
	for (i = 0; i < profile->command.n; i++)
		put_string(buffer, profile->command.text[i]);
}

static void put_build_ids(struct buffer *buffer, const struct profile *profile)
{
	const struct object *object;
	size_t begin;

	for (object = profile->object; object < profile->object + profile->nobjects; object++) {
		if (object->id.kind != ID_LINKED || !object->id.size ||
		    object->id.size > PERF_BUILD_ID)
			continue;
		begin = perf_record_begin(buffer, 0, PERF_RECORD_MISC_USER | MISC_BUILD_ID_SIZE);
		buffer_u32(buffer, UINT32_MAX); /* of all processes */
		buffer_add(buffer, object->id.id, PERF_BUILD_ID);
		buffer_u32(buffer, object->id.size);
		perf_put_text(buffer, object->name, TEXT_ALIGN);
		perf_record_end(buffer, begin, NULL);
	}
}

/* The number of CPUs, as far as the samples show it. */
static void put_cpus(struct buffer *buffer, const struct ordered *ordered)
{
	unsigned int most = 0;
	size_t i;

	for (i = 0; i < ordered->n; i++)
		if (ordered->sample[i].cpu > most)
			most = ordered->sample[i].cpu;
	buffer_u32(buffer, most + 1);
	buffer_u32(buffer, most + 1);
}

static void put_feature(struct buffer *buffer, const struct export *export, enum feature feature)
{
	const struct ordered *ordered = export->ordered;
	const struct profile *profile = &ordered->profile;

	switch (feature) {
	case FEATURE_BUILD_ID:
		put_build_ids(buffer, profile);
		break;
	case FEATURE_HOSTNAME:
		put_string(buffer, profile->host.n ? profile->host.text[0] : "");
		break;
	case FEATURE_OSRELEASE:
		put_string(buffer, profile->host.n ? profile->host.text[1] : "");
		break;
	case FEATURE_VERSION:
		put_string(buffer, "pfmon");
		break;
	case FEATURE_ARCH:
		put_string(buffer, profile->host.n ? profile->host.text[2] : "");
		break;
	case FEATURE_NRCPUS:
		put_cpus(buffer, ordered);
		break;
	case FEATURE_CMDLINE:
		put_command(buffer, profile);
		break;
	case FEATURE_EVENT_DESC:
		put_event_descriptions(buffer, profile);
		break;
	case FEATURE_BRANCH_STACK:
		break;
	case FEATURE_SAMPLE_TIME:
		buffer_u64(buffer, ordered->n ? ordered->sample[0].time : 0);
		buffer_u64(buffer, ordered->n ? ordered->sample[ordered->n - 1].time : 0);
		break;
	}
}

static const enum feature features[] = {
	FEATURE_BUILD_ID, FEATURE_HOSTNAME, FEATURE_OSRELEASE, FEATURE_VERSION, FEATURE_ARCH,
	FEATURE_NRCPUS, FEATURE_CMDLINE, FEATURE_EVENT_DESC, FEATURE_BRANCH_STACK,
	FEATURE_SAMPLE_TIME,
};

/* The features of this recording, as bits. */
static uint64_t features_of(const struct export *export)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < COUNT(features); i++)
		if (features[i] != FEATURE_BRANCH_STACK || export->ordered->profile.has_branches)
			bits |= 1ULL << features[i];
	return bits;
}

/* Write the table of the features' positions, at @offset of the file, and then the features. */
static void write_features(const struct export *export, uint64_t offset)
{
	const uint64_t bits = features_of(export);
	const size_t size = (size_t)__builtin_popcountll(bits) * sizeof(struct section);
	struct section section[COUNT(features)];
	struct buffer buffer = { .n = 0 };
	size_t n = 0, i;

	for (i = 0; i < COUNT(features); i++) {
		if (!(bits & 1ULL << features[i]))
			continue;
		section[n].offset = offset + size + buffer.n;
		put_feature(&buffer, export, features[i]);
		section[n].size = offset + size + buffer.n - section[n].offset;
		n++;
	}
	fwrite(section, size, 1, export->out);
	buffer_write(&buffer, export->out);
	buffer_free(&buffer);
}

/* The events and their ids, which come behind them. */
static void put_attrs(struct buffer *buffer, const struct profile *profile, struct header *header)
{
	struct section ids = { .size = sizeof(uint64_t) };
	size_t i;

	header->attr_size = sizeof(struct perf_event_attr) + sizeof(ids);
	header->attrs.offset = sizeof(*header);
	header->attrs.size = profile->nevents * header->attr_size;
	ids.offset = header->attrs.offset + header->attrs.size;
	for (i = 0; i < profile->nevents; i++) {
		put_attr(buffer, profile, i);
		buffer_add(buffer, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	for (i = 0; i < profile->nevents; i++)
		buffer_u64(buffer, perf_event_id(i));
}

bool export_perf_data(struct export *export, struct problem *why)
{
	struct header header = { .magic = "PERFILE2", .size = sizeof(header) };
	struct buffer attrs = { .n = 0 }, records = { .n = 0 };
	bool ok;

	ok = perf_put_all(&records, export, why);
	if (ok) {
		put_attrs(&attrs, &export->ordered->profile, &header);
		header.data.offset = sizeof(header) + attrs.n;
		header.data.size = records.n;
		header.features[0] = features_of(export);
		fwrite(&header, sizeof(header), 1, export->out);
		buffer_write(&attrs, export->out);
		buffer_write(&records, export->out);
		write_features(export, header.data.offset + header.data.size);
	}
	buffer_free(&attrs);
	buffer_free(&records);
	return ok;
}
