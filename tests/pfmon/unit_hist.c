// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of the histogram sampling format: what a table has got since the last look, whatever
 * its size; and tables that make no sense.
 */
#include "../harness.h"
#include "../fuzz/random.h"

#include <stdlib.h>

#include "../../tools/lib/session/hist.h"

#define SLOTS		50
#define MOST_VALUES	3
#define PERIOD		1009
#define TIME		12345

struct slot {
	pfm_hist_smpl_entry_t entry;
	__u64	sum[MOST_VALUES];
};

static union {
	pfm_hist_smpl_hdr_t	hdr;
	char			bytes[sizeof(pfm_hist_smpl_hdr_t) + SLOTS * sizeof(struct slot)];
} buffer;
static struct hist hist;
static struct random seed;

static void begin(unsigned int nvalues)
{
	memset(&buffer, 0, sizeof(buffer));
	buffer.hdr.hdr_slots = SLOTS;
	buffer.hdr.hdr_slot_size = (__u32)(sizeof(pfm_hist_smpl_entry_t) + nvalues * sizeof(__u64));
	hist_open(&hist, &buffer, sizeof(buffer));
	hist.time = TIME;
	hist.cpu = 7;
	hist.pid = 10;
	hist.tid = 11;
}

static pfm_hist_smpl_entry_t *entry_at(unsigned int slot)
{
	return (void *)(buffer.bytes + sizeof(buffer.hdr) + slot * buffer.hdr.hdr_slot_size);
}

/* As the format's handler does it: @n samples of a slot, whose sums are no counts. */
static void add(unsigned int slot, __u64 n)
{
	pfm_hist_smpl_entry_t *entry = entry_at(slot);

	if (!entry->count)
		*entry = (pfm_hist_smpl_entry_t){
			.ip = 0x1000 + slot, .pid = 12, .tid = 20 + (int)slot, .set = 3,
			.ovfl_pmd = (__u16)(slot % 4),
		};
	if (buffer.hdr.hdr_slot_size > sizeof(*entry))
		*(__u64 *)(entry + 1) += 1000000;
	entry->periods += n * PERIOD;
	entry->count += n;
	buffer.hdr.hdr_count += n;
}

static struct batch take(void)
{
	return hist_take(&hist, kept_size(0));
}

static const pfm_default_smpl_entry_t *sample_at(const struct batch *batch, __u64 i)
{
	return (const void *)((const char *)batch->samples + i * batch->sample_size);
}

TEST(each_slot_is_a_sample_that_stands_for_its_own)
{
	const pfm_default_smpl_entry_t *sample;
	struct batch batch;
	unsigned int nvalues;

	for (nvalues = 0; nvalues <= MOST_VALUES; nvalues++) {
		begin(nvalues);
		add(3, 1);
		add(SLOTS - 1, 1000000);
		batch = take();
		CHECK_EQ(batch.count, 2);
		CHECK_EQ(batch.sample_size, sizeof(*sample));
		CHECK_EQ(batch_total(&batch), 1000001);
		CHECK_EQ(batch.counts[0].samples, 1);
		CHECK_EQ(batch.counts[0].periods, PERIOD);
		CHECK_EQ(batch.counts[1].samples, 1000000);
		CHECK_EQ(batch.counts[1].periods, 1000000ULL * PERIOD);
		sample = sample_at(&batch, 1);
		CHECK_EQ(sample->ip, 0x1000 + SLOTS - 1);
		CHECK_EQ(sample->pid, 12);
		CHECK_EQ(sample->tid, 20 + SLOTS - 1);
		CHECK_EQ(sample->set, 3);
		CHECK_EQ(sample->ovfl_pmd, (SLOTS - 1) % 4);
		CHECK_EQ(-sample->last_reset_val, PERIOD);
		CHECK_EQ(sample->tstamp, TIME);
		CHECK_EQ(sample->cpu, 7);
		hist_close(&hist);
	}
}

TEST(entries_without_a_task_have_that_of_the_context)
{
	struct batch batch;

	begin(0);
	add(0, 1);
	entry_at(0)->pid = 0;
	entry_at(0)->tid = 0;
	batch = take();
	CHECK_EQ(sample_at(&batch, 0)->pid, 10);
	CHECK_EQ(sample_at(&batch, 0)->tid, 11);
	hist_close(&hist);
}

TEST(only_news_is_taken)
{
	struct batch batch;

	begin(0);
	CHECK(!hist_has_news(&hist));
	CHECK_EQ(take().count, 0);
	add(1, 5);
	add(2, 6);
	CHECK(hist_has_news(&hist));
	CHECK_EQ(take().count, 2);
	CHECK(!hist_has_news(&hist));
	CHECK_EQ(take().count, 0);
	add(2, 7);
	add(3, 8);
	batch = take();
	CHECK_EQ(batch.count, 2);
	CHECK_EQ(sample_at(&batch, 0)->ip, 0x1002);
	CHECK_EQ(batch.counts[0].samples, 7);
	CHECK_EQ(batch.counts[0].periods, 7 * PERIOD);
	CHECK_EQ(batch.counts[1].samples, 8);
	hist_close(&hist);
}

