// SPDX-License-Identifier: GPL-2.0
/*
 * The branch sampling format: its argument, its header, the branches of known loops, a full
 * buffer, and threads that take turns on a CPU.
 */
#include "branch.h"
#include "full.h"
#include "process.h"

#define PERIOD		1009
#define ROUNDS		50000

static const size_t header = sizeof(pfm_branch_smpl_hdr_t);

static size_t largest(unsigned int depth)
{
	return sizeof(pfm_branch_smpl_entry_t) + 8 * count_pmds() +
	       depth * sizeof(pfm_branch_smpl_record_t);
}

LOOP(left);
LOOP(right);

/* Sample while the loop runs. The events are programmed. */
static void run_left(const struct branched *b)
{
	record_branches(b->fd, 0);
	load_self(b->fd);
	start(b->fd);
	left.run(ROUNDS);
	stop(b->fd);
	check_samples(b);
}

/* Arguments. */

/* covers: D.16-1 */
TEST(bad_arguments_are_refused)
{
	const pfm_branch_smpl_arg_t bad[] = {
		BRANCH(SIZE, 0),
		BRANCH(SIZE, PFM_BRANCH_SMPL_MAX_DEPTH + 1),
		BRANCH(SIZE, 0xffff),
		{ .buf_size = SIZE, .buf_depth = DEPTH, .buf_flags = 1 },
		{ .buf_size = SIZE, .buf_depth = DEPTH, .buf_flags = 0x80000000 },
		{ .buf_size = SIZE, .buf_depth = DEPTH, .buf_pad = 1 },
		BRANCH(0, DEPTH),
		BRANCH(header + largest(1) - 1, 1),
		BRANCH(header + largest(DEPTH) - 1, DEPTH),
	};
	size_t i;

	need_format(&branch_format);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_ERRNO(try_create_branched(0, bad[i]), EINVAL);
	if (has_branches())
		CHECK_ERRNO(try_create_branched(0, BRANCH(~0ULL, DEPTH)), ENOMEM);
}

/* covers: D.16-1 */
TEST(a_pmu_without_records_is_refused)
{
	need_format(&branch_format);
	if (has_branches())
		CHECK_OK(try_create_branched(0, BRANCH(SIZE, DEPTH)));
	else
		CHECK_ERRNO(try_create_branched(0, BRANCH(SIZE, DEPTH)), EOPNOTSUPP);
}

/* covers: D.16-1 */
TEST(the_header_repeats_the_argument)
{
	struct branched b = create_branched(0, BRANCH(header + largest(7), 7));
	const pfm_branch_smpl_hdr_t *hdr = b.hdr;
	size_t i;

	CHECK_EQ(hdr->hdr_count, 0);
	CHECK_EQ(hdr->hdr_cur_offs, sizeof(*hdr));
	CHECK_EQ(hdr->hdr_overflows, 0);
	CHECK_EQ(hdr->hdr_buf_size, header + largest(7));
	CHECK_EQ(hdr->hdr_version, PFM_BRANCH_SMPL_VERSION);
	CHECK_EQ(hdr->hdr_flags, 0);
	CHECK_EQ(hdr->hdr_depth, 7);
	for (i = 0; i < ARRAY_SIZE(hdr->hdr_reserved); i++)
		CHECK_EQ(hdr->hdr_reserved[i], 0);
}

/* Samples. */

/* The branch of the loop that leads to the instruction at @at. */
static pfm_branch_smpl_record_t branch_before(const struct loop *loop, __u64 at)
{
	const char *from = at == (unsigned long)loop->jump ? loop->again :
			   at == (unsigned long)loop->call ? loop->jump :
			   at == (unsigned long)loop->sub ? loop->call : loop->sub;
	/* The last round goes on behind the jump. */
	const bool behind = at >= (unsigned long)loop->again && at < (unsigned long)loop->sub;
	const char *to = behind ? loop->after : (const char *)at;

	return (pfm_branch_smpl_record_t){ .from = (unsigned long)from, .to = (unsigned long)to };
}

/*
 * The branches of a sample in the loop are those that the program took to the interrupted
 * instruction. An interrupt returns to the loop from the kernel, which is not shown. Returns the
 * number of branches of the loop.
 */
