// SPDX-License-Identifier: GPL-2.0
/*
 * count [N [EVENT,...]] - what does a function cost? Here it is a loop of N turns.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <perfmon_events.h>

#include "loop.h"

int main(int argc, char **argv)
{
	const unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	const char *list = argc > 2 ? argv[2] : "instructions:u,branches:u";
	struct perfmon_event_list *events = perfmon_events(list);
	struct perfmon_session *session = perfmon_session_open(events, 0);
	struct perfmon_count counts[32];
	size_t i;

	if (!session || perfmon_session_start(session))
		errx(1, "%s\n%s", perfmon_error(), perfmon_error_hint());
	loop(n);
	perfmon_session_stop(session);
	if (perfmon_session_read_counts(session, counts, perfmon_events_count(events)))
		errx(1, "%s", perfmon_error());
	for (i = 0; i < perfmon_events_count(events); i++)
		printf("%" PRIu64 " %s%s\n", counts[i].count, perfmon_events_name(events, i),
		       counts[i].active_ns < counts[i].total_ns ? " (estimated)" : "");
	perfmon_session_close(session);
	perfmon_events_free(events);
	return 0;
}
