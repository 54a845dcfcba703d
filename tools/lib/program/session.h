/* SPDX-License-Identifier: GPL-2.0 */
/* A session of a program: a context on a thread or a CPU. */
#ifndef PERFMON_PROGRAM_SESSION_H
#define PERFMON_PROGRAM_SESSION_H

#include "program/events.h"
#include "program/place.h"
#include "session/sampler.h"

struct perfmon_session {
	struct perfmon_event_list	*events;
	int			fd;
	bool			running;
	struct samples		*samples;	/* NULL: it only counts */
};

/* samples.c: the end of a session that samples; it closes the context, too. */
void samples_close(struct samples *samples);

#endif /* PERFMON_PROGRAM_SESSION_H */
