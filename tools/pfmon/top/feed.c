// SPDX-License-Identifier: GPL-2.0
/* A recording in a process of its own, through a pipe. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/recorder.h"
#include "run/child.h"
#include "top/feed.h"

#define CHUNK		65536
#define PIPE_SIZE	(1 << 20)	/* room for more than the data between two displays */

/*
 * The command must not read from or write to the terminal that shows the tables. pfmon's own
 * messages go there: they keep the descriptor, which the command does not get.
 */
static void part_from_terminal(void)
{
	const int own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	FILE *messages = own >= 0 ? fdopen(own, "w") : NULL;
	int fd;

	if (messages) {
		setvbuf(messages, NULL, _IONBF, 0);
		stderr = messages;
	}
	for (fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
}

/* A write to a pipe without a reader must be an error, and must not end the process. */
static void block_sigpipe(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static int record(struct record_job *job, struct recorder *r)
{
	struct record_result result = { .status = EXIT_PFMON };
	struct problem why = { "", "" };
	bool ok;

	if (!record_prepare(job, &why)) {
		problem_print(&why);
		return EXIT_PFMON;
	}
	block_sigpipe(); /* the command's signals were saved before */
	ok = record_run(job, r, &result, &why);
	if (!ok && r->recording.file.error != EPIPE)
		problem_print(&why);
	recorder_close(r);
	return result.status;
}

_Noreturn static void be_recorder(struct record_job *job, int fd)
{
	struct recorder recorder;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	part_from_terminal();
	memset(&recorder, 0, sizeof(recorder));
	free(job->options.output);
	job->options.output = xasprintf("/proc/self/fd/%d", fd);
	status = record(job, &recorder);
	record_job_free(job);
	_exit(status);
}

bool feed_begin(struct feed *feed, struct record_job *job, struct problem *why)
{
	int ends[2];

	memset(feed, 0, sizeof(*feed));
	feed->fd = -1;
	stream_begin(&feed->stream);
	if (pipe2(ends, O_CLOEXEC))
		return problem(why, "pipe: %s", strerror(errno));
	fcntl(ends[0], F_SETPIPE_SZ, PIPE_SIZE); /* fails if the user's limit is used up */
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fflush(stdout);
	feed->pid = fork();
	if (!feed->pid)
		be_recorder(job, ends[1]);
	close(ends[1]);
	if (feed->pid > 0) {
		feed->fd = ends[0];
		return true;
	}
	close(ends[0]);
	return problem(why, "fork: %s", strerror(errno));
}

static void take_end(struct feed *feed)
{
	int status = 0;

	close(feed->fd);
	feed->fd = -1;
	while (waitpid(feed->pid, &status, 0) < 0 && errno == EINTR)
		;
	feed->status = child_status(status);
}

bool feed_read(struct feed *feed, struct problem *why)
{
	char chunk[CHUNK];
	ssize_t n;

	while (feed->fd >= 0) {
		n = read(feed->fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return true;
		if (!n)
			take_end(feed);
		else if (!feed->broken && !stream_add(&feed->stream, chunk, (size_t)n, why))
			feed->broken = true;
		if (feed->broken)
			return false;
	}
	return true;
}

void feed_end(struct feed *feed)
{
	struct problem why;

	if (feed->fd < 0)
		return;
	kill(feed->pid, SIGTERM);
	fcntl(feed->fd, F_SETFL, 0);
	do {
		feed_read(feed, &why);
	} while (feed->fd >= 0);
}
