// SPDX-License-Identifier: GPL-2.0
/*
 * A context without a PMC is loaded like any other, and leaves the PMU to others until it gets
 * one.
 */
#include "preempt.h"
#include "sets.h"
#include "watchdog.h"

static void load_idle_beside_perf(void *arg)
{
	int fd = create(*(__u32 *)arg), perf;
	__u64 base;

	pin(0);
	load_self(fd);
	start(fd);
	perf = perf_hardware();
	check_perf_counts(perf);
	CHECK_EQ(read_pmd(fd, 0), 0);

	/* Its first PMC is refused, and nothing has changed. */
	CHECK_ERRNO(try_write_pmc(fd, general->pmc, general->value), EBUSY);
	check_state(fd, "loaded");
	loop(1000);
	CHECK_EQ(read_pmd(fd, 0), 0);
	check_perf_counts(perf);
	CHECK_OK(close(perf));

	write_pmc(fd, general->pmc, general->value);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	count_loop(fd, general, 0, 1000);
	base = count_loop(fd, general, 0, 1000);
	CHECK_GE(base, 2000);
	CHECK_EQ(count_loop(fd, general, 0, 1000), base);
	CHECK_OK(close(fd));
	CHECK_OK(close(perf_hardware()));
}

/* covers: D.3-13 */
TEST(perf_counts_beside_a_thread_without_a_pmc)
{
	__u32 flags = 0;

	need_shared_pmu();
	with_file(WATCHDOG, "0", load_idle_beside_perf, &flags);
}

/* covers: D.3-13 */
TEST(perf_counts_beside_a_cpu_without_a_pmc)
{
	__u32 flags = PFM_FL_SYSTEM_WIDE;

	need_shared_pmu();
	with_file(WATCHDOG, "0", load_idle_beside_perf, &flags);
}

/* covers: D.3-13 */
TEST(threads_and_cpus_exclude_each_other_from_the_first_pmc_on)
{
	int thread = create(0), cpu = create(PFM_FL_SYSTEM_WIDE);

	need_pmu();
	pin(0);
	load_self(thread);
	load_self(cpu);
	start(thread);
	start(cpu);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 1);
	CHECK_EQ(read_sysfs_u64("sessions/system"), 1);
	write_pmc(cpu, general->pmc, general->value);
	CHECK_ERRNO(try_write_pmc(thread, general->pmc, general->value), EBUSY);
	count_loop(cpu, general, 0, 1000);
	CHECK_EQ(read_pmd(thread, 0), 0);
	unload(cpu);
	write_pmc(thread, general->pmc, general->value);
	CHECK_GE(count_loop(thread, general, 0, 1000), 2000);
	CHECK_ERRNO(try_load(cpu, gettid()), EBUSY);
	unload(thread);
	load_self(cpu);
	CHECK_OK(close(cpu));
	CHECK_OK(close(thread));
	check_nothing_is_left();
}

/* covers: D.3-13 */
TEST(a_bad_pmc_does_not_take_the_pmu)
{
	int fd = create(0);

	need_shared_pmu();
	load_self(fd);
	CHECK_ERRNO(try_write_pmc(fd, PFM_MAX_PMCS, 0), EINVAL);
	check_perf_counts(perf_hardware());
}

#define IBS		"/sys/bus/event_source/devices/ibs_op/type"
#define IBS_PMC		17
#define IBS_VALUE	(1ULL << 17 | 0x1000)	/* enabled, a period of 0x10000 */

/* Perf's event of IBS where there is that, and else of a counter: neither is one of perfmon's. */
static int try_perf_beside_counters(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .sample_period = 0x10000,
	};
	char type[16];

	if (!access(IBS, R_OK)) {
		read_file(IBS, type, sizeof(type));
		attr.type = atoi(type);
	}
	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static void refuse_beside_perf(void *unused)
{
	int fd = create(0), perf, other;

	(void)unused;
	load_self(fd);
	perf = perf_hardware();
	CHECK_ERRNO(has_pmc(IBS_PMC) ? try_write_pmc(fd, IBS_PMC, IBS_VALUE) :
				       try_write_pmc(fd, general->pmc, general->value), EBUSY);
	other = try_perf_beside_counters();
	CHECK_OK(other);
	CHECK_OK(close(other));
	CHECK_OK(close(perf));
}

/* AMD's IBS is claimed apart from the counters. */
/* covers: D.3-13 */
TEST(a_refused_first_pmc_leaves_the_registers_to_perf)
{
	need_shared_pmu();
	with_file(WATCHDOG, "0", refuse_beside_perf, NULL);
}

/* A PMU of another thread, which runs meanwhile. */
/* covers: D.3-13 */
TEST(a_running_thread_counts_from_its_first_pmc_on)
{
	int fd = create(0);
	pid_t pid = spawn(just_spin, NULL);

	need_pmu();
	load(fd, pid);
	start(fd);
	sleep_ms(5);
	CHECK_EQ(read_pmd(fd, 0), 0);
	write_pmc(fd, general->pmc, general->value);
	WAIT_UNTIL(read_pmd(fd, 0) > 10000);
	kill_child(pid);
	CHECK_OK(close(fd));
	check_nothing_is_left();
}

/* covers: D.3-13 */
TEST(its_time_stands_still)
{
	int fd = create(0);
	__u64 began;

	need_pmu();
	create_timed_set(fd, 0, NS_PER_MS);
	create_timed_set(fd, 1, NS_PER_MS);
	load_self(fd);
	start(fd);
	for (began = clock_ns(CLOCK_MONOTONIC); clock_ns(CLOCK_MONOTONIC) < began + 5 * NS_PER_MS;)
		loop(1000);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(duration(fd, 0), 0);
	CHECK(!shows_suspended(fd));
	CHECK_EQ(ledger(fd, "suspended-ns"), 0);
	CHECK_EQ(ledger(fd, "masked-ns"), 0);
	/* A PMC of one set belongs to the context: all sets take their turns. */
	count_up(fd, 1, 0);
	WAIT_UNTIL((loop(1000), runs(fd, 1) > 2));
	CHECK_GE(duration(fd, 0), NS_PER_MS);
}

static void unload_twice(int fd)
{
	unload(fd);
	load_self(fd);
	unload(fd);
}

/* covers: D.3-13 */
TEST(what_is_loaded_again_keeps_its_pmcs)
{
	int fd = create(0);

	need_pmu();
	load_self(fd);
	unload_twice(fd);
	load_self(fd);
	write_pmc(fd, general->pmc, general->value);
	unload_twice(fd);
	load_self(fd);
	start(fd);
	CHECK_GE(count_loop(fd, general, 0, 1000), 2000);
	if (!soft_pmu)
		CHECK_ERRNO(try_perf_hardware(), EBUSY);
	CHECK_OK(close(fd));
	check_nothing_is_left();
}
