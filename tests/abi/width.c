// SPDX-License-Identifier: GPL-2.0
/*
 * 64-bit emulation: counts are exact across every possible width of the hardware, and across 2^64,
 * where a counter wraps.
 */
#include "count.h"
#include "process.h"

#define LOOPS	500

/* Lengths without a relation to the width of a counter. */
static const __u64 lengths[] = { 0, 1, LOOPS, 3331 };

/*
 * The interesting distances between the preset and the boundary: the boundary falls on the first,
 * the middle or the last instructions, or just behind them.
 */
static bool interesting(__u64 distance, __u64 total)
{
	return distance < 4 || distance == total / 2 || distance + 4 > total;
}

/* Run over 2^@bit; @count runs a loop from a preset and returns the counter's value. */
static void cross(const struct counter *c, unsigned int bit, int fd,
		  __u64 (*count)(int fd, const struct counter *c, __u64 preset, __u64 n))
{
	__u64 boundary = bit < 64 ? 1ULL << bit : 0, total, distance;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		count(fd, c, 0, lengths[i]);
		total = count(fd, c, 0, lengths[i]);
		for (distance = 0; distance <= total + 2; distance++)
			if (interesting(distance, total))
				CHECK_EQ(count(fd, c, boundary - distance, lengths[i]),
					 boundary - distance + total);
		CHECK_EQ(count(fd, c, boundary + 1, lengths[i]), boundary + 1 + total);
	}
}

static void cross_with_all_counters(unsigned int bit)
{
	const struct counter *c;

	need_pmu();
	for_each_counter(c) {
		int fd = create_counting(c, 0);

		load_self(fd);
		cross(c, bit, fd, count_loop);
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_31)
{
	cross_with_all_counters(31);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_32)
{
	cross_with_all_counters(32);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_39)
{
	cross_with_all_counters(39);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_40)
{
	cross_with_all_counters(40);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_47)
{
	cross_with_all_counters(47);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_48)
{
	cross_with_all_counters(48);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_2_to_the_63)
{
	cross_with_all_counters(63);
}

/* covers: 3.1.2-12 */
TEST(counts_wrap_at_2_to_the_64)
{
	cross_with_all_counters(64);
}

/* covers: 3.1.3-31 */
TEST(counts_are_right_across_the_width_of_the_hardware)
{
	need_pmu();
	cross_with_all_counters(get_config().cf_counter_width);
	cross_with_all_counters(get_config().cf_counter_width - 1);
}

/* Each multiple of 2^31 and of 2^48 looks the same to the hardware. */
/* covers: 3.1.3-32 */
TEST(counts_are_right_across_multiples_of_hardware_widths)
{
	static const __u64 multiples[] = {
		3ULL << 31, 5ULL << 32, 3ULL << 47, 3ULL << 48, 0x7fffULL << 48,
		-1ULL << 31, -1ULL << 32, -1ULL << 47, -1ULL << 48, -3ULL << 31,
	};
	int fd = create_counting(general, 0);
	__u64 total, before;
	size_t i;

	load_self(fd);
	count_loop(fd, general, 0, LOOPS);
	total = count_loop(fd, general, 0, LOOPS);
	for (i = 0; i < ARRAY_SIZE(multiples); i++)
		for (before = total - 2; before <= total + 2; before++)
			CHECK_EQ(count_loop(fd, general, multiples[i] - before, LOOPS),
				 multiples[i] - before + total);
}

/* The same with a context switch on the way, again and again. */
static __u64 count_yields(int fd, const struct counter *c, __u64 preset, __u64 n)
{
	const long yield[4] = { SYS_sched_yield };

	write_pmd(fd, c->pmd, preset);
	start_call_stop(fd, n / 100 + 1, yield);
	return read_pmd(fd, c->pmd);
}

static void compete(void *unused)
{
	(void)unused;
	take_turns(0);
	for (;;) {
		loop(50);
		sched_yield();
	}
}

static void cross_while_switching(unsigned int bit)
{
	int fd = create_counting(general, 0);
	pid_t rival;

	take_turns(0);
	rival = spawn(compete, NULL);
	load_self(fd);
	cross(general, bit, fd, count_yields);
	kill_child(rival);
}

/* covers: 3.1.3-32 */
TEST(counts_are_right_across_2_to_the_31_with_context_switches)
{
	cross_while_switching(31);
}

/* covers: 3.1.3-32 */
TEST(counts_are_right_across_2_to_the_48_with_context_switches)
{
	cross_while_switching(48);
}

/* covers: 3.1.3-32 */
TEST(counts_wrap_at_2_to_the_64_with_context_switches)
{
	cross_while_switching(64);
}

/* A rival with a context of its own, and with other values in the same registers. */
static void compete_monitored(void *unused)
{
	int fd = create_counting(general, 0);

	(void)unused;
	write_pmc(fd, 1, USER_INST);
	write_pmd(fd, 0, -1);
	write_pmd(fd, 1, 1ULL << 33);
	load_self(fd);
	start(fd);
	compete(NULL);
}

/* covers: 3.1.3-32 */
TEST(counts_are_right_across_boundaries_beside_another_session)
{
	int fd = create_counting(general, 0);
	pid_t rival;

	take_turns(0);
	rival = spawn(compete_monitored, NULL);
	load_self(fd);
	cross(general, 31, fd, count_yields);
	cross(general, 48, fd, count_yields);
	cross(general, 64, fd, count_yields);
	kill_child(rival);
}

/* Read during the count: the boundary must not be visible, before, at or after it. */
/* covers: 3.1.4-16 */
TEST(reads_of_a_running_counter_are_continuous_across_a_boundary)
{
	static const unsigned int bits[] = { 31, 32, 47, 48, 63 };
	int fd = create_counting(general, 0), k;
	__u64 boundary, last, now;
	size_t i;

	load_self(fd);
	start(fd);
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		boundary = 1ULL << bits[i];
		write_pmd(fd, 0, boundary - 5000);
		last = boundary - 5000;
		for (k = 0; k < 200; k++) {
			now = read_pmd(fd, 0);
			CHECK_GE(now, last);
			CHECK_LE(now, last + 5000);
			last = now;
			loop(10);
		}
		CHECK(last > boundary);
	}
}

