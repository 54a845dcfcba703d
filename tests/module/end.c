// SPDX-License-Identifier: GPL-2.0
/*
 * The end of the module: the users that prevent its removal, the resources that it takes back or
 * waits for, and loads that fail half way. In a guest whose perfmon.ko is not loaded; each test
 * loads it, and perfmon_hurt.ko to delay one side of a race.
 */
#include "../abi/hurt.h"
#include "../abi/log.h"
#include "../abi/messages.h"
#include "../abi/perf.h"
#include "../abi/privileged.h"
#include "../abi/sampling.h"
#include "../abi/spinning.h"

static void open_device(void)
{
	device = open("/dev/perfmon", O_RDWR | O_CLOEXEC);
	CHECK_OK(device);
}

static void close_device(void)
{
	CHECK_OK(close(device));
	device = -1;
}

static bool removed(void)
{
	return !unload_module("perfmon");
}

/* The test loads the module itself, and opens its device. */
static void begin(void)
{
	WAIT_UNTIL(removed() || errno == ENOENT);
	no_hurt();
	CHECK_OK(load_module(PLACE, "perfmon", ""));
	open_device();
}

/* The remaining users release the module soon; afterwards it can be used again. */
static void end(void)
{
	WAIT_UNTIL(removed());
	CHECK_OK(load_module(PLACE, "perfmon", ""));
	open_device();
	CHECK_OK(close(create(0)));
	close_device();
	WAIT_UNTIL(removed());
}

static void check_is_held(void)
{
	CHECK_ERRNO(unload_module("perfmon"), EWOULDBLOCK);
}

/* Without the device, whose open file prevents the removal as well. */
static __u64 read_by_context(int fd, unsigned int pmd)
{
	pfarg_pmd_t req = { .reg_num = pmd };

	CHECK_OK(ioctl(fd, PFM_IOCTL_COMMAND(PFM_READ_PMDS, 1), &req));
	return req.reg_value;
}

TEST(the_watchdog_is_paused_for_capable_users_only)
{
	char text[16];

	begin();
	read_file(PERFMON_SYSFS "limits/watchdog_pause", text, sizeof(text));
	CHECK_STREQ(text, "capable");
	close_device();
	end();
}

TEST(a_context_holds_it)
{
	int fd;

	begin();
	fd = create(0);
	close_device();
	check_is_held();
	CHECK_EQ(read_by_context(fd, 0), 0);
	CHECK_OK(close(fd));
	end();
}

static void check_a_session_holds_it(__u32 flags)
{
	int fd;

	begin();
	fd = create_counting(general, flags);
	load_self(fd);
	start(fd);
	close_device();
	check_is_held();
	loop(100000);
	CHECK_GE(read_by_context(fd, 0), 200000);
	CHECK_OK(close(fd));
	end();
}

TEST(a_session_holds_it_while_it_counts)
{
	check_a_session_holds_it(0);
}

TEST(a_session_of_a_cpu_holds_it)
{
	pin(0);
	check_a_session_holds_it(PFM_FL_SYSTEM_WIDE);
}

TEST(a_mapping_holds_it)
{
	struct buffer buffer;
	volatile char *page;
	size_t i;

	begin();
	buffer = create_buffer(0, 65536, 0);
	CHECK_OK(close(buffer.fd));
	close_device();
	check_is_held();
	for (i = 0; i < buffer.size; i += 4096) {
		page = (volatile char *)buffer.hdr + i;
		(void)*page;
	}
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	end();
}

static void read_context(void *context)
{
	pfm_msg_t msg;

	close(device);
	if (read(*(int *)context, &msg, sizeof(msg)))
		_exit(1);
}

TEST(a_reader_that_sleeps_holds_it)
{
	pid_t pid;
	int fd;

	begin();
	fd = create(0);
	pid = spawn(read_context, &fd);
	wait_state(pid, 'S');
	CHECK_OK(close(fd));
	close_device();
	check_is_held();
	kill_child(pid);
	end();
}

/* Shared by the monitored child and its parent. */
static struct {
	__u64	rounds;
	int	go, execute, in[2];
} *shared;

static void work_on(void *unused)
{
	(void)unused;
	for (;;) {
		loop(1000);
		__atomic_add_fetch(&shared->rounds, 1, __ATOMIC_SEQ_CST);
	}
}

static bool goes_on(__u64 before)
{
	return __atomic_load_n(&shared->rounds, __ATOMIC_SEQ_CST) > before + 10;
}

/* A child with only the descriptors that it needs: no context, no device. */
static pid_t child_without(int fd, void (*fn)(void *arg))
{
	int kept = device;
	pid_t pid;

	/* Only exec() closes it. */
	pid = spawn_without(fd, fn, NULL);
	CHECK_EQ(device, kept);
	return pid;
}