/* As often as wanted: nothing is there twice, and nothing is missing. */
TEST(all_looks_together_have_all_samples)
{
	__u64 samples[SLOTS] = { 0 }, all = 0, taken = 0, n, i;
	struct batch batch;
	unsigned int round, slot;

	begin(1);
	for (round = 0; round < 20000; round++) {
		slot = (unsigned int)random_u64(&seed) % SLOTS;
		n = random_scaled(&seed) >> 8;
		add(slot, n);
		samples[slot] += n;
		all += n;
		if (!random_once_in(&seed, 10) && round != 19999)
			continue;
		batch = take();
		taken += batch_total(&batch);
		for (i = 0; i < batch.count; i++)
			samples[sample_at(&batch, i)->ip - 0x1000] -= batch.counts[i].samples;
	}
	CHECK_EQ(taken, all);
	for (i = 0; i < SLOTS; i++)
		CHECK_EQ(samples[i], 0);
	hist_close(&hist);
}

/* The sum is written ahead of the count: such a difference is made up for at the next look. */
TEST(a_sum_that_is_ahead_of_its_count_is_not_taken_twice)
{
	struct batch batch;

	begin(0);
	add(4, 2);
	entry_at(4)->periods += PERIOD;
	batch = take();
	CHECK_EQ(batch.counts[0].periods, 3 * PERIOD);
	entry_at(4)->periods += PERIOD;
	CHECK_EQ(take().count, 0);
	entry_at(4)->count += 2;
	batch = take();
	CHECK_EQ(batch.counts[0].samples, 2);
	CHECK_EQ(batch.counts[0].periods, PERIOD);
	hist_close(&hist);
}

TEST(samples_without_a_slot_are_a_number)
{
	begin(0);
	add(0, 1);
	buffer.hdr.hdr_other_count = 77;
	buffer.hdr.hdr_count += 77;
	CHECK_EQ(hist_unplaced(&hist), 77);
	CHECK_EQ(take().count, 1);
	CHECK_EQ(hist_unplaced(&hist), 77);
	CHECK(!hist_has_news(&hist));
	buffer.hdr.hdr_other_count++;
	buffer.hdr.hdr_count++;
	CHECK(hist_has_news(&hist));
	CHECK_EQ(take().count, 0);
	CHECK(!hist_has_news(&hist));
	hist_close(&hist);
	CHECK_EQ(hist_unplaced(&hist), 0);
	CHECK(!hist_has_news(&hist));
	CHECK_EQ(take().count, 0);
}

/* The sanitizers see a slot that is read behind the buffer. */
TEST(slots_end_with_the_buffer)
{
	const size_t size = sizeof(buffer.hdr) + 10 * sizeof(pfm_hist_smpl_entry_t);
	char *copy;
	size_t cut;

	for (cut = 0; cut <= size; cut++) {
		begin(0);
		add(0, 1);
		add(9, 1);
		add(10, 1);
		buffer.hdr.hdr_slots = UINT32_MAX;
		copy = malloc(size - cut + 1);
		memcpy(copy, &buffer, size - cut);
		hist_open(&hist, copy, size - cut);
		CHECK_EQ(take().count, !cut ? 2 :
				       size - cut >= sizeof(buffer.hdr) + sizeof(pfm_hist_smpl_entry_t));
		hist_close(&hist);
		free(copy);
	}
}

TEST(slots_of_a_size_that_makes_no_sense_are_not_read)
{
	static const __u32 sizes[] = { 0, 8, sizeof(pfm_hist_smpl_entry_t) - 8,
				       sizeof(pfm_hist_smpl_entry_t) + 4, UINT32_MAX };
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		begin(0);
		add(0, 1);
		buffer.hdr.hdr_slot_size = sizes[i];
		CHECK_EQ(take().count, 0);
		hist_close(&hist);
	}
	/* The caller wants values, of which the table has sums at most. */
	begin(1);
	add(0, 1);
	CHECK_EQ(hist_take(&hist, kept_size(1)).count, 0);
	hist_close(&hist);
}

TEST(a_context_of_several_tasks_has_entries_for_each)
{
	CHECK_EQ(hist_argument(4096, false).buf_flags, 0);
	CHECK_EQ(hist_argument(4096, true).buf_flags, PFM_HIST_SMPL_PID | PFM_HIST_SMPL_TID);
	CHECK_EQ(hist_argument(4096, true).buf_size, 4096);
	CHECK_EQ(hist_argument(4096, true).buf_ip_shift, 0);
}
