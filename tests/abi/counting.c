// SPDX-License-Identifier: GPL-2.0
/*
 * Counts: exact, of the right thread, across context switches, and of a thread that runs on while
 * its counters are read.
 */
#include "count.h"
#include "process.h"

#define LOOPS	5000

/* All runs of a loop count the same: its own instructions, and a constant. */
/* covers: 3.2.1-3 D.4-1 */
TEST(a_loop_counts_its_instructions_exactly)
{
	const struct counter *c;
	__u64 base, n;

	need_pmu();
	for_each_counter(c) {
		int fd = create_counting(c, 0);

		load_self(fd);
		count_loop(fd, c, 0, 0);
		base = count_loop(fd, c, 0, 0);
		CHECK(base > 0 && base < 20);
		for (n = 1; n <= 100000; n = n * 3 + 1)
			CHECK_EQ(count_loop(fd, c, 0, n), base + 2 * n);
		unload(fd);
	}
}

/* covers: 3.2.1-4 D.4-1 */
TEST(equal_runs_count_equal)
{
	int fd = create_counting(general, 0), i;
	__u64 expected;

	load_self(fd);
	count_loop(fd, general, 0, LOOPS);
	expected = count_loop(fd, general, 0, LOOPS);
	for (i = 0; i < 20; i++)
		CHECK_EQ(count_loop(fd, general, 0, LOOPS), expected);
}

/* All counters count a loop, and have the same value, not less than @least. */
static void check_counters_agree(int fd, const pfarg_config_t *config, __u64 least)
{
	__u64 first;
	int i;

	start_loop_stop(fd, LOOPS);
	first = read_pmd(fd, 0);
	CHECK_GE(first, least);
	for (i = 0; i < GENERAL_MAX; i++)
		if (has_bit(config->cf_impl_pmds, i))
			CHECK_EQ(read_pmd(fd, i), first);
	if (has_fixed())
		CHECK_EQ(read_pmd(fd, FIXED_INST), first);
}

/* Cores of a hybrid processor have different counters: perfmon uses the common ones. */
/* covers: 3.2.1-4 3.2.4-2 */
TEST(all_counters_count_the_same_on_each_cpu)
{
	pfarg_config_t config = get_config();
	int fd = create(0), cpus = sysconf(_SC_NPROCESSORS_ONLN), i;

	need_pmu();
	for (i = 0; i < GENERAL_MAX; i++)
		if (has_bit(config.cf_impl_pmcs, i))
			write_pmc(fd, i, USER_INST);
	if (has_fixed())
		write_pmc(fd, FIXED_CTRL, FIXED_USR);
	load_self(fd);
	for (i = 0; i < cpus; i++) {
		pin(i);
		check_counters_agree(fd, &config, (i + 1) * 2 * LOOPS);
	}
}

/* If no register starts all counters at once, counters of kernel level count the start. */
static bool counters_start_together(void)
{
	int fd = create(0);
	__u64 first, second;

	if (has_fixed())
		return true;
	write_pmc(fd, 0, ALL_INST);
	write_pmc(fd, 1, ALL_INST);
	load_self(fd);
	start_loop_stop(fd, LOOPS);
	first = read_pmd(fd, 0);
	CHECK_GE(first, 2 * LOOPS);
	second = read_pmd(fd, 1);
	unload(fd);
	return first == second;
}

/* covers: D.4-2 */
TEST(user_and_kernel_level_add_up)
{
	const long getppid_call[4] = { SYS_getppid };
	int fd = create(0);
	__u64 kernel;

	need_pmu();
	need_hardware("counter of the kernel's instructions");
	if (!counters_start_together())
		SKIP("this PMU starts its counters one after the other");
	write_pmc(fd, 0, USER_INST);
	write_pmc(fd, 1, INST_RETIRED | EVTSEL_OS | EVTSEL_EN);
	write_pmc(fd, 2, ALL_INST);
	load_self(fd);
	start_call_stop(fd, 100, getppid_call);
	kernel = read_pmd(fd, 1);
	CHECK_GE(kernel, 100 * 20);
	/* The hardware defines where one level ends and the other begins. */
	CHECK_EQ(read_pmd(fd, 2), read_pmd(fd, 0) + kernel);
}

/* covers: D.4-2 */
TEST(the_fixed_counter_filters_levels_as_the_general_one_does)
{
	const long getppid_call[4] = { SYS_getppid };
	int fd = create(0);

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	write_pmc(fd, 0, INST_RETIRED | EVTSEL_OS | EVTSEL_EN);
	write_pmc(fd, FIXED_CTRL, FIXED_OS);
	load_self(fd);
	start_call_stop(fd, 100, getppid_call);
	CHECK_GE(read_pmd(fd, 0), 100 * 20);
	CHECK_EQ(read_pmd(fd, FIXED_INST), read_pmd(fd, 0));
}

/* Instructions of another task on this CPU are not counted, however often we switch. */
static void compete(void *arg)
{
	(void)arg;
	take_turns(0);
	for (;;) {
		loop(50);
		sched_yield();
	}
}

