// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of call chains in the kernel, of the thread that runs the tests.
 */
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/perf_event.h>
#include <linux/perfmon_fmt.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#define BOTH	(PFM_CHAIN_KERNEL | PFM_CHAIN_USER)
#define UNUSED	0x5a5a5a5a5a5a5a5aULL

struct result {
	struct pfm_chain	found;
	u64			ip;
	u64			to[2 * PFM_CHAIN_DEPTH_MAX];
};

/* The chain of the caller, as if it had been interrupted here. */
static noinline struct result *chain_here(struct kunit *test, unsigned int parts,
					  unsigned int depth)
{
	struct result *result = kunit_kmalloc(test, sizeof(*result), GFP_KERNEL);
	struct pfm_ovfl_data data = { };
	struct pt_regs regs = { };
	unsigned long flags;

	KUNIT_ASSERT_NOT_NULL(test, result);
	memset64(result->to, UNUSED, ARRAY_SIZE(result->to));
	memset(&result->found, 0xff, sizeof(result->found));
	local_irq_save(flags);
#ifdef CONFIG_PERF_EVENTS
	perf_fetch_caller_regs(&regs);
#endif
	data.regs = &regs;
	result->ip = instruction_pointer(&regs);
	pfm_chain(&data, parts, depth, result->to, &result->found);
	local_irq_restore(flags);
	return result;
}

static void need_unwinders(struct kunit *test)
{
	if (!pfm_chain_works())
		kunit_skip(test, "this kernel has no perf_events");
}

static void expect_unused(struct kunit *test, const struct result *result, unsigned int from)
{
	for (; from < ARRAY_SIZE(result->to); from++)
		KUNIT_EXPECT_EQ(test, result->to[from], UNUSED);
}

static void a_chain_of_the_kernel_begins_with_the_interrupted_function(struct kunit *test)
{
	struct result *result;

	need_unwinders(test);
	result = chain_here(test, PFM_CHAIN_KERNEL, PFM_CHAIN_DEPTH_MAX);
	/* This function, KUnit's, and the thread's. */
	KUNIT_EXPECT_GE(test, result->found.kernel, 3);
	KUNIT_EXPECT_EQ(test, result->to[0], result->ip);
	KUNIT_EXPECT_EQ(test, result->found.user, 0);
	KUNIT_EXPECT_EQ(test, result->found.cut, 0);
	expect_unused(test, result, result->found.kernel);
}

static void a_chain_ends_at_its_depth(struct kunit *test)
{
	struct result *whole, *part;
	unsigned int depth;

	need_unwinders(test);
	whole = chain_here(test, PFM_CHAIN_KERNEL, PFM_CHAIN_DEPTH_MAX + 100);
	KUNIT_ASSERT_LE(test, whole->found.kernel, PFM_CHAIN_DEPTH_MAX);
	for (depth = 0; depth < whole->found.kernel; depth++) {
		part = chain_here(test, BOTH, depth);
		KUNIT_EXPECT_EQ(test, part->found.kernel, depth);
		KUNIT_EXPECT_EQ(test, part->found.cut, depth ? PFM_CHAIN_KERNEL : 0);
		expect_unused(test, part, depth);
	}
	part = chain_here(test, BOTH, whole->found.kernel);
	KUNIT_EXPECT_EQ(test, part->found.kernel, whole->found.kernel);
	KUNIT_EXPECT_EQ(test, part->found.cut, 0);
}

/* Called by itself, so that the chain has @n calls more. */
static noinline struct result *chain_behind(struct kunit *test, unsigned int n)
{
	struct result *result;

	if (!n)
		return chain_here(test, PFM_CHAIN_KERNEL, PFM_CHAIN_DEPTH_MAX);
	result = chain_behind(test, n - 1);
	/* No tail call. */
	barrier();
	return result;
}

/* A deeper chain on the same CPU leaves addresses behind, in a buffer of the CPU. */
static void a_chain_has_nothing_of_a_deeper_one_before(struct kunit *test)
{
	struct result *before, *deeper, *after;

	need_unwinders(test);
	before = chain_behind(test, 0);
	migrate_disable();
	deeper = chain_behind(test, 10);
	after = chain_behind(test, 0);
	migrate_enable();
	KUNIT_ASSERT_GE(test, deeper->found.kernel, before->found.kernel + 10);
	KUNIT_EXPECT_EQ(test, after->found.kernel, before->found.kernel);
}

static void threads_of_the_kernel_have_no_user_level(struct kunit *test)
{
	struct result *result;

	need_unwinders(test);
	result = chain_here(test, PFM_CHAIN_USER, 16);
	KUNIT_EXPECT_EQ(test, result->found.kernel, 0);
	KUNIT_EXPECT_EQ(test, result->found.user, 0);
	KUNIT_EXPECT_EQ(test, result->found.cut, 0);
	expect_unused(test, result, 0);
}

static void without_a_state_there_is_no_chain(struct kunit *test)
{
	struct pfm_ovfl_data data = { };
	struct pfm_chain found = { .kernel = 1, .user = 1, .cut = 1 };
	u64 to[2] = { UNUSED, UNUSED };

	pfm_chain(&data, BOTH, 1, to, &found);
	KUNIT_EXPECT_EQ(test, found.kernel, 0);
	KUNIT_EXPECT_EQ(test, found.user, 0);
	KUNIT_EXPECT_EQ(test, found.cut, 0);
	KUNIT_EXPECT_EQ(test, to[0], UNUSED);
}

static struct kunit_case chain_cases[] = {
	KUNIT_CASE(a_chain_of_the_kernel_begins_with_the_interrupted_function),
	KUNIT_CASE(a_chain_ends_at_its_depth),
	KUNIT_CASE(a_chain_has_nothing_of_a_deeper_one_before),
	KUNIT_CASE(threads_of_the_kernel_have_no_user_level),
	KUNIT_CASE(without_a_state_there_is_no_chain),
	{ }
};

static struct kunit_suite chain_suite = {
	.name = "perfmon_chain",
	.test_cases = chain_cases,
};

kunit_test_suite(chain_suite);
