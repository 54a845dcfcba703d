/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling with the stack format.
 */
#ifndef TESTS_ABI_STACK_H
#define TESTS_ABI_STACK_H

#include "sampling.h"

#include <perfmon_stack_smpl.h>

#define BOTH		(PFM_STACK_SMPL_KERNEL | PFM_STACK_SMPL_USER)
#define SIZE		(1 << 20)

#define STACK(size, flags, depth)						\
	((pfm_stack_smpl_arg_t){ .buf_size = (size), .buf_flags = (flags), .buf_depth = (depth) })

struct stack {
	int				fd;
	const pfm_stack_smpl_hdr_t	*hdr;
};

static const struct format stack_format = {
	"stack", PFM_STACK_SMPL_UUID, sizeof(pfm_stack_smpl_arg_t),
};

static inline void need_stack(void)
{
	need_format(&stack_format);
}

static inline int try_create_stack(__u32 flags, pfm_stack_smpl_arg_t arg)
{
	return try_create_formatted(&stack_format, flags, &arg, NULL);
}

static inline struct stack create_stack(__u32 flags, pfm_stack_smpl_arg_t arg)
{
	struct formatted made;

	need_stack();
	made = create_formatted(&stack_format, flags, &arg);
	set_nonblocking(made.fd);
	return (struct stack){ .fd = made.fd, .hdr = made.hdr };
}

/* Samples. */

static inline const pfm_stack_smpl_entry_t *first_entry(const struct stack *stack)
{
	return (const void *)(stack->hdr + 1);
}

static inline const pfm_stack_smpl_entry_t *next_entry(const pfm_stack_smpl_entry_t *entry)
{
	return (const void *)((const char *)entry + entry->size);
}

#define for_each_sample(stack, entry, i)					\
	for ((i) = 0, (entry) = first_entry(stack); (i) < (stack)->hdr->hdr_count;	\
	     (i)++, (entry) = next_entry(entry))

static inline const __u64 *values_of(const pfm_stack_smpl_entry_t *entry)
{
	return (const __u64 *)(entry + 1);
}

static inline const __u64 *kernel_of(const pfm_stack_smpl_entry_t *entry)
{
	return values_of(entry) + entry->num_values;
}

static inline const __u64 *user_of(const pfm_stack_smpl_entry_t *entry)
{
	return kernel_of(entry) + entry->kernel_frames;
}

static inline void check_part(__u32 wanted, unsigned int frames, unsigned int depth, bool cut)
{
	CHECK(wanted || (!frames && !cut));
	CHECK_LE(frames, depth);
	CHECK(!cut || frames == depth);
}

/* The fields of a sample's own description are right, whatever was sampled. */
static inline void check_entry(const struct stack *stack, const pfm_stack_smpl_entry_t *entry)
{
	const pfm_stack_smpl_hdr_t *hdr = stack->hdr;

	CHECK_EQ(entry->size, sizeof(*entry) + 8 * (entry->num_values + entry->kernel_frames +
						     entry->user_frames));
	CHECK_EQ(entry->reserved, 0);
	CHECK_EQ(entry->chain_flags & ~BOTH, 0);
	check_part(hdr->hdr_flags & PFM_STACK_SMPL_KERNEL, entry->kernel_frames,
		   hdr->hdr_depth, entry->chain_flags & PFM_STACK_SMPL_KERNEL_CUT);
	check_part(hdr->hdr_flags & PFM_STACK_SMPL_USER, entry->user_frames, hdr->hdr_depth,
		   entry->chain_flags & PFM_STACK_SMPL_USER_CUT);
	if (entry->kernel_frames)
		CHECK_EQ(kernel_of(entry)[0], entry->sample.ip);
	else if (entry->user_frames && (hdr->hdr_flags & PFM_STACK_SMPL_KERNEL))
		CHECK_EQ(user_of(entry)[0], entry->sample.ip);
}

/* The header describes the contents. No event is counted meanwhile. */
static inline void check_samples(const struct stack *stack)
{
	const pfm_stack_smpl_entry_t *entry;
	__u64 i;

	for_each_sample(stack, entry, i)
		check_entry(stack, entry);
	CHECK_EQ((const char *)entry - (const char *)stack->hdr, stack->hdr->hdr_cur_offs);
	check_ledger(stack->fd);
}

#endif /* TESTS_ABI_STACK_H */
