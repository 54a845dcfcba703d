// SPDX-License-Identifier: GPL-2.0
/*
 * libperfmon by event name on a PMU that counts: a loop of known length, to the unit, in regions,
 * threads and sets; samples while they are taken. By the kernel's own backend (the system call, or
 * /dev/perfmon of the module) and by perf_event_open().
 */
#include "../harness.h"
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/lib/perfmon_events.h"
#include "../../tools/lib/perfmon_lib.h"
#include "../../tools/lib/perfmon_regions.h"

#define LOOPS		100000ULL

/* The same with both backends. */
#define BY_BOTH_BACKENDS(name)							\
	static void name(void);							\
	TEST(name##_by_the_kernel) { name(); }					\
	TEST(name##_by_perf_events) { by_perf(); name(); }			\
	static void name(void)

static void by_perf(void)
{
	setenv("PERFMON", "perf", 1);
}

static void set(const char *path, const char *value)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(value, file) < 0 || fclose(file))
		FAIL("cannot write %s", path);
}

/* Short periods need more interrupts here than either backend's default limit. */
static void no_throttle(void)
{
	/* While this file is 0 or 100 the rate cannot be written. */
	set("/proc/sys/kernel/perf_cpu_time_max_percent", "25");
	set("/proc/sys/kernel/perf_event_max_sample_rate", "1000000000");
	set("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
	set("/sys/kernel/perfmon/limits/interrupt_rate_max", "1000000000");
	set("/sys/kernel/perfmon/limits/cpu_time_max_percent", "100");
}

/* Two instructions for each turn; one of them is a branch. */
static __attribute__((noinline)) void loop(unsigned long loops)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(loops) : : "cc");
}

/* With a frame, which the compiler leaves out of functions that call nothing and use no stack. */
static __attribute__((noinline)) void framed_loop(unsigned long loops)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(loops) : : "cc");
}

static __attribute__((noinline)) void calls_loop(unsigned long loops)
{
	framed_loop(loops);
	__asm__ volatile(""); /* not a jump to it */
}

static struct perfmon_event_list *events(const char *list)
{
	struct perfmon_event_list *made = perfmon_events(list);

	if (!made)
		FAIL("%s: %s", list, perfmon_error());
	return made;
}

static const struct perfmon_sample_opts each_thousandth = {
	.size = sizeof(each_thousandth), .period = 1000,
};

static struct perfmon_session *good(struct perfmon_session *session)
{
	if (!session)
		FAIL("%s", perfmon_error());
	return session;
}

/*
 * The instructions that a session adds to a loop: the same number each time, but for the first one.
 */
static void count_loop(struct perfmon_session *session, unsigned long loops, uint64_t *counts)
{
	uint64_t before[2];

	CHECK_OK(perfmon_session_read(session, before, 2));
	CHECK_OK(perfmon_session_start(session));
	loop(loops);
	CHECK_OK(perfmon_session_stop(session));
	CHECK_OK(perfmon_session_read(session, counts, 2));
	counts[0] -= before[0];
	counts[1] -= before[1];
}

static void check_loops(struct perfmon_event_list *list)
{
	struct perfmon_session *session = good(perfmon_session_open(list, 0));
	uint64_t first[2], one[2], other[2];

	count_loop(session, 1, first);
	count_loop(session, 1, one);
	count_loop(session, 1 + LOOPS, other);
	CHECK_EQ(other[0] - one[0], 2 * LOOPS);
	CHECK_EQ(other[1] - one[1], LOOPS);
	perfmon_session_close(session);
}

BY_BOTH_BACKENDS(a_loop_is_counted_to_the_unit)
{
	struct perfmon_event_list *list = events("instructions:u,branches:u");

	check_loops(list);
	perfmon_events_free(list);
}

static void *check_in_thread(void *list)
{
	check_loops(list);
	return NULL;
}

/* At the same time; but perf_events' backend has a lock, and a wait for it takes instructions. */
BY_BOTH_BACKENDS(threads_count_their_own_loops)
{
	struct perfmon_event_list *list = events("instructions:u,branches:u");
	const bool at_once = strcmp(perfmon_backend(), "perf_events") != 0;
	pthread_t thread[4];
	int i;

	for (i = 0; i < 4; i++) {
		CHECK(!pthread_create(&thread[i], NULL, check_in_thread, list));
		if (!at_once)
			CHECK(!pthread_join(thread[i], NULL));
	}
	for (i = 0; at_once && i < 4; i++)
		CHECK(!pthread_join(thread[i], NULL));
	perfmon_events_free(list);
}

