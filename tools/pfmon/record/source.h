/* SPDX-License-Identifier: GPL-2.0 */
/* A thread or a CPU, with its samplers. */
#ifndef PFMON_RECORD_SOURCE_H
#define PFMON_RECORD_SOURCE_H

#include "record/adapt.h"
#include "record/kernel_events.h"

struct source {
	pid_t		tid, pid;	/* of a thread; 0: a CPU's */
	unsigned int	cpu;
	struct sampler	sampler;	/* of the PMU's events */
	struct kernel_sampler kernel;	/* ... of the kernel's; neither: it is not sampled now */
	uint32_t	context;	/* number in the file: of the former, ... */
	uint32_t	kernel_context;	/* ... of the latter */
	bool		over;		/* the kernel has unloaded the context */
	uint64_t	last;		/* time of its last sample, or 0 */
	struct pace	*pace;		/* with -F */
	struct source	*next, *before;
};

static inline bool source_sampled(const struct source *source)
{
	return source->sampler.fd >= 0 || source->kernel.fd;
}

/*
 * Create the samplers. Without events of the PMU there is no context: the PMU is left to others.
 * False: errno is the command's, and a part may be open: call source_close().
 */
bool source_open(struct source *source, const struct sampling *sampling,
		 const struct kernel_sampling *kernel, struct problem *why);

/* Load the context, with @set as the first event set; a CPU's on the CPU that pfmon runs on. */
bool source_load(struct source *source, unsigned int set, struct problem *why);

/* Start and pause it. A source that has ended cannot start, and stops without a message. */
bool source_start(const struct source *source, struct problem *why);
void source_stop(const struct source *source);

/* errno stays as it is. */
void source_close(struct source *source);

#endif /* PFMON_RECORD_SOURCE_H */
