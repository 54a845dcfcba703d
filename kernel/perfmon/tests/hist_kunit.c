// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the histogram format's slots: which samples are alike, where their slot is
 * looked for, and which values are added up.
 */
#include <kunit/test.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "../../../formats/hist_slots.h"

#define SLOTS		1000
#define VALUES		2
#define SLOT_SIZE	(sizeof(pfm_hist_smpl_entry_t) + VALUES * sizeof(u64))

/* A buffer, and behind it what must not be written. */
struct hist {
	pfm_hist_smpl_hdr_t	hdr;
	u8			slots[SLOTS * SLOT_SIZE];
	u8			behind[64 * SLOT_SIZE];
};

static struct hist *new_hist(struct kunit *test)
{
	struct hist *hist = kunit_kzalloc(test, sizeof(*hist), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, hist);
	hist->hdr.hdr_slots = SLOTS;
	hist->hdr.hdr_slot_size = SLOT_SIZE;
	hist->hdr.hdr_num_values = VALUES;
	memset(hist->behind, 0xff, sizeof(hist->behind));
	return hist;
}

static unsigned int index_of(const struct hist *hist, const pfm_hist_smpl_entry_t *entry)
{
	return ((const u8 *)entry - hist->slots) / SLOT_SIZE;
}

/* Samples. */

static pfm_hist_smpl_entry_t key_of(struct kunit *test, u32 flags, u16 shift)
{
	struct hist *hist = new_hist(test);
	struct pt_regs state = { }, *regs = &state;
	const struct pfm_ovfl_data data = { .regs = regs, .pid = 10, .tid = 11 };
	const pfm_ovfl_arg_t arg = { .active_set = 40000, .ovfl_pmd = 3 };

	instruction_pointer_set(regs, 0x123456789abcdef0UL);
	hist->hdr.hdr_flags = flags;
	hist->hdr.hdr_ip_shift = shift;
	return pfm_hist_key(&hist->hdr, &arg, &data);
}

static void keys_have_the_fields_that_are_wanted(struct kunit *test)
{
	static const u32 both = PFM_HIST_SMPL_PID | PFM_HIST_SMPL_TID;
	pfm_hist_smpl_entry_t key;
	u32 flags;

	for (flags = 0; flags <= both; flags++) {
		key = key_of(test, flags, 0);
		KUNIT_EXPECT_EQ(test, key.pid, flags & PFM_HIST_SMPL_PID ? 10 : 0);
		KUNIT_EXPECT_EQ(test, key.tid, flags & PFM_HIST_SMPL_TID ? 11 : 0);
		KUNIT_EXPECT_EQ(test, key.set, 40000);
		KUNIT_EXPECT_EQ(test, key.ovfl_pmd, 3);
		KUNIT_EXPECT_EQ(test, key.ip, 0x123456789abcdef0ULL);
		KUNIT_EXPECT_EQ(test, key.count, 0);
		KUNIT_EXPECT_EQ(test, key.periods, 0);
		KUNIT_EXPECT_EQ(test, key.reserved, 0);
	}
}

static void addresses_lose_their_lowest_bits(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, key_of(test, 0, 12).ip, 0x123456789abcd000ULL);
	KUNIT_EXPECT_EQ(test, key_of(test, 0, 60).ip, 0x1000000000000000ULL);
	KUNIT_EXPECT_EQ(test, key_of(test, 0, 63).ip, 0);
	KUNIT_EXPECT_EQ(test, key_of(test, 0, PFM_HIST_SMPL_NO_IP).ip, 0);
}

static const pfm_hist_smpl_entry_t base = {
	.ip = 0x401000, .pid = 10, .tid = 11, .set = 40000, .ovfl_pmd = 3,
};

/* Each differs from the base in one field. */
static const pfm_hist_smpl_entry_t others[] = {
	{ .ip = 0x401001, .pid = 10, .tid = 11, .set = 40000, .ovfl_pmd = 3 },
	{ .ip = 0x401000, .pid = 11, .tid = 11, .set = 40000, .ovfl_pmd = 3 },
	{ .ip = 0x401000, .pid = 10, .tid = 10, .set = 40000, .ovfl_pmd = 3 },
	{ .ip = 0x401000, .pid = 10, .tid = 11, .set = 40001, .ovfl_pmd = 3 },
	{ .ip = 0x401000, .pid = 10, .tid = 11, .set = 40000, .ovfl_pmd = 2 },
};

