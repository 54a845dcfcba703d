// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of users' accounts.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/refcount.h>
#include <linux/sched/user.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uidgid.h>
#include "../context.h"
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

struct memory_step {
	long		size;	/* bytes that are charged, or given back */
	unsigned long	pages;	/* locked afterwards */
};

/* perfmon.7: 256 KiB of a user's contexts and event sets cost nothing. */
static void memory_beyond_the_allowance_is_locked_in_whole_pages(struct kunit *test)
{
	static const struct memory_step steps[] = {
		{ 1, 0 }, { SZ_256K - 1, 0 }, { 1, 1 }, { PAGE_SIZE - 1, 1 }, { 1, 2 },
		{ 3 * PAGE_SIZE, 5 }, { -2, 4 }, { 1, 4 }, { -3 * (long)PAGE_SIZE, 1 },
		{ 1 - (long)PAGE_SIZE, 1 }, { -1, 0 }, { SZ_1M, 256 }, { -SZ_1M, 0 },
		{ -SZ_256K, 0 },
	};
	struct user_struct *user = alloc_uid(KUIDT_INIT(UNUSED_UID));
	struct pfm_context *ctx = kunit_kzalloc(test, sizeof(*ctx), GFP_KERNEL);
	size_t bytes = 0;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, user);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ctx);
	ctx->user = user;
	ctx->account = pfm_account_get(user);
	KUNIT_ASSERT_NOT_NULL(test, ctx->account);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (steps[i].size > 0)
			KUNIT_EXPECT_EQ(test, pfm_memory_charge(ctx, steps[i].size), 0);
		else
			pfm_memory_uncharge(ctx, -steps[i].size);
		bytes += steps[i].size;
		KUNIT_EXPECT_EQ_MSG(test, atomic_long_read(&user->locked_vm), steps[i].pages,
				    "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, ctx->bytes, bytes, "step %u", i);
	}
	pfm_account_put(ctx->account);
	free_uid(user);
}

static struct kunit_case memory_cases[] = {
	KUNIT_CASE(an_account_ends_with_the_last_context),
	KUNIT_CASE(memory_beyond_the_allowance_is_locked_in_whole_pages),
	{ }
};

static struct kunit_suite memory_suite = {
	.name = "perfmon_memory",
	.test_cases = memory_cases,
};

kunit_test_suite(memory_suite);
