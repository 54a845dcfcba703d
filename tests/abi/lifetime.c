// SPDX-License-Identifier: GPL-2.0
/*
 * Classes of bugs that interfaces of this kind have had, continued: an object disappears during
 * sampling: the thread, the context, the format's module, the CPU, the buffer's mapping. The
 * comment above a test names its class.
 */
#include "hotplug.h"
#include "probe.h"
#include "sampling.h"
#include "system.h"

#include <sys/resource.h>

static void run_and_exit(void *arg)
{
	loop(*(int *)arg);
}

static void run_and_exec(void *arg)
{
	loop(*(int *)arg);
	execl("/bin/true", "true", NULL);
	_exit(1);
}

static void run_and_migrate(void *arg)
{
	int i, n = sysconf(_SC_NPROCESSORS_ONLN);

	for (i = 0; i < 10; i++) {
		pin(i % n);
		loop(*(int *)arg / 10);
	}
}

/* Sampling, with sets that switch by time and by overflow; it ends in any case. */
static void race_with_child(void (*fn)(void *arg))
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	int i, loops, error;
	pid_t pid;

	create_timed_set(buffer.fd, 0, 100000);
	create_trigger_set(buffer.fd, 1);
	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1500 });
	program(buffer.fd, (struct event){ .set = 1, .reg = 1, .period = 1500, .threshold = 3 });
	set_nonblocking(buffer.fd);
	for (i = 0; i < 60; i++) {
		loops = 10 + i * 3000;
		pid = spawn_without(buffer.fd, fn, &loops);
		error = try_load(buffer.fd, pid) ? errno : 0;
		CHECK(!error || error == ESRCH || error == EPERM);
		if (!error && i % 4)
			CHECK(!try_start(buffer.fd) || errno == EBUSY);
		if (!error && i % 4 == 2)
			loop(1 + i * 1000);
		if (!error && i % 4 >= 2)
			CHECK(!try_unload(buffer.fd) || errno == EBUSY);
		reap(pid);
		if (!error)
			CHECK(try_unload(buffer.fd) && errno == EBUSY);
		check_ledger(buffer.fd);
	}
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
}

/* Class: attach racing with exit. */
/* covers: D.9-6 */
TEST(sampling_may_be_attached_while_its_target_exits)
{
	race_with_child(run_and_exit);
}

/* Class: attach racing with exec. */
/* covers: D.9-7 */
TEST(sampling_may_be_attached_while_its_target_executes)
{
	race_with_child(run_and_exec);
}

/* Class: attach racing with migration. */
/* covers: D.9-9 */
TEST(sampling_may_be_attached_while_its_target_migrates)
{
	race_with_child(run_and_migrate);
}

/* Class: interrupt racing with unload and close. */
/* covers: D.9-10 D.9-11 */
TEST(interrupts_may_come_while_their_context_is_unloaded_or_closed)
{
	struct buffer buffer;
	int i;

	for (i = 0; i < 400; i++) {
		buffer = create_buffer(0, 16384, 0);
		create_timed_set(buffer.fd, 0, 100000);
		program(buffer.fd, (struct event){ .reg = 0, .flags = i % 2 ? NOTIFY : 0,
						   .value = i % 3 ? USER_INST : ALL_INST,
						   .period = 500 + 13 * i });
		load_self(buffer.fd);
		start(buffer.fd);
		loop(1 + i * 7);
		if (i % 4 == 0)
			unload(buffer.fd);
		if (i % 4 == 1)
			stop(buffer.fd);
		if (i % 4 < 2)
			check_ledger(buffer.fd);
		CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
		CHECK_OK(close(buffer.fd));
	}
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
}

/* Class: interrupt racing with unload and close. Another process is interrupted. */
/* covers: D.9-10 D.9-11 */
TEST(interrupts_of_another_thread_may_come_while_its_context_goes)
{
	struct buffer buffer;
	pid_t pid = spawn(just_spin, NULL);
	int i;

	for (i = 0; i < 60; i++) {
		buffer = create_buffer(i % 2 ? PFM_FL_NOTIFY_BLOCK : 0, 4096, 0);
		program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1009,
						   .value = i % 3 ? USER_INST : ALL_INST });
		load(buffer.fd, pid);
		start(buffer.fd);
		if (i % 3 == 0)
			sleep_ms(1);
		if (i % 4 == 0)
			unload(buffer.fd);
		CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
		CHECK_OK(close(buffer.fd));
		/* A task that was blocked must run again. */
		WAIT_UNTIL(thread_state(pid) == 'R');
	}
	kill_child(pid);
}

