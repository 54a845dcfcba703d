// SPDX-License-Identifier: GPL-2.0
/*
 * The compact sampling format: its argument, its header and blocks; its samples, which are those
 * of the default format; a full buffer; and a reader at the same time.
 */
#include "blocked.h"
#include "compact.h"
#include "process.h"
#include "system.h"

#include <pthread.h>

#define PERIOD		1009
#define ROUNDS		50000
#define SECOND		1000000000ULL

/* Arguments. */

/* covers: D.14-1 */
TEST(bad_arguments_are_refused)
{
	const pfm_compact_smpl_arg_t bad[] = {
		{ .buf_size = SIZE, .buf_block_size = BLOCK, .buf_flags = 1 },
		{ .buf_size = SIZE, .buf_block_size = BLOCK, .buf_flags = 0x80000000 },
		COMPACT(SIZE, 0),
		COMPACT(SIZE, least_block() - 8),
		COMPACT(SIZE, BLOCK + 1),
		COMPACT(SIZE, BLOCK + 4),
		COMPACT(SIZE, ~0U),
		COMPACT(0, BLOCK),
		COMPACT(least_buffer() - 1, BLOCK),
		COMPACT(least_buffer() - 1, least_block()),
	};
	size_t i;

	need_compact();
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_ERRNO(try_create_compact(0, bad[i]), EINVAL);
	CHECK_ERRNO(try_create_compact(0, COMPACT(~0ULL, BLOCK)), ENOMEM);
}

/* covers: D.14-1 */
TEST(a_buffer_for_one_sample_is_enough)
{
	const pfm_compact_smpl_arg_t good[] = {
		COMPACT(least_buffer(), least_block()),
		COMPACT(least_buffer(), BLOCK),
		COMPACT(least_buffer(), ~7U),
	};
	size_t i;
	int fd;

	need_compact();
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		fd = try_create_compact(0, good[i]);
		CHECK_OK(fd);
		CHECK_OK(close(fd));
	}
}

/* covers: D.14-1 */
TEST(the_header_repeats_the_argument)
{
	struct compact compact = create_compact(0, COMPACT(SIZE - 3, 2048));
	const pfm_compact_smpl_hdr_t *hdr = compact.hdr;

	CHECK_EQ(hdr->hdr_count, 0);
	CHECK_EQ(hdr->hdr_cur_offs, blocks_offs());
	CHECK_EQ(hdr->hdr_overflows, 0);
	CHECK_EQ(hdr->hdr_buf_size, SIZE - 3);
	CHECK_EQ(hdr->hdr_version, PFM_COMPACT_SMPL_VERSION);
	CHECK_EQ(hdr->hdr_flags, 0);
	CHECK_EQ(hdr->hdr_block_size, 2048);
	CHECK_EQ(hdr->hdr_blocks_offs, blocks_offs());
	CHECK_EQ(hdr->hdr_blocks, 0);
	CHECK_EQ(hdr->hdr_earlier, 0);
	CHECK_EQ(hdr->hdr_num_pmds, count_pmds());
	CHECK_EQ(hdr->hdr_sample_max, PFM_COMPACT_SMPL_SAMPLE_MAX(count_pmds()));
}

/* Samples: those of the default format. */

struct compared {
	__u32	block_size;
	__u64	random;
};

/* Two counters, of which one has values: samples of both kinds alternate. */
static void choose(int fd, __u64 random)
{
	program(fd, (struct event){
		.reg = 0, .period = PERIOD, .flags = random ? PFM_REGFL_RANDOM : 0, .mask = random,
		.seed = 5, .reset_pmds = BIT_ULL(2), .smpl_pmds = BIT_ULL(1) | BIT_ULL(2),
	});
	program(fd, (struct event){ .reg = 3, .period = 3 * PERIOD });
	count_up(fd, 0, 1);
	count_up(fd, 0, 2);
	load_self(fd);
	start_rounds_stop(fd, ROUNDS);
}

static void compare_sample(const struct walk *walk, const pfm_default_smpl_entry_t *expected)
{
	CHECK_EQ(walk->entry.pid, expected->pid);
	CHECK_EQ(walk->entry.tid, expected->tid);
	CHECK_EQ(walk->entry.ovfl_pmd, expected->ovfl_pmd);
	CHECK_EQ(walk->entry.set, expected->set);
	CHECK_EQ(walk->entry.pad, 0);
	CHECK_EQ(walk->entry.last_reset_val, expected->last_reset_val);
	CHECK_EQ(walk->entry.ip, expected->ip);
	CHECK_EQ(walk->nvalues, expected->ovfl_pmd ? 0 : 2);
	CHECK(!memcmp(walk->value, body_of(expected), 8 * walk->nvalues));
}

