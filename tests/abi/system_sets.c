// SPDX-License-Identifier: GPL-2.0
/*
 * Event sets of system-wide contexts: the idle thread, kernel threads, and time that
 * goes on while the CPU idles.
 */
#include "sampling.h"
#include "system.h"

#define KERNEL_INST	(INST_RETIRED | EVTSEL_OS | EVTSEL_EN)
#define US		1000ULL

static void need_kernel_counts(void)
{
	need_pmu();
	need_hardware("counter of the kernel's instructions");
}

static int create_set0(__u32 flags)
{
	int fd;

	need_kernel_counts();
	fd = create(PFM_FL_SYSTEM_WIDE);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 0, .set_flags = flags });
	program(fd, (struct event){ .reg = 0, .value = KERNEL_INST });
	program(fd, (struct event){ .reg = 1 });
	return fd;
}

static void idle_a_while(void)
{
	int i;

	for (i = 0; i < 50; i++)
		sleep_ms(1);
}

/* covers: 3.1.10-7 */
TEST(other_threads_are_counted_without_the_idle_thread)
{
	int fd = create_set0(PFM_SETFL_EXCL_IDLE), cpu = 0;
	__u64 before;

	load_on(fd, 0);
	start(fd);
	idle_a_while();
	before = value_of(fd, 0, 1);
	run_in_child(loop_once, &cpu);
	CHECK_GE(value_of(fd, 0, 1) - before, 200 * LOOPS);
}

static void yield_for_ever(void *unused)
{
	(void)unused;
	pin(0);
	for (;;)
		sched_yield();
}

/* The CPU is never idle between a start and a stop. */
/* covers: 3.1.12-19 */
TEST(the_time_of_all_threads_that_are_not_excluded_counts)
{
	int fd = create_set0(PFM_SETFL_EXCL_IDLE), i;
	pid_t other = spawn(yield_for_ever, NULL);
	__u64 elapsed;

	load_on(fd, 0);
	start(fd);
	elapsed = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < 500; i++)
		sched_yield();
	elapsed = clock_ns(CLOCK_MONOTONIC) - elapsed;
	stop(fd);
	CHECK_GE(duration(fd, 0), elapsed - elapsed / 8);
	kill_child(other);
}

/* A kernel thread, on any CPU, clears away the remains of a namespace. */
static void leave_namespaces(void *unused)
{
	(void)unused;
	CHECK_OK(unshare(CLONE_NEWIPC | CLONE_NEWNET));
}

static void keep_kernel_threads_busy(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		run_in_child(leave_namespaces, NULL);
		sleep_ms(2);
	}
}

/* Field 9 of /proc/TID/stat: the flags. */
#define PF_KTHREAD	0x00200000

static bool is_kernel_thread(pid_t tid)
{
	char path[64], line[512], *after;
	unsigned int flags = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	if (!try_read_file(path, line, sizeof(line)))
		return false;
	after = strrchr(line, ')');
	CHECK(after);
	CHECK_EQ(sscanf(after, ") %*c %*d %*d %*d %*d %*d %u", &flags), 1);
	return flags & PF_KTHREAD;
}

struct samples {
	__u64	of_idle, of_kernel_threads, of_others;
};

static struct samples sample_kernel(__u32 flags, void (*fn)(void))
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 20, 0);
	struct samples samples = { 0 };
	bool kernel = false;
	__s32 tid, last = -1;
	__u64 i;

	create_set(buffer.fd, (pfarg_setdesc_t){ .set_id = 0, .set_flags = flags });
	program(buffer.fd, (struct event){ .reg = 0, .value = KERNEL_INST, .period = 5003 });
	load_on(buffer.fd, 0);
	start(buffer.fd);
	fn();
	stop(buffer.fd);
	for (i = 0; i < buffer.hdr->hdr_count; i++, last = tid) {
		tid = entry_at(&buffer, i, 0)->tid;
		if (tid != last)
			kernel = is_kernel_thread(tid);
		if (!tid)
			samples.of_idle++;
		else if (kernel)
			samples.of_kernel_threads++;
		else
			samples.of_others++;
	}
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_OK(close(buffer.fd));
	return samples;
}

/* Not by counts: how much a CPU does while it idles depends on the machine. */
static void exclude_the_idle_thread(__u32 flags)
{
	struct samples samples;

	need_kernel_counts();
	CHECK_GE(sample_kernel(0, idle_a_while).of_idle, 1);
	samples = sample_kernel(flags, idle_a_while);
	CHECK_EQ(samples.of_idle, 0);
	CHECK_GE(samples.of_others, 1);
}

/* covers: 3.1.10-7 */
TEST(the_idle_thread_can_be_excluded)
{
	exclude_the_idle_thread(PFM_SETFL_EXCL_IDLE);
}

/* covers: 6.2.3-3 */
TEST(the_idle_thread_is_a_kernel_thread)
{
	exclude_the_idle_thread(PFM_SETFL_EXCL_KERNEL_ONLY_THREADS);
}

