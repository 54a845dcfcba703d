// SPDX-License-Identifier: GPL-2.0
/*
 * Many operations at once, for a short time: in any order, commands succeed or fail with an errno
 * that fits, and nothing is left behind.
 */
#include "messages.h"
#include "count.h"
#include "settings.h"

#include <sys/timerfd.h>

/* The duration of a race, in the guest's time. */
#define RACE_MS		150

/* Shared by the contestants. */
struct race {
	int	fd;
	int	over;		/* all contestants stop */
	pid_t	target;		/* thread to load onto */
	long	met[0x20];	/* by command: the number of its successes */
};

static bool over(struct race *race)
{
	return __atomic_load_n(&race->over, __ATOMIC_SEQ_CST);
}

static void finish(struct race *race)
{
	__atomic_store_n(&race->over, 1, __ATOMIC_SEQ_CST);
}

static pid_t target_of(struct race *race)
{
	return __atomic_load_n(&race->target, __ATOMIC_SEQ_CST);
}

/* Call a command that may fail with one of two errnos; 0 is none. */
static void contest(struct race *race, int cmd, void *arg, int narg, int error, int other)
{
	if (!perfmonctl(race->fd, cmd, arg, narg))
		__atomic_add_fetch(&race->met[cmd], 1, __ATOMIC_SEQ_CST);
	else if (errno != error && errno != other)
		FAIL("command %#x failed with %s", cmd, test_errno_name(errno));
}

/* Random commands on the context; @gone is the errno of a context that no longer exists. */
static void command(struct race *race, unsigned int *seed, int gone)
{
	pfarg_load_t load_arg = { .load_pid = target_of(race) };
	pfarg_pmc_t pmc = { .reg_num = 0 };
	pfarg_pmd_t pmds[3] = { { .reg_num = 0 }, { .reg_num = 1 }, { .reg_num = 2 } };

	pmc.reg_value = rand_r(seed) % 4 ? USER_INST : 0;
	switch (rand_r(seed) % 8) {
	case 0:
	case 1:
		contest(race, PFM_LOAD_CONTEXT, &load_arg, 1, EBUSY, gone ? gone : ESRCH);
		break;
	case 2:
		contest(race, PFM_START, NULL, 0, EBUSY, gone);
		break;
	case 3:
		contest(race, PFM_STOP, NULL, 0, EBUSY, gone);
		break;
	case 4:
		contest(race, PFM_UNLOAD_CONTEXT, NULL, 0, EBUSY, gone);
		break;
	case 5:
		contest(race, PFM_WRITE_PMCS, &pmc, 1, 0, gone);
		break;
	case 6:
		contest(race, PFM_WRITE_PMDS, pmds, 3, 0, gone);
		break;
	default:
		contest(race, PFM_READ_PMDS, pmds, 3, 0, gone);
	}
}

static void command_at_random(void *arg)
{
	unsigned int seed = gettid();
	struct race *race = arg;

	while (!over(race))
		command(race, &seed, 0);
}

static struct race *race_new(void)
{
	struct race *race = test_shared(sizeof(*race));

	need_pmu();
	race->fd = create(0);
	race->target = gettid();
	return race;
}

/* The race leaves nothing behind, and the context works as a new one. */
static void race_settle(struct race *race)
{
	if (try_unload(race->fd))
		CHECK_EQ(errno, EBUSY);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	write_pmc(race->fd, 0, USER_INST);
	load_self(race->fd);
	CHECK_GE(count_loop(race->fd, general, 0, 1000), 2000);
	unload(race->fd);
}

static bool race_met(struct race *race, int cmd)
{
	return __atomic_load_n(&race->met[cmd], __ATOMIC_SEQ_CST);
}

/* A race in which no command ever succeeded would not have tested anything. */
static bool race_is_met(struct race *race)
{
	return race_met(race, PFM_LOAD_CONTEXT) && race_met(race, PFM_START) &&
	       race_met(race, PFM_UNLOAD_CONTEXT);
}