static void compare(void *data)
{
	const struct compared *c = data;
	struct buffer buffer = create_buffer(0, SIZE, 0);
	const pfm_default_smpl_entry_t *expected = (const void *)first_sample(&buffer);
	struct compact compact;
	struct walk walk;
	__u64 last = 0;

	choose(buffer.fd, c->random);
	unload(buffer.fd);
	compact = create_compact(0, COMPACT(SIZE, c->block_size ?: least_block()));
	choose(compact.fd, c->random);
	check_samples(&compact);
	CHECK_GE(samples(&buffer), 200);
	CHECK_EQ(count_of(&compact), samples(&buffer));
	for_each_sample(&compact, &walk) {
		compare_sample(&walk, expected);
		CHECK(walk.entry.tstamp > last ||
		      (walk.entry.tstamp == last && walk.entry.ovfl_pmd == 3));
		last = walk.entry.tstamp;
		expected = (const void *)(body_of(expected) + walk.nvalues);
	}
}

/* covers: D.14-2 */
TEST(samples_are_those_of_the_default_format)
{
	compare(&(struct compared){ .block_size = BLOCK });
}

/* covers: D.14-2 */
TEST(random_periods_are_those_of_the_default_format)
{
	compare(&(struct compared){ .block_size = BLOCK, .random = 0xff });
}

/* covers: D.14-2 D.14-3 */
TEST(no_sample_crosses_the_end_of_a_block)
{
	const __u32 least = least_block();
	struct compared c = { };

	for (c.block_size = least; c.block_size < least + 64; c.block_size += 8)
		run_in_child(compare, &c);
}

/* A constant value, a value that grows by the period, and the time. */
/* covers: D.14-2 */
TEST(values_are_those_at_the_overflow)
{
	struct compact compact = create_compact(0, COMPACT(SIZE, BLOCK));
	struct walk walk;

	program(compact.fd, (struct event){
		.reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(0) | BIT_ULL(1),
		.virtual_smpl_pmds = BIT_ULL(PFM_PMD_CPU_CLOCK - PFM_VIRTUAL_PMD),
	});
	count_up(compact.fd, 0, 1);
	load_self(compact.fd);
	start_rounds_stop(compact.fd, ROUNDS);
	check_samples(&compact);
	CHECK_GE(count_of(&compact), 200);
	for_each_sample(&compact, &walk) {
		CHECK_EQ(walk.nvalues, 3);
		CHECK_EQ(walk.value[0], 0);
		CHECK_EQ(walk.value[1], walk.n * PERIOD);
		CHECK(walk.entry.tstamp - walk.value[2] + SECOND < 2 * SECOND);
	}
}

/* covers: D.14-2 */
TEST(sets_have_samples_of_their_own)
{
	struct compact compact = create_compact(0, COMPACT(SIZE, BLOCK));
	__u64 n[2] = { };
	struct walk walk;

	create_set(compact.fd, (pfarg_setdesc_t){ .set_id = 7 });
	program(compact.fd, (struct event){ .reg = 0, .period = PERIOD });
	program(compact.fd, (struct event){ .reg = 2, .set = 7, .period = PERIOD });
	load_self(compact.fd);
	start_rounds_stop(compact.fd, ROUNDS);
	start_set(compact.fd, 7);
	stop(compact.fd);
	start_rounds_stop(compact.fd, ROUNDS);
	check_samples(&compact);
	for_each_sample(&compact, &walk) {
		CHECK_EQ(walk.entry.ovfl_pmd, walk.entry.set ? 2 : 0);
		n[walk.entry.set == 7]++;
	}
	CHECK_GE(n[0], 200);
	CHECK_EQ(n[0], n[1]);
}

