/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording of a few samples that were never taken, written and read again.
 */
#ifndef TESTS_PFMON_UNIT_RECORDING_H
#define TESTS_PFMON_UNIT_RECORDING_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon.h>
#include <perfmon_default_smpl.h>

#include "../harness.h"
#include "../../tools/pfmon/run/loop.h"
#include "../../tools/pfmon/data/load.h"
#include "../../tools/pfmon/report/print.h"
#include "../../tools/pfmon/data/read.h"
#include "../../tools/pfmon/record/recording.h"

#define PERIOD		1000
#define KERNEL		0xffffffff81000000ULL
#define NOWHERE		0x1000

/* Functions with names, of which one has a C++ name. */
__attribute__((noinline, used)) int well_known(int n);
int well_known(int n)
{
	return n + 1;
}

int plus_plus(int n) __asm__("_ZN5space4plusEi");
__attribute__((noinline, used)) int plus_plus(int n)
{
	return n + 2;
}

static char path[] = "/tmp/unit_recording-XXXXXX";
static struct problem why;
static struct profile profile;
static struct lines lines;
static struct strings notes;

/* What a recording is about, of which nothing was started. */
static char *command[] = { "true", "a b", NULL };
static struct pmu pmu = { .model = "Model", .events = "nhm" };
static struct event event = { .name = "instructions:u", .full = "FULL", .levels = LEVEL_USER };
static pfarg_pmd_t pmd = { .reg_num = 16 };
static const struct plan plan = { .pmds = &pmd, .npmds = 1 };
static struct sampling sampling = { .plan = &plan, .period = PERIOD };
static struct recording_about about = {
	.command = command, .pmu = &pmu, .event = &event, .sampling = &sampling,
};
static struct recording recording;

static inline void begin(void)
{
	close(mkstemp(path));
	about.output = path;
	if (!recording_begin(&recording, &about, &why))
		FAIL("%s", why.what);
	recording.kernel_known = true; /* and has no symbols: not this machine's */
	recording_thread(&recording, getpid(), getpid());
}

#define AT(address)	((uint64_t)(uintptr_t)(address))

static inline void add(const uint64_t *at, size_t n)
{
	pfm_default_smpl_entry_t *samples = calloc(n + 1, sizeof(*samples));
	struct batch batch = { samples, n * sizeof(*samples), n };
	size_t i;

	for (i = 0; i < n; i++) {
		samples[i].pid = getpid();
		samples[i].tid = getpid();
		samples[i].ovfl_pmd = 16;
		samples[i].last_reset_val = -PERIOD;
		samples[i].ip = at[i];
	}
	recording_add(&recording, &batch);
	free(samples);
}

#define ADD(...)								\
	do {									\
		const uint64_t at[] = { __VA_ARGS__ };				\
		add(at, COUNT(at));						\
	} while (0)

static inline void end(void)
{
	if (!recording_end(&recording, 0, false, &why))
		FAIL("%s", why.what);
}

static inline void load(void)
{
	if (!profile_load(&profile, path, &why))
		FAIL("%s", why.what);
	unlink(path);
}

/* Samples in this symbol and, if it is not NULL, in this file. */
static inline uint64_t count(enum profile_sort sort, const char *symbol, const char *file)
{
	uint64_t sum = 0;
	size_t i;

	lines_make(&lines, &profile, sort, true, &notes);
	for (i = 0; i < lines.n; i++)
		if (!strcmp(lines.line[i].symbol, symbol) &&
		    (!file || !strcmp(lines.line[i].file, file)))
			sum += lines.line[i].count;
	lines_free(&lines);
	return sum;
}

static inline void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		FAIL("\"%s\" does not say \"%s\"", text, part);
}

#endif /* TESTS_PFMON_UNIT_RECORDING_H */
