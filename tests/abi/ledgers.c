// SPDX-License-Identifier: GPL-2.0
/*
 * Each sampling format, at short and long periods, with a reader that keeps up, one that is late
 * and one that dies: each true overflow is a sample that was read, that was overwritten or that is
 * still there, or it is counted as lost.
 *
 * Two counters overflow at once, so a full buffer costs a sample where it has room for an odd number
 * of them. A third counter counts the same instructions and never overflows: it knows how many
 * overflows there were.
 */
#include "format.h"
#include "sampling.h"

#include <perfmon_branch_smpl.h>
#include <perfmon_compact_smpl.h>
#include <perfmon_hist_smpl.h>
#include <perfmon_ring_smpl.h>
#include <perfmon_stack_smpl.h>

#include <pthread.h>

#define ROOM		5		/* samples of a buffer, or of a part */
#define PARTS		4
#define DEPTH		2
#define NEVER		(~0ULL)

struct run;

/* A format, and how its reader takes what is there. */
struct taken_format {
	struct format	format;
	void		(*argument)(void *arg);
	/* Take samples, if there are some, and make room. */
	void		(*take)(struct run *run);
	/* Samples that nobody took, and those that were overwritten, once all is over. */
	__u64		(*left)(const struct run *run);
	__u64		(*gone)(const struct run *run);
	bool		masks;		/* when nobody takes anything */
	bool		loses;		/* one of two that overflow at once, when full */
	bool		optional;	/* not each PMU has it */
};

struct run {
	const struct taken_format *format;
	__u64			period;
	unsigned int		late_ms;	/* the reader sleeps so long each time */
	__u64			dies_after;	/* so many times */
	int			fd;
	const void		*buffer;
	pfm_ring_smpl_reader_t	*page;		/* of a ring */
	bool			over;		/* monitoring has ended */
	bool			dead;		/* the reader has */
	__u64			times, read;
	__u64			position;	/* in a ring: of parts */
};

