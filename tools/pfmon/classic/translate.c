// SPDX-License-Identifier: GPL-2.0
/* From the command line of pfmon 3 to that of a verb. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "classic/events.h"
#include "classic/pattern.h"
#include "classic/record.h"
#include "classic/translate.h"

static void add(struct strings *argv, const char *option, const char *value)
{
	if (value)
		strings_add(argv, xasprintf("%s%s", option, value));
}

/* Whole seconds; the verbs take milliseconds. */
static bool add_seconds(struct strings *argv, const char *option, const char *old,
			const char *seconds, struct problem *why)
{
	uint64_t value;

	if (!seconds)
		return true;
	if (!parse_u64(seconds, &value) || value > INT32_MAX / 1000)
		return problem(why, "%s=%s: a number of seconds is wanted", old, seconds);
	strings_add(argv, xasprintf("%s%llu", option, (unsigned long long)value * 1000));
	return true;
}

/* Of the programs that the command executes, those of this name. */
static bool add_programs(struct strings *argv, const char *option, const char *regex,
			 struct problem *why)
{
	char *glob;

	if (!regex)
		return true;
	glob = glob_of_regex(option, regex, "the verbs", "pfmon stat --follow-exec='cc*' make", why);
	add(argv, option, glob);
	free(glob);
	return glob;
}

/* The addresses at which it starts and stops. */
static void add_triggers(const struct classic *classic, struct strings *argv)
{
	add(argv, "--trigger-start=", classic->code_start);
	add(argv, "--trigger-stop=", classic->code_stop);
	if (classic->code_repeat)
		add(argv, "--trigger-repeat", "");
}

/* CPUs, a thread, or a command with its children. */
static bool add_target(const struct classic *classic, struct strings *argv, struct problem *why)
{
	const bool system_wide = classic->system_wide || classic->cpus;

	if (system_wide && classic->attach)
		return problem(why, "--system-wide and --attach-task exclude each other");
	if (classic->attach && classic->follow) {
		problem(why, "--follow-*: a task that runs already is counted alone");
		return problem_hint(why, "pfmon stat -p PID counts all threads of a process.");
	}
	if (!system_wide && !classic->attach && !classic->command) {
		problem(why, "there is nothing to measure: name a command, or --system-wide, or --attach-task");
		return problem_hint(why, "`pfmon help` shows the verbs; pfmon-from-pfmon3(7) the old options.");
	}
	if (classic->cpus)
		add(argv, "--cpu=", classic->cpus);
	else if (system_wide)
		add(argv, "-a", "");
	add(argv, "--tid=", classic->attach);
	if (!system_wide && !classic->attach && !classic->follow)
		add(argv, "-i", "");
	if (!add_programs(argv, "--follow-exec=", classic->only, why) ||
	    !add_programs(argv, "--follow-exec-exclude=", classic->except, why))
		return false;
	add_triggers(classic, argv);
	return add_seconds(argv, "--timeout=", "--session-timeout", classic->seconds, why);
}

static void note_follow(const struct classic *classic, struct strings *notes)
{
	if (classic->follow && classic->follow != FOLLOW_ALL && !classic->system_wide)
		strings_add(notes, xstrdup("what the command starts is followed whichever way it is started, as with --follow-all"));
	if (classic->follow && (classic->code_start || classic->code_stop) && !classic->code_follow)
		strings_add(notes, xstrdup("each task that is followed has the triggers, as with --trigger-code-follow"));
}

static void add_command(const struct classic *classic, struct strings *argv)
{
	char **arg;

	if (!classic->command)
		return;
	add(argv, "--", "");
	for (arg = classic->command; *arg; arg++)
		add(argv, *arg, "");
}

/* The form of the counts: `pfmon stat --pfmon3`. */
static void add_form(const struct classic *classic, struct strings *argv)
{
	static const char *const formats[] = { ['u'] = ",us", ['e'] = ",eu", ['x'] = ",hex" };
	char *how = xasprintf("%s%s%s", classic->format ? formats[(int)classic->format] : "",
			      classic->header ? ",header" : "", classic->time ? ",time" : "");

	add(argv, *how ? "--pfmon3=" : "--pfmon3", *how ? how + 1 : "");
	free(how);
}

/* Tasks and CPUs one by one, unless they are added up. */
static void add_parts(const struct classic *classic, struct strings *argv)
{
	if (classic->aggregate)
		return;
	if (classic->system_wide || classic->cpus)
		add(argv, "--per-cpu", "");
	else if (classic->follow)
		add(argv, "--per-thread", "");
}

static bool to_stat(const struct classic *classic, struct strings *argv, struct strings *notes,
		    struct problem *why)
{
	struct strings sets = { NULL, 0, 0 };
	size_t i;
	bool ok;

	add(argv, "stat", "");
	add_form(classic, argv);
	ok = classic_events(classic, &sets, why);
	for (i = 0; ok && i < sets.n; i++) /* braces keep the events of one -e in one event set */
		strings_add(argv, xasprintf(sets.n > 1 ? "--event={%s}" : "--event=%s",
					    sets.text[i]));
	strings_free(&sets);
	if (!ok || !add_target(classic, argv, why) ||
	    !add_seconds(argv, "--delay=", "--trigger-start-delay", classic->delay_seconds, why))
		return false;
	add_parts(classic, argv);
	add(argv, "--switch-timeout=", classic->switch_ms);
	add(argv, "--interval-print=", classic->interval_ms);
	add(argv, "--output=", classic->outfile);
	if (classic->append && classic->outfile)
		add(argv, "--append", "");
	note_follow(classic, notes);
	add_command(classic, argv);
	return true;
}

static bool to_record(const struct classic *classic, struct strings *argv,
		      struct strings *notes, struct problem *why)
{
	const char *file = classic->samples ? classic->samples : "pfmon.data";

	add(argv, "record", "");
	if (!classic_sampling(classic, argv, why) || !add_target(classic, argv, why) ||
	    !add_seconds(argv, "--delay=", "--trigger-start-delay", classic->delay_seconds, why))
		return false;
	add(argv, "--switch-timeout=", classic->switch_ms);
	add(argv, "--output=", classic->samples);
	note_follow(classic, notes);
	strings_add(notes, xasprintf("the samples are in a file of pfmon record's; for the profile: pfmon report -i %s", file));
	add_command(classic, argv);
	return true;
}

static bool to_list(const char *pattern, struct strings *argv, struct problem *why)
{
	char *glob;

	add(argv, "list", "");
	if (!pattern)
		return true;
	glob = glob_of_regex("-l", pattern, "pfmon list", "pfmon list 'MEM_*'", why);
	if (glob)
		strings_add(argv, glob);
	return glob;
}

bool classic_translate(const struct classic *classic, struct strings *argv,
		       struct strings *notes, struct problem *why)
{
	switch (classic->task) {
	case CLASSIC_LIST:
		return to_list(classic->pattern, argv, why);
	case CLASSIC_EVENT:
		add(argv, "list", "");
		add(argv, classic->pattern, "");
		return true;
	case CLASSIC_PMU:
		add(argv, "info", "");
		return true;
	case CLASSIC_HELP:
		add(argv, "help", "");
		return true;
	default:
		return classic->sampling_asked ? to_record(classic, argv, notes, why) :
						 to_stat(classic, argv, notes, why);
	}
}
