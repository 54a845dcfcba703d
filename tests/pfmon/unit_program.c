// SPDX-License-Identifier: GPL-2.0
/*
 * libperfmon by event name, over a double of the kernel (fake_perfmonctl.c): a program's results,
 * and its error messages.
 */
#include "../harness.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/lib/perfmon_events.h"
#include "../../tools/lib/perfmon_regions.h"

/* One event more than general counters, so two sets: "loads:u" is in the second one. */
#define SIX	"cycles,instructions,branches,stores,loads,DTLB_MISSES:WALK_COMPLETED,loads:u"

void before_test(void)
{
	setenv("LIBPFM_FORCE_PMU", "nhm", 1);
	setenv("PFMON_EMULATED", "0", 1);
	unsetenv("PERFMON_FAKE");
	unsetenv("PERFMON_REGIONS");
}

static void faults(const char *words)
{
	setenv("PERFMON_FAKE", words, 1);
}

static void says(const char *text, const char *part)
{
	if (!strstr(text, part))
		FAIL("\"%s\" does not contain \"%s\"", text, part);
}

static struct perfmon_event_list *events(const char *list)
{
	struct perfmon_event_list *made = perfmon_events(list);

	if (!made)
		FAIL("%s: %s", list, perfmon_error());
	return made;
}

static struct perfmon_session *started(const struct perfmon_event_list *list)
{
	struct perfmon_session *session = perfmon_session_open(list, 0);

	if (!session)
		FAIL("%s", perfmon_error());
	CHECK_OK(perfmon_session_start(session));
	return session;
}

static void refused(const char *list, const char *what)
{
	errno = 0;
	CHECK(!perfmon_events(list));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), what);
}

TEST(counts_come_in_the_order_of_the_events)
{
	struct perfmon_event_list *list = events("cycles,branches,instructions");
	struct perfmon_session *session = started(list);
	uint64_t counts[3];

	CHECK_OK(perfmon_session_read(session, counts, 3));
	CHECK_EQ(counts[0], 18000);
	CHECK_EQ(counts[1], 1000);
	CHECK_EQ(counts[2], 17000);
	CHECK_STREQ(perfmon_events_name(list, 1), "branches");
	CHECK(!perfmon_events_name(list, 3));
	perfmon_session_close(session);
	perfmon_events_free(list);
}

TEST(fewer_counts_than_events_can_be_read_and_not_more)
{
	struct perfmon_event_list *list = events("cycles,instructions");
	struct perfmon_session *session = started(list);
	uint64_t counts[3] = { 0, 7, 7 };

	CHECK_OK(perfmon_session_read(session, counts, 1));
	CHECK_EQ(counts[1], 7);
	CHECK_ERRNO(perfmon_session_read(session, counts, 3), EINVAL);
	says(perfmon_error(), "3 counts are wanted of 2 events");
	perfmon_session_close(session);
	perfmon_events_free(list);
}

