/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a sample of AMD's Instruction-Based Sampling, from the values of its registers to
 * named fields.
 *
 * Facts: AMD64 Architecture Programmer's Manual, volume 2, "Instruction-Based Sampling"; the
 * registers from IBS_FETCH_CTL on in the Processor Programming References of families 17h and
 * 19h. Bits that earlier families lack are 0 there.
 */
#ifndef _FORMATS_IBS_DECODE_H
#define _FORMATS_IBS_DECODE_H

#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <uapi/perfmon_ibs_smpl.h>

/* The registers of a sample. */
enum {
	PFM_IBSR_FETCH_STATUS,
	PFM_IBSR_FETCH_LINADDR,
	PFM_IBSR_FETCH_PHYSADDR,
	PFM_IBSR_EXTD_CTL,
	PFM_IBSR_OP_RIP,
	PFM_IBSR_OP_DATA,
	PFM_IBSR_OP_DATA2,
	PFM_IBSR_OP_DATA3,
	PFM_IBSR_OP_DATA4,
	PFM_IBSR_DC_LINADDR,
	PFM_IBSR_DC_PHYSADDR,
	PFM_IBSR_TARGET,
	PFM_IBSR_END,
};

/**
 * struct pfm_ibs_values - The registers of a sample.
 * @value: of each; 0 if it is not known
 * @known: registers that are known, a bit each
 */
struct pfm_ibs_values {
	u64	value[PFM_IBSR_END];
	u32	known;
};

/* IBS_FETCH_CTL */
#define PFM_IBSR_FETCH_PHYS_VALID	BIT_ULL(52)

/* IBS_OP_DATA */
#define PFM_IBSR_OP_RIP_INVALID		BIT_ULL(38)

/* IBS_OP_DATA3 */
#define PFM_IBSR_L1_TLB_HIT_2M		BIT_ULL(4)
#define PFM_IBSR_L1_TLB_HIT_1G		BIT_ULL(5)
#define PFM_IBSR_L2_TLB_HIT_2M		BIT_ULL(6)
#define PFM_IBSR_LINADDR_VALID		BIT_ULL(17)
#define PFM_IBSR_PHYSADDR_VALID		BIT_ULL(18)
#define PFM_IBSR_L2_TLB_HIT_1G		BIT_ULL(19)

/* A bit of a register, and the flag for it. */
struct pfm_ibs_flag {
	u8	bit;
	u32	flag;
};

static const struct pfm_ibs_flag pfm_ibs_fetch_flags[] = {
	{ 50, PFM_IBS_SMPL_COMPLETE },
	{ 51, PFM_IBS_SMPL_IC_MISS },
	{ 55, PFM_IBS_SMPL_L1_TLB_MISS },
	{ 56, PFM_IBS_SMPL_L2_TLB_MISS },
	{ 58, PFM_IBS_SMPL_L2_MISS },
	{ 60, PFM_IBS_SMPL_OC_MISS },
	{ 61, PFM_IBS_SMPL_L3_MISS },
};

static const struct pfm_ibs_flag pfm_ibs_data_flags[] = {
	{ 34, PFM_IBS_SMPL_RETURN },
	{ 35, PFM_IBS_SMPL_TAKEN },
	{ 36, PFM_IBS_SMPL_MISPREDICTED },
	{ 37, PFM_IBS_SMPL_BRANCH },
	{ 39, PFM_IBS_SMPL_FUSED },
	{ 40, PFM_IBS_SMPL_MICROCODE },
};

static const struct pfm_ibs_flag pfm_ibs_data3_flags[] = {
	{ 0, PFM_IBS_SMPL_LOAD },
	{ 1, PFM_IBS_SMPL_STORE },
	{ 2, PFM_IBS_SMPL_L1_TLB_MISS },
	{ 3, PFM_IBS_SMPL_L2_TLB_MISS },
	{ 7, PFM_IBS_SMPL_DC_MISS },
	{ 8, PFM_IBS_SMPL_MISALIGNED },
	{ 13, PFM_IBS_SMPL_WRITE_COMBINING },
	{ 14, PFM_IBS_SMPL_UNCACHED },
	{ 15, PFM_IBS_SMPL_LOCKED },
	{ 20, PFM_IBS_SMPL_L2_MISS },
	{ 21, PFM_IBS_SMPL_PREFETCH },
};

static inline u32 pfm_ibs_flags(u64 value, const struct pfm_ibs_flag *flags, unsigned int n)
{
	u32 found = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (value & BIT_ULL(flags[i].bit))
			found |= flags[i].flag;
	}
	return found;
}

