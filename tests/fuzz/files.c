// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on descriptors.
 */
#include "calls.h"
#include "memory.h"
#include "slots.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void check_read(struct fuzzer *f, const void *place, size_t size, ssize_t got)
{
	if (got < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != EINVAL && errno != EBADF)
			violation(f, "read failed with %s", strerrorname_np(errno));
		else if (errno == EINVAL && size % sizeof(pfm_msg_t) == 0)
			violation(f, "read of %zu bytes is refused", size);
		return;
	}
	if (got % sizeof(pfm_msg_t) || (size_t)got > size || (size && !got)) {
		violation(f, "read of %zu bytes returned %zd", size, got);
		return;
	}
	check_messages(f, place, got / sizeof(pfm_msg_t));
}

static void do_read(struct fuzzer *f)
{
	size_t size = sizeof(pfm_msg_t) * (1 + random_below(&f->random, 4));
	int fd = context_pick(f).fd;
	void *place, *bad;
	ssize_t got;

	if (random_once_in(&f->random, 12))
		size = random_below(&f->random, 500);
	/* Most of the time no other thread causes the message that a reader waits for. */
	if (!random_once_in(&f->random, 8))
		fcntl(fd, F_SETFL, O_NONBLOCK | (random_once_in(&f->random, 4) ? O_ASYNC : 0));
	place = room_place(f, size);
	if (size && random_once_in(&f->random, 20)) {
		bad = bad_memory(f, place, size);
		got = read(fd, bad, size);
		note(f, "read(%d, %p bad, %zu) = %zd", fd, bad, size, got);
		return;
	}
	errno = 0;
	got = read(fd, place, size);
	note(f, "read(%d, %zu) = %zd", fd, size, got);
	check_read(f, place, size, got);
	if (!room_is_intact(f, place, size))
		violation(f, "read wrote outside of its buffer");
}

static void do_readv(struct fuzzer *f)
{
	int fd = context_pick(f).fd;
	struct iovec vector[2];
	ssize_t got;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	vector[0].iov_base = f->room;
	vector[0].iov_len = sizeof(pfm_msg_t) * random_below(&f->random, 3);
	vector[1].iov_base = f->room + PAGE;
	vector[1].iov_len = sizeof(pfm_msg_t);
	got = readv(fd, vector, 2);
	note(f, "readv(%d) = %zd", fd, got);
	if (got > 0 && got % sizeof(pfm_msg_t))
		violation(f, "readv returned %zd", got);
}

static void do_poll(struct fuzzer *f)
{
	struct pollfd polls[2] = { { .events = POLLIN }, { .events = POLLIN | POLLOUT } };
	int ret;

	polls[0].fd = context_pick(f).fd;
	polls[1].fd = context_pick(f).fd;
	ret = poll(polls, 2, random_below(&f->random, 3));
	note(f, "poll(%d, %d) = %d", polls[0].fd, polls[1].fd, ret);
}

static void do_epoll(struct fuzzer *f)
{
	struct epoll_event event = { .events = EPOLLIN | (random_once_in(&f->random, 2) ? EPOLLET : 0) };
	int fd = context_pick(f).fd, how = 1 + random_below(&f->random, 3);

	note(f, "epoll %d %d", how, fd);
	epoll_ctl(FD_EPOLL, how, fd, &event);
	epoll_wait(FD_EPOLL, &event, 1, random_below(&f->random, 2));
}

static int random_owner(struct fuzzer *f)
{
	if (random_once_in(&f->random, 2))
		return f->tid;
	return random_once_in(&f->random, 4) ? -(int)getpgid(0) : target_pick(f);
}

static int random_signal(struct fuzzer *f)
{
	static const int signals[] = { 0, SIGIO, SIGUSR1, SIGUSR1, 0, 0, 0, 0 };
	int signal = random_of(&f->random, signals);

	if (random_once_in(&f->random, 2))
		return SIGRTMIN + random_below(&f->random, 4);
	/*
	 * Any signal: some of them end the process, which is allowed. But the fuzzer's own faults
	 * must be visible.
	 */
	if (random_once_in(&f->random, 100))
		signal = random_below(&f->random, 66);
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL ? SIGKILL : signal;
}