/* Set 0 was active for 1 ms, set 1 for 2 ms. */
TEST(counts_of_sets_that_take_turns_are_estimated_by_their_time)
{
	struct perfmon_event_list *list = events(SIX);
	struct perfmon_session *session = started(list);
	struct perfmon_count counts[7];

	CHECK_EQ(perfmon_events_sets(list), 2);
	CHECK_OK(perfmon_session_read_counts(session, counts, 7));
	CHECK_EQ(counts[1].counted, 17000);
	CHECK_EQ(counts[1].count, 51000);
	CHECK_EQ(counts[1].active_ns, 1000000);
	CHECK_EQ(counts[1].total_ns, 3000000);
	CHECK_EQ(counts[6].count, counts[6].counted * 3 / 2);
	CHECK_EQ(counts[6].active_ns, 2000000);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

TEST(a_set_without_a_turn_is_told_from_a_count_of_zero)
{
	struct perfmon_event_list *list = events(SIX);
	struct perfmon_session *session;
	struct perfmon_count counts[7];

	faults("short");
	session = started(list);
	CHECK_OK(perfmon_session_read_counts(session, counts, 7));
	CHECK_EQ(counts[1].count, 17000);
	CHECK_EQ(counts[6].count, 0);
	CHECK_EQ(counts[6].active_ns, 0);
	CHECK_EQ(counts[6].total_ns, 1000000);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

TEST(without_a_list_the_usual_events_are_counted)
{
	struct perfmon_event_list *list = events(NULL);

	CHECK_GE(perfmon_events_count(list), 4);
	CHECK_STREQ(perfmon_events_name(list, 0), "cycles");
	CHECK_EQ(perfmon_events_sets(list), 1);
	perfmon_events_free(list);
}

TEST(registers_are_there_for_contexts_of_the_programs_own)
{
	struct perfmon_event_list *list = events("branches:u,instructions:u");
	const pfarg_pmc_t *pmcs;
	const pfarg_pmd_t *pmds;
	int n;

	pmcs = perfmon_events_pmcs(list, &n);
	CHECK_EQ(n, 2);
	CHECK_EQ(pmcs[0].reg_value & 0xffffff, 0x5100c4);
	pmds = perfmon_events_pmds(list, &n);
	CHECK_EQ(n, 2);
	CHECK_EQ(pmds[0].reg_num, 0);
	CHECK_EQ(pmds[1].reg_num, 16);
	perfmon_events_free(list);
}

TEST(events_may_be_freed_before_their_sessions_end)
{
	struct perfmon_event_list *list = events("instructions");
	struct perfmon_session *session = started(list);
	uint64_t count;

	perfmon_events_free(list);
	CHECK_OK(perfmon_session_read(session, &count, 1));
	CHECK_EQ(count, 17000);
	perfmon_session_close(session);
}

TEST(an_unknown_event_is_named_with_near_ones)
{
	refused("instructions,instrucions", "no event 'instrucions'");
	says(perfmon_error_hint(), "Did you mean instructions");
}

TEST(what_does_not_fit_says_what_is_in_its_way)
{
	refused("{branches,stores,loads,DTLB_MISSES:WALK_COMPLETED,loads:u}",
		"does not fit into one event set");
	says(perfmon_error_hint(), "split the group");
}

TEST(an_empty_list_is_refused)
{
	refused("", "an event's name is empty");
}

TEST(a_user_without_rights_counts_at_user_level)
{
	struct perfmon_event_list *list;

	faults("kernel");
	list = events("cycles");
	CHECK_STREQ(perfmon_events_name(list, 0), "cycles:u");
	perfmon_events_free(list);
	refused("cycles:k", "may not count at kernel level");
	says(perfmon_error_hint(), "CAP_PERFMON");
}

TEST(a_kernel_without_perfmon_is_named)
{
	faults("nosys");
	CHECK(!perfmon_events("cycles"));
	CHECK_EQ(errno, ENOSYS);
	says(perfmon_error(), "this kernel has no perfmonctl()");
	says(perfmon_error_hint(), "PERFMON=perf");
}

TEST(one_check_is_enough_for_events_and_session)
{
	CHECK(!perfmon_session_open(perfmon_events("nonsense"), 0));
	says(perfmon_error(), "no event 'nonsense'");
	CHECK(!perfmon_sample_open(perfmon_events("rubbish"), 0, NULL));
	says(perfmon_error(), "no event 'rubbish'");
}

TEST(a_session_that_is_not_to_be_had_says_why)
{
	struct perfmon_event_list *list = events("cycles");

	faults("busy");
	CHECK(!perfmon_session_open(list, 0));
	CHECK_EQ(errno, EBUSY);
	says(perfmon_error_hint(), "one owner at a time");
	faults("load");
	CHECK(!perfmon_session_open(list, getppid()));
	CHECK_EQ(errno, EPERM);
	says(perfmon_error(), "this user may not monitor that thread");
	faults("");
	CHECK(!perfmon_session_open(list, 0x3fffffff));
	CHECK_EQ(errno, ESRCH);
	CHECK(!perfmon_session_open(list, -3));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), "-3 is not the number of a thread");
	perfmon_events_free(list);
}

TEST(a_cpu_is_counted_from_wherever_this_thread_is_allowed)
{
	struct perfmon_event_list *list = events("instructions");
	cpu_set_t before, after;
	struct perfmon_session *session;
	uint64_t count;

	CHECK_OK(sched_getaffinity(0, sizeof(before), &before));
	session = perfmon_session_open_cpu(list, 0);
	CHECK(session);
	CHECK_OK(sched_getaffinity(0, sizeof(after), &after));
	CHECK(CPU_EQUAL(&before, &after));
	CHECK_OK(perfmon_session_start(session));
	CHECK_OK(perfmon_session_stop(session));
	CHECK_OK(perfmon_session_read(session, &count, 1));
	CHECK_EQ(count, 17000);
	perfmon_session_close(session);
	CHECK(!perfmon_session_open_cpu(list, 8000));
	says(perfmon_error(), "CPU 8000");
	faults("system");
	CHECK(!perfmon_session_open_cpu(list, 0));
	CHECK_EQ(errno, EPERM);
	perfmon_events_free(list);
}

