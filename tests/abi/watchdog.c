// SPDX-License-Identifier: GPL-2.0
/*
 * The NMI watchdog, which has a counter of its own, gives way to sessions: it is paused, and
 * resumed a moment after the last session. Only some users may have it paused.
 */
#include "log.h"
#include "watchdog.h"

/* The watchdog. */

/* New lines of perfmon in the kernel's log that have both words. */
static unsigned int log_count(int fd, const char *word)
{
	unsigned int n = 0;
	char line[8192];
	ssize_t size;

	while ((size = read(fd, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		line[size > 0 ? size : 0] = '\0';
		if (strcasestr(line, "perfmon") && strcasestr(line, "watchdog") &&
		    strcasestr(line, word))
			n++;
		errno = 0;
	}
	CHECK_EQ(errno, EAGAIN);
	return n;
}

static void check_watchdog_is_on(void)
{
	char text[16];

	read_file(WATCHDOG, text, sizeof(text));
	CHECK_STREQ(text, "1");
}

/* The watchdog has the hardware again. */
static bool watchdog_is_back(int log)
{
	static unsigned int resumed;

	resumed += log_count(log, "resumed");
	return resumed == 1;
}

static void load_beside_watchdog(void *unused)
{
	int fd = create_counting(general, 0), log, paused;
	int other = create_counting(general, 0);
	pid_t pid = spawn(just_wait, NULL);

	(void)unused;
	/* The pauses for earlier sessions have ended. */
	sleep_ms(2500);
	paused = log_open();
	log = log_open();
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_GE(read_pmd(fd, 0), 2000);
	CHECK_EQ(log_count(paused, "paused"), 1);
	check_watchdog_is_on();
	/* A second session does not pause it again. */
	load(other, pid);
	unload(other);
	CHECK_EQ(log_count(paused, "paused"), 0);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	CHECK(!watchdog_is_back(log));
	unload(fd);
	WAIT_UNTIL(watchdog_is_back(log));
	check_watchdog_is_on();
	CHECK_OK(close(perf_hardware()));
	CHECK_EQ(log_count(log, "resumed"), 0);
	CHECK_EQ(log_count(paused, "paused"), 0);
	kill_child(pid);
}

/* covers: D.3-5 */
TEST(the_nmi_watchdog_is_paused_and_resumed)
{
	need_pmu();
	need_hardware("counters that the watchdog uses as well");
	with_file(WATCHDOG, "1", load_beside_watchdog, NULL);
}

static void reload_beside_watchdog(void *unused)
{
	int fd = create_counting(general, 0), log, i;

	(void)unused;
	load_self(fd);
	log = log_open();
	for (i = 0; i < 50; i++) {
		unload(fd);
		load_self(fd);
	}
	CHECK_LE(log_count(log, "watchdog"), 2);
}

/* covers: D.3-5 */
TEST(a_tool_that_reloads_does_not_flood_the_log)
{
	need_pmu();
	with_file(WATCHDOG, "1", reload_beside_watchdog, NULL);
}

static void load_without_watchdog(void *unused)
{
	int fd = create_counting(general, 0), log = log_open();
	char text[16];

	(void)unused;
	load_self(fd);
	unload(fd);
	sleep_ms(2500);
	CHECK_EQ(log_count(log, "watchdog"), 0);
	read_file(WATCHDOG, text, sizeof(text));
	CHECK_STREQ(text, "0");
}

/* covers: D.3-5 */
TEST(a_watchdog_that_is_off_stays_off)
{
	need_pmu();
	with_file(WATCHDOG, "0", load_without_watchdog, NULL);
}

static void load_idle_beside_watchdog(void *unused)
{
	int fd = create(0), log;

	(void)unused;
	sleep_ms(2500);
	log = log_open();
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_EQ(log_count(log, "paused"), 0);
	write_pmc(fd, general->pmc, general->value);
	CHECK_EQ(log_count(log, "paused"), 1);
}

/* covers: D.3-5 D.3-13 */
TEST(a_context_without_a_pmc_leaves_the_watchdog_alone)
{
	need_shared_pmu();
	with_file(WATCHDOG, "1", load_idle_beside_watchdog, NULL);
}

static void refuse_first_pmc_beside_watchdog(void *unused)
{
	int thread = create(0), cpu = create(PFM_FL_SYSTEM_WIDE), log;

	(void)unused;
	sleep_ms(2500);
	pin(0);
	write_pmc(cpu, general->pmc, general->value);
	load_self(cpu);
	load_self(thread);
	log = log_open();
	CHECK_ERRNO(try_write_pmc(thread, general->pmc, general->value), EBUSY);
	CHECK(!watchdog_is_back(log));
	unload(cpu);
	WAIT_UNTIL(watchdog_is_back(log));
}

/* covers: D.3-5 D.3-13 */
TEST(a_refused_first_pmc_does_not_prolong_the_pause_of_the_watchdog)
{
	need_pmu();
	need_hardware("counters that the watchdog uses as well");
	with_file(WATCHDOG, "1", refuse_first_pmc_beside_watchdog, NULL);
}

static void switch_watchdog_while_loaded(void *unused)
{
	int fd = create_counting(general, 0);

	(void)unused;
	load_self(fd);
	/* The administrator may change the setting, and the new value applies afterwards. */
	write_file(WATCHDOG, "1");
	check_watchdog_is_on();
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	start(fd);
	stop(fd);
	write_file(WATCHDOG, "0");
	unload(fd);
	CHECK_OK(close(perf_hardware()));
}

/* covers: D.3-5 */
TEST(the_watchdog_can_be_configured_while_a_session_is_loaded)
{
	need_pmu();
	with_file(WATCHDOG, "0", switch_watchdog_while_loaded, NULL);
}

/* A load that fails does not affect the watchdog. */

static void fail_to_load(void *unused)
{
	int fd = create_counting(general, 0), i;
	int blocking = create_counting(general, PFM_FL_NOTIFY_BLOCK);
	siginfo_t info;
	pid_t dead;

	(void)unused;
	become(NOBODY, NOBODY);
	dead = spawn(just_exit, NULL);
	CHECK_OK(waitid(P_PID, dead, &info, WEXITED | WNOWAIT));
	for (i = 0; i < 100; i++) {
		CHECK_ERRNO(try_load(fd, 999999), ESRCH);
		CHECK_ERRNO(try_load(fd, dead), ESRCH);
		CHECK_ERRNO(try_load(fd, 1), EPERM);
		CHECK_ERRNO(try_load_set(fd, gettid(), 7), EINVAL);
		CHECK_ERRNO(try_load(blocking, gettid()), EINVAL);
	}
	check_unloaded(fd);
}

static void fail_beside_watchdog(void *unused)
{
	int log;

	(void)unused;
	sleep_ms(2500);
	log = log_open();
	run_in_child(fail_to_load, NULL);
	CHECK_EQ(log_count(log, "watchdog"), 0);
}

/* covers: D.3-8 */
TEST(a_load_that_fails_leaves_the_watchdog_alone)
{
	need_shared_pmu();
	with_file(WATCHDOG, "1", fail_beside_watchdog, NULL);
}

static void lose_to_perf(void *unused)
{
	int fd = create_counting(general, 0), perf, log, i;

	(void)unused;
	sleep_ms(2500);
	perf = perf_hardware();
	log = log_open();
	for (i = 0; i < 20; i++)
		CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_EQ(log_count(log, "watchdog"), 0);
	check_perf_counts(perf);
	CHECK_OK(close(perf));
	load_self(fd);
	CHECK_EQ(log_count(log, "paused"), 1);
}

/* covers: D.3-8 */
TEST(a_load_that_loses_to_perf_leaves_the_watchdog_alone)
{
	need_shared_pmu();
	with_file(WATCHDOG, "1", lose_to_perf, NULL);
}

/* A thread that never lets another thread run on its CPU. */
static void spin_in_real_time(void *arg)
{
	struct sched_param param = { .sched_priority = 50 };

	pin(1);
	CHECK_OK(sched_setscheduler(0, SCHED_FIFO, &param));
	gate_open(*(int *)arg);
	for (;;)
		;
}

static void load_and_unload(void *arg)
{
	int fd = *(int *)arg;

	pin(0);
	load_self(fd);
	unload(fd);
}

static bool has_ended(pid_t pid)
{
	int status, ended = waitpid(pid, &status, WNOHANG);

	CHECK_OK(ended);
	if (ended && status)
		FAIL("the child ended with %#x", status);
	return ended;
}

static void load_beside_real_time(void *unused)
{
	int gate = gate_new(), fd = create_counting(general, 0);
	pid_t busy, loader;

	(void)unused;
	pin(0);
	sleep_ms(2500);
	busy = spawn(spin_in_real_time, &gate);
	gate_wait(gate);
	loader = spawn(load_and_unload, &fd);
	WAIT_UNTIL(has_ended(loader));
	kill_child(busy);
}

static void without_throttling(void *unused)
{
	(void)unused;
	with_file("/proc/sys/kernel/sched_rt_runtime_us", "-1", load_beside_real_time, NULL);
}

/* covers: D.3-9 */
TEST(a_busy_real_time_thread_does_not_hold_up_a_load)
{
	need_shared_pmu();
	need_cpus(2);
	with_file(WATCHDOG, "1", without_throttling, NULL);
}

/* The users for whom the watchdog pauses. */

#define PAUSE	PERFMON_SYSFS "limits/watchdog_pause"

static void load_as_nobody(void *unused)
{
	int fd = create_counting(general, 0), log = log_open();

	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	check_unloaded(fd);
	CHECK_EQ(log_count(log, "watchdog"), 0);
}

static void load_as_capable(void *unused)
{
	int fd = create_counting(general, 0), log = log_open();

	(void)unused;
	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_PERFMON);
	load_self(fd);
	CHECK_EQ(log_count(log, "paused"), 1);
}

/* With no PMC, which it gets when it is loaded. */
static void join_late_as_nobody(void *unused)
{
	int fd = create(0);

	(void)unused;
	become(NOBODY, NOBODY);
	load_self(fd);
	CHECK_ERRNO(try_write_pmc(fd, general->pmc, general->value), EBUSY);
	unload(fd);
}

static void load_as_capable_beside(void *unused)
{
	(void)unused;
	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_PERFMON);
	load_self(create_counting(general, 0));
}

