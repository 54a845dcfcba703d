// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: the perfmon side: one context on the calling thread.
 */
#define _GNU_SOURCE
#include <perfmon.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"

/* PERFEVTSEL: user, kernel, enable. */
#define EVENTSEL_ON	0x430000

static int fd;
static pfarg_pmd_t pmds[MAX_COUNTERS];

static void call(int cmd, void *arg, int n)
{
	if (syscall(__NR_perfmonctl, fd, cmd, arg, n))
		bench_die("perfmonctl() command %#x", cmd);
}

static void perfmon_open(int n)
{
	pfarg_load_t load = { .load_pid = gettid() };
	pfarg_pmc_t pmcs[MAX_COUNTERS] = { };
	pfarg_ctx_t ctx = { };
	int i;

	call(PFM_CREATE_CONTEXT, &ctx, 1);
	fd = ctx.ctx_fd;
	for (i = 0; i < n; i++) {
		pmcs[i].reg_num = i;
		pmcs[i].reg_value = EVENTSEL_ON | bench_events[i];
		pmds[i].reg_num = i;
	}
	call(PFM_WRITE_PMCS, pmcs, n);
	call(PFM_LOAD_CONTEXT, &load, 1);
	call(PFM_START, NULL, 0);
}

static void perfmon_read(int n)
{
	call(PFM_READ_PMDS, pmds, n);
}

static void perfmon_stop_start(void)
{
	call(PFM_STOP, NULL, 0);
	call(PFM_START, NULL, 0);
}

static void perfmon_close(void)
{
	call(PFM_UNLOAD_CONTEXT, NULL, 0);
	close(fd);
}

const struct side perfmon_side = {
	.name = "perfmon", .open = perfmon_open, .read = perfmon_read,
	.stop_start = perfmon_stop_start, .close = perfmon_close,
};