/* Two controllers, while @disturb goes on. */
static void race_run(struct race *race, void (*disturb)(struct race *race))
{
	__u64 end = clock_ns(CLOCK_MONOTONIC) + RACE_MS * NS_PER_MS;
	struct thread threads[2];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		thread_start(&threads[i], command_at_random, race);
	do {
		disturb(race);
	} while (clock_ns(CLOCK_MONOTONIC) < end || !race_is_met(race));
	finish(race);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		thread_join(&threads[i]);
	race_settle(race);
}

static void target_is(struct race *race, pid_t pid)
{
	__atomic_store_n(&race->target, pid, __ATOMIC_SEQ_CST);
}

static void short_life(void *unused)
{
	(void)unused;
	loop(1000);
	sched_yield();
	loop(1000);
}

static void let_target_exit(struct race *race)
{
	pid_t pid = spawn(short_life, NULL);

	target_is(race, pid);
	reap(pid);
}

/* covers: D.9-6 */
TEST(commands_race_with_the_exit_of_their_target)
{
	race_run(race_new(), let_target_exit);
}

static void let_target_without_descriptor_exit(struct race *race)
{
	pid_t pid = spawn_without(race->fd, short_life, NULL);
	pfm_msg_t msg;

	target_is(race, pid);
	reap(pid);
	if (read(race->fd, &msg, sizeof(msg)) < 0)
		CHECK_EQ(errno, EAGAIN);
	else
		CHECK_EQ(msg.msg_type, PFM_MSG_END);
}

/* covers: D.9-6 */
TEST(commands_and_reads_race_with_the_end_of_their_target)
{
	struct race *race = race_new();

	set_nonblocking(race->fd);
	race_run(race, let_target_without_descriptor_exit);
}

/* The executed program: it does nothing. */
__attribute__((constructor)) static void executed(int argc, char **argv)
{
	if (argc == 1 && !strcmp(argv[0], "executed"))
		_exit(0);
}

static void execute(void *unused)
{
	(void)unused;
	sched_yield();
	execl("/proc/self/exe", "executed", NULL);
}

static void let_target_execute(struct race *race)
{
	pid_t pid = spawn(execute, NULL);

	target_is(race, pid);
	reap(pid);
}

/* covers: D.9-7 */
TEST(commands_race_with_the_exec_of_their_target)
{
	race_run(race_new(), let_target_execute);
}

static void fork_a_bit(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 5; i++)
		reap(spawn(just_exit, NULL));
}

static void let_target_fork(struct race *race)
{
	pid_t pid = spawn(fork_a_bit, NULL);

	target_is(race, pid);
	reap(pid);
}

/* covers: D.9-8 */
TEST(commands_race_with_forks_of_their_target)
{
	race_run(race_new(), let_target_fork);
}

static void end_threads(void *arg)
{
	struct thread thread;
	int i;

	(void)arg;
	for (i = 0; i < 5; i++) {
		thread_start(&thread, short_life, NULL);
		target_is(arg, thread.tid);
		thread_join(&thread);
	}
}

static void let_target_thread_end(struct race *race)
{
	run_in_child(end_threads, race);
}

/* covers: D.9-6 */
TEST(commands_race_with_the_end_of_their_target_thread)
{
	race_run(race_new(), let_target_thread_end);
}

static void kill_target(struct race *race)
{
	pid_t pid = spawn(just_spin, NULL);

	target_is(race, pid);
	sched_yield();
	kill_child(pid);
}

/* covers: D.9-6 */
TEST(commands_race_with_the_killing_of_their_target)
{
	race_run(race_new(), kill_target);
}

static void move_target(struct race *race)
{
	static pid_t pid;
	static int cpu;

	if (!pid) {
		pid = spawn(just_spin, NULL);
		target_is(race, pid);
	}
	cpu ^= sysconf(_SC_NPROCESSORS_ONLN) > 1;
	pin_thread(pid, cpu);
	sched_yield();
}

/* covers: D.9-9 */
TEST(commands_race_with_the_migration_of_their_target)
{
	race_run(race_new(), move_target);
}

static void do_nothing(struct race *race)
{
	(void)race;
	sleep_ms(1);
}

/* covers: 3.1.8-10 */
TEST(two_controllers_race_for_the_thread_that_waits_for_them)
{
	race_run(race_new(), do_nothing);
}

