// SPDX-License-Identifier: GPL-2.0
/* The message queue: read(), poll() and similar calls. */
#include "messages.h"

#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>

/* covers: 3.3.3-5 3.3.3-6 3.3.9-1 */
TEST(reads_of_other_sizes_than_whole_messages_are_refused)
{
	static const size_t sizes[] = { 1, 4, 47, 49, 95, 97, 4095 };
	int fd = ended_context();
	char buffer[4096];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		CHECK_ERRNO(read(fd, buffer, sizes[i]), EINVAL);
	expect_end(fd);
	/* The error is the same without a message: the size of the read is wrong. */
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		CHECK_ERRNO(read(fd, buffer, sizes[i]), EINVAL);
}

/* covers: 3.3.3-11 */
TEST(a_read_of_nothing_returns_nothing)
{
	int fd = ended_context();

	CHECK_EQ(read(fd, NULL, 0), 0);
	expect_end(fd);
}

/* covers: 3.3.3-2 3.3.3-7 3.3.3-9 3.3.3-11 3.3.4-1 */
TEST(a_read_for_several_messages_returns_those_that_are_there)
{
	int fd = ended_context();
	pfm_msg_t msgs[10];

	memset(msgs, 0x5a, sizeof(msgs));
	CHECK_EQ(read(fd, msgs, 2 * sizeof(msgs[0])), sizeof(msgs[0]));
	CHECK_EQ(msgs[0].msg_type, PFM_MSG_END);
	CHECK_EQ(msgs[1].msg_type, 0x5a5a5a5a);

	fd = ended_context();
	CHECK_EQ(read(fd, msgs, sizeof(msgs)), sizeof(msgs[0]));
}

/* covers: 3.3.3-3 */
TEST(a_message_is_read_once)
{
	int fd = ended_context();
	pfm_msg_t msg;

	set_nonblocking(fd);
	expect_end(fd);
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
}

/* covers: 3.3.3-10 */
TEST(an_empty_queue_does_not_block_a_nonblocking_read)
{
	int fd = create(0);
	pfm_msg_t msg;

	set_nonblocking(fd);
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
	load_self(fd);
	start(fd);
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
}

/* A thread that reads one message and stores the result. */
struct reader {
	int		fd;
	struct thread	thread;
	pfm_msg_t	msg;
	ssize_t		ret;
	int		error;
	int		done;
};

static void read_one(void *arg)
{
	struct reader *reader = arg;

	reader->ret = read(reader->fd, &reader->msg, sizeof(reader->msg));
	reader->error = errno;
	__atomic_store_n(&reader->done, 1, __ATOMIC_SEQ_CST);
}

static bool reader_done(struct reader *reader)
{
	return __atomic_load_n(&reader->done, __ATOMIC_SEQ_CST);
}

static void reader_start(struct reader *reader, int fd)
{
	memset(reader, 0, sizeof(*reader));
	reader->fd = fd;
	thread_start(&reader->thread, read_one, reader);
	wait_state(reader->thread.tid, 'S');
}

/* covers: 3.3.1-5 3.3.3-8 */
TEST(a_read_waits_for_a_message)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);
	struct reader reader;

	load(fd, pid);
	reader_start(&reader, fd);
	CHECK(!reader_done(&reader));
	kill_child(pid);
	thread_join(&reader.thread);
	CHECK_EQ(reader.ret, sizeof(reader.msg));
	CHECK_EQ(reader.msg.msg_type, PFM_MSG_END);
}

/* covers: 3.3.1-1 3.3.3-3 */
TEST(one_message_is_for_one_of_two_readers)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);
	struct reader readers[2];

	load(fd, pid);
	reader_start(&readers[0], fd);
	reader_start(&readers[1], fd);
	kill_child(pid);
	WAIT_UNTIL(reader_done(&readers[0]) || reader_done(&readers[1]));
	sleep_ms(5);
	CHECK_EQ(reader_done(&readers[0]) + reader_done(&readers[1]), 1);
	/* The other thread gets the next message. */
	pid = sleeping_child(fd);
	load(fd, pid);
	kill_child(pid);
	thread_join(&readers[0].thread);
	thread_join(&readers[1].thread);
	CHECK_EQ(readers[0].ret, sizeof(pfm_msg_t));
	CHECK_EQ(readers[1].ret, sizeof(pfm_msg_t));
}