static void load_probe_module(void *arg)
{
	int *made = arg, i;

	for (i = 0; i < 15 || !__atomic_load_n(made, __ATOMIC_SEQ_CST); i++) {
		syscall(SYS_delete_module, PROBE_MODULE, O_NONBLOCK);
		need_probe();
		/* On a single CPU no other task would run meanwhile. */
		sched_yield();
	}
}

/* Class: a dangling pointer at module unload. */
/* covers: D.9-14 */
TEST(a_formats_module_may_go_and_come_while_contexts_are_made)
{
	int *made = test_shared(sizeof(*made)), status, fd;
	pid_t pid;

	need_probe();
	pid = spawn(load_probe_module, made);
	while (!waitpid(pid, &status, WNOHANG)) {
		fd = try_create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));
		if (fd < 0) {
			CHECK_EQ(errno, EINVAL);
			continue;
		}
		program(fd, (struct event){ .reg = 0, .period = 2000 });
		load_self(fd);
		start(fd);
		loop(2000);
		CHECK_OK(close(fd));
		__atomic_add_fetch(made, 1, __ATOMIC_SEQ_CST);
		sched_yield();
	}
	CHECK_EQ(status, 0);
}

static void sample_there(void *arg)
{
	pin(1);
	load_self(*(int *)arg);
	start(*(int *)arg);
}

static void spin_there(void *arg)
{
	(void)arg;
	for (;;)
		loop(1000);
}

/* The end, after any messages about throttling. */
static void expect_end_at_last(int fd)
{
	pfm_msg_t msg;

	do
		CHECK_EQ(read(fd, &msg, sizeof(msg)), sizeof(msg));
	while (msg.msg_type == PFM_MSG_THROTTLE);
	CHECK_EQ(msg.msg_type, PFM_MSG_END);
}

static void take_cpu_from_sampling(void *unused)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 65536, 0);
	pid_t pid;
	int i;

	(void)unused;
	pin(0);
	create_timed_set(buffer.fd, 0, 100000);
	create_timed_set(buffer.fd, 1, 100000);
	for (i = 0; i < 2; i++)
		program(buffer.fd, (struct event){ .set = i, .reg = 0, .value = ALL_INST,
						   .period = 50021 });
	set_nonblocking(buffer.fd);
	pid = spawn_without(buffer.fd, spin_there, NULL);
	for (i = 0; i < 3; i++) {
		pin_thread(pid, 1);
		run_in_child(sample_there, &buffer.fd);
		sleep_ms(10);
		take_cpu_down();
		expect_end_at_last(buffer.fd);
		check_state(buffer.fd, "unloaded");
		check_ledger(buffer.fd);
		bring_cpu_up();
	}
	CHECK_GE(runs(buffer.fd, 1), 10);
	CHECK_GE(ledger(buffer.fd, "recorded"), 10);
	kill_child(pid);
}

static void take_busy_cpus(void *unused)
{
	(void)unused;
	and_bring_cpu_up(take_cpu_from_sampling);
}

/* Class: a dangling pointer at hot-unplug: timer, buffer and sets of a CPU that goes offline. */
/*
 * With the default limit on the CPU time of interrupts: without it, a switch every 100 us leaves a
 * CPU of the debug kernel only a tenth of its time for going offline.
 */
/* covers: D.6-1 D.9-13 */
TEST(a_cpu_may_go_while_it_is_sampled_and_its_sets_switch)
{
	need_pmu();
	need_cpus(2);
	with_file(CPU_TIME_MAX, "25", take_busy_cpus, NULL);
}

static void fork_with_mapping(void *arg)
{
	struct buffer *buffer = arg;

	CHECK_OK(munmap((char *)buffer->hdr + 4096, 4096));
	CHECK_EQ(buffer->hdr->hdr_buf_size, 65536);
}

static void map_and_fork(void *unused)
{
	struct rlimit limit = { 64 << 10, 64 << 10 };
	struct buffer buffer;
	int i;

	(void)unused;
	CHECK_OK(setrlimit(RLIMIT_MEMLOCK, &limit));
	become(NOBODY, NOBODY);
	for (i = 0; i < 100; i++) {
		buffer = create_buffer(0, 65536, 0);
		run_in_child(fork_with_mapping, &buffer);
		if (i % 2)
			CHECK_OK(munmap((char *)buffer.hdr + 8192, 4096));
		CHECK_OK(close(buffer.fd));
		CHECK_OK(munmap((char *)buffer.hdr, 65536));
	}
}

/* Class: mapping reference counts and memlock accounting. */
/* covers: D.9-15 D.9-16 */
TEST(split_and_inherited_mappings_are_accounted_once)
{
	need_pmu();
	run_in_child(map_and_fork, NULL);
}
