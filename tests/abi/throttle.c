// SPDX-License-Identifier: GPL-2.0
/*
 * Too many interrupts: the administrator's threshold, the message, the counter, and
 * that nobody is harmed.
 *
 * Class of bug: a storm of interrupts with period 1.
 */
#include "sampling.h"

static __u64 throttles(void)
{
	return read_sysfs_u64("stats/throttles");
}

/*
 * With a limit of 10,000 a second, 100 in each window of 10 ms: no kernel takes so
 * long for an interrupt that a storm stays below.
 */
static void with_low_limit(void (*fn)(void *arg))
{
	need_pmu();
	with_file(INTERRUPT_RATE_MAX, "10000", fn, NULL);
}

/* A context that overflows with every user instruction. */
static struct buffer storm(__u32 flags)
{
	struct buffer buffer = create_buffer(flags, 1 << 20, 0);

	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1 });
	set_nonblocking(buffer.fd);
	return buffer;
}

static void mask_storm(void *unused)
{
	struct buffer buffer = storm(0);
	__u64 before = throttles(), lost = read_sysfs_u64("stats/samples_lost_throttled");

	(void)unused;
	load_self(buffer.fd);
	start(buffer.fd);
	loop(100000);
	check_state(buffer.fd, "masked");
	expect_message(buffer.fd, PFM_MSG_THROTTLE);
	CHECK_EQ(throttles(), before + 1);
	CHECK_EQ(ledger(buffer.fd, "lost-throttled"), 1);
	CHECK_EQ(read_sysfs_u64("stats/samples_lost_throttled"), lost + 1);
	CHECK_EQ(ledger(buffer.fd, "recorded"), buffer.hdr->hdr_count);
	check_ledger(buffer.fd);
	/* No more than the limit. */
	CHECK_LE(buffer.hdr->hdr_count, 200);
}

/* covers: 3.3.9-2 4.1-4 4.4.4-2 4.4.4-3 D.5-6 D.7-16 D.9-21 */
TEST(a_storm_is_masked_with_a_message_and_counted)
{
	with_low_limit(mask_storm);
}

static void resume_after_storm(void *unused)
{
	struct buffer buffer = storm(0);

	(void)unused;
	load_self(buffer.fd);
	start(buffer.fd);
	loop(100000);
	check_state(buffer.fd, "masked");
	expect_message(buffer.fd, PFM_MSG_THROTTLE);
	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 100003,
					   .smpl_pmds = BIT_ULL(1) });
	count_up(buffer.fd, 0, 1);
	/* The next window, in any case. */
	sleep_ms(11);
	restart(buffer.fd);
	CHECK_EQ(buffer.hdr->hdr_count, 0);
	loop(170000);
	check_state(buffer.fd, "loaded");
	CHECK_EQ(buffer.hdr->hdr_count, 3);
	check_ledger(buffer.fd);
}

/* covers: 4.4.4-2 D.7-16 */
TEST(restart_resumes_after_a_storm)
{
	with_low_limit(resume_after_storm);
}

/* covers: 4.4.4-1 D.9-21 */
TEST(without_a_format_a_storm_cannot_begin)
{
	int fd = notifying_context(0, 1), i;

	/* Each overflow masks: a restart is needed for the next one. */
	start(fd);
	for (i = 0; i < 10; i++) {
		loop(100);
		check_state(fd, "masked");
		restart(fd);
	}
	CHECK_GE(ledger(fd, "overflows"), 10);
}

/* A trigger is its own storm: a set that follows itself after each instruction. */
static void mask_storm_of_switches(void *unused)
{
	__u64 before = throttles();
	int fd;

	(void)unused;
	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	create_trigger_set(fd, 1);
	program(fd, (struct event){ .reg = 0, .period = 1, .threshold = 1 });
	program(fd, (struct event){ .set = 1, .reg = 0, .period = 1, .threshold = 1 });
	load_self(fd);
	set_nonblocking(fd);
	start(fd);
	loop(100000);
	check_state(fd, "masked");
	expect_message(fd, PFM_MSG_THROTTLE);
	CHECK_EQ(throttles(), before + 1);
	CHECK_GE(runs(fd, 0), 50);
	restart(fd);
	loop(100);
	CHECK_GE(runs(fd, 0), 51);
}

/* covers: 4.1-4 D.9-21 */
TEST(a_storm_of_switches_is_masked_too)
{
	with_low_limit(mask_storm_of_switches);
}