/* Processes that take turns, on the CPU of a system-wide context. */
static void sample_children(void)
{
	struct compact compact = create_compact(PFM_FL_SYSTEM_WIDE, COMPACT(SIZE, BLOCK));
	__u64 n[2] = { };
	struct walk walk;
	__s32 pids[2];
	int cpu = 0, i;

	program(compact.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_on(compact.fd, cpu);
	start(compact.fd);
	for (i = 0; i < 2; i++) {
		pids[i] = spawn(loop_once, &cpu);
		reap(pids[i]);
	}
	stop(compact.fd);
	check_samples(&compact);
	for_each_sample(&compact, &walk) {
		CHECK_EQ(walk.entry.cpu, cpu);
		for (i = 0; i < 2; i++) {
			if (walk.entry.pid != pids[i])
				continue;
			CHECK_EQ(walk.entry.tid, pids[i]);
			n[i]++;
		}
	}
	CHECK_GE(n[0], 200 * LOOPS / PERIOD);
	CHECK_GE(n[1], 200 * LOOPS / PERIOD);
}

/* covers: D.14-2 */
TEST(samples_of_processes_have_their_numbers)
{
	need_hardware("instructions of a process");
	sample_children();
}

/* covers: D.14-2 */
TEST(samples_of_a_thread_that_moves_have_the_cpu_of_each)
{
	struct compact compact = create_compact(0, COMPACT(SIZE, BLOCK));
	__u64 n[2] = { };
	struct walk walk;
	int cpu;

	need_cpus(2);
	program(compact.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(compact.fd);
	for (cpu = 0; cpu < 2; cpu++) {
		pin(cpu);
		start_rounds_stop(compact.fd, ROUNDS);
	}
	check_samples(&compact);
	for_each_sample(&compact, &walk) {
		CHECK_LE(walk.entry.cpu, 1);
		CHECK(walk.entry.cpu || !n[1]);
		n[walk.entry.cpu]++;
	}
	CHECK_GE(n[0], 200);
	CHECK_GE(n[1], 200);
}

/* Half of the samples are at most this long. */
static size_t median(const struct compact *compact)
{
	size_t n[64] = { }, size = 0;
	__u64 sum = 0;
	struct walk walk;

	for_each_sample(compact, &walk)
		n[walk.bytes < 64 ? walk.bytes : 63]++;
	while (2 * sum < count_of(compact))
		sum += n[++size];
	return size;
}

/* covers: D.14-4 */
TEST(half_of_the_samples_have_20_bytes_at_most)
{
	struct compact compact = create_compact(0, COMPACT(SIZE, BLOCK));

	program(compact.fd, (struct event){
		.reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1) | BIT_ULL(2),
	});
	count_up(compact.fd, 0, 1);
	count_up(compact.fd, 0, 2);
	load_self(compact.fd);
	start_rounds_stop(compact.fd, ROUNDS);
	check_samples(&compact);
	printf("bytes of a sample with two values: %zu, of %zu\n", median(&compact),
	       ENTRY_SIZE + 16);
	CHECK_LE(median(&compact), 20);
}

/* Buffers that get full. */

/* covers: D.14-3 D.14-5 */
TEST(a_full_buffer_masks_and_notifies_until_a_restart)
{
	const __u32 block = least_block();
	/* Two whole blocks and a short one. */
	struct compact compact = create_compact(0, COMPACT(least_buffer() + 2 * block, block));
	const pfm_compact_smpl_hdr_t *hdr = compact.hdr;
	__u64 n, all = 0, round;

	program(compact.fd, (struct event){ .reg = 0, .period = PERIOD, .flags = NOTIFY });
	load_self(compact.fd);
	for (round = 1; round < 4; round++) {
		start_rounds_stop(compact.fd, ROUNDS);
		CHECK(is_masked(compact.fd));
		expect_overflow(compact.fd, 0, BIT_ULL(0));
		CHECK(!has_message(compact.fd));
		check_samples(&compact);
		CHECK_EQ(hdr->hdr_overflows, round);
		CHECK_EQ(hdr->hdr_blocks, 3 * round);
		CHECK_EQ(hdr->hdr_block_end, hdr->hdr_buf_size);
		CHECK(hdr->hdr_buf_size - hdr->hdr_cur_offs < hdr->hdr_sample_max);
		n = hdr->hdr_count;
		CHECK_GE(n, 3);
		/* Masked: no sample is recorded. */
		start_rounds_stop(compact.fd, ROUNDS);
		CHECK_EQ(hdr->hdr_count, n);
		restart(compact.fd);
		all += n;
		CHECK_EQ(hdr->hdr_count, 0);
		CHECK_EQ(hdr->hdr_earlier, all);
		CHECK_EQ(hdr->hdr_cur_offs, hdr->hdr_blocks_offs);
		CHECK(!is_masked(compact.fd));
	}
	CHECK_EQ(ledger(compact.fd, "lost-full"), 0);
}

/* covers: D.14-5 */
TEST(an_overflow_beside_the_last_sample_is_lost)
{
	struct compact compact = create_compact(0, COMPACT(least_buffer(), least_block()));
	struct walk walk = first_sample_of(&compact);

	program(compact.fd, (struct event){ .reg = 0, .period = PERIOD, .flags = NOTIFY });
	program(compact.fd, (struct event){ .reg = 2, .period = PERIOD, .flags = NOTIFY });
	load_self(compact.fd);
	start_rounds_stop(compact.fd, ROUNDS);
	CHECK_EQ(count_of(&compact), 1);
	walk_on(&walk);
	CHECK_EQ(walk.entry.ovfl_pmd, 0);
	check_samples(&compact);
	expect_overflow(compact.fd, 0, BIT_ULL(0) | BIT_ULL(2));
	CHECK_EQ(ledger(compact.fd, "recorded"), 1);
	CHECK_EQ(ledger(compact.fd, "lost-full"), 1);
}

/* covers: D.14-2 */
TEST(counters_that_overflow_at_once_have_a_sample_each)
{
	struct compact compact = create_compact(0, COMPACT(SIZE, BLOCK));
	const unsigned int expected[] = { 0, 2, 3 };
	__u64 time = 0;
	struct walk walk;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expected); i++)
		program(compact.fd, (struct event){ .reg = expected[i], .period = 3000 });
	load_self(compact.fd);
	start(compact.fd);
	loop(3000);
	stop(compact.fd);
	check_samples(&compact);
	CHECK_GE(count_of(&compact), 3);
	for_each_sample(&compact, &walk) {
		i = (walk.n - 1) % ARRAY_SIZE(expected);
		CHECK_EQ(walk.entry.ovfl_pmd, expected[i]);
		CHECK(!i || walk.entry.tstamp == time);
		time = walk.entry.tstamp;
	}
}

