// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of the histogram sampling format: perfmon_hist_smpl(5) describes it. Counts only grow
 * and no slot becomes free, so the difference to the counts of the last look is what came since:
 * nothing is lost and nothing is there twice, however often the table is read.
 */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "session/hist.h"
#include "session/reader.h"
#include "session/sampler.h"

pfm_hist_smpl_arg_t hist_argument(uint64_t size, bool tasks)
{
	return (pfm_hist_smpl_arg_t){
		.buf_size = size,
		.buf_flags = tasks ? PFM_HIST_SMPL_PID | PFM_HIST_SMPL_TID : 0,
	};
}

void hist_open(struct hist *hist, const void *buffer, size_t mapped)
{
	*hist = (struct hist){ .header = buffer, .mapped = mapped };
}

bool hist_has_news(const struct hist *hist)
{
	return hist->header &&
	       __atomic_load_n(&hist->header->hdr_count, __ATOMIC_ACQUIRE) != hist->looked;
}

/* The number of slots, as far as they are in the buffer. */
static size_t slots_of(const struct hist *hist)
{
	const pfm_hist_smpl_hdr_t *header = hist->header;
	size_t most;

	if (hist->mapped < sizeof(*header) || header->hdr_slot_size % sizeof(uint64_t) ||
	    header->hdr_slot_size < sizeof(pfm_hist_smpl_entry_t))
		return 0;
	most = (hist->mapped - sizeof(*header)) / header->hdr_slot_size;
	return header->hdr_slots < most ? header->hdr_slots : most;
}

static const pfm_hist_smpl_entry_t *entry_at(const struct hist *hist, size_t slot)
{
	return (const void *)((const char *)(hist->header + 1) + slot * hist->header->hdr_slot_size);
}

static void put(struct hist *hist, uint64_t number, const pfm_hist_smpl_entry_t *entry,
		const struct batch_count *count)
{
	const pfm_default_smpl_entry_t sample = {
		.pid = entry->pid ?: hist->pid, .tid = entry->tid ?: hist->tid,
		.ovfl_pmd = entry->ovfl_pmd, .set = entry->set,
		.cpu = hist->cpu,
		.last_reset_val = -(count->periods / count->samples),
		.tstamp = hist->time,
		.ip = entry->ip,
	};

	kept_put(&hist->kept, number, &sample, &hist->time, 0);
	GROW(hist->counts, number, hist->room);
	hist->counts[number] = *count;
}

/* The new samples of a slot. During monitoring the sum can be one sample ahead. */
static struct batch_count news_of(struct hist *hist, size_t slot)
{
	const pfm_hist_smpl_entry_t *entry = entry_at(hist, slot);
	struct batch_count *taken = &hist->taken[slot], now, news = { 0 };

	/* The entry's other members are there before its first count. */
	now.samples = __atomic_load_n(&entry->count, __ATOMIC_ACQUIRE);
	if (now.samples == taken->samples)
		return news;
	now.periods = __atomic_load_n(&entry->periods, __ATOMIC_RELAXED);
	news.samples = now.samples - taken->samples;
	news.periods = now.periods - taken->periods;
	*taken = now;
	return news;
}

struct batch hist_take(struct hist *hist, size_t sample_size)
{
	const size_t slots = hist->header ? slots_of(hist) : 0;
	struct batch batch = { .sample_size = sample_size };
	struct batch_count count;
	size_t slot;

	if (!slots || sample_size != kept_size(0))
		return batch;
	if (!hist->taken)
		hist->taken = xcalloc(slots, sizeof(*hist->taken));
	/* A sample that comes meanwhile is seen now or at the next look: the count is older. */
	hist->looked = __atomic_load_n(&hist->header->hdr_count, __ATOMIC_ACQUIRE);
	for (slot = 0; slot < slots; slot++) {
		count = news_of(hist, slot);
		if (count.samples)
			put(hist, batch.count++, entry_at(hist, slot), &count);
	}
	batch.samples = hist->kept.samples;
	batch.counts = hist->counts;
	return batch;
}

uint64_t hist_unplaced(const struct hist *hist)
{
	return hist->header ? __atomic_load_n(&hist->header->hdr_other_count, __ATOMIC_RELAXED) : 0;
}

void hist_close(struct hist *hist)
{
	kept_free(&hist->kept);
	free(hist->taken);
	free(hist->counts);
	*hist = (struct hist){ .header = NULL };
}

/* These as a reader of contexts. */

static void put_argument(void *argument, const struct sampling *sampling, uint64_t size)
{
	const pfm_hist_smpl_arg_t arg = hist_argument(size, sampling->system_wide);

	memcpy(argument, &arg, sizeof(arg));
}

static bool open_buffer(void *state, int fd, const void *buffer, size_t mapped)
{
	(void)fd;
	hist_open(state, buffer, mapped);
	return true;
}

static struct batch take(void *state, size_t sample_size)
{
	return hist_take(state, sample_size);
}

/* A table has no end where monitoring would stop. */
static bool waits(const void *state)
{
	(void)state;
	return false;
}

static void close_buffer(void *state)
{
	hist_close(state);
}

const struct sampling_reader hist_reader = {
	.name = "hist", .gives = "sums of samples", .uuid = PFM_HIST_SMPL_UUID,
	.state_size = sizeof(struct hist), .argument = put_argument, .open = open_buffer,
	.take = take, .waits = waits, .close = close_buffer,
};

struct hist *hist_of(const struct sampler *sampler)
{
	return sampler->reader == &hist_reader ? sampler->state : NULL;
}
