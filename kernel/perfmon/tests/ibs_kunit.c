// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the ibs format's decoder: registers as AMD's manuals describe them, and the
 * fields of the sample.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "../../../formats/ibs_decode.h"

#define ALL		GENMASK(PFM_IBSR_END - 1, 0)

/* IBS_OP_DATA3 */
#define LOAD		BIT_ULL(0)
#define STORE		BIT_ULL(1)
#define L1_TLB_MISS	BIT_ULL(2)
#define L2_TLB_MISS	BIT_ULL(3)
#define DC_MISS		BIT_ULL(7)
#define LIN_VALID	BIT_ULL(17)
#define PHY_VALID	BIT_ULL(18)
#define L2_MISS		BIT_ULL(20)

/* IBS_OP_DATA */
#define TAKEN		BIT_ULL(35)
#define RIP_INVALID	BIT_ULL(38)
#define BRANCH		BIT_ULL(37)

/* IBS_FETCH_CTL */
#define PHY_ADDR_VALID	BIT_ULL(52)
#define FETCH_TLB_MISS	BIT_ULL(55)

struct flag_row {
	unsigned int	bit;
	u32		flag;
};

static pfm_ibs_smpl_entry_t op(const struct pfm_ibs_values *values)
{
	pfm_ibs_smpl_entry_t entry = { };

	pfm_ibs_decode_op(&entry, values);
	return entry;
}

static pfm_ibs_smpl_entry_t fetch(const struct pfm_ibs_values *values)
{
	pfm_ibs_smpl_entry_t entry = { };

	pfm_ibs_decode_fetch(&entry, values);
	return entry;
}

/* An op with only this value of IBS_OP_DATA3, and addresses. */
static pfm_ibs_smpl_entry_t memory_op(u64 data3)
{
	const struct pfm_ibs_values values = {
		.value[PFM_IBSR_OP_DATA3] = data3,
		.value[PFM_IBSR_DC_LINADDR] = 0x7f0012345678,
		.value[PFM_IBSR_DC_PHYSADDR] = 0x12345678,
		.known = ALL,
	};

	return op(&values);
}

static pfm_ibs_smpl_entry_t fetch_of(u64 status)
{
	const struct pfm_ibs_values values = {
		.value[PFM_IBSR_FETCH_STATUS] = status,
		.value[PFM_IBSR_FETCH_LINADDR] = 0xffffffff81000040,
		.value[PFM_IBSR_FETCH_PHYSADDR] = 0x1000040,
		.value[PFM_IBSR_EXTD_CTL] = 0xabcd0000001f,
		.known = ALL,
	};

	return fetch(&values);
}

static u32 expected(const struct flag_row *rows, size_t n, unsigned int bit)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (rows[i].bit == bit)
			return rows[i].flag;
	}
	return 0;
}

/* covers: D.15-8 */
static void each_bit_of_a_branch_is_its_flag(struct kunit *test)
{
	static const struct flag_row rows[] = {
		{ 34, PFM_IBS_SMPL_RETURN }, { 35, PFM_IBS_SMPL_TAKEN },
		{ 36, PFM_IBS_SMPL_MISPREDICTED }, { 37, PFM_IBS_SMPL_BRANCH },
		{ 39, PFM_IBS_SMPL_FUSED }, { 40, PFM_IBS_SMPL_MICROCODE },
	};
	unsigned int i;

	for (i = 0; i < 64; i++) {
		const struct pfm_ibs_values values = {
			.value[PFM_IBSR_OP_DATA] = BIT_ULL(i), .known = ALL,
		};

		KUNIT_EXPECT_EQ_MSG(test, op(&values).flags, expected(rows, ARRAY_SIZE(rows), i),
				    "bit %u", i);
	}
}

/* covers: D.15-8 */
static void each_bit_of_an_access_is_its_flag(struct kunit *test)
{
	static const struct flag_row rows[] = {
		{ 0, PFM_IBS_SMPL_LOAD }, { 1, PFM_IBS_SMPL_STORE },
		{ 2, PFM_IBS_SMPL_L1_TLB_MISS }, { 3, PFM_IBS_SMPL_L2_TLB_MISS },
		{ 7, PFM_IBS_SMPL_DC_MISS }, { 8, PFM_IBS_SMPL_MISALIGNED },
		{ 13, PFM_IBS_SMPL_WRITE_COMBINING }, { 14, PFM_IBS_SMPL_UNCACHED },
		{ 15, PFM_IBS_SMPL_LOCKED }, { 20, PFM_IBS_SMPL_L2_MISS },
		{ 21, PFM_IBS_SMPL_PREFETCH },
	};
	unsigned int i;

	for (i = 0; i < 64; i++)
		KUNIT_EXPECT_EQ_MSG(test, memory_op(BIT_ULL(i)).flags,
				    expected(rows, ARRAY_SIZE(rows), i), "bit %u", i);
}

