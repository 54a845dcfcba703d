// SPDX-License-Identifier: GPL-2.0
/*
 * The command is forked first and waits on a socket, so that all is set up around it before it
 * may go; the same socket returns the error if it could not be executed. It gets the signals and
 * limits with which pfmon itself was started.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/child.h"

static sigset_t original_mask;
static struct rlimit original_files;
static struct sigaction original_sigchld, original_sigxfsz;

void child_keep_environment(void)
{
	sigprocmask(SIG_SETMASK, NULL, &original_mask);
	sigaction(SIGCHLD, NULL, &original_sigchld);
	sigaction(SIGXFSZ, NULL, &original_sigxfsz);
	getrlimit(RLIMIT_NOFILE, &original_files);
	/* A file at its size limit is like a full disk: write() returns the error. */
	signal(SIGXFSZ, SIG_IGN);
}

void child_raise_file_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

_Noreturn static void become(int link, char **argv)
{
	char go;
	int error;

	if (read(link, &go, 1) != 1)
		_exit(EXIT_PFMON); /* pfmon gave up */
	setrlimit(RLIMIT_NOFILE, &original_files);
	sigaction(SIGCHLD, &original_sigchld, NULL);
	sigaction(SIGXFSZ, &original_sigxfsz, NULL);
	sigprocmask(SIG_SETMASK, &original_mask, NULL);
	execvp(argv[0], argv);

	error = errno;
	if (write(link, &error, sizeof(error)) != sizeof(error))
		_exit(EXIT_PFMON);
	_exit(child_exec_status(error));
}

bool child_start(struct child *child, char **argv, struct problem *why)
{
	int pair[2];

	/* A socket, for MSG_NOSIGNAL: the child may be dead when pfmon writes to it. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return problem_errno(why, "socketpair", errno);
	child->pid = fork();
	if (child->pid < 0) {
		problem(why, "fork: %s", strerror(errno));
		close(pair[0]);
		close(pair[1]);
		return false;
	}
	if (!child->pid) {
		close(pair[0]);
		become(pair[1], argv);
	}
	close(pair[1]);
	child->link = pair[0];
	return true;
}

bool child_trace(struct child *child, unsigned long options, struct problem *why)
{
	if (!ptrace(PTRACE_SEIZE, child->pid, NULL, (void *)options))
		return true;
	problem(why, "cannot trace the command: ptrace: %s", strerror(errno));
	child_abandon(child);
	return problem_hint(why, "pfmon stops the command at its exec to monitor it from its first instruction on.\n"
				 "Either pfmon is traced itself, by a debugger or another pfmon (which -i prevents),\n"
				 "or tracing is forbidden: see kernel.yama.ptrace_scope, or the container's seccomp rules.");
}

void child_go(struct child *child)
{
	ssize_t n;

	do {
		n = send(child->link, "", 1, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
}

int child_exec_error(struct child *child, const char *name, struct problem *why)
{
	int error = 0;
	ssize_t n;

	do {
		n = recv(child->link, &error, sizeof(error), MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	close(child->link);
	child->link = -1;
	if (n != sizeof(error))
		return 0;
	problem(why, "cannot run '%s': %s", name, strerror(error));
	return error;
}

int child_exec_status(int error)
{
	return error == ENOENT || error == ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

int child_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return 128 + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}

double child_seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

void child_abandon(struct child *child)
{
	int status;

	kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, __WALL) < 0 && errno == EINTR)
		;
	if (child->link >= 0)
		close(child->link);
	child->link = -1;
}
