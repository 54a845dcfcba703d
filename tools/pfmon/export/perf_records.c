// SPDX-License-Identifier: GPL-2.0
/* The parts of a perf.data file's records that several kinds have in common. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "export/perf_records.h"

#define MAX_TEXT	4095	/* a record has 64 KB at most, and perf PATH_MAX for a name */

size_t perf_record_begin(struct buffer *buffer, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = { .type = type, .misc = misc };
	const size_t begin = buffer->n;

	buffer_add(buffer, &header, sizeof(header));
	return begin;
}

void perf_put_text(struct buffer *buffer, const char *text, size_t align)
{
	const size_t n = strnlen(text, MAX_TEXT);

	buffer_add(buffer, text, n);
	buffer_zero(buffer, align - n % align);
}

void perf_record_end(struct buffer *buffer, size_t begin, const struct perf_origin *origin)
{
	uint16_t size;

	if (origin) {
		buffer_u32(buffer, origin->pid);
		buffer_u32(buffer, origin->tid);
		buffer_u64(buffer, origin->time);
		buffer_u64(buffer, 0); /* the CPU, which is not known */
		buffer_u64(buffer, perf_event_id(0));
	}
	size = (uint16_t)(buffer->n - begin);
	memcpy(buffer->data + begin + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

void perf_put_mapping(struct buffer *buffer, const struct perf_mapping *mapping)
{
	const struct build_id *id = mapping->id;
	const bool has_id = id && id->size && id->size <= PERF_BUILD_ID;
	const uint16_t misc = mapping->misc | (has_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
	const size_t begin = perf_record_begin(buffer, PERF_RECORD_MMAP2, misc);

	buffer_u32(buffer, mapping->origin.pid);
	buffer_u32(buffer, mapping->origin.tid);
	buffer_u64(buffer, mapping->start);
	buffer_u64(buffer, mapping->length);
	buffer_u64(buffer, mapping->offset);
	if (has_id) {
		buffer_u32(buffer, id->size); /* a byte, and three that are reserved */
		buffer_add(buffer, id->id, id->size);
		buffer_zero(buffer, PERF_BUILD_ID - id->size);
	} else {
		buffer_zero(buffer, 24); /* device and inode */
	}
	buffer_u32(buffer, mapping->protection);
	buffer_u32(buffer, MAP_PRIVATE);
	perf_put_text(buffer, mapping->name, 8);
	perf_record_end(buffer, begin, &mapping->origin);
}