/* Count yields while @rivals compete for the CPU. */
static __u64 count_yields(int fd, const struct counter *c, __u64 n)
{
	const long yield[4] = { SYS_sched_yield };

	write_pmd(fd, c->pmd, 0);
	start_call_stop(fd, n, yield);
	return read_pmd(fd, c->pmd);
}

static unsigned long context_switches(void)
{
	char line[128];
	unsigned long n = 0, value;
	FILE *file = fopen("/proc/thread-self/status", "re");

	CHECK(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &value) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %lu", &value) == 1)
			n += value;
	fclose(file);
	return n;
}

/* covers: 3.1.7-20 */
TEST(other_processes_on_the_cpu_are_not_counted)
{
	const struct counter *c;
	unsigned long switches;
	__u64 alone;
	pid_t rival;

	need_pmu();
	take_turns(0);
	for_each_counter(c) {
		int fd = create_counting(c, 0);

		load_self(fd);
		count_yields(fd, c, 200);
		alone = count_yields(fd, c, 200);
		rival = spawn(compete, NULL);
		sleep_ms(1);
		switches = context_switches();
		CHECK_EQ(count_yields(fd, c, 200), alone);
		CHECK_GE(context_switches(), switches + 100);
		kill_child(rival);
		unload(fd);
	}
}

/* covers: 3.1.7-20 */
TEST(other_threads_of_the_process_are_not_counted)
{
	int fd = create_counting(general, 0);
	struct thread thread;
	__u64 alone;

	take_turns(0);
	load_self(fd);
	count_yields(fd, general, 200);
	alone = count_yields(fd, general, 200);
	thread_start(&thread, compete, NULL);
	CHECK_EQ(count_yields(fd, general, 200), alone);
}

struct monitored_rival {
	int	fd;
	int	up;
	__u64	count;
};

static void count_own_yields(void *arg)
{
	struct monitored_rival *rival = arg;

	take_turns(0);
	load_self(rival->fd);
	rival->count = count_yields(rival->fd, general, 200);
	gate_open(rival->up);
	for (;;)
		rival->count = count_yields(rival->fd, general, 200);
}

/* Two contexts take turns on one PMU: neither counts the other's events. */
/* covers: 3.1.2-31 3.1.7-19 3.1.7-20 */
TEST(two_monitored_threads_on_one_cpu_do_not_mix)
{
	struct monitored_rival rival = { .up = gate_new() };
	int fd = create_counting(general, 0);
	struct thread thread;
	__u64 alone;

	take_turns(0);
	rival.fd = create(0);
	write_pmc(rival.fd, 0, USER_INST);
	write_pmc(rival.fd, 1, USER_INST);
	load_self(fd);
	count_yields(fd, general, 200);
	alone = count_yields(fd, general, 200);
	thread_start(&thread, count_own_yields, &rival);
	gate_wait(rival.up);
	CHECK_EQ(rival.count, alone);
	write_pmd(fd, 1, 12345);
	CHECK_EQ(count_yields(fd, general, 200), alone);
	CHECK_EQ(count_yields(fd, general, 200), alone);
	CHECK_EQ(read_pmd(fd, 1), 12345);
}

static __u64 count_calls(int fd, __u64 n, const long call[4])
{
	write_pmd(fd, 0, 0);
	start_call_stop(fd, n, call);
	return read_pmd(fd, 0);
}

/* covers: 3.1.7-20 */
TEST(sleeping_is_not_counted)
{
	const struct timespec ms = { 0, 1000000 };
	const long sleep_call[4] = { SYS_nanosleep, (long)&ms };
	const long getppid_call[4] = { SYS_getppid };
	int fd = create_counting(general, 0);
	__u64 awake;

	load_self(fd);
	count_calls(fd, 10, getppid_call);
	awake = count_calls(fd, 10, getppid_call);
	CHECK_EQ(count_calls(fd, 10, sleep_call), awake);
}

/* Leave values in all general counters of CPU 0, and exit. */
static void use_all_counters(void *unused)
{
	int fd = create(0), i;

	(void)unused;
	pin(0);
	for (i = 0; i < 4; i++) {
		write_pmc(fd, i, USER_INST);
		write_pmd(fd, i, 1000000 + i);
	}
	load_self(fd);
	start_loop_stop(fd, LOOPS);
}

/* covers: 3.1.2-34 4.1-2 4.3.2-2 */
TEST(a_counter_that_is_switched_on_does_not_show_what_others_left)
{
	int fd = create(0), i;
	__u64 value;

	need_pmu();
	pin(0);
	write_pmc(fd, 1, USER_INST);
	load_self(fd);
	start(fd);
	run_in_child(use_all_counters, NULL);
	/* Our registers are back, except the ones that do not count yet. */
	for (i = 0; i < 4; i += 2) {
		write_pmc(fd, i, USER_INST);
		loop(LOOPS);
		value = read_pmd(fd, i);
		CHECK(value >= 2 * LOOPS && value < 4 * LOOPS);
	}
}
