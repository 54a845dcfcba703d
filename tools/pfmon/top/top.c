// SPDX-License-Identifier: GPL-2.0
/* pfmon top: the places of the samples, shown again and again. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nanoseconds.h"
#include "report/print.h"
#include "run/loop.h"
#include "top/feed.h"
#include "top/options.h"
#include "top/screen.h"
#include "top/terminal.h"
#include "verbs.h"

/* The number of times that samples come in an interval: so the table is not much older. */
#define FLUSHES		4

struct top {
	struct top_options	options;
	struct record_job	job;
	struct feed		feed;
	struct screen		screen;
	double			looked;		/* time of the last look; 0: no samples yet */
	double			next;		/* time of the next look */
	uint64_t		looks;
	uint64_t		samples;	/* of all looks */
	bool			on_terminal;	/* the screen is on the terminal */
	bool			over;
	bool			failed;
};

/* The target in words, for the heading. */
static char *describe(const struct record_target *target)
{
	const char *ids = target->kind == RECORD_PROCESSES ? "process" : "thread";
	size_t i;
	char *text, *longer;

	if (target->kind == RECORD_COMMAND)
		return xstrdup(basename(target->command[0]));
	if (target->kind == RECORD_CPUS)
		return xasprintf("%zu CPU%s", target->ncpus, PLURAL(target->ncpus));
	if (target->ids.n > 1)
		ids = target->kind == RECORD_PROCESSES ? "processes" : "threads";
	text = xstrdup(ids);
	for (i = 0; i < target->ids.n && i < 8; i++) {
		longer = xasprintf("%s %d", text, (int)target->ids.id[i]);
		free(text);
		text = longer;
	}
	return text;
}

static void show(struct top *top)
{
	size_t lines, columns, size;
	char *text = NULL;
	FILE *file;

	if (!top->on_terminal)
		return;
	terminal_size(&lines, &columns);
	file = open_memstream(&text, &size);
	if (!file)
		return;
	screen_draw(file, &top->screen, lines);
	fclose(file);
	terminal_show(text, lines, columns);
	free(text);
}

static void show_batch(struct top *top)
{
	screen_batch(stdout, &top->screen, top->options.limit);
	if (!fflush(stdout) && !ferror(stdout))
		return;
	complain("cannot write the table: %s", strerror(errno));
	top->over = true;
	top->failed = true;
}

static void fail(struct top *top, const struct problem *why)
{
	terminal_end();
	problem_print(why);
	top->over = true;
	top->failed = true;
}

/* Count the samples of an interval, and show them unless top is paused. */
static void look(struct top *top)
{
	struct stream *stream = &top->feed.stream;
	const double every = top->options.interval, time = now();
	struct problem why;
	size_t i;

	if (!stream_look(stream, &why)) {
		fail(top, &why);
		return;
	}
	for (i = 0; i < stream->profile.nevents; i++)
		top->samples += stream->profile.event[i].samples;
	if (!top->screen.paused)
		screen_take(&top->screen, &stream->profile, time - top->looked);
	top->looked = time;
	top->next += (floor((time - top->next) / every) + 1) * every;
	top->looks++;
	if (top->options.batch)
		show_batch(top);
	else
		show(top);
	if (top->options.count && top->looks >= top->options.count)
		top->over = true;
}

/* Sampling has begun: until then, the terminal shows the recorder's messages. */
static void begin_showing(struct top *top)
{
	struct problem why;

	top->looked = now();
	top->next = top->looked + top->options.interval;
	if (top->options.batch)
		return;
	if (!terminal_begin(&why)) {
		fail(top, &why);
		return;
	}
	top->on_terminal = true;
	top->screen.colour = colour_wanted(top->options.colour);
	show(top);
}

static void scroll(struct top *top, enum terminal_key key)
{
	struct screen *screen = &top->screen;
	size_t lines, columns, step = 1;

	terminal_size(&lines, &columns);
	if (key == TERMINAL_PAGE_UP || key == TERMINAL_PAGE_DOWN)
		step = lines > 4 ? lines - 4 : 1;
	if (key == TERMINAL_DOWN || key == TERMINAL_PAGE_DOWN)
		screen->scroll += step; /* screen_draw() knows the end */
	else
		screen->scroll -= step < screen->scroll ? step : screen->scroll;
}

static void take_letter(struct top *top, char letter)
{
	struct screen *screen = &top->screen;

	switch (letter) {
	case 'q':
		top->over = true;
		break;
	case 's':
		screen_next_sort(screen);
		break;
	case 'e':
		screen->event = (screen->event + 1) % top->feed.stream.profile.nevents;
		screen->scroll = 0;
		break;
	case 'p':
		screen->paused = !screen->paused;
		break;
	case 'h':
	case '?':
		screen->help = !screen->help;
		break;
	}
}