static __u64 value_at(const __u64 *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

/* Before it takes something. */
static void hesitate(struct run *run)
{
	if (run->late_ms)
		sleep_ms(run->late_ms);
	run->times++;
}

static __u64 nothing_gone(const struct run *run)
{
	(void)run;
	return 0;
}

/* The buffers that are emptied by a restart, when they are full: their header begins alike. */

static __u64 count_of(const struct run *run)
{
	return value_at(run->buffer);
}

static void take_full(struct run *run)
{
	if (!has_message(run->fd))
		return;
	hesitate(run);
	expect_message(run->fd, PFM_MSG_OVFL);
	CHECK(is_masked(run->fd));
	CHECK(count_of(run) > 0);
	run->read += count_of(run);
	restart(run->fd);
}

static void default_argument(void *arg)
{
	*(pfm_default_smpl_arg_t *)arg = (pfm_default_smpl_arg_t){
		.buf_size = HDR_SIZE + (ROOM - 1) * ENTRY_SIZE + largest_sample(0),
	};
}

static void stack_argument(void *arg)
{
	const size_t entry = sizeof(pfm_stack_smpl_entry_t) + 8 * DEPTH;

	*(pfm_stack_smpl_arg_t *)arg = (pfm_stack_smpl_arg_t){
		.buf_size = sizeof(pfm_stack_smpl_hdr_t) + ROOM * entry +
			    8 * (count_pmds() + DEPTH),
		.buf_flags = PFM_STACK_SMPL_USER, .buf_depth = DEPTH,
	};
}

/* No branches are recorded, so the sizes of samples are known. */
static void branch_argument(void *arg)
{
	const size_t largest = sizeof(pfm_branch_smpl_entry_t) + 8 * count_pmds() +
			       DEPTH * sizeof(pfm_branch_smpl_record_t);

	*(pfm_branch_smpl_arg_t *)arg = (pfm_branch_smpl_arg_t){
		.buf_size = sizeof(pfm_branch_smpl_hdr_t) +
			    (ROOM - 1) * sizeof(pfm_branch_smpl_entry_t) + largest,
		.buf_depth = DEPTH,
	};
}

/* Room for one sample. */
static void compact_argument(void *arg)
{
	const __u32 block = sizeof(pfm_compact_smpl_block_t) +
			    PFM_COMPACT_SMPL_SAMPLE_MAX(count_pmds()) + 7;

	*(pfm_compact_smpl_arg_t *)arg = (pfm_compact_smpl_arg_t){
		.buf_size = sizeof(pfm_compact_smpl_hdr_t) + 8 * count_pmds() +
			    sizeof(pfm_compact_smpl_block_t) +
			    PFM_COMPACT_SMPL_SAMPLE_MAX(count_pmds()),
		.buf_block_size = block & ~7U,
	};
}

/* A ring. */

static void ring_argument(void *arg)
{
	*(pfm_ring_smpl_arg_t *)arg = (pfm_ring_smpl_arg_t){
		.ring_part_size = sizeof(pfm_ring_smpl_part_t) + (ROOM - 1) * ENTRY_SIZE +
				  largest_sample(0),
		.ring_parts = PARTS,
		.ring_flags = PFM_RING_SMPL_POSITION,
	};
}

static void masking_ring_argument(void *arg)
{
	ring_argument(arg);
	((pfm_ring_smpl_arg_t *)arg)->ring_flags |= PFM_RING_SMPL_MASK_WHEN_FULL;
}

static __u64 samples_in_part(const struct run *run, __u64 number)
{
	const pfm_ring_smpl_hdr_t *hdr = run->buffer;
	const pfm_ring_smpl_part_t *part =
		(const void *)((const char *)hdr + hdr->hdr_parts_offs +
			       number % hdr->hdr_parts * hdr->hdr_part_size);

	return value_at(&part->part_count);
}

static void take_parts(struct run *run)
{
	const pfm_ring_smpl_hdr_t *hdr = run->buffer;

	while (run->position < value_at(&hdr->hdr_filled) && run->times < run->dies_after) {
		hesitate(run);
		CHECK_EQ(samples_in_part(run, run->position), ROOM);
		run->read += ROOM;
		__atomic_store_n(&run->page->reader_position, ++run->position, __ATOMIC_RELEASE);
	}
	if (value_at(&hdr->hdr_masked) && run->times < run->dies_after)
		restart(run->fd);
}

static __u64 left_in_ring(const struct run *run)
{
	const pfm_ring_smpl_hdr_t *hdr = run->buffer;
	__u64 left = (hdr->hdr_filled - run->position) * ROOM;

	CHECK_EQ(hdr->hdr_lost_full, ledger(run->fd, "lost-full"));
	return hdr->hdr_masked ? left : left + samples_in_part(run, hdr->hdr_filled);
}

static __u64 gone_from_ring(const struct run *run)
{
	return ((const pfm_ring_smpl_hdr_t *)run->buffer)->hdr_overwritten;
}

/* A table, of one slot: the other counter's samples have none. */

static void hist_argument(void *arg)
{
	*(pfm_hist_smpl_arg_t *)arg = (pfm_hist_smpl_arg_t){
		.buf_size = sizeof(pfm_hist_smpl_hdr_t) + sizeof(pfm_hist_smpl_entry_t),
	};
}

/* It reads the same table again and again. */
static void take_table(struct run *run)
{
	const pfm_hist_smpl_hdr_t *hdr = run->buffer;
	const pfm_hist_smpl_entry_t *only = (const void *)(hdr + 1);
	__u64 count = value_at(&hdr->hdr_count);

	if (count == run->read)
		return;
	hesitate(run);
	/* Each sample that the header counted has its place. */
	CHECK_LE(count, value_at(&only->count) + value_at(&hdr->hdr_other_count));
	CHECK_LE(run->read, count);
	run->read = count;
}

static __u64 left_in_table(const struct run *run)
{
	const pfm_hist_smpl_hdr_t *hdr = run->buffer;
	const pfm_hist_smpl_entry_t *only = (const void *)(hdr + 1);

	CHECK_EQ(only->count + hdr->hdr_other_count, hdr->hdr_count);
	CHECK_EQ(only->periods + hdr->hdr_other_periods, hdr->hdr_count * run->period);
	CHECK(only->count > 0 && hdr->hdr_other_count > 0);
	return hdr->hdr_count - run->read;
}

#define ARGUMENT	(4 * sizeof(__u64))	/* no format's is larger */

static const struct taken_format formats[] = {
	{ { "default", PFM_DEFAULT_SMPL_UUID, ARGUMENT },
	  default_argument, take_full, count_of, nothing_gone,
	  .masks = true, .loses = true },
	{ { "stack", PFM_STACK_SMPL_UUID, ARGUMENT },
	  stack_argument, take_full, count_of, nothing_gone,
	  .masks = true },
	{ { "branch", PFM_BRANCH_SMPL_UUID, ARGUMENT },
	  branch_argument, take_full, count_of, nothing_gone,
	  .masks = true, .loses = true, .optional = true },
	{ { "compact", PFM_COMPACT_SMPL_UUID, ARGUMENT },
	  compact_argument, take_full, count_of, nothing_gone,
	  .masks = true, .loses = true },
	{ { "ring", PFM_RING_SMPL_UUID, ARGUMENT },
	  ring_argument, take_parts, left_in_ring, gone_from_ring,
	  .masks = false },
	{ { "ring", PFM_RING_SMPL_UUID, ARGUMENT },
	  masking_ring_argument, take_parts, left_in_ring, gone_from_ring,
	  .masks = true },
	{ { "hist", PFM_HIST_SMPL_UUID, ARGUMENT },
	  hist_argument, take_table, left_in_table, nothing_gone,
	  .masks = false },
};

static const __u64 periods[] = { 1000, 9973, 100000, 1000000 };

static void *reader(void *arg)
{
	struct run *run = arg;
	bool over;

	do {
		over = __atomic_load_n(&run->over, __ATOMIC_ACQUIRE);
		run->format->take(run);
		sched_yield();
	} while (!over && run->times < run->dies_after);
	__atomic_store_n(&run->dead, true, __ATOMIC_RELEASE);
	return NULL;
}

static void open_context(struct run *run)
{
	__u64 argument[ARGUMENT / sizeof(__u64)] = { 0 };
	struct formatted made;

	run->format->argument(argument);
	made = create_formatted(&run->format->format, 0, argument);
	run->fd = made.fd;
	run->buffer = made.hdr;
	if (run->format->take == take_parts) {
		run->page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED,
				 run->fd, made.size - sysconf(_SC_PAGESIZE));
		CHECK_NE(run->page, MAP_FAILED);
	}
	set_nonblocking(run->fd);
}