static void pause_if_capable(void *unused)
{
	int fd = create_counting(general, 0), log;

	(void)unused;
	sleep_ms(2500);
	run_in_child(load_as_nobody, NULL);
	run_in_child(load_as_capable, NULL);
	/* Not resumed yet, but it will be. */
	run_in_child(load_as_nobody, NULL);
	/* Whoever joined a session that pauses it could have it paused for ever after. */
	load_self(fd);
	run_in_child(load_as_nobody, NULL);
	run_in_child(join_late_as_nobody, NULL);
	run_in_child(load_as_capable_beside, NULL);
	log = log_open();
	unload(fd);
	WAIT_UNTIL(watchdog_is_back(log));
}

static void join_as_nobody(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	load_self(create_counting(general, 0));
}

static void join_without_watchdog(void *unused)
{
	int fd = create_counting(general, 0);

	(void)unused;
	sleep_ms(2500);
	load_self(fd);
	run_in_child(join_as_nobody, NULL);
	unload(fd);
	run_in_child(join_as_nobody, NULL);
}

static void limit_to_capable(void *unused)
{
	(void)unused;
	with_file(PAUSE, "capable", pause_if_capable, NULL);
}

/* covers: D.3-10 */
TEST(pausing_the_watchdog_can_take_a_capability)
{
	need_shared_pmu();
	with_file(WATCHDOG, "1", limit_to_capable, NULL);
}

