// SPDX-License-Identifier: GPL-2.0
/*
 * The ring sampling format, and a reader that runs at the same time: one that keeps up, one
 * that is late, one that dies. Whatever it does, each overflow is a sample that was read, is
 * still there, or is counted.
 */
#include "blocked.h"
#include "ring.h"

#include <pthread.h>

#define PERIOD	5003
#define SAMPLES	16
#define NEVER	(~0ULL)

/* The reader's settings, and its results. */
struct reading {
	struct ring	ring;
	unsigned int	late_ms;	/* sleeps this long before each part */
	__u64		dies_after;	/* parts, and it ends */
	bool		over;		/* monitoring has ended */
	__u64		read;		/* samples */
	__u64		position;
	__u64		last;		/* time of the last one */
};

/* A sample of the program: none is torn, and they are in order. */
static void check_sample(struct reading *r, const pfm_default_smpl_entry_t *entry)
{
	CHECK_EQ(entry->tid, getpid());
	CHECK_EQ(entry->ovfl_pmd, 0);
	CHECK_EQ(entry->last_reset_val, -PERIOD);
	CHECK(entry->tstamp > r->last);
	r->last = entry->tstamp;
	r->read++;
}

/* A part that belongs to the tool. */
static void read_part(struct reading *r, __u64 number)
{
	__u64 i;

	CHECK_EQ(part_of(&r->ring, number)->part_number, number);
	CHECK_EQ(part_count(&r->ring, number), SAMPLES);
	for (i = 0; i < SAMPLES; i++)
		check_sample(r, ring_entry(&r->ring, number, i));
}

static void *reader(void *arg)
{
	struct reading *r = arg;
	bool over;

	do {
		over = __atomic_load_n(&r->over, __ATOMIC_ACQUIRE);
		while (r->position < filled(&r->ring) && r->position < r->dies_after) {
			if (r->late_ms)
				sleep_ms(r->late_ms);
			read_part(r, r->position);
			give_back(&r->ring, ++r->position);
		}
		/* The system call is for a mask alone. */
		if (__atomic_load_n(&r->ring.hdr->hdr_masked, __ATOMIC_ACQUIRE) &&
		    r->position < r->dies_after)
			restart(r->ring.fd);
		sched_yield();
	} while (!over && r->position < r->dies_after);
	return NULL;
}

/* The number of samples that can still be read: of full parts and of the last one. */
static __u64 left_over(const struct reading *r)
{
	const struct ring *ring = &r->ring;
	__u64 last = filled(ring), left = (last - r->position) * SAMPLES;

	return ring->hdr->hdr_masked ? left : left + part_count(ring, last);
}

static void run_with(struct reading *r, __u32 parts, __u32 flags)
{
	pthread_t thread;
	int i;

	r->ring = create_ring(0, parts, part_for(SAMPLES), flags);
	ring_self(&r->ring, PERIOD);
	CHECK_EQ(pthread_create(&thread, NULL, reader, r), 0);
	start(r->ring.fd);
	for (i = 0; i < 40; i++) {
		loop(100000);
		sched_yield();
	}
	stop(r->ring.fd);
	__atomic_store_n(&r->over, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* Every overflow is accounted for. */
static void check_sum(const struct reading *r)
{
	const struct ring *ring = &r->ring;
	__u64 overflows = ledger(ring->fd, "overflows");

	check_ledger(ring->fd);
	CHECK_EQ(ledger(ring->fd, "recorded"),
		 r->read + ring->hdr->hdr_overwritten + left_over(r));
	CHECK_EQ(ledger(ring->fd, "lost-full"), ring->hdr->hdr_lost_full);
	CHECK_EQ(ring->hdr->hdr_refused, 0);
	/*
	 * The true number of overflows: a masked counter has not been reset since its last sample.
	 */
	CHECK_EQ(overflows, read_pmd(ring->fd, 1) / PERIOD);
}

static const struct {
	__u32	parts, flags;
} rings[] = {
	{ 2, POSITION }, { 2, POSITION | MASK }, { 8, POSITION }, { 8, POSITION | MASK },
};

/* Each kind of ring, with the reader of @arg. */
static void run_all(const struct reading *as)
{
	struct reading r;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rings); i++) {
		r = *as;
		run_with(&r, rings[i].parts, rings[i].flags);
		check_sum(&r);
		CHECK_GE(r.read, SAMPLES);
		if (r.dies_after != NEVER) {
			CHECK_EQ(r.read, r.dies_after * SAMPLES);
			check_state(r.ring.fd, rings[i].flags & MASK ? "masked" : "loaded");
			CHECK_EQ(r.ring.hdr->hdr_overwritten > 0, !(rings[i].flags & MASK));
		}
		close_ring(&r.ring);
	}
}

