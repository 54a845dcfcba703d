// SPDX-License-Identifier: GPL-2.0
/*
 * The software PMU: samples of its events, and overflows of its clocks.
 *
 * Lane soft runs this.
 */
#include "hotplug.h"
#include "soft.h"

/* A register, the PMC value that enables it at all levels, and a function that makes @n events. */
struct source {
	const char	*name;
	unsigned int	reg;
	__u64		value;
	void		(*make)(unsigned int n);
};

static void make_test_events(unsigned int n)
{
	inject(n);
}

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
	/* The first round takes the page faults of the test itself. */
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
		/* Each sample comes somewhat late, and a sleeping thread has none. */
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
	/* Each sleep has two switches: ours, and the idle thread's. */
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

/* The timer has gone off meanwhile, and no task clock ran for which it could have been armed. */
/* covers: D.10-8 */
TEST(the_task_clock_of_a_cpu_overflows_again_after_an_idle_time)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 18, 0);

	program(buffer.fd, (struct event){ .reg = PFM_SOFT_TASK_CLOCK,
					   .value = ON(PFM_SOFT_KERNEL), .period = NS_PER_MS });
	pin(0);
	load_self(buffer.fd);
	start(buffer.fd);
	sleep_ms(20);
	burn_ms(50);
	stop(buffer.fd);
	CHECK_GE(buffer.hdr->hdr_count, 10);
}

/* The timer that is left behind on the CPU is not the timer that the clock needs later. */
static void overflow_where_a_timer_was_left(void *unused)
{
	const unsigned int clock = PFM_SOFT_CPU_CLOCK;
	__u64 period = clock_ns(CLOCK_MONOTONIC);
	struct buffer buffer;

	(void)unused;
	take_cpu_down();
	bring_cpu_up();
	/* Long enough to be still running when the CPU is back. */
	period = 4 * (clock_ns(CLOCK_MONOTONIC) - period) + 20 * NS_PER_MS;
	pin(1);
	buffer = sample_clock(clock, ON(0), period);
	start(buffer.fd);
	stop(buffer.fd);
	pin(0);
	take_cpu_down();
	bring_cpu_up();
	pin(1);
	write_pmd(buffer.fd, clock, -period);
	start(buffer.fd);
	burn_ms(period / NS_PER_MS + 20);
	CHECK_EQ(buffer.hdr->hdr_count, 1);
	stop(buffer.fd);
}

/* covers: D.6-2 D.10-8 */
TEST(a_clock_overflows_on_a_cpu_that_was_away)
{
	on_a_machine_with_two_cpus(overflow_where_a_timer_was_left);
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
	/* The restart was not counted, this call is. */
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
