// SPDX-License-Identifier: GPL-2.0
/*
 * The software PMU: each of its events is what a program is known to do.
 *
 * soft.sh runs this, in guests of its own.
 */
#include "sampling.h"
#include "system.h"

#include <sys/resource.h>

__attribute__((constructor)) static void count_commands_exactly(void)
{
	quiet = true;
}

#define PAGE		4096UL
#define ON(bits)	(PFM_SOFT_ENABLE | (bits))
#define BOTH_LEVELS	(PFM_SOFT_USER | PFM_SOFT_KERNEL)

/* A register, what switches it on in full, and how it gets @n events. */
struct source {
	const char	*name;
	unsigned int	reg;
	__u64		value;
	void		(*make)(unsigned int n);
};

static char *fresh_pages(unsigned int n)
{
	char *pages = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK_NE(pages, MAP_FAILED);
	/* Where there are no huge pages, there is nothing to switch off. */
	madvise(pages, n * PAGE, MADV_NOHUGEPAGE);
	return pages;
}

static void __attribute__((noinline)) touch(volatile char *pages, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		pages[i * PAGE] = 1;
}

static void call(unsigned int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static struct rusage usage(void)
{
	struct rusage now;

	CHECK_OK(getrusage(RUSAGE_THREAD, &now));
	return now;
}

static long switches(const struct rusage *usage)
{
	return usage->ru_nvcsw + usage->ru_nivcsw;
}

/* Longer than a slow kernel takes to fall asleep, or it would not. */
static void nap(unsigned int n)
{
	const struct timespec short_time = { 0, 500000 };

	while (n--)
		nanosleep(&short_time, NULL);
}

/* To and fro; begins on CPU 0. */
static void move(unsigned int n)
{
	unsigned int i;

	for (i = 1; i <= n; i++)
		pin(i % 2);
}

static void make_test_events(unsigned int n)
{
	inject(n);
}

static void burn_ms(unsigned int ms)
{
	__u64 end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ms * NS_PER_MS;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* A context on ourselves that counts the event, and is not started. */
static int counting(unsigned int reg, __u64 value)
{
	int fd = create(0);

	CHECK(soft_pmu);
	write_pmc(fd, reg, value);
	load_self(fd);
	return fd;
}

static void also(int fd, unsigned int reg, __u64 value)
{
	write_pmc(fd, reg, value);
}

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
	/* What the test itself faults in, it does here. */
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

/* @by_kernel: a system call writes to the pages; else we do. */
static __u64 faults_at(__u64 levels, bool by_kernel)
{
	int fd = counting(PFM_SOFT_FAULTS, ON(levels)), zero = open("/dev/zero", O_RDONLY);
	char *pages = fresh_pages(1);
	unsigned int i;
	__u64 faults;

	/* The first round is for what the test itself faults in. */
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

/* A file's pages that are in no cache have to be read. */
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

/* The one that starts is no more, the one that stops already one. */
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

/* A thread's move while no context counted is not counted later. */
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

/* covers: D.10-6 */
TEST(only_root_injects)
{
	run_in_child(try_inject, NULL);
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

/* Within so much, and a quarter of a millisecond, of each other. */
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
	/* They ran all the time together. */
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

/* Sampling. */

static const struct source sources[] = {
	{ "injected", PFM_SOFT_TEST, ON(PFM_SOFT_USER), make_test_events },
	{ "system-calls", PFM_SOFT_SYSCALLS, ON(0), call },
	{ "cpu-migrations", PFM_SOFT_MIGRATIONS, ON(0), move },
};

static void sample_source(const struct source *source, unsigned int n, __u64 period)
{
	struct buffer buffer = create_buffer(0, 65536, 0);

	program(buffer.fd, (struct event){ .reg = source->reg, .value = source->value,
					   .period = period });
	load_self(buffer.fd);
	pin(0);
	start(buffer.fd);
	source->make(n);
	stop(buffer.fd);
	n += source->reg == PFM_SOFT_SYSCALLS;
	if (buffer.hdr->hdr_count != n / period)
		FAIL("%s: %llu samples of %u events, period %llu", source->name,
		     (unsigned long long)buffer.hdr->hdr_count, n,
		     (unsigned long long)period);
	CHECK_EQ(read_pmd(buffer.fd, source->reg), n % period - period);
	CHECK_EQ(ledger(buffer.fd, "overflows"), n / period);
	CHECK_OK(close(buffer.fd));
}

/* covers: D.10-8 */
TEST(n_events_make_a_sample_a_period)
{
	static const __u64 periods[] = { 1, 2, 7, 20 };
	unsigned int s, p;

	for (s = 0; s < ARRAY_SIZE(sources); s++) {
		if (sources[s].reg == PFM_SOFT_MIGRATIONS && sysconf(_SC_NPROCESSORS_ONLN) < 2)
			continue;
		for (p = 0; p < ARRAY_SIZE(periods); p++)
			sample_source(&sources[s], 60, periods[p]);
	}
}

/* covers: D.10-8 */
TEST(faults_are_sampled_where_they_happen)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	const pfm_default_smpl_entry_t *entry;
	__u64 here = (unsigned long)touch;
	unsigned int round, i;
	char *pages;

	load_self(buffer.fd);
	/* The first round is for what the test itself faults in. */
	for (round = 0; round < 2; round++) {
		pages = fresh_pages(53);
		program(buffer.fd, (struct event){ .reg = PFM_SOFT_FAULTS, .period = 5,
						   .value = ON(BOTH_LEVELS) });
		program(buffer.fd, (struct event){ .reg = PFM_SOFT_MIN_FAULTS, .period = 5,
						   .value = ON(BOTH_LEVELS) });
		i = buffer.hdr->hdr_count;
		start(buffer.fd);
		touch(pages, 53);
		stop(buffer.fd);
	}
	/* Both counters overflow at once. */
	CHECK_EQ(buffer.hdr->hdr_count, i + 20);
	for (; i < buffer.hdr->hdr_count; i++) {
		entry = entry_at(&buffer, i, 0);
		CHECK(entry->ovfl_pmd == PFM_SOFT_FAULTS ||
		      entry->ovfl_pmd == PFM_SOFT_MIN_FAULTS);
		CHECK_GE(entry->ip, here);
		CHECK_LE(entry->ip, here + 128);
		CHECK_EQ(entry->tid, gettid());
	}
}

/* covers: D.10-8 */
TEST(switches_are_sampled_where_the_thread_left_user_mode)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	struct rusage before, after;
	__u64 i;

	program(buffer.fd, (struct event){ .reg = PFM_SOFT_CTX_SWITCHES, .value = ON(0),
					   .period = 1 });
	load_self(buffer.fd);
	before = usage();
	start(buffer.fd);
	nap(40);
	stop(buffer.fd);
	after = usage();
	CHECK_GE(buffer.hdr->hdr_count, 40);
	CHECK_LE(buffer.hdr->hdr_count, switches(&after) - switches(&before));
	for (i = 0; i < buffer.hdr->hdr_count; i++) {
		CHECK_LE(entry_at(&buffer, i, 0)->ip, 1ULL << 47);
		CHECK_EQ(entry_at(&buffer, i, 0)->tid, gettid());
	}
}

static struct buffer sample_clock(unsigned int reg, __u64 value, __u64 period)
{
	struct buffer buffer = create_buffer(0, 1 << 18, 0);

	program(buffer.fd, (struct event){ .reg = reg, .value = value, .period = period });
	load_self(buffer.fd);
	return buffer;
}

/* covers: D.10-8 */
TEST(clocks_are_sampled_by_time)
{
	static const unsigned int clocks[] = { PFM_SOFT_TASK_CLOCK, PFM_SOFT_CPU_CLOCK };
	struct buffer buffer;
	unsigned int i;
	__u64 used;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		buffer = sample_clock(clocks[i], ON(0), 200000);
		used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		start(buffer.fd);
		burn_ms(20);
		sleep_ms(20);
		burn_ms(20);
		stop(buffer.fd);
		used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - used;
		/* Each comes somewhat late, and a sleeping thread has none. */
		CHECK_LE(buffer.hdr->hdr_count, used / 200000);
		CHECK_GE(buffer.hdr->hdr_count, used / 200000 * 3 / 4);
		CHECK_OK(close(buffer.fd));
	}
}

static __u64 kernel_samples(__u64 value)
{
	struct buffer buffer = sample_clock(PFM_SOFT_TASK_CLOCK, value, 50000);
	__u64 n = 0, i;

	start(buffer.fd);
	burn_ms(5);
	for (i = 0; i < 2000; i++)
		call(1);
	stop(buffer.fd);
	CHECK_GE(buffer.hdr->hdr_count, 20);
	for (i = 0; i < buffer.hdr->hdr_count; i++)
		n += entry_at(&buffer, i, 0)->ip >> 63;
	CHECK_OK(close(buffer.fd));
	return n;
}

/* covers: D.10-8 */
TEST(a_clock_shows_the_kernel_only_when_that_is_wanted)
{
	CHECK_EQ(kernel_samples(ON(0)), 0);
	CHECK_GE(kernel_samples(ON(PFM_SOFT_KERNEL)), 1);
}

/* Other threads, and whole CPUs. */

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
	/* And the one by which it ends. */
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
	/* To the child, and back. */
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
	/* Half of the moves came here; and others may have. */
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

/* Overflows under the run-queue lock. */
/* covers: D.10-8 */
TEST(switches_of_a_cpu_are_sampled)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 18, 0);

	program(buffer.fd, (struct event){ .reg = PFM_SOFT_CTX_SWITCHES, .value = ON(0),
					   .period = 1 });
	count_up(buffer.fd, 0, PFM_SOFT_TEST);
	pin(0);
	load_self(buffer.fd);
	start(buffer.fd);
	nap(100);
	stop(buffer.fd);
	/* We leave, and the idle thread does. */
	CHECK_GE(buffer.hdr->hdr_count, 200);
	CHECK_EQ(ledger(buffer.fd, "overflows"), ledger(buffer.fd, "recorded"));
	CHECK_EQ(buffer.hdr->hdr_count, ledger(buffer.fd, "recorded"));
}