/* True: a key was pressed. */
static bool take_keys(struct top *top)
{
	enum terminal_key key;
	bool any = false;
	char letter;

	while (!top->over && (key = terminal_key(&letter)) != TERMINAL_NONE) {
		if (key == TERMINAL_LETTER)
			take_letter(top, letter);
		else if (key != TERMINAL_OTHER)
			scroll(top, key);
		any = true;
	}
	return any;
}

/* Do all work, whatever the wakeup was; without a reason the terminal has another size. */
static void work(struct top *top, unsigned int woken, const struct pollfd *keys)
{
	struct problem why;

	if (!feed_read(&top->feed, &why)) {
		fail(top, &why);
		return;
	}
	if (!top->looked && top->feed.stream.begun)
		begin_showing(top);
	if (woken & WAKE_SIGNAL || (keys->revents & ~POLLIN))
		top->over = true;
	if (woken & WAKE_TICK)
		look(top);
	if (top->on_terminal && (take_keys(top) || !woken))
		show(top);
}

static void run(struct top *top)
{
	struct pollfd fds[2] = { { .events = POLLIN }, { .fd = -1, .events = POLLIN } };
	struct loop loop;
	unsigned int woken;

	loop_setup();
	loop_begin(&loop, 0);
	while (!top->over && top->feed.fd >= 0) {
		fds[0].fd = top->feed.fd;
		fds[1].fd = top->on_terminal ? STDIN_FILENO : -1;
		loop.tick = top->next;
		woken = loop_wait(&loop, fds, 2);
		work(top, woken, &fds[1]);
	}
	/* It ended by itself: show the last samples, too. */
	if (!top->over && top->looked && top->feed.stream.nsamples)
		look(top);
}

static void print_summary(const struct top *top)
{
	const struct profile *profile = &top->feed.stream.profile;
	struct ledger ledger = top->feed.stream.ledger;
	char samples[40], lost[40];
	const struct ledger present = profile_ledger(profile);
	size_t i;

	if (!top->looked)
		return;
	ledger_sum(&ledger, &present);
	with_thousands(top->samples, samples, sizeof(samples));
	with_thousands(ledger_lost(&ledger), lost, sizeof(lost));
	complain("%s sample%s shown, %s lost", samples, PLURAL(top->samples), lost);
	if (top->feed.stream.dropped)
		complain("note: %llu bytes of samples were too many for one interval, and are not shown",
			 (unsigned long long)top->feed.stream.dropped);
	for (i = 0; i < profile->notes.n; i++)
		complain("note: %s", profile->notes.text[i]);
}

/* The status of a command that ended, or of a recorder that could not begin. */
static int top(struct top *top)
{
	struct problem why;
	char *target = describe(&top->job.options.target);
	bool by_itself;

	top->job.flush_ns = (uint64_t)(top->options.interval / FLUSHES * (double)NSEC_PER_SEC);
	top->screen.target = target;
	top->screen.sort = top->options.sort;
	top->screen.colour = top->options.colour == COLOUR_ALWAYS;
	if (!feed_begin(&top->feed, &top->job, &why)) {
		problem_print(&why);
		free(target);
		return EXIT_PFMON;
	}
	run(top);
	terminal_end();
	by_itself = top->feed.fd < 0;
	feed_end(&top->feed);
	print_summary(top);
	screen_free(&top->screen);
	stream_free(&top->feed.stream);
	free(target);
	if (top->failed)
		return EXIT_PFMON;
	return by_itself ? top->feed.status : 0;
}

static bool check(const struct top_options *options, struct problem *why)
{
	if (options->batch || terminal_there())
		return true;
	problem(why, "there is no terminal to show it on");
	return problem_hint(why, "`pfmon top --batch` prints plain tables.");
}

int verb_top(int argc, char **argv)
{
	struct problem why;
	struct top *all = xcalloc(1, sizeof(*all));
	int status = EXIT_PFMON;
	bool help;

	if (!top_options_read(&all->options, &all->job.options, argc, argv, &help, &why)) {
		problem_print(&why);
	} else if (help) {
		fputs(top_usage, stdout);
		status = 0;
	} else if (!check(&all->options, &why)) {
		problem_print(&why);
	} else {
		status = top(all);
	}
	record_job_free(&all->job);
	top_options_free(&all->options);
	free(all);
	return status;
}