/* covers: 6.2.3-2 */
TEST(kernel_threads_can_be_excluded)
{
	struct samples samples;

	need_kernel_counts();
	samples = sample_kernel(0, keep_kernel_threads_busy);
	CHECK_GE(samples.of_kernel_threads, 5);
	CHECK_GE(samples.of_others, 20);
	CHECK_GE(sample_kernel(PFM_SETFL_EXCL_IDLE, keep_kernel_threads_busy).of_kernel_threads, 5);
	samples = sample_kernel(PFM_SETFL_EXCL_KERNEL_ONLY_THREADS, keep_kernel_threads_busy);
	CHECK_EQ(samples.of_kernel_threads, 0);
	CHECK_GE(samples.of_others, 20);
}

/* covers: 6.2.3-2 */
TEST(user_threads_are_counted_without_kernel_threads)
{
	int fd = create_set0(PFM_SETFL_EXCL_KERNEL_ONLY_THREADS), cpu = 0;
	__u64 before;

	load_on(fd, 0);
	start(fd);
	idle_a_while();
	before = value_of(fd, 0, 1);
	run_in_child(loop_once, &cpu);
	CHECK_GE(value_of(fd, 0, 1) - before, 200 * LOOPS);
}

/*
 * The set's time goes on while the CPU idles, with its thread excluded or not. The sets are so long
 * that on a slow machine, too, to switch them takes a small part of the time.
 */
#define IDLE_SET_NS	(10 * NS_PER_MS)

static void switch_while_idle(__u32 flags)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE), i;
	__u64 sets, sum = 0, elapsed;

	for (i = 0; i < 4; i++)
		create_set(fd, (pfarg_setdesc_t){
			.set_id = i, .set_flags = PFM_SETFL_TIME_SWITCH | flags,
			.set_timeout = ns_time(IDLE_SET_NS),
		});
	load_on(fd, 0);
	elapsed = clock_ns(CLOCK_MONOTONIC);
	start(fd);
	sleep_ms(200);
	stop(fd);
	elapsed = clock_ns(CLOCK_MONOTONIC) - elapsed;
	for (i = 0, sets = 0; i < 4; i++) {
		sets += runs(fd, i);
		sum += duration(fd, i);
	}
	/* The emulator needs some time to wake an idle CPU. */
	CHECK_GE(sets, 4);
	CHECK_LE(sets, elapsed / IDLE_SET_NS + 2);
	/* While the excluded thread runs, monitoring is stopped in effect. */
	if (flags)
		CHECK_LE(sum, elapsed - 100 * NS_PER_MS);
	else
		CHECK_GE(sum, 200 * NS_PER_MS);
	unload(fd);
}

/* covers: 3.7.6-13 */
TEST(timeouts_go_on_while_the_cpu_idles)
{
	switch_while_idle(0);
}

/* covers: 3.7.6-14 */
TEST(timeouts_go_on_while_the_excluded_idle_thread_runs)
{
	switch_while_idle(PFM_SETFL_EXCL_IDLE);
}

/* covers: 3.7.6-14 */
TEST(timeouts_go_on_while_excluded_kernel_threads_run)
{
	switch_while_idle(PFM_SETFL_EXCL_KERNEL_ONLY_THREADS);
}

/* covers: 3.7.6-16 */
TEST(masked_time_does_not_count_on_a_cpu)
{
	__u64 left;
	int fd, i;

	need_pmu();
	fd = create(PFM_FL_SYSTEM_WIDE);
	for (i = 0; i < 2; i++)
		create_timed_set(fd, i, 20 * NS_PER_MS);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	load_on(fd, 0);
	left = start_until_masked(fd, 20 * NS_PER_MS);
	CHECK(left > 0);
	/* Neither the idle thread's time counts nor ours. */
	sleep_ms(30);
	for (i = 0; i < 1000; i++)
		loop(1000);
	restart_masked(fd, 20 * NS_PER_MS, left);
	WAIT_UNTIL(runs(fd, 1));
	unload(fd);
}

/* One set may exclude the idle thread, and the other may not. */
/* covers: 3.1.10-7 6.2.3-1 */
TEST(each_set_excludes_for_itself)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 20, 0);
	__u64 idle[2] = { 0 }, others[2] = { 0 }, i;
	int set;

	need_kernel_counts();
	/* The sets do not change in step with the sleeps of 1 ms: each of them sees the test run. */
	for (set = 0; set < 2; set++) {
		create_set(buffer.fd, (pfarg_setdesc_t){
			.set_id = set, .set_timeout = ns_time(700 * US),
			.set_flags = PFM_SETFL_TIME_SWITCH | (set ? PFM_SETFL_EXCL_IDLE : 0),
		});
		program(buffer.fd, (struct event){ .set = set, .reg = 0, .value = KERNEL_INST,
						   .period = 5003 });
	}
	load_on(buffer.fd, 0);
	start(buffer.fd);
	for (i = 0; i < 4; i++)
		idle_a_while();
	stop(buffer.fd);
	for (i = 0; i < buffer.hdr->hdr_count; i++) {
		const pfm_default_smpl_entry_t *entry = entry_at(&buffer, i, 0);

		if (entry->tid)
			others[entry->set]++;
		else
			idle[entry->set]++;
	}
	CHECK_GE(runs(buffer.fd, 1), 10);
	CHECK_GE(idle[0], 1);
	CHECK_EQ(idle[1], 0);
	CHECK_GE(others[0], 1);
	CHECK_GE(others[1], 1);
}

