// SPDX-License-Identifier: GPL-2.0
/*
 * registers [N [EVENT,...]] - events by name in a context of the program's own: the values of the
 * registers, and the counts of a loop of N turns by the interface's commands alone, as with a
 * tool that has its own use for sets, messages or a format.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfmon_events.h>
#include <perfmon_lib.h>

#include "loop.h"

/* The commands change the elements of a vector, and the list's own are constant. */
static void *copy(const void *elements, int n, size_t size)
{
	void *to = calloc(n, size);

	if (!to)
		err(1, "registers");
	return memcpy(to, elements, n * size);
}

/* @result: of the command @cmd, with its vector */
static void check(int result, int cmd, const void *elements, int n)
{
	char why[256];

	if (result < 0)
		errx(1, "%s", perfmon_describe_error(why, sizeof(why), cmd, errno, elements, n));
}

/* A context for this thread, with the registers written. */
static int prepare(pfarg_pmc_t *pmcs, int npmcs, pfarg_pmd_t *pmds, int npmds)
{
	pfarg_ctx_t ctx = { 0 };
	const int fd = perfmon_create_context(&ctx);

	check(fd, PFM_CREATE_CONTEXT, NULL, 0);
	check(perfmon_write_pmcs(fd, pmcs, npmcs), PFM_WRITE_PMCS, pmcs, npmcs);
	check(perfmon_write_pmds(fd, pmds, npmds), PFM_WRITE_PMDS, pmds, npmds);
	check(perfmon_load(fd, getpid()), PFM_LOAD_CONTEXT, NULL, 0);
	return fd;
}

int main(int argc, char **argv)
{
	const unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	const char *list = argc > 2 ? argv[2] : "instructions:u,branches:u";
	struct perfmon_event_list *events = perfmon_events(list);
	const pfarg_pmc_t *values;
	const pfarg_pmd_t *counters;
	int i, npmcs, npmds, fd;
	pfarg_pmc_t *pmcs;
	pfarg_pmd_t *pmds;

	if (!events)
		errx(1, "%s\n%s", perfmon_error(), perfmon_error_hint());
	if (perfmon_events_sets(events) > 1)
		errx(1, "these events do not fit on the counters at once");
	values = perfmon_events_pmcs(events, &npmcs);
	counters = perfmon_events_pmds(events, &npmds);
	pmcs = copy(values, npmcs, sizeof(*pmcs));
	pmds = copy(counters, npmds, sizeof(*pmds));
	for (i = 0; i < npmcs; i++)
		printf("PMC%u %#" PRIx64 "\n", pmcs[i].reg_num, (uint64_t)pmcs[i].reg_value);
	fd = prepare(pmcs, npmcs, pmds, npmds);
	check(perfmon_start(fd), PFM_START, NULL, 0);
	loop(n);
	check(perfmon_stop(fd), PFM_STOP, NULL, 0);
	check(perfmon_read_pmds(fd, pmds, npmds), PFM_READ_PMDS, pmds, npmds);
	for (i = 0; i < npmds; i++)
		printf("PMD%u %" PRIu64 " %s\n", pmds[i].reg_num, (uint64_t)pmds[i].reg_value,
		       perfmon_events_name(events, i));
	perfmon_close(fd);
	free(pmds);
	free(pmcs);
	perfmon_events_free(events);
	return 0;
}
