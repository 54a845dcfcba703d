// SPDX-License-Identifier: GPL-2.0
/*
 * flip NAME [MICROSECONDS] - move a process from CPU to CPU until it ends.
 *
 * Waits for a process of that name (as in /proc/PID/comm) to appear, which a shell would be too
 * slow to do, and then moves it once each MICROSECONDS (1000) to the next of the CPUs that are
 * online. Prints the number of moves. Fails if there is only one CPU, or no such process within 30
 * seconds.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS	30000

static bool has_name(const char *pid, const char *name)
{
	char path[300], comm[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fgets(comm, sizeof(comm), file))
		comm[strcspn(comm, "\n")] = '\0';
	fclose(file);
	return !strcmp(comm, name);
}

/* The process of that name, or 0. */
static pid_t find(const char *name)
{
	struct dirent *entry;
	pid_t pid = 0;
	DIR *proc;

	proc = opendir("/proc");
	if (!proc)
		return 0;
	while (!pid && (entry = readdir(proc))) {
		if (isdigit(entry->d_name[0]) && has_name(entry->d_name, name))
			pid = atoi(entry->d_name);
	}
	closedir(proc);
	return pid;
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	useconds_t pause = argc > 2 ? atoi(argv[2]) : 1000;
	unsigned long flips = 0, waited;
	struct sched_param first = { .sched_priority = 1 };
	cpu_set_t set;
	pid_t pid = 0;

	if (argc < 2 || cpus < 2) {
		fprintf(stderr, argc < 2 ? "usage: flip NAME [MICROSECONDS]\n" :
			"flip: there is only one CPU\n");
		return 2;
	}
	/* The moved process must not delay this one; without privilege it does. */
	sched_setscheduler(0, SCHED_FIFO, &first);
	for (waited = 0; !pid && waited < PATIENCE_MS; waited++) {
		pid = find(argv[1]);
		if (!pid)
			usleep(1000);
	}
	if (!pid) {
		fprintf(stderr, "flip: no process %s has appeared\n", argv[1]);
		return 1;
	}
	for (;; flips++) {
		CPU_ZERO(&set);
		CPU_SET(flips % cpus, &set);
		if (sched_setaffinity(pid, sizeof(set), &set))
			break;
		usleep(pause);
	}
	if (errno != ESRCH) {
		fprintf(stderr, "flip: cannot move %d: %s\n", pid, strerror(errno));
		return 1;
	}
	printf("%lu\n", flips);
	return 0;
}