/* covers: D.15-8 */
static void each_bit_of_a_fetch_is_its_flag(struct kunit *test)
{
	static const struct flag_row rows[] = {
		{ 50, PFM_IBS_SMPL_COMPLETE }, { 51, PFM_IBS_SMPL_IC_MISS },
		{ 55, PFM_IBS_SMPL_L1_TLB_MISS }, { 56, PFM_IBS_SMPL_L2_TLB_MISS },
		{ 58, PFM_IBS_SMPL_L2_MISS }, { 60, PFM_IBS_SMPL_OC_MISS },
		{ 61, PFM_IBS_SMPL_L3_MISS },
	};
	unsigned int i;

	for (i = 0; i < 64; i++)
		KUNIT_EXPECT_EQ_MSG(test, fetch_of(BIT_ULL(i)).flags,
				    expected(rows, ARRAY_SIZE(rows), i), "bit %u", i);
}

static void cycles_until_retirement(struct kunit *test)
{
	const struct pfm_ibs_values values = {
		.value[PFM_IBSR_OP_DATA] = 0x12345678, .known = BIT(PFM_IBSR_OP_DATA),
	};
	const pfm_ibs_smpl_entry_t entry = op(&values);

	KUNIT_EXPECT_EQ(test, entry.kind, PFM_IBS_SMPL_OP);
	KUNIT_EXPECT_EQ(test, entry.valid, PFM_IBS_SMPL_HAS_RETIRE);
	KUNIT_EXPECT_EQ(test, entry.completion_to_retire, 0x5678);
	KUNIT_EXPECT_EQ(test, entry.tag_to_retire, 0x1234);
}

static void an_invalid_address_of_an_op_is_not_shown(struct kunit *test)
{
	struct pfm_ibs_values values = {
		.value[PFM_IBSR_OP_RIP] = 0x401000, .known = ALL,
	};

	KUNIT_EXPECT_EQ(test, op(&values).ip, 0x401000ULL);
	KUNIT_EXPECT_TRUE(test, op(&values).valid & PFM_IBS_SMPL_HAS_IP);
	values.value[PFM_IBSR_OP_DATA] = RIP_INVALID;
	KUNIT_EXPECT_EQ(test, op(&values).ip, 0ULL);
	KUNIT_EXPECT_FALSE(test, op(&values).valid & PFM_IBS_SMPL_HAS_IP);
}

static void only_taken_branches_have_a_target(struct kunit *test)
{
	static const u64 data[] = { 0, TAKEN, BRANCH, BRANCH | TAKEN };
	struct pfm_ibs_values values = {
		.value[PFM_IBSR_TARGET] = 0x402000, .known = ALL,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(data); i++) {
		values.value[PFM_IBSR_OP_DATA] = data[i];
		KUNIT_EXPECT_EQ(test, op(&values).target, i == 3 ? 0x402000ULL : 0ULL);
		KUNIT_EXPECT_EQ(test, !!(op(&values).valid & PFM_IBS_SMPL_HAS_TARGET), i == 3);
	}
}

static void addresses_of_data_have_bits_of_their_own(struct kunit *test)
{
	pfm_ibs_smpl_entry_t entry = memory_op(LOAD);
	const u32 both = PFM_IBS_SMPL_HAS_LINEAR | PFM_IBS_SMPL_HAS_PHYSICAL;

	KUNIT_EXPECT_EQ(test, entry.valid & (both | PFM_IBS_SMPL_HAS_PAGE_SIZE), 0U);
	KUNIT_EXPECT_EQ(test, entry.linear | entry.physical, 0ULL);
	entry = memory_op(STORE | LIN_VALID);
	KUNIT_EXPECT_EQ(test, entry.valid & both, PFM_IBS_SMPL_HAS_LINEAR);
	KUNIT_EXPECT_EQ(test, entry.linear, 0x7f0012345678ULL);
	KUNIT_EXPECT_EQ(test, entry.physical, 0ULL);
	entry = memory_op(LOAD | PHY_VALID);
	KUNIT_EXPECT_EQ(test, entry.valid & both, PFM_IBS_SMPL_HAS_PHYSICAL);
	KUNIT_EXPECT_EQ(test, entry.linear, 0ULL);
	KUNIT_EXPECT_EQ(test, entry.physical, 0x12345678ULL);
	/* Neither a load nor a store. */
	entry = memory_op(LIN_VALID | PHY_VALID);
	KUNIT_EXPECT_EQ(test, entry.valid & both, 0U);
	KUNIT_EXPECT_EQ(test, entry.linear | entry.physical, 0ULL);
}

