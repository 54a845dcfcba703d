// SPDX-License-Identifier: GPL-2.0
/* A flat profile in three forms: text, separated fields, JSON. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "report/print.h"

#define FORMAT_VERSION	1

/* The lines of one event that are shown: how many, and the first. */
static size_t lines_of(const struct profile_view *view, size_t event,
		       const struct line **first)
{
	const struct lines *lines = view->lines;
	size_t i, n = 0;

	for (i = 0; i < lines->n && lines->line[i].event < event; i++)
		;
	*first = lines->line + i;
	while (i + n < lines->n && lines->line[i + n].event == event)
		n++;
	return view->limit && n > view->limit ? (size_t)view->limit : n;
}

static double percent(const struct profile_view *view, const struct line *line)
{
	return 100 * (double)line->count /
	       (double)view->profile->event[line->event].samples;
}

static uint64_t lost(const struct ledger *ledger)
{
	return ledger->full + ledger->error + ledger->throttled;
}

/*
 * What comes from the file is shown, not obeyed: no line breaks, no escapes. Returns how
 * many bytes were printed.
 */
static size_t print_plain(FILE *out, const char *text)
{
	size_t n;

	for (n = 0; text[n]; n++)
		fputc((unsigned char)text[n] < ' ' || text[n] == 0x7f ? '?' : text[n], out);
	return n;
}

static void print_lost(FILE *out, const struct profile *profile)
{
	const struct ledger ledger = profile_ledger(profile);
	const char *between = " (";
	char number[40];
	size_t i;
	const struct {
		uint64_t	n;
		const char	*why;
	} kinds[] = {
		{ ledger.full, "buffer full" },
		{ ledger.throttled, "throttled" },
		{ ledger.error, "errors" },
	};

	if (!profile->has_ledger) {
		fputs(", lost: unknown\n", out);
		return;
	}
	fprintf(out, ", %s lost", with_thousands(lost(&ledger), number, sizeof(number)));
	for (i = 0; i < COUNT(kinds); i++) {
		if (!kinds[i].n)
			continue;
		fprintf(out, "%s%s: %s", between, kinds[i].why,
			with_thousands(kinds[i].n, number, sizeof(number)));
		between = ", ";
	}
	fputs(lost(&ledger) ? ")\n" : "\n", out);
}

static void print_heading(FILE *out, const struct profile *profile)
{
	const time_t seconds = (time_t)(profile->started / 1000000000);
	char when[64] = "an unknown time";
	struct tm local;
	size_t i;

	if (profile->started && localtime_r(&seconds, &local))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %z", &local);
	if (profile->command.n) {
		fputs("# command:", out);
		for (i = 0; i < profile->command.n; i++) {
			fputc(' ', out);
			print_plain(out, profile->command.text[i]);
		}
		fputc('\n', out);
	}
	fprintf(out, "# recorded: %s", when);
	if (profile->host.n) {
		fputs(" on ", out);
		print_plain(out, profile->host.text[0]);
	}
	if (profile->finished)
		fprintf(out, ", %.3f s", (double)profile->duration * 1e-9);
	fputc('\n', out);
}

static void print_event(FILE *out, const struct profile_view *view, size_t number)
{
	const struct sampled_event *event = &view->profile->event[number];
	char text[40];

	fputs("# event: ", out);
	print_plain(out, event->name);
	if (event->random_mask)
		fprintf(out, ", periods %s", with_thousands(event->period - event->random_mask,
							    text, sizeof(text)));
	fprintf(out, "%s %s\n", event->random_mask ? " to" : ", period",
		with_thousands(event->period, text, sizeof(text)));
	fprintf(out, "# samples: %s", with_thousands(event->samples, text, sizeof(text)));
	fprintf(out, " (of %s events)", with_thousands(event->occurrences, text, sizeof(text)));
	print_lost(out, view->profile);
}

/* So wide is the column of the symbols; a very long one, as C++ has them, sticks out. */
static size_t symbol_width(const struct line *line, size_t n)
{
	size_t width = 0, i;

	for (i = 0; i < n; i++)
		if (strlen(line[i].symbol) > width)
			width = strlen(line[i].symbol);
	return width < 50 ? width : 50;
}

static void print_lines(FILE *out, const struct profile_view *view, size_t event)
{
	const struct line *line;
	const size_t n = lines_of(view, event, &line), width = symbol_width(line, n);
	size_t printed, i;
	char count[40];

	if (!n)
		return;
	fprintf(out, "#\n#%11s %8s  ", "samples", "percent");
	if (view->sort == SORT_SYMBOL)
		fprintf(out, "%-*s  ", (int)width, "symbol");
	fputs("file\n", out);
	for (i = 0; i < n; i++) {
		fprintf(out, "%12s %7.2f%%  ",
			with_thousands(line[i].count, count, sizeof(count)),
			percent(view, &line[i]));
		if (view->sort == SORT_SYMBOL) {
			printed = print_plain(out, line[i].symbol);
			fprintf(out, "%*s", (int)(printed < width ? width - printed + 2 : 2), "");
		}
		print_plain(out, line[i].file);
		fputc('\n', out);
	}
}

