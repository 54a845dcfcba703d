// SPDX-License-Identifier: GPL-2.0
/*
 * The software PMU: each of its events against the known behaviour of a program.
 *
 * Lane soft runs this.
 */
#include "soft.h"

#include <sys/stat.h>

/* covers: D.10-1 */
TEST(every_counter_has_a_name_and_sixty_four_bits)
{
	static const char *const names[] = {
		"test0", "test1", "test2", "test3", "task-clock", "cpu-clock", "page-faults",
		"minor-faults", "major-faults", "context-switches", "cpu-migrations",
		"system-calls",
	};
	char path[64], text[64];
	unsigned int i;

	CHECK_EQ(get_config().cf_counter_width, 64);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		CHECK(has_pmc(i) && has_pmd(i));
		snprintf(path, sizeof(path), "pmu/pmd%u/name", i);
		read_sysfs(path, text, sizeof(text));
		CHECK_STREQ(text, names[i]);
		snprintf(path, sizeof(path), "pmu/pmc%u/name", i);
		read_sysfs(path, text, sizeof(text));
		CHECK_STREQ(text, names[i]);
	}
	CHECK(!has_pmc(i) && !has_pmd(i));
}

/* covers: D.10-2 */
TEST(touching_n_pages_is_n_minor_faults)
{
	static const unsigned int n[] = { 1, 2, 100 };
	int fd = counting(PFM_SOFT_FAULTS, ON(BOTH_LEVELS));
	__u64 faults = 0;
	unsigned int i;
	char *pages;

	also(fd, PFM_SOFT_MIN_FAULTS, ON(BOTH_LEVELS));
	also(fd, PFM_SOFT_MAJ_FAULTS, ON(BOTH_LEVELS));
	/* Page faults of the test itself, which happen here. */
	start(fd);
	touch(fresh_pages(1), 1);
	stop(fd);
	for (i = 0; i < ARRAY_SIZE(n); i++) {
		pages = fresh_pages(n[i]);
		write_pmd(fd, PFM_SOFT_FAULTS, faults);
		write_pmd(fd, PFM_SOFT_MIN_FAULTS, 0);
		write_pmd(fd, PFM_SOFT_MAJ_FAULTS, 0);
		start(fd);
		touch(pages, n[i]);
		stop(fd);
		touch(fresh_pages(3), 3);
		faults += n[i];
		CHECK_EQ(read_pmd(fd, PFM_SOFT_FAULTS), faults);
		CHECK_EQ(read_pmd(fd, PFM_SOFT_MIN_FAULTS), n[i]);
		CHECK_EQ(read_pmd(fd, PFM_SOFT_MAJ_FAULTS), 0);
	}
}

/* @by_kernel: a system call writes to the pages; otherwise we do. */
static __u64 faults_at(__u64 levels, bool by_kernel)
{
	int fd = counting(PFM_SOFT_FAULTS, ON(levels)), zero = open("/dev/zero", O_RDONLY);
	char *pages = fresh_pages(1);
	unsigned int i;
	__u64 faults;

	/* The first round takes the page faults of the test itself. */
	for (i = 0; i < 2; i++) {
		write_pmd(fd, PFM_SOFT_FAULTS, 0);
		start(fd);
		if (by_kernel)
			CHECK_EQ(read(zero, pages, i ? 16 * PAGE : PAGE), i ? 16 * PAGE : PAGE);
		else
			touch(pages, i ? 16 : 1);
		stop(fd);
		pages = fresh_pages(16);
	}
	faults = read_pmd(fd, PFM_SOFT_FAULTS);
	CHECK_OK(close(fd));
	return faults;
}

/* covers: D.10-2 */
TEST(faults_are_counted_at_the_levels_that_are_wanted)
{
	CHECK_EQ(faults_at(PFM_SOFT_USER, false), 16);
	CHECK_EQ(faults_at(PFM_SOFT_USER, true), 0);
	CHECK_EQ(faults_at(PFM_SOFT_KERNEL, false), 0);
	CHECK_EQ(faults_at(PFM_SOFT_KERNEL, true), 16);
	CHECK_EQ(faults_at(BOTH_LEVELS, false), 16);
	CHECK_EQ(faults_at(BOTH_LEVELS, true), 16);
	CHECK_EQ(faults_at(0, false), 0);
}