static void limit_without_watchdog(void *unused)
{
	(void)unused;
	with_file(PAUSE, "capable", join_without_watchdog, NULL);
}

/* covers: D.3-10 */
TEST(without_the_watchdog_nobody_needs_the_right_to_pause_it)
{
	need_shared_pmu();
	with_file(WATCHDOG, "0", limit_without_watchdog, NULL);
}

static void load_if_never(void *unused)
{
	int fd = create_counting(general, 0), log;

	(void)unused;
	sleep_ms(2500);
	log = log_open();
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_EQ(log_count(log, "watchdog"), 0);
	CHECK_OK(close(perf_hardware()));
	/* Switched off by the administrator, it needs no pause. */
	write_file(WATCHDOG, "0");
	load_self(fd);
	unload(fd);
	write_file(WATCHDOG, "1");
}

static void limit_to_never(void *unused)
{
	(void)unused;
	with_file(PAUSE, "never", load_if_never, NULL);
}

/* covers: D.3-10 */
TEST(pausing_the_watchdog_can_be_forbidden)
{
	need_shared_pmu();
	with_file(WATCHDOG, "1", limit_to_never, NULL);
}

/* covers: D.3-10 */
TEST(who_may_pause_the_watchdog_is_one_of_three_words)
{
	char before[16], text[16];

	read_file(PAUSE, before, sizeof(before));
	CHECK(!strcmp(before, "any") || !strcmp(before, "capable") || !strcmp(before, "never"));
	CHECK_ERRNO(try_write_file(PAUSE, "root"), EINVAL);
	read_file(PAUSE, text, sizeof(text));
	CHECK_STREQ(text, before);
}
