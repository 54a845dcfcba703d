// SPDX-License-Identifier: GPL-2.0
/* The heading of a table of samples: the recordings, the events, the lost samples. */
#define _GNU_SOURCE
#include <time.h>

#include "nanoseconds.h"
#include "report/print.h"

size_t print_plain(FILE *out, const char *text)
{
	size_t n;

	for (n = 0; text[n]; n++)
		fputc((unsigned char)text[n] < ' ' || text[n] == 0x7f ? '?' : text[n], out);
	return n;
}

void print_notes(FILE *out, const char *prefix, const struct strings *notes)
{
	size_t i;

	for (i = 0; i < notes->n; i++) {
		fputs(prefix, out);
		print_plain(out, notes->text[i]);
		fputc('\n', out);
	}
}

static void print_source(FILE *out, const struct source *source)
{
	const time_t seconds = (time_t)(source->started / NSEC_PER_SEC);
	char when[64] = "an unknown time";
	struct tm local;
	size_t i;

	if (source->started && localtime_r(&seconds, &local))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %z", &local);
	if (source->command.n) {
		fputs("# command:", out);
		for (i = 0; i < source->command.n; i++) {
			fputc(' ', out);
			print_plain(out, source->command.text[i]);
		}
		fputc('\n', out);
	}
	fprintf(out, "# recorded: %s", when);
	if (*source->host) {
		fputs(" on ", out);
		print_plain(out, source->host);
	}
	if (source->finished)
		fprintf(out, ", %.3f s", (double)source->duration * 1e-9);
	fputc('\n', out);
}

void print_heading(FILE *out, const struct view *view)
{
	const struct gathered *gathered = view->gathered;
	size_t i;

	for (i = 0; i < gathered->nsources; i++) {
		if (gathered->nsources > 1) {
			fputs(view->table->layout != LAYOUT_SOURCES ? "# file: " :
			      i ? "# after: " : "# before: ", out);
			print_plain(out, gathered->source[i].input);
			fputc('\n', out);
		}
		print_source(out, &gathered->source[i]);
	}
}

static void print_lost(FILE *out, const struct view *view)
{
	struct ledger ledger;
	char lost[256] = "", number[40];

	if (!view_ledger(view, &ledger)) {
		fputs(", lost: unknown\n", out);
		return;
	}
	append_lost(lost, sizeof(lost), &ledger);
	fprintf(out, ", %s", lost);
	if (ledger.unplaced)
		fprintf(out, ", %s more without room in the kernel's table",
			with_thousands(ledger.unplaced, number, sizeof(number)));
	if (ledger.masked_ns)
		fprintf(out, ", masked for %.6f s", (double)ledger.masked_ns * 1e-9);
	if (ledger.suspended_ns)
		fprintf(out, ", suspended for %.6f s", (double)ledger.suspended_ns * 1e-9);
	fputc('\n', out);
}

static void print_chosen(FILE *out, const struct view *view, size_t number)
{
	const uint64_t all = view->gathered->event[number].samples;
	const uint64_t n = view_chosen(view, number);
	char text[40];

	fprintf(out, "# chosen: %s sample%s, %.2f%% of all\n",
		with_thousands(n, text, sizeof(text)), PLURAL(n),
		all ? 100 * (double)n / (double)all : 0);
}

/* The notes have the reasons. */
static void print_unnamed(FILE *out, const struct gathered_event *event)
{
	const char *before = "# no symbols: ";
	char text[40];

	if (event->unmapped) {
		fprintf(out, "%s%s where nothing is known to be mapped", before,
			with_thousands(event->unmapped, text, sizeof(text)));
		before = ", ";
	}
	if (event->unread)
		fprintf(out, "%s%s in files that are gone or not known to be those recorded", before,
			with_thousands(event->unread, text, sizeof(text)));
	if (event->unmapped || event->unread)
		fputc('\n', out);
}

/* Both numbers: the event may have different periods in the two recordings. */
static void print_both(FILE *out, const struct view *view, size_t number)
{
	char before[40], after[40];

	fprintf(out, "\n# %s: %s before, %s after", view->filtered ? "chosen" : "samples",
		with_thousands(table_total(view->table, number, 0), before, sizeof(before)),
		with_thousands(table_total(view->table, number, 1), after, sizeof(after)));
	print_lost(out, view);
}

static void print_period(FILE *out, const struct gathered_event *event)
{
	char text[40];

	if (event->hz) {
		fprintf(out, ", %s samples a second wanted\n",
			with_thousands(event->hz, text, sizeof(text)));
		return;
	}
	if (event->random_mask)
		fprintf(out, ", periods %s", with_thousands(event->period - event->random_mask,
							    text, sizeof(text)));
	fprintf(out, "%s %s\n", event->random_mask ? " to" : ", period",
		with_thousands(event->period, text, sizeof(text)));
}

void print_event(FILE *out, const struct view *view, size_t number)
{
	const struct gathered_event *event = &view->gathered->event[number];
	char text[40];

	fputs("# event: ", out);
	print_plain(out, event->name);
	if (view->table->layout == LAYOUT_SOURCES) {
		print_both(out, view, number);
		print_unnamed(out, event);
		return;
	}
	print_period(out, event);
	fprintf(out, "# samples: %s", with_thousands(event->samples, text, sizeof(text)));
	fprintf(out, " (of %s events)", with_thousands(event->occurrences, text, sizeof(text)));
	print_lost(out, view);
	print_unnamed(out, event);
	if (view->filtered)
		print_chosen(out, view, number);
}