/* Pages of a file that are not in the page cache are read from the disk. */
/* covers: D.10-2 */
TEST(a_page_that_has_to_be_read_is_a_major_fault)
{
	int file = open("/bin/bash", O_RDONLY);
	int fd = counting(PFM_SOFT_MAJ_FAULTS, ON(BOTH_LEVELS));
	struct rusage before, after;
	volatile const char *pages;
	char sum = 0;
	int i;

	also(fd, PFM_SOFT_FAULTS, ON(BOTH_LEVELS));
	also(fd, PFM_SOFT_MIN_FAULTS, ON(BOTH_LEVELS));
	CHECK_EQ(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED), 0);
	pages = mmap(NULL, 64 * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	CHECK_NE(pages, MAP_FAILED);
	CHECK_OK(madvise((void *)pages, 64 * PAGE, MADV_RANDOM));
	before = usage();
	start(fd);
	for (i = 0; i < 64; i++)
		sum += pages[i * PAGE];
	stop(fd);
	after = usage();
	if (after.ru_majflt == before.ru_majflt)
		SKIP("bash stays in the page cache (sum %d)", sum);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_MAJ_FAULTS), after.ru_majflt - before.ru_majflt);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_FAULTS),
		 read_pmd(fd, PFM_SOFT_MAJ_FAULTS) + read_pmd(fd, PFM_SOFT_MIN_FAULTS));
}

/* The switch to the start is not counted, the switch to the stop is. */
/* covers: D.10-3 */
TEST(n_system_calls_count_n_and_the_one_that_stops)
{
	static const unsigned int n[] = { 0, 1, 1000 };
	int fd = counting(PFM_SOFT_SYSCALLS, ON(0));
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(n); i++) {
		write_pmd(fd, PFM_SOFT_SYSCALLS, 0);
		start(fd);
		call(n[i]);
		stop(fd);
		call(7);
		CHECK_EQ(read_pmd(fd, PFM_SOFT_SYSCALLS), n[i] + 1);
	}
}

/* covers: D.10-3 */
TEST(system_calls_that_do_not_exist_count_too)
{
	int fd = counting(PFM_SOFT_SYSCALLS, ON(0));

	start(fd);
	CHECK_ERRNO(syscall(9999), ENOSYS);
	CHECK_ERRNO(syscall(-1), ENOSYS);
	stop(fd);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_SYSCALLS), 3);
}

/* covers: D.10-4 */
TEST(a_thread_that_sleeps_switches)
{
	int fd = counting(PFM_SOFT_CTX_SWITCHES, ON(0));
	struct rusage outer[2], inner[2];
	__u64 count;

	outer[0] = usage();
	start(fd);
	inner[0] = usage();
	nap(50);
	inner[1] = usage();
	stop(fd);
	outer[1] = usage();
	count = read_pmd(fd, PFM_SOFT_CTX_SWITCHES);
	CHECK_GE(count, 50);
	CHECK_GE(count, switches(&inner[1]) - switches(&inner[0]));
	CHECK_LE(count, switches(&outer[1]) - switches(&outer[0]));
}

/* covers: D.10-4 */
TEST(a_thread_that_is_alone_does_not_switch)
{
	int fd = counting(PFM_SOFT_CTX_SWITCHES, ON(0));
	struct rusage before = usage(), after;
	__u64 count;

	start(fd);
	call(100);
	stop(fd);
	after = usage();
	count = read_pmd(fd, PFM_SOFT_CTX_SWITCHES);
	CHECK_LE(count, switches(&after) - switches(&before));
}

/* covers: D.10-5 */
TEST(n_moves_are_n_migrations)
{
	static const unsigned int n[] = { 0, 1, 10 };
	unsigned int i;
	int fd;

	need_cpus(2);
	fd = counting(PFM_SOFT_MIGRATIONS, ON(0));
	for (i = 0; i < ARRAY_SIZE(n); i++) {
		pin(0);
		write_pmd(fd, PFM_SOFT_MIGRATIONS, 0);
		start(fd);
		move(n[i]);
		stop(fd);
		CHECK_EQ(read_pmd(fd, PFM_SOFT_MIGRATIONS), n[i]);
	}
}

/* A thread's migration while no context counted is not counted later. */
/* covers: D.10-5 */
TEST(moves_before_the_start_do_not_count)
{
	int fd;

	need_cpus(2);
	pin(0);
	fd = counting(PFM_SOFT_MIGRATIONS, ON(0));
	move(3);
	start(fd);
	sched_yield();
	stop(fd);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_MIGRATIONS), 0);
}

