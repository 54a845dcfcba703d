// SPDX-License-Identifier: GPL-2.0
/*
 * regions [N [THREADS]] - a program with regions, in several threads. Try
 *
 *	PERFMON_REGIONS=- PERFMON_EVENTS=instructions:u,branches:u ./regions
 *
 * An empty region shows what a begin and its end count themselves.
 */
#include <err.h>
#include <pthread.h>
#include <stdlib.h>

#include <perfmon_regions.h>

#include "loop.h"

#define TIMES	3

static unsigned long n = 1000000;

static void *work(void *arg)
{
	int i;

	perfmon_region_begin("work");
	for (i = 0; i < TIMES; i++) {
		perfmon_region_begin("empty");
		perfmon_region_end("empty");
		perfmon_region_begin("loop");
		loop(n);
		perfmon_region_end("loop");
	}
	perfmon_region_end("work");
	return arg;
}

int main(int argc, char **argv)
{
	unsigned long threads, i;
	pthread_t *thread;

	if (argc > 1)
		n = strtoul(argv[1], NULL, 0);
	threads = argc > 2 ? strtoul(argv[2], NULL, 0) : 3;
	thread = calloc(threads + 1, sizeof(*thread));
	for (i = 0; i < threads; i++)
		if (!thread || pthread_create(&thread[i], NULL, work, NULL))
			errx(1, "cannot create a thread");
	work(NULL);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return 0;
}