static void sample_fast(void *arg)
{
	__u64 *limit = arg;
	struct buffer buffer = create_buffer(0, 1 << 20, 0);

	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000 });
	load_self(buffer.fd);
	start(buffer.fd);
	loop(5000000);
	stop(buffer.fd);
	/* 20 ns an instruction at most: it takes at least 10 ms, and 500 samples. */
	if (*limit >= 1000000) {
		CHECK_EQ(ledger(buffer.fd, "lost-throttled"), 0);
		CHECK_GE(buffer.hdr->hdr_count, 500);
	} else {
		CHECK_EQ(ledger(buffer.fd, "lost-throttled"), 1);
		CHECK_LE(buffer.hdr->hdr_count, 2 * *limit / 100);
		check_state(buffer.fd, "masked");
	}
	check_ledger(buffer.fd);
}

/* covers: 4.4.4-4 */
TEST(the_threshold_is_the_administrators)
{
	__u64 limit = 1000000;

	need_pmu();
	with_file(INTERRUPT_RATE_MAX, "1000000", sample_fast, &limit);
	limit = 10000;
	with_file(INTERRUPT_RATE_MAX, "10000", sample_fast, &limit);
	limit = 1000;
	with_file(INTERRUPT_RATE_MAX, "1000", sample_fast, &limit);
}

static void write_limit(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_write_file(INTERRUPT_RATE_MAX, "1"), EACCES);
	CHECK_ERRNO(try_write_file(MIN_TIMEOUT, "1"), EACCES);
}

/* covers: 4.4.4-4 */
TEST(only_the_administrator_sets_the_thresholds)
{
	CHECK_EQ(read_sysfs_u64("limits/interrupt_rate_max"), 100000);
	CHECK_EQ(read_sysfs_u64("limits/switch_timeout_min_ns"), 100000);
	run_in_child(write_limit, NULL);
	CHECK_EQ(read_sysfs_u64("limits/interrupt_rate_max"), 100000);
}

/* covers: 4.4.4-4 */
TEST(thresholds_are_numbers)
{
	static const char * const bad[] = { "", "x", "-1", "1x", "99999999999999999999999" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK(try_write_file(INTERRUPT_RATE_MAX, bad[i]) || !*bad[i]);
		CHECK(try_write_file(MIN_TIMEOUT, bad[i]) || !*bad[i]);
	}
	CHECK_EQ(read_sysfs_u64("limits/interrupt_rate_max"), 100000);
	CHECK_EQ(read_sysfs_u64("limits/switch_timeout_min_ns"), 100000);
}

/* The guest stays responsive, whoever is sampled. */

static void spin_for_ever(void *arg)
{
	(void)arg;
	pin(0);
	for (;;)
		loop(1000);
}

static void progress_in_storm(void *unused)
{
	struct buffer buffer = storm(0);
	struct timespec before, after;
	pid_t pid = spawn_without(buffer.fd, spin_for_ever, NULL);
	__u64 elapsed;
	int i;

	(void)unused;
	pin(0);
	load(buffer.fd, pid);
	start(buffer.fd);
	clock_gettime(CLOCK_MONOTONIC, &before);
	for (i = 0; i < 50; i++) {
		sleep_ms(1);
		if (is_masked(buffer.fd))
			restart(buffer.fd);
	}
	clock_gettime(CLOCK_MONOTONIC, &after);
	elapsed = (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec;
	/* 50 ms of sleep, in turns with one that never sleeps. */
	CHECK_LE(elapsed, 2 * NS_PER_SEC);
	CHECK_GE(ledger(buffer.fd, "lost-throttled"), 1);
	stop(buffer.fd);
	check_ledger(buffer.fd);
	kill_child(pid);
}

/* covers: 4.1-4 4.4.4-1 D.9-21 */
TEST(others_make_progress_while_one_is_in_a_storm)
{
	with_low_limit(progress_in_storm);
}

static void survive_system_wide_storm(void *unused)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 20, 0);
	int i;

	(void)unused;
	program(buffer.fd, (struct event){ .reg = 0, .value = ALL_INST, .flags = NOTIFY,
					   .period = 1 });
	pin(0);
	load_self(buffer.fd);
	set_nonblocking(buffer.fd);
	for (i = 0; i < 10; i++) {
		start(buffer.fd);
		WAIT_UNTIL(is_masked(buffer.fd));
		restart(buffer.fd);
		sleep_ms(1);
	}
	CHECK_GE(ledger(buffer.fd, "lost-throttled") + ledger(buffer.fd, "recorded"), 10);
	check_ledger(buffer.fd);
	unload(buffer.fd);
}

/* covers: 4.1-4 D.9-21 */
TEST(a_system_wide_storm_with_kernel_level_leaves_the_guest_responsive)
{
	need_hardware("counter of the kernel's instructions");
	with_low_limit(survive_system_wide_storm);
}
