/* SPDX-License-Identifier: GPL-2.0 */
/* The records of a perf.data file: perf_event_open(2), perf.data-file-format.txt of Linux. */
#ifndef PFMON_EXPORT_PERF_RECORDS_H
#define PFMON_EXPORT_PERF_RECORDS_H

#include <linux/perf_event.h>

#include "export/buffer.h"
#include "export/export.h"

/* The fields of samples and, but for address and period, of the ends of all other records. */
#define PERF_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
				 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* ... and the calls and the branches that led to a sample, if the recording has them. */
static inline uint64_t perf_sample_type(const struct profile *profile)
{
	return PERF_SAMPLE_TYPE | (profile->has_chains ? PERF_SAMPLE_CALLCHAIN : 0) |
	       (profile->has_branches ? PERF_SAMPLE_BRANCH_STACK : 0);
}

#define PERF_BUILD_ID		20	/* bytes; perf knows no longer ones */

/* The id of an event in the file. */
static inline uint64_t perf_event_id(size_t event)
{
	return event + 1;
}

/* Begin a record; perf_record_end() fills in its size. Returns where it begins. */
size_t perf_record_begin(struct buffer *buffer, uint32_t type, uint16_t misc);

/* Text, ended and filled up to a multiple of @align. */
void perf_put_text(struct buffer *buffer, const char *text, size_t align);

/* The end of all records but samples. */
struct perf_origin {
	uint32_t	pid, tid;
	uint64_t	time;
};

void perf_record_end(struct buffer *buffer, size_t begin, const struct perf_origin *origin);

/* An executable mapping. */
struct perf_mapping {
	struct perf_origin	origin;
	uint16_t		misc;		/* PERF_RECORD_MISC_USER or _KERNEL */
	uint64_t		start, length, offset;
	uint32_t		protection;
	const struct build_id	*id;		/* or NULL */
	const char		*name;
};

void perf_put_mapping(struct buffer *buffer, const struct perf_mapping *mapping);

/* Everything that happened, in the order of time. */
bool perf_put_all(struct buffer *buffer, const struct export *export, struct problem *why);

#endif /* PFMON_EXPORT_PERF_RECORDS_H */