static void samples_are_alike_if_no_field_differs(struct kunit *test)
{
	pfm_hist_smpl_entry_t entry = base;
	unsigned int i;

	entry.count = 4711;
	entry.periods = 4711000;
	KUNIT_EXPECT_TRUE(test, pfm_hist_alike(&entry, &base));
	for (i = 0; i < ARRAY_SIZE(others); i++)
		KUNIT_EXPECT_FALSE_MSG(test, pfm_hist_alike(&entry, &others[i]), "%u", i);
}

/* Slots. */

/* The key with number @n of those that differ in one field: 0 for the address, and so on. */
static pfm_hist_smpl_entry_t nth_key(unsigned int field, unsigned int n)
{
	pfm_hist_smpl_entry_t key = base;

	switch (field) {
	case 0:
		key.ip += 4 * n;
		break;
	case 1:
		key.pid += n;
		break;
	case 2:
		key.tid += n;
		break;
	case 3:
		key.set += n;
		break;
	default:
		key.ovfl_pmd += n;
	}
	return key;
}

/*
 * Even if samples differ in a single field: of 2000 keys on 1000 slots, an even spread leaves one
 * slot in e^2 without a key, and this allows one in three. Both ends of the table are used.
 */
static void keys_spread_over_all_slots(struct kunit *test)
{
	struct hist *hist = new_hist(test);
	unsigned int field, n, used, low, high;
	u16 *seen = kunit_kcalloc(test, SLOTS, sizeof(*seen), GFP_KERNEL);
	pfm_hist_smpl_entry_t key;
	u32 home;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	for (field = 0; field < 5; field++) {
		memset(seen, 0, SLOTS * sizeof(*seen));
		for (n = 0, used = 0, low = 0, high = 0; n < 2 * SLOTS; n++) {
			key = nth_key(field, n);
			home = pfm_hist_home(&hist->hdr, &key);
			KUNIT_ASSERT_LT(test, home, (u32)SLOTS);
			used += !seen[home]++;
			low += home < SLOTS / 4;
			high += home >= SLOTS - SLOTS / 4;
		}
		KUNIT_EXPECT_GT_MSG(test, used, SLOTS * 2U / 3, "field %u", field);
		KUNIT_EXPECT_GT_MSG(test, low, SLOTS / 4U, "field %u", field);
		KUNIT_EXPECT_GT_MSG(test, high, SLOTS / 4U, "field %u", field);
	}
}

/* Take every slot that a key finds, for another key, until it finds none. */
static unsigned int take_slots(struct hist *hist, const pfm_hist_smpl_entry_t *key,
			       u8 *taken, unsigned int max)
{
	pfm_hist_smpl_entry_t *entry;
	unsigned int n;

	for (n = 0; n < max; n++) {
		entry = pfm_hist_find(&hist->hdr, key);
		if (!entry)
			break;
		entry->ip = ~key->ip;
		entry->count = 1;
		taken[index_of(hist, entry)]++;
	}
	return n;
}

/* The interrupt takes a bounded time: 16 slots, each of them once, and all within the table. */
static void a_search_ends_after_16_slots(struct kunit *test)
{
	u8 *taken = kunit_kzalloc(test, SLOTS + 64, GFP_KERNEL);
	pfm_hist_smpl_entry_t key, *entry;
	unsigned int n, i, different;
	struct hist *hist;

	KUNIT_ASSERT_NOT_NULL(test, taken);
	hist = new_hist(test);
	/* So many keys that searches wrap at the end of the table. */
	for (n = 0; n < 200; n++) {
		memset(hist->slots, 0, sizeof(hist->slots));
		memset(taken, 0, SLOTS + 64);
		key = nth_key(0, n);
		entry = pfm_hist_find(&hist->hdr, &key);
		KUNIT_EXPECT_EQ(test, index_of(hist, entry), pfm_hist_home(&hist->hdr, &key));
		KUNIT_EXPECT_EQ(test, take_slots(hist, &key, taken, 100), 16U);
		for (i = 0, different = 0; i < SLOTS; i++)
			different += !!taken[i];
		KUNIT_EXPECT_EQ(test, different, 16U);
	}
}

static void a_key_finds_its_slot_behind_others(struct kunit *test)
{
	u8 *taken = kunit_kzalloc(test, SLOTS + 64, GFP_KERNEL);
	struct hist *hist = new_hist(test);
	pfm_hist_smpl_entry_t *entry;

	KUNIT_ASSERT_NOT_NULL(test, taken);
	KUNIT_ASSERT_EQ(test, take_slots(hist, &base, taken, 15), 15U);
	/* The last of its search. */
	entry = pfm_hist_find(&hist->hdr, &base);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	*entry = base;
	entry->count = 7;
	KUNIT_EXPECT_PTR_EQ(test, pfm_hist_find(&hist->hdr, &base), entry);
}