/* The TLB that had the page says how large it is. */
static void pages_of_data_have_sizes(struct kunit *test)
{
	static const struct {
		u64	data3;
		u32	size;
	} rows[] = {
		{ 0, 4096 },
		{ BIT_ULL(4), 2 << 20 },
		{ BIT_ULL(5), 1 << 30 },
		{ BIT_ULL(6) | BIT_ULL(19), 4096 },
		{ L1_TLB_MISS, 4096 },
		{ L1_TLB_MISS | BIT_ULL(6), 2 << 20 },
		{ L1_TLB_MISS | BIT_ULL(19), 1 << 30 },
		{ L1_TLB_MISS | BIT_ULL(4) | BIT_ULL(5), 4096 },
		{ L1_TLB_MISS | L2_TLB_MISS, 0 },
	};
	pfm_ibs_smpl_entry_t entry;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		entry = memory_op(LOAD | LIN_VALID | rows[i].data3);
		KUNIT_EXPECT_EQ_MSG(test, entry.page_size, rows[i].size, "row %u", i);
		KUNIT_EXPECT_EQ(test, !!(entry.valid & PFM_IBS_SMPL_HAS_PAGE_SIZE), !!rows[i].size);
	}
}

static void a_load_that_missed_has_latencies(struct kunit *test)
{
	const u64 latencies = 0x1234ULL << 48 | 0x5678ULL << 32;
	const u32 both = PFM_IBS_SMPL_HAS_LATENCY | PFM_IBS_SMPL_HAS_TLB_LATENCY;
	pfm_ibs_smpl_entry_t entry = memory_op(LOAD | latencies);

	KUNIT_EXPECT_EQ(test, entry.valid & both, 0U);
	KUNIT_EXPECT_EQ(test, entry.latency | entry.tlb_latency, 0);
	entry = memory_op(LOAD | DC_MISS | latencies);
	KUNIT_EXPECT_EQ(test, entry.valid & both, PFM_IBS_SMPL_HAS_LATENCY);
	KUNIT_EXPECT_EQ(test, entry.latency, 0x5678);
	KUNIT_EXPECT_EQ(test, entry.tlb_latency, 0);
	entry = memory_op(STORE | DC_MISS | L1_TLB_MISS | latencies);
	KUNIT_EXPECT_EQ(test, entry.valid & both, PFM_IBS_SMPL_HAS_TLB_LATENCY);
	KUNIT_EXPECT_EQ(test, entry.latency, 0);
	KUNIT_EXPECT_EQ(test, entry.tlb_latency, 0x1234);
}

static void accesses_have_widths(struct kunit *test)
{
	static const u8 widths[16] = { 0, 1, 2, 4, 8, 16, 32 };
	pfm_ibs_smpl_entry_t entry;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		entry = memory_op(STORE | (u64)i << 22);
		KUNIT_EXPECT_EQ_MSG(test, entry.width, widths[i], "code %u", i);
		KUNIT_EXPECT_EQ(test, !!(entry.valid & PFM_IBS_SMPL_HAS_WIDTH), !!widths[i]);
	}
}

static void only_a_load_that_missed_both_caches_has_a_source(struct kunit *test)
{
	struct pfm_ibs_values values = { .known = ALL };
	pfm_ibs_smpl_entry_t entry;
	unsigned int i;

	for (i = 0; i < 32; i++) {
		values.value[PFM_IBSR_OP_DATA2] = (i & 7) | (i >> 3) << 6 | BIT_ULL(4);
		values.value[PFM_IBSR_OP_DATA3] = LOAD | DC_MISS | L2_MISS;
		entry = op(&values);
		KUNIT_EXPECT_EQ(test, entry.source, i);
		KUNIT_EXPECT_EQ(test, !!(entry.valid & PFM_IBS_SMPL_HAS_SOURCE), !!i);
		KUNIT_EXPECT_EQ(test, !!(entry.flags & PFM_IBS_SMPL_REMOTE), !!i);
		values.value[PFM_IBSR_OP_DATA2] &= ~BIT_ULL(4);
		KUNIT_EXPECT_FALSE(test, op(&values).flags & PFM_IBS_SMPL_REMOTE);
		values.value[PFM_IBSR_OP_DATA3] = LOAD | DC_MISS;
		KUNIT_EXPECT_EQ(test, op(&values).source, 0);
		values.value[PFM_IBSR_OP_DATA3] = STORE | DC_MISS | L2_MISS;
		KUNIT_EXPECT_EQ(test, op(&values).source, 0);
	}
}

