// SPDX-License-Identifier: GPL-2.0
/*
 * Common properties of all commands: which commands exist, which need a context, how many elements
 * they take and how large, and which error is reported first.
 */
#include "commands.h"

#include <limits.h>

/* Numbers between and beyond the commands' numbers. */
static const int no_commands[] = {
	0, 0x06, 0x07, 0x09, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x19, 0x1a, 0x1f, 0x20, 0x40,
	0xff, 0x100 + PFM_START, 0x10000 + PFM_START, 0x1000000 + PFM_START, INT_MAX,
	-1, -PFM_START, INT_MIN, INT_MIN + PFM_START,
};

/* Any memory that a command may read and write. */
static __u64 memory[512];

/* covers: 3.1-6 3.1-8 D.9-2 */
TEST(unknown_commands_are_refused)
{
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(no_commands); i++) {
		errno = 0;
		if (perfmonctl(fd, no_commands[i], NULL, 0) >= 0 || errno != EINVAL)
			FAIL("command %#x: %s", no_commands[i], test_errno_name(errno));
	}
}

/* covers: D.1-1 */
TEST(unknown_command_comes_before_bad_descriptor)
{
	CHECK_ERRNO(perfmonctl(-1, 0x7f, NULL, 0), EINVAL);
	CHECK_ERRNO(perfmonctl(-1, -1, NULL, 0), EINVAL);
}

/* All commands that need a context refuse @fd. */
static void refuse_descriptor(int fd)
{
	const struct command *c;
	int n = 0;

	for_each_command(c) {
		if (!c->context)
			continue;
		memset(memory, 0, sizeof(memory));
		expect_error(c, fd, c->args == ARGS_NONE ? NULL : memory,
			     c->args == ARGS_NONE ? 0 : 1, EBADF);
		n++;
	}
	CHECK_EQ(n, 11);
}

/* covers: 3.1-3 3.1.2-2 3.1.3-2 3.1.4-2 3.1.5-2 3.1.6-2 3.1.7-2 3.1.8-2 3.1.9-2 3.1.10-2 */
/* covers: 3.1.11-2 3.1.12-2 */
TEST(minus_one_is_no_context)
{
	refuse_descriptor(-1);
}

/* covers: 3.1-3 */
TEST(descriptor_beyond_the_table_is_no_context)
{
	refuse_descriptor(INT_MAX);
	refuse_descriptor(INT_MIN);
}

/* covers: 3.1.1-15 3.1.2-2 3.1.3-2 3.1.4-2 3.1.5-2 3.1.6-2 3.1.7-2 3.1.8-2 3.1.9-2 */
/* covers: 3.1.10-2 3.1.11-2 3.1.12-2 4.2-3 4.3.2-4 */
TEST(closed_descriptor_is_no_context)
{
	int fd = create(0);

	CHECK_OK(close(fd));
	refuse_descriptor(fd);
}

/* covers: 3.1-3 */
TEST(pipe_is_no_context)
{
	int fds[2];

	CHECK_OK(pipe(fds));
	refuse_descriptor(fds[0]);
	refuse_descriptor(fds[1]);
}

/* covers: 3.1-3 */
TEST(dev_null_is_no_context)
{
	int fd = open("/dev/null", O_RDWR);

	CHECK_OK(fd);
	refuse_descriptor(fd);
}

/* covers: 3.1-3 */
TEST(directory_is_no_context)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	CHECK_OK(fd);
	refuse_descriptor(fd);
}

/* covers: 3.1-3 */
TEST(other_anonymous_file_is_no_context)
{
	refuse_descriptor(gate_new());
}

/* covers: 3.1-3 */
TEST(path_descriptor_is_no_context)
{
	char path[64];
	int fd = create(0), opath;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opath = open(path, O_PATH);
	CHECK_OK(opath);
	refuse_descriptor(opath);
}

/* covers: D.1-2 */
TEST(bad_descriptor_comes_before_bad_count)
{
	const struct command *c;

	for_each_command(c)
		if (c->context)
			expect_error(c, -1, memory, -1, EBADF);
}