static void work_on_without_device(void *arg)
{
	close(device);
	work_on(arg);
}

static bool sleeps_in(pid_t pid, const char *function)
{
	char path[64], name[64];

	snprintf(path, sizeof(path), "/proc/%d/wchan", pid);
	read_file(path, name, sizeof(name));
	return !strcmp(name, function);
}

TEST(a_blocked_thread_goes_on_and_it_goes)
{
	__u64 before;
	pid_t pid;
	int fd;

	begin();
	shared = test_shared(sizeof(*shared));
	fd = create(PFM_FL_NOTIFY_BLOCK);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000 });
	pid = child_without(fd, work_on_without_device);
	load(fd, pid);
	start(fd);
	WAIT_UNTIL(is_masked(fd));
	wait_state(pid, 'S');
	close_device();
	check_is_held();
	before = shared->rounds;
	CHECK_OK(close(fd));
	WAIT_UNTIL(goes_on(before));
	WAIT_UNTIL(removed());
	before = shared->rounds;
	WAIT_UNTIL(goes_on(before));
	kill_child(pid);
}

TEST(a_thread_that_is_stopped_in_the_probe_of_signals_does_not_hold_it)
{
	__u64 before;
	pid_t pid;
	int fd;

	begin();
	shared = test_shared(sizeof(*shared));
	fd = create(PFM_FL_NOTIFY_BLOCK);
	pid = child_without(fd, work_on_without_device);
	WAIT_UNTIL(goes_on(0));
	load(fd, pid);
	CHECK_OK(kill(pid, SIGSTOP));
	wait_state(pid, 'T');
	CHECK_OK(close(fd));
	close_device();
	WAIT_UNTIL(removed());
	before = shared->rounds;
	CHECK_OK(kill(pid, SIGCONT));
	WAIT_UNTIL(goes_on(before));
	kill_child(pid);
}

static void read_when_told(void *unused)
{
	char byte;

	(void)unused;
	close(device);
	while (!__atomic_load_n(&shared->go, __ATOMIC_SEQ_CST))
		;
	if (read(shared->in[0], &byte, 1) != 1)
		_exit(1);
}

/*
 * A child that overflowed in the kernel, on its way to sleep in read(): it must block when it comes
 * back, and has not come back. Return: its context, or -1 if it was interrupted before.
 */
static int asleep_before_its_wait(pid_t *pid, __u64 period)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);

	shared->go = 0;
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period,
				    .value = INST_RETIRED | EVTSEL_OS | EVTSEL_EN });
	*pid = child_without(fd, read_when_told);
	load(fd, *pid);
	start(fd);
	__atomic_store_n(&shared->go, 1, __ATOMIC_SEQ_CST);
	sleep_ms(2);
	wait_state(*pid, 'S');
	if (is_masked(fd) && sleeps_in(*pid, "pipe_read"))
		return fd;
	CHECK_OK(close(fd));
	CHECK_EQ(write(shared->in[1], "", 1), 1);
	reap(*pid);
	return -1;
}

TEST_LIMIT(work_of_a_thread_that_sleeps_is_taken_back, 120)
{
	int fd = -1, tries;
	pid_t pid;

	begin();
	shared = test_shared(sizeof(*shared));
	CHECK_OK(pipe2(shared->in, O_CLOEXEC));
	for (tries = 0; fd < 0 && tries < 100; tries++)
		fd = asleep_before_its_wait(&pid, 100 + 20 * tries);
	CHECK_OK(fd);
	CHECK_OK(close(fd));
	close_device();
	WAIT_UNTIL(removed());
	/* The code in which it would have slept, or to which it would return, is freed. */
	CHECK_EQ(write(shared->in[1], "", 1), 1);
	reap(pid);
}

static void wait_comm(pid_t pid, const char *wanted)
{
	char path[64], name[32];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	do {
		sleep_ms(1);
		read_file(path, name, sizeof(name));
	} while (strcmp(name, wanted));
}

static void exit_when_told(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "leaver");
	while (!__atomic_load_n(&shared->go, __ATOMIC_SEQ_CST))
		;
}

/* A monitored child that exits, delayed between the look-up of its context and the use of it. */
static pid_t late_leaver(int fd)
{
	pid_t pid;
	unsigned int before = hits();

	shared->go = 0;
	pid = child_without(fd, exit_when_told);
	wait_comm(pid, "leaver");
	load(fd, pid);
	start(fd);
	__atomic_store_n(&shared->go, 1, __ATOMIC_SEQ_CST);
	WAIT_UNTIL(hits() > before);
	return pid;
}

/*
 * A thread finds its own context with interrupts on only at its exit, and only in older versions.
 */
#define LATE_LEAVER	"after=pfm_threads_find ms=20 comm=leaver"

