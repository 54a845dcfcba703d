/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reports of wait4() about children and tracees, taken together and handled in a good order.
 *
 * wait4() reports the youngest tracee first. With a program that makes threads all the time, pfmon
 * would never see the ends of the old ones, and each holds descriptors until then. So all reports
 * are taken before any is handled: no task of a taken report runs meanwhile, so the loop ends.
 * Births are handled last.
 */
#ifndef PFMON_RUN_NEWS_H
#define PFMON_RUN_NEWS_H

#include <sys/resource.h>
#include <sys/types.h>

struct news {
	pid_t		tid;
	int		status;		/* wait4()'s */
	struct rusage	usage;
};

/* The event of a ptrace stop; 0 for the delivery of a signal. */
static inline int news_event(int wait_status)
{
	return wait_status >> 16;
}

/* Changes during the calls are for the next time, and send SIGCHLD. */
void news_tell(void (*handle)(void *data, const struct news *news), void *data);

#endif /* PFMON_RUN_NEWS_H */
