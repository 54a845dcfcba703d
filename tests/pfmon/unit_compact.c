// SPDX-License-Identifier: GPL-2.0
/*
 * The compact sampling format: the kernel's half of it writes buffers, and libperfmon's half
 * decodes them: whole, cut off and damaged buffers, and random bytes.
 */
#include "../harness.h"
#include "../fuzz/random.h"

#include <stdlib.h>

#include "../../formats/compact_blocks.h"
#include "../../tools/lib/session/compact_block.h"
#include "../../tools/lib/session/kept.h"
#include "../../tools/lib/session/reader.h"

#define PMDS		20
#define BLOCK		512
#define SIZE		(16 << 10)
#define MOST		4000
#define NVALUES		3

struct sample {
	pfm_default_smpl_entry_t entry;
	__u64	value[PMDS];
};

static union {
	pfm_compact_smpl_hdr_t	hdr;
	char			bytes[SIZE];
} buffer;
static struct sample written[MOST];	/* since the last restart */
static struct random seed;
static void *reader;		/* its state */

static void begin(__u64 size)
{
	const pfm_compact_smpl_arg_t arg = { .buf_size = size, .buf_block_size = BLOCK };

	memset(&buffer, 0, sizeof(buffer));
	pfm_compact_setup(&buffer.hdr, &arg, PMDS);
}

/* As the format's handler does. */
static void write_one(const struct sample *sample, unsigned int nvalues)
{
	pfm_compact_smpl_hdr_t *hdr = &buffer.hdr;

	CHECK(!pfm_compact_is_full(hdr));
	if (pfm_compact_block_ends(hdr, nvalues))
		pfm_compact_begin(hdr, &sample->entry);
	pfm_compact_write(hdr, &sample->entry, sample->value, nvalues)->block_count++;
	CHECK_LE(hdr->hdr_cur_offs, hdr->hdr_block_end);
	CHECK_LE(hdr->hdr_block_end, hdr->hdr_buf_size);
	written[hdr->hdr_count++] = *sample;
}

/* Any sample, but more often one like the sample before. */
static struct sample any_sample(void)
{
	const __u64 n = buffer.hdr.hdr_count;
	struct sample sample = n ? written[n - 1] : (struct sample){ };
	pfm_default_smpl_entry_t *entry = &sample.entry;
	unsigned int i;

	entry->tstamp += random_scaled(&seed);
	if (!random_once_in(&seed, 3))
		entry->ip += random_scaled(&seed) - random_scaled(&seed);
	if (random_once_in(&seed, 8)) {
		entry->pid = (__s32)random_u64(&seed);
		entry->tid = (__s32)random_scaled(&seed);
	}
	if (random_once_in(&seed, 8))
		entry->ovfl_pmd = (__u16)random_u64(&seed);
	if (random_once_in(&seed, 8))
		entry->set = (__u16)random_u64(&seed);
	if (random_once_in(&seed, 8))
		entry->cpu = (__u16)random_u64(&seed);
	if (random_once_in(&seed, 8))
		entry->last_reset_val = -random_scaled(&seed);
	for (i = 0; i < PMDS; i++)
		sample.value[i] = random_scaled(&seed);
	return sample;
}

static void fill(void)
{
	struct sample sample;

	while (!pfm_compact_is_full(&buffer.hdr)) {
		sample = any_sample();
		write_one(&sample, NVALUES);
	}
}

static void expect(const struct batch *batch, __u64 from)
{
	const char *at = batch->samples;
	__u64 i;

	for (i = 0; i < batch->count; i++, at += batch->sample_size) {
		CHECK(!memcmp(at, &written[from + i].entry, sizeof(written->entry)));
		CHECK(!memcmp(at + sizeof(written->entry), written[from + i].value,
			      batch->sample_size - sizeof(written->entry)));
	}
}

static void open_reader(const void *memory, size_t size)
{
	reader = calloc(1, compact_reader.state_size);
	CHECK(reader);
	CHECK(compact_reader.open(reader, -1, memory, size));
}

static struct batch take(void)
{
	return compact_reader.take(reader, kept_size(NVALUES));
}

static void close_reader(void)
{
	compact_reader.close(reader);
	free(reader);
}

