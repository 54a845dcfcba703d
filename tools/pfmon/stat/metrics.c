// SPDX-License-Identifier: GPL-2.0
/*
 * A metric group is a file NAME.txt of lines:
 *
 *	about TEXT				for the list of groups
 *	pmu NAME...				the next lines are for these PMUs only; * is all
 *	event NAME [= EVENT [| EVENT...]]	count it; of several, the first that exists
 *	metric NAME [UNIT] = FORMULA		of the events before
 *
 * The events of a PMU's own lines and of the lines for all PMUs belong together.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/list.h"
#include "stat/formula.h"
#include "stat/metric_files.h"
#include "stat/metrics.h"

/* One group while its file is read. */
struct group_file {
	struct metrics		*metrics;
	struct events		*events;
	const struct pmu	*pmu;
	const struct rights	*rights;
	const char		*name;		/* the name of the group */
	char			pmu_name[64];	/* "nhm"; "" without names */
	char			known[256];	/* PMUs that have lines here */
	size_t			first;		/* its first event in @metrics */
	bool			applies;	/* the lines here are for this PMU */
	struct problem		*why;
};

static char *trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]);)
		text[--n] = '\0';
	return text;
}

static bool take_pmu(struct group_file *file, char *names)
{
	char *name;

	file->applies = false;
	while ((name = strsep(&names, " \t"))) {
		if (!strcmp(name, "*") || !strcmp(name, file->pmu_name))
			file->applies = true;
		else if (*name)
			append(file->known, sizeof(file->known), " %s", name);
	}
	return true;
}

/* The event may be there already: with -e, as the user wrote it, or for another group. */
static bool find_event(const struct events *events, const char *name, size_t *index)
{
	const size_t length = strlen(name);
	const char *rest;

	for (*index = 0; *index < events->n; (*index)++) {
		rest = events->event[*index].name;
		if (!strncasecmp(rest, name, length) &&
		    (!rest[length] || (events->lowered && !strcmp(rest + length, ":u"))))
			return true;
	}
	return false;
}

static bool add_one(struct group_file *file, const char *event, size_t *index,
		    struct problem *why)
{
	const size_t n = file->events->n;

	if (find_event(file->events, event, index))
		return true;
	*index = n;
	return events_add(file->events, file->pmu, file->rights, event, why) &&
	       file->events->n == n + 1;
}

static bool take_event(struct group_file *file, char *text)
{
	struct metrics *metrics = file->metrics;
	char *names = strchr(text, '='), *name;
	struct problem reason = { "there is none", "" };
	size_t index;

	if (names && (names == text || !isspace((unsigned char)names[-1])))
		names = NULL; /* the = of a modifier, as in c=1 */
	if (names)
		*names++ = '\0';
	else
		names = text;
	text = xstrdup(trim(text));
	while ((name = strsep(&names, "|")))
		if (add_one(file, trim(name), &index, &reason))
			break;
	if (!name) {
		problem(file->why, "metric group %s: its event %s cannot be counted: %s", file->name,
			text, reason.what);
		free(text);
		return problem_hint(file->why, "%s", reason.hint);
	}
	GROW(metrics->event, metrics->nevents, metrics->event_room);
	metrics->event[metrics->nevents++] = (struct metric_event){ text, index };
	return true;
}

struct values {
	const struct metrics	*metrics;
	const struct metric	*metric;
	const double		*count;		/* NULL: all are 1 */
};

static bool look_up(void *data, const char *name, size_t length, double *value)
{
	const struct values *values = data;
	size_t i;

	for (i = 0; i < values->metric->n; i++) {
		const struct metric_event *event =
			&values->metrics->event[values->metric->first + i];

		if (strlen(event->name) != length || strncmp(event->name, name, length))
			continue;
		*value = values->count ? values->count[event->event] : 1;
		return true;
	}
	return false;
}

static bool take_metric(struct group_file *file, char *text)
{
	struct metrics *metrics = file->metrics;
	char *formula = strchr(text, '='), *unit;
	struct values values = { .metrics = metrics };
	struct metric *metric;
	double value;

	if (!formula)
		return problem(file->why, "'%s': metric NAME UNIT = FORMULA is wanted", text);
	*formula++ = '\0';
	unit = trim(text);
	GROW(metrics->metric, metrics->n, metrics->room);
	metric = &metrics->metric[metrics->n++];
	metric->name = xstrdup(strsep(&unit, " \t"));
	metric->unit = xstrdup(unit ? trim(unit) : "");
	metric->formula = xstrdup(trim(formula));
	metric->first = file->first;
	metric->n = metrics->nevents - file->first;
	values.metric = metric;
	return formula_value(metric->formula, look_up, &values, &value, file->why);
}

static bool take_line(struct group_file *file, char *line)
{
	char *rest = trim(line), *word;

	if (!*rest || *rest == '#')
		return true;
	word = strsep(&rest, " \t");
	rest = rest ? trim(rest) : word + strlen(word);
	if (!strcmp(word, "about"))
		return true;
	if (!strcmp(word, "pmu"))
		return take_pmu(file, rest);
	if (!strcmp(word, "event"))
		return !file->applies || take_event(file, rest);
	if (!strcmp(word, "metric"))
		return !file->applies || take_metric(file, rest);
	return problem(file->why, "'%s': about, pmu, event or metric is wanted", word);
}

static bool read_group(struct group_file *file, FILE *in, const char *path)
{
	char *line = NULL, text[512];
	unsigned int number = 0;
	size_t room = 0;
	bool ok = true;

	while (ok && getline(&line, &room, in) >= 0) {
		number++;
		ok = take_line(file, line);
	}
	free(line);
	if (ok || !strncmp(file->why->what, "metric group", 12))
		return ok;
	snprintf(text, sizeof(text), "%s", file->why->what);
	return problem(file->why, "%s:%u: %s", path, number, text);
}

bool metrics_add(struct metrics *metrics, const char *name, struct events *events,
		 const struct pmu *pmu, const struct rights *rights, struct problem *why)
{
	struct group_file file = {
		.metrics = metrics, .events = events, .pmu = pmu, .rights = rights,
		.name = name, .first = metrics->nevents, .applies = true, .why = why,
	};
	const size_t n = metrics->n;
	struct event_names names;
	struct problem no_names;
	char *path;
	FILE *in;
	bool ok;

	in = metric_file_open(name, &path, why);
	if (!in)
		return false;
	if (pmu->arch->names(pmu, &names, &no_names) && names.pmu)
		snprintf(file.pmu_name, sizeof(file.pmu_name), "%s", names.pmu);
	ok = read_group(&file, in, path);
	fclose(in);
	free(path);
	if (ok && metrics->n == n)
		return problem(why, "metric group %s is not for this PMU (%s), only for:%s", name,
			       *file.pmu_name ? file.pmu_name : "without event names",
			       *file.known ? file.known : " none");
	return ok;
}

void metrics_free(struct metrics *metrics)
{
	size_t i;

	for (i = 0; i < metrics->n; i++) {
		free(metrics->metric[i].name);
		free(metrics->metric[i].unit);
		free(metrics->metric[i].formula);
	}
	for (i = 0; i < metrics->nevents; i++)
		free(metrics->event[i].name);
	free(metrics->metric);
	free(metrics->event);
	memset(metrics, 0, sizeof(*metrics));
}

double metric_value(const struct metrics *metrics, const struct metric *metric,
		    const double *count)
{
	struct values values = { metrics, metric, count };
	struct problem never; /* no error: the formula was computed when the file was read */
	double value = 0;

	formula_value(metric->formula, look_up, &values, &value, &never);
	return value;
}
