// SPDX-License-Identifier: GPL-2.0
/* PFM_CREATE_CONTEXT: the flags, and the properties of a context's descriptor. */
#include "process.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define DEFINED_FLAGS	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG | \
			 PFM_FL_EXTRA_MSG)

/* The specification's table "possible context flags combinations". */
/* covers: 3.1.1-13 */
TEST(possible_flag_combinations_are_taken)
{
	create(0);
	create(PFM_FL_NOTIFY_BLOCK);
	create(PFM_FL_OVFL_NO_MSG);
	create(PFM_FL_NOTIFY_BLOCK | PFM_FL_OVFL_NO_MSG);
	create(PFM_FL_SYSTEM_WIDE);
	create(PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG);
}

/* covers: 3.1.1-9 */
TEST(a_system_wide_context_cannot_block)
{
	CHECK_ERRNO(try_create(PFM_FL_SYSTEM_WIDE | PFM_FL_NOTIFY_BLOCK), EINVAL);
	CHECK_ERRNO(try_create(DEFINED_FLAGS), EINVAL);
}

/* covers: 3.1.1-4 */
TEST(each_undefined_flag_is_refused)
{
	__u32 flag;
	int n = 0;

	for (flag = 1; flag; flag <<= 1) {
		if (flag & DEFINED_FLAGS)
			continue;
		errno = 0;
		if (try_create(flag) >= 0 || errno != EINVAL)
			FAIL("flag %#x: %s", flag, test_errno_name(errno));
		CHECK_ERRNO(try_create(flag | PFM_FL_OVFL_NO_MSG), EINVAL);
		n++;
	}
	CHECK_EQ(n, 28);
}

/* covers: 3.1.1-18 */
TEST(an_unknown_sampling_format_is_refused)
{
	pfarg_ctx_t ctx = { .ctx_smpl_buf_id = { [0] = 0x5e } };

	CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, &ctx, 1), EINVAL);
	memset(&ctx, 0, sizeof(ctx));
	ctx.ctx_smpl_buf_id[15] = 1;
	CHECK_ERRNO(perfmonctl(-1, PFM_CREATE_CONTEXT, &ctx, 1), EINVAL);
}

/* covers: 3.1-7 3.1.1-14 3.1.1-16 3.1.1-19 3.1.1-21 */
TEST(outputs_are_set_whatever_they_were)
{
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_OVFL_NO_MSG, .ctx_fd = -77,
			    .ctx_smpl_buf_size = ~0ULL };
	size_t i;

	CHECK_EQ(perfmonctl(-1, PFM_CREATE_CONTEXT, &ctx, 1), 0);
	CHECK(ctx.ctx_fd > 2);
	CHECK_EQ(ctx.ctx_smpl_buf_size, 0);
	CHECK_EQ(ctx.ctx_flags, PFM_FL_OVFL_NO_MSG);
	for (i = 0; i < sizeof(ctx.ctx_smpl_buf_id); i++)
		CHECK_EQ(ctx.ctx_smpl_buf_id[i], 0);
}

/* covers: 3.1.1-44 */
TEST(a_failed_create_makes_no_descriptor)
{
	unsigned int before = count_fds();

	CHECK_ERRNO(try_create(~0U), EINVAL);
	CHECK_EQ(count_fds(), before);
}

/* covers: 3.1.1-22 */
TEST(the_lowest_free_descriptor_is_used)
{
	int first = create(0), second = create(0);

	CHECK_OK(close(first));
	CHECK_EQ(create(0), first);
	CHECK_NE(second, first);
}

/* covers: 3.1.1-34 */
TEST(the_descriptor_is_not_close_on_exec)
{
	CHECK_EQ(fcntl(create(0), F_GETFD), 0);
}

/* covers: 3.1.1-22 3.1.1-35 */
TEST(close_on_exec_can_be_set)
{
	int fd = create(0);

	CHECK_OK(fcntl(fd, F_SETFD, FD_CLOEXEC));
	CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
}

/* covers: 3.1.1-22 3.3.3-10 */
TEST(the_descriptor_blocks_at_first_and_can_be_told_not_to)
{
	int fd = create(0);
	pfm_msg_t msg;

	CHECK_EQ(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	CHECK_OK(fcntl(fd, F_SETFL, O_NONBLOCK));
	CHECK_EQ(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
}

/* covers: 3.3.3-4 */
TEST(seeking_is_not_supported)
{
	int fd = create(0);

	CHECK_ERRNO(lseek(fd, 0, SEEK_SET), ESPIPE);
	CHECK_ERRNO(lseek(fd, 0, SEEK_CUR), ESPIPE);
	CHECK_ERRNO(lseek(fd, 0, SEEK_END), ESPIPE);
}

/* covers: 3.1.1-22 */
TEST(a_new_context_has_nothing_to_read)
{
	struct pollfd pollfd = { .fd = create(0), .events = POLLIN | POLLRDNORM };

	CHECK_EQ(poll(&pollfd, 1, 0), 0);
	CHECK_EQ(pollfd.revents, 0);
}

/* covers: 3.1.1-22 */
TEST(the_descriptor_works_with_epoll)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0), fd = create(0);

	CHECK_OK(epoll);
	CHECK_OK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	CHECK_EQ(epoll_wait(epoll, &event, 1, 0), 0);
}

/* covers: 3.3.7-1 */
TEST(messages_cannot_be_written)
{
	pfm_msg_t msg = { .msg_type = PFM_MSG_END };

	CHECK_ERRNO(write(create(0), &msg, sizeof(msg)), EINVAL);
}

/* covers: D.4-5 */
TEST(a_duplicate_is_the_same_context)
{
	int fd = create(0), copy = dup(fd);

	CHECK_OK(copy);
	load_self(fd);
	check_loaded(copy);
	unload(copy);
	check_unloaded(fd);
}

static void create_without_descriptors(void *unused)
{
	struct rlimit limit = { 64, 64 };

	(void)unused;
	CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
	while (dup(0) >= 0)
		;
	CHECK_EQ(errno, EMFILE);
	CHECK_ERRNO(try_create(0), EMFILE);
	CHECK_OK(close(63));
	CHECK_EQ(create(0), 63);
}

/* covers: 3.1.1-23 */
TEST(too_many_open_files_is_an_error)
{
	run_in_child(create_without_descriptors, NULL);
}

/* covers: 3.1.1-1 3.1.1-23 */
TEST(a_process_can_have_many_contexts)
{
	unsigned int before = count_fds();
	int fds[200];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = create(i % 2 ? PFM_FL_SYSTEM_WIDE : 0);
	CHECK_EQ(count_fds(), before + ARRAY_SIZE(fds));
	/* Each of these flags works by itself. */
	load_self(fds[100]);
	check_unloaded(fds[98]);
	unload(fds[100]);
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		CHECK_OK(close(fds[i]));
	CHECK_EQ(count_fds(), before);
}

static void create_as_nobody(void *unused)
{
	(void)unused;
	become(NOBODY, NOBODY);
	create(0);
}

/* covers: 3.1.16-9 4.1-5 4.2-7 */
TEST(anybody_may_create_a_per_thread_context)
{
	run_in_child(create_as_nobody, NULL);
}