TEST(a_session_does_what_it_was_opened_for)
{
	struct perfmon_event_list *list = events("cycles");
	struct perfmon_session *session = started(list);
	struct perfmon_sample sample;
	struct perfmon_ledger ledger;

	CHECK_ERRNO(perfmon_sample_next(session, &sample, 0), EINVAL);
	says(perfmon_error(), "this session counts");
	CHECK_ERRNO(perfmon_sample_ledger(session, &ledger), EINVAL);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

TEST(samples_are_of_one_set_and_a_sound_period)
{
	PERFMON_OPTS(perfmon_sample_opts, opts, .period = 1000);
	struct perfmon_event_list *list = events(SIX);

	CHECK(!perfmon_sample_open(list, 0, &opts));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), "take 2 event sets");
	perfmon_events_free(list);
	list = events("cycles");
	opts.period = 0;
	CHECK(!perfmon_sample_open(list, 0, &opts));
	says(perfmon_error(), "sampling period");
	opts.period = 1ULL << 63;
	CHECK(!perfmon_sample_open(list, 0, &opts));
	says(perfmon_error(), "sampling period");
	perfmon_events_free(list);
}

/* Of a program that was built with a later library, with an option more. */
struct later_opts {
	struct perfmon_sample_opts known;
	uint64_t	later;
};

TEST(options_of_other_versions)
{
	struct later_opts opts = { .known = { .size = sizeof(opts), .period = 0 }, .later = 1 };
	struct perfmon_event_list *list = events("cycles");

	CHECK(!perfmon_sample_open(list, 0, NULL));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), "takes a struct perfmon_sample_opts");
	CHECK(!perfmon_sample_open(list, 0, &opts.known));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), "fewer options than the program sets");
	/* Without the later option it is the period that is wrong. */
	opts.later = 0;
	CHECK(!perfmon_sample_open(list, 0, &opts.known));
	says(perfmon_error(), "sampling period");
	/* An earlier program has fewer options: the mask behind them is not its own. */
	opts.known = (struct perfmon_sample_opts){
		.size = offsetof(struct perfmon_sample_opts, random_mask), .random_mask = 1,
		.chain_depth = PERFMON_CHAIN_MAX + 1, .reserved = 1,
	};
	CHECK(!perfmon_sample_open_cpu(list, 0, &opts.known));
	says(perfmon_error(), "sampling period");
	opts.known.size = sizeof(size_t);
	CHECK(!perfmon_sample_open(list, 0, &opts.known));
	says(perfmon_error(), "with its size and a period");
	opts.known.size = sizeof(opts.known);
	CHECK(!perfmon_sample_open(list, 0, &opts.known));
	says(perfmon_error(), "reserved is not 0");
	perfmon_events_free(list);
}

TEST(options_out_of_range_are_refused)
{
	PERFMON_OPTS(perfmon_sample_opts, opts, .period = 1000, .random_mask = 1000);
	struct perfmon_event_list *list = events("cycles");

	CHECK(!perfmon_sample_open(list, 0, &opts));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), "the mask of a random period is below the period");
	opts.random_mask = 0;
	opts.chain_depth = PERFMON_CHAIN_MAX + 1;
	CHECK(!perfmon_sample_open(list, 0, &opts));
	CHECK_EQ(errno, EINVAL);
	says(perfmon_error(), "a call chain has up to 127 addresses of each level");
	perfmon_events_free(list);
}

static void *fails_otherwise(void *arg)
{
	CHECK_STREQ(perfmon_error(), "");
	CHECK(!perfmon_events("otherwise"));
	says(perfmon_error(), "otherwise");
	return arg;
}

TEST(each_thread_has_its_own_error)
{
	pthread_t thread;

	CHECK(!perfmon_events("first"));
	CHECK(!pthread_create(&thread, NULL, fails_otherwise, NULL));
	CHECK(!pthread_join(thread, NULL));
	says(perfmon_error(), "'first'");
}

static void *opens_many(void *arg)
{
	int i;

	for (i = 0; i < 100; i++) {
		struct perfmon_event_list *list = events("branches,instructions");

		perfmon_session_close(started(list));
		perfmon_events_free(list);
	}
	return arg;
}

TEST(threads_name_events_at_the_same_time)
{
	pthread_t thread[4];
	int i;

	for (i = 0; i < 4; i++)
		CHECK(!pthread_create(&thread[i], NULL, opens_many, NULL));
	for (i = 0; i < 4; i++)
		CHECK(!pthread_join(thread[i], NULL));
}

TEST(regions_are_nothing_without_a_wish)
{
	CHECK_OK(perfmon_region_begin("a"));
	CHECK_OK(perfmon_region_end("b"));
}