/* covers: D.10-6 */
TEST(injected_events_count_at_their_level)
{
	int kernel = open(INJECT_DIR "inject_kernel", O_WRONLY);
	int fd = counting(PFM_SOFT_TEST, ON(PFM_SOFT_USER));

	CHECK_OK(kernel);
	also(fd, PFM_SOFT_TEST + 1, ON(PFM_SOFT_KERNEL));
	also(fd, PFM_SOFT_TEST + 2, ON(BOTH_LEVELS));
	also(fd, PFM_SOFT_TEST + 3, ON(0));
	also(fd, PFM_SOFT_MIGRATIONS, ON(0));
	inject(1000);
	start(fd);
	inject(100000);
	inject_into(kernel, 77);
	stop(fd);
	inject(1000);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_TEST), 100000);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_TEST + 1), 77);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_TEST + 2), 100077);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_TEST + 3), 0);
	CHECK_LE(read_pmd(fd, PFM_SOFT_MIGRATIONS), 100);
}

/* covers: D.10-1 */
TEST(a_counter_passes_the_end_of_its_64_bits)
{
	int fd = counting(PFM_SOFT_TEST, ON(PFM_SOFT_USER));
	static const __u64 begins[] = { -1ULL, -2ULL, -1000ULL, 1ULL << 63, (1ULL << 63) - 1, 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(begins); i++) {
		write_pmd(fd, PFM_SOFT_TEST, begins[i]);
		start(fd);
		inject(1000);
		stop(fd);
		CHECK_EQ(read_pmd(fd, PFM_SOFT_TEST), begins[i] + 1000);
	}
}

static void try_inject(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_EQ(open(INJECT_DIR "inject_user", O_WRONLY), -1);
	CHECK_EQ(errno, EACCES);
}

static void check_mode(const char *path)
{
	struct stat status;

	CHECK_OK(stat(path, &status));
	CHECK_EQ(status.st_mode, S_IFREG | S_IWUSR);
}

/* covers: D.10-6 */
TEST(only_root_injects)
{
	run_in_child(try_inject, NULL);
	/* Even if others may enter the directory. */
	check_mode(INJECT_DIR "inject_user");
	check_mode(INJECT_DIR "inject_kernel");
}

static void count_as_nobody(void *unused)
{
	static const unsigned int with_levels[] = {
		PFM_SOFT_TASK_CLOCK, PFM_SOFT_CPU_CLOCK, PFM_SOFT_FAULTS,
	};
	unsigned int i;
	int fd;

	(void)unused;
	become(NOBODY, NOBODY);
	fd = create(0);
	for (i = 0; i < ARRAY_SIZE(with_levels); i++) {
		CHECK_ERRNO(try_write_pmc(fd, with_levels[i], ON(BOTH_LEVELS)), EPERM);
		write_pmc(fd, with_levels[i], ON(PFM_SOFT_USER));
	}
	write_pmc(fd, PFM_SOFT_SYSCALLS, ON(0));
	load_self(fd);
	start(fd);
	call(10);
	burn_ms(1);
	stop(fd);
	CHECK_GE(read_pmd(fd, PFM_SOFT_SYSCALLS), 11);
	CHECK_GE(read_pmd(fd, PFM_SOFT_TASK_CLOCK), NS_PER_MS);
}

/* covers: D.10-6 */
TEST(anybody_counts_but_for_kernel_level)
{
	with_file(PARANOID, "2", count_as_nobody, NULL);
}

/* Clocks. */

/* Equal within this share, and a quarter of a millisecond. */
static void check_close(__u64 is, __u64 wanted)
{
	__u64 slack = wanted / 20 + NS_PER_MS / 4;

	CHECK_GE(is + slack, wanted);
	CHECK_LE(is, wanted + slack);
}

/* covers: D.10-7 */
TEST(the_clocks_of_a_thread_are_its_time_on_cpus)
{
	int fd = counting(PFM_SOFT_TASK_CLOCK, ON(0));
	__u64 before, used;

	also(fd, PFM_SOFT_CPU_CLOCK, ON(0));
	before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	start(fd);
	burn_ms(10);
	sleep_ms(30);
	burn_ms(10);
	stop(fd);
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
	check_close(read_pmd(fd, PFM_SOFT_TASK_CLOCK), used);
	/* They ran together, all the time. */
	CHECK_EQ(read_pmd(fd, PFM_SOFT_CPU_CLOCK), read_pmd(fd, PFM_SOFT_TASK_CLOCK));
}

