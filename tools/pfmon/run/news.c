// SPDX-License-Identifier: GPL-2.0
/* All reports that wait4() has now, births last. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "run/news.h"
#include "util.h"

struct all {
	struct news	*news;
	size_t		n, room;
};

static void take(struct all *all)
{
	struct news news;

	while ((news.tid = wait4(-1, &news.status, __WALL | WNOHANG, &news.usage)) > 0) {
		GROW(all->news, all->n, all->room);
		all->news[all->n++] = news;
	}
}

/*
 * A stopped task has a second report only if it was killed, or was the leader of a process of which
 * another thread, with its id from then on, executed a program. Its stop is over in both cases: to
 * resume it would resume the later stop. An exec is never void, as it renames a task.
 */
static bool is_void(const struct all *all, size_t i)
{
	const struct news *news = &all->news[i];
	size_t j;

	if (!WIFSTOPPED(news->status) || news_event(news->status) == PTRACE_EVENT_EXEC)
		return false;
	for (j = i + 1; j < all->n; j++)
		if (all->news[j].tid == news->tid)
			return true;
	return false;
}

/* The first stop of a task. Stops by job control or an interrupt look the same, and can wait. */
static bool is_birth(const struct news *news)
{
	return WIFSTOPPED(news->status) && news_event(news->status) == PTRACE_EVENT_STOP;
}

void news_tell(void (*handle)(void *data, const struct news *news), void *data)
{
	struct all all = { .n = 0 };
	unsigned int births;
	size_t i;

	take(&all);
	for (births = 0; births < 2; births++)
		for (i = 0; i < all.n; i++)
			if (is_birth(&all.news[i]) == births && !is_void(&all, i))
				handle(data, &all.news[i]);
	free(all.news);
}
