// SPDX-License-Identifier: GPL-2.0
/*
 * Storms of interrupts, as bad as possible: all counters overflow with each instruction, the
 * kernel's as well, and each overflow has many registers to read. The monitored program keeps most
 * of its speed, measured by the guest's clock, which instructions drive. storm.sh runs this in
 * guests that have branch records, or IBS.
 */
#include "../abi/sampling.h"
#include "../abi/sets.h"

#define DEBUGCTL	23	/* PMC, if there are branch records */
#define SELECT		22
#define RECORD_KERNEL	0x1
#define LBR		0x1
#define IBS_FETCH	16	/* PMC */
#define IBS_OP		17
#define FETCH_EN	BIT_ULL(48)
#define OP_EN		BIT_ULL(17)
#define FIXED_ALL	0x333	/* three fixed counters: all levels */
#define THREADS		8

__attribute__((constructor(104))) static void test_the_usual_limits(void)
{
	use_the_usual_limits();
}

static void work(void)
{
	int i;

	for (i = 0; i < 100000; i++)
		syscall(SYS_getppid);
}

static bool has_ibs(void)
{
	return has_pmc(IBS_OP) && !has_pmc(DEBUGCTL) && !has_fixed();
}

static void one_counter(int fd, unsigned int pmd, bool own)
{
	pfarg_pmc_t pmc = { .reg_num = pmd, .reg_value = ALL_INST, .reg_flags = NOTIFY };
	pfarg_pmd_t value = { .reg_num = pmd, .reg_value = -1, .reg_long_reset = -1,
			      .reg_short_reset = -1 };

	if (own)
		CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &value, 1));
}

/* Samples are empty: the buffer is never full, and does not end the storm. */
static int storm(__u32 flags)
{
	int fd = create_buffer(flags, 4096, PFM_DFL_SMPL_NO_HDR).fd;
	pfarg_pmc_t fixed = { .reg_num = FIXED_CTRL, .reg_value = FIXED_ALL,
			      .reg_flags = NOTIFY };
	unsigned int i;

	for (i = 0; i < 16 && has_pmc(i) && has_pmd(i); i++)
		one_counter(fd, i, true);
	if (has_fixed()) {
		CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &fixed, 1));
		for (i = 0; i < 3; i++)
			one_counter(fd, FIXED_INST + i, false);
	}
	if (has_pmc(DEBUGCTL)) {
		write_pmc(fd, SELECT, RECORD_KERNEL);
		write_pmc(fd, DEBUGCTL, LBR);
	}
	if (has_ibs()) {
		write_pmc(fd, IBS_FETCH, FETCH_EN | 0x400);
		write_pmc(fd, IBS_OP, OP_EN | 0x400);
	}
	set_nonblocking(fd);
	return fd;
}

static __u64 time_of_work(void)
{
	__u64 begin = clock_ns(CLOCK_MONOTONIC);

	work();
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

static void check_speed(__u64 without, __u64 with)
{
	printf("# %llu us instead of %llu\n", (unsigned long long)with / 1000,
	       (unsigned long long)without / 1000);
	CHECK_LE(with * 6, without * 10);
}

/* The time of some work without a context, and under it. */
static void work_under(int fd)
{
	__u64 without;

	pin(0);
	time_of_work();
	without = time_of_work();
	load_self(fd);
	start(fd);
	check_speed(without, time_of_work());
	stop(fd);
}

/* Work under a context in a storm; returns the context. */
static int work_under_storm(__u32 flags)
{
	int fd = storm(flags);

	work_under(fd);
	CHECK_GE(ledger(fd, "lost-throttled"), 1);
	check_ledger(fd);
	return fd;
}

TEST_LIMIT(a_thread_in_a_storm_keeps_most_of_its_speed, 120)
{
	int fd = work_under_storm(0);

	/* All its instructions were overflows. */
	CHECK_GE(ledger(fd, "overflows"), 100000);
}

static pthread_barrier_t begin, end;

static void *work_in_storm(void *arg)
{
	const bool *stormy = arg;
	int fd = storm(0);

	pin(0);
	load_self(fd);
	pthread_barrier_wait(&begin);
	if (*stormy)
		start(fd);
	work();
	stop(fd);
	check_ledger(fd);
	pthread_barrier_wait(&end);
	CHECK_OK(close(fd));
	return NULL;
}

static __u64 time_of_threads(bool stormy)
{
	pthread_t threads[THREADS];
	__u64 began;
	int i;

	CHECK_EQ(pthread_barrier_init(&begin, NULL, THREADS + 1), 0);
	CHECK_EQ(pthread_barrier_init(&end, NULL, THREADS + 1), 0);
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, work_in_storm, &stormy), 0);
	pthread_barrier_wait(&begin);
	began = clock_ns(CLOCK_MONOTONIC);
	pthread_barrier_wait(&end);
	began = clock_ns(CLOCK_MONOTONIC) - began;
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	return began;
}