/* As many overflows as make several full buffers, whatever the period. */
static void work(__u64 period)
{
	__u64 left = 24 * period < 2000000 ? 2000000 : 24 * period, part;

	for (; left; left -= part) {
		part = left < 100000 ? left : 100000;
		loop(part / 2);
		sched_yield();
	}
}

static void check_run(const struct run *run)
{
	const struct taken_format *format = run->format;
	const __u64 recorded = ledger(run->fd, "recorded"), lost = ledger(run->fd, "lost-full");

	check_ledger(run->fd);
	CHECK_EQ(recorded, run->read + format->left(run) + format->gone(run));
	/* A masked counter has not been reset since its last one. */
	CHECK_EQ(recorded + lost, 2 * (read_pmd(run->fd, 1) / run->period));
	CHECK_EQ(ledger(run->fd, "lost-error"), 0);
	CHECK_EQ(ledger(run->fd, "lost-throttled"), 0);
	CHECK(run->read > 0);
	if (!format->masks)
		CHECK_EQ(lost, 0);
	if (format->loses)
		CHECK(lost > 0);
	if (run->dies_after == NEVER)
		return;
	CHECK_EQ(run->times, run->dies_after);
	check_state(run->fd, format->masks ? "masked" : "loaded");
	CHECK_EQ(format->gone(run) > 0, format->take == take_parts && !format->masks);
}

static void run_one(struct run *run)
{
	pthread_t thread;

	open_context(run);
	program(run->fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = run->period });
	program(run->fd, (struct event){ .reg = 3, .flags = NOTIFY, .period = run->period });
	count_up(run->fd, 0, 1);
	load_self(run->fd);
	CHECK_EQ(pthread_create(&thread, NULL, reader, run), 0);
	start(run->fd);
	work(run->period);
	if (run->dies_after != NEVER) {
		WAIT_UNTIL(__atomic_load_n(&run->dead, __ATOMIC_ACQUIRE));
		work(run->period);
	}
	stop(run->fd);
	__atomic_store_n(&run->over, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	check_run(run);
	CHECK_OK(close(run->fd));
}

static bool works(const struct taken_format *format)
{
	__u64 argument[ARGUMENT / sizeof(__u64)] = { 0 };
	int fd;

	need_format(&format->format);
	format->argument(argument);
	fd = try_create_formatted(&format->format, 0, argument, NULL);
	if (fd < 0) {
		CHECK(format->optional && errno == EOPNOTSUPP);
		printf("%s: not on this PMU\n", format->format.name);
		return false;
	}
	CHECK_OK(close(fd));
	return true;
}

/* Each format at each period, with a reader as @arg says. */
static void run_all(const struct run *as)
{
	struct run run;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!works(&formats[i]))
			continue;
		for (k = 0; k < ARRAY_SIZE(periods); k++) {
			run = *as;
			run.format = &formats[i];
			run.period = periods[k];
			printf("%s, masking %d, period %llu\n", run.format->format.name, run.format->masks,
			       run.period);
			run_one(&run);
		}
	}
}

/* covers: D.5-6 6.3.1-14 D.12-4 */
TEST_LIMIT(with_a_reader_that_keeps_up_each_overflow_is_accounted_for, 120)
{
	need_pmu();
	run_all(&(struct run){ .dies_after = NEVER });
}

/* covers: D.5-6 6.3.1-14 D.12-4 */
TEST_LIMIT(with_a_late_reader_each_overflow_is_accounted_for, 120)
{
	need_pmu();
	run_all(&(struct run){ .dies_after = NEVER, .late_ms = 2 });
}

/* covers: D.5-6 6.3.1-14 D.12-4 */
TEST_LIMIT(with_a_reader_that_has_died_each_overflow_is_accounted_for, 120)
{
	need_pmu();
	run_all(&(struct run){ .dies_after = 1 });
}
