// SPDX-License-Identifier: GPL-2.0
/*
 * Switching event sets by time: the time that the timeout measures, its accuracy, and the
 * conditions in which it stands still.
 */
#include "sampling.h"

#define MS	NS_PER_MS
#define US	1000ULL

static void spin_ns(__u64 ns)
{
	__u64 end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		loop(100);
}

static void timed_set(int fd, __u16 id, __u64 ns)
{
	CHECK_EQ(create_timed_set(fd, id, ns), ns);
	if (has_pmc(0))
		count_up(fd, id, 1);
}

/* The maximum delay of a timeout: a timer's interrupt takes long on the debug kernel. */
#define LATE	(250 * US)

static __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

/* covers: 3.1.5-19 3.1.10-10 3.1.12-8 3.1.12-13 3.7.6-4 */
TEST(a_set_is_left_after_its_timeout)
{
	int fd = create(0);

	timed_set(fd, 0, 3 * MS);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_self(fd);
	start(fd);
	spin_ns(2 * MS);
	CHECK_EQ(runs(fd, 1), 0);
	spin_ns(2 * MS);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 1);
	/* Not before its time, and not much later than that. */
	CHECK_GE(duration(fd, 0), 3 * MS);
	CHECK_LE(duration(fd, 0), 3 * MS + LATE);
	CHECK(duration(fd, 1) > 0);
	CHECK_EQ(only_first(get_set(fd, 0).set_switch_pmds), 0);
}

/* covers: 3.1.12-17 3.7.6-4 */
TEST(a_timed_set_without_successor_follows_itself)
{
	int fd = create(0);
	__u64 expected;

	timed_set(fd, 0, 1 * MS);
	load_self(fd);
	start(fd);
	spin_ns(20 * MS);
	stop(fd);
	expected = 1 + duration(fd, 0) / MS;
	CHECK(distance(runs(fd, 0), expected) <= 1);
}

/* covers: 3.1.5-18 3.1.12-19 3.7.6-6 */
TEST(without_a_start_no_time_passes)
{
	int fd = create(0);

	timed_set(fd, 0, 1 * MS);
	timed_set(fd, 1, 1 * MS);
	load_self(fd);
	CHECK_EQ(remaining(fd, 0), 1 * MS);
	spin_ns(5 * MS);
	CHECK_EQ(remaining(fd, 0), 1 * MS);
	CHECK_EQ(runs(fd, 0), 1);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(duration(fd, 0), 0);
}

/* covers: 3.1.6-10 3.1.12-11 3.1.12-19 3.7.6-7 */
TEST(the_remaining_time_decreases_and_stands_still_after_stop)
{
	__u64 left, active;
	int fd = create(0);

	timed_set(fd, 0, 1000 * MS);
	load_self(fd);
	start(fd);
	spin_ns(3 * MS);
	stop(fd);
	left = remaining(fd, 0);
	active = duration(fd, 0);
	CHECK_LE(left, 997 * MS);
	CHECK_EQ(left + active, 1000 * MS);
	spin_ns(3 * MS);
	CHECK_EQ(remaining(fd, 0), left);
	CHECK_EQ(duration(fd, 0), active);
	/* The time continues where it stopped. */
	start(fd);
	spin_ns(3 * MS);
	stop(fd);
	CHECK_LE(remaining(fd, 0), left - 3 * MS);
	CHECK_EQ(remaining(fd, 0) + duration(fd, 0), 1000 * MS);
}

/* covers: 3.7.6-6 3.7.6-7 */
TEST(a_timeout_is_made_up_of_many_starts_and_stops)
{
	int fd = create(0), i;

	timed_set(fd, 0, 2 * MS);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_self(fd);
	for (i = 0; i < 1000 && !runs(fd, 1); i++) {
		start(fd);
		loop(5000);
		stop(fd);
	}
	CHECK_EQ(runs(fd, 1), 1);
	CHECK(i > 20);
	CHECK_GE(duration(fd, 0), 2 * MS);
	CHECK_LE(duration(fd, 0), 2 * MS + LATE);
}

/* covers: 3.1.10-29 3.7.6-12 */
TEST(a_sleeping_thread_uses_up_no_timeout)
{
	__u64 left;
	int fd = create(0);

	timed_set(fd, 0, 10 * MS);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_self(fd);
	start(fd);
	left = remaining(fd, 0);
	sleep_ms(30);
	CHECK_GE(remaining(fd, 0), left - 1 * MS);
	CHECK_LE(duration(fd, 0), 1 * MS);
	CHECK_EQ(runs(fd, 1), 0);
	spin_ns(10 * MS);
	CHECK_EQ(runs(fd, 1), 1);
}

/* Only its own time on the CPU counts, also if another thread has the CPU in between. */
static void rival(void *arg)
{
	(void)arg;
	pin(0);
	for (;;)
		loop(1000);
}