static void on_signal(int signal)
{
	(void)signal;
}

static void handle(int signal, int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };

	CHECK_OK(sigaction(signal, &action, NULL));
}

/* covers: 3.3.3-8 */
TEST(a_signal_interrupts_a_waiting_read)
{
	struct reader reader;

	handle(SIGUSR1, 0);
	reader_start(&reader, create(0));
	pthread_kill(reader.thread.pthread, SIGUSR1);
	thread_join(&reader.thread);
	CHECK_EQ(reader.ret, -1);
	CHECK_EQ(reader.error, EINTR);
}

/* covers: 3.3.3-8 */
TEST(a_signal_restarts_a_waiting_read_when_asked_for)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);
	struct reader reader;

	handle(SIGUSR1, SA_RESTART);
	load(fd, pid);
	reader_start(&reader, fd);
	pthread_kill(reader.thread.pthread, SIGUSR1);
	sleep_ms(2);
	CHECK(!reader_done(&reader));
	kill_child(pid);
	thread_join(&reader.thread);
	CHECK_EQ(reader.ret, sizeof(pfm_msg_t));
}

/* covers: 3.3.3-8 */
TEST(a_waiting_read_outlives_the_descriptor)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);
	struct reader reader;

	load(fd, pid);
	reader_start(&reader, fd);
	CHECK_OK(close(fd));
	CHECK_ERRNO(try_stop(fd), EBADF);
	kill_child(pid);
	thread_join(&reader.thread);
	CHECK_EQ(reader.ret, sizeof(pfm_msg_t));
	CHECK_EQ(reader.msg.msg_type, PFM_MSG_END);
}

/* covers: 3.1-9 */
TEST(commands_go_on_while_a_read_waits)
{
	int fd = create(0);
	struct reader reader;

	reader_start(&reader, fd);
	load_self(fd);
	start(fd);
	stop(fd);
	unload(fd);
	CHECK(!reader_done(&reader));
}

/* covers: 3.3.3-5 */
TEST(a_bad_buffer_does_not_lose_the_message)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = ended_context();
	char *pages;

	pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(pages != MAP_FAILED);
	CHECK_OK(mprotect(pages + page, page, PROT_READ));
	CHECK_ERRNO(read(fd, (void *)-4096L, 48), EFAULT);
	CHECK_ERRNO(read(fd, pages + page, 48), EFAULT);
	CHECK_ERRNO(read(fd, pages + page - 47, 48), EFAULT);
	CHECK_ERRNO(read(fd, (void *)0xffff888000001000UL, 48), EFAULT);
	CHECK(has_message(fd));
	expect_end(fd);
}

/* covers: 3.3.3-5 */
TEST(a_message_can_end_at_the_end_of_a_page)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = ended_context();
	char *pages;

	pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(pages != MAP_FAILED);
	CHECK_OK(munmap(pages + page, page));
	CHECK_EQ(read(fd, pages + page - 48, 48), 48);
	CHECK_EQ(pages[page - 49], 0);
}

/* covers: 3.1.7-13 3.3.5-1 */
TEST(load_discards_messages)
{
	int fd = ended_context();
	pfm_msg_t msg;

	set_nonblocking(fd);
	CHECK(has_message(fd));
	load_self(fd);
	CHECK(!has_message(fd));
	CHECK_ERRNO(read(fd, &msg, sizeof(msg)), EAGAIN);
}

/* covers: 3.1.7-46 3.3.5-2 */
TEST(a_failed_load_discards_nothing)
{
	int fd = ended_context();

	CHECK_ERRNO(try_load(fd, -1), ESRCH);
	CHECK_ERRNO(try_load_set(fd, gettid(), 1), EINVAL);
	expect_end(fd);
}

