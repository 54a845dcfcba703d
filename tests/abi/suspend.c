// SPDX-License-Identifier: GPL-2.0
/*
 * Suspend to memory, up to a level of the kernel's own test facility: "core" stops just before the
 * machine would lose power.
 *
 * suspend.sh runs this in a guest of its own, for the guest's root file system does
 * not survive it: Linux's 9p over virtio cannot suspend. So this program is linked
 * statically and runs from memory.
 */
#include "messages.h"
#include "system.h"

#define STATE	"/sys/power/state"
#define LEVEL	"/sys/power/pm_test"
#define DELAY	"/sys/module/suspend/parameters/pm_test_delay"

/* Continue in a copy of this program that needs no file system. */
__attribute__((constructor)) static void move_to_memory(int argc, char **argv)
{
	char buffer[65536];
	int in, out;
	ssize_t n;

	if (argc < 1 || !strcmp(argv[0], "in-memory"))
		return;
	in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	out = memfd_create("suspend", MFD_CLOEXEC);
	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, n) != n)
			break;
	argv[0] = "in-memory";
	if (!n)
		fexecve(out, argv, environ);
	perror("suspend: cannot run from memory");
	exit(2);
}

/* Run @fn with the test level set, and without the delay of a test. */

static void (*suspending_test)(void *arg);

static void set_level(void *arg)
{
	int status;
	pid_t pid;

	write_file(LEVEL, arg);
	pid = spawn(suspending_test, NULL);
	waitpid(pid, &status, 0);
	write_file(LEVEL, "none");
	CHECK_EQ(status, 0);
}

static void at_level(char *level, void (*fn)(void *arg))
{
	char states[128];

	read_file(STATE, states, sizeof(states));
	if (!strstr(states, "mem") || access(LEVEL, F_OK))
		SKIP("this machine cannot suspend to memory for a test");
	suspending_test = fn;
	with_file(DELAY, "0", set_level, level);
}

static void suspend(void)
{
	write_file(STATE, "mem");
}

/* The user instructions of one write, which may be the write that suspends. */
static __u64 count_write(int fd, const struct counter *c, int file, __u64 preset)
{
	const long call[4] = { SYS_write, file, (long)"mem", 3 };

	write_pmd(fd, c->pmd, preset);
	start_call_stop(fd, 1, call);
	return read_pmd(fd, c->pmd);
}

static void suspend_while_counted(void *unused)
{
	int null = open("/dev/null", O_WRONLY), state = open(STATE, O_WRONLY);
	const struct counter *c;
	__u64 expected;

	(void)unused;
	CHECK_OK(null);
	CHECK_OK(state);
	for_each_counter(c) {
		int fd = create_counting(c, 0);

		load_self(fd);
		count_write(fd, c, null, 0);
		expected = count_write(fd, c, null, 0);
		CHECK_EQ(count_write(fd, c, state, 0), expected);
		CHECK_EQ(count_write(fd, c, state, 1ULL << 50), (1ULL << 50) + expected);
		CHECK_EQ(count_write(fd, c, state, (1ULL << 48) - expected / 2),
			 (1ULL << 48) - expected / 2 + expected);
		CHECK_EQ(count_write(fd, c, null, 0), expected);
		CHECK_OK(close(fd));
	}
}

/* covers: D.6-5 */
TEST(counts_survive_a_suspend_to_the_core)
{
	need_pmu();
	at_level("core", suspend_while_counted);
}

/* covers: D.6-5 */
TEST(counts_survive_a_suspend_of_processors)
{
	need_pmu();
	at_level("processors", suspend_while_counted);
}

static void suspend_stopped(void *unused)
{
	int fd = create(0), i;

	(void)unused;
	load_self(fd);
	for (i = 0; i < 4; i++)
		write_pmd(fd, i, (1ULL << 50) + i);
	suspend();
	for (i = 0; i < 4; i++)
		CHECK_EQ(read_pmd(fd, i), (1ULL << 50) + i);
	start(fd);
	for (i = 0; i < 4; i++)
		CHECK_EQ(read_pmd(fd, i), (1ULL << 50) + i);
	unload(fd);
}

/* covers: D.6-5 */
TEST(values_of_a_stopped_context_survive_a_suspend)
{
	need_pmu();
	at_level("core", suspend_stopped);
}

/* A suspend leaves the context on @cpu counting there, with its count. */
static void check_suspend_on(int fd, int cpu)
{
	__u64 before;

	CHECK_GE(count_child_on(fd, cpu), 200 * LOOPS);
	before = read_pmd(fd, 0);
	suspend();
	/* Before any command, which could make the context count on. */
	run_in_child(loop_once, &cpu);
	CHECK_GE(read_pmd(fd, 0), before + 200 * LOOPS);
	check_loaded(fd);
	CHECK(!has_message(fd));
	CHECK_GE(count_child_on(fd, cpu), 200 * LOOPS);
}