/* covers: 3.1-2 3.1.1-2 3.1.13-1 3.1.14-1 3.1.16-1 3.1.17-1 */
TEST(commands_without_context_ignore_the_descriptor)
{
	int closed = create(0), fds[2];
	const struct command *c;
	size_t i;

	need_pmu();
	CHECK_OK(close(closed));
	CHECK_OK(pipe(fds));
	for_each_command(c) {
		const int ignored[] = { -1, 0, closed, fds[0], INT_MAX, INT_MIN };

		if (c->context)
			continue;
		for (i = 0; i < ARRAY_SIZE(ignored); i++) {
			good_argument(c, memory);
			expect_success(c, ignored[i], memory, 1);
			if (c->cmd == PFM_CREATE_CONTEXT)
				close(((pfarg_ctx_t *)memory)->ctx_fd);
		}
	}
}

/* covers: 3.1.2-3 3.1.3-3 3.1.4-3 3.1.10-3 3.1.11-3 3.1.12-3 3.1.13-3 3.1.14-3 */
TEST(count_of_zero_with_an_argument_is_refused)
{
	const struct command *c;
	int fd = create(0);

	for_each_command(c)
		expect_error(c, fd, memory, 0, EINVAL);
}

/* covers: 3.1.1-3 3.1.7-4 3.1.16-3 3.1.17-3 */
TEST(count_of_zero_is_refused_where_an_argument_is_needed)
{
	const struct command *c;
	int fd = create(0);

	for_each_command(c)
		if (c->args == ARGS_ONE || c->args == ARGS_VECTOR)
			expect_error(c, fd, NULL, 0, EINVAL);
}

/* covers: 3.1.2-3 3.1.3-3 3.1.4-3 3.1.10-3 3.1.11-3 3.1.12-3 3.1.13-3 3.1.14-3 */
TEST(negative_counts_are_refused)
{
	static const int counts[] = { -1, -2, -4096, INT_MIN, INT_MIN + 1 };
	const struct command *c;
	int fd = create(0);
	size_t i;

	for_each_command(c) {
		for (i = 0; i < ARRAY_SIZE(counts); i++) {
			expect_error(c, fd, memory, counts[i], EINVAL);
			expect_error(c, fd, NULL, counts[i], EINVAL);
		}
	}
}

/* covers: 3.1.1-3 3.1.5-4 3.1.7-3 3.1.7-4 3.1.16-2 3.1.16-3 3.1.17-2 3.1.17-3 */
TEST(commands_that_take_one_element_refuse_more)
{
	static const int counts[] = { 2, 3, 64, 65, 1 << 30, INT_MAX };
	const struct command *c;
	int fd = create(0);
	size_t i;

	for_each_command(c)
		for (i = 0; i < ARRAY_SIZE(counts); i++)
			if (c->args == ARGS_ONE || c->args == ARGS_OPTIONAL)
				expect_error(c, fd, memory, counts[i], EINVAL);
}

/* covers: 3.1.6-3 3.1.8-3 3.1.9-3 */
TEST(commands_without_argument_want_null_and_zero)
{
	const struct command *c;
	int fd = create(0);

	/* Loaded, so that the valid form would succeed. */
	load_self(fd);
	for_each_command(c) {
		if (c->args != ARGS_NONE)
			continue;
		expect_error(c, fd, memory, 0, EINVAL);
		expect_error(c, fd, memory, 1, EINVAL);
		expect_error(c, fd, NULL, 1, EINVAL);
		expect_error(c, fd, NULL, 1 << 30, EINVAL);
	}
	unload(fd);
}

/* covers: 3.1.5-3 3.1.5-4 3.1.5-21 */
TEST(start_takes_null_and_zero_or_one_element)
{
	pfarg_start_t arg = { .start_set = 0 };
	int fd = create(0);

	load_self(fd);
	CHECK_ERRNO(perfmonctl(fd, PFM_START, &arg, 0), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_START, &arg, 2), EINVAL);
	CHECK_ERRNO(perfmonctl(fd, PFM_START, NULL, 1), EFAULT);
	CHECK_OK(perfmonctl(fd, PFM_START, NULL, 0));
	CHECK_OK(perfmonctl(fd, PFM_START, &arg, 1));
}

/* covers: 3.1-1 3.1-5 */
TEST(success_returns_zero)
{
	pfarg_config_t config;

	CHECK_EQ(perfmonctl(-1, PFM_GET_CONFIG, &config, 1), 0);
}