static void a_fetch_has_its_address_and_latencies(struct kunit *test)
{
	pfm_ibs_smpl_entry_t entry = fetch_of(0x1234ULL << 32);

	KUNIT_EXPECT_EQ(test, entry.kind, PFM_IBS_SMPL_FETCH);
	KUNIT_EXPECT_EQ(test, entry.valid, PFM_IBS_SMPL_HAS_FETCH | PFM_IBS_SMPL_HAS_LATENCY |
			PFM_IBS_SMPL_HAS_IP | PFM_IBS_SMPL_HAS_LINEAR);
	KUNIT_EXPECT_EQ(test, entry.ip, 0xffffffff81000040ULL);
	KUNIT_EXPECT_EQ(test, entry.linear, 0xffffffff81000040ULL);
	KUNIT_EXPECT_EQ(test, entry.physical, 0ULL);
	KUNIT_EXPECT_EQ(test, entry.latency, 0x1234);
	entry = fetch_of(FETCH_TLB_MISS);
	KUNIT_EXPECT_TRUE(test, entry.valid & PFM_IBS_SMPL_HAS_TLB_LATENCY);
	KUNIT_EXPECT_EQ(test, entry.tlb_latency, 0x1f);
}

static void the_page_of_a_fetch_has_its_size_with_the_physical_address(struct kunit *test)
{
	static const u32 sizes[] = { 4096, 2 << 20, 1 << 30, 0 };
	pfm_ibs_smpl_entry_t entry;
	u64 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		entry = fetch_of(PHY_ADDR_VALID | i << 53);
		KUNIT_EXPECT_EQ(test, entry.physical, 0x1000040ULL);
		KUNIT_EXPECT_TRUE(test, entry.valid & PFM_IBS_SMPL_HAS_PHYSICAL);
		KUNIT_EXPECT_EQ(test, entry.page_size, sizes[i]);
		KUNIT_EXPECT_EQ(test, !!(entry.valid & PFM_IBS_SMPL_HAS_PAGE_SIZE), !!sizes[i]);
		entry = fetch_of(i << 53);
		KUNIT_EXPECT_EQ(test, entry.page_size, 0U);
		KUNIT_EXPECT_FALSE(test, entry.valid & PFM_IBS_SMPL_HAS_PAGE_SIZE);
	}
}

/* The bits that make a field valid do not help without its register. */
static void nothing_is_known_without_its_register(struct kunit *test)
{
	struct pfm_ibs_values values = { };
	pfm_ibs_smpl_entry_t entry = op(&values);
	const pfm_ibs_smpl_entry_t no_op = { .kind = PFM_IBS_SMPL_OP };
	const pfm_ibs_smpl_entry_t no_fetch = { .kind = PFM_IBS_SMPL_FETCH };

	KUNIT_EXPECT_EQ(test, memcmp(&entry, &no_op, sizeof(entry)), 0);
	entry = fetch(&values);
	KUNIT_EXPECT_EQ(test, memcmp(&entry, &no_fetch, sizeof(entry)), 0);
	/* All but the registers with addresses. */
	values.value[PFM_IBSR_OP_DATA3] = LOAD | LIN_VALID | PHY_VALID;
	values.value[PFM_IBSR_OP_DATA] = BRANCH | TAKEN;
	values.value[PFM_IBSR_FETCH_STATUS] = PHY_ADDR_VALID;
	values.known = BIT(PFM_IBSR_OP_DATA3) | BIT(PFM_IBSR_OP_DATA) | BIT(PFM_IBSR_FETCH_STATUS);
	entry = op(&values);
	KUNIT_EXPECT_EQ(test, entry.valid, PFM_IBS_SMPL_HAS_RETIRE | PFM_IBS_SMPL_HAS_MEMORY |
			PFM_IBS_SMPL_HAS_PAGE_SIZE);
	entry = fetch(&values);
	KUNIT_EXPECT_EQ(test, entry.valid, PFM_IBS_SMPL_HAS_FETCH | PFM_IBS_SMPL_HAS_LATENCY |
			PFM_IBS_SMPL_HAS_PAGE_SIZE);
}

static void a_load_that_was_repeated_says_so(struct kunit *test)
{
	const struct pfm_ibs_values values = {
		.value[PFM_IBSR_OP_DATA4] = 1, .known = ALL,
	};

	KUNIT_EXPECT_EQ(test, op(&values).flags, PFM_IBS_SMPL_RESYNC);
}

