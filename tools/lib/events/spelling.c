// SPDX-License-Identifier: GPL-2.0
/* perf's ways of writing an event. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/spelling.h"

char *spelling_item_end(const char *text)
{
	bool within = false;

	for (; *text && (within || *text != ','); text++)
		if (*text == '/')
			within = !within;
	return (char *)text;
}

#define MODIFIERS "ukhHGDSIpP"

/* perf's modifiers in one word, as in "uk": the levels. False: @why names the modifier. */
static bool read_modifiers(const char *text, const char *letters, unsigned int *levels,
			   struct problem *why)
{
	*levels = 0;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'u':
			*levels |= LEVEL_USER;
			break;
		case 'k':
			*levels |= LEVEL_KERNEL;
			break;
		case 'p':
		case 'P':
			problem(why, "event %s: samples are not precise here: there is no PEBS", text);
			return problem_hint(why, "Leave the p out: a sample is then some instructions late on a real processor,\n"
						 "and exact on the emulated PMU. AMD's IBS has PMCs of its own (`pfmon info`).");
		default:
			problem(why, "event %s: '%c' is no modifier of perf's that there is here", text,
				*letters);
			return problem_hint(why, "There are u, user level, and k, kernel level.");
		}
	}
	return true;
}

/* The item with more modifiers: in the word of those that it has. */
static void print_modified(FILE *out, const char *item, int length, const char *letters, int n)
{
	const char *last = memrchr(item, ':', length);
	const bool has_some = memchr(item, '/', length) ||
			      (last && last + 1 + strspn(last + 1, MODIFIERS) >= item + length);

	fprintf(out, "%.*s%s%.*s", length, item, has_some ? "" : ":", n, letters);
}

/* The group at @text, behind its brace, up to the end of its modifiers, which is returned. */
static const char *print_group(FILE *out, const char *text)
{
	const char *end = text, *letters;
	int n;

	while (*end && *end != '}')
		end++;
	letters = end + 1;
	if (!*end || *letters != ':' || !letters[1] || letters[1] == ',') {
		fprintf(out, "%.*s", (int)(end - text), text);
		return end;
	}
	n = strcspn(++letters, ",");
	for (;; text++) {
		const char *item = text;

		text = spelling_item_end(item);
		text = text < end ? text : end;
		if (text > item)
			print_modified(out, item, text - item, letters, n);
		fputc(text < end ? ',' : '}', out);
		if (text == end)
			break;
	}
	return letters + n;
}

char *spelling_of_groups(const char *list)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return xstrdup(list);
	while (*list) {
		fputc(*list, out);
		list = *list == '{' ? print_group(out, list + 1) : list + 1;
	}
	fclose(out);
	return text;
}

/* "r" and up to 16 hexadecimal digits, then modifiers or nothing. */
static bool is_raw_number(const char *text)
{
	const size_t digits = *text == 'r' ? strspn(text + 1, "0123456789abcdefABCDEF") : 0;

	return digits && digits <= 16 && (!text[1 + digits] || text[1 + digits] == ':');
}

static bool no_raw_events(const char *text, struct problem *why)
{
	return problem(why, "event %s: the counters of this PMU have no raw events", text);
}

static bool read_number(struct spelling *spelling, const struct pmu *pmu, const char *text,
			struct problem *why)
{
	char *end;

	if (!pmu->arch->from_config)
		return no_raw_events(text, why);
	spelling->raw = true;
	spelling->config = strtoull(text + 1, &end, 16);
	spelling->name = xstrdup(text);
	return !*end || read_modifiers(text, end + 1, &spelling->levels, why);
}

/* perf has a name for each of Intel's second registers; the event determines the register. */
static bool is_second(const char *term)
{
	static const char *const names[] = { "config1", "offcore_rsp", "frontend", "ldlat" };
	size_t i;

	for (i = 0; i < COUNT(names); i++)
		if (!strcmp(term, names[i]))
			return true;
	return false;
}

/* "name=value", or "name" for 1. */
static bool read_term(struct spelling *spelling, const struct pmu *pmu, const char *text,
		      char *term, struct problem *why)
{
	char *value = strchr(term, '=');
	uint64_t number = 1;

	if (value)
		*value++ = '\0';
	if (!strcmp(term, "name") && value && *value) {
		free(spelling->name);
		spelling->name = xstrdup(value);
		return true;
	}
	if (value && !parse_u64(value, &number))
		return problem(why, "event %s: %s=%s: a number is wanted", text, term, value);
	if (!strcmp(term, "config")) {
		spelling->config |= number;
		return true;
	}
	if (pmu->arch->second_register && is_second(term)) {
		spelling->second = number;
		spelling->has_second = true;
		return true;
	}
	if (pmu->arch->config_field(term, number, &spelling->config))
		return true;
	problem(why, "event %s: '%s' is no field of this PMU's events, or too small for the value", text,
		term);
	return problem_hint(why, "There is event=, on x86 umask=, cmask=, edge, inv and any, on Intel's offcore_rsp=\n"
				 "and frontend=; config= and name=.");
}

static bool read_fields(struct spelling *spelling, const struct pmu *pmu, const char *text,
			struct problem *why)
{
	char *copy = xstrdup(strchr(text, '/') + 1), *end = strchr(copy, '/');
	char *rest = copy, *term;
	bool ok = true;

	spelling->raw = true;
	spelling->name = xstrdup(text);
	if (!end) {
		free(copy);
		return problem(why, "event %s: the second / is missing", text);
	}
	*end++ = '\0';
	if (*end == ':')
		end++;
	while (ok && (term = strsep(&rest, ",")))
		ok = read_term(spelling, pmu, text, term, why);
	ok = ok && read_modifiers(text, end, &spelling->levels, why);
	free(copy);
	return ok;
}

/* Several of perf's modifiers in one word at the end become libpfm4's, one in each word. */
static bool read_name(struct spelling *spelling, const char *text, struct problem *why)
{
	const char *last = strrchr(text, ':');
	const size_t length = last ? strspn(last + 1, MODIFIERS) : 0;
	const bool perfs = length > 1 || (length == 1 && strchr("pP", last[1]));
	unsigned int levels;

	if (!length || last[1 + length] || !perfs) {
		spelling->name = xstrdup(text);
		return true;
	}
	if (!read_modifiers(text, last + 1, &levels, why))
		return false;
	spelling->name = xasprintf("%.*s%s%s", (int)(last - text), text,
				   levels & LEVEL_USER ? ":u" : "", levels & LEVEL_KERNEL ? ":k" : "");
	return true;
}

bool spelling_read(struct spelling *spelling, const struct pmu *pmu, const char *text,
		   struct problem *why)
{
	bool ok;

	memset(spelling, 0, sizeof(*spelling));
	if (is_raw_number(text)) {
		ok = read_number(spelling, pmu, text, why);
	} else if (strchr(text, '/')) {
		if (strncmp(text, "cpu/", 4)) {
			problem(why, "event %s: of perf's PMUs there is cpu/.../", text);
			return problem_hint(why, "`pfmon list` shows the events of this CPU.");
		}
		ok = pmu->arch->from_config ? read_fields(spelling, pmu, text, why) :
					      no_raw_events(text, why);
	} else {
		ok = read_name(spelling, text, why);
	}
	if (!ok)
		spelling_free(spelling);
	return ok;
}

void spelling_free(struct spelling *spelling)
{
	free(spelling->name);
	spelling->name = NULL;
}