/* covers: 3.1.10-29 3.7.6-12 */
TEST(a_thread_that_shares_its_cpu_uses_up_its_own_time_only)
{
	pid_t pid = spawn(rival, NULL);
	int fd = create(0), i;
	__u64 before, own, sum = 0;

	pin(0);
	for (i = 0; i < 4; i++)
		timed_set(fd, i, 1 * MS);
	load_self(fd);
	before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	start(fd);
	spin_ns(100 * MS);
	stop(fd);
	own = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
	kill_child(pid);
	for (i = 0; i < 4; i++)
		sum += duration(fd, i);
	CHECK_LE(distance(sum, own), own / 100);
	CHECK(distance(runs(fd, 0) + runs(fd, 1) + runs(fd, 2) + runs(fd, 3), sum / MS) <= 3);
}

/* covers: 3.1.9-23 3.1.9-24 3.1.12-20 3.7.6-10 3.7.6-11 3.7.7-6 */
TEST(masked_time_does_not_count)
{
	__u64 left;
	int fd;

	need_pmu();
	fd = create(0);
	timed_set(fd, 0, 5 * MS);
	timed_set(fd, 1, 5 * MS);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	load_self(fd);
	left = start_until_masked(fd, 5 * MS);
	CHECK(left > 4 * MS);
	spin_ns(20 * MS);
	/* The restart continues the set that was active. */
	restart_masked(fd, 5 * MS, left);
	CHECK_GE(remaining(fd, 0), left - 1 * MS);
	spin_ns(5 * MS);
	CHECK_EQ(runs(fd, 1), 1);
}

/* covers: 3.1.7-44 3.1.8-15 3.7.6-15 */
TEST(load_starts_the_timeout_of_its_set_anew)
{
	int fd = create(0);

	timed_set(fd, 0, 1000 * MS);
	load_self(fd);
	start(fd);
	spin_ns(2 * MS);
	unload(fd);
	CHECK_LE(remaining(fd, 0), 998 * MS);
	load_self(fd);
	CHECK_EQ(remaining(fd, 0), 1000 * MS);
	start(fd);
	spin_ns(2 * MS);
	/* The choice of a set restarts its time as well. */
	start_set(fd, 0);
	stop(fd);
	CHECK_GE(remaining(fd, 0), 999 * MS);
	CHECK_EQ(runs(fd, 0), 3);
}

/* covers: 3.1.7-44 3.7.6-15 */
TEST(a_modified_timeout_counts_from_the_next_load_on)
{
	int fd = create(0);

	timed_set(fd, 0, 1000 * MS);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_self(fd);
	unload(fd);
	timed_set(fd, 0, 2 * MS);
	load_self(fd);
	start(fd);
	spin_ns(3 * MS);
	CHECK_EQ(runs(fd, 1), 1);
}

/* covers: 3.7.6-1 3.7.6-4 */
TEST(each_set_has_its_own_timeout)
{
	int fd = create(0), i;

	for (i = 0; i < 3; i++)
		timed_set(fd, i, (i + 1) * MS);
	load_self(fd);
	start(fd);
	spin_ns(60 * MS);
	stop(fd);
	for (i = 0; i < 3; i++) {
		CHECK_GE(runs(fd, i), 9);
		CHECK_LE(runs(fd, i), 11);
		CHECK_GE(duration(fd, i), (runs(fd, i) - 1) * (i + 1) * MS);
		CHECK_LE(duration(fd, i), runs(fd, i) * ((i + 1) * MS + LATE));
	}
}

/* covers: 3.1.10-27 3.1.12-8 3.1.12-12 3.7.6-1 */
TEST(both_methods_of_switching_mix_in_one_context)
{
	__u64 rounds;
	int fd;

	need_pmu();
	fd = create(0);
	timed_set(fd, 0, 1 * MS);
	create_trigger_set(fd, 1);
	program(fd, (struct event){ .set = 1, .reg = 0, .period = 10000, .threshold = 2 });
	count_up(fd, 1, 1);
	timed_set(fd, 2, 2 * MS);
	load_self(fd);
	start(fd);
	spin_ns(50 * MS);
	stop(fd);
	rounds = runs(fd, 2);
	CHECK(rounds > 8);
	CHECK(runs(fd, 1) - rounds <= 1);
	CHECK(runs(fd, 0) - runs(fd, 1) <= 1);
	CHECK(value_of(fd, 1, 1) / 20000 - rounds <= 1);
	if (runs(fd, 1) == rounds)
		CHECK_EQ(value_of(fd, 1, 1), 20000 * rounds);
	CHECK_EQ(switch_pmds(fd, 1), 1);
	CHECK_EQ(switch_pmds(fd, 0), 0);
	CHECK_EQ(remaining(fd, 1), 0);
}

