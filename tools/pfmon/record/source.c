// SPDX-License-Identifier: GPL-2.0
/* A thread or a CPU, with its samplers: a context, perf_events, or both. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/source.h"

bool source_open(struct source *source, const struct sampling *sampling,
		 const struct kernel_sampling *kernel, struct problem *why)
{
	source->sampler.fd = -1;
	return kernel_sampler_open(&source->kernel, kernel, source->tid, source->cpu, why) &&
	       (!sampling->nsampled || sampler_open(&source->sampler, sampling, why));
}

bool source_load(struct source *source, unsigned int set, struct problem *why)
{
	return source->sampler.fd < 0 ||
	       sampler_load(&source->sampler, source->tid ?: gettid(), set, why);
}

bool source_start(const struct source *source, struct problem *why)
{
	kernel_sampler_switch(&source->kernel, true);
	return source->sampler.fd < 0 || session_start(source->sampler.fd, why);
}

void source_stop(const struct source *source)
{
	kernel_sampler_switch(&source->kernel, false);
	if (source->sampler.fd >= 0)
		session_stop(source->sampler.fd);
}

void source_close(struct source *source)
{
	const int error = errno;

	sampler_close(&source->sampler);
	kernel_sampler_close(&source->kernel);
	free(source->pace);
	source->pace = NULL;
	errno = error;
}