/* covers: 6.3.1-1 6.3.1-12 6.3.1-14 D.5-6 */
TEST(a_reader_that_keeps_up_gets_every_sample)
{
	need_pmu();
	run_all(&(struct reading){ .dies_after = NEVER });
}

/* covers: 6.3.1-2 6.3.1-6 6.3.1-14 D.5-6 */
TEST(what_a_late_reader_misses_is_counted)
{
	need_pmu();
	run_all(&(struct reading){ .dies_after = NEVER, .late_ms = 5 });
}

/* covers: 6.3.1-2 6.3.1-6 6.3.1-14 D.5-6 */
TEST(what_a_reader_that_has_died_leaves_is_counted)
{
	need_pmu();
	run_all(&(struct reading){ .dies_after = 3 });
}

/* A reader of the part that is being filled, and overwritten: no sample that it keeps is torn. */
static void *peeper(void *arg)
{
	struct reading *r = arg;
	const pfm_ring_smpl_part_t *part = part_of(&r->ring, 1);
	pfm_default_smpl_entry_t copy[SAMPLES];
	__u64 laps, n, i;

	while (!__atomic_load_n(&r->over, __ATOMIC_ACQUIRE)) {
		laps = __atomic_load_n(&part->part_laps, __ATOMIC_ACQUIRE);
		n = part_count(&r->ring, 1);
		CHECK(n <= SAMPLES);
		memcpy(copy, part + 1, n * ENTRY_SIZE);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!n || __atomic_load_n(&part->part_laps, __ATOMIC_RELAXED) != laps)
			continue;
		r->last = 0;
		for (i = 0; i < n; i++)
			check_sample(r, &copy[i]);
	}
	return NULL;
}

static void peep(void)
{
	struct reading r = { .dies_after = NEVER };
	pthread_t thread;
	int i;

	r.ring = create_ring(0, 2, part_for(SAMPLES), 0);
	ring_self(&r.ring, PERIOD);
	start_loop_stop(r.ring.fd, SAMPLES * PERIOD / 2 + PERIOD);
	CHECK_EQ(filled(&r.ring), 1);
	CHECK_EQ(pthread_create(&thread, NULL, peeper, &r), 0);
	start(r.ring.fd);
	for (i = 0; i < 40; i++) {
		loop(100000);
		sched_yield();
	}
	stop(r.ring.fd);
	__atomic_store_n(&r.over, true, __ATOMIC_RELEASE);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_GE(r.read, 1);
	CHECK_GE(part_of(&r.ring, 1)->part_laps, 10);
}

/* covers: 6.3.1-6 6.3.1-14 */
TEST(laps_tell_what_was_overwritten_under_the_readers_eyes)
{
	need_pmu();
	peep();
}

static void check_waiting(void *data, int round)
{
	const struct ring *ring = data;

	CHECK(ring->hdr->hdr_masked);
	/* For the part before, which left another one to go on in, it did not wait. */
	expect_overflow(ring->fd, 0, BIT_ULL(0));
	expect_overflow(ring->fd, 0, BIT_ULL(0));
	CHECK(!has_message(ring->fd));
	CHECK_EQ(filled(ring), 2 * round);
	CHECK_EQ(read_pmd(ring->fd, 1), 8 * PERIOD * round);
	give_back(ring, 2 * round);
}

/* covers: 6.3.1-2 6.3.1-15 */
TEST(a_blocked_thread_waits_while_all_parts_are_full)
{
	struct ring ring = create_ring(PFM_FL_NOTIFY_BLOCK, 2, part_for(4), POSITION | MASK);

	sample_blocked(ring.fd, PERIOD, check_waiting, &ring);
}