/* covers: 3.1.5-14 3.7.1-2 3.7.7-8 */
TEST(all_instructions_are_counted_by_one_set_or_another)
{
	__u64 total, sum = 0;
	int fd, i;

	need_pmu();
	fd = create_counting(general, 0);
	load_self(fd);
	count_loop(fd, general, 0, 2000000);
	total = count_loop(fd, general, 0, 2000000);
	unload(fd);
	CHECK_OK(close(fd));
	fd = create(0);
	for (i = 0; i < 8; i++) {
		create_timed_set(fd, i, 200 * US);
		count_up(fd, i, i % 4);
	}
	load_self(fd);
	start_loop_stop(fd, 2000000);
	for (i = 0; i < 8; i++)
		sum += value_of(fd, i, i % 4);
	CHECK_EQ(sum, total);
	CHECK_GE(runs(fd, 7), 2);
}

/* 64 sets of 4 events, 1 ms each: the case that the interface was made for. */
#define SETS	64

static void create_64_sets(int fd)
{
	int i, reg;

	for (i = 0; i < SETS; i++) {
		create_timed_set(fd, i * 7, 1 * MS);
		for (reg = 0; reg < 4; reg++)
			count_up(fd, i * 7, reg);
	}
}

/* covers: 3.1.12-13 D.7-14 */
TEST(durations_of_64_sets_add_up_to_the_monitored_time)
{
	__u64 before, own, sum = 0;
	int fd, i;

	need_pmu();
	fd = create(0);
	create_64_sets(fd);
	load_self(fd);
	before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	start(fd);
	spin_ns(1000 * MS);
	stop(fd);
	own = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
	for (i = 0; i < SETS; i++)
		sum += duration(fd, i * 7);
	CHECK_LE(distance(sum, own), own / 1000);
}

/* covers: 3.7.5-4 D.7-14 */
TEST(runs_of_64_sets_never_break_the_order)
{
	__u64 first, now, sum = 0;
	int fd, i, last;

	need_pmu();
	fd = create(0);
	create_64_sets(fd);
	load_self(fd);
	start(fd);
	spin_ns(777 * MS);
	stop(fd);
	/* In order: each set up to the active one has one run more than the others. */
	first = runs(fd, 0);
	CHECK_GE(first, 10);
	for (i = 0, last = 0; i < SETS; i++) {
		now = runs(fd, i * 7);
		sum += now;
		if (now == first)
			CHECK_EQ(last++, i);
		else
			CHECK_EQ(now, first - 1);
	}
	/* No switch came too early or too often: one in each ms. */
	CHECK(sum <= 778);
	CHECK_GE(sum, 740);
}

/*
 * Equal shares of time count equal shares of a loop. There is a tick every 4 ms: the number of sets
 * is odd, so that the tick hits all of them. Some sets have one run more than others, of more than
 * a hundred runs.
 */
/* covers: D.7-14 */
TEST(sets_of_equal_timeouts_count_equal_shares)
{
	__u64 value, share = 0;
	int fd, i;

	need_pmu();
	fd = create(0);
	for (i = 0; i < 7; i++)
		timed_set(fd, i, 1 * MS);
	load_self(fd);
	start_loop_stop(fd, 400 * MS);
	for (i = 0; i < 7; i++)
		share += value_of(fd, i, 1) / 7;
	for (i = 0; i < 7; i++) {
		value = value_of(fd, i, 1);
		CHECK_LE(distance(value, share), share / 40);
	}
}

/* A sampling format's buffer shows the active set at each time. */
/* covers: 3.6-4 3.6.4-4 3.7.7-4 3.7.7-7 */
TEST(samples_come_from_the_sets_in_their_order)
{
	struct buffer buffer = create_buffer(0, 4 << 20, 0);
	const pfm_default_smpl_entry_t *entry;
	__u16 ids[SETS], set = 0;
	__u64 i, n, changes = 0;

	for (i = 0; i < SETS; i++) {
		ids[i] = i * 7;
		create_timed_set(buffer.fd, ids[i], 1 * MS);
		program(buffer.fd, (struct event){ .set = ids[i], .reg = 0, .period = 20011 });
	}
	load_self(buffer.fd);
	start(buffer.fd);
	for (i = clock_ns(CLOCK_THREAD_CPUTIME_ID) + 300 * MS; clock_ns(CLOCK_THREAD_CPUTIME_ID) < i; )
		loop(20000);
	stop(buffer.fd);
	n = buffer.hdr->hdr_count;
	CHECK_GE(n, 500);
	for (i = 0; i < n; i++) {
		entry = entry_at(&buffer, i, 0);
		if (entry->set == ids[set])
			continue;
		set = (set + 1) % SETS;
		CHECK_EQ(entry->set, ids[set]);
		changes++;
	}
	CHECK_GE(changes, 280);
	check_ledger(buffer.fd);
}

