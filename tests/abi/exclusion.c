// SPDX-License-Identifier: GPL-2.0
/* perf_events and perfmon: exactly one of the two owns the hardware. */
#include "selector.h"
#include "watchdog.h"

static void load_beside_perf(void *unused)
{
	int fd = create_counting(general, 0), perf;
	int system_wide = create_counting(general, PFM_FL_SYSTEM_WIDE);
	pid_t pid = spawn(just_wait, NULL);

	(void)unused;
	perf = perf_hardware();
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_ERRNO(try_load(fd, pid), EBUSY);
	CHECK_ERRNO(try_load(system_wide, gettid()), EBUSY);
	check_unloaded(fd);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	check_perf_counts(perf);
	CHECK_OK(close(perf));
	load_self(fd);
	unload(fd);
	load_self(system_wide);
	kill_child(pid);
}

/* covers: D.3-1 */
TEST(load_fails_while_perf_has_a_hardware_event)
{
	need_pmu();
	without_watchdog(load_beside_perf);
}

static void load_beside_disabled_perf(void *unused)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .disabled = 1,
		.config = PERF_COUNT_HW_CPU_CYCLES,
	};
	int perf = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	(void)unused;
	CHECK_OK(perf);
	CHECK_ERRNO(try_load(create_counting(general, 0), gettid()), EBUSY);
}

/* covers: D.3-1 */
TEST(load_fails_while_perf_has_a_disabled_hardware_event)
{
	need_shared_pmu();
	without_watchdog(load_beside_disabled_perf);
}

/* covers: D.3-2 */
TEST(perf_opens_no_hardware_event_while_a_thread_session_is_loaded)
{
	int fd = create_counting(general, 0);

	need_pmu();
	load_self(fd);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	start(fd);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	CHECK_ERRNO(try_perf(PERF_TYPE_RAW, INST_RETIRED), EBUSY);
	unload(fd);
	check_perf_counts(perf_hardware());
}

/* covers: D.3-2 */
TEST(perf_opens_no_hardware_event_while_a_system_wide_session_is_loaded)
{
	int fd = create_counting(general, PFM_FL_SYSTEM_WIDE);

	need_pmu();
	load_self(fd);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	CHECK_OK(close(fd));
	check_perf_counts(perf_hardware());
}

/* covers: 3.1.1-25 4.2-4 */
TEST(an_unloaded_context_does_not_disturb_perf)
{
	int fd = create_counting(general, 0);

	write_pmd(fd, 0, 5);
	check_perf_counts(perf_hardware());
	CHECK_EQ(read_pmd(fd, 0), 5);
}

/* covers: D.3-3 */
TEST(only_the_last_session_gives_the_hardware_back)
{
	int first = create_counting(general, 0), second = create_counting(general, 0);
	pid_t pid = spawn(just_wait, NULL);

	need_pmu();
	load_self(first);
	load(second, pid);
	unload(first);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	unload(second);
	CHECK_OK(close(perf_hardware()));
	kill_child(pid);
}

/* covers: D.3-3 */
TEST(the_end_of_the_monitored_thread_gives_the_hardware_back)
{
	int fd = create_counting(general, 0);
	pid_t pid = sleeping_child(fd);

	need_pmu();
	load(fd, pid);
	CHECK_ERRNO(try_perf_hardware(), EBUSY);
	kill_child(pid);
	CHECK_OK(close(perf_hardware()));
}

/* Values that a session left in the registers must not count, and interrupt, for perf. */
/* covers: D.3-7 */
TEST(perf_finds_nothing_that_counts)
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int perf;

	need_selectors();
	for (cpu = 0; cpu < cpus; cpu++)
		session_on(cpu);
	perf = try_perf(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	CHECK_OK(perf);
	for (cpu = 0; cpu < cpus; cpu++)
		CHECK_NE(selector_on(cpu) & USER_INST, USER_INST);
	CHECK_OK(close(perf));
}

#define MSR_DEBUGCTL	0x1d9
#define LBR		0x1ULL

/*
 * The register that starts counting or recording apart from the selectors: 0 where there is none.
 */
static __u64 switch_on(long cpu, __u32 msr)
{
	int fd = open_msrs(cpu, O_RDONLY);
	__u64 value = rdmsr(fd, msr);

	CHECK_OK(close(fd));
	return value;
}

