// SPDX-License-Identifier: GPL-2.0
/*
 * Regions: a begin and an end read the thread's counters, and make no other call of the
 * kernel. A begin reads last and an end first, so that their own cost is not
 * within the region but for a constant.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfmon_lib.h"
#include "perfmon_regions.h"
#include "program/error.h"
#include "program/region_report.h"
#include "program/session.h"
#include "program/tree.h"

/* A thread that began a region. */
struct thread {
	struct thread		*next, **link;
	struct perfmon_session	*session;	/* NULL: no counters */
	int			fd;
	pid_t			tid;
	struct region		root, *open;
	pfarg_pmd_t		*now;
	uint64_t		stray;		/* ends that were not the open region's */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local struct thread *self;
static pid_t owner;			/* the process whose regions these are */

/* Set once, before any region is: */
static const char *wish;		/* PERFMON_REGIONS; NULL: nothing is counted */
static bool per_thread;			/* PERFMON_REGIONS_PER_THREAD */
static struct perfmon_event_list *events;
static const pfarg_pmd_t *pmds;
static int npmds;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* for the following */
static struct thread *threads;
static struct region_report report;	/* of the threads that have ended */

static size_t pmds_size(void)
{
	return (size_t)npmds * sizeof(*pmds);
}

/* Under the lock: add a thread to the report, with the regions that it leaves open. */
static void add_thread(struct region_report *to, const struct thread *thread)
{
	const struct region *open = __atomic_load_n(&thread->open, __ATOMIC_RELAXED);

	regions_add(&to->root, &thread->root, (size_t)npmds);
	if (per_thread && thread->session)
		region_report_keep(to, thread->tid, &thread->root, (size_t)npmds);
	to->threads += thread->session != NULL;
	to->uncounted += !thread->session;
	to->stray += thread->stray;
	for (; open && open->parent; open = open->parent)
		to->open++;
}

static void unlink_thread(struct thread *thread)
{
	*thread->link = thread->next;
	if (thread->next)
		thread->next->link = thread->link;
}

static void free_thread(struct thread *thread)
{
	perfmon_session_close(thread->session);
	regions_free(&thread->root);
	free(thread->now);
	free(thread);
}

static void thread_ends(void *ended)
{
	pthread_mutex_lock(&lock);
	add_thread(&report, ended);
	unlink_thread(ended);
	free_thread(ended);
	pthread_mutex_unlock(&lock);
	self = NULL;
}

static void write_report(void)
{
	const struct thread *thread;

	pthread_mutex_lock(&lock);
	for (thread = threads; thread; thread = thread->next)
		add_thread(&report, thread);
	report.events = events;
	report.per_thread = per_thread;
	region_report_write(&report, wish, getpid() != owner);
	pthread_mutex_unlock(&lock);
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* A child begins anew: the figures are its parent's, and so are the contexts. */
static void in_child(void)
{
	struct thread *thread;

	while ((thread = threads)) {
		threads = thread->next;
		free_thread(thread);
	}
	self = NULL;
	pthread_setspecific(key, NULL);
	region_report_clear(&report);
	pthread_mutex_unlock(&lock);
}

static bool find_events(struct problem *why)
{
	const char *list = secure_getenv("PERFMON_EVENTS");

	events = perfmon_events(list && *list ? list : "cycles,instructions");
	if (!events) {
		*why = *error_why();
		return false;
	}
	if (events->plan.nsets == 1)
		return true;
	problem(why, "PERFMON_EVENTS=%s takes %u event sets, and a region is counted in one", list,
		events->plan.nsets);
	return problem_hint(why, "Leave events out, or count them in separate runs.");
}

static void begin_at_all(void)
{
	const char *file = secure_getenv("PERFMON_REGIONS");
	const char *each = secure_getenv("PERFMON_REGIONS_PER_THREAD");

	if (!file || !*file)
		return;
	if (!find_events(error_why())) {
		region_complain(error_why());
		return;
	}
	pmds = perfmon_events_pmds(events, &npmds);
	owner = getpid();
	if (pthread_key_create(&key, thread_ends) || atexit(write_report) ||
	    pthread_atfork(before_fork, after_fork, in_child)) {
		problem(error_why(), "there are no resources to count regions");
		region_complain(error_why());
		return;
	}
	per_thread = each && *each;
	wish = file;
}

/* Counters that run from now on. Without counters the thread is remembered, to try only once. */
static struct thread *begin_thread(void)
{
	struct thread *thread = xcalloc(1, sizeof(*thread));
	struct perfmon_session *session = perfmon_session_open(events, 0);

	if (session && perfmon_session_start(session)) {
		perfmon_session_close(session);
		session = NULL;
	}
	thread->tid = gettid();
	thread->session = session;
	thread->fd = session ? perfmon_session_fd(session) : -1;
	thread->open = &thread->root;
	thread->now = xcalloc((size_t)npmds, sizeof(*thread->now));
	memcpy(thread->now, pmds, pmds_size());
	pthread_mutex_lock(&lock);
	if (!session && !report.complained) {
		region_complain(error_why());
		report.complained = true;
	}
	thread->next = threads;
	thread->link = &threads;
	if (threads)
		threads->link = &thread->next;
	threads = thread;
	pthread_mutex_unlock(&lock);
	pthread_setspecific(key, thread);
	return self = thread;
}

static int not_counted(void)
{
	problem(error_why(), "the regions of this thread are not counted");
	return error_fail(ENODATA);
}

int perfmon_region_begin(const char *name)
{
	struct thread *thread = self;
	struct region *region;

	if (!thread) {
		pthread_once(&once, begin_at_all);
		if (!wish)
			return 0;
		thread = begin_thread();
	}
	if (!thread->session)
		return not_counted();
	region = region_within(thread->open, name, (size_t)npmds);
	memcpy(region->begin, pmds, pmds_size());
	__atomic_store_n(&thread->open, region, __ATOMIC_RELAXED);
	return perfmon_read_pmds(thread->fd, region->begin, npmds);
}

/* The figures first, and the number of calls last: so a reader gets figures of the same call. */
static void add(struct region *region, const pfarg_pmd_t *now)
{
	int i;

	for (i = 0; i < npmds; i++)
		__atomic_store_n(&region->sum[i], region->sum[i] + now[i].reg_value -
				 region->begin[i].reg_value, __ATOMIC_RELAXED);
	__atomic_store_n(&region->calls, region->calls + 1, __ATOMIC_RELEASE);
}

static int stray_end(struct thread *thread, const char *name)
{
	__atomic_store_n(&thread->stray, thread->stray + 1, __ATOMIC_RELAXED);
	if (thread->open->parent)
		problem(error_why(), "region %s ends, and the one that is open is %s", name,
			thread->open->name);
	else
		problem(error_why(), "region %s ends, and none is open", name);
	return error_fail(EINVAL);
}

int perfmon_region_end(const char *name)
{
	struct thread *thread = self;
	struct region *region;

	if (!thread || !thread->session)
		return wish ? not_counted() : 0;
	if (perfmon_read_pmds(thread->fd, thread->now, npmds))
		return error_fail(errno);
	region = thread->open;
	if (!region->parent || strcmp(region->name, name))
		return stray_end(thread, name);
	add(region, thread->now);
	__atomic_store_n(&thread->open, region->parent, __ATOMIC_RELAXED);
	return 0;
}