/* Contexts of both kinds compete for the PMU. */

static void load_over_and_over(void *arg)
{
	struct race *race = arg;
	int fd = create(race->target & 1 ? PFM_FL_SYSTEM_WIDE : 0);

	while (!over(race)) {
		if (try_load(fd, gettid())) {
			CHECK_EQ(errno, EBUSY);
			continue;
		}
		start(fd);
		unload(fd);
		/* On a single CPU the other contestant seldom runs while the PMU is free. */
		if (++race->met[race->target & 1] % 16 == 0)
			sched_yield();
	}
	CHECK_OK(close(fd));
}

/* covers: 3.1.7-32 */
TEST(thread_and_system_wide_sessions_race_for_the_pmu)
{
	struct race *races = test_shared(2 * sizeof(*races));
	pid_t pids[2];
	int i;

	for (i = 0; i < 2; i++) {
		races[i].target = i;
		pids[i] = spawn(load_over_and_over, &races[i]);
	}
	sleep_ms(RACE_MS);
	for (i = 0; i < 2; i++)
		WAIT_UNTIL(race_met(&races[i], i));
	finish(&races[0]);
	finish(&races[1]);
	for (i = 0; i < 2; i++)
		reap(pids[i]);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
}

/* Two contexts are loaded onto the same thread, at the same time, in many rounds. */
#define ROUNDS		1000

struct duel {
	pid_t		target;
	unsigned int	arrivals;	/* of both contestants, at all meetings */
	unsigned int	loads;		/* that succeeded */
};

/* Wait for the other contestant. */
static void meet(struct duel *duel, unsigned int meeting)
{
	unsigned int spins;

	__atomic_add_fetch(&duel->arrivals, 1, __ATOMIC_SEQ_CST);
	for (spins = 1; __atomic_load_n(&duel->arrivals, __ATOMIC_SEQ_CST) < 2 * meeting; spins++)
		if (spins % 1000 == 0)
			sched_yield();
}

static void load_in_rounds(void *arg)
{
	int fd = create(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct itimerspec at = {};
	struct duel *duel = arg;
	unsigned int round;
	bool loaded;

	for (round = 1; round <= ROUNDS; round++) {
		meet(duel, 2 * round - 1);
		/* Emulated CPUs take turns when a timer is due: at another time in each round. */
		at.it_value.tv_nsec = 100 * round;
		CHECK_OK(timerfd_settime(timer, 0, &at, NULL));
		loaded = !try_load(fd, duel->target);
		if (loaded)
			__atomic_add_fetch(&duel->loads, 1, __ATOMIC_SEQ_CST);
		else
			CHECK_EQ(errno, EBUSY);
		meet(duel, 2 * round);
		CHECK_EQ(__atomic_load_n(&duel->loads, __ATOMIC_SEQ_CST), round);
		if (loaded)
			unload(fd);
	}
	CHECK_OK(close(fd));
}

/* On another CPU than 0, if there is one. */
static void load_elsewhere(void *duel)
{
	pin(sysconf(_SC_NPROCESSORS_ONLN) - 1);
	load_in_rounds(duel);
}

/* covers: 3.1.7-9 */
TEST(two_contexts_race_for_one_thread)
{
	struct duel *duel = test_shared(sizeof(*duel));
	pid_t pid;

	duel->target = spawn(just_wait, NULL);
	pid = spawn(load_elsewhere, duel);
	pin(0);
	load_in_rounds(duel);
	reap(pid);
	kill_child(duel->target);
}

/* The number of the descriptor stays, its context comes and goes. */

static void command_what_may_be_closed(void *arg)
{
	unsigned int seed = gettid();
	struct race *race = arg;

	while (!over(race))
		command(race, &seed, EBADF);
}

/* covers: D.9-12 */
TEST(commands_race_with_close)
{
	struct race *race = race_new();
	__u64 end = clock_ns(CLOCK_MONOTONIC) + RACE_MS * NS_PER_MS;
	struct thread threads[2];
	int i, fd = race->fd;

	/* Otherwise the target's own descriptor would keep the first context loaded. */
	race->target = spawn_without(fd, just_spin, NULL);
	for (i = 0; i < 2; i++)
		thread_start(&threads[i], command_what_may_be_closed, race);
	do {
		CHECK_OK(close(fd));
		sched_yield();
		/* The other contestants open nothing, so this is the same number. */
		CHECK_EQ(create(0), fd);
		sleep_ms(1);
	} while (clock_ns(CLOCK_MONOTONIC) < end || !race_is_met(race));
	finish(race);
	for (i = 0; i < 2; i++)
		thread_join(&threads[i]);
	kill_child(race->target);
	race_settle(race);
}

/* The group that may create contexts changes while processes create some. */

static void create_over_and_over(void *arg)
{
	struct race *race = arg;
	int fd;

	become(NOBODY, NOBODY);
	while (!over(race)) {
		fd = try_create(0);
		__atomic_add_fetch(&race->met[fd >= 0], 1, __ATOMIC_SEQ_CST);
		if (fd < 0)
			CHECK_EQ(errno, EPERM);
		else
			CHECK_OK(close(fd));
	}
}

static void toggle_group(void *arg)
{
	pfarg_config_t any = get_config(), group = any;
	__u64 end = clock_ns(CLOCK_MONOTONIC) + RACE_MS * NS_PER_MS;
	struct race *race = arg;

	group.cf_thread_gid = 4711;
	do {
		CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &group, 1));
		sched_yield();
		CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &any, 1));
		sched_yield();
	} while (clock_ns(CLOCK_MONOTONIC) < end || !race_met(race, false) || !race_met(race, true));
}