TEST(samples_are_decoded_as_they_were_written)
{
	struct batch batch;
	unsigned int i;

	for (i = 0; i < 50; i++) {
		begin(SIZE - i);
		fill();
		CHECK_GE(buffer.hdr.hdr_blocks, 20);
		open_reader(&buffer, sizeof(buffer));
		batch = take();
		CHECK_EQ(batch.count, buffer.hdr.hdr_count);
		expect(&batch, 0);
		CHECK_EQ(take().count, 0);
		close_reader();
	}
}

TEST(samples_are_taken_while_others_come)
{
	struct sample sample;
	struct batch batch;
	__u64 taken = 0;

	begin(SIZE);
	open_reader(&buffer, sizeof(buffer));
	while (!pfm_compact_is_full(&buffer.hdr)) {
		sample = any_sample();
		write_one(&sample, NVALUES);
		if (!random_once_in(&seed, 4))
			continue;
		batch = take();
		CHECK_EQ(taken + batch.count, buffer.hdr.hdr_count);
		expect(&batch, taken);
		taken += batch.count;
	}
	close_reader();
}

TEST(a_restart_begins_again_with_other_blocks)
{
	struct batch batch;
	__u64 all = 0, i;

	begin(SIZE);
	open_reader(&buffer, sizeof(buffer));
	for (i = 0; i < 10; i++) {
		fill();
		batch = take();
		CHECK_EQ(batch.count, buffer.hdr.hdr_count);
		expect(&batch, 0);
		all += batch.count;
		pfm_compact_empty(&buffer.hdr);
		CHECK_EQ(buffer.hdr.hdr_earlier, all);
		compact_reader.restart(reader);
		/* Blocks of the samples before are still there, and are no samples of now. */
		CHECK_EQ(take().count, 0);
		buffer.hdr.hdr_count = 1;
		CHECK_EQ(take().count, 0);
		buffer.hdr.hdr_count = 0;
		compact_reader.restart(reader);
	}
	close_reader();
}

/* Each sample has another number of values: only the decoder of blocks is used. */
TEST(numbers_of_values_may_change)
{
	static unsigned int nvalues[MOST];
	const pfm_compact_smpl_block_t *block;
	struct sample sample;
	struct compact_block decoded;
	__u64 at, n = 0, i;

	begin(SIZE);
	while (!pfm_compact_is_full(&buffer.hdr)) {
		nvalues[buffer.hdr.hdr_count] = random_below(&seed, PMDS + 1);
		sample = any_sample();
		write_one(&sample, nvalues[buffer.hdr.hdr_count]);
	}
	for (at = buffer.hdr.hdr_blocks_offs; n < buffer.hdr.hdr_count; at += BLOCK) {
		block = (const void *)(buffer.bytes + at);
		CHECK_EQ(block->block_first, n);
		CHECK(compact_block_begin(&decoded, block, block->block_bytes));
		for (i = 0; i < block->block_count; i++, n++) {
			CHECK(compact_block_next(&decoded));
			CHECK(!memcmp(&decoded.sample, &written[n].entry, sizeof(sample.entry)));
			CHECK_EQ(decoded.nvalues, nvalues[n]);
			CHECK(!memcmp(decoded.value, written[n].value, 8 * nvalues[n]));
		}
		CHECK(!compact_block_next(&decoded));
	}
}

static struct sample extreme(bool high)
{
	const __u64 ones = high ? ~0ULL >> 1 : 1ULL << 63;
	struct sample sample = {
		.entry = {
			.pid = (__s32)(high ? ~0U >> 1 : 1U << 31),
			.tid = (__s32)(high ? ~0U >> 1 : 1U << 31),
			.ovfl_pmd = high ? 0xffff : 0, .set = high ? 0xffff : 0,
			.cpu = high ? 0xffff : 0,
			.last_reset_val = high ? 1ULL << 63 : 0, .tstamp = ones,
			.ip = high ? 1ULL << 63 : 0,
		},
	};
	unsigned int i;

	for (i = 0; i < PMDS; i++)
		sample.value[i] = high ? 1ULL << 63 : 0;
	return sample;
}

