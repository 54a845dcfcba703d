// SPDX-License-Identifier: GPL-2.0
/*
 * Signals come by a descriptor, so that one ppoll() waits for signals, for the contexts and for the
 * time, and nothing is lost between looking and waiting.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "run/loop.h"
#include "util.h"

static int signal_fd = -1;

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void loop_setup(void)
{
	sigset_t mask;
	size_t i;

	if (signal_fd >= 0)
		return;
	/* With an inherited, ignored SIGCHLD the kernel would reap the command. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	for (i = 0; i < COUNT(stop_signals); i++)
		sigaddset(&mask, stop_signals[i]);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0) {
		complain("signalfd: %s", strerror(errno));
		exit(EXIT_PFMON);
	}
}

void loop_begin(struct loop *loop, uint64_t timeout_ms)
{
	memset(loop, 0, sizeof(*loop));
	loop_end_after(loop, timeout_ms);
}

void loop_end_after(struct loop *loop, uint64_t timeout_ms)
{
	loop->deadline = timeout_ms ? now() + (double)timeout_ms * 1e-3 : 0;
}

static unsigned int take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;
	unsigned int woken = 0;

	while (read(signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			woken |= WAKE_CHILD;
			continue;
		}
		loop->signal = (int)info.ssi_signo;
		loop->from_terminal = info.ssi_code == SI_KERNEL;
		woken |= WAKE_SIGNAL;
	}
	return woken;
}

/* The time until the earlier of the two times that may be set. False: neither is set. */
static bool time_left(const struct loop *loop, struct timespec *left)
{
	double until = loop->deadline, seconds;

	if (loop->tick && (!until || loop->tick < until))
		until = loop->tick;
	if (!until)
		return false;
	seconds = until - now();
	seconds = seconds < 0 ? 0 : seconds;
	left->tv_sec = (time_t)seconds;
	left->tv_nsec = (long)((seconds - (double)left->tv_sec) * 1e9);
	return true;
}

unsigned int loop_wait(struct loop *loop, struct pollfd *fds, unsigned int nfds)
{
	struct pollfd *all = xcalloc(nfds + 1, sizeof(*all));
	unsigned int woken = 0, i;
	struct timespec left;
	int n;

	all[0].fd = signal_fd;
	all[0].events = POLLIN;
	for (i = 0; i < nfds; i++)
		all[i + 1] = fds[i];

	n = ppoll(all, nfds + 1, time_left(loop, &left) ? &left : NULL, NULL);
	if (n > 0 && all[0].revents)
		woken |= take_signals(loop);
	for (i = 0; i < nfds; i++) {
		fds[i].revents = n > 0 ? all[i + 1].revents : 0;
		if (fds[i].revents)
			woken |= WAKE_FD;
	}
	if (loop->deadline && now() >= loop->deadline) {
		loop->deadline = 0;
		woken |= WAKE_TIMEOUT;
	}
	if (loop->tick && now() >= loop->tick)
		woken |= WAKE_TICK;
	free(all);
	return woken;
}

void loop_forward_signal(const struct loop *loop, pid_t pid)
{
	if (!loop->from_terminal)
		kill(pid, loop->signal);
}