TEST_LIMIT(a_context_may_be_unloaded_while_its_thread_exits, 120)
{
	int fd, i;

	begin();
	need_cpus(2);
	shared = test_shared(sizeof(*shared));
	hurt(LATE_LEAVER);
	for (i = 0; i < 10; i++) {
		pid_t pid;

		fd = create_counting(general, 0);
		pid = late_leaver(fd);
		/* The exit may already have unloaded it. */
		try_unload(fd);
		CHECK_OK(close(fd));
		reap(pid);
	}
	heal();
	close_device();
	end();
}

static void execute_when_told(void *path)
{
	become(NOBODY, NOBODY);
	while (!__atomic_load_n(&shared->execute, __ATOMIC_SEQ_CST))
		;
	execl(path, path, "1000", NULL);
	_exit(1);
}

TEST_LIMIT(an_exit_does_not_take_another_threads_privileged_exec, 60)
{
	pid_t first, second;
	const char *path;
	int fd;

	begin();
	need_cpus(2);
	shared = test_shared(sizeof(*shared));
	path = privileged_program();
	hurt(LATE_LEAVER);
	fd = create_counting(general, 0);
	first = late_leaver(fd);
	try_unload(fd);
	second = spawn_without(fd, execute_when_told, (void *)path);
	load(fd, second);
	start(fd);
	reap(first);
	__atomic_store_n(&shared->execute, 1, __ATOMIC_SEQ_CST);
	wait_comm(second, "sleep");
	wait_state(second, 'S');
	check_state(fd, "unloaded");
	kill_child(second);
	CHECK_OK(close(fd));
	heal();
	close_device();
	end();
}

/* A privileged program is executed, and has not begun, when its context is loaded again. */
static void load_after_exec(const char *path, bool other)
{
	int fd = create_counting(general, 0), after = other ? create_counting(general, 0) : fd;
	unsigned int before = hits();
	pid_t pid;

	shared->execute = 0;
	pid = spawn_without(fd, execute_when_told, (void *)path);
	pin_thread(pid, 1);
	load(fd, pid);
	start(fd);
	__atomic_store_n(&shared->execute, 1, __ATOMIC_SEQ_CST);
	WAIT_UNTIL(hits() > before);
	/* It may have gone by itself. */
	try_unload(fd);
	load(after, pid);
	start(after);
	/* The program has opened a library. */
	WAIT_UNTIL(hits() > before + 1);
	check_state(after, "loaded");
	kill_child(pid);
	CHECK_OK(close(fd));
	if (other)
		CHECK_OK(close(after));
}

TEST_LIMIT(an_exec_does_not_take_what_is_loaded_after_it, 120)
{
	const char *path;

	begin();
	need_cpus(2);
	shared = test_shared(sizeof(*shared));
	path = privileged_program();
	pin(0);
	/* The kernel's last step of an exec, in which the thread has its new name. */
	hurt("after=putname ms=50 comm=sleep");
	load_after_exec(path, true);
	load_after_exec(path, false);
	heal();
	close_device();
	end();
}

static struct {
	int	fd, gate;
	pid_t	target;
} loading;

static void exit_at_gate(void *unused)
{
	(void)unused;
	pin(0);
	gate_wait(loading.gate);
}

static void load_late(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "loader");
	pin(1);
	load(loading.fd, loading.target);
}

/* The thread has the descriptor by which it was loaded: its end is no news. */
TEST_LIMIT(a_thread_may_end_before_its_load_is_complete, 60)
{
	pid_t loader;

	begin();
	need_cpus(2);
	pin(0);
	loading.gate = gate_new();
	loading.fd = create(0);
	loading.target = spawn(exit_at_gate, NULL);
	wait_state(loading.target, 'S');
	hurt("after=pfm_target_call_remote ms=200 comm=loader");
	loader = spawn(load_late, NULL);
	WAIT_UNTIL(hits() > 0);
	gate_open(loading.gate);
	reap(loading.target);
	reap(loader);
	heal();
	check_state(loading.fd, "unloaded");
	CHECK(!has_message(loading.fd));
	CHECK_OK(close(loading.fd));
	close_device();
	end();
}

TEST(a_watchdog_that_was_switched_on_is_paused_at_once)
{
	int fd;

	begin();
	write_file(WATCHDOG, "0");
	fd = create_counting(general, 0);
	load_self(fd);
	unload(fd);
	/* A second later, there is no watchdog to resume. */
	write_file(WATCHDOG, "1");
	load_self(fd);
	start_loop_stop(fd, 1000);
	CHECK_GE(read_pmd(fd, 0), 2000);
	CHECK_OK(close(fd));
	/* The same if the first PMC is written after the load. */
	close_device();
	end();
	begin();
	write_file(WATCHDOG, "0");
	fd = create_counting(general, 0);
	load_self(fd);
	CHECK_OK(close(fd));
	write_file(WATCHDOG, "1");
	fd = create(0);
	load_self(fd);
	write_pmc(fd, general->pmc, general->value);
	CHECK_OK(close(fd));
	close_device();
	end();
}

