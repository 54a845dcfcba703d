// SPDX-License-Identifier: GPL-2.0
/*
 * -e ibs_op and ibs_fetch. The unit counts by itself and takes a sample after its own period. The
 * PMD counts these samples, and overflows at each one, or at each n-th. All registers of the
 * sample come as values; one of them is the address of the instruction.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "record/ibs.h"
#include "session/records.h"

static_assert(IBS_VALUES >= RECORD_FIELDS, "there is room for all fields");

void ibs_event(struct events *events, const struct ibs *ibs, const char *name)
{
	const struct event event = {
		.name = xstrdup(name), .full = xstrdup(ibs->full),
		.levels = LEVEL_ALL, /* the unit has no filter by level */
	};

	events_begin_group(events, false);
	events_append(events, &event);
	memmove(events->event + 1, events->event, (events->n - 1) * sizeof(event));
	events->event[0] = event;
	events->event[0].group = (unsigned int)events->ngroups - 1;
}

/* The registers of its samples have higher numbers than all counters. */
void ibs_plan(struct plan *plan, struct sampling *sampling, const struct ibs *ibs)
{
	plan_add(plan, ibs->pmc, ibs->control);
	plan->pmds = xrealloc(plan->pmds, (size_t)plan->npmds + 1, sizeof(*plan->pmds));
	memmove(plan->pmds + 1, plan->pmds, (size_t)plan->npmds * sizeof(*plan->pmds));
	memset(plan->pmds, 0, sizeof(*plan->pmds));
	plan->pmds->reg_num = (__u16)ibs->pmd;
	sampling->address = 1 + (size_t)plan->npmds++ + ibs->address;
	sampling->extra = ibs->buffer;
	sampling->extra_name = ibs->name;
	sampling->nextra = ibs->n;
	sampling->nregisters = ibs->n - ibs->ncounts;
	sampling->scale = ibs->every;
}

/* A register that this processor lacks: any other one will do, and the field is 0. */
static unsigned int register_of(const struct ibs *ibs, const char *name)
{
	size_t i;

	for (i = 0; name && i < ibs->n; i++)
		if (!strcmp(ibs->name[i], name))
			return ibs->buffer[i];
	return ibs->buffer[0];
}

void ibs_decode(struct ibs *ibs)
{
	const struct record_fields *fields = record_fields_of(ibs->full);
	const struct ibs registers = *ibs;
	size_t i;

	for (i = 0; i < fields->n; i++) {
		ibs->name[i] = fields->field[i].name;
		ibs->buffer[i] = register_of(&registers, fields->field[i].from);
		if (!strcmp(ibs->name[i], RECORD_ADDRESS))
			ibs->address = i;
	}
	ibs->n = fields->n;
	ibs->ncounts = fields->ncounts;
}
