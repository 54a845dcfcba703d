/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations of the format and of the tools that use it: its UUID, the argument with which a
 * tool creates a context, and the layout of the buffer. Members have fixed sizes and are
 * aligned, so that 32-bit tools see the same.
 */
#ifndef LAST_SMPL_H
#define LAST_SMPL_H

#include <linux/types.h>

/* Each format needs its own UUID: uuidgen(1) makes them. */
#define LAST_SMPL_UUID { \
	0xa5, 0xf4, 0x5c, 0x86, 0xb5, 0x0c, 0x4a, 0x7e, \
	0x90, 0x7b, 0x45, 0xd6, 0x0b, 0x0a, 0x27, 0x3e }

#define LAST_SMPL_MAX	0x100000

/* Follows the pfarg_ctx_t of PFM_CREATE_CONTEXT. */
struct last_smpl_arg {
	__aligned_u64	places;		/* a power of 2, up to LAST_SMPL_MAX */
};

/* The buffer. Sample number n, the first is 0, is in place n % places. */
struct last_smpl_buffer {
	__aligned_u64	count;		/* samples since the context was created */
	__aligned_u64	places;
	__aligned_u64	ip[];
};

#endif /* LAST_SMPL_H */
