// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the accounts of users.
 */
#include <kunit/test.h>
#include <linux/cred.h>
#include <linux/refcount.h>
#include <linux/sched/user.h>
#include "../memory.h"

static void an_account_ends_with_the_last_context(struct kunit *test)
{
	struct user_struct *user = current_user();
	unsigned int references = refcount_read(&user->__count);
	struct pfm_account *first, *second;

	first = pfm_account_get(user);
	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), references + 1);
	second = pfm_account_get(user);
	KUNIT_EXPECT_PTR_EQ(test, first, second);
	pfm_account_put(second);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), references + 1);
	pfm_account_put(first);
	KUNIT_EXPECT_EQ(test, refcount_read(&user->__count), references);
	pfm_account_put(NULL);
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