TEST_LIMIT(eight_contexts_in_a_storm_leave_a_cpu_most_of_its_speed, 300)
{
	__u64 without = time_of_threads(false);

	check_speed(without, time_of_threads(true));
}

/* The context on the CPU belongs to another task. */
TEST_LIMIT(a_system_wide_storm_leaves_others_most_of_their_speed, 120)
{
	work_under_storm(PFM_FL_SYSTEM_WIDE);
}

/* Calls from another CPU, as many as possible. */
struct caller {
	int	fd;
	int	stop;
};

static void *call_always(void *arg)
{
	struct caller *caller = arg;

	pin(1);
	while (!__atomic_load_n(&caller->stop, __ATOMIC_RELAXED))
		read_pmd(caller->fd, 0);
	return NULL;
}

TEST_LIMIT(calls_from_another_cpu_leave_most_of_the_speed, 120)
{
	struct caller caller = { .fd = create(0) };
	pthread_t threads[THREADS];
	__u64 without;
	int i;

	need_cpus(2);
	pin(0);
	write_pmc(caller.fd, 0, ALL_INST);
	load_self(caller.fd);
	start(caller.fd);
	without = time_of_work();
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, call_always, &caller), 0);
	check_speed(without, time_of_work());
	__atomic_store_n(&caller.stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

/* Each timer interrupt switches: the sets' timeouts are as short as the limits allow. */
static void work_under_switches(__u32 flags)
{
	int fd = create(flags), id;

	write_pmc(fd, 0, ALL_INST); /* without a PMC the time of the sets does not run */
	for (id = 0; id < 2; id++)
		create_timed_set(fd, id, 1);
	work_under(fd);
	CHECK_GE(runs(fd, 1), 10);
}

TEST_LIMIT(a_thread_whose_sets_switch_keeps_most_of_its_speed, 120)
{
	work_under_switches(0);
}

TEST_LIMIT(a_cpu_whose_sets_switch_keeps_most_of_its_speed, 120)
{
	work_under_switches(PFM_FL_SYSTEM_WIDE);
}

/* Only IBS, which cannot count in large steps: it stands still. */
TEST_LIMIT(ibs_stands_still_on_a_throttled_cpu, 120)
{
	int fd;
	__u64 without;

	if (!has_ibs())
		SKIP("this processor has no IBS");
	pin(0);
	fd = create(0);
	write_pmc(fd, IBS_FETCH, FETCH_EN | 0x400);
	write_pmc(fd, IBS_OP, OP_EN | 0x400);
	load_self(fd);
	without = time_of_work();
	write_file(CPU_TIME_MAX, "5");
	start(fd);
	check_speed(without, time_of_work());
	stop(fd);
	CHECK_GE(ledger(fd, "masked-ns"), 1);
	CHECK_GE(read_pmd(fd, IBS_OP), 1);
}
