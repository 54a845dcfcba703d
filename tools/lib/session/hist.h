/* SPDX-License-Identifier: GPL-2.0 */
/* The buffer of the histogram sampling format: a table of samples that the kernel has added up. */
#ifndef PFMON_SESSION_HIST_H
#define PFMON_SESSION_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon_hist_smpl.h>

#include "session/batch.h"
#include "session/kept.h"

/* The counts that were taken of a table, and room for the next samples. Zeroed: none. */
struct hist {
	const pfm_hist_smpl_hdr_t *header;
	size_t		mapped;		/* bytes of the buffer */
	uint64_t	looked;		/* hdr_count at the last look */
	struct batch_count *taken;	/* of each slot */
	/* The caller's, as the table does not have them: of the samples that are taken next. */
	uint64_t	time;
	uint16_t	cpu;
	int32_t		pid, tid;	/* ... unless entries are separate for these */
	struct kept	kept;		/* samples taken last */
	struct batch_count *counts;	/* ... what each stands for */
	size_t		room;
};

/* The format's argument, which follows that of the context. @tasks: of more than one thread. */
pfm_hist_smpl_arg_t hist_argument(uint64_t size, bool tasks);

/* The context's buffer is mapped, @mapped bytes at @buffer. */
void hist_open(struct hist *hist, const void *buffer, size_t mapped);

/* True if the table has samples that were not taken yet, also such without a slot. */
bool hist_has_news(const struct hist *hist);

/*
 * Take the samples that were added since the last call: of each slot with any, one that stands for
 * them. Until the next call. They have the default format's form, of @sample_size bytes.
 */
struct batch hist_take(struct hist *hist, size_t sample_size);

/* The number of samples without a slot, of which only this number is known. */
uint64_t hist_unplaced(const struct hist *hist);

void hist_close(struct hist *hist);

struct sampler;

/* The table of a context with this format. NULL: it has another one, or no buffer. */
struct hist *hist_of(const struct sampler *sampler);

#endif /* PFMON_SESSION_HIST_H */