/* covers: 3.1.2-47 3.1.3-40 3.1.4-29 3.1.10-38 3.1.11-16 3.1.12-30 3.1.13-25 3.1.14-22 4.1-3
 * 4.4.2-2 */
TEST(enormous_vectors_are_too_big)
{
	const struct command *c;
	int fd = create(0);

	for_each_command(c) {
		if (c->args != ARGS_VECTOR)
			continue;
		expect_error(c, fd, memory, 1 << 30, E2BIG);
		expect_error(c, fd, memory, INT_MAX, E2BIG);
	}
}

/* covers: 4.1-3 D.9-1 */
TEST(vector_sizes_that_overflow_32_bits_are_too_big)
{
	const struct command *c;
	int fd = create(0);
	__u64 n;
	int k;

	for_each_command(c) {
		if (c->args != ARGS_VECTOR)
			continue;
		/* The least n with n * size just above k * 2^32, and its neighbours. */
		for (k = 1; k <= 8; k++) {
			n = (((__u64)k << 32) + c->size - 1) / c->size;
			if (n >= INT_MAX)
				break;
			expect_error(c, fd, memory, n, E2BIG);
			expect_error(c, fd, memory, n + 1, E2BIG);
			expect_error(c, fd, memory, n - 1, E2BIG);
		}
	}
}

/*
 * At the limit, the kernel reads the elements: there is no such register or set, and the flag is
 * not defined. With one element more, it does not read them.
 */
/* covers: 3.1.2-46 3.1.3-39 3.1.4-28 3.1.10-31 3.1.11-10 3.1.12-24 3.1.13-20 3.1.14-17 */
/* covers: 4.4.2-1 4.4.2-2 */
TEST(vectors_up_to_the_size_limit_are_taken)
{
	__u64 limit = get_config().cf_arg_size_max;
	const struct command *c;
	int fd = create(0), n;
	__u16 *arg;

	arg = malloc(limit + 4096);
	CHECK(arg);
	for_each_command(c) {
		if (c->args != ARGS_VECTOR)
			continue;
		n = limit / c->size;
		memset(arg, 0, limit + 4096);
		/* The number and the flags are at the same offsets in all of these structures. */
		arg[0] = 0x7fff;
		arg[2] = 1 << 15;
		expect_error(c, fd, arg, n, EINVAL);
		expect_error(c, fd, arg, n + 1, E2BIG);
	}
}

/* covers: D.1-3 */
TEST(too_big_comes_before_bad_pointer)
{
	const struct command *c;
	int fd = create(0);

	for_each_command(c)
		if (c->args == ARGS_VECTOR)
			expect_error(c, fd, NULL, 1 << 30, E2BIG);
}

/* covers: D.1-3 */
TEST(bad_count_comes_before_bad_pointer)
{
	const struct command *c;
	int fd = create(0);

	for_each_command(c)
		expect_error(c, fd, (void *)8, -1, EINVAL);
}

static void bad_pointers_of_nobody(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_ERRNO(perfmonctl(-1, PFM_SET_CONFIG, NULL, 1), EFAULT);
}

/* covers: 3.1.16-24 D.1-4 */
TEST(bad_pointer_comes_before_permission)
{
	run_in_child(bad_pointers_of_nobody, NULL);
}

static void load_onto_root(void *arg)
{
	int fd = *(int *)arg;

	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_load(fd, getppid()), EPERM);
}

/* covers: 4.2-5 D.1-5 */
TEST(permission_comes_before_state)
{
	int fd = create(0);

	/* The context is loaded, but the permission for the thread is checked first. */
	load_self(fd);
	run_in_child(load_onto_root, &fd);
}

/* covers: D.1-6 */
TEST(state_comes_before_bad_element)
{
	pfarg_start_t arg = { .start_set = 7 };
	int fd = create(0);

	CHECK_ERRNO(perfmonctl(fd, PFM_START, &arg, 1), EBUSY);
	load_self(fd);
	CHECK_ERRNO(try_load_set(fd, gettid(), 7), EBUSY);
	CHECK_ERRNO(try_load(fd, INT_MAX), EBUSY);
}

/* covers: 3.1.5-21 D.1-4 */
TEST(bad_pointer_comes_before_state)
{
	int fd = create(0);

	CHECK_ERRNO(perfmonctl(fd, PFM_START, NULL, 1), EFAULT);
}
