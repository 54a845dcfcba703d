// SPDX-License-Identifier: GPL-2.0
/* CPUs that go offline and come back. */
#include "hotplug.h"
#include "messages.h"
#include "system.h"
#include "sets.h"

/* A child that loads the context onto CPU 1, starts it, and exits. */
static void load_there(void *arg)
{
	int fd = *(int *)arg;

	load_on(fd, 1);
	start(fd);
}

static void lose_the_cpu(void *unused)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	__u64 before, after;

	(void)unused;
	pin(0);
	run_in_child(load_there, &fd);
	CHECK_GE(count_child_on(fd, 1), 200 * LOOPS);
	before = read_pmd(fd, 0);
	CHECK(!has_message(fd));
	take_cpu_down();
	expect_end(fd);
	CHECK(!has_message(fd));
	check_unloaded(fd);
	CHECK_ERRNO(try_unload(fd), EBUSY);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	after = read_pmd(fd, 0);
	CHECK_GE(after, before);
	CHECK_EQ(read_pmd(fd, 0), after);
}

/* covers: 3.3.6-8 D.6-1 */
TEST(losing_the_cpu_unloads_with_a_message_and_keeps_the_values)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_the_cpu);
}

static void lose_and_load_again(void *unused)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	__u64 value;

	(void)unused;
	pin(0);
	run_in_child(load_there, &fd);
	take_cpu_down();
	expect_end(fd);
	value = read_pmd(fd, 0);
	/* The context can go on elsewhere, and on the CPU when that is back. */
	load_on(fd, 0);
	start(fd);
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
	unload(fd);
	CHECK_GE(read_pmd(fd, 0), value + 200 * LOOPS);
	bring_cpu_up();
	run_in_child(load_there, &fd);
	CHECK_GE(count_child_on(fd, 1), 200 * LOOPS);
}

/* covers: D.6-3 */
TEST(a_context_that_lost_its_cpu_can_be_loaded_again)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_and_load_again);
}

static void lose_another_cpu(void *unused)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	(void)unused;
	load_on(fd, 0);
	start(fd);
	take_cpu_down();
	check_loaded(fd);
	CHECK(!has_message(fd));
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
	bring_cpu_up();
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
	unload(fd);
}

/* covers: D.6-2 */
TEST(contexts_of_other_cpus_stay)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_another_cpu);
}

static void lose_with_stopped_context(void *unused)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	(void)unused;
	load_on(fd, 1);
	write_pmd(fd, 0, 1ULL << 50);
	take_cpu_down();
	expect_end(fd);
	check_unloaded(fd);
	CHECK_EQ(read_pmd(fd, 0), 1ULL << 50);
}

/* covers: 3.3.6-8 */
TEST(a_stopped_context_is_unloaded_too)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_with_stopped_context);
}

static void lose_without_context(void *unused)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	(void)unused;
	load_on(fd, 1);
	unload(fd);
	take_cpu_down();
	CHECK(!has_message(fd));
}

/* covers: 3.3.6-8 */
TEST(an_unloaded_context_is_not_told)
{
	on_a_machine_with_two_cpus(lose_without_context);
}

static void lose_closed_context(void *unused)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	(void)unused;
	load_on(fd, 1);
	start(fd);
	CHECK_OK(close(fd));
	take_cpu_down();
	bring_cpu_up();
	fd = create(PFM_FL_SYSTEM_WIDE);
	run_in_child(load_there, &fd);
	check_loaded(fd);
}

/* covers: D.9-13 */
TEST(a_closed_context_leaves_nothing_on_the_cpu)
{
	on_a_machine_with_two_cpus(lose_closed_context);
}

/* The write that takes the CPU down comes from the monitored thread, on that CPU. */
static __u64 count_write(int fd, int file, const char *text)
{
	const long call[4] = { SYS_write, file, (long)text, 1 };
	cpu_set_t all;

	CPU_ZERO(&all);
	CPU_SET(0, &all);
	CPU_SET(1, &all);
	pin(1);
	CHECK_OK(sched_setaffinity(0, sizeof(all), &all));
	write_pmd(fd, 0, 0);
	start_call_stop(fd, 1, call);
	return read_pmd(fd, 0);
}

static void lose_the_cpu_of_a_thread(void *unused)
{
	int fd = create_counting(general, 0), null = open("/dev/null", O_WRONLY);
	int online = open(CPU1_ONLINE, O_WRONLY), i;
	__u64 expected;

	(void)unused;
	CHECK_OK(null);
	CHECK_OK(online);
	load_self(fd);
	count_write(fd, null, "0");
	expected = count_write(fd, null, "0");
	for (i = 0; i < 3; i++) {
		CHECK_EQ(count_write(fd, online, "0"), expected);
		CHECK_EQ(sched_getcpu(), 0);
		check_loaded(fd);
		CHECK(!has_message(fd));
		start(fd);
		bring_cpu_up();
		stop(fd);
	}
	CHECK_EQ(count_write(fd, null, "0"), expected);
}

