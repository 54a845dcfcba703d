// SPDX-License-Identifier: GPL-2.0
/*
 * The stack sampling format: its argument, its header, the contents of a sample besides its chain,
 * and a full buffer. The contents of the chains are in chains.c.
 */
#include "full.h"
#include "process.h"
#include "stack.h"

#define PERIOD		1009
#define ROUNDS		50000
#define DEPTH		16

static const size_t header = sizeof(pfm_stack_smpl_hdr_t);

static size_t largest(unsigned int parts, unsigned int depth)
{
	return sizeof(pfm_stack_smpl_entry_t) + 8 * (count_pmds() + parts * depth);
}

/* Arguments. */

/* covers: D.13-1 */
TEST(bad_arguments_are_refused)
{
	const pfm_stack_smpl_arg_t bad[] = {
		STACK(SIZE, 0, DEPTH),
		STACK(SIZE, 4, DEPTH),
		STACK(SIZE, BOTH | 0x80000000, DEPTH),
		STACK(SIZE, BOTH, 0),
		STACK(SIZE, BOTH, PFM_STACK_SMPL_MAX_DEPTH + 1),
		STACK(SIZE, BOTH, 0xffff),
		{ .buf_size = SIZE, .buf_flags = BOTH, .buf_depth = DEPTH, .buf_pad = 1 },
		STACK(0, BOTH, DEPTH),
		STACK(header + largest(2, DEPTH) - 1, BOTH, DEPTH),
		STACK(header + largest(1, DEPTH) - 1, PFM_STACK_SMPL_USER, DEPTH),
		STACK(header + largest(1, 127) - 1, PFM_STACK_SMPL_KERNEL, 127),
	};
	size_t i;

	need_stack();
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_ERRNO(try_create_stack(0, bad[i]), EINVAL);
	CHECK_ERRNO(try_create_stack(0, STACK(~0ULL, BOTH, DEPTH)), ENOMEM);
}

/* covers: D.13-1 */
TEST(a_buffer_for_one_sample_is_enough)
{
	const pfm_stack_smpl_arg_t good[] = {
		STACK(header + largest(2, DEPTH), BOTH, DEPTH),
		STACK(header + largest(1, 1), PFM_STACK_SMPL_USER, 1),
		STACK(header + largest(1, 127), PFM_STACK_SMPL_KERNEL, 127),
	};
	size_t i;
	int fd;

	need_stack();
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		fd = try_create_stack(0, good[i]);
		CHECK_OK(fd);
		CHECK_OK(close(fd));
	}
}

/* covers: D.13-1 */
TEST(the_header_repeats_the_argument)
{
	struct stack stack = create_stack(0, STACK(SIZE, PFM_STACK_SMPL_USER, 77));
	const pfm_stack_smpl_hdr_t *hdr = stack.hdr;
	size_t i;

	CHECK_EQ(hdr->hdr_count, 0);
	CHECK_EQ(hdr->hdr_cur_offs, sizeof(*hdr));
	CHECK_EQ(hdr->hdr_overflows, 0);
	CHECK_EQ(hdr->hdr_buf_size, SIZE);
	CHECK_EQ(hdr->hdr_version, PFM_STACK_SMPL_VERSION);
	CHECK_EQ(hdr->hdr_flags, PFM_STACK_SMPL_USER);
	CHECK_EQ(hdr->hdr_depth, 77);
	for (i = 0; i < ARRAY_SIZE(hdr->hdr_reserved); i++)
		CHECK_EQ(hdr->hdr_reserved[i], 0);
}

/* Samples: those of the default format. */

static void choose(int fd)
{
	program(fd, (struct event){ .reg = 0, .period = PERIOD, .reset_pmds = BIT_ULL(2),
				    .smpl_pmds = BIT_ULL(1) | BIT_ULL(2) });
	program(fd, (struct event){ .reg = 3, .period = 3 * PERIOD });
	count_up(fd, 0, 1);
	count_up(fd, 0, 2);
	load_self(fd);
	start_rounds_stop(fd, ROUNDS);
}

/* Its samples have bodies of different sizes. */
static const pfm_default_smpl_entry_t *default_after(const pfm_default_smpl_entry_t *entry)
{
	return (const void *)(body_of(entry) + (entry->ovfl_pmd ? 0 : 2));
}