/* covers: 3.1.16-22 */
TEST(creation_races_with_configuration)
{
	struct race *race = race_new();
	pfarg_config_t config = get_config();
	pid_t pid = spawn(create_over_and_over, race);

	with_config(&config, toggle_group, race);
	finish(race);
	reap(pid);
}

/* Leaks: after a thousand of each object, memory and descriptors are as before. */

/*
 * KASAN holds back freed memory, more than our thousand contexts need. Such a kernel searches for
 * leaks itself when the guest ends: tools/vm/run --debug.
 */
static bool memory_is_kept_back(void)
{
	return !system("zcat /proc/config.gz | grep -q ^CONFIG_KASAN=y");
}

static __u64 unreclaimable_kib(void)
{
	unsigned long kib, sum = 0;
	char line[256];
	FILE *file = fopen("/proc/meminfo", "re");

	CHECK(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "SUnreclaim: %lu", &kib) == 1 ||
		    sscanf(line, "VmallocUsed: %lu", &kib) == 1)
			sum += kib;
	fclose(file);
	return sum;
}

static void one_life(int how, pid_t sleeper)
{
	int fd = create(how % 5 == 4 ? PFM_FL_SYSTEM_WIDE : 0), copy;
	pid_t pid;

	write_pmc(fd, 0, USER_INST);
	if (how % 5 == 1) {
		load(fd, sleeper);
	} else if (how % 5 == 2) {
		pid = sleeping_child(fd);
		load(fd, pid);
		start(fd);
		kill_child(pid);
	} else {
		load_self(fd);
		start(fd);
		read_pmd(fd, 0);
	}
	if (how % 5 == 3)
		unload(fd);
	copy = dup(fd);
	CHECK_OK(close(fd));
	CHECK_OK(close(copy));
}

/* covers: 3.1.15-4 */
TEST_LIMIT(a_thousand_contexts_leave_nothing_behind, 60)
{
	pid_t sleeper = spawn(just_wait, NULL);
	unsigned int fds = count_fds();
	__u64 before;
	int i;

	need_pmu();
	for (i = 0; i < 100; i++)
		one_life(i, sleeper);
	sleep_ms(50);
	before = unreclaimable_kib();
	for (i = 0; i < 1000; i++)
		one_life(i, sleeper);
	CHECK_EQ(count_fds(), fds);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	/* A context is more than 4 KiB. RCU holds freed memory for a while. */
	if (!memory_is_kept_back())
		WAIT_UNTIL(unreclaimable_kib() < before + 2048);
	kill_child(sleeper);
}