/* covers: D.6-2 */
TEST(a_thread_context_survives_the_cpu_of_its_thread)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_the_cpu_of_a_thread);
}

/* The timer that is left behind on the CPU is not the timer that the set needs later. */
static void lose_the_cpu_of_a_timer(void *unused)
{
	__u64 timeout = clock_ns(CLOCK_MONOTONIC), end;
	int fd = create_counting(general, 0);

	(void)unused;
	take_cpu_down();
	bring_cpu_up();
	/* Long enough to be still running when the CPU is back. */
	timeout = 4 * (clock_ns(CLOCK_MONOTONIC) - timeout) + 20 * NS_PER_MS;
	CHECK_EQ(create_timed_set(fd, 0, timeout), timeout);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_on(fd, 1);
	start(fd);
	stop(fd);
	pin(0);
	take_cpu_down();
	bring_cpu_up();
	pin(1);
	start(fd);
	end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + timeout + 20 * NS_PER_MS;
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		loop(1000);
	stop(fd);
	CHECK_GE(duration(fd, 0), timeout);
	CHECK_EQ(runs(fd, 0), 1);
	CHECK_EQ(runs(fd, 1), 1);
}

/* covers: 3.7.6-4 D.6-2 */
TEST(sets_are_switched_by_time_on_a_cpu_that_was_away)
{
	on_a_machine_with_two_cpus(lose_the_cpu_of_a_timer);
}

/* Commands from CPU 0 all the while; they succeed or fail with EBUSY, nothing else. */

struct racing {
	int	fd;
	int	stop;
	long	loaded;		/* commands that met a loaded context */
};

/* At least five times, and until commands have met a loaded context. */
static bool goes_on(struct racing *racing, int round)
{
	return round < 5 || !__atomic_load_n(&racing->loaded, __ATOMIC_SEQ_CST);
}

static void race_commands(void *arg)
{
	struct racing *racing = arg;

	pin(0);
	while (!__atomic_load_n(&racing->stop, __ATOMIC_SEQ_CST)) {
		if (!try_start(racing->fd))
			racing->loaded++;
		else
			CHECK_EQ(errno, EBUSY);
		read_pmd(racing->fd, 0);
		write_pmd(racing->fd, 0, 1);
		write_pmc(racing->fd, 0, USER_INST);
		if (try_stop(racing->fd))
			CHECK_EQ(errno, EBUSY);
	}
}

static void lose_while_commanded(void *unused)
{
	struct racing *racing = test_shared(sizeof(*racing));
	pid_t pid;
	int i;

	(void)unused;
	racing->fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	pid = spawn(race_commands, racing);
	for (i = 0; goes_on(racing, i); i++) {
		run_in_child(load_there, &racing->fd);
		take_cpu_down();
		expect_end(racing->fd);
		bring_cpu_up();
	}
	__atomic_store_n(&racing->stop, 1, __ATOMIC_SEQ_CST);
	reap(pid);
	check_unloaded(racing->fd);
}

/* covers: D.6-4 */
TEST(commands_may_race_with_the_loss_of_the_cpu)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_while_commanded);
}

static void race_loads(void *arg)
{
	struct racing *racing = arg;

	while (!__atomic_load_n(&racing->stop, __ATOMIC_SEQ_CST)) {
		if (!try_load(racing->fd, gettid()))
			racing->loaded++;
		else
			CHECK_EQ(errno, EBUSY);
		if (try_start(racing->fd))
			CHECK_EQ(errno, EBUSY);
		if (try_unload(racing->fd))
			CHECK_EQ(errno, EBUSY);
	}
}

static void lose_while_loaded(void *unused)
{
	struct racing *racing = test_shared(sizeof(*racing));
	pid_t pid;
	int i;

	(void)unused;
	racing->fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	pid = spawn(race_loads, racing);
	for (i = 0; goes_on(racing, i); i++) {
		take_cpu_down();
		bring_cpu_up();
	}
	__atomic_store_n(&racing->stop, 1, __ATOMIC_SEQ_CST);
	reap(pid);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	load_self(racing->fd);
}

/* covers: 3.1-10 3.1.7-26 D.6-4 */
TEST(loads_may_race_with_the_loss_of_the_cpu)
{
	need_pmu();
	on_a_machine_with_two_cpus(lose_while_loaded);
}