/* The registers that an interrupt records are those of the set that its sample names. */
/* covers: 3.7.7-7 */
TEST(a_sample_has_the_registers_of_its_set)
{
	struct buffer buffer = create_buffer(0, 4 << 20, 0);
	const pfm_default_smpl_entry_t *entry;
	__u64 i, n, seen = 0;
	int set;

	for (set = 0; set < 4; set++) {
		create_timed_set(buffer.fd, set, 100 * US);
		program(buffer.fd, (struct event){ .set = set, .reg = 0, .period = 2003,
						   .smpl_pmds = BIT_ULL(2) });
		program(buffer.fd, (struct event){ .set = set, .reg = 2, .period = 1000 + set,
						   .value = USER_INST & ~EVTSEL_EN });
	}
	load_self(buffer.fd);
	start(buffer.fd);
	for (i = clock_ns(CLOCK_THREAD_CPUTIME_ID) + 40 * MS; clock_ns(CLOCK_THREAD_CPUTIME_ID) < i; )
		loop(2000);
	stop(buffer.fd);
	n = buffer.hdr->hdr_count;
	CHECK_GE(n, 100);
	for (i = 0; i < n; i++) {
		entry = entry_at(&buffer, i, 1);
		CHECK_EQ(*body_of(entry), -(1000ULL + entry->set));
		seen |= BIT_ULL(entry->set);
	}
	CHECK_EQ(seen, 0xf);
}

/* A vector of this many registers is read at one moment: see PFM_READ_PMDS. */
#define AT_ONCE		32

/* Counters of the kernel go on while they are read, if their set is active. Others do not. */
/* covers: 3.7.7-8 */
TEST(no_set_is_switched_in_the_middle_of_a_read)
{
	pfarg_pmd_t pmds[AT_ONCE] = { };
	int fd = create(0), i, k;
	bool moved[2], ever[2] = { };

	need_pmu();
	need_hardware("a counter of the kernel's instructions");
	for (i = 0; i < 2; i++) {
		create_timed_set(fd, i, 100 * US);
		program(fd, (struct event){ .set = i, .reg = 0, .value = ALL_INST });
	}
	for (i = 0; i < AT_ONCE; i++)
		pmds[i].reg_set = i % 2;
	load_self(fd);
	start(fd);
	for (k = 0; k < 2000; k++) {
		CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, pmds, AT_ONCE));
		for (i = 0; i < 2; i++) {
			moved[i] = pmds[i].reg_value != pmds[AT_ONCE - 2 + i].reg_value;
			ever[i] |= moved[i];
		}
		CHECK(!moved[0] || !moved[1]);
	}
	stop(fd);
	CHECK(ever[0] && ever[1]);
	CHECK_GE(runs(fd, 1), 10);
}

/* covers: 3.7.6-4 D.9-2 */
TEST(very_long_timeouts_never_come)
{
	int fd = create(0);

	timed_set(fd, 0, 100ULL * 86400 * NS_PER_SEC);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_self(fd);
	start(fd);
	spin_ns(5 * MS);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(remaining(fd, 0) + duration(fd, 0), 100ULL * 86400 * NS_PER_SEC);
}

/* covers: 3.1.8-15 3.7.6-8 3.7.6-9 */
TEST(a_context_with_a_timeout_can_go_at_any_time)
{
	int fd, i;

	for (i = 0; i < 200; i++) {
		fd = create(0);
		create_timed_set(fd, 0, 100 * US);
		create_timed_set(fd, 1, 150 * US);
		load_self(fd);
		start(fd);
		loop(1 + i * 1000);
		if (i % 2)
			unload(fd);
		CHECK_OK(close(fd));
	}
	loop(1000000);
}

/* Another thread: the time during which it runs, whichever thread reads it. */
static void spin_between_gates(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	spin_ns(20 * MS);
	gate_open(gates[1]);
	gate_wait(gates[0]);
}

/* covers: 3.1.10-29 3.7.6-12 */
TEST(another_threads_sets_follow_its_running_time)
{
	int gates[2] = { gate_new(), gate_new() }, fd = create(0), i;
	__u64 sum = 0, sets = 0;
	pid_t pid;

	for (i = 0; i < 3; i++)
		timed_set(fd, i, 1 * MS);
	pid = spawn_without(fd, spin_between_gates, gates);
	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	sleep_ms(20);
	CHECK_EQ(runs(fd, 1), 0);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	wait_state(pid, 'S');
	sleep_ms(20);
	unload(fd);
	for (i = 0; i < 3; i++) {
		sum += duration(fd, i);
		sets += runs(fd, i);
	}
	CHECK_GE(sum, 19 * MS);
	CHECK_LE(sum, 24 * MS);
	CHECK(distance(sets, sum / MS) <= 2);
	gate_open(gates[0]);
	reap(pid);
}