void profile_print_text(FILE *out, const struct profile_view *view)
{
	const struct profile *profile = view->profile;
	size_t event, i;

	print_heading(out, profile);
	for (event = 0; event < profile->nevents; event++) {
		print_event(out, view, event);
		print_lines(out, view, event);
		if (event + 1 < profile->nevents)
			fputc('\n', out);
	}
	for (i = 0; i < view->notes.n; i++) {
		fputs("# Note: ", out);
		print_plain(out, view->notes.text[i]);
		fputc('\n', out);
	}
}

static bool check_separator(const struct profile_view *view, const char *separator,
			    struct problem *why)
{
	const struct line *line;
	size_t event, n, i;

	for (event = 0; event < view->profile->nevents; event++) {
		n = lines_of(view, event, &line);
		for (i = 0; i < n; i++) {
			if (!strstr(line[i].symbol, separator) &&
			    !strstr(line[i].file, separator))
				continue;
			problem(why, "-x %s: the separator occurs in %s, %s", separator,
				line[i].symbol, line[i].file);
			return problem_hint(why, "Take another one, such as '\\t' or ';'.");
		}
	}
	return true;
}

bool profile_print_separated(FILE *out, const struct profile_view *view,
			     const char *separator, struct problem *why)
{
	const struct profile *profile = view->profile;
	const struct ledger ledger = profile_ledger(profile);
	const struct line *line;
	size_t event, n, i;

	if (!check_separator(view, separator, why))
		return false;
	for (event = 0; event < profile->nevents; event++) {
		n = lines_of(view, event, &line);
		for (i = 0; i < n; i++) {
			fprintf(out, "%" PRIu64 "%s%.2f%s", line[i].count, separator,
				percent(view, &line[i]), separator);
			print_plain(out, profile->event[event].name);
			fputs(separator, out);
			print_plain(out, line[i].symbol);
			fputs(separator, out);
			print_plain(out, line[i].file);
			fputc('\n', out);
		}
		fprintf(out, "# samples: %" PRIu64 "\n", profile->event[event].samples);
	}
	if (profile->has_ledger)
		fprintf(out, "# lost: %" PRIu64 "\n", lost(&ledger));
	for (i = 0; i < view->notes.n; i++) {
		fputs("# ", out);
		print_plain(out, view->notes.text[i]);
		fputc('\n', out);
	}
	return true;
}

static void json_strings(struct json *json, const char *key, const struct strings *list)
{
	size_t i;

	json_array(json, key);
	for (i = 0; i < list->n; i++)
		json_string(json, NULL, list->text[i]);
	json_end(json);
}

static void json_lost(struct json *json, const struct profile *profile)
{
	const struct ledger ledger = profile_ledger(profile);

	if (!profile->has_ledger) {
		json_null(json, "lost");
		return;
	}
	json_object(json, "lost");
	json_u64(json, "all", lost(&ledger));
	json_u64(json, "buffer_full", ledger.full);
	json_u64(json, "throttled", ledger.throttled);
	json_u64(json, "errors", ledger.error);
	json_end(json);
}

static void json_event(struct json *json, const struct profile_view *view, size_t number)
{
	const struct sampled_event *event = &view->profile->event[number];
	const struct line *line;
	size_t n, i;

	json_object(json, NULL);
	json_string(json, "event", event->name);
	json_string(json, "encoded", event->full);
	json_u64(json, "pmd", event->pmd);
	json_u64(json, "period", event->period);
	json_u64(json, "random_mask", event->random_mask);
	json_u64(json, "samples", event->samples);
	json_u64(json, "occurrences", event->occurrences);
	json_array(json, "lines");
	n = lines_of(view, number, &line);
	for (i = 0; i < n; i++) {
		json_object(json, NULL);
		json_u64(json, "samples", line[i].count);
		json_double(json, "percent", percent(view, &line[i]), 4);
		if (view->sort == SORT_SYMBOL)
			json_string(json, "symbol", line[i].symbol);
		json_string(json, "file", line[i].file);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

void profile_print_json(FILE *out, const struct profile_view *view)
{
	const struct profile *profile = view->profile;
	struct json json = { .out = out };
	size_t i;

	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	json_strings(&json, "command", &profile->command);
	if (profile->host.n)
		json_string(&json, "host", profile->host.text[0]);
	else
		json_null(&json, "host");
	json_double(&json, "started", (double)profile->started * 1e-9, 3);
	json_double(&json, "elapsed_seconds", (double)profile->duration * 1e-9, 9);
	json_bool(&json, "finished", profile->finished);
	json_bool(&json, "interrupted", profile->interrupted);
	json_int(&json, "status", profile->status);
	json_lost(&json, profile);
	json_array(&json, "events");
	for (i = 0; i < profile->nevents; i++)
		json_event(&json, view, i);
	json_end(&json);
	json_strings(&json, "notes", &view->notes);
	json_end(&json);
}