/* covers: 3.7.6.2-1 */
TEST(overflows_switch_sets_whoever_runs)
{
	int fd = create(PFM_FL_SYSTEM_WIDE), cpu = 0;
	__u64 total;

	need_pmu();
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = 0, .period = 100000, .threshold = 2 });
	count_up(fd, 0, 1);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	count_up(fd, 1, 1);
	load_on(fd, 0);
	start(fd);
	run_in_child(loop_once, &cpu);
	run_in_child(loop_once, &cpu);
	stop(fd);
	total = value_of(fd, 0, 1) + value_of(fd, 1, 1);
	CHECK_EQ(value_of(fd, 0, 1), 200000);
	CHECK_GE(total, 400000);
	CHECK_EQ(runs(fd, 1), 1);
}

/* Two sets that take turns: every overflow is a sample, and a switch. */
static struct buffer create_turns(__u32 flags, __u64 period)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 16 << 20, 0);
	int set;

	need_kernel_counts();
	for (set = 0; set < 2; set++) {
		create_set(buffer.fd, (pfarg_setdesc_t){
			.set_id = set, .set_flags = PFM_SETFL_OVFL_SWITCH | flags,
		});
		program(buffer.fd, (struct event){ .set = set, .reg = 0, .value = KERNEL_INST,
						   .period = period, .threshold = 1 });
	}
	load_on(buffer.fd, 0);
	return buffer;
}

/*
 * With threads excluded, counting pauses at context switches. If an overflow comes with the very
 * instruction that begins a pause, and changes the set, the counts belong to the set that was left.
 */
/* covers: 3.7.6.2-1 */
TEST(sets_switch_just_before_a_pause)
{
	const __u64 period = 1999;
	struct buffer buffer;
	int i, set;

	need_pmu();
	buffer = create_turns(PFM_SETFL_EXCL_KERNEL_ONLY_THREADS, period);
	start(buffer.fd);
	for (i = 0; i < 40; i++)
		idle_a_while();
	stop(buffer.fd);
	CHECK_GE(buffer.hdr->hdr_count, 1000);
	/* Each counter is negative, and counts up to zero. */
	for (set = 0; set < 2; set++)
		CHECK_LE(-value_of(buffer.fd, set, 0), period);
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_OK(close(buffer.fd));
}

/* While the idle thread is excluded, no sample is the idle thread's. */
static __u64 count_idle_overflows(__u32 flags)
{
	struct buffer buffer = create_turns(flags, 4999);
	__u64 i, idle = 0;

	start(buffer.fd);
	for (i = 0; i < 12; i++)
		idle_a_while();
	stop(buffer.fd);
	for (i = 0; i < buffer.hdr->hdr_count; i++)
		idle += !entry_at(&buffer, i, 0)->tid;
	CHECK_GE(buffer.hdr->hdr_count, 20);
	CHECK_EQ(runs(buffer.fd, 0) + runs(buffer.fd, 1), 1 + buffer.hdr->hdr_count);
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_OK(close(buffer.fd));
	return idle;
}

/* covers: 3.7.6.2-10 */
TEST(no_overflow_switches_while_the_excluded_idle_thread_runs)
{
	need_pmu();
	CHECK_GE(count_idle_overflows(0), 5);
	CHECK_EQ(count_idle_overflows(PFM_SETFL_EXCL_IDLE), 0);
	CHECK_EQ(count_idle_overflows(PFM_SETFL_EXCL_KERNEL_ONLY_THREADS), 0);
}

/* 64 sets of 1 ms, whichever task runs: their times add up to all of the time. */
/* covers: 3.1.12-13 */
TEST(durations_of_64_sets_add_up_to_the_time_that_passed)
{
	__u64 began, started, stopping, ended, sum = 0, all = 0;
	int fd, i, reg;

	need_pmu();
	fd = create(PFM_FL_SYSTEM_WIDE);
	for (i = 0; i < 64; i++) {
		create_timed_set(fd, i, NS_PER_MS);
		for (reg = 0; reg < 4; reg++)
			count_up(fd, i, reg);
	}
	load_on(fd, 0);
	began = clock_ns(CLOCK_MONOTONIC);
	start(fd);
	started = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < 40; i++) {
		loop(1000000);
		sleep_ms(3);
	}
	stopping = clock_ns(CLOCK_MONOTONIC);
	stop(fd);
	ended = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < 64; i++) {
		sum += duration(fd, i);
		all += runs(fd, i);
	}
	/* The kernel measures it with another clock: accurate to a thousandth. */
	CHECK_GE(sum, (stopping - started) / 1000 * 999);
	CHECK_LE(sum, (ended - began) / 1000 * 1001);
	CHECK_LE(all, (ended - began) / NS_PER_MS + 1);
}