/* covers: 3.3.5-2 */
TEST(no_other_command_touches_messages)
{
	int fd = ended_context();
	pfarg_pmd_t pmd = { .reg_num = 0 };

	CHECK_ERRNO(try_unload(fd), EBUSY);
	CHECK_ERRNO(try_start(fd), EBUSY);
	perfmonctl(fd, PFM_READ_PMDS, &pmd, 1);
	perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1);
	expect_end(fd);
}

/* covers: 3.3.8-3 */
TEST(poll_reports_a_message)
{
	int fd = create(0);
	struct pollfd pollfd = { .fd = fd, .events = POLLIN | POLLRDNORM };
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	CHECK_EQ(poll(&pollfd, 1, 0), 0);
	kill_child(pid);
	CHECK_EQ(poll(&pollfd, 1, 5000), 1);
	/* As for a pipe or a socket, the two mean the same. */
	CHECK_EQ(pollfd.revents, POLLIN | POLLRDNORM);
	expect_end(fd);
	CHECK_EQ(poll(&pollfd, 1, 0), 0);
}

static void end_soon(void *arg)
{
	(void)arg;
	sleep_ms(5);
}

/* covers: 3.3.8-3 */
TEST(poll_wakes_up_when_a_message_arrives)
{
	int fd = create(0);
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	pid_t pid = spawn_without(fd, end_soon, NULL);

	load(fd, pid);
	CHECK_EQ(poll(&pollfd, 1, 10000), 1);
	CHECK_EQ(pollfd.revents, POLLIN);
	reap(pid);
}

/* covers: 3.3.8-2 */
TEST(select_reports_a_message)
{
	struct timeval now = { 0, 0 }, later = { 10, 0 };
	int fd = create(0);
	pid_t pid = sleeping_child(fd);
	fd_set set;

	load(fd, pid);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	CHECK_EQ(select(fd + 1, &set, NULL, NULL, &now), 0);
	kill_child(pid);
	FD_SET(fd, &set);
	CHECK_EQ(select(fd + 1, &set, NULL, NULL, &later), 1);
	CHECK(FD_ISSET(fd, &set));
}

/* covers: 3.3.8-1 */
TEST(epoll_waits_for_several_contexts)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0), fds[3];
	pid_t pids[3];
	int i;

	CHECK_OK(epoll);
	for (i = 0; i < 3; i++) {
		fds[i] = create(0);
		pids[i] = sleeping_child(fds[i]);
		load(fds[i], pids[i]);
		event.data.u32 = i;
		CHECK_OK(epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event));
	}
	CHECK_EQ(epoll_wait(epoll, &event, 1, 0), 0);
	kill_child(pids[1]);
	CHECK_EQ(epoll_wait(epoll, &event, 1, 5000), 1);
	CHECK_EQ(event.data.u32, 1);
	expect_end(fds[1]);
	CHECK_EQ(epoll_wait(epoll, &event, 1, 0), 0);
	kill_child(pids[0]);
	kill_child(pids[2]);
}

/* covers: 3.3.3-1 */
TEST(readv_reads_a_message)
{
	int fd = ended_context();
	pfm_msg_t msgs[2];
	struct iovec iovec[2] = {
		{ &msgs[0], sizeof(msgs[0]) }, { &msgs[1], sizeof(msgs[1]) }
	};

	set_nonblocking(fd);
	CHECK_EQ(readv(fd, iovec, 2), sizeof(msgs[0]));
	CHECK_EQ(msgs[0].msg_type, PFM_MSG_END);
}

/* covers: 3.3.3-4 3.3.7-1 */
TEST(pread_is_not_supported)
{
	int fd = ended_context();
	pfm_msg_t msg;

	CHECK_ERRNO(pread(fd, &msg, sizeof(msg), 0), ESPIPE);
	expect_end(fd);
}
