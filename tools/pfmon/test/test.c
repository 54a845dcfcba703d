// SPDX-License-Identifier: GPL-2.0
/* pfmon test: check perfmon on this machine. See pfmon-test(1). */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cmdline.h"
#include "explain.h"
#include "test/measure.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon test [-o FILE]\n"
	"Count and sample programs of known length: are the figures right?\n"
	"\n"
	"  -o, --output FILE  write there, to attach it to a report\n"
	"\n"
	"See pfmon-test(1).\n";

struct request {
	const char	*output;
};

static bool take_option(void *data, int option, struct problem *why)
{
	struct request *request = data;

	if (option != 'o')
		return cmdline_unknown(why, "test");
	request->output = optarg;
	return true;
}

/* A flag of the first CPU in /proc/cpuinfo. */
static bool has_flag(const char *flag)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *line = NULL, *at;
	bool has = false;
	size_t room = 0;

	while (file && !has && getline(&line, &room, file) >= 0) {
		at = strncmp(line, "flags", 5) ? NULL : strstr(line, flag);
		has = at && at[-1] == ' ' && strchr(" \n", at[strlen(flag)]);
	}
	free(line);
	if (file)
		fclose(file);
	return has;
}

static const char *backend(void)
{
	const char *name = perfmon_backend();

	return !strcmp(name, "device") ? "/dev/perfmon" :
	       !strcmp(name, "perf_events") ? "perf_event_open()" : "perfmonctl()";
}

static void describe_machine(FILE *out, const struct tester *tester)
{
	struct utsname system;

	uname(&system);
	fprintf(out, "Linux %s on %s%s, through %s\n", system.release, system.machine,
		has_flag("hypervisor") ? " under a hypervisor" : "", backend());
	fprintf(out, "PMU: %s, %u counters of %u bits\n", tester->pmu.model[0] ? tester->pmu.model : "without a name",
		tester->pmu.ncounters, tester->pmu.width);
	fprintf(out, "You may count %s; kernel.perf_event_paranoid is %d\n\n",
		tester->rights.levels & LEVEL_KERNEL ? "both levels" : "user level",
		paranoid_level());
}

/* The findings so far: how many of each verdict, and the ways out of refusals, each once. */
struct tally {
	unsigned int	numbers[VERDICTS];
	struct strings	hints;
};

static void run_checks(FILE *out, const struct tester *tester, const struct check *checks,
		       struct tally *tally)
{
	static const char *const words[VERDICTS] = { "right", "off", "BROKEN", "not here" };
	struct finding finding;

	for (; checks->name; checks++) {
		found(&finding, VERDICT_BROKEN, "nothing was found");
		checks->run(tester, &finding);
		tally->numbers[finding.verdict]++;
		if (finding.says.hint[0])
			strings_add_once(&tally->hints, xstrdup(finding.says.hint));
		fprintf(out, "  %-9s %s: %s\n", words[finding.verdict], checks->name,
			finding.says.what);
		fflush(out);
	}
}

/* The first program whose event this PMU counts. */
static bool find_program(struct tester *tester, struct problem *why)
{
	struct measurement m;

	for (tester->program = programs; tester->program->event; tester->program++) {
		if (measurement_make(&m, tester, tester->program->event, false, why)) {
			measurement_free(&m);
			why->what[0] = '\0';
			return true;
		}
	}
	return problem(why, "pfmon knows no program whose events this PMU counts");
}

/* False, with the reason: no check is possible. */
static bool prepare(struct tester *tester, struct problem *why)
{
	memset(tester, 0, sizeof(*tester));
	tester->watchdog = watchdog_state();
	if (!pmu_read(&tester->pmu, why) ||
	    !rights_ask(&tester->rights, &tester->pmu, false, why) ||
	    (tester->pmu.ncounters && !pmu_find_names(&tester->pmu, why)))
		return false;
	if (!tester->pmu.ncounters)
		return problem(why, "there is no PMU with counters here");
	return find_program(tester, why);
}

static bool run_all(FILE *out, const struct tester *tester)
{
	struct tally tally = { 0 };
	const unsigned int *n = tally.numbers;
	size_t i;

	describe_machine(out, tester);
	run_checks(out, tester, counting_checks, &tally);
	run_checks(out, tester, overflow_checks, &tally);
	run_checks(out, tester, neighbour_checks, &tally);
	for (i = 0; i < tally.hints.n; i++)
		fprintf(out, "\n%s\n", tally.hints.text[i]);
	strings_free(&tally.hints);
	fprintf(out, "\n%u right, %u off, %u broken, %u not here\n", n[VERDICT_RIGHT],
		n[VERDICT_OFF], n[VERDICT_BROKEN], n[VERDICT_NOT_HERE]);
	return !n[VERDICT_BROKEN];
}

/* 0: nothing is broken; 1: something is; -1, with the reason: there are no findings. */
static int run(const struct request *request, struct problem *why)
{
	const char *name = request->output;
	struct tester tester;
	int status = -1;

	if (!prepare(&tester, why))
		; /* no file is opened for this */
	else if (name && !freopen(name, "w", stdout))
		problem(why, "cannot write '%s': %s", name, strerror(errno));
	else
		status = run_all(stdout, &tester) ? EXIT_SUCCESS : EXIT_FAILURE;
	pmu_free(&tester.pmu);
	if (status >= 0 && (fflush(stdout) || ferror(stdout))) {
		problem(why, "cannot write the findings: %s", strerror(errno));
		return -1;
	}
	return status;
}

int verb_test(int argc, char **argv)
{
	static const struct option names[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct cmdline cmdline = { "o:h", names, take_option };
	struct request request = { NULL };
	struct problem why = { "", "" };
	bool help = false;
	int status = -1;

	if (cmdline_read(&cmdline, &request, argc, argv, &help, &why)) {
		if (help) {
			fputs(usage, stdout);
			return EXIT_SUCCESS;
		}
		if (optind < argc) {
			problem(&why, "'%s' is too much: pfmon test has a program of its own",
				argv[optind]);
			cmdline_hint(&why, "test");
		} else {
			status = run(&request, &why);
		}
	}
	if (status >= 0)
		return status;
	problem_print(&why);
	return EXIT_FAILURE;
}