static inline bool pfm_ibs_knows(const struct pfm_ibs_values *values, unsigned int reg)
{
	return values->known & BIT(reg);
}

static inline bool pfm_ibs_has_flags(const pfm_ibs_smpl_entry_t *entry, u32 flags)
{
	return (entry->flags & flags) == flags;
}

/* Set the field @name of the sample, and mark it as known. */
#define pfm_ibs_set(entry, name, has, from)			\
do {								\
	(entry)->name = (from);					\
	(entry)->valid |= PFM_IBS_SMPL_HAS_##has;		\
} while (0)

/* As IbsL1TlbPgSz numbers them; 0: reserved. */
static inline u32 pfm_ibs_fetch_page(u64 status)
{
	static const u32 sizes[] = { SZ_4K, SZ_2M, SZ_1G, 0 };

	return sizes[status >> 53 & 3];
}

static inline void pfm_ibs_decode_fetch_page(pfm_ibs_smpl_entry_t *entry,
					     const struct pfm_ibs_values *values, u64 status)
{
	if (!(status & PFM_IBSR_FETCH_PHYS_VALID))
		return;
	if (pfm_ibs_knows(values, PFM_IBSR_FETCH_PHYSADDR))
		pfm_ibs_set(entry, physical, PHYSICAL, values->value[PFM_IBSR_FETCH_PHYSADDR]);
	if (pfm_ibs_fetch_page(status))
		pfm_ibs_set(entry, page_size, PAGE_SIZE, pfm_ibs_fetch_page(status));
}

/* @entry: with no field known yet */
static inline void pfm_ibs_decode_fetch(pfm_ibs_smpl_entry_t *entry,
					const struct pfm_ibs_values *values)
{
	const u64 status = values->value[PFM_IBSR_FETCH_STATUS];

	entry->kind = PFM_IBS_SMPL_FETCH;
	if (pfm_ibs_knows(values, PFM_IBSR_FETCH_LINADDR)) {
		pfm_ibs_set(entry, ip, IP, values->value[PFM_IBSR_FETCH_LINADDR]);
		pfm_ibs_set(entry, linear, LINEAR, values->value[PFM_IBSR_FETCH_LINADDR]);
	}
	if (!pfm_ibs_knows(values, PFM_IBSR_FETCH_STATUS))
		return;
	pfm_ibs_set(entry, flags, FETCH,
		    pfm_ibs_flags(status, pfm_ibs_fetch_flags, ARRAY_SIZE(pfm_ibs_fetch_flags)));
	pfm_ibs_set(entry, latency, LATENCY, (u16)(status >> 32));
	pfm_ibs_decode_fetch_page(entry, values, status);
	if (pfm_ibs_has_flags(entry, PFM_IBS_SMPL_L1_TLB_MISS) &&
	    pfm_ibs_knows(values, PFM_IBSR_EXTD_CTL))
		pfm_ibs_set(entry, tlb_latency, TLB_LATENCY, (u16)values->value[PFM_IBSR_EXTD_CTL]);
}

/* Retirement, and the branch that it may have been. */
static inline void pfm_ibs_decode_retire(pfm_ibs_smpl_entry_t *entry,
					 const struct pfm_ibs_values *values)
{
	const u64 data = values->value[PFM_IBSR_OP_DATA];

	if (pfm_ibs_knows(values, PFM_IBSR_OP_RIP) && !(data & PFM_IBSR_OP_RIP_INVALID))
		pfm_ibs_set(entry, ip, IP, values->value[PFM_IBSR_OP_RIP]);
	if (!pfm_ibs_knows(values, PFM_IBSR_OP_DATA))
		return;
	entry->flags = pfm_ibs_flags(data, pfm_ibs_data_flags, ARRAY_SIZE(pfm_ibs_data_flags));
	entry->completion_to_retire = (u16)data;
	pfm_ibs_set(entry, tag_to_retire, RETIRE, (u16)(data >> 16));
	if (pfm_ibs_has_flags(entry, PFM_IBS_SMPL_BRANCH | PFM_IBS_SMPL_TAKEN) &&
	    pfm_ibs_knows(values, PFM_IBSR_TARGET))
		pfm_ibs_set(entry, target, TARGET, values->value[PFM_IBSR_TARGET]);
}

