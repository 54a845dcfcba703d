// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the compact format's code: the bytes of numbers and samples, the bound of a
 * sample's length, and the blocks of a buffer, decoded again.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include "../../../formats/compact_blocks.h"

#define VALUES	3

/* A buffer for blocks of two of the largest samples, and bytes behind it. */
#define LARGEST	PFM_COMPACT_SMPL_SAMPLE_MAX(VALUES)
#define BLOCK	ALIGN(sizeof(pfm_compact_smpl_block_t) + 2 * LARGEST, 8)
#define BLOCKS	3
#define CANARY	0x5a

struct buffer {
	pfm_compact_smpl_hdr_t	hdr;
	u64			before[VALUES];
	u8			blocks[BLOCKS * BLOCK];
	u8			behind[64];
};

struct recorded {
	pfm_default_smpl_entry_t entry;
	u64			values[VALUES];
	u16			n;
};

static struct buffer *new_buffer(struct kunit *test)
{
	const pfm_compact_smpl_arg_t req = {
		.buf_size = offsetof(struct buffer, behind), .buf_block_size = BLOCK,
	};
	struct buffer *buffer = kunit_kzalloc(test, sizeof(*buffer), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	memset(buffer->behind, CANARY, sizeof(buffer->behind));
	pfm_compact_setup(&buffer->hdr, &req, VALUES);
	KUNIT_ASSERT_EQ(test, (size_t)buffer->hdr.hdr_blocks_offs, offsetof(struct buffer, blocks));
	return buffer;
}

/* As the format records a sample. False: the buffer is full. */
static bool record(struct buffer *buffer, const struct recorded *sample)
{
	pfm_compact_smpl_hdr_t *hdr = &buffer->hdr;

	if (pfm_compact_is_full(hdr))
		return false;
	if (pfm_compact_block_ends(hdr, sample->n))
		pfm_compact_begin(hdr, &sample->entry);
	pfm_compact_write(hdr, &sample->entry, sample->values, sample->n)->block_count++;
	hdr->hdr_count++;
	return true;
}

/* A decoder, by the manual page perfmon_compact_smpl(5). */
static u64 number(const u8 **at)
{
	unsigned int shift = 0;
	u64 number = 0;

	do
		number |= (u64)(**at & 0x7f) << shift;
	while (shift += 7, *(*at)++ & 0x80);
	return number;
}

static u64 difference(const u8 **at)
{
	u64 coded = number(at);

	return coded >> 1 ^ -(coded & 1);
}

static void decode(const u8 **at, struct recorded *now)
{
	const u8 changed = *(*at)++;
	unsigned int i;

	if (changed & PFM_COMPACT_SMPL_TASK) {
		now->entry.pid += difference(at);
		now->entry.tid += difference(at);
	}
	if (changed & PFM_COMPACT_SMPL_PMD) {
		now->entry.ovfl_pmd += difference(at);
		now->entry.set += difference(at);
	}
	if (changed & PFM_COMPACT_SMPL_CPU)
		now->entry.cpu += difference(at);
	if (changed & PFM_COMPACT_SMPL_RESET)
		now->entry.last_reset_val += difference(at);
	now->entry.tstamp += difference(at);
	if (changed & PFM_COMPACT_SMPL_IP)
		now->entry.ip += difference(at);
	if (changed & PFM_COMPACT_SMPL_NUM)
		now->n = number(at);
	for (i = 0; i < now->n; i++)
		now->values[i] += difference(at);
}

static void numbers_take_seven_bits_a_byte(struct kunit *test)
{
	static const struct {
		u64 number;
		size_t bytes;
	} known[] = {
		{ 0, 1 }, { 0x7f, 1 }, { 0x80, 2 }, { 0x3fff, 2 }, { 0x4000, 3 },
		{ (1ULL << 63) - 1, 9 }, { 1ULL << 63, 10 }, { ~0ULL, 10 },
	};
	const u8 *at;
	u8 bytes[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		at = bytes;
		KUNIT_EXPECT_EQ(test, (size_t)(pfm_compact_number(bytes, known[i].number) - bytes),
				known[i].bytes);
		KUNIT_EXPECT_EQ(test, number(&at), known[i].number);
		KUNIT_EXPECT_EQ(test, (size_t)(at - bytes), known[i].bytes);
	}
	pfm_compact_number(bytes, 300);
	KUNIT_EXPECT_EQ(test, bytes[0], 0xac);
	KUNIT_EXPECT_EQ(test, bytes[1], 0x02);
}

static void differences_are_short_in_both_directions(struct kunit *test)
{
	static const u64 far[] = { 0, 1, 63, 1ULL << 63, ~0ULL };
	const u8 *at;
	u8 bytes[16];
	size_t i;

	KUNIT_EXPECT_EQ(test, (size_t)(pfm_compact_difference(bytes, 1000, 1063) - bytes), 1);
	KUNIT_EXPECT_EQ(test, (size_t)(pfm_compact_difference(bytes, 1063, 1000) - bytes), 1);
	for (i = 0; i < ARRAY_SIZE(far); i++) {
		at = bytes;
		pfm_compact_difference(bytes, 17, 17 + far[i]);
		KUNIT_EXPECT_EQ(test, difference(&at), far[i]);
	}
}

static void the_same_sample_again_takes_two_bytes(struct kunit *test)
{
	struct buffer *buffer = new_buffer(test);
	const struct recorded sample = { .entry = { .pid = 7, .tid = 8, .tstamp = 9, .ip = 10 } };
	u64 offs;

	KUNIT_ASSERT_TRUE(test, record(buffer, &sample));
	offs = buffer->hdr.hdr_cur_offs;
	KUNIT_ASSERT_TRUE(test, record(buffer, &sample));
	KUNIT_EXPECT_EQ(test, buffer->hdr.hdr_cur_offs - offs, 2);
}

/* All differences as large as can be, there and back. */
static void the_largest_sample_is_no_larger_than_is_said(struct kunit *test)
{
	static const struct recorded here;
	static const struct recorded there = {
		.entry = {
			.pid = S32_MIN, .tid = S32_MIN, .ovfl_pmd = U16_MAX, .set = U16_MAX,
			.cpu = U16_MAX, .last_reset_val = 1ULL << 63, .tstamp = 1ULL << 63,
			.ip = 1ULL << 63,
		},
		.values = { 1ULL << 63, 1ULL << 63, 1ULL << 63 }, .n = VALUES,
	};
	struct buffer *buffer = new_buffer(test);
	u64 offs;

	KUNIT_ASSERT_TRUE(test, record(buffer, &here));
	offs = buffer->hdr.hdr_cur_offs;
	KUNIT_ASSERT_TRUE(test, record(buffer, &there));
	KUNIT_EXPECT_LE(test, buffer->hdr.hdr_cur_offs - offs, LARGEST);
}

static void fill_random(struct recorded *sample, struct rnd_state *rnd)
{
	unsigned int i;

	/* Half of the members stay as they were in the sample before. */
	for (i = 0; i < sizeof(sample->entry); i++)
		if (prandom_u32_state(rnd) & 0x10)
			((u8 *)&sample->entry)[i] = prandom_u32_state(rnd) >> 8;
	sample->entry.pad = 0;
	sample->n = (prandom_u32_state(rnd) >> 4) % (VALUES + 1);
	memset(sample->values, 0, sizeof(sample->values));
	for (i = 0; i < sample->n; i++)
		sample->values[i] = (u64)prandom_u32_state(rnd) << (prandom_u32_state(rnd) % 33);
}

static void expect_same(struct kunit *test, const struct recorded *is, const struct recorded *want)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, memcmp(&is->entry, &want->entry, sizeof(is->entry)), 0);
	KUNIT_ASSERT_EQ(test, is->n, want->n);
	for (i = 0; i < is->n; i++)
		KUNIT_EXPECT_EQ(test, is->values[i], want->values[i]);
}

