// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the registration of sampling formats.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "../format.h"

static int nothing(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	return 0;
}

static const pfm_buffer_fmt_t good = {
	.fmt_name = "kunit", .fmt_uuid = { 1, 2, 3 }, .fmt_handler = nothing,
};

/* covers: 3.5.7-1 3.5.8-2 3.5.9-1 3.5.9-2 */
static void format_is_found_while_it_is_registered(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, pfm_format_get(good.fmt_uuid));
	KUNIT_ASSERT_EQ(test, pfm_register_buffer_fmt(&good), 0);
	KUNIT_EXPECT_PTR_EQ(test, pfm_format_get(good.fmt_uuid), &good);
	pfm_format_put(&good);
	KUNIT_EXPECT_EQ(test, pfm_unregister_buffer_fmt(good.fmt_uuid), 0);
	KUNIT_EXPECT_NULL(test, pfm_format_get(good.fmt_uuid));
	KUNIT_EXPECT_EQ(test, pfm_unregister_buffer_fmt(good.fmt_uuid), -EINVAL);
}

/* covers: 3.5.8-1 */
static void format_is_registered_once(struct kunit *test)
{
	pfm_buffer_fmt_t other = good;

	other.fmt_name = "kunit-other";
	KUNIT_ASSERT_EQ(test, pfm_register_buffer_fmt(&good), 0);
	KUNIT_EXPECT_EQ(test, pfm_register_buffer_fmt(&other), -EBUSY);
	KUNIT_EXPECT_EQ(test, pfm_unregister_buffer_fmt(good.fmt_uuid), 0);
}

/* covers: 3.5.7-2 3.5.7-3 3.5.7-7 3.5.7-10 3.5.8-3 3.5.14-4 */
static void incomplete_format_is_refused(struct kunit *test)
{
	pfm_buffer_fmt_t bad;

#define REFUSED(change)								\
	do {									\
		bad = good;							\
		change;								\
		KUNIT_EXPECT_EQ(test, pfm_register_buffer_fmt(&bad), -EINVAL);	\
	} while (0)

	REFUSED(bad.fmt_name = NULL);
	REFUSED(bad.fmt_name = "");
	REFUSED(memset(bad.fmt_uuid, 0, sizeof(bad.fmt_uuid)));
	REFUSED(bad.fmt_handler = NULL);
	REFUSED(bad.fmt_flags = 0x4);
	REFUSED(bad.fmt_msgq_depth = PFM_FMT_MSGQ_DEPTH_MAX + 1);
	REFUSED(bad.fmt_arg_size = PFM_FMT_ARG_SIZE_MAX + 1);
	KUNIT_EXPECT_EQ(test, pfm_register_buffer_fmt(NULL), -EINVAL);
}

static void format_may_use_all_that_there_is(struct kunit *test)
{
	pfm_buffer_fmt_t fmt = good;

	fmt.fmt_flags = PFM_FMTFL_NOSET | PFM_FMTFL_READER;
	fmt.fmt_msgq_depth = PFM_FMT_MSGQ_DEPTH_MAX;
	fmt.fmt_arg_size = PFM_FMT_ARG_SIZE_MAX;
	KUNIT_ASSERT_EQ(test, pfm_register_buffer_fmt(&fmt), 0);
	KUNIT_EXPECT_EQ(test, pfm_unregister_buffer_fmt(fmt.fmt_uuid), 0);
}

static void format_of_another_contract_is_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, __pfm_register_buffer_fmt(&good, PFM_FMT_CONTRACT + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, __pfm_register_buffer_fmt(&good, PFM_FMT_CONTRACT - 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, __pfm_register_buffer_fmt(NULL, PFM_FMT_CONTRACT + 1), -EINVAL);
	KUNIT_EXPECT_NULL(test, pfm_format_get(good.fmt_uuid));
	KUNIT_ASSERT_EQ(test, __pfm_register_buffer_fmt(&good, PFM_FMT_CONTRACT), 0);
	KUNIT_EXPECT_EQ(test, pfm_unregister_buffer_fmt(good.fmt_uuid), 0);
}

static struct kunit_case pfm_format_cases[] = {
	KUNIT_CASE(format_is_found_while_it_is_registered),
	KUNIT_CASE(format_is_registered_once),
	KUNIT_CASE(incomplete_format_is_refused),
	KUNIT_CASE(format_may_use_all_that_there_is),
	KUNIT_CASE(format_of_another_contract_is_refused),
	{ }
};

static struct kunit_suite pfm_format_suite = {
	.name = "perfmon_format",
	.test_cases = pfm_format_cases,
};

kunit_test_suite(pfm_format_suite);
