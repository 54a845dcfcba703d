// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the sample that several formats write: its header, whatever was in the
 * buffer before.
 */
#include <kunit/test.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include "../../../formats/sample.h"

static const pfm_ovfl_arg_t overflow = {
	.ovfl_pmd = 3, .active_set = 40000, .pmd_last_reset = -2000,
};

static pfm_default_smpl_entry_t entry_of(const struct pfm_ovfl_data *data)
{
	pfm_default_smpl_entry_t entry;

	memset(&entry, 0xff, sizeof(entry));
	preempt_disable();
	pfm_sample_entry(&entry, &overflow, 4711, data);
	preempt_enable();
	return entry;
}

static void entry_has_all_of_the_overflow(struct kunit *test)
{
	struct pt_regs state = { }, *regs = &state;
	const struct pfm_ovfl_data data = { .regs = regs, .pid = 10, .tid = 11 };
	pfm_default_smpl_entry_t entry;

	instruction_pointer_set(regs, 0x401000);
	entry = entry_of(&data);
	KUNIT_EXPECT_EQ(test, entry.pid, 10);
	KUNIT_EXPECT_EQ(test, entry.tid, 11);
	KUNIT_EXPECT_EQ(test, entry.ovfl_pmd, 3);
	KUNIT_EXPECT_EQ(test, entry.set, 40000);
	KUNIT_EXPECT_EQ(test, entry.pad, 0);
	KUNIT_EXPECT_EQ(test, entry.last_reset_val, -2000ULL);
	KUNIT_EXPECT_EQ(test, entry.tstamp, 4711);
	KUNIT_EXPECT_EQ(test, entry.ip, 0x401000);
}

/* A kernel thread in samples of user level. */
static void entry_without_an_instruction_to_show_has_none(struct kunit *test)
{
	const struct pfm_ovfl_data data = { .pid = 2, .tid = 2 };

	KUNIT_EXPECT_EQ(test, entry_of(&data).ip, 0);
}

static struct kunit_case pfm_sample_cases[] = {
	KUNIT_CASE(entry_has_all_of_the_overflow),
	KUNIT_CASE(entry_without_an_instruction_to_show_has_none),
	{ }
};

static struct kunit_suite pfm_sample_suite = {
	.name = "perfmon_sample",
	.test_cases = pfm_sample_cases,
};

kunit_test_suite(pfm_sample_suite);