/* Decode all blocks. Returns the number of samples. */
static u64 expect_samples(struct kunit *test, const struct buffer *buffer,
			  const struct recorded *want)
{
	const pfm_compact_smpl_block_t *block = (const void *)buffer->blocks;
	const u8 *end = (const u8 *)&buffer->hdr + buffer->hdr.hdr_cur_offs;
	struct recorded sample;
	const u8 *at;
	u64 n = 0;
	u32 i;

	while ((const u8 *)block < end) {
		KUNIT_ASSERT_EQ(test, block->block_magic, PFM_COMPACT_SMPL_MAGIC);
		KUNIT_EXPECT_EQ(test, block->block_first, buffer->hdr.hdr_earlier + n);
		sample = (struct recorded){ .entry = block->block_base };
		at = (const u8 *)(block + 1);
		for (i = 0; i < block->block_count; i++) {
			decode(&at, &sample);
			expect_same(test, &sample, &want[n++]);
		}
		KUNIT_EXPECT_EQ(test, (u32)(at - (const u8 *)block), block->block_bytes);
		block = (const void *)((const u8 *)block + BLOCK);
	}
	return n;
}

static void any_samples_are_decoded_again_and_stay_within_the_buffer(struct kunit *test)
{
	const size_t most = sizeof(((struct buffer *)NULL)->blocks) / 2;
	struct buffer *buffer = new_buffer(test);
	struct recorded *samples = kunit_kcalloc(test, most, sizeof(*samples), GFP_KERNEL);
	struct rnd_state rnd;
	unsigned int round;
	u64 n;

	KUNIT_ASSERT_NOT_NULL(test, samples);
	prandom_seed_state(&rnd, 2026);
	for (round = 0; round < 200; round++) {
		for (n = 0; n < most; n++) {
			samples[n] = samples[n ? n - 1 : 0];
			fill_random(&samples[n], &rnd);
			if (!record(buffer, &samples[n]))
				break;
		}
		KUNIT_EXPECT_EQ(test, buffer->hdr.hdr_count, n);
		KUNIT_EXPECT_GE(test, n, 2 * BLOCKS - 1);
		KUNIT_EXPECT_LE(test, buffer->hdr.hdr_cur_offs, buffer->hdr.hdr_buf_size);
		KUNIT_EXPECT_EQ(test, expect_samples(test, buffer, samples), n);
		KUNIT_EXPECT_NULL(test, memchr_inv(buffer->behind, CANARY,
						   sizeof(buffer->behind)));
		pfm_compact_empty(&buffer->hdr);
		KUNIT_EXPECT_EQ(test, buffer->hdr.hdr_block_offs, buffer->hdr.hdr_blocks_offs);
	}
	KUNIT_EXPECT_EQ(test, buffer->hdr.hdr_blocks, 200 * BLOCKS);
}

static struct kunit_case compact_cases[] = {
	KUNIT_CASE(numbers_take_seven_bits_a_byte),
	KUNIT_CASE(differences_are_short_in_both_directions),
	KUNIT_CASE(the_same_sample_again_takes_two_bytes),
	KUNIT_CASE(the_largest_sample_is_no_larger_than_is_said),
	KUNIT_CASE(any_samples_are_decoded_again_and_stay_within_the_buffer),
	{ }
};

static struct kunit_suite compact_suite = {
	.name = "perfmon_compact",
	.test_cases = compact_cases,
};

kunit_test_suite(compact_suite);
