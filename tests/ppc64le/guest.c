// SPDX-License-Identifier: GPL-2.0
/*
 * guest LIST - the counterpart of tests/inside for a guest in which no shell runs: run the tests of
 * a list one by one. A line of LIST is SECONDS NAME PATH, with tabs between.
 *
 * Tests execute /bin/true and /bin/sleep, which are the host's files: this program, under their
 * names, replaces them in the guest.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child;

static void time_is_up(int unused)
{
	(void)unused;
	kill(-child, SIGKILL);
}

static int run(unsigned int seconds, const char *path)
{
	int status;

	child = fork();
	if (child < 0)
		return 126;
	if (child == 0) {
		setpgid(0, 0);
		dup2(open("/dev/null", O_RDONLY), 0);
		dup2(1, 2);
		execl(path, path, NULL);
		fprintf(stderr, "cannot run %s: %s\n", path, strerror(errno));
		_exit(127);
	}
	setpgid(child, child);
	alarm(seconds);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	alarm(0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Files written in the guest must not appear on the host. */
static void stand_in_for(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to;
	struct stat info;

	unlink(path);
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (from < 0 || to < 0 || fstat(from, &info) ||
	    sendfile(to, from, NULL, info.st_size) != info.st_size) {
		fprintf(stderr, "guest: cannot write %s: %s\n", path, strerror(errno));
		exit(2);
	}
	close(from);
	close(to);
}

int main(int argc, char **argv)
{
	FILE *list = argc == 2 ? fopen(argv[1], "re") : NULL;
	char line[1024], name[256], path[512];
	unsigned int seconds;

	if (!strcmp(argv[0], "true"))
		return 0;
	if (!strcmp(argv[0], "sleep"))
		return argc == 2 ? (int)sleep(atoi(argv[1])) : 1;
	if (!list) {
		fprintf(stderr, "usage: guest LIST\n");
		return 2;
	}
	stand_in_for("/bin/true");
	stand_in_for("/bin/sleep");
	signal(SIGALRM, time_is_up);
	while (fgets(line, sizeof(line), list)) {
		if (sscanf(line, "%u %255s %511s", &seconds, name, path) != 3) {
			fprintf(stderr, "guest: not a line of a list: %s", line);
			return 2;
		}
		printf("@@begin %s\n", name);
		fflush(stdout);
		printf("\n@@end %s %d\n", name, run(seconds, path));
		fflush(stdout);
	}
	return 0;
}
