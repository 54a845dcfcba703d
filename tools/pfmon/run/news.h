/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has happened to the children and tracees, taken together and told in a good order.
 *
 * wait4() tells the youngest tracee's news first. A program that makes threads all the time
 * would have its ends waited for never, and each holds descriptors until then. So all there is
 * is taken before any of it is handled: no task that was taken runs on meanwhile, so that there
 * is an end to it; and births are told last.
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

/* What happens during the calls is for the next time, and sends SIGCHLD. */
void news_tell(void (*handle)(void *data, const struct news *news), void *data);

#endif /* PFMON_RUN_NEWS_H */
