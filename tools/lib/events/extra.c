// SPDX-License-Identifier: GPL-2.0
/*
 * Values to second registers: an event whose value is in one of its registers already uses that
 * one; else it takes each of its free registers in turn, until the others find theirs.
 * Every step takes a register, and there are only a few.
 */
#include <stdlib.h>
#include <string.h>

#include "events/extra.h"
#include "pmu/registers.h"

#define MAX_HELD	16

/* A register that has its value, and the event or raw value that gave it. */
struct held {
	unsigned int	pmc;
	uint64_t	value;
	const char	*whose;
};

struct sharing {
	const struct events	*events;
	const size_t		*member;
	size_t			n;
	struct held		held[MAX_HELD];
	size_t			nheld;
	unsigned int		*choice;	/* register of each member */
};

static const struct held *find_held(const struct sharing *s, unsigned int pmc)
{
	size_t i;

	for (i = 0; i < s->nheld; i++)
		if (s->held[i].pmc == pmc)
			return &s->held[i];
	return NULL;
}

static void hold(struct sharing *s, unsigned int pmc, uint64_t value, const char *whose)
{
	s->held[s->nheld++] = (struct held){ .pmc = pmc, .value = value, .whose = whose };
}

/* Registers for the members from @i on. */
static bool place(struct sharing *s, size_t i)
{
	const struct held *held;
	const struct event *event;
	const struct extra *extra;
	unsigned int c;

	for (; i < s->n; i++) {
		event = &s->events->event[s->member[i]];
		extra = &event->extra;
		for (c = 0; c < extra->n; c++) {
			held = find_held(s, extra->choice[c].pmc);
			if (held && held->value == extra->value)
				break;
		}
		s->choice[i] = c;
		if (c < extra->n || !extra->n)
			continue;
		for (c = 0; c < extra->n; c++) {
			if (find_held(s, extra->choice[c].pmc) || s->nheld == MAX_HELD)
				continue;
			hold(s, extra->choice[c].pmc, extra->value, event->name);
			s->choice[i] = c;
			if (place(s, i + 1))
				return true;
			s->nheld--;
		}
		return false;
	}
	return true;
}

/* A raw value is written while an event of its group counts, or always. */
static bool is_beside(const struct sharing *s, const struct raw_pmc *raw)
{
	bool alone = true;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->events->event[s->member[i]].group == raw->group)
			return true;
	for (i = 0; i < s->events->n; i++)
		alone &= s->events->event[i].group != raw->group;
	return alone;
}

static bool is_extra(const struct sharing *s, unsigned int pmc)
{
	const struct extra *extra;
	unsigned int c;
	size_t i;

	for (i = 0; i < s->n; i++) {
		extra = &s->events->event[s->member[i]].extra;
		for (c = 0; c < extra->n; c++)
			if (extra->choice[c].pmc == pmc)
				return true;
	}
	return false;
}

static void hold_raw(struct sharing *s)
{
	const struct raw_pmc *raw;
	size_t i;

	for (i = 0; i < s->events->nraw && s->nheld < MAX_HELD; i++) {
		raw = &s->events->raw[i];
		if (is_extra(s, raw->num) && is_beside(s, raw))
			hold(s, raw->num, raw->value, "a raw value");
	}
}

/* The first members that do not fit together end with the event that is named. */
static bool does_not_fit(struct sharing *s, const struct pmu *pmu, struct problem *why)
{
	char registers[200] = "", others[300] = "";
	const struct event *event;
	const struct held *held;
	unsigned int c;
	size_t n = 1;

	for (;; n++) {
		struct sharing first = *s;

		first.n = n;
		if (!place(&first, 0))
			break;
	}
	s->n = n - 1;
	place(s, 0);
	event = &s->events->event[s->member[n - 1]];
	for (c = 0; c < event->extra.n; c++) {
		held = find_held(s, event->extra.choice[c].pmc);
		append(registers, sizeof(registers), "%s%s", c ? " or " : "",
		       pmu_find_pmc(pmu, event->extra.choice[c].pmc)->name);
		if (held)
			append(others, sizeof(others), "%s%s", others[0] ? ", " : "", held->whose);
	}
	problem(why, "event %s does not fit: it needs the value %#llx in %s", event->name,
		(unsigned long long)event->extra.value, registers);
	return problem_hint(why, "Another value is there for %s.\nLeave one of these events out, or count them in separate runs.",
			    others);
}

bool extra_assign(struct events *events, const struct pmu *pmu, const size_t *member, size_t n,
		  struct problem *why)
{
	struct sharing s = { .events = events, .member = member, .n = n };
	struct event *event;
	bool ok;
	size_t i;

	s.choice = xcalloc(n, sizeof(*s.choice));
	hold_raw(&s);
	ok = place(&s, 0);
	for (i = 0; ok && i < n; i++) {
		event = &events->event[member[i]];
		if (!event->extra.n)
			continue;
		event->code = event->extra.choice[s.choice[i]].code;
		event->extra_pmc = event->extra.choice[s.choice[i]].pmc;
	}
	ok = ok || does_not_fit(&s, pmu, why);
	free(s.choice);
	return ok;
}
