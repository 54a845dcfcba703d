// SPDX-License-Identifier: GPL-2.0
/*
 * cost [-n TIMES] COMMAND... - the cost of a command, in the guest: the minimum of TIMES runs,
 * after one to warm up, in instructions, and its largest resident memory in KB.
 *
 * Instructions are nanoseconds of CPU time (-icount shift=0) of all processes of the command,
 * counted by a control group of its own: the guest's files are the host's, and the guest's clock
 * goes on while it waits for them. The command's output is discarded.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define GROUP	"/sys/fs/cgroup/cost"

static uint64_t instructions(void)
{
	FILE *file = fopen(GROUP "/cpu.stat", "re");
	uint64_t microseconds;

	if (!file || fscanf(file, "usage_usec %" SCNu64, &microseconds) != 1)
		err(1, "%s/cpu.stat", GROUP);
	fclose(file);
	return microseconds * 1000;
}

/* The command, in the group from its first instruction. */
static void execute(char **command)
{
	const int null = open("/dev/null", O_RDWR), procs = open(GROUP "/cgroup.procs", O_WRONLY);

	if (write(procs, "0", 1) != 1)
		err(126, "%s/cgroup.procs", GROUP);
	close(procs);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (!getenv("COST_SHOW"))
		dup2(null, STDERR_FILENO);
	close(null);
	execvp(*command, command);
	_exit(127);
}

static uint64_t run(char **command, long *memory)
{
	struct rusage usage;
	uint64_t cost;
	int status;
	pid_t pid;

	if (mkdir(GROUP, 0755))
		err(1, "%s", GROUP);
	pid = fork();
	if (!pid)
		execute(command);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		err(1, "%s", *command);
	cost = instructions();
	if (rmdir(GROUP))
		err(1, "%s: the command left a process", GROUP);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(1, "%s: ended with %#x; COST_SHOW=1 shows what it says", *command, status);
	if (usage.ru_maxrss > *memory)
		*memory = usage.ru_maxrss;
	return cost;
}

int main(int argc, char **argv)
{
	uint64_t cost, least = UINT64_MAX;
	int times = 2, option;
	long memory = 0;

	while ((option = getopt(argc, argv, "+n:")) >= 0) {
		if (option != 'n')
			return 2;
		times = atoi(optarg);
	}
	if (optind == argc || times < 1)
		errx(2, "usage: cost [-n TIMES] COMMAND...");
	run(argv + optind, &memory);
	while (times--) {
		cost = run(argv + optind, &memory);
		if (cost < least)
			least = cost;
	}
	printf("%" PRIu64 "\t%ld\n", least, memory);
	return 0;
}