TEST(the_largest_sample_has_its_size_and_no_more)
{
	pfm_compact_smpl_hdr_t *hdr = &buffer.hdr;
	__u8 to[PFM_COMPACT_SMPL_SAMPLE_MAX(PMDS)];
	struct sample low = extreme(false), high = extreme(true);
	size_t size;

	begin(SIZE);
	pfm_compact_begin(hdr, &low.entry);
	size = pfm_compact_sample(to, hdr, &high.entry, high.value, PMDS) - to;
	CHECK_LE(size, sizeof(to));
	/* The difference of the time is 2^64 - 1, that is, -1; and 20 is a number of one byte. */
	CHECK_EQ(size, sizeof(to) - 9 - 2);
	/* Like the sample before, and at the same time. */
	CHECK_EQ(pfm_compact_sample(to, hdr, &high.entry, high.value, 0) - to, 3);
	CHECK_EQ(pfm_compact_sample(to, hdr, &high.entry, high.value, 0) - to, 2);
	CHECK_EQ(to[0], 0);
	CHECK_EQ(to[1], 0);
}

/* A copy of the first @size bytes of the buffer; the address sanitizer reports a read behind it. */
static void *copy_of(size_t size)
{
	void *copy = malloc(size ?: 1);

	CHECK(copy);
	memcpy(copy, &buffer, size);
	return copy;
}

TEST(a_buffer_that_is_cut_off_gives_what_is_whole)
{
	struct batch batch;
	size_t size, last = 0;
	void *copy;

	begin(SIZE);
	fill();
	for (size = 0; size < sizeof(buffer); size++) {
		copy = copy_of(size);
		open_reader(copy, size);
		batch = take();
		CHECK_GE(batch.count, last);
		last = batch.count;
		expect(&batch, 0);
		close_reader();
		free(copy);
	}
	CHECK_GE(last + 1, buffer.hdr.hdr_count);
}

static pfm_compact_smpl_block_t *block_at(unsigned int i)
{
	return (void *)(buffer.bytes + buffer.hdr.hdr_blocks_offs + i * BLOCK);
}

/* One block lacks a sample of its own; the blocks before and after it are whole. */
static void expect_without(unsigned int i, __u64 kept)
{
	const __u64 first = block_at(i)->block_first, behind = block_at(i + 1)->block_first;
	struct batch batch, head, tail;

	open_reader(&buffer, sizeof(buffer));
	batch = take();
	CHECK_EQ(batch.count + behind - first - kept, buffer.hdr.hdr_count);
	head = batch;
	head.count = first + kept;
	expect(&head, 0);
	tail = batch;
	tail.samples = (const char *)batch.samples + head.count * batch.sample_size;
	tail.count -= head.count;
	expect(&tail, behind);
	close_reader();
}

TEST(a_damaged_block_costs_its_own_samples)
{
	pfm_compact_smpl_block_t kept;
	struct batch batch;
	unsigned int i;

	begin(SIZE);
	fill();
	for (i = 1; i < 10; i++) {
		kept = *block_at(i);
		block_at(i)->block_magic ^= 1;
		expect_without(i, 0);
		*block_at(i) = kept;
		block_at(i)->block_count = 1;
		expect_without(i, 1);
		*block_at(i) = kept;
	}
	for (i = 1; i < 20; i += 2) {
		/* Bits without a meaning, in the first sample. */
		*(__u8 *)(block_at(i) + 1) |= 0x40;
		if (i == 1)
			expect_without(i, 0);
	}
	open_reader(&buffer, sizeof(buffer));
	batch = take();
	CHECK(batch.count > buffer.hdr.hdr_count / 4);
	CHECK(batch.count < buffer.hdr.hdr_count / 4 * 3);
	close_reader();
}

/* A block whose only sample is these bytes. */
static bool decodes(const void *bytes, size_t size)
{
	pfm_compact_smpl_block_t header = { .block_magic = PFM_COMPACT_SMPL_MAGIC };
	char *memory = malloc(sizeof(header) + size);
	struct compact_block block;
	bool ok;

	CHECK(memory);
	memcpy(memory, &header, sizeof(header));
	memcpy(memory + sizeof(header), bytes, size);
	ok = compact_block_begin(&block, memory, sizeof(header) + size) &&
	     compact_block_next(&block);
	free(memory);
	return ok;
}