static void suspend_system_wide(void *unused)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	(void)unused;
	load_on(fd, 0);
	start(fd);
	/* The first CPU never goes offline, so its context stays. */
	check_suspend_on(fd, 0);
	stop(fd);
	CHECK_EQ(count_child_on(fd, 0), 0);
}

/* covers: D.6-5 */
TEST(the_context_of_the_first_cpu_survives_a_suspend)
{
	need_pmu();
	at_level("core", suspend_system_wide);
}

static void suspend_target(void *unused)
{
	int fd = create_counting(general, 0);
	pid_t pid = spawn_without(fd, just_spin, NULL);
	__u64 before;

	(void)unused;
	load(fd, pid);
	start(fd);
	WAIT_UNTIL(read_pmd(fd, 0) > 10000);
	before = read_pmd(fd, 0);
	suspend();
	check_loaded(fd);
	CHECK_GE(read_pmd(fd, 0), before);
	before = read_pmd(fd, 0);
	WAIT_UNTIL(read_pmd(fd, 0) > before + 10000);
	kill_child(pid);
	expect_end(fd);
}

/* covers: D.6-5 */
TEST(a_running_target_is_counted_on_after_a_suspend)
{
	need_pmu();
	at_level("core", suspend_target);
}

static void load_there(void *arg)
{
	load_on(*(int *)arg, 1);
	start(*(int *)arg);
}

static void need_second_cpu(void)
{
	need_pmu();
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP("one CPU only: tools/vm/run --smp 2 has two");
}

static void suspend_second_cpu(void *unused)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE), round;

	(void)unused;
	pin(0);
	run_in_child(load_there, &fd);
	for (round = 0; round < 2; round++)
		check_suspend_on(fd, 1);
	stop(fd);
	CHECK_EQ(count_child_on(fd, 1), 0);
	unload(fd);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	run_in_child(load_there, &fd);
	CHECK_GE(count_child_on(fd, 1), 200 * LOOPS);
}

/* covers: D.6-5 */
TEST(contexts_of_other_cpus_survive_a_suspend)
{
	need_second_cpu();
	at_level("core", suspend_second_cpu);
}

static void suspend_second_cpu_stopped(void *unused)
{
	int fd = create(PFM_FL_SYSTEM_WIDE), i;

	(void)unused;
	pin(0);
	run_in_child(load_there, &fd);
	stop(fd);
	for (i = 0; i < 4; i++)
		write_pmd(fd, i, (1ULL << 50) + i);
	suspend();
	for (i = 0; i < 4; i++)
		CHECK_EQ(read_pmd(fd, i), (1ULL << 50) + i);
	start(fd);
	unload(fd);
	for (i = 0; i < 4; i++)
		CHECK_EQ(read_pmd(fd, i), (1ULL << 50) + i);
}

/* covers: D.6-5 */
TEST(values_of_a_stopped_context_of_another_cpu_survive_a_suspend)
{
	need_second_cpu();
	at_level("core", suspend_second_cpu_stopped);
}

/*
 * The state of CPU hotplug at which a test can make a CPU fail on its way up, and only there: it
 * has no action on the way down.
 */
#define FAIL_AT	"/sys/devices/system/cpu/cpu1/hotplug/fail"

static bool failing_state(char *number, size_t size)
{
	char states[8192], *line, *name;

	read_file("/sys/devices/system/cpu/hotplug/states", states, sizeof(states));
	for (line = strtok(states, "\n"); line; line = strtok(NULL, "\n")) {
		name = strstr(line, ": perf/x86:online");
		if (!name)
			continue;
		snprintf(number, size, "%.*s", (int)(name - line), line);
		return true;
	}
	return false;
}

static void lose_second_cpu(void *unused)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);
	char state[32];
	__u64 before;

	(void)unused;
	pin(0);
	run_in_child(load_there, &fd);
	CHECK_GE(count_child_on(fd, 1), 200 * LOOPS);
	before = read_pmd(fd, 0);
	CHECK(failing_state(state, sizeof(state)));
	write_file(FAIL_AT, state);
	suspend();
	expect_end(fd);
	check_unloaded(fd);
	CHECK_GE(read_pmd(fd, 0), before);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 0);
	load_on(fd, 0);
	start(fd);
	CHECK_GE(count_child_on(fd, 0), 200 * LOOPS);
}

/* The last test: sysfs does not know that the CPU is offline, so it stays offline. */
/* covers: D.6-5 */
TEST(a_context_ends_when_its_cpu_does_not_come_back)
{
	char state[32];

	need_second_cpu();
	if (access(FAIL_AT, F_OK) || !failing_state(state, sizeof(state)))
		SKIP("no CPU of this machine can be made to fail on its way up only");
	at_level("core", lose_second_cpu);
}