/* covers: 3.1.3-32 */
TEST(two_counters_cross_at_the_same_instruction)
{
	int fd = create_counting(general, 0);
	__u64 total;

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	write_pmc(fd, FIXED_CTRL, FIXED_USR);
	load_self(fd);
	count_loop(fd, general, 0, LOOPS);
	total = count_loop(fd, general, 0, LOOPS);
	write_pmd(fd, 0, (1ULL << 48) - total / 2);
	write_pmd(fd, FIXED_INST, (1ULL << 48) - total / 2);
	start_loop_stop(fd, LOOPS);
	CHECK_EQ(read_pmd(fd, 0), (1ULL << 48) - total / 2 + total);
	CHECK_EQ(read_pmd(fd, FIXED_INST), (1ULL << 48) - total / 2 + total);
}

struct looping_child {
	int	go, done;
};

static void loop_on_demand(void *arg)
{
	struct looping_child *child = arg;

	for (;;) {
		gate_wait(child->go);
		loop(LOOPS);
		gate_open(child->done);
	}
}

/* Instructions of one round of the child, from one sleep to the next. */
static __u64 child_round(int fd, pid_t pid, struct looping_child *child, __u64 preset)
{
	write_pmd(fd, 0, preset);
	gate_open(child->go);
	gate_wait(child->done);
	wait_state(pid, 'S');
	return read_pmd(fd, 0);
}

/* covers: 3.1.3-32 */
TEST(a_childs_counts_are_right_across_boundaries)
{
	static const unsigned int bits[] = { 31, 32, 47, 48, 63 };
	struct looping_child child = { gate_new(), gate_new() };
	int fd = create_counting(general, 0), i;
	__u64 total, preset;
	pid_t pid;

	pid = spawn_without(fd, loop_on_demand, &child);
	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	child_round(fd, pid, &child, 0);
	total = child_round(fd, pid, &child, 0);
	for (i = 0; i < (int)ARRAY_SIZE(bits); i++) {
		for (preset = -total - 1; preset != -total + 2; preset++)
			CHECK_EQ(child_round(fd, pid, &child, (1ULL << bits[i]) + preset),
				 (1ULL << bits[i]) + preset + total);
	}
	CHECK_EQ(child_round(fd, pid, &child, -10), total - 10);
	kill_child(pid);
}
