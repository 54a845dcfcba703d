// SPDX-License-Identifier: GPL-2.0
/* The command line of pfmon 3: its options, and replacements for those without a match. */
#define _GNU_SOURCE
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "classic/options.h"

enum {
	SYSTEM_WIDE = CHAR_MAX + 1, CPU_LIST, FORK, VFORK, PTHREAD, EXEC, ALL, AGGREGATE,
	EXCLUDE, CODE_START, CODE_STOP, CODE_REPEAT, CODE_FOLLOW,
	LONG_PERIODS, SHORT_PERIODS, RANDOM, ENTRIES, MODULE, SAMPLES, SWITCH, DELAY, INTERVAL,
	OUTFILE, APPEND, HEADER, FORMAT_US, FORMAT_EU, FORMAT_HEX, TIME, LEVELS, AS_EVER,
	REFUSED,	/* the last one: number n is refused[n - REFUSED] */
};

/* Options of pfmon 3 that no verb has, and the way out. */
static const struct {
	const char	*name;
	int		argument;
	const char	*instead;
} refused[] = {
	{ "trigger-data-start-addresses", required_argument, "no verb starts at an access to data" },
	{ "trigger-data-stop-addresses", required_argument, "no verb stops at an access to data" },
	{ "exec-split-results", no_argument,
	  "pfmon stat --per-thread splits by thread, but not at an exec" },
	{ "no-cmd-output", no_argument, "redirect the command: sh -c 'COMMAND >/dev/null'" },
	{ "check-events-only", no_argument, "pfmon stat -e LIST true counts nothing else" },
	{ "counter-mask", required_argument, "write it to the event: EVENT:c=N" },
	{ "inv-mask", required_argument, "write it to the event: EVENT:i" },
	{ "edge-mask", required_argument, "write it to the event: EVENT:e" },
	{ "extra-smpl-pmds", required_argument, "name events: pfmon record --with=LIST" },
	{ "smpl-print-counts", no_argument, "pfmon report shows how many events a recording is of" },
	{ "saturate-smpl-buffer", no_argument, "pfmon record empties the buffer until the end" },
	{ "reset-non-smpl-periods", no_argument, "each event's period is its own" },
};

#define OPTIONS	64

static const struct option accepted[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "events", required_argument, NULL, 'e' },
	{ "user-level", no_argument, NULL, 'u' },
	{ "kernel-level", no_argument, NULL, 'k' },
	{ "priv-levels", required_argument, NULL, LEVELS },
	{ "show-events", optional_argument, NULL, 'l' },
	{ "long-show-events", optional_argument, NULL, 'L' },
	{ "event-info", required_argument, NULL, 'i' },
	{ "info", no_argument, NULL, 'I' },
	{ "system-wide", no_argument, NULL, SYSTEM_WIDE },
	{ "cpu-list", required_argument, NULL, CPU_LIST },
	{ "attach-task", required_argument, NULL, 'p' },
	{ "follow-fork", no_argument, NULL, FORK },
	{ "follow-vfork", no_argument, NULL, VFORK },
	{ "follow-pthread", no_argument, NULL, PTHREAD },
	{ "follow-exec", optional_argument, NULL, EXEC },
	{ "follow-exec-exclude", required_argument, NULL, EXCLUDE },
	{ "follow-all", no_argument, NULL, ALL },
	{ "aggregate-results", no_argument, NULL, AGGREGATE },
	{ "long-smpl-periods", required_argument, NULL, LONG_PERIODS },
	{ "short-smpl-periods", required_argument, NULL, SHORT_PERIODS },
	{ "smpl-periods-random", required_argument, NULL, RANDOM },
	{ "smpl-entries", required_argument, NULL, ENTRIES },
	{ "smpl-module", required_argument, NULL, MODULE },
	{ "smpl-outfile", required_argument, NULL, SAMPLES },
	{ "switch-timeout", required_argument, NULL, SWITCH },
	{ "session-timeout", required_argument, NULL, 't' },
	{ "trigger-start-delay", required_argument, NULL, DELAY },
	{ "trigger-code-start-addresses", required_argument, NULL, CODE_START },
	{ "trigger-code-stop-addresses", required_argument, NULL, CODE_STOP },
	{ "trigger-code-repeat", no_argument, NULL, CODE_REPEAT },
	{ "trigger-code-follow", no_argument, NULL, CODE_FOLLOW },
	{ "print-interval", required_argument, NULL, INTERVAL },
	{ "outfile", required_argument, NULL, OUTFILE },
	{ "append", no_argument, NULL, APPEND },
	{ "with-header", no_argument, NULL, HEADER },
	{ "us-counter-format", no_argument, NULL, FORMAT_US },
	{ "eu-counter-format", no_argument, NULL, FORMAT_EU },
	{ "hex-counter-format", no_argument, NULL, FORMAT_HEX },
	{ "show-time", no_argument, NULL, TIME },
	/* These are always on. */
	{ "overflow-block", no_argument, NULL, AS_EVER },
	{ "resolve-addresses", no_argument, NULL, AS_EVER },
	{ "symbol-file", required_argument, NULL, AS_EVER },
	{ "sysmap-file", required_argument, NULL, AS_EVER },
	{ "demangle-cpp", no_argument, NULL, AS_EVER },
};

_Static_assert(COUNT(accepted) + COUNT(refused) < OPTIONS, "and the end");