static void load_to_be_killed(void *fd)
{
	load_self(*(int *)fd);
	just_wait(NULL);
}

/* The kernel reports it once for all CPUs. */
static bool watchdog_runs(int log)
{
	char line[8192];
	bool runs = false;
	ssize_t n;

	while ((n = read(log, line, sizeof(line) - 1)) > 0) {
		line[n] = '\0';
		runs |= !!strstr(line, "NMI watchdog: Enabled");
	}
	return runs;
}

/* The pause of the first load still lasts when that of the second begins. */
TEST_LIMIT(a_killed_load_and_the_next_one_leave_the_watchdog_on, 120)
{
	int fd, log;
	pid_t pid;

	begin();
	write_file(WATCHDOG, "1");
	hurt("after=kernel_read ms=200");
	fd = create_counting(general, 0);
	pid = spawn(load_to_be_killed, &fd);
	WAIT_UNTIL(hits() > 0);
	kill_child(pid);
	load_self(fd);
	/* Long enough for all delayed functions. */
	sleep_ms(1000);
	heal();
	log = log_open();
	unload(fd);
	WAIT_UNTIL(watchdog_runs(log));
	CHECK_OK(close(fd));
	close_device();
	end();
}

/* In place of a user's session, which it suspends. */
static void take_for_perf(void *unused)
{
	(void)unused;
	close(device);
	prctl(PR_SET_NAME, "claimant");
	CHECK_OK(try_perf(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS));
}

TEST_LIMIT(claims_of_perf_events_are_waited_for, 120)
{
	pid_t session, late, waiting;
	int fd, i;

	need_cpus(2);
	pin(0);
	for (i = 0; i < 3; i++) {
		begin();
		write_file(PERFMON_SYSFS "limits/watchdog_pause", "any");
		hurt("after=pfm_pmu_claim ms=300");
		fd = create_counting(general, 0);
		session = spawn(spin_as_nobody, &fd);
		WAIT_UNTIL(read_pmd(fd, 0) > 10000);
		late = spawn_without(fd, take_for_perf, NULL);
		pin_thread(late, 1);
		waiting = spawn_without(fd, take_for_perf, NULL);
		wait_comm(waiting, "claimant");
		WAIT_UNTIL(hits() > 0);
		kill_child(session);
		CHECK_OK(close(fd));
		heal();
		close_device();
		WAIT_UNTIL(removed());
		reap(late);
		reap(waiting);
	}
	begin();
	close_device();
	end();
}

static bool is_there(const char *path)
{
	return !access(path, F_OK);
}

/* True if /proc/misc has the device; an entry in freed memory would show in that file. */
static void check_nothing_is_left(void)
{
	char text[4096];

	CHECK(!is_there("/sys/kernel/perfmon"));
	CHECK(!is_there("/dev/perfmon"));
	CHECK(!is_there("/sys/module/perfmon"));
	read_file("/proc/misc", text, sizeof(text));
	CHECK(!strstr(text, "perfmon"));
	read_file("/proc/modules", text, sizeof(text));
}

/* Each step of the load, or a function that a step calls: a name, or NAME NTH. */
static const char *const steps[] = {
	"pfm_pmu_prove", "pfm_symbols_init", "pfm_threads_init", "pfm_blocking_init",
	"register_kretprobe", "pfm_tracepoints_init", "pfm_watchdog_init", "pfm_limits_init",
	"pfm_run_init", "pfm_hotplug_init", "pfm_x86_init", "pfm_need_pmu", "pfm_sysfs_init",
	"pfm_formats_publish", "sysfs_create_groups", "sysfs_create_group",
	"pfm_sysfs_add_reg", "pfm_sysfs_add_reg nth=20", "pfm_dfl_register",
	"pfm_branch_register", "pfm_compact_register", "pfm_hist_register", "pfm_ring_register",
	"pfm_stack_register", "pfm_ibs_register", "pfm_device_init", "misc_register",
};

TEST_LIMIT(a_load_that_fails_at_any_step_leaves_nothing, 120)
{
	char parameters[128];
	size_t i;

	begin();
	close_device();
	WAIT_UNTIL(removed());
	prctl(PR_SET_NAME, "loader");
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		printf("%s\n", steps[i]);
		snprintf(parameters, sizeof(parameters), "comm=loader fail=%s", steps[i]);
		hurt(parameters);
		CHECK_ERRNO(load_module(PLACE, "perfmon", ""), ENOMEM);
		CHECK_EQ(hits(), 1);
		heal();
		check_nothing_is_left();
	}
	CHECK_OK(load_module(PLACE, "perfmon", ""));
	open_device();
	CHECK_OK(close(create(0)));
	close_device();
	end();
}