/* A session that uses everything: the fixed counters, and branch records. */
static void full_session_on(long cpu, bool records)
{
	int fd = create_counting(&counters[1], 0);

	if (records)
		write_pmc(fd, 23, LBR);
	pin(cpu);
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_EQ(switch_on(cpu, FIXED_CTRL_MSR) & FIXED_USR, FIXED_USR);
	if (records)
		CHECK_EQ(switch_on(cpu, MSR_DEBUGCTL) & LBR, LBR);
	CHECK_OK(close(fd));
}

/* covers: D.3-7 */
TEST(perf_finds_no_fixed_counter_and_no_branch_records_on)
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool records = has_pmc(23);
	int perf;

	need_selectors();
	if (!has_fixed())
		SKIP("no fixed counters");
	for (cpu = 0; cpu < cpus; cpu++)
		full_session_on(cpu, records);
	perf = try_perf(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	CHECK_OK(perf);
	for (cpu = 0; cpu < cpus; cpu++) {
		CHECK_EQ(switch_on(cpu, FIXED_CTRL_MSR) & FIXED_USR, 0);
		if (records)
			CHECK_EQ(switch_on(cpu, MSR_DEBUGCTL) & LBR, 0);
	}
	CHECK_OK(close(perf));
}

/* The last of four counters. */
#define SPARE			3
#define COUNT_INSTRUCTIONS	0x4300c0

static void load_beside_an_old_overflow(void *unused)
{
	int fd = create_counting(general, 0), msrs = open_msrs(0, O_RDWR);

	(void)unused;
	allow_msr_writes();
	pin(0);
	wrmsr(msrs, MSR_GLOBAL_CTRL, BIT_ULL(SPARE));
	wrmsr(msrs, MSR_PMC0 + SPARE, 0xffffffff);
	wrmsr(msrs, MSR_EVTSEL0 + SPARE, COUNT_INSTRUCTIONS);
	loop(1000);
	wrmsr(msrs, MSR_EVTSEL0 + SPARE, 0);
	CHECK_EQ(rdmsr(msrs, MSR_GLOBAL_STATUS) & BIT_ULL(SPARE), BIT_ULL(SPARE));
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_EQ(rdmsr(msrs, MSR_GLOBAL_STATUS) & BIT_ULL(SPARE), 0);
	CHECK_OK(close(fd));
	CHECK_OK(close(msrs));
}

/* It would be taken for one of the session's. */
/* covers: 4.1-2 */
TEST(an_overflow_that_another_owner_left_is_acknowledged)
{
	__u64 status;
	int msrs;

	need_selectors();
	msrs = open_msrs(0, O_RDONLY);
	if (read_sysfs_u64("pmu/pmc0/address") != MSR_EVTSEL0 ||
	    pread(msrs, &status, sizeof(status), MSR_GLOBAL_STATUS) != sizeof(status))
		SKIP("this PMU has no global registers");
	CHECK_OK(close(msrs));
	without_watchdog(load_beside_an_old_overflow);
}

/* covers: D.3-4 */
TEST(perf_software_events_always_work)
{
	int fd = create(0), before, during;
	__u64 value;

	before = try_perf(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	CHECK_OK(before);
	load_self(fd);
	start(fd);
	during = try_perf(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	CHECK_OK(during);
	loop(1000);
	CHECK_EQ(read(before, &value, sizeof(value)), sizeof(value));
	CHECK(value > 0);
	CHECK_EQ(read(during, &value, sizeof(value)), sizeof(value));
	CHECK(value > 0);
	CHECK_OK(try_perf(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES));
}

static void alternate(void *unused)
{
	int fd = create_counting(general, 0), i, perf;
	__u64 base;

	(void)unused;
	load_self(fd);
	count_loop(fd, general, 0, 1000);
	base = count_loop(fd, general, 0, 1000);
	unload(fd);
	for (i = 0; i < 5; i++) {
		perf = perf_hardware();
		check_perf_counts(perf);
		CHECK_OK(close(perf));
		load_self(fd);
		CHECK_EQ(count_loop(fd, general, 0, 1000), base);
		unload(fd);
	}
}

/* Values that one of the two leaves in the registers do not become visible to the other. */
/* covers: D.3-3 */
TEST(perf_and_perfmon_take_turns)
{
	need_pmu();
	without_watchdog(alternate);
}
