// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the ring format's parts: which of them are free, and which positions of a
 * reader are accepted.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "../../../formats/ring_parts.h"

#define PARTS	3
#define SAMPLE	40

/* A buffer of small parts, of four samples each. */
struct ring {
	pfm_ring_smpl_hdr_t	hdr;
	struct {
		pfm_ring_smpl_part_t	part;
		u8			samples[4 * SAMPLE];
	} parts[PARTS];
	pfm_ring_smpl_reader_t	reader;
};

static struct ring *new_ring(struct kunit *test, u32 flags)
{
	struct ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	ring->hdr.hdr_flags = flags;
	ring->hdr.hdr_parts = PARTS;
	ring->hdr.hdr_part_size = sizeof(ring->parts[0]);
	ring->hdr.hdr_parts_offs = offsetof(struct ring, parts);
	ring->hdr.hdr_reader_offs = offsetof(struct ring, reader);
	ring->hdr.hdr_sample_max = SAMPLE;
	return ring;
}

static void part_is_full_when_the_largest_sample_would_not_fit(struct kunit *test)
{
	struct ring *ring = new_ring(test, 0);
	pfm_ring_smpl_part_t *part = pfm_ring_part(&ring->hdr);

	KUNIT_EXPECT_PTR_EQ(test, part, &ring->parts[0].part);
	for (part->part_bytes = 0; part->part_bytes <= 3 * SAMPLE; part->part_bytes += 8)
		KUNIT_EXPECT_FALSE(test, pfm_ring_is_full(&ring->hdr, part));
	KUNIT_EXPECT_TRUE(test, pfm_ring_is_full(&ring->hdr, part));
}

static void parts_are_handed_over_until_none_is_free(struct kunit *test)
{
	struct ring *ring = new_ring(test, 0);
	u64 i;

	for (i = 1; i < PARTS; i++) {
		/* As an earlier use left it. */
		ring->parts[i].part.part_count = 4711;
		ring->parts[i].part.part_bytes = 4 * SAMPLE;
		ring->parts[i].part.part_laps = 5;
		pfm_ring_hand_over(&ring->hdr);
		KUNIT_EXPECT_EQ(test, ring->hdr.hdr_filled, i);
		KUNIT_EXPECT_EQ(test, ring->hdr.hdr_masked, 0);
		KUNIT_EXPECT_PTR_EQ(test, pfm_ring_part(&ring->hdr), &ring->parts[i].part);
		KUNIT_EXPECT_EQ(test, ring->parts[i].part.part_number, i);
		KUNIT_EXPECT_EQ(test, ring->parts[i].part.part_count, 0);
		KUNIT_EXPECT_EQ(test, ring->parts[i].part.part_bytes, 0);
		KUNIT_EXPECT_EQ(test, ring->parts[i].part.part_laps, 0);
	}
	ring->parts[0].part.part_count = 4;
	pfm_ring_hand_over(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_filled, PARTS);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_masked, 1);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_current, 0);
	/* The part is still the tool's: nothing is cleared. */
	KUNIT_EXPECT_EQ(test, ring->parts[0].part.part_count, 4);
	KUNIT_EXPECT_EQ(test, ring->parts[0].part.part_number, 0);
	pfm_ring_give_back(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_freed, 1);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_masked, 0);
	KUNIT_EXPECT_EQ(test, ring->parts[0].part.part_count, 0);
	KUNIT_EXPECT_EQ(test, ring->parts[0].part.part_number, PARTS);
}

static void what_is_not_the_tools_is_not_given_back(struct kunit *test)
{
	struct ring *ring = new_ring(test, 0);

	pfm_ring_give_back(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_freed, 0);
	pfm_ring_hand_over(&ring->hdr);
	pfm_ring_give_back(&ring->hdr);
	pfm_ring_give_back(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_freed, 1);
}

static void overwriting_counts_what_there_was(struct kunit *test)
{
	struct ring *ring = new_ring(test, 0);
	pfm_ring_smpl_part_t *part = pfm_ring_part(&ring->hdr);

	part->part_count = 4;
	part->part_bytes = 4 * SAMPLE;
	pfm_ring_overwrite(&ring->hdr);
	part->part_count = 3;
	pfm_ring_overwrite(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_overwritten, 7);
	KUNIT_EXPECT_EQ(test, part->part_laps, 2);
	KUNIT_EXPECT_EQ(test, part->part_count, 0);
	KUNIT_EXPECT_EQ(test, part->part_bytes, 0);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_filled, 0);
}

/* Also where the numbers wrap, which does not happen in the life of a machine. */
static void position_is_believed_among_full_parts_only(struct kunit *test)
{
	static const struct {
		u64	freed, filled, position;
		bool	good;
	} cases[] = {
		{ 0, 0, 0, true }, { 0, 0, 1, false }, { 0, 0, ~0ULL, false },
		{ 5, 7, 5, true }, { 5, 7, 6, true }, { 5, 7, 7, true },
		{ 5, 7, 8, false }, { 5, 7, 4, false }, { 5, 7, 0, false },
		{ 5, 7, 1ULL << 63, false }, { 5, 7, ~0ULL, false },
		{ 5, 7, 6 | 1ULL << 32, false },
		{ -1ULL, 1, 0, true }, { -1ULL, 1, 2, false }, { -1ULL, 1, -2ULL, false },
	};
	struct ring *ring = new_ring(test, PFM_RING_SMPL_POSITION);
	u64 refused = 0, expected;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ring->hdr.hdr_freed = cases[i].freed;
		ring->hdr.hdr_filled = cases[i].filled;
		ring->reader.reader_position = cases[i].position;
		pfm_ring_take_position(&ring->hdr);
		refused += !cases[i].good;
		KUNIT_EXPECT_EQ(test, ring->hdr.hdr_refused, refused);
		expected = cases[i].freed;
		if (cases[i].good)
			expected = cases[i].position;
		KUNIT_EXPECT_EQ(test, ring->hdr.hdr_freed, expected);
	}
}

static void position_is_not_looked_at_without_its_flag(struct kunit *test)
{
	struct ring *ring = new_ring(test, PFM_RING_SMPL_MASK_WHEN_FULL);

	ring->hdr.hdr_filled = 1;
	ring->reader.reader_position = 1;
	pfm_ring_take_position(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_freed, 0);
	ring->reader.reader_position = 2;
	pfm_ring_take_position(&ring->hdr);
	KUNIT_EXPECT_EQ(test, ring->hdr.hdr_refused, 0);
}

static struct kunit_case pfm_ring_cases[] = {
	KUNIT_CASE(part_is_full_when_the_largest_sample_would_not_fit),
	KUNIT_CASE(parts_are_handed_over_until_none_is_free),
	KUNIT_CASE(what_is_not_the_tools_is_not_given_back),
	KUNIT_CASE(overwriting_counts_what_there_was),
	KUNIT_CASE(position_is_believed_among_full_parts_only),
	KUNIT_CASE(position_is_not_looked_at_without_its_flag),
	{ }
};

static struct kunit_suite pfm_ring_suite = {
	.name = "perfmon_ring",
	.test_cases = pfm_ring_cases,
};

kunit_test_suite(pfm_ring_suite);
