// SPDX-License-Identifier: GPL-2.0
/* The code of the compact sampling format: perfmon_compact_smpl(5) describes it. */
#include <string.h>

#include "session/compact_block.h"

#define KNOWN	(PFM_COMPACT_SMPL_TASK | PFM_COMPACT_SMPL_PMD | PFM_COMPACT_SMPL_CPU | \
		 PFM_COMPACT_SMPL_RESET | PFM_COMPACT_SMPL_IP | PFM_COMPACT_SMPL_NUM)

bool compact_block_begin(struct compact_block *block, const void *memory, size_t size)
{
	pfm_compact_smpl_block_t header;

	if (size < sizeof(header))
		return false;
	memcpy(&header, memory, sizeof(header));
	if (header.block_magic != PFM_COMPACT_SMPL_MAGIC)
		return false;
	*block = (struct compact_block){
		.at = (const unsigned char *)memory + sizeof(header),
		.end = (const unsigned char *)memory + size,
		.sample = header.block_base,
	};
	return true;
}

/* 7 bits a byte, the lowest ones first. */
static bool take_number(struct compact_block *block, uint64_t *number)
{
	unsigned int shift = 0;
	unsigned char byte;

	*number = 0;
	do {
		if (block->at == block->end)
			return false;
		byte = *block->at++;
		if (shift == 63 && byte > 1)
			return false; /* more than 64 bits */
		*number |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return true;
}

/* Bit 0 is the sign. */
static bool take_difference(struct compact_block *block, uint64_t *value)
{
	uint64_t number;

	if (!take_number(block, &number))
		return false;
	*value += number >> 1 ^ -(number & 1);
	return true;
}

static bool take_s32(struct compact_block *block, int32_t *value)
{
	uint64_t wide = (uint32_t)*value;

	if (!take_difference(block, &wide))
		return false;
	*value = (int32_t)wide;
	return true;
}

static bool take_u16(struct compact_block *block, uint16_t *value)
{
	uint64_t wide = *value;

	if (!take_difference(block, &wide))
		return false;
	*value = (uint16_t)wide;
	return true;
}

static bool take_u64(struct compact_block *block, __u64 *value)
{
	uint64_t wide = *value;

	if (!take_difference(block, &wide))
		return false;
	*value = wide;
	return true;
}

static bool take_count(struct compact_block *block)
{
	uint64_t count;

	if (!take_number(block, &count) || count > PFM_MAX_PMDS)
		return false;
	block->nvalues = (size_t)count;
	return true;
}

/* The members up to the number of values, in their order. */
static bool take_entry(struct compact_block *block, unsigned int changed)
{
	pfm_default_smpl_entry_t *sample = &block->sample;

	if (changed & PFM_COMPACT_SMPL_TASK &&
	    (!take_s32(block, &sample->pid) || !take_s32(block, &sample->tid)))
		return false;
	if (changed & PFM_COMPACT_SMPL_PMD &&
	    (!take_u16(block, &sample->ovfl_pmd) || !take_u16(block, &sample->set)))
		return false;
	if (changed & PFM_COMPACT_SMPL_CPU && !take_u16(block, &sample->cpu))
		return false;
	if (changed & PFM_COMPACT_SMPL_RESET && !take_u64(block, &sample->last_reset_val))
		return false;
	if (!take_u64(block, &sample->tstamp))
		return false;
	if (changed & PFM_COMPACT_SMPL_IP && !take_u64(block, &sample->ip))
		return false;
	return !(changed & PFM_COMPACT_SMPL_NUM) || take_count(block);
}

bool compact_block_next(struct compact_block *block)
{
	unsigned int changed;
	size_t i;

	if (block->at == block->end)
		return false;
	changed = *block->at++;
	if (changed & ~(unsigned int)KNOWN || !take_entry(block, changed))
		return false;
	for (i = 0; i < block->nvalues; i++) {
		if (!take_difference(block, &block->value[i]))
			return false;
	}
	return true;
}