static bool take_follow(struct classic *classic, int option)
{
	static const unsigned int kinds[] = { FOLLOW_FORK, FOLLOW_VFORK, FOLLOW_PTHREAD,
					      FOLLOW_EXEC, FOLLOW_ALL };

	if (option == EXEC)
		classic->only = optarg;
	classic->follow |= kinds[option - FORK];
	return true;
}

/* The task is named once: pfmon 3 took the first of these as well. */
static bool take_task(struct classic *classic, enum classic_task task)
{
	if (classic->task == CLASSIC_MEASURE) {
		classic->task = task;
		classic->pattern = optarg;
	}
	return true;
}

static bool take_sampling(struct classic *classic, int option, struct problem *why)
{
	static const char *const modules[] = { "inst-hist", "detailed", "compact", "raw" };
	size_t i;

	classic->sampling_asked = true;
	switch (option) {
	case LONG_PERIODS:
		classic->long_periods = optarg;
		return true;
	case SHORT_PERIODS:
		classic->short_periods = optarg;
		return true;
	case RANDOM:
		classic->random = optarg;
		return true;
	case ENTRIES:
		classic->entries = optarg;
		return true;
	case SAMPLES:
		classic->samples = optarg;
		return true;
	}
	for (i = 0; i < COUNT(modules); i++)
		if (!strcmp(optarg, modules[i]))
			return true; /* a recording serves for all of them */
	problem(why, "--smpl-module=%s: there is no such module here", optarg);
	return problem_hint(why, "pfmon record writes one kind of file, from which pfmon report makes what inst-hist,\ndetailed, compact and raw were for.");
}

/* Options whose argument is kept as it is; NULL for others. */
static const char **place_of(struct classic *classic, int option)
{
	switch (option) {
	case LEVELS:
		return &classic->levels;
	case CPU_LIST:
		return &classic->cpus;
	case 'p':
		return &classic->attach;
	case SWITCH:
		return &classic->switch_ms;
	case 't':
		return &classic->seconds;
	case DELAY:
		return &classic->delay_seconds;
	case CODE_START:
		return &classic->code_start;
	case CODE_STOP:
		return &classic->code_stop;
	case INTERVAL:
		return &classic->interval_ms;
	case OUTFILE:
		return &classic->outfile;
	default:
		return NULL;
	}
}

/* Options that are there or not. */
static bool take_switch(struct classic *classic, int option)
{
	switch (option) {
	case 'u': case '3':
		return classic->user = true;
	case 'k': case '0':
		return classic->kernel = true;
	case SYSTEM_WIDE:
		return classic->system_wide = true;
	case AGGREGATE:
		return classic->aggregate = true;
	case APPEND:
		return classic->append = true;
	case HEADER:
		return classic->header = true;
	case TIME:
		return classic->time = true;
	case CODE_REPEAT:
		return classic->code_repeat = true;
	case CODE_FOLLOW:
		return classic->code_follow = true;
	case FORMAT_US: case FORMAT_EU: case FORMAT_HEX:
		classic->format = "uex"[option - FORMAT_US];
		return true;
	default:
		return option == AS_EVER;
	}
}

static bool take(struct classic *classic, int option, struct problem *why)
{
	const char **place = place_of(classic, option);

	if (place) {
		*place = optarg;
		return true;
	}
	if (option >= REFUSED)
		return problem(why, "--%s of pfmon 3: %s", refused[option - REFUSED].name,
			       refused[option - REFUSED].instead);
	if (option >= FORK && option <= ALL)
		return take_follow(classic, option);
	if (option >= LONG_PERIODS && option <= SAMPLES)
		return take_sampling(classic, option, why);
	switch (option) {
	case 'e':
		strings_add(&classic->events, xstrdup(optarg));
		return true;
	case EXCLUDE:
		classic->except = optarg;
		classic->follow |= FOLLOW_EXEC;
		return true;
	case 'l': case 'L':
		return take_task(classic, CLASSIC_LIST);
	case 'i':
		return take_task(classic, CLASSIC_EVENT);
	case 'I':
		return take_task(classic, CLASSIC_PMU);
	case 'h':
		return take_task(classic, CLASSIC_HELP);
	case '1': case '2':
		return problem(why, "-%c: processors of today have no privilege level %c; there are -u and -k",
			       option, option);
	}
	if (take_switch(classic, option))
		return true;
	problem(why, "the command line cannot be understood"); /* getopt_long() has printed why */
	return problem_hint(why, "Without a verb it is one of pfmon 3's: see pfmon-from-pfmon3(7). `pfmon help` shows\nthe verbs.");
}

bool classic_read(struct classic *classic, int argc, char **argv, struct problem *why)
{
	struct option options[OPTIONS] = { { NULL, 0, NULL, 0 } };
	size_t i;
	int option;

	memcpy(options, accepted, sizeof(accepted));
	for (i = 0; i < COUNT(refused); i++)
		options[COUNT(accepted) + i] = (struct option){
			refused[i].name, refused[i].argument, NULL, REFUSED + (int)i
		};
	memset(classic, 0, sizeof(*classic));
	optind = 0; /* again from the beginning, GNU's way */
	while ((option = getopt_long(argc, argv, "+e:uk0123l::L::i:It:p:h", options, NULL)) >= 0)
		if (!take(classic, option, why))
			return false;
	if (optind < argc)
		classic->command = &argv[optind];
	return true;
}

void classic_free(struct classic *classic)
{
	strings_free(&classic->events);
}