static unsigned int check_loop(const struct loop *loop, const pfm_branch_smpl_entry_t *entry)
{
	const pfm_branch_smpl_record_t *branch = branches_of(entry);
	pfm_branch_smpl_record_t known;
	__u64 at = entry->sample.ip;
	unsigned int i, n = 0;

	for (i = 0; i < entry->num_branches; i++) {
		known = branch_before(loop, at);
		if (!branch[i].from) {
			CHECK(branch[i].to == at || branch[i].to == known.to);
			at = branch[i].to;
			continue;
		}
		/* Where the loop was called. */
		if (!is_of(loop, branch[i].from) && at == (unsigned long)loop->jump)
			break;
		CHECK_EQ(branch[i].from, known.from);
		CHECK_EQ(branch[i].to, known.to);
		at = branch[i].from;
		n++;
	}
	return n;
}

static void sample_loop(unsigned int depth)
{
	struct branched b = create_branched(0, BRANCH(SIZE, depth));
	const pfm_branch_smpl_entry_t *entry;
	__u64 i, in_loop = 0, whole = 0, predicted = 0;

	program(b.fd, (struct event){ .reg = 0, .period = PERIOD });
	run_left(&b);
	CHECK_GE(b.hdr->hdr_count, ROUNDS * ROUND_INSTRUCTIONS / PERIOD);
	for_each_sample(&b, entry, i) {
		if (!is_of(&left, entry->sample.ip))
			continue;
		in_loop++;
		whole += check_loop(&left, entry) == (depth < DEPTH ? depth : DEPTH);
		predicted += !!(branches_of(entry)[0].flags & PFM_BRANCH_SMPL_PREDICTED);
	}
	CHECK_GE(in_loop, b.hdr->hdr_count - 3);
	CHECK_GE(whole, in_loop / 2);
	/* The emulated architectural records do not say it. */
	if (!has_pmc(LBR_CTL))
		CHECK_GE(predicted, in_loop / 2);
	CHECK_OK(close(b.fd));
}

static void sample_depths(void)
{
	static const unsigned int depths[] = { 1, 2, 15, 16, 17, PFM_BRANCH_SMPL_MAX_DEPTH };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(depths); i++)
		sample_loop(depths[i]);
}

/* covers: D.16-2 */
TEST(the_branches_are_those_that_the_program_took)
{
	need_branches();
	sample_depths();
}

/* The PMDs of the records come as values of the same sample, sources first. */
/* covers: D.16-2 */
TEST(the_branches_are_the_pmds_of_the_records)
{
	struct branched b = create_branched(0, BRANCH(SIZE, DEPTH));
	const pfm_branch_smpl_record_t *branch;
	const pfm_branch_smpl_entry_t *entry;
	unsigned int k;
	__u64 i;

	program(b.fd, (struct event){ .reg = 0, .period = PERIOD, .flags = NOTIFY,
				      .smpl_pmds = BIT_ULL(1) | RECORDS_MASK });
	count_up(b.fd, 0, 1);
	run_left(&b);
	CHECK_GE(b.hdr->hdr_count, 200);
	for_each_sample(&b, entry, i) {
		CHECK_EQ(entry->num_values, 1 + 2 * DEPTH);
		branch = branches_of(entry);
		for (k = 0; k < DEPTH; k++) {
			CHECK_EQ(values_of(entry)[1 + k],
				 k < entry->num_branches ? branch[k].from : 0);
			CHECK_EQ(values_of(entry)[1 + DEPTH + k],
				 k < entry->num_branches ? branch[k].to : 0);
		}
	}
}

static void choose(int fd)
{
	program(fd, (struct event){ .reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1) });
	program(fd, (struct event){ .reg = 3, .period = 3 * PERIOD });
	count_up(fd, 0, 1);
	load_self(fd);
	start_rounds_stop(fd, ROUNDS);
}

