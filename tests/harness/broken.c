// SPDX-License-Identifier: GPL-2.0
/* A program whose tests fail in every possible way: harness.sh checks its output. */
#include "../harness.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

TEST(a_good_test)
{
	CHECK(1 + 1 == 2);
	CHECK_EQ(3, 3u);
	CHECK_ERRNO(close(-1), EBADF);
	CHECK_OK(getpid());
	CHECK_STREQ("a", "a");
	printf("figure 3\n");
}

TEST(a_false_condition)
{
	CHECK(1 + 1 == 3);
}

TEST(unequal_numbers)
{
	CHECK_EQ(-1, 3);
}

TEST(another_errno)
{
	CHECK_ERRNO(close(-1), EINVAL);
}

TEST(a_success_that_should_fail)
{
	CHECK_ERRNO(getpid(), EINVAL);
}

TEST(a_failing_call)
{
	CHECK_OK(close(-1));
}

TEST(a_crash)
{
	raise(SIGSEGV);
}

TEST_LIMIT(a_hang, 1)
{
	for (;;)
		pause();
}

TEST(a_failing_grandchild)
{
	if (fork() == 0)
		FAIL("by the grandchild");
	sleep(1);
}

TEST(an_exit)
{
	_exit(3);
}

TEST(a_skip)
{
	SKIP("there is no %s", "reason");
}

TEST(a_test_that_leaves_a_process_behind)
{
	if (fork() == 0)
		for (;;)
			pause();
}
