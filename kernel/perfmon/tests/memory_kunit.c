// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of users' accounts.
 */
#include <kunit/test.h>
#include <linux/refcount.h>
#include <linux/sched/user.h>
#include <linux/uidgid.h>
#include "../memory.h"

/* A user without processes: other tasks take and drop references to root's at any time. */
#define UNUSED_UID	4000000001U

static void an_account_ends_with_the_last_context(struct kunit *test)
{
	struct user_struct *user = alloc_uid(KUIDT_INIT(UNUSED_UID));
	struct pfm_account *first, *second;

	KUNIT_ASSERT_NOT_NULL(test, user);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), 1);
	first = pfm_account_get(user);
	KUNIT_EXPECT_NOT_NULL(test, first);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), 2);
	second = pfm_account_get(user);
	KUNIT_EXPECT_PTR_EQ(test, first, second);
	pfm_account_put(second);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), 2);
	pfm_account_put(first);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), 1);
	pfm_account_put(NULL);
	free_uid(user);
}

static struct kunit_case memory_cases[] = {
	KUNIT_CASE(an_account_ends_with_the_last_context),
	{ }
};

static struct kunit_suite memory_suite = {
	.name = "perfmon_memory",
	.test_cases = memory_cases,
};

kunit_test_suite(memory_suite);