/* Five events on four general counters: each counts a part of the time. */
BY_BOTH_BACKENDS(sets_that_take_turns_are_estimated)
{
	struct perfmon_event_list *list = events("branches:u,stores:u,loads:u,loads:k,stores:k");
	struct perfmon_session *session = good(perfmon_session_open(list, 0));
	struct perfmon_count counts[5];

	CHECK_EQ(perfmon_events_sets(list), 2);
	CHECK_OK(perfmon_session_start(session));
	loop(20000000);
	CHECK_OK(perfmon_session_stop(session));
	CHECK_OK(perfmon_session_read_counts(session, counts, 5));
	CHECK(counts[0].counted < 20000000);
	CHECK(counts[0].active_ns < counts[0].total_ns);
	CHECK_GE(counts[0].count, 19000000);
	CHECK_LE(counts[0].count, 21000000);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

/* A child that waits for a byte, loops, and ends. */
static pid_t child(unsigned long loops, int *go)
{
	int link[2];
	pid_t pid;
	char c;

	CHECK_OK(pipe(link));
	pid = fork();
	if (!pid) {
		if (read(link[0], &c, 1) == 1)
			loop(loops);
		_exit(0);
	}
	*go = link[1];
	return pid;
}

/* It is in read(): the instructions before that must not count. */
static void wait_until_asleep(pid_t pid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	while (state != 'S') {
		file = fopen(path, "r");
		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			FAIL("cannot read %s", path);
		fclose(file);
	}
}

static uint64_t count_child(struct perfmon_event_list *list, unsigned long loops)
{
	struct pollfd poller = { .events = POLLIN };
	struct perfmon_session *session;
	uint64_t count;
	pid_t pid;
	int go;

	pid = child(loops, &go);
	wait_until_asleep(pid);
	session = good(perfmon_session_open(list, pid));
	CHECK_OK(perfmon_session_start(session));
	CHECK_EQ(write(go, "", 1), 1);
	poller.fd = perfmon_session_fd(session);
	CHECK_EQ(poll(&poller, 1, -1), 1);
	CHECK_OK(perfmon_session_stop(session));
	CHECK_OK(perfmon_session_read(session, &count, 1));
	perfmon_session_close(session);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	return count;
}

BY_BOTH_BACKENDS(another_process_is_counted_to_its_end)
{
	struct perfmon_event_list *list = events("instructions:u");
	const uint64_t one = count_child(list, 1);

	CHECK_EQ(count_child(list, 1 + LOOPS) - one, 2 * LOOPS);
	perfmon_events_free(list);
}

BY_BOTH_BACKENDS(a_cpu_counts_what_runs_there)
{
	struct perfmon_event_list *list = events("instructions:u");
	struct perfmon_session *session = good(perfmon_session_open_cpu(list, 1));
	uint64_t count, more;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(1, &cpu);
	CHECK_OK(sched_setaffinity(0, sizeof(cpu), &cpu));
	CHECK_OK(perfmon_session_start(session));
	loop(LOOPS);
	CHECK_OK(perfmon_session_read(session, &count, 1));
	CHECK_GE(count, 2 * LOOPS);
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	CHECK_OK(sched_setaffinity(0, sizeof(cpu), &cpu));
	CHECK_OK(perfmon_session_read(session, &count, 1));
	loop(10 * LOOPS);
	CHECK_OK(perfmon_session_read(session, &more, 1));
	CHECK(more - count < 10 * LOOPS);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

BY_BOTH_BACKENDS(a_thread_has_one_session)
{
	struct perfmon_event_list *list = events("instructions:u");
	struct perfmon_session *session = good(perfmon_session_open(list, 0));
	const bool is_perf = !strcmp(perfmon_backend(), "perf_events");
	struct perfmon_session *second = perfmon_session_open(list, 0);

	/* perf_events shares the counters among sessions. */
	CHECK_EQ(second != NULL, is_perf);
	if (!second)
		CHECK(strstr(perfmon_error(), "in use"));
	perfmon_session_close(second);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

/* The samples of a child's loop: this number, all in the loop and in order. */
BY_BOTH_BACKENDS(samples_come_while_they_are_made)
{
	struct perfmon_event_list *list = events("branches:u");
	struct perfmon_session *session;
	struct perfmon_sample sample;
	struct perfmon_ledger ledger;
	uint64_t n = 0, last = 0;
	int go, more;
	pid_t pid;

	no_throttle();
	pid = child(1000 * 1000, &go);
	session = good(perfmon_sample_open(list, pid, &each_thousandth));
	CHECK_OK(perfmon_session_start(session));
	CHECK_ERRNO(perfmon_sample_next(session, &sample, 1), EAGAIN);
	CHECK_EQ(write(go, "", 1), 1);
	while ((more = perfmon_sample_next(session, &sample, -1)) == 1) {
		CHECK_EQ(sample.pid, pid);
		CHECK_EQ(sample.tid, pid);
		CHECK_LE(sample.cpu, 1);
		CHECK_GE(sample.time, last);
		CHECK_LE(sample.ip - (uintptr_t)loop, 32);
		CHECK_EQ(sample.nvalues, 0);
		last = sample.time;
		n++;
	}
	CHECK_EQ(more, 0);
	CHECK_EQ(perfmon_sample_next(session, &sample, -1), 0);
	CHECK_OK(perfmon_sample_ledger(session, &ledger));
	CHECK_EQ(ledger.recorded, n);
	CHECK_EQ(ledger.recorded + ledger.lost, 1000);
	CHECK_EQ(ledger.overflows, 1000);
	perfmon_session_close(session);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	perfmon_events_free(list);
}

/* 40 bytes each: more than a buffer of 1 MB, which was full until the program emptied it. */
TEST(a_full_buffer_is_emptied_and_nothing_is_lost)
{
	struct perfmon_event_list *list = events("branches:u");
	struct perfmon_session *session;
	struct perfmon_sample sample;
	struct perfmon_ledger ledger;
	uint64_t n = 0;
	int go, more;
	pid_t pid;

	no_throttle();
	pid = child(60000 * 1000, &go);
	session = good(perfmon_sample_open(list, pid, &each_thousandth));
	CHECK_OK(perfmon_session_start(session));
	CHECK_EQ(write(go, "", 1), 1);
	while ((more = perfmon_sample_next(session, &sample, -1)) == 1)
		n++;
	CHECK_EQ(more, 0);
	CHECK_OK(perfmon_sample_ledger(session, &ledger));
	CHECK_EQ(ledger.overflows, 60000);
	CHECK_EQ(ledger.recorded, 60000);
	CHECK_EQ(ledger.lost, 0);
	CHECK_EQ(n, 60000);
	perfmon_session_close(session);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	perfmon_events_free(list);
}

/* The values of the other events, in their order; a thread that samples itself. */
TEST(samples_have_the_values_of_the_other_events)
{
	struct perfmon_event_list *list = events("branches:u,cycles:u,instructions:u");
	struct perfmon_session *session = good(perfmon_sample_open(list, 0, &each_thousandth));
	uint64_t last[2] = { 0, 0 };
	struct perfmon_sample sample;
	int n = 0;

	CHECK_OK(perfmon_session_start(session));
	loop(50 * 1000);
	CHECK_OK(perfmon_session_stop(session));
	while (perfmon_sample_next(session, &sample, 0) == 1) {
		CHECK_EQ(sample.nvalues, 2);
		if (n++) {
			CHECK_EQ(sample.values[1] - last[1], 2000);
			CHECK_GE(sample.values[0] - last[0], 2000);
		}
		last[0] = sample.values[0];
		last[1] = sample.values[1];
	}
	CHECK_EQ(n, 50);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

/* The loop, its caller, and this function, which is the last within a depth of three. */
BY_BOTH_BACKENDS(samples_have_their_call_chains)
{
	PERFMON_OPTS(perfmon_sample_opts, opts, .period = 1000, .chain_depth = 3);
	struct perfmon_event_list *list = events("branches:u");
	struct perfmon_session *session;
	struct perfmon_sample sample;
	struct perfmon_chain chain;
	int n = 0;

	no_throttle();
	session = good(perfmon_sample_open(list, 0, &opts));
	CHECK_ERRNO(perfmon_sample_chain(session, &chain), EINVAL);
	CHECK(strstr(perfmon_error(), "there was no sample yet"));
	CHECK_OK(perfmon_session_start(session));
	calls_loop(50 * 1000);
	CHECK_OK(perfmon_session_stop(session));
	while (perfmon_sample_next(session, &sample, 0) == 1) {
		CHECK_OK(perfmon_sample_chain(session, &chain));
		CHECK_EQ(chain.nkernel, 0);
		CHECK_EQ(chain.nuser, 3);
		CHECK_EQ(chain.user[0], sample.ip);
		CHECK_LE(sample.ip - (uintptr_t)framed_loop, 32);
		CHECK_LE(chain.user[1] - (uintptr_t)calls_loop, 32);
		CHECK_LE(chain.user[2] - (uintptr_t)samples_have_their_call_chains, 1024);
		CHECK(chain.cut);
		n++;
	}
	CHECK_EQ(n, 50);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

/* On a CPU, at kernel level as well: a sample has one part or both. */
TEST(chains_of_a_cpu_have_the_kernels_part)
{
	PERFMON_OPTS(perfmon_sample_opts, opts, .period = 10007, .chain_depth = PERFMON_CHAIN_MAX);
	struct perfmon_event_list *list = events("instructions");
	unsigned int kernel = 0, user = 0;
	struct perfmon_session *session;
	struct perfmon_sample sample;
	struct perfmon_chain chain;
	int i;

	no_throttle();
	session = good(perfmon_sample_open_cpu(list, 0, &opts));
	CHECK_OK(perfmon_session_start(session));
	for (i = 0; i < 1000; i++)
		sched_yield();
	while (kernel < 50 && perfmon_sample_next(session, &sample, 1000) == 1) {
		CHECK_OK(perfmon_sample_chain(session, &chain));
		CHECK_GE(chain.nkernel + chain.nuser, 1);
		CHECK_EQ(chain.nkernel ? chain.kernel[0] : chain.user[0], sample.ip);
		kernel += chain.nkernel > 1;
		user += chain.nuser > 0;
	}
	CHECK_EQ(kernel, 50);
	CHECK_GE(user, 1);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

TEST(a_session_without_chains_has_none)
{
	struct perfmon_event_list *list = events("branches:u");
	struct perfmon_session *session = good(perfmon_sample_open(list, 0, &each_thousandth));
	struct perfmon_chain chain;

	CHECK_ERRNO(perfmon_sample_chain(session, &chain), EINVAL);
	CHECK(strstr(perfmon_error(), "it was opened without a chain_depth"));
	perfmon_session_close(session);
	perfmon_events_free(list);
}

/* Two instructions a branch: the distances of samples differ, and none is above the period. */
TEST(random_periods_are_shorter)
{
	PERFMON_OPTS(perfmon_sample_opts, opts, .period = 1000, .random_mask = 0xff);
	struct perfmon_event_list *list = events("branches:u,instructions:u");
	struct perfmon_session *session = good(perfmon_sample_open(list, 0, &opts));
	uint64_t last = 0, least = UINT64_MAX, most = 0;
	struct perfmon_sample sample;
	int n = 0;

	no_throttle();
	CHECK_OK(perfmon_session_start(session));
	loop(100 * 1000);
	CHECK_OK(perfmon_session_stop(session));
	while (perfmon_sample_next(session, &sample, 0) == 1) {
		const uint64_t distance = sample.values[0] - last;

		last = sample.values[0];
		if (n++ < 2)
			continue; /* before the loop, and into it */
		least = distance < least ? distance : least;
		most = distance > most ? distance : most;
	}
	CHECK_GE(n, 105);
	CHECK_GE(least, 2 * (1000 - 0xff));
	CHECK_LE(most, 2 * 1000);
	CHECK_GE(most - least, 2 * 0x80);
	perfmon_session_close(session);
	perfmon_events_free(list);
}

TEST(perf_events_has_no_values_and_says_so)
{
	struct perfmon_event_list *list;

	by_perf();
	list = events("branches:u,instructions:u");
	CHECK(!perfmon_sample_open(list, 0, &each_thousandth));
	CHECK_EQ(errno, ENOSYS);
	CHECK(strstr(perfmon_error(), "with perf_events a sample has no PMDs"));
	perfmon_events_free(list);
}

TEST(a_user_without_rights_has_user_level_and_no_cpus)
{
	struct perfmon_event_list *list;

	CHECK_OK(setresgid(65534, 65534, 65534));
	CHECK_OK(setresuid(65534, 65534, 65534));
	list = events("instructions");
	CHECK_STREQ(perfmon_events_name(list, 0), "instructions:u");
	CHECK(!perfmon_session_open_cpu(list, 0));
	CHECK_EQ(errno, EPERM);
	CHECK(strstr(perfmon_error_hint(), "CAP_PERFMON"));
	CHECK(!perfmon_session_open(list, 1));
	CHECK_EQ(errno, EPERM);
	CHECK(!perfmon_events("cycles:k"));
	CHECK(strstr(perfmon_error(), "may not count at kernel level"));
	perfmon_events_free(list);
}

TEST(an_event_that_is_not_emulated_is_refused)
{
	CHECK(!perfmon_events("L1D:REPL"));
	CHECK(strstr(perfmon_error(), "L1D:REPL"));
}

static void region(const char *name, unsigned long loops)
{
	CHECK_OK(perfmon_region_begin(name));
	if (loops)
		loop(loops);
	CHECK_OK(perfmon_region_end(name));
}

/* Three threads and the first one; and a child, whose counts begin at zero. */
static void *regions(void *arg)
{
	int i;

	region("warm", 0);
	CHECK_OK(perfmon_region_begin("outer"));
	for (i = 0; i < 5; i++) {
		region("one", 1);
		region("many", 1 + LOOPS);
	}
	CHECK_OK(perfmon_region_end("outer"));
	return arg;
}

static void run_regions(void)
{
	const bool at_once = strcmp(perfmon_backend(), "perf_events") != 0;
	pthread_t thread[3];
	pid_t pid;
	int i;

	regions(NULL);
	for (i = 0; i < 3; i++) {
		CHECK(!pthread_create(&thread[i], NULL, regions, NULL));
		if (!at_once)
			CHECK(!pthread_join(thread[i], NULL));
	}
	for (i = 0; at_once && i < 3; i++)
		CHECK(!pthread_join(thread[i], NULL));
	pid = fork();
	if (!pid)
		region("child", 1);
	else
		CHECK_EQ(waitpid(pid, NULL, 0), pid);
	exit(0);
}

/* The calls and the first count of a region, from the report as text. */
static uint64_t reported(const char *file, const char *name, uint64_t *calls)
{
	unsigned long long n, threads, count;
	char line[256], region[64];
	FILE *report = fopen(file, "r");

	if (!report)
		FAIL("there is no report %s", file);
	while (fgets(line, sizeof(line), report)) {
		if (sscanf(line, "%llu %llu %llu %63s", &n, &threads, &count, region) != 4 ||
		    strcmp(region, name))
			continue;
		fclose(report);
		*calls = n;
		return count;
	}
	FAIL("%s has no region %s", file, name);
}

/* Each thread's rows have its own figures. Returns the number of threads. */
static unsigned int check_threads(const char *file)
{
	unsigned long long n, threads, count, one = 0;
	FILE *report = fopen(file, "r");
	unsigned int found = 0;
	char line[256], region[64];

	CHECK(report);
	while (fgets(line, sizeof(line), report)) {
		found += !strncmp(line, "# thread ", 9);
		if (!found || sscanf(line, "%llu %llu %llu %63s", &n, &threads, &count, region) != 4)
			continue;
		CHECK_EQ(threads, 1);
		if (!strcmp(region, "one"))
			one = count;
		if (!strcmp(region, "many"))
			CHECK_EQ(count - one, 5 * 2 * LOOPS);
	}
	fclose(report);
	return found;
}

BY_BOTH_BACKENDS(regions_count_a_loop_and_a_constant)
{
	uint64_t calls, one, many;
	glob_t of_child;
	pid_t pid;

	if (!glob("/tmp/report*", 0, NULL, &of_child))
		FAIL("there is a report already");
	setenv("PERFMON_REGIONS", "/tmp/report", 1);
	setenv("PERFMON_REGIONS_PER_THREAD", "1", 1);
	setenv("PERFMON_EVENTS", "instructions:u", 1);
	pid = fork();
	if (!pid)
		run_regions();
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	one = reported("/tmp/report", "one", &calls);
	CHECK_EQ(calls, 20);
	many = reported("/tmp/report", "many", &calls);
	CHECK_EQ(calls, 20);
	CHECK_EQ(many - one, 20 * 2 * LOOPS);
	CHECK_GE(reported("/tmp/report", "outer", &calls), one + many);
	CHECK_EQ(calls, 4);
	CHECK_EQ(check_threads("/tmp/report"), 4);
	CHECK(!glob("/tmp/report.*", 0, NULL, &of_child));
	CHECK_EQ(of_child.gl_pathc, 1);
	reported(of_child.gl_pathv[0], "child", &calls);
	CHECK_EQ(calls, 1);
	CHECK_OK(unlink(of_child.gl_pathv[0]));
	CHECK_OK(unlink("/tmp/report"));
	globfree(&of_child);
}