/* The report of @run in a child of its own, which exits; to a file with this ending. */
static const char *reported_as(void (*run)(void), const char *ending)
{
	static char text[4096];
	size_t n;
	FILE *file;
	char name[64];
	int status, fd;
	pid_t pid;

	snprintf(name, sizeof(name), "/tmp/unit_program-XXXXXX%s", ending);
	fd = mkstemps(name, (int)strlen(ending));

	CHECK_GE(fd, 0);
	setenv("PERFMON_REGIONS", name, 1);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		run();
		exit(0);
	}
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	file = fdopen(fd, "r");
	CHECK(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	unlink(name);
	return text;
}

static const char *reported(void (*run)(void))
{
	return reported_as(run, "");
}

static void nested(void)
{
	setenv("PERFMON_EVENTS", "instructions:u", 1);
	CHECK_OK(perfmon_region_begin("outer"));
	CHECK_OK(perfmon_region_begin("inner"));
	CHECK_ERRNO(perfmon_region_end("outer"), EINVAL);
	says(perfmon_error(), "the one that is open is inner");
	CHECK_OK(perfmon_region_end("inner"));
	CHECK_OK(perfmon_region_begin("inner"));
	CHECK_OK(perfmon_region_end("inner"));
	CHECK_OK(perfmon_region_end("outer"));
	CHECK_ERRNO(perfmon_region_end("outer"), EINVAL);
	says(perfmon_error(), "none is open");
	CHECK_OK(perfmon_region_begin("open"));
}

TEST(regions_are_reported_at_the_exit)
{
	const char *text = reported(nested);

	says(text, "1 thread\n");
	says(text, "# regions still open: 1,");
	says(text, "# ends of a region that was not open: 2\n");
	says(text, "instructions:u  region\n");
	says(text, "         1       1               0  outer\n"
		   "         2       1               0    inner\n");
}

static void *work(void *name)
{
	int i;

	prctl(PR_SET_NAME, name);
	for (i = 0; i < 3; i++) {
		CHECK_OK(perfmon_region_begin("outer"));
		CHECK_OK(perfmon_region_begin(name));
		CHECK_OK(perfmon_region_end(name));
		CHECK_OK(perfmon_region_end("outer"));
	}
	return NULL;
}

static void threaded(void)
{
	static char one[] = "one", two[] = "two";
	pthread_t thread;

	setenv("PERFMON_EVENTS", "instructions:u", 1);
	CHECK(!pthread_create(&thread, NULL, work, one));
	CHECK(!pthread_join(thread, NULL));
	work(two);
}

TEST(each_thread_is_reported_if_that_is_wished)
{
	const char *text;

	CHECK(!strstr(reported(threaded), "# thread "));
	CHECK(!strstr(reported_as(threaded, ".json"), "per_thread"));
	setenv("PERFMON_REGIONS_PER_THREAD", "1", 1);
	text = reported(threaded);
	says(text, "         6       2               0  outer\n"
		   "         3       1               0    one\n"
		   "         3       1               0    two\n"
		   "# thread ");
	says(text, ", one\n"
		   "         3       1               0  outer\n"
		   "         3       1               0    one\n"
		   "# thread ");
	says(text, ", two\n"
		   "         3       1               0  outer\n"
		   "         3       1               0    two\n");
	text = reported_as(threaded, ".json");
	text = strstr(text, "\"per_thread\"");
	CHECK(text);
	says(text, "\"comm\": \"one\"");
	text = strstr(text, "\"comm\": \"two\"");
	CHECK(text);
	says(text, "\"name\": \"two\"");
	CHECK(!strstr(text, "\"name\": \"one\""));
}

static void too_many_at_once(void)
{
	FILE *errors = tmpfile();
	char text[1000] = "";

	setenv("PERFMON_EVENTS", SIX, 1);
	CHECK(errors);
	dup2(fileno(errors), STDERR_FILENO);
	CHECK_OK(perfmon_region_begin("a"));
	CHECK_OK(perfmon_region_end("a"));
	rewind(errors);
	CHECK_GE(fread(text, 1, sizeof(text) - 1, errors), 1);
	says(text, "regions are not counted: PERFMON_EVENTS=" SIX " takes 2 event sets");
}

TEST(regions_have_all_their_counts_at_once)
{
	CHECK_STREQ(reported(too_many_at_once), "");
}

static void taken(void)
{
	faults("busy");
	setenv("PERFMON_EVENTS", "cycles", 1);
	CHECK_ERRNO(perfmon_region_begin("a"), ENODATA);
	CHECK_ERRNO(perfmon_region_end("a"), ENODATA);
}

TEST(a_thread_that_cannot_be_counted_is_in_the_report)
{
	const char *text = reported(taken);

	says(text, "0 threads\n");
	says(text, "# threads without counters: 1,");
}