/* covers: D.13-2 */
TEST(samples_are_those_of_the_default_format)
{
	struct buffer buffer = create_buffer(0, SIZE, 0);
	const pfm_default_smpl_entry_t *expected = (const void *)first_sample(&buffer);
	const pfm_stack_smpl_entry_t *entry;
	struct stack stack;
	__u64 i;

	choose(buffer.fd);
	unload(buffer.fd);
	stack = create_stack(0, STACK(SIZE, BOTH, DEPTH));
	choose(stack.fd);
	check_samples(&stack);
	CHECK_GE(samples(&buffer), 200);
	CHECK_EQ(stack.hdr->hdr_count, samples(&buffer));
	for_each_sample(&stack, entry, i) {
		CHECK_EQ(entry->sample.pid, expected->pid);
		CHECK_EQ(entry->sample.tid, expected->tid);
		CHECK_EQ(entry->sample.ovfl_pmd, expected->ovfl_pmd);
		CHECK_EQ(entry->sample.set, expected->set);
		CHECK_EQ(entry->sample.last_reset_val, expected->last_reset_val);
		CHECK_EQ(entry->sample.ip, expected->ip);
		CHECK_EQ(entry->num_values, expected->ovfl_pmd ? 0 : 2);
		CHECK(!memcmp(values_of(entry), body_of(expected), 8 * entry->num_values));
		CHECK_GE(entry->user_frames, 1);
		expected = default_after(expected);
	}
}

/* covers: D.13-2 */
TEST(sets_have_samples_of_their_own)
{
	struct stack stack = create_stack(0, STACK(SIZE, BOTH, DEPTH));
	const pfm_stack_smpl_entry_t *entry;
	__u64 i, n[2] = { };
	__u16 set;

	create_set(stack.fd, (pfarg_setdesc_t){ .set_id = 7 });
	for (set = 0; set < 8; set += 7)
		program(stack.fd, (struct event){ .reg = set ? 2 : 0, .set = set,
						  .period = PERIOD });
	load_self(stack.fd);
	start_rounds_stop(stack.fd, ROUNDS);
	start_set(stack.fd, 7);
	stop(stack.fd);
	start_rounds_stop(stack.fd, ROUNDS);
	check_samples(&stack);
	for_each_sample(&stack, entry, i) {
		CHECK_EQ(entry->sample.ovfl_pmd, entry->sample.set ? 2 : 0);
		n[entry->sample.set == 7]++;
	}
	CHECK_GE(n[0], 200);
	CHECK_EQ(n[0], n[1]);
}

/* Those before were longer, so that a sample covers parts of two. */
/* covers: D.13-2 */
TEST(after_a_restart_samples_have_nothing_of_those_before)
{
	struct stack stack = create_stack(0, STACK(SIZE, BOTH, DEPTH));
	struct event event = { .reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1) };

	program(stack.fd, event);
	count_up(stack.fd, 0, 1);
	load_self(stack.fd);
	start_rounds_stop(stack.fd, ROUNDS);
	check_samples(&stack);
	CHECK_EQ(first_entry(&stack)->num_values, 1);
	event.smpl_pmds = 0;
	program(stack.fd, event);
	start(stack.fd);
	restart(stack.fd);
	stop(stack.fd);
	start_rounds_stop(stack.fd, ROUNDS);
	check_samples(&stack);
	CHECK_GE(stack.hdr->hdr_count, 100);
	CHECK_EQ(first_entry(&stack)->num_values, 0);
}

/* Buffers that get full. */

static void check_all(const struct full *full)
{
	check_samples(&(const struct stack){ .fd = full->fd, .hdr = (const void *)full->hdr });
}

/* A buffer with @room bytes for samples. */
static struct full create_small(size_t room, unsigned int depth)
{
	struct stack stack = create_stack(0, STACK(header + room, PFM_STACK_SMPL_USER, depth));

	return (struct full){
		.fd = stack.fd, .hdr = (const void *)stack.hdr, .header = header,
		.sample = offsetof(pfm_stack_smpl_entry_t, sample), .largest = largest(1, depth),
		.check = check_all,
	};
}

/* covers: D.13-3 */
TEST(a_full_buffer_masks_and_notifies_until_a_restart)
{
	/* Full if the largest sample does not fit: the chains of this program are not that deep. */
	const struct full full = create_small(3 * largest(1, 127), 127);

	fill_three_times(&full);
}

/* covers: D.13-3 */
TEST(the_largest_sample_may_end_with_the_buffer)
{
	const size_t one = sizeof(pfm_stack_smpl_entry_t) + 8;
	const struct full full = create_small(one + largest(1, 1), 1);

	fill_to_the_last_byte(&full, one);
}

/* covers: D.13-3 */
TEST(what_overflows_with_the_last_sample_is_lost)
{
	const struct full full = create_small(largest(1, 1), 1);

	fill_with_one_of_two(&full);
}

/* covers: D.13-3 */
TEST(a_restart_while_samples_come_empties_the_buffer)
{
	const struct full full = create_small(1000 * largest(1, DEPTH), DEPTH);

	empty_while_samples_come(&full);
}

/* covers: D.8-3 */
TEST(the_format_stays_while_it_is_used)
{
	if (remove_format(&stack_format, create_stack(0, STACK(SIZE, BOTH, DEPTH)).fd))
		CHECK_ERRNO(try_create_stack(0, STACK(SIZE, BOTH, DEPTH)), EINVAL);
	need_format(&stack_format);
	CHECK_OK(try_create_stack(0, STACK(SIZE, BOTH, DEPTH)));
}
