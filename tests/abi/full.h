/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Full buffers of formats whose header begins as that of the default format, and whose samples
 * begin with their size.
 */
#ifndef TESTS_ABI_FULL_H
#define TESTS_ABI_FULL_H

#include "sampling.h"

#define FULL_PERIOD	1009
#define FULL_ROUNDS	50000

struct full {
	int				fd;
	const pfm_default_smpl_hdr_t	*hdr;
	size_t				header;		/* bytes of the format's own */
	size_t				sample;		/* where a sample has the common members */
	size_t				largest;	/* bytes that a sample may have */
	void				(*check)(const struct full *full);	/* all samples */
};

/* Before each sample but the last, the largest one would have fit. */
static inline void check_filled(const struct full *full)
{
	size_t offset = full->header;
	__u64 i;

	CHECK(full->hdr->hdr_buf_size - full->hdr->hdr_cur_offs < full->largest);
	for (i = 0; i < full->hdr->hdr_count; i++) {
		CHECK_GE(full->hdr->hdr_buf_size - offset, full->largest);
		offset += *(const __u32 *)((const char *)full->hdr + offset);
	}
}

/* The buffer takes three samples at least. */
static inline void fill_three_times(const struct full *full)
{
	const pfm_default_smpl_hdr_t *hdr = full->hdr;
	__u64 n, round;

	program(full->fd, (struct event){ .reg = 0, .period = FULL_PERIOD, .flags = NOTIFY });
	load_self(full->fd);
	for (round = 1; round < 4; round++) {
		start_rounds_stop(full->fd, FULL_ROUNDS);
		CHECK(is_masked(full->fd));
		expect_overflow(full->fd, 0, BIT_ULL(0));
		CHECK(!has_message(full->fd));
		full->check(full);
		check_filled(full);
		CHECK_EQ(hdr->hdr_overflows, round);
		n = hdr->hdr_count;
		CHECK_GE(n, 3);
		/* Masked: no sample is recorded. */
		start_rounds_stop(full->fd, FULL_ROUNDS);
		CHECK_EQ(hdr->hdr_count, n);
		restart(full->fd);
		CHECK_EQ(hdr->hdr_count, 0);
		CHECK_EQ(hdr->hdr_cur_offs, full->header);
		CHECK(!is_masked(full->fd));
	}
	CHECK_EQ(ledger(full->fd, "lost-full"), 0);
}

/* Samples have @size bytes; behind the first one is room for exactly the largest. */
static inline void fill_to_the_last_byte(const struct full *full, size_t size)
{
	CHECK_EQ(full->hdr->hdr_buf_size, full->header + size + full->largest);
	program(full->fd, (struct event){ .reg = 0, .period = FULL_PERIOD, .flags = NOTIFY });
	load_self(full->fd);
	start_rounds_stop(full->fd, FULL_ROUNDS);
	CHECK(is_masked(full->fd));
	CHECK_EQ(full->hdr->hdr_count, 2);
	CHECK_EQ(full->hdr->hdr_cur_offs, full->header + 2 * size);
	full->check(full);
}

/* The buffer takes one sample; two counters overflow at once. */
static inline void fill_with_one_of_two(const struct full *full)
{
	const pfm_default_smpl_entry_t *sample =
		(const void *)((const char *)full->hdr + full->header + full->sample);

	program(full->fd, (struct event){ .reg = 0, .period = FULL_PERIOD, .flags = NOTIFY });
	program(full->fd, (struct event){ .reg = 2, .period = FULL_PERIOD, .flags = NOTIFY });
	load_self(full->fd);
	start_rounds_stop(full->fd, FULL_ROUNDS);
	CHECK_EQ(full->hdr->hdr_count, 1);
	CHECK_EQ(sample->ovfl_pmd, 0);
	full->check(full);
	expect_overflow(full->fd, 0, BIT_ULL(0) | BIT_ULL(2));
	CHECK_EQ(ledger(full->fd, "recorded"), 1);
	CHECK_EQ(ledger(full->fd, "lost-full"), 1);
}

static inline void empty_while_samples_come(const struct full *full)
{
	program(full->fd, (struct event){ .reg = 0, .period = FULL_PERIOD });
	load_self(full->fd);
	start_rounds_stop(full->fd, FULL_ROUNDS);
	CHECK(full->hdr->hdr_count > 0);
	start(full->fd);
	restart(full->fd);
	stop(full->fd);
	CHECK_LE(full->hdr->hdr_count, 1);
	full->check(full);
}

#endif /* TESTS_ABI_FULL_H */