/* Two keys whose search begins in adjacent slots do not share the rest of it. */
static void searches_that_begin_in_adjacent_slots_soon_differ(struct kunit *test)
{
	u8 *taken[2] = { kunit_kzalloc(test, SLOTS + 64, GFP_KERNEL),
			 kunit_kzalloc(test, SLOTS + 64, GFP_KERNEL) };
	struct hist *hist = new_hist(test);
	pfm_hist_smpl_entry_t a = nth_key(0, 0), b = a;
	const u32 home = pfm_hist_home(&hist->hdr, &a);
	unsigned int n, i, shared = 0;

	KUNIT_ASSERT_NOT_NULL(test, taken[0]);
	KUNIT_ASSERT_NOT_NULL(test, taken[1]);
	for (n = 1; pfm_hist_home(&hist->hdr, &b) != home + 1 && n < 100 * SLOTS; n++)
		b = nth_key(0, n);
	KUNIT_ASSERT_EQ(test, pfm_hist_home(&hist->hdr, &b), home + 1);
	take_slots(hist, &a, taken[0], 16);
	memset(hist->slots, 0, sizeof(hist->slots));
	take_slots(hist, &b, taken[1], 16);
	for (i = 0; i < SLOTS; i++)
		shared += taken[0][i] && taken[1][i];
	KUNIT_EXPECT_LE(test, shared, 4U);
}

/* Sums. */

static const u64 values[] = { 1, 20, 300, 4000 };

static pfm_ovfl_arg_t *new_arg(struct kunit *test, unsigned int n)
{
	pfm_ovfl_arg_t *arg = kunit_kzalloc(test, sizeof(*arg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, arg);
	arg->pmd_last_reset = -1000;
	arg->num_smpl_pmds = n;
	memcpy(arg->smpl_pmds_values, values, sizeof(values));
	return arg;
}

/* No more values than the sample has, and than the slot has room for. */
static void sums_stay_within_the_slot(struct kunit *test)
{
	struct hist *hist = new_hist(test);
	pfm_hist_smpl_entry_t *entry = (void *)hist->slots;
	u64 *sums = (u64 *)(entry + 1);
	unsigned int n;

	for (n = 0; n <= ARRAY_SIZE(values); n++) {
		pfm_hist_add(&hist->hdr, entry, &base, new_arg(test, n));
		KUNIT_EXPECT_EQ(test, entry->count, n + 1);
		KUNIT_EXPECT_EQ(test, entry->periods, 1000 * (n + 1));
		KUNIT_EXPECT_EQ(test, sums[0], n);
		KUNIT_EXPECT_EQ(test, sums[1], n ? 20 * (n - 1) : 0);
		/* The slot behind. */
		KUNIT_EXPECT_EQ(test, sums[2], 0);
		KUNIT_EXPECT_EQ(test, sums[3], 0);
	}
	KUNIT_EXPECT_EQ(test, hist->hdr.hdr_used, 1);
	KUNIT_EXPECT_TRUE(test, pfm_hist_alike(entry, &base));
}

static void without_sums_no_value_is_added(struct kunit *test)
{
	struct hist *hist = new_hist(test);
	pfm_hist_smpl_entry_t *entry = (void *)hist->slots;

	hist->hdr.hdr_num_values = 0;
	pfm_hist_add(&hist->hdr, entry, &base, new_arg(test, 2));
	KUNIT_EXPECT_EQ(test, entry->count, 1);
	KUNIT_EXPECT_EQ(test, *(u64 *)(entry + 1), 0);
}

static struct kunit_case pfm_hist_cases[] = {
	KUNIT_CASE(keys_have_the_fields_that_are_wanted),
	KUNIT_CASE(addresses_lose_their_lowest_bits),
	KUNIT_CASE(samples_are_alike_if_no_field_differs),
	KUNIT_CASE(keys_spread_over_all_slots),
	KUNIT_CASE(a_search_ends_after_16_slots),
	KUNIT_CASE(a_key_finds_its_slot_behind_others),
	KUNIT_CASE(searches_that_begin_in_adjacent_slots_soon_differ),
	KUNIT_CASE(sums_stay_within_the_slot),
	KUNIT_CASE(without_sums_no_value_is_added),
	{ }
};

static struct kunit_suite pfm_hist_suite = {
	.name = "perfmon_hist",
	.test_cases = pfm_hist_cases,
};

kunit_test_suite(pfm_hist_suite);