/* covers: D.10-7 */
TEST(a_clock_runs_while_it_is_read)
{
	int fd = counting(PFM_SOFT_TASK_CLOCK, ON(0));
	__u64 before, now;
	int i;

	write_pmd(fd, PFM_SOFT_TASK_CLOCK, 1ULL << 40);
	start(fd);
	before = read_pmd(fd, PFM_SOFT_TASK_CLOCK);
	CHECK_GE(before, 1ULL << 40);
	for (i = 0; i < 100; i++) {
		now = read_pmd(fd, PFM_SOFT_TASK_CLOCK);
		CHECK_GE(now, before + 1);
		before = now;
	}
	stop(fd);
	now = read_pmd(fd, PFM_SOFT_TASK_CLOCK);
	burn_ms(1);
	CHECK_EQ(read_pmd(fd, PFM_SOFT_TASK_CLOCK), now);
}

struct gates {
	int	ready;
	int	go;
};

static void fault_and_call(void *arg)
{
	const struct gates *gates = arg;
	char *pages = fresh_pages(32);

	gate_open(gates->ready);
	gate_wait(gates->go);
	touch(pages, 32);
	call(32);
}

/* covers: D.10-9 */
TEST(another_thread_is_counted_and_its_end_told)
{
	struct gates gates = { gate_new(), gate_new() };
	int fd = create(0);
	pid_t pid = spawn_without(fd, fault_and_call, &gates);

	write_pmc(fd, PFM_SOFT_MIN_FAULTS, ON(PFM_SOFT_USER));
	write_pmc(fd, PFM_SOFT_SYSCALLS, ON(0));
	gate_wait(gates.ready);
	load(fd, pid);
	start(fd);
	gate_open(gates.go);
	reap(pid);
	expect_message(fd, PFM_MSG_END);
	CHECK_GE(read_pmd(fd, PFM_SOFT_MIN_FAULTS), 32);
	/* And the switch by which it ends. */
	CHECK_GE(read_pmd(fd, PFM_SOFT_SYSCALLS), 33);
	CHECK_LE(read_pmd(fd, PFM_SOFT_SYSCALLS), 35);
}

static int counting_cpu(unsigned int reg, __u64 value)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	write_pmc(fd, reg, value);
	pin(0);
	load_self(fd);
	return fd;
}

static void work_on_cpu(void *unused)
{
	(void)unused;
	pin(0);
	touch(fresh_pages(100), 100);
	call(100);
}

/* covers: D.10-9 */
TEST(a_cpus_events_are_those_of_all_its_threads)
{
	int fd = counting_cpu(PFM_SOFT_FAULTS, ON(BOTH_LEVELS));

	also(fd, PFM_SOFT_SYSCALLS, ON(0));
	also(fd, PFM_SOFT_CTX_SWITCHES, ON(0));
	start(fd);
	run_in_child(work_on_cpu, NULL);
	stop(fd);
	CHECK_GE(read_pmd(fd, PFM_SOFT_FAULTS), 100);
	CHECK_GE(read_pmd(fd, PFM_SOFT_SYSCALLS), 100);
	/* A switch to the child, and one back. */
	CHECK_GE(read_pmd(fd, PFM_SOFT_CTX_SWITCHES), 2);
}

/* covers: D.10-5 */
TEST(a_thread_that_comes_to_a_cpu_is_a_migration_there)
{
	__u64 count;
	int fd;

	need_cpus(2);
	fd = counting_cpu(PFM_SOFT_MIGRATIONS, ON(0));
	start(fd);
	move(20);
	stop(fd);
	count = read_pmd(fd, PFM_SOFT_MIGRATIONS);
	/* Half of the migrations ended on this CPU; others may have, too. */
	CHECK_GE(count, 10);
	CHECK_LE(count, 30);
}

/* covers: D.10-7 */
TEST(the_task_clock_of_a_cpu_stands_still_while_it_is_idle)
{
	int fd = counting_cpu(PFM_SOFT_TASK_CLOCK, ON(0));
	__u64 busy, all;

	also(fd, PFM_SOFT_CPU_CLOCK, ON(0));
	start(fd);
	sleep_ms(60);
	stop(fd);
	busy = read_pmd(fd, PFM_SOFT_TASK_CLOCK);
	all = read_pmd(fd, PFM_SOFT_CPU_CLOCK);
	CHECK_GE(all, 60 * NS_PER_MS);
	CHECK_LE(busy, all / 2);
	start(fd);
	burn_ms(20);
	stop(fd);
	busy = read_pmd(fd, PFM_SOFT_TASK_CLOCK) - busy;
	all = read_pmd(fd, PFM_SOFT_CPU_CLOCK) - all;
	CHECK_GE(busy, 20 * NS_PER_MS);
	CHECK_GE(all, busy);
}