/* The size of the page of the data, if a TLB had it; else 0. */
static inline u32 pfm_ibs_data_page(u64 data3, u32 flags)
{
	const bool missed = flags & PFM_IBS_SMPL_L1_TLB_MISS;

	if (missed && (flags & PFM_IBS_SMPL_L2_TLB_MISS))
		return 0;
	if (data3 & (missed ? PFM_IBSR_L2_TLB_HIT_1G : PFM_IBSR_L1_TLB_HIT_1G))
		return SZ_1G;
	if (data3 & (missed ? PFM_IBSR_L2_TLB_HIT_2M : PFM_IBSR_L1_TLB_HIT_2M))
		return SZ_2M;
	return SZ_4K;
}

static inline void pfm_ibs_decode_addresses(pfm_ibs_smpl_entry_t *entry,
					    const struct pfm_ibs_values *values, u64 data3)
{
	if ((data3 & PFM_IBSR_PHYSADDR_VALID) && pfm_ibs_knows(values, PFM_IBSR_DC_PHYSADDR))
		pfm_ibs_set(entry, physical, PHYSICAL, values->value[PFM_IBSR_DC_PHYSADDR]);
	if (!(data3 & PFM_IBSR_LINADDR_VALID))
		return;
	if (pfm_ibs_knows(values, PFM_IBSR_DC_LINADDR))
		pfm_ibs_set(entry, linear, LINEAR, values->value[PFM_IBSR_DC_LINADDR]);
	if (pfm_ibs_data_page(data3, entry->flags))
		pfm_ibs_set(entry, page_size, PAGE_SIZE, pfm_ibs_data_page(data3, entry->flags));
}

/* The source of the data of a load that missed both caches; 0 in the register: unknown. */
static inline void pfm_ibs_decode_source(pfm_ibs_smpl_entry_t *entry, u64 data2)
{
	const u8 source = (data2 & 7) | (data2 >> 6 & 3) << 3;

	if (!source || !pfm_ibs_has_flags(entry, PFM_IBS_SMPL_LOAD | PFM_IBS_SMPL_DC_MISS |
						 PFM_IBS_SMPL_L2_MISS))
		return;
	pfm_ibs_set(entry, source, SOURCE, source);
	if (data2 & BIT_ULL(4))
		entry->flags |= PFM_IBS_SMPL_REMOTE;
}

/* The memory access of the op. */
static inline void pfm_ibs_decode_memory(pfm_ibs_smpl_entry_t *entry,
					 const struct pfm_ibs_values *values)
{
	const u64 data3 = values->value[PFM_IBSR_OP_DATA3];
	const unsigned int width = data3 >> 22 & 0xf;

	pfm_ibs_set(entry, flags, MEMORY, entry->flags |
		    pfm_ibs_flags(data3, pfm_ibs_data3_flags, ARRAY_SIZE(pfm_ibs_data3_flags)));
	if (!(entry->flags & (PFM_IBS_SMPL_LOAD | PFM_IBS_SMPL_STORE)))
		return;
	pfm_ibs_decode_addresses(entry, values, data3);
	if (pfm_ibs_has_flags(entry, PFM_IBS_SMPL_LOAD | PFM_IBS_SMPL_DC_MISS))
		pfm_ibs_set(entry, latency, LATENCY, (u16)(data3 >> 32));
	if (pfm_ibs_has_flags(entry, PFM_IBS_SMPL_L1_TLB_MISS))
		pfm_ibs_set(entry, tlb_latency, TLB_LATENCY, (u16)(data3 >> 48));
	/* From a byte to 32 bytes. */
	if (width >= 1 && width <= 6)
		pfm_ibs_set(entry, width, WIDTH, 1 << (width - 1));
	if (pfm_ibs_knows(values, PFM_IBSR_OP_DATA2))
		pfm_ibs_decode_source(entry, values->value[PFM_IBSR_OP_DATA2]);
}

/* @entry: with no field known yet */
static inline void pfm_ibs_decode_op(pfm_ibs_smpl_entry_t *entry,
				     const struct pfm_ibs_values *values)
{
	entry->kind = PFM_IBS_SMPL_OP;
	pfm_ibs_decode_retire(entry, values);
	if (values->value[PFM_IBSR_OP_DATA4] & BIT_ULL(0))
		entry->flags |= PFM_IBS_SMPL_RESYNC;
	if (pfm_ibs_knows(values, PFM_IBSR_OP_DATA3))
		pfm_ibs_decode_memory(entry, values);
}

#endif /* _FORMATS_IBS_DECODE_H */
