// SPDX-License-Identifier: GPL-2.0
/*
 * The outcome of `pfmon stat` as pfmon 3 printed it, for scripts that read that: a count in
 * 26 columns, a space and the event. pfmon-stat(1) documents it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "lib/perfmon_lib.h"
#include "stat/report_classic.h"

static bool take_word(struct classic_form *form, const char *word)
{
	if (!strcmp(word, "us"))
		form->digits = ',';
	else if (!strcmp(word, "eu"))
		form->digits = '.';
	else if (!strcmp(word, "hex"))
		form->digits = 'x';
	else if (!strcmp(word, "header"))
		form->header = true;
	else if (!strcmp(word, "time"))
		form->time = true;
	else
		return false;
	return true;
}

bool classic_form_read(struct classic_form *form, const char *list, struct problem *why)
{
	char *words = xstrdup(list ? list : ""), *rest = words, *word;
	bool ok = true;

	form->wanted = true;
	while (ok && list && (word = strsep(&rest, ",")))
		ok = take_word(form, word);
	free(words);
	return ok || problem(why, "--pfmon3=%s: a list of us, eu, hex, header and time is wanted", list);
}

static char *number(uint64_t value, const struct classic_form *form, char *buf, size_t size)
{
	char *p;

	if (form->digits == 'x')
		snprintf(buf, size, "0x%" PRIx64, value);
	else if (form->digits)
		with_thousands(value, buf, size);
	else
		snprintf(buf, size, "%" PRIu64, value);
	for (p = buf; form->digits == '.' && (p = strchr(p, ',')); )
		*p = '.';
	return buf;
}

/* pfmon 3 had the privilege levels beside the event: omit the levels at the end of the name. */
static int name_length(const char *name)
{
	size_t n = strlen(name), end;

	for (end = n; end > 1 && strchr("ukh", name[end - 1]); end--)
		if (name[end - 2] == ':')
			n = --end - 1;
	return (int)n;
}

static void print_event(FILE *out, const struct report *report, size_t i,
			const struct classic_form *form)
{
	const struct figure figure = figure_of_event(report, i);
	const char *name = report->events->event[i].name;
	char count[40] = "<not counted>";

	if (figure.n && report->nruns == 1) /* a double would round large counts */
		number(count_of_run(report, 0, i), form, count, sizeof(count));
	else if (figure.n)
		number((uint64_t)(figure.mean + 0.5), form, count, sizeof(count));
	fprintf(out, "%26s %.*s\n", count, name_length(name), name);
}

static void print_machine(FILE *out)
{
	const time_t now = time(NULL);
	struct utsname uts;
	char date[64];

	uname(&uts);
	strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", localtime(&now));
	fprintf(out, "#\n# date: %s\n#\n# hostname: %s\n#\n", date, uts.nodename);
	fprintf(out, "# kernel version: %s %s %s\n#\n", uts.sysname, uts.release, uts.version);
	fprintf(out, "# kernel perfmon version: %d.%d\n#\n", PFM_VERSION_MAJ, PFM_VERSION_MIN);
	fprintf(out, "# page size: %ld bytes\n#\n", sysconf(_SC_PAGESIZE));
	fprintf(out, "# CPU configured: %ld\n# CPU online: %ld\n#\n",
		sysconf(_SC_NPROCESSORS_CONF), sysconf(_SC_NPROCESSORS_ONLN));
}

static void print_header(FILE *out, const struct report *report)
{
	const struct target *target = report->target;
	const struct event *event;
	char **arg;
	size_t i;

	print_machine(out);
	fputs("# captured events:\n", out);
	for (i = 0; i < report->events->n; i++) {
		event = &report->events->event[i];
		fputs("#\t", out);
		if (!event->software)
			fprintf(out, "PMD%u: ", report->pmu->counters[event->counter].pmd);
		fprintf(out, "%.*s, set%u = %s%s\n", name_length(event->name), event->name,
			event->set, event->levels & LEVEL_USER ? "u" : "",
			event->levels & LEVEL_KERNEL ? "k" : "");
	}
	fprintf(out, "#\n# monitoring mode: %s\n#\n",
		target->kind == TARGET_CPUS ? "system-wide" : "per-thread");
	if (target->command) {
		fputs("# command:", out);
		for (arg = target->command; *arg; arg++)
			fprintf(out, " %s", *arg);
		fputs("\n#\n", out);
	}
}

static void print_time(FILE *out, const struct report *report, enum run_time which,
		       const char *name)
{
	const uint64_t ms = (uint64_t)(figure_of_time(report, which).mean * 1000 + 0.5);

	fprintf(out, "%s %" PRIu64 "h%02" PRIu64 "m%02" PRIu64 ".%03" PRIu64 "s", name,
		ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

void report_classic(FILE *out, const struct report *report, const struct classic_form *form)
{
	size_t i;

	if (form->time) {
		print_time(out, report, TIME_ELAPSED, "real");
		if (has_cpu_times(report)) {
			print_time(out, report, TIME_USER, " user");
			print_time(out, report, TIME_SYS, " sys");
		}
		fputc('\n', out);
	}
	if (form->header)
		print_header(out, report);
	for (i = 0; i < report->events->n; i++)
		print_event(out, report, i, form);
	for (i = 0; i < report->notes.n; i++) /* on stderr: scripts read the counts */
		complain("note: %s", report->notes.text[i]);
}
