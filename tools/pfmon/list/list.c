// SPDX-License-Identifier: GPL-2.0
/* pfmon list: the events of the present CPU. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmu/aliases.h"
#include "pmu/emulated.h"
#include "pmu/libpfm.h"
#include "pmu/pmu.h"
#include "pmu/soft.h"
#include "suggest.h"
#include "verbs.h"

#define NAME_WIDTH	30

static const char usage[] =
	"usage: pfmon list [GLOB]\n"
	"Show the events of this CPU, with their unit masks and what they count.\n"
	"GLOB is matched with names such as INST_RETIRED or INST_RETIRED:ANY_P, whatever the\n"
	"case; a word without *, ? and [ matches wherever it occurs.\n"
	"\n"
	"See pfmon-list(1).\n";

/* Which events to show: on the emulated PMU two lists, elsewhere one. */
enum selection { ALL, MODELLED, NOT_MODELLED };

struct lister {
	char		*glob;
	enum selection	selection;
	int		columns;	/* of the terminal; 0: do not wrap */
	unsigned int	shown;
	const char	*heading;	/* to print before the next event */
	uint64_t	named;		/* bit: libpfm4 has a name for that emulated event */
};

static bool matches(const struct lister *l, const char *name)
{
	return !fnmatch(l->glob, name, FNM_CASEFOLD);
}

static bool matches_with_umask(const struct lister *l, const char *event, const char *umask)
{
	char *name = xasprintf("%s:%s", event, umask);
	const bool yes = matches(l, name);

	free(name);
	return yes;
}

static int terminal_columns(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ||
	    size.ws_col < 60)
		return 0;
	return size.ws_col;
}

static void print_heading(struct lister *l)
{
	if (l->heading)
		printf("%s%s\n", l->shown ? "\n" : "", l->heading);
	l->heading = NULL;
}

/* A name and its description, wrapped into its own column on a terminal. */
static void print_item(const struct lister *l, int indent, const char *name,
		       const char *desc, const char *more)
{
	const int column = indent + NAME_WIDTH + 2;
	char *text = xasprintf("%s%s", desc ? desc : "", more), *rest = text, *word;
	int at = column, length;

	printf("%*s%-*s ", indent, "", NAME_WIDTH, name);
	if ((int)strlen(name) > NAME_WIDTH)
		at += (int)strlen(name) - NAME_WIDTH;
	while ((word = strsep(&rest, " \n"))) {
		length = (int)strlen(word);
		if (!length)
			continue;
		if (l->columns && at > column && at + 1 + length > l->columns) {
			printf("\n%*s", column - 1, "");
			at = column;
		}
		printf(" %s", word);
		at += 1 + length;
	}
	putchar('\n');
	free(text);
}

/* Whether EVENT or EVENT:UMASK is in the part that is shown; also the exact meaning here. */
static bool selected(struct lister *l, const char *event, const char *umask,
		     const char **here)
{
	char *name = umask ? xasprintf("%s:%s", event, umask) : xstrdup(event);
	const struct emulated_event *emulated = NULL;
	struct libpfm_encoding encoding;

	*here = NULL;
	if (l->selection != ALL && libpfm_encode(name, LEVEL_ALL, &encoding) == ENCODE_OK &&
	    !encoding.has_extra && !emulated_refusal(encoding.encoding.code))
		emulated = emulated_find(encoding.encoding.code);
	free(name);
	if (emulated)
		l->named |= 1ULL << (emulated - emulated_events());
	if (emulated && l->selection == MODELLED)
		*here = emulated->desc;
	return l->selection == ALL || (l->selection == MODELLED) == (emulated != NULL);
}

static void print_umask(const struct lister *l, const struct libpfm_item *umask,
			const char *here)
{
	char *name = xasprintf(":%s", umask->name);

	print_item(l, 4, name, here ? here : umask->desc,
		   umask->is_default ? " [default]" : "");
	free(name);
}

static void print_event(struct lister *l, const struct libpfm_item *event)
{
	const bool whole = matches(l, event->name);
	unsigned int umasks = 0, shown = 0;
	struct libpfm_item attr;
	const char *here;
	int i;

	for (i = 0; i < event->nattrs; i++) {
		if (!libpfm_attr(event, i, &attr) || !attr.is_umask)
			continue;
		umasks++;
		if ((!whole && !matches_with_umask(l, event->name, attr.name)) ||
		    !selected(l, event->name, attr.name, &here))
			continue;
		if (!shown++) {
			print_heading(l);
			print_item(l, 0, event->name, event->desc, "");
		}
		print_umask(l, &attr, here);
	}
	if (!umasks && whole && selected(l, event->name, NULL, &here)) {
		print_heading(l);
		print_item(l, 0, event->name, here ? here : event->desc, "");
		shown++;
	}
	l->shown += shown;
}