static void do_fcntl(struct fuzzer *f)
{
	int fd = context_pick(f).fd;
	struct f_owner_ex owner;

	note(f, "fcntl(%d)", fd);
	switch (random_below(&f->random, 6)) {
	case 0:
		fcntl(fd, F_SETOWN, random_owner(f));
		break;
	case 1:
		owner.type = random_below(&f->random, 4);
		owner.pid = abs(random_owner(f));
		fcntl(fd, F_SETOWN_EX, &owner);
		break;
	case 2:
		fcntl(fd, F_SETSIG, random_signal(f));
		break;
	case 3:
		fcntl(fd, F_SETFD, random_once_in(&f->random, 2) ? FD_CLOEXEC : 0);
		break;
	default:
		fcntl(fd, F_SETFL, O_NONBLOCK | (random_once_in(&f->random, 2) ? O_ASYNC : 0));
	}
}

/* Operations that such a descriptor does not have. */
static void do_nonsense(struct fuzzer *f)
{
	int fd = context_pick(f).fd;
	long ret = -1;

	switch (random_below(&f->random, 6)) {
	case 0:
		ret = write(fd, f->room, sizeof(pfm_msg_t));
		break;
	case 1:
		ret = ioctl(fd, random_u64(&f->random), f->room);
		break;
	case 2:
		ret = pwrite(fd, f->room, sizeof(pfm_msg_t), 0);
		break;
	case 3:
		ret = lseek(fd, 1, SEEK_SET);
		break;
	case 4:
		ret = ftruncate(fd, 0);
		break;
	default:
		ret = fallocate(fd, 0, 0, PAGE);
	}
	note(f, "nonsense(%d)", fd);
	if (ret != -1)
		violation(f, "nonsense on a descriptor succeeded: %ld", ret);
}

static void do_dup(struct fuzzer *f)
{
	struct context context = context_pick(f);

	context.fd = fcntl(context.fd, F_DUPFD, 0);
	note(f, "dup = %d", context.fd);
	if (context.fd >= 0)
		context_keep(f, context);
}

static void do_close(struct fuzzer *f)
{
	struct context context = context_take(f);

	note(f, "close(%d)", context.fd);
	/* A child may lack a descriptor that another thread opened during the fork. */
	if (context.fd >= 0 && close(context.fd) && !f->depth)
		violation(f, "close failed with %s", strerrorname_np(errno));
}

/* Duplicate one onto another, which closes the latter. */
static void do_dup2(struct fuzzer *f)
{
	struct context from = context_pick(f), to = context_take(f);

	note(f, "dup2(%d, %d)", from.fd, to.fd);
	if (from.fd < 0 || to.fd < 0 || dup2(from.fd, to.fd) < 0) {
		if (to.fd >= 0)
			close(to.fd);
		return;
	}
	context_keep(f, (struct context) { to.fd, from.size });
}

union rights {
	struct cmsghdr	header;
	char		space[CMSG_SPACE(sizeof(int))];
};

static void do_send(struct fuzzer *f)
{
	struct context context = context_pick(f);
	struct iovec size = { &context.size, sizeof(context.size) };
	union rights rights = { .header = { .cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct msghdr message = { .msg_iov = &size, .msg_iovlen = 1, .msg_control = &rights,
				  .msg_controllen = sizeof(rights) };

	note(f, "send(%d)", context.fd);
	memcpy(CMSG_DATA(&rights.header), &context.fd, sizeof(int));
	sendmsg(FD_SEND, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void do_receive(struct fuzzer *f)
{
	struct context context = { -1, 0 };
	struct iovec size = { &context.size, sizeof(context.size) };
	union rights rights;
	struct msghdr message = { .msg_iov = &size, .msg_iovlen = 1, .msg_control = &rights,
				  .msg_controllen = sizeof(rights) };

	if (recvmsg(FD_RECEIVE, &message, MSG_DONTWAIT) < 0 ||
	    message.msg_controllen < sizeof(rights.header) ||
	    rights.header.cmsg_len != CMSG_LEN(sizeof(int)))
		return;
	memcpy(&context.fd, CMSG_DATA(&rights.header), sizeof(int));
	note(f, "receive = %d", context.fd);
	context_keep(f, context);
}

const struct operation file_operations[] = {
	{ "read", 12, do_read },
	{ "readv", 1, do_readv },
	{ "poll", 3, do_poll },
	{ "epoll", 2, do_epoll },
	{ "fcntl", 4, do_fcntl },
	{ "nonsense", 1, do_nonsense },
	{ "dup", 2, do_dup },
	{ "dup2", 1, do_dup2 },
	{ "close", 5, do_close },
	{ "send", 2, do_send },
	{ "receive", 2, do_receive },
	{ }
};