#define DECODES(...)								\
	decodes((const __u8[]){ __VA_ARGS__ }, sizeof((const __u8[]){ __VA_ARGS__ }))

TEST(bytes_that_are_no_sample_are_refused)
{
	CHECK(!decodes("", 0));
	CHECK(DECODES(0, 0));
	CHECK(!DECODES(0));
	CHECK(!DECODES(0, 0x80));
	CHECK(DECODES(0, 0x80, 0));
	/* Unknown members. */
	CHECK(!DECODES(0x40, 0));
	CHECK(!DECODES(0x80, 0));
	/* Numbers of 64 bits, and longer ones. */
	CHECK(DECODES(0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1));
	CHECK(!DECODES(0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2));
	CHECK(!DECODES(0, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 0));
	/* Members that are announced but missing. */
	CHECK(!DECODES(PFM_COMPACT_SMPL_TASK, 1, 1));
	CHECK(!DECODES(PFM_COMPACT_SMPL_PMD, 1, 1));
	CHECK(!DECODES(PFM_COMPACT_SMPL_CPU, 1));
	CHECK(!DECODES(PFM_COMPACT_SMPL_RESET, 1));
	CHECK(!DECODES(PFM_COMPACT_SMPL_IP, 1));
	CHECK(!DECODES(PFM_COMPACT_SMPL_NUM, 1));
	/* Values: more than possible, and fewer than announced. */
	CHECK(!DECODES(PFM_COMPACT_SMPL_NUM, 0, 2, 0));
	CHECK(DECODES(PFM_COMPACT_SMPL_NUM, 0, 2, 0, 0));
	CHECK(!DECODES(PFM_COMPACT_SMPL_NUM, 0, 0xc1, 2));
}

/* The reader ends, and returns at most one sample for each byte of the memory. */
static void read_anything(const void *memory, size_t size)
{
	struct batch batch;
	int i;

	open_reader(memory, size);
	for (i = 0; i < 3; i++) {
		batch = take();
		CHECK_LE(batch.count, size);
	}
	compact_reader.restart(reader);
	CHECK_LE(take().count, size);
	close_reader();
}

TEST(damage_does_no_harm_to_the_reader)
{
	unsigned int i, n, at;
	size_t size;
	__u8 *copy;

	begin(SIZE);
	fill();
	for (i = 0; i < 20000; i++) {
		size = random_once_in(&seed, 2) ? sizeof(buffer) : random_below(&seed, SIZE + 1);
		copy = copy_of(size);
		for (n = random_below(&seed, 40); n && size; n--) {
			/* Mostly the headers. */
			at = random_below(&seed, random_once_in(&seed, 2) ? 700 : SIZE) % size;
			copy[at] = (__u8)random_scaled(&seed);
		}
		read_anything(copy, size);
		free(copy);
	}
}

TEST(random_bytes_do_no_harm_to_the_reader)
{
	unsigned int i;
	size_t size, at;
	__u64 *memory;
	pfm_compact_smpl_hdr_t *hdr;

	for (i = 0; i < 20000; i++) {
		size = random_below(&seed, 4096) & ~7U;
		memory = malloc(size ?: 1);
		CHECK(memory);
		for (at = 0; at < size / 8; at++)
			memory[at] = random_scaled(&seed);
		/* Mostly with headers that lead the reader to the samples. */
		hdr = (void *)memory;
		if (size >= sizeof(*hdr) && !random_once_in(&seed, 4)) {
			hdr->hdr_blocks_offs = sizeof(*hdr);
			hdr->hdr_block_size = 8 * (9 + random_below(&seed, 60));
			hdr->hdr_earlier = 0;
			for (at = sizeof(*hdr); at + 72 <= size; at += hdr->hdr_block_size) {
				memory[at / 8] = PFM_COMPACT_SMPL_MAGIC |
						 (__u64)random_below(&seed, 1000) << 32;
				memory[at / 8 + 3] = at;
			}
		}
		read_anything(memory, size);
		free(memory);
	}
}
