// SPDX-License-Identifier: GPL-2.0
/* pfmon list: the events of the present CPU, for people; catalog.h has them for programs. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmdline.h"
#include "list/catalog.h"
#include "pmu/aliases.h"
#include "pmu/emulated.h"
#include "pmu/libpfm.h"
#include "pmu/pmu.h"
#include "pmu/soft.h"
#include "pmu/software.h"
#include "suggest.h"
#include "util.h"
#include "verbs.h"

#define NAME_WIDTH	30

static const char usage[] =
	"usage: pfmon list [--json | --names] [GLOB]\n"
	"Show the events of this CPU, with their unit masks and what they count.\n"
	"GLOB is matched with names such as INST_RETIRED or INST_RETIRED:ANY_P, whatever\n"
	"the case; a word without *, ? and [ matches wherever it occurs.\n"
	"\n"
	"  -j, --json   one JSON object: all that -e accepts, and what is known of it\n"
	"      --names  bare names that -e accepts, one a line\n"
	"  -h, --help   this text\n"
	"\n"
	"See pfmon-list(1).\n";

/* The events to show: on the emulated PMU two lists, elsewhere one. */
enum selection { ALL, MODELLED, NOT_MODELLED };

struct lister {
	const char	*glob;
	enum selection	selection;
	int		columns;	/* of the terminal; 0: do not wrap */
	unsigned int	shown;
	char		*title;		/* to print before the first event */
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
	if (l->title)
		printf("%s\n\n", l->title);
	free(l->title);
	l->title = NULL;
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

/* True if EVENT or EVENT:UMASK is in the part that is shown; *@here: its exact meaning here. */
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

/*
 * The emulated PMU's own names: of the events that have a libpfm4 name on this CPU, which was
 * shown, or of the others.
 */
static void print_emulated(struct lister *l, bool named)
{
	const struct emulated_event *event;
	struct libpfm_item same;

	for (event = emulated_events(); event->name; event++) {
		if (named != (l->named >> (event - emulated_events()) & 1) ||
		    !matches(l, event->name) || libpfm_find_event(event->name, &same))
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

static void print_software(struct lister *l)
{
	const struct software_event *event;
	char *more;

	l->heading = "Events of the kernel, counted beside the PMU's:";
	for (event = software_events; event->name; event++) {
		if (!matches(l, event->name) &&
		    !(event->short_name && matches(l, event->short_name)))
			continue;
		more = event->short_name ? xasprintf(" [%s]", event->short_name) : xstrdup("");
		print_heading(l);
		print_item(l, 0, event->name, event->desc, more);
		free(more);
		l->shown++;
	}
}

static void print_all(struct lister *l, const struct libpfm_pmu *pmu)
{
	l->title = xasprintf("%s (%s)", pmu->desc, pmu->name);
	print_aliases(l);
	print_software(l);
	if (!emulated_pmu()) {
		l->heading = "Events:";
		print_events(l, ALL);
		return;
	}
	l->heading = "Events that the emulated PMU of this guest models:";
	print_events(l, MODELLED);
	print_emulated(l, false);
	l->heading = "The same by the emulated PMU's own names:";
	print_emulated(l, true);
	l->heading = "Events that it does not model; `pfmon stat` refuses them here:";
	print_events(l, NOT_MODELLED);
}

static int nothing_matches(const char *wanted)
{
	const size_t length = strcspn(wanted, ":");
	const struct software_event *software;
	const struct soft_event *soft;
	struct libpfm_item event;
	struct suggest suggest;
	char near[256];
	int id = -1;

	suggest_begin(&suggest, wanted, length);
	for (soft = soft_events; soft_machine() && soft->name; soft++)
		suggest_offer(&suggest, soft->name);
	for (software = software_events; software->name; software++)
		suggest_offer(&suggest, software->name);
	for (; libpfm_next_event(id, &event); id = event.id)
		suggest_offer(&suggest, event.name);
	suggest_end(&suggest, near, sizeof(near));
	complain("no event matches '%s'%s%s%s", wanted, near[0] ? "; did you mean " : "", near,
		 near[0] ? "?" : "");
	return EXIT_FAILURE;
}

/* The registers determine which of them this kernel has. */
static void print_soft_events(struct lister *l, const struct pmu *pmu, bool tests)
{
	const struct soft_event *event;

	for (event = soft_events; event->name; event++) {
		if (tests != soft_is_test(event) || !soft_has(pmu, event) ||
		    !matches(l, event->name))
			continue;
		print_heading(l);
		print_item(l, 0, event->name, event->desc, "");
		l->shown++;
	}
}

static bool print_soft(struct lister *l, struct problem *why)
{
	struct pmu pmu;

	if (!pmu_read(&pmu, why))
		return false;
	l->title = xstrdup("Software PMU of the kernel");
	l->heading = "Events:";
	print_soft_events(l, &pmu, false);
	l->heading = "Events that root injects, to test perfmon: see /sys/kernel/debug/perfmon:";
	print_soft_events(l, &pmu, true);
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

/* Modifiers are nearly the same for all events: the first one's stand for all. */
static void print_modifiers(struct lister *l)
{
	struct libpfm_item event, attr;
	char *name;
	int i;

	l->heading = "Modifiers, such as cycles:u; the values are numbers, or 1 when left out:";
	for (i = 0; libpfm_next_event(-1, &event) && i < event.nattrs; i++) {
		if (!libpfm_attr(&event, i, &attr) || attr.is_umask)
			continue;
		name = xasprintf(":%s", attr.name);
		print_heading(l);
		print_item(l, 4, name, attr.desc, "");
		free(name);
	}
}

static const char other_ways[] =
	"\n"
	"There are also cycles:uk, rHEX and cpu/event=.../ as perf writes them, pmcN=VALUE for a\n"
	"control register, and {a,b} for a group: see pfmon-stat(1).\n";

static bool print_text(const char *glob, bool everything, unsigned int *shown, struct problem *why)
{
	struct lister l = { .glob = glob, .columns = terminal_columns() };
	const bool soft = soft_machine() && !getenv("LIBPFM_FORCE_PMU");

	if (!(soft ? print_soft(&l, why) : print_hardware(&l, why)))
		return false;
	free(l.title);
	*shown = l.shown;
	if (!everything || soft)
		return true;
	print_modifiers(&l);
	fputs(other_ways, stdout);
	return true;
}

enum form { FORM_TEXT, FORM_JSON, FORM_NAMES };

static bool print_catalog(const char *glob, enum form form, unsigned int *shown,
			  struct problem *why)
{
	struct catalog catalog;

	if (!catalog_open(&catalog, glob, why))
		return false;
	*shown = form == FORM_JSON ? catalog_json(stdout, &catalog) :
				     catalog_names(stdout, &catalog);
	catalog_close(&catalog);
	return true;
}

static int list(const char *pattern, enum form form)
{
	char *glob = !pattern			? xstrdup("*") :
		     strpbrk(pattern, "*?[")	? xstrdup(pattern) :
						  xasprintf("*%s*", pattern);
	struct problem why = { "", "" };
	unsigned int shown = 0;
	bool ok;

	ok = form == FORM_TEXT ? print_text(glob, !pattern, &shown, &why) :
				 print_catalog(glob, form, &shown, &why);
	free(glob);
	if (!ok) {
		problem_print(&why);
		return EXIT_FAILURE;
	}
	return shown ? EXIT_SUCCESS : nothing_matches(pattern ? pattern : "*");
}

enum { OPTION_NAMES = CHAR_MAX + 1 };

static bool take_option(void *data, int option, struct problem *why)
{
	enum form *form = data;

	*form = option == 'j' ? FORM_JSON : FORM_NAMES;
	return option == 'j' || option == OPTION_NAMES || cmdline_unknown(why, "list");
}

int verb_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "names", no_argument, NULL, OPTION_NAMES },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct cmdline cmdline = { "jh", options, take_option };
	struct problem why = { "", "" };
	enum form form = FORM_TEXT;
	bool help;

	if (!cmdline_read(&cmdline, &form, argc, argv, &help, &why)) {
		problem_print(&why);
		return EXIT_FAILURE;
	}
	if (help || argc - optind > 1) {
		fputs(usage, help ? stdout : stderr);
		return help ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	return list(argv[optind], form);
}