/* covers: D.10-8 */
TEST(clocks_of_an_idle_cpu_overflow)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 18, 0);

	program(buffer.fd, (struct event){ .reg = PFM_SOFT_CPU_CLOCK,
					   .value = ON(PFM_SOFT_KERNEL), .period = NS_PER_MS });
	program(buffer.fd, (struct event){ .reg = PFM_SOFT_TASK_CLOCK,
					   .value = ON(PFM_SOFT_KERNEL), .period = NS_PER_MS });
	pin(0);
	load_self(buffer.fd);
	start(buffer.fd);
	sleep_ms(50);
	stop(buffer.fd);
	CHECK_GE(buffer.hdr->hdr_count, 10);
	CHECK_LE(buffer.hdr->hdr_count, 2 * (duration(buffer.fd, 0) / NS_PER_MS));
}

/* covers: D.10-9 */
TEST(an_overflow_notifies_and_masks)
{
	int fd = create(0);

	program(fd, (struct event){ .reg = PFM_SOFT_SYSCALLS, .value = ON(0), .flags = NOTIFY,
				    .period = 10 });
	also(fd, PFM_SOFT_CTX_SWITCHES, ON(0));
	load_self(fd);
	start(fd);
	call(100);
	check_state(fd, "masked");
	expect_overflow(fd, 0, BIT_ULL(PFM_SOFT_SYSCALLS));
	CHECK_EQ(read_pmd(fd, PFM_SOFT_SYSCALLS), 0);
	restart(fd);
	call(9);
	/* The restart was not counted, this one is. */
	CHECK_EQ(read_pmd(fd, PFM_SOFT_SYSCALLS), 0);
	check_state(fd, "masked");
	expect_overflow(fd, 0, BIT_ULL(PFM_SOFT_SYSCALLS));
}

static void overflow_always(void *unused)
{
	struct buffer buffer = sample_clock(PFM_SOFT_TASK_CLOCK, ON(0), 1);

	(void)unused;
	start(buffer.fd);
	WAIT_UNTIL(ledger(buffer.fd, "lost-throttled"));
	check_state(buffer.fd, "loaded");
	stop(buffer.fd);
	check_ledger(buffer.fd);
	CHECK_EQ(buffer.hdr->hdr_count, ledger(buffer.fd, "recorded"));
}

/* covers: D.10-9 */
TEST(a_clock_that_overflows_all_the_time_is_throttled)
{
	with_file(INTERRUPT_RATE_MAX, "10000", overflow_always, NULL);
}