/* covers: D.14-5 */
TEST(a_restart_while_samples_come_empties_the_buffer)
{
	struct compact compact = create_compact(0, COMPACT(SIZE, BLOCK));

	program(compact.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(compact.fd);
	start_rounds_stop(compact.fd, ROUNDS);
	CHECK(count_of(&compact) > 0);
	start(compact.fd);
	restart(compact.fd);
	stop(compact.fd);
	CHECK_LE(count_of(&compact), 1);
	check_samples(&compact);
	start_rounds_stop(compact.fd, ROUNDS);
	CHECK(count_of(&compact) > 1);
	check_samples(&compact);
}

struct waiting {
	struct compact	compact;
	__u64		all;		/* samples */
};

static void check_waiting(void *data, int unused)
{
	struct waiting *w = data;

	(void)unused;
	expect_overflow(w->compact.fd, 0, BIT_ULL(0));
	w->all += count_of(&w->compact);
	CHECK_EQ(read_pmd(w->compact.fd, 1), PERIOD * w->all);
	check_samples(&w->compact);
}

/* covers: D.14-5 */
TEST(a_blocked_thread_waits_while_the_buffer_is_full)
{
	const pfm_compact_smpl_arg_t least = COMPACT(least_buffer(), least_block());
	struct waiting w = { .compact = create_compact(PFM_FL_NOTIFY_BLOCK, least) };

	sample_blocked(w.compact.fd, PERIOD, check_waiting, &w);
}

/* A reader beside the program. */

struct reading {
	struct compact	compact;
	bool		over;		/* monitoring has ended */
	__u64		read;		/* samples */
};

/* Decode all present samples again and again: none is torn. */
static void *reader(void *arg)
{
	struct reading *r = arg;
	struct walk walk;
	__u64 last;
	bool over;

	do {
		over = __atomic_load_n(&r->over, __ATOMIC_ACQUIRE);
		last = 0;
		for_each_sample(&r->compact, &walk) {
			CHECK_EQ(walk.entry.tid, getpid());
			CHECK_EQ(walk.entry.last_reset_val, -PERIOD);
			CHECK_EQ(walk.value[0], PERIOD * walk.n);
			CHECK(walk.entry.tstamp > last);
			last = walk.entry.tstamp;
		}
		r->read = walk.n;
		sched_yield();
	} while (!over);
	return NULL;
}

/* covers: D.14-6 */
TEST(samples_that_are_counted_can_be_read_while_others_come)
{
	struct reading r = { .compact = create_compact(0, COMPACT(SIZE, least_block())) };
	const int fd = r.compact.fd;
	pthread_t thread;
	int i;

	program(fd, (struct event){ .reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1) });
	count_up(fd, 0, 1);
	load_self(fd);
	CHECK_EQ(pthread_create(&thread, NULL, reader, &r), 0);
	start(fd);
	for (i = 0; i < 40; i++) {
		loop(20000);
		sched_yield();
	}
	stop(fd);
	__atomic_store_n(&r.over, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	check_samples(&r.compact);
	CHECK_EQ(r.read, count_of(&r.compact));
	CHECK_GE(r.read, 1000);
}

/* covers: D.8-3 */
TEST(the_format_stays_while_it_is_used)
{
	if (remove_format(&compact_format, create_compact(0, COMPACT(SIZE, BLOCK)).fd))
		CHECK_ERRNO(try_create_compact(0, COMPACT(SIZE, BLOCK)), EINVAL);
	need_format(&compact_format);
	CHECK_OK(try_create_compact(0, COMPACT(SIZE, BLOCK)));
}