static void compare_formats(void)
{
	struct buffer buffer = create_buffer(0, SIZE, 0);
	const pfm_default_smpl_entry_t *expected = (const void *)first_sample(&buffer);
	const pfm_branch_smpl_entry_t *entry;
	struct branched b;
	__u64 i;

	choose(buffer.fd);
	unload(buffer.fd);
	b = create_branched(0, BRANCH(SIZE, DEPTH));
	record_branches(b.fd, 0);
	choose(b.fd);
	check_samples(&b);
	CHECK_GE(b.hdr->hdr_count, 200);
	CHECK_EQ(b.hdr->hdr_count, buffer.hdr->hdr_count);
	for_each_sample(&b, entry, i) {
		CHECK_EQ(entry->sample.pid, expected->pid);
		CHECK_EQ(entry->sample.tid, expected->tid);
		CHECK_EQ(entry->sample.ovfl_pmd, expected->ovfl_pmd);
		CHECK_EQ(entry->sample.set, expected->set);
		CHECK_EQ(entry->sample.last_reset_val, expected->last_reset_val);
		CHECK_EQ(entry->sample.ip, expected->ip);
		CHECK_EQ(entry->num_values, expected->ovfl_pmd ? 0 : 1);
		CHECK(!memcmp(values_of(entry), body_of(expected), 8 * entry->num_values));
		expected = (const void *)(body_of(expected) + entry->num_values);
	}
}

/* covers: D.16-3 */
TEST(samples_are_those_of_the_default_format)
{
	need_branches();
	compare_formats();
}

/* covers: D.16-3 */
TEST(counters_that_overflow_at_once_have_the_same_branches)
{
	struct branched b = create_branched(0, BRANCH(SIZE, DEPTH));
	const pfm_branch_smpl_entry_t *entry, *last = NULL;
	__u64 i, pairs = 0;

	program(b.fd, (struct event){ .reg = 0, .period = PERIOD });
	program(b.fd, (struct event){ .reg = 2, .period = PERIOD });
	run_left(&b);
	for_each_sample(&b, entry, i) {
		if (last && last->sample.tstamp == entry->sample.tstamp) {
			pairs++;
			CHECK_NE(last->sample.ovfl_pmd, entry->sample.ovfl_pmd);
			CHECK_EQ(last->num_branches, entry->num_branches);
			CHECK(!memcmp(branches_of(last), branches_of(entry),
				      entry->num_branches * sizeof(pfm_branch_smpl_record_t)));
		}
		last = entry;
	}
	CHECK_GE(pairs, 200);
}

/* covers: D.16-4 */
TEST(a_set_that_records_no_branches_has_none)
{
	struct branched b = create_branched(0, BRANCH(SIZE, DEPTH));
	const pfm_branch_smpl_entry_t *entry;
	__u64 i, n[2] = { };
	__u16 set;

	create_set(b.fd, (pfarg_setdesc_t){ .set_id = 7 });
	for (set = 0; set < 8; set += 7)
		program(b.fd, (struct event){ .reg = set ? 2 : 0, .set = set, .period = PERIOD });
	record_branches(b.fd, 0);
	load_self(b.fd);
	for (set = 0; set < 8; set += 7) {
		start_set(b.fd, set);
		left.run(ROUNDS);
		stop(b.fd);
	}
	check_samples(&b);
	for_each_sample(&b, entry, i) {
		CHECK_EQ(entry->sample.ovfl_pmd, entry->sample.set ? 2 : 0);
		/* The registers still have the other set's records. */
		if (entry->sample.set)
			CHECK_EQ(entry->num_branches, 0);
		else
			CHECK_GE(entry->num_branches, 1);
		n[entry->sample.set == 7]++;
	}
	CHECK_GE(n[0], 200);
	CHECK_GE(n[1], 200);
}

/* Two threads that take turns on a CPU. */

struct turn {
	const struct loop	*own, *other;
	__u64			branches;	/* of its own loop */
};

static pthread_barrier_t both;

static void *take_turn(void *arg)
{
	struct turn *turn = arg;
	const pfm_branch_smpl_record_t *branch;
	const pfm_branch_smpl_entry_t *entry;
	struct branched b;
	unsigned int k;
	__u64 i;

	take_turns(0);
	b = create_branched(0, BRANCH(SIZE, DEPTH));
	program(b.fd, (struct event){ .reg = 0, .period = 37 });
	record_branches(b.fd, 0);
	load_self(b.fd);
	pthread_barrier_wait(&both);
	start(b.fd);
	for (i = 0; i < 300; i++) {
		turn->own->run(5);
		sched_yield();
	}
	stop(b.fd);
	check_samples(&b);
	for_each_sample(&b, entry, i) {
		for (k = 0, branch = branches_of(entry); k < entry->num_branches; k++, branch++) {
			CHECK(!is_of(turn->other, branch->from) && !is_of(turn->other, branch->to));
			turn->branches += is_of(turn->own, branch->from);
		}
	}
	CHECK_OK(close(b.fd));
	return NULL;
}

