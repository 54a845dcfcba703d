// SPDX-License-Identifier: GPL-2.0
/* The table is report's, made anew each time from the samples of the last interval. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report/print.h"
#include "top/screen.h"

#define MARGIN	3	/* lines of the heading and the titles */

static const char help[] =
	"\n"
	"  q          quit\n"
	"  s          sum up by the next key: symbol, file, program, process\n"
	"  e          show the next event\n"
	"  p          pause: sampling goes on, the table stays\n"
	"  up, down, page up, page down   scroll\n"
	"  h          this text, and back\n"
	"\n"
	"  A percentage is a part of the samples that were taken since the last\n"
	"  time. See pfmon-top(1).\n";

static const struct keys sorts[] = {
	{ .key = { KEY_SYMBOL, KEY_FILE }, .n = 2 },
	{ .key = { KEY_FILE }, .n = 1 },
	{ .key = { KEY_COMM }, .n = 1 },
	{ .key = { KEY_PID, KEY_COMM }, .n = 2 },
};

void screen_next_sort(struct screen *screen)
{
	size_t i;

	for (i = 0; i < COUNT(sorts); i++)
		if (screen->sort.key[0] == sorts[i].key[0])
			break;
	screen->sort = sorts[i < COUNT(sorts) ? (i + 1) % COUNT(sorts) : 0];
	screen->scroll = 0;
}

void screen_take(struct screen *screen, struct profile *profile, double seconds)
{
	static const struct gather_options how = { .tasks = true, .to = -1 };

	gathered_free(&screen->gathered);
	gather_profile(&screen->gathered, "", profile, &how);
	screen->seconds = seconds;
}

void screen_free(struct screen *screen)
{
	gathered_free(&screen->gathered);
	symbols_cache_free(&screen->cache);
}

static struct view view_of(struct screen *screen, struct table *table, uint64_t limit)
{
	static const struct filter all;
	const struct table_options options = {
		.keys = screen->sort, .filter = &all, .cache = &screen->cache,
		.layout = keys_have(&screen->sort, KEY_EVENT) ? LAYOUT_MIXED : LAYOUT_SECTIONS,
	};

	table_make(table, &screen->gathered, &options);
	return (struct view){
		.gathered = &screen->gathered, .table = table,
		.colour = screen->colour, .limit = limit,
	};
}

static void print_period(FILE *out, const struct gathered_event *event)
{
	char period[40];

	if (event->hz)
		fprintf(out, ", %llu a second", (unsigned long long)event->hz);
	else
		fprintf(out, ", period %s", with_thousands(event->period, period, sizeof(period)));
}

static void print_what(FILE *out, const struct screen *screen, size_t number)
{
	const struct gathered_event *event = &screen->gathered.event[number];
	char samples[40];

	print_plain(out, screen->target);
	fputs(": ", out);
	print_plain(out, event->name);
	print_period(out, event);
	fprintf(out, "; %s sample%s in %.1f s",
		with_thousands(event->samples, samples, sizeof(samples)), PLURAL(event->samples),
		screen->seconds);
}

void screen_draw(FILE *out, struct screen *screen, size_t lines)
{
	const size_t room = lines > MARGIN ? lines - MARGIN : 1;
	const struct row **rows;
	struct table table;
	struct view view;
	size_t n;

	if (screen->help) {
		fputs(help, out);
		return;
	}
	fprintf(out, "pfmon top (%s): ", screen->paused ? "paused" : "h help");
	if (!screen->gathered.nevents) {
		print_plain(out, screen->target);
		fputs(": no samples yet\n", out);
		return;
	}
	view = view_of(screen, &table, 0);
	rows = view_rows(&view, screen->event, &n);
	if (screen->scroll + room > n)
		screen->scroll = n > room ? n - room : 0;
	n -= screen->scroll;
	print_what(out, screen, screen->event);
	fputs("\n\n", out);
	print_rows(out, &view, rows + screen->scroll, n < room ? n : room);
	free(rows);
	table_free(&table);
}

void screen_batch(FILE *out, struct screen *screen, uint64_t limit)
{
	const struct row **rows;
	struct table table;
	const struct view view = view_of(screen, &table, limit);
	size_t event, n;

	for (event = 0; event < screen->gathered.nevents; event++) {
		fputs("# ", out);
		print_what(out, screen, event);
		fputc('\n', out);
		if (view_sections(&view) == 1 && event + 1 < screen->gathered.nevents)
			continue;
		rows = view_rows(&view, event, &n);
		print_rows(out, &view, rows, n);
		free(rows);
		fputc('\n', out);
	}
	table_free(&table);
}
