// SPDX-License-Identifier: GPL-2.0
/*
 * The test harness: runs the registered tests and prints TAP. See harness.h.
 */
#include "harness.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Set by any descendant of a test, in memory that all of them share. */
struct verdict {
	int	failed;
	int	skipped;
	char	reason[200];
};

static struct test *tests, **tests_end = &tests;
static struct verdict *verdict;
static unsigned int limit_override;

void test_register(struct test *test)
{
	*tests_end = test;
	tests_end = &test->next;
}

const char *test_errno_name(int error)
{
	const char *name = error ? strerrorname_np(error) : "no errno";

	return name ? name : "an unknown errno";
}

void test_fail(const char *file, int line, const char *format, ...)
{
	va_list args;
	char text[1024];

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	__atomic_store_n(&verdict->failed, 1, __ATOMIC_SEQ_CST);
	dprintf(STDOUT_FILENO, "%s:%d: %s\n", file, line, text);
	_exit(1);
}

void test_skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(verdict->reason, sizeof(verdict->reason), format, args);
	va_end(args);
	__atomic_store_n(&verdict->skipped, 1, __ATOMIC_SEQ_CST);
	_exit(0);
}

void *test_shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		FAIL("no shared memory: %s", strerror(errno));
	return memory;
}

static __noreturn void die(const char *what)
{
	fprintf(stderr, "harness: %s: %s\n", what, strerror(errno));
	exit(2);
}

__attribute__((weak)) void before_test(void)
{
}

static __noreturn void child_main(const struct test *test, int output)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		_exit(2);
	close(output);
	setvbuf(stdout, NULL, _IOLBF, 0);
	before_test();
	test->run();
	fflush(NULL);
	_exit(0);
}

/* Wait for the test; false at the end of its time. */
static bool wait_within(pid_t pid, unsigned int seconds, int *status)
{
	struct pollfd done = { .events = POLLIN };
	struct timespec end, now;
	int left = seconds * 1000;

	done.fd = syscall(SYS_pidfd_open, pid, 0);
	if (done.fd < 0)
		die("pidfd_open");
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	while (left > 0 && poll(&done, 1, left) <= 0) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = (end.tv_sec - now.tv_sec) * 1000 +
		       (end.tv_nsec - now.tv_nsec) / 1000000;
	}
	/* Processes that the test left behind end with it. */
	if (left <= 0)
		kill(pid, SIGKILL);
	kill(-pid, SIGKILL);
	close(done.fd);
	if (waitpid(pid, status, 0) != pid)
		die("waitpid");
	return left > 0;
}

/* Show the output of the test, each line as a TAP diagnostic. */
static void show_output(int output)
{
	FILE *file;
	char *line = NULL;
	size_t size = 0;

	lseek(output, 0, SEEK_SET);
	file = fdopen(output, "r");
	if (!file)
		die("fdopen");
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		printf("# %s\n", line);
	}
	free(line);
	fclose(file);
}

static int new_output(void)
{
	int output = memfd_create("test-output", MFD_CLOEXEC);

	/* Appending, so that several processes do not overwrite each other. */
	if (output < 0 || fcntl(output, F_SETFL, O_APPEND) < 0)
		die("memfd_create");
	return output;
}

/* The host may be slow, and its clock goes on; a guest's clock is slow with the guest. */
static unsigned int patience(void)
{
	const char *factor = getenv("PERFMON_PATIENCE");

	return factor && atoi(factor) > 0 ? atoi(factor) : 1;
}

static bool run_one(const struct test *test, unsigned int number)
{
	unsigned int limit = limit_override ? limit_override : test->limit * patience();
	int output = new_output(), status;
	bool in_time, passed;
	pid_t pid;

	memset(verdict, 0, sizeof(*verdict));
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0)
		child_main(test, output);
	setpgid(pid, pid);
	in_time = wait_within(pid, limit, &status);

	passed = in_time && !verdict->failed && WIFEXITED(status) && !WEXITSTATUS(status);
	printf("%sok %u - %s", passed ? "" : "not ", number, test->name);
	if (passed && verdict->skipped)
		printf(" # SKIP %s", verdict->reason);
	putchar('\n');
	if (!in_time)
		printf("# it did not finish within %u s\n", limit);
	else if (WIFSIGNALED(status))
		printf("# it was killed by signal %d (%s)\n", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	else if (!passed && !verdict->failed)
		printf("# it exited with status %d\n", WEXITSTATUS(status));
	show_output(output);
	fflush(stdout);
	return passed;
}

static bool selected(const struct test *test, char **patterns)
{
	if (!*patterns)
		return true;
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, test->name, 0))
			return true;
	return false;
}

static __noreturn void usage(const char *program)
{
	fprintf(stderr, "usage: %s [-l] [-t SECONDS] [PATTERN...]\n", program);
	exit(2);
}

int main(int argc, char **argv)
{
	unsigned int planned = 0, number = 0, failed = 0;
	const struct test *test;
	bool list = false;
	int option;

	while ((option = getopt(argc, argv, "lt:")) >= 0) {
		if (option == 'l')
			list = true;
		else if (option == 't' && atoi(optarg) > 0)
			limit_override = atoi(optarg);
		else
			usage(argv[0]);
	}
	for (test = tests; test; test = test->next) {
		if (!selected(test, argv + optind))
			continue;
		planned++;
		if (list)
			puts(test->name);
	}
	if (list)
		return 0;
	if (!planned) {
		fprintf(stderr, "%s: no test has such a name; -l lists them\n", argv[0]);
		return 2;
	}
	verdict = mmap(NULL, sizeof(*verdict), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (verdict == MAP_FAILED)
		die("mmap");
	printf("1..%u\n", planned);
	for (test = tests; test; test = test->next)
		if (selected(test, argv + optind) && !run_one(test, ++number))
			failed++;
	return failed ? 1 : 0;
}
