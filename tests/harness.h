/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small harness for test programs that print TAP.
 *
 *	#include "../harness.h"
 *
 *	TEST(load_of_an_unknown_thread_is_refused)
 *	{
 *		CHECK_ERRNO(perfmonctl(fd, PFM_LOAD_CONTEXT, &load, 1), ESRCH);
 *	}
 *
 * Tests register themselves and run in the order of the file. Each runs in a child of its own, the
 * leader of its own process group, with a time limit: a crash or a hang is one failure, and nothing
 * that a test leaves behind (a grandchild, a descriptor) outlives it. A failed check ends its
 * process, and fails the test even if that process is a grandchild, or a thread.
 *
 * The output of a test on stdout or stderr is shown as "# " lines below its result. Link with
 * harness.c, which has main(). Arguments: glob patterns of the tests to run; -l lists them; -t
 * SECONDS replaces every time limit.
 */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* As in the kernel. */
#ifndef __noreturn
#define __noreturn	__attribute__((__noreturn__))
#endif
#ifndef __printf
#define __printf(a, b)	__attribute__((__format__(__printf__, a, b)))
#endif

/* Seconds a test may take, of the guest's time: 10^9 instructions under icount. */
#define TEST_DEFAULT_LIMIT	30

struct test {
	const char	*name;
	void		(*run)(void);
	unsigned int	limit;
	struct test	*next;
};

void test_register(struct test *test);

/* A named behaviour; TEST_LIMIT() for a test that needs more (or less) time. */
#define TEST(name)	TEST_LIMIT(name, TEST_DEFAULT_LIMIT)
#define TEST_LIMIT(ident, seconds)						\
	static void test_##ident(void);						\
	__attribute__((constructor)) static void test_register_##ident(void)	\
	{									\
		static struct test test = { #ident, test_##ident, seconds, NULL }; \
		test_register(&test);						\
	}									\
	static void test_##ident(void)

/* Record a failure or a skip and end this process. Print the reason first. */
__printf(3, 4) __noreturn void test_fail(const char *file, int line,
					 const char *format, ...);
__printf(1, 2) __noreturn void test_skip(const char *format, ...);

/*
 * Allocate memory that the test shares with its children, zeroed, page aligned; for results of a
 * child.
 */
void *test_shared(size_t size);

/* Fail with a sentence. */
#define FAIL(...)	test_fail(__FILE__, __LINE__, __VA_ARGS__)

/* The behaviour cannot be tested here, for this reason. The runner repeats the reason. */
#define SKIP(...)	test_skip(__VA_ARGS__)

/* The condition holds. */
#define CHECK(cond)								\
	do {									\
		if (!(cond))							\
			FAIL("%s is false", #cond);				\
	} while (0)

/* Two integers are equal, compared as 64 bits. */
#define CHECK_EQ(a, b)	TEST_COMPARE(a, ==, b)
#define CHECK_NE(a, b)	TEST_COMPARE(a, !=, b)
#define CHECK_GE(a, b)	TEST_COMPARE(a, >=, b)
#define CHECK_LE(a, b)	TEST_COMPARE(a, <=, b)

#define TEST_COMPARE(a, op, b)							\
	do {									\
		unsigned long long test_a = (unsigned long long)(a);		\
		unsigned long long test_b = (unsigned long long)(b);		\
										\
		if (!(test_a op test_b))					\
			FAIL("%s %s %s does not hold: %lld (%#llx), %lld (%#llx)", \
			     #a, #op, #b, (long long)test_a, test_a,		\
			     (long long)test_b, test_b);			\
	} while (0)

#define CHECK_STREQ(a, b)							\
	do {									\
		const char *test_a = (a), *test_b = (b);			\
										\
		if (strcmp(test_a, test_b))					\
			FAIL("%s is \"%s\", not \"%s\"", #a, test_a, test_b);	\
	} while (0)

/* The call succeeds: it returns no negative value. */
#define CHECK_OK(call)								\
	do {									\
		errno = 0;							\
		if ((call) < 0)							\
			FAIL("%s failed: %s (%s)", #call, strerror(errno),	\
			     test_errno_name(errno));				\
	} while (0)

/* The call fails with exactly this errno. */
#define CHECK_ERRNO(call, error)						\
	do {									\
		errno = 0;							\
		if ((call) >= 0)						\
			FAIL("%s succeeded, should fail with %s", #call, #error); \
		if (errno != (error))						\
			FAIL("%s failed with %s, not %s", #call,		\
			     test_errno_name(errno), #error);			\
	} while (0)

/* EINVAL for 22. */
const char *test_errno_name(int error);

/* A program may define it: called before each of its tests, in the test's process. */
void before_test(void);

#endif /* TESTS_HARNESS_H */