static void print_events(struct lister *l, enum selection selection)
{
	struct libpfm_item event;
	int id = -1;

	l->selection = selection;
	for (; libpfm_next_event(id, &event); id = event.id)
		print_event(l, &event);
}

/* What the emulated PMU models and libpfm4 has no name for on this CPU. */
static void print_emulated_only(struct lister *l)
{
	const struct emulated_event *event;

	for (event = emulated_events(); event->name; event++) {
		if (l->named & 1ULL << (event - emulated_events()) || !matches(l, event->name))
			continue;
		print_heading(l);
		print_item(l, 0, event->name, event->desc, "");
		l->shown++;
	}
}

static void print_aliases(struct lister *l)
{
	const struct alias *alias;
	char *event;

	l->heading = "Short names:";
	for (alias = aliases; alias->name; alias++) {
		event = matches(l, alias->name) ? alias_expand(alias->name) : NULL;
		if (!event)
			continue;
		print_heading(l);
		print_item(l, 0, alias->name, event, "");
		free(event);
		l->shown++;
	}
}

static void print_all(struct lister *l, const struct libpfm_pmu *pmu)
{
	printf("%s (%s)\n\n", pmu->desc, pmu->name);
	print_aliases(l);
	if (!emulated_pmu()) {
		l->heading = "Events:";
		print_events(l, ALL);
		return;
	}
	l->heading = "Events that the emulated PMU of this guest models:";
	print_events(l, MODELLED);
	print_emulated_only(l);
	l->heading = "Events that it does not model; `pfmon stat` refuses them here:";
	print_events(l, NOT_MODELLED);
}

static int nothing_matches(const char *wanted)
{
	const size_t length = strcspn(wanted, ":");
	const struct soft_event *soft;
	struct libpfm_item event;
	struct suggest suggest;
	char near[256];
	int id = -1;

	suggest_begin(&suggest, wanted, length);
	for (soft = soft_events; soft_machine() && soft->name; soft++)
		suggest_offer(&suggest, soft->name);
	for (; libpfm_next_event(id, &event); id = event.id)
		suggest_offer(&suggest, event.name);
	suggest_end(&suggest, near, sizeof(near));
	complain("no event matches '%s'%s%s%s", wanted, near[0] ? "; did you mean " : "", near,
		 near[0] ? "?" : "");
	return EXIT_FAILURE;
}

/* Which of them this kernel has, its registers say. */
static bool print_soft(struct lister *l, struct problem *why)
{
	const struct soft_event *event;
	struct pmu pmu;

	if (!pmu_read(&pmu, why))
		return false;
	puts("Software PMU of the kernel\n");
	l->heading = "Events:";
	for (event = soft_events; event->name; event++) {
		if (!soft_has(&pmu, event) || !matches(l, event->name))
			continue;
		print_heading(l);
		print_item(l, 0, event->name, event->desc, "");
		l->shown++;
	}
	pmu_free(&pmu);
	return true;
}

static bool print_hardware(struct lister *l, struct problem *why)
{
	struct libpfm_pmu pmu;

	if (!libpfm_open(&pmu, why))
		return false;
	print_all(l, &pmu);
	return true;
}

static int list(const char *pattern)
{
	struct lister l = { .columns = terminal_columns() };
	const bool soft = soft_machine();
	struct problem why = { "", "" };
	bool ok;

	l.glob = !pattern			? xstrdup("*") :
		 strpbrk(pattern, "*?[")	? xstrdup(pattern) :
						  xasprintf("*%s*", pattern);
	ok = soft ? print_soft(&l, &why) : print_hardware(&l, &why);
	free(l.glob);
	if (!ok) {
		problem_print(&why);
		return EXIT_FAILURE;
	}
	if (!l.shown)
		return nothing_matches(pattern ? pattern : "*");
	if (!pattern && !soft)
		puts("\nEvents take modifiers: :u user level, :k kernel level; `pfmon list EVENT` and an\n"
		     "invalid one with `pfmon stat -e` show more. See pfmon-list(1).");
	return EXIT_SUCCESS;
}

int verb_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	optind = 0;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) >= 0) {
		fputs(usage, option == 'h' ? stdout : stderr);
		return option == 'h' ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	if (argc - optind > 1) {
		fputs(usage, stderr);
		return EXIT_FAILURE;
	}
	return list(argv[optind]);
}