static void sample_turns(void)
{
	struct turn turns[2] = {
		{ .own = &left, .other = &right }, { .own = &right, .other = &left },
	};
	pthread_t threads[2];
	int i;

	CHECK_EQ(pthread_barrier_init(&both, NULL, 2), 0);
	for (i = 0; i < 2; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, take_turn, &turns[i]), 0);
	for (i = 0; i < 2; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	for (i = 0; i < 2; i++)
		CHECK_GE(turns[i].branches, 300);
}

/* covers: D.16-4 */
TEST(no_branch_is_another_threads)
{
	need_branches();
	sample_turns();
}

/* Buffers that get full. */

static void check_all(const struct full *full)
{
	check_samples(&(const struct branched){ .fd = full->fd, .hdr = (const void *)full->hdr });
}

/* A buffer with @room bytes for samples; branches are recorded. */
static struct full create_small(size_t room, unsigned int depth)
{
	struct branched b = create_branched(0, BRANCH(header + room, depth));

	record_branches(b.fd, 0);
	return (struct full){
		.fd = b.fd, .hdr = (const void *)b.hdr, .header = header,
		.sample = offsetof(pfm_branch_smpl_entry_t, sample), .largest = largest(depth),
		.check = check_all,
	};
}

static void fill(void)
{
	const struct full full = create_small(3 * largest(DEPTH), DEPTH);

	fill_three_times(&full);
}

/* covers: D.16-5 */
TEST(a_full_buffer_masks_and_notifies_until_a_restart)
{
	need_branches();
	fill();
}

/* covers: D.16-5 */
TEST(the_largest_sample_may_end_with_the_buffer)
{
	const size_t one = sizeof(pfm_branch_smpl_entry_t) + sizeof(pfm_branch_smpl_record_t);
	const struct full full = create_small(one + largest(1), 1);

	fill_to_the_last_byte(&full, one);
}

/* covers: D.16-5 */
TEST(what_overflows_with_the_last_sample_is_lost)
{
	const struct full full = create_small(largest(1), 1);

	fill_with_one_of_two(&full);
}

/* covers: D.16-5 */
TEST(a_restart_while_samples_come_empties_the_buffer)
{
	const struct full full = create_small(1000 * largest(DEPTH), DEPTH);

	empty_while_samples_come(&full);
}

/* covers: D.8-3 */
TEST(the_format_stays_while_it_is_used)
{
	if (remove_format(&branch_format, create_branched(0, BRANCH(SIZE, DEPTH)).fd))
		CHECK_ERRNO(try_create_branched(0, BRANCH(SIZE, DEPTH)), EINVAL);
	need_format(&branch_format);
	CHECK_OK(try_create_branched(0, BRANCH(SIZE, DEPTH)));
}

static void *load_and_remove(void *data)
{
	const bool *over = data;
	char name[64];

	format_module(&branch_format, name, sizeof(name));
	while (!__atomic_load_n(over, __ATOMIC_ACQUIRE)) {
		/* It may be in use. */
		unload_module(name);
		need_format(&branch_format);
	}
	return NULL;
}

/* A context is refused, or it works, whenever the module goes and comes. */
static void sample_meanwhile(void)
{
	unsigned int round, made = 0;
	pthread_t thread;
	bool over = false;
	int fd;

	CHECK_EQ(pthread_create(&thread, NULL, load_and_remove, &over), 0);
	for (round = 0; round < 200 || !made; round++) {
		fd = try_create_branched(0, BRANCH(SIZE, DEPTH));
		if (fd < 0) {
			CHECK_EQ(errno, EINVAL);
			continue;
		}
		made++;
		program(fd, (struct event){ .reg = 0, .period = PERIOD });
		record_branches(fd, 0);
		load_self(fd);
		start(fd);
		left.run(ROUNDS / 10);
		CHECK_OK(close(fd));
	}
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* covers: D.8-3 */
TEST_LIMIT(the_module_may_come_and_go_under_load, 60)
{
	char path[128];

	need_branches();
	/* Built in, it stays. */
	snprintf(path, sizeof(path), "/sys/module/perfmon_%s_smpl/refcnt", branch_format.name);
	if (!access(path, F_OK))
		sample_meanwhile();
}
