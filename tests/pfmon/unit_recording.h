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
#include "../../tools/pfmon/data/frames.h"
#include "../../tools/pfmon/data/load.h"
#include "../../tools/pfmon/report/print.h"
#include "../../tools/pfmon/data/read.h"
#include "../../tools/pfmon/record/adapt.h"
#include "../../tools/pfmon/record/maps.h"
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
static struct gathered gathered;	/* of that file */

/* The description of a recording whose command was never started. */
static char *command[] = { "true", "a b", NULL };
static struct pmu pmu = { .model = "Model", .events = "nhm" };
static struct event one_event = { .name = "instructions:u", .full = "FULL", .levels = LEVEL_USER };
static const struct events one_of_them = { .event = &one_event, .n = 1 };
static pfarg_pmd_t pmd = { .reg_num = 16 };
static const struct plan plan = { .pmds = &pmd, .npmds = 1, .nsets = 1 };
static const uint64_t period = PERIOD;
static struct sampling sampling = { .plan = &plan, .nsampled = 1, .period = &period };
static struct recording_about about = {
	.command = command, .pmu = &pmu, .events = &one_of_them, .sampling = &sampling,
};
static struct recording recording;
static struct maps maps;		/* this process' */
static uint64_t ticks;			/* the time of the last sample */
static bool samples_only;		/* add() does not read the mappings */

static inline void begin(void)
{
	close(mkstemp(path));
	about.output = path;
	if (!recording_begin(&recording, &about, &why))
		FAIL("%s", why.what);
	recording.kernel.known = true; /* and has no symbols: not this machine's */
	maps.pid = getpid();
	recording_thread(&recording, getpid(), getpid());
}

#define AT(address)	((uint64_t)(uintptr_t)(address))

/* Samples of a context, each later than the one before. */
static inline void add_to(uint32_t context, const uint64_t *at, size_t n)
{
	pfm_default_smpl_entry_t *samples = calloc(n + 1, sizeof(*samples));
	const struct batch batch = {
		.samples = samples, .sample_size = sizeof(*samples), .count = n,
	};
	size_t i;

	for (i = 0; i < n; i++) {
		samples[i].pid = getpid();
		samples[i].tid = getpid();
		samples[i].ovfl_pmd = 16;
		samples[i].last_reset_val = -PERIOD;
		samples[i].tstamp = ++ticks;
		samples[i].ip = at[i];
	}
	if (!samples_only)
		maps_before(&maps, &recording);
	recording_samples(&recording, context, &batch);
	if (!samples_only)
		maps_after(&maps, &recording, ticks);
	free(samples);
}

static inline void add(const uint64_t *at, size_t n)
{
	add_to(0, at, n);
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

static const struct load_options with_hits = { .hits = true };
static const struct gather_options all_time = { .to = -1 };

static inline void load(void)
{
	if (!profile_load(&profile, path, &with_hits, &why) ||
	    !gather(&gathered, path, &all_time, &why))
		FAIL("%s", why.what);
	unlink(path);
}

/* Sum up the samples by these keys. */
static inline void sum_up(struct table *table, const char *keys, bool mangled)
{
	static const struct filter none;
	struct table_options options = { .filter = &none, .mangled = mangled };

	CHECK(keys_parse(&options.keys, keys, &why));
	table_make(table, &gathered, &options);
}

/* Samples in this symbol, or in any, and in this file, or in any. */
static inline uint64_t count(const char *symbol, const char *file)
{
	struct table table;
	uint64_t sum = 0;
	size_t i;

	sum_up(&table, "symbol,file", false);
	for (i = 0; i < table.n; i++)
		if ((!symbol || !strcmp(table.row[i]->value[0], symbol)) &&
		    (!file || !strcmp(table.row[i]->value[1], file)))
			sum += table.row[i]->count[0];
	table_free(&table);
	return sum;
}

static inline void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		FAIL("\"%s\" does not contain \"%s\"", text, part);
}

#endif /* TESTS_PFMON_UNIT_RECORDING_H */
