/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling with the default format, and code of which the instructions and their
 * addresses are known.
 */
#ifndef TESTS_ABI_SAMPLING_H
#define TESTS_ABI_SAMPLING_H

#include "format.h"
#include "overflow.h"

#include <perfmon_default_smpl.h>

#define HDR_SIZE	sizeof(pfm_default_smpl_hdr_t)
#define ENTRY_SIZE	sizeof(pfm_default_smpl_entry_t)

static const struct format default_format = {
	"default", PFM_DEFAULT_SMPL_UUID, sizeof(pfm_default_smpl_arg_t),
};

struct smpl_ctx {
	pfarg_ctx_t		ctx;
	pfm_default_smpl_arg_t	smpl;
};

/* A context with the default format and its buffer. */
struct buffer {
	int				fd;
	size_t				size;	/* of the mapping */
	const pfm_default_smpl_hdr_t	*hdr;
	__u32				flags;
};

static inline struct smpl_ctx smpl_argument(__u32 flags, __u64 size, __u32 buf_flags)
{
	return (struct smpl_ctx){
		.ctx = { .ctx_flags = flags, .ctx_fd = -1,
			 .ctx_smpl_buf_id = PFM_DEFAULT_SMPL_UUID },
		.smpl = { .buf_size = size, .buf_flags = buf_flags },
	};
}

static inline int try_create_smpl(__u32 flags, __u64 size, __u32 buf_flags)
{
	const pfm_default_smpl_arg_t arg = { .buf_size = size, .buf_flags = buf_flags };

	return try_create_formatted(&default_format, flags, &arg, NULL);
}

static inline struct buffer create_buffer(__u32 flags, __u64 size, __u32 buf_flags)
{
	const pfm_default_smpl_arg_t arg = { .buf_size = size, .buf_flags = buf_flags };
	struct formatted made;

	need_pmu();
	made = create_formatted(&default_format, flags, &arg);
	return (struct buffer){
		.fd = made.fd, .size = made.size, .hdr = made.hdr, .flags = buf_flags,
	};
}

static inline size_t sample_header_size(__u32 buf_flags)
{
	if (buf_flags & PFM_DFL_SMPL_NO_HDR)
		return 0;
	return buf_flags & PFM_DFL_SMPL_IIP_HDR ? 8 : ENTRY_SIZE;
}

static inline size_t largest_sample(__u32 buf_flags)
{
	return sample_header_size(buf_flags) + 8 * count_pmds();
}

/*
 * How many samples with bodies of @values fit: the buffer is full as soon as the remaining space is
 * smaller than the largest possible sample.
 */
static inline __u64 capacity(const struct buffer *buffer, unsigned int values)
{
	size_t sample = sample_header_size(buffer->flags) + 8 * values;
	size_t room = buffer->hdr->hdr_buf_size - HDR_SIZE, largest = largest_sample(buffer->flags);
	__u64 n = 0;

	while (room >= largest) {
		room -= sample;
		n++;
	}
	return n;
}

static inline const char *first_sample(const struct buffer *buffer)
{
	return (const char *)buffer->hdr + HDR_SIZE;
}

/* Sample @i of a buffer whose samples have bodies of @values each. */
static inline const pfm_default_smpl_entry_t *entry_at(const struct buffer *buffer, __u64 i,
							unsigned int values)
{
	return (const void *)(first_sample(buffer) + i * (ENTRY_SIZE + 8 * values));
}

static inline const __u64 *body_of(const pfm_default_smpl_entry_t *entry)
{
	return (const __u64 *)(entry + 1);
}

/*
 * A loop of eight instructions a round, started and stopped like start_loop_stop(). The emulated
 * PMU counts BEFORE_LOOP instructions before the first of them; the instruction behind the loop
 * ends a sample as well.
 */
#define ROUND		8
#define BEFORE_LOOP	1

static inline __u64 start_rounds_stop(int fd, __u64 n)
{
	const struct raw_call start = raw_start(fd), stop = raw_stop(fd);
	long results[2];
	__u64 first;

	if (soft_pmu) {
		CHECK_OK(try_start(fd));
		first = inject(ROUND * n);
		CHECK_OK(try_stop(fd));
		return first;
	}
	first = arch_start_rounds_stop(raw_fd(fd), n, &start, &stop, results);
	CHECK_EQ(results[0], 0);
	CHECK_EQ(results[1], 0);
	return first;
}

/* The instruction before which the interrupt after @count instructions comes. */
static inline __u64 expected_ip(__u64 first, __u64 count)
{
	/* All injected events happen at the same address. */
	if (soft_pmu)
		return first;
	return first + round_offset((count - BEFORE_LOOP) % ROUND);
}

/* Sample ourselves with register 0; register 1 counts. */
static inline void sample_self(const struct buffer *buffer, __u64 period, __u32 flags)
{
	program(buffer->fd, (struct event){ .reg = 0, .flags = flags, .period = period });
	count_up(buffer->fd, 0, 1);
	load_self(buffer->fd);
}

static inline __u64 samples(const struct buffer *buffer)
{
	return __atomic_load_n(&buffer->hdr->hdr_count, __ATOMIC_SEQ_CST);
}

#endif /* TESTS_ABI_SAMPLING_H */