/* A field is its own bits, whatever the bits beside it are. */
static void bits_beside_a_field_do_not_matter(struct kunit *test)
{
	const u64 width = 0xfULL << 22, page = 3ULL << 53, source = 7ULL | 3ULL << 6;
	struct pfm_ibs_values values = {
		.value[PFM_IBSR_OP_RIP] = 0x401000, .value[PFM_IBSR_OP_DATA] = ~RIP_INVALID,
		.value[PFM_IBSR_OP_DATA2] = ~source, .value[PFM_IBSR_OP_DATA4] = ~1ULL,
		.value[PFM_IBSR_OP_DATA3] = LOAD | DC_MISS | L2_MISS, .known = ALL,
	};

	KUNIT_EXPECT_EQ(test, op(&values).ip, 0x401000ULL);
	KUNIT_EXPECT_FALSE(test, op(&values).flags & PFM_IBS_SMPL_RESYNC);
	KUNIT_EXPECT_FALSE(test, op(&values).valid & PFM_IBS_SMPL_HAS_SOURCE);
	values.value[PFM_IBSR_OP_DATA2] = ~source | 1 << 6;
	KUNIT_EXPECT_EQ(test, op(&values).source, 8);
	KUNIT_EXPECT_EQ(test, memory_op((~0ULL & ~width) | 3 << 22).width, 4);
	KUNIT_EXPECT_EQ(test, fetch_of((~0ULL & ~page) | 1ULL << 53).page_size, 2U << 20);
}

/* All at once: the flags of an op come from four registers. */
static void flags_of_all_registers_come_together(struct kunit *test)
{
	const struct pfm_ibs_values values = {
		.value[PFM_IBSR_OP_DATA] = BRANCH, .value[PFM_IBSR_OP_DATA2] = BIT_ULL(4) | 2,
		.value[PFM_IBSR_OP_DATA3] = LOAD | DC_MISS | L2_MISS,
		.value[PFM_IBSR_OP_DATA4] = 1, .known = ALL,
	};

	KUNIT_EXPECT_EQ(test, op(&values).flags,
			PFM_IBS_SMPL_BRANCH | PFM_IBS_SMPL_REMOTE | PFM_IBS_SMPL_LOAD |
			PFM_IBS_SMPL_DC_MISS | PFM_IBS_SMPL_L2_MISS | PFM_IBS_SMPL_RESYNC);
}

static void flags_are_those_of_the_list(struct kunit *test)
{
	static const struct pfm_ibs_flag list[] = { { 3, 1 }, { 5, 2 }, { 7, 4 } };

	KUNIT_EXPECT_EQ(test, pfm_ibs_flags(~0ULL, list, 0), 0U);
	KUNIT_EXPECT_EQ(test, pfm_ibs_flags(~0ULL, list, 2), 3U);
	KUNIT_EXPECT_EQ(test, pfm_ibs_flags(BIT_ULL(7), list, 3), 4U);
}

static struct kunit_case ibs_cases[] = {
	KUNIT_CASE(each_bit_of_a_branch_is_its_flag),
	KUNIT_CASE(each_bit_of_an_access_is_its_flag),
	KUNIT_CASE(each_bit_of_a_fetch_is_its_flag),
	KUNIT_CASE(cycles_until_retirement),
	KUNIT_CASE(an_invalid_address_of_an_op_is_not_shown),
	KUNIT_CASE(only_taken_branches_have_a_target),
	KUNIT_CASE(addresses_of_data_have_bits_of_their_own),
	KUNIT_CASE(pages_of_data_have_sizes),
	KUNIT_CASE(a_load_that_missed_has_latencies),
	KUNIT_CASE(accesses_have_widths),
	KUNIT_CASE(only_a_load_that_missed_both_caches_has_a_source),
	KUNIT_CASE(a_fetch_has_its_address_and_latencies),
	KUNIT_CASE(the_page_of_a_fetch_has_its_size_with_the_physical_address),
	KUNIT_CASE(nothing_is_known_without_its_register),
	KUNIT_CASE(a_load_that_was_repeated_says_so),
	KUNIT_CASE(bits_beside_a_field_do_not_matter),
	KUNIT_CASE(flags_of_all_registers_come_together),
	KUNIT_CASE(flags_are_those_of_the_list),
	{ }
};

static struct kunit_suite ibs_suite = {
	.name = "perfmon_ibs",
	.test_cases = ibs_cases,
};

kunit_test_suite(ibs_suite);
