// SPDX-License-Identifier: GPL-2.0
/* The actions of children during their lives. */
#include "backend.h"
#include "calls.h"
#include "processes.h"
#include "slots.h"
#include "work.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void close_contexts(struct fuzzer *f)
{
	unsigned int i;

	for (i = 0; i < MAX_CONTEXTS * 2; i++) {
		struct context context = context_take(f);

		if (context.fd >= 0)
			close(context.fd);
	}
}

static void child_works(struct fuzzer *f)
{
	work(random_below(&f->random, 30000));
}

static void child_works_alone(struct fuzzer *f)
{
	close_contexts(f);
	child_works(f);
}

static void child_works_for_ever(struct fuzzer *f)
{
	if (random_once_in(&f->random, 2))
		close_contexts(f);
	while (!world_is_over())
		work(1000);
}

static void child_sleeps(struct fuzzer *f)
{
	close_contexts(f);
	pause();
}

static void child_fuzzes(struct fuzzer *f)
{
	fuzz(f, world->plan.operations / 8);
}

static void child_crashes(struct fuzzer *f)
{
	static const int signals[] = { SIGSEGV, SIGKILL, SIGABRT };
	int deadly = random_of(&f->random, signals);

	work(random_below(&f->random, 5000));
	signal(deadly, SIG_DFL);
	raise(deadly);
}

static void child_executes(struct fuzzer *f)
{
	work(random_below(&f->random, 5000));
	execl("/proc/self/exe", "fuzz-executed", NULL);
}

/* An exec that gains privileges ends the monitoring of the thread. */
static void child_executes_privileged(struct fuzzer *f)
{
	work(random_below(&f->random, 5000));
	(void)!setresuid(NOBODY, NOBODY, NOBODY);
	prctl(PR_SET_DUMPABLE, 1);
	sched_yield();
	execl(fuzz_path, "fuzz-executed", NULL);
}

static void *execute(void *unused)
{
	(void)unused;
	sched_yield();
	execl("/proc/self/exe", "fuzz-executed", NULL);
	return NULL;
}

/* A thread other than the first one executes a program, takes over its id, and ends all others. */
static void child_executes_in_a_thread(struct fuzzer *f)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, execute, NULL))
		work(1000000);
	(void)f;
}

static void child_ends_its_first_thread(struct fuzzer *f)
{
	pthread_t thread;

	(void)f;
	if (!pthread_create(&thread, NULL, execute, NULL))
		syscall(SYS_exit, 0);
}

static void read_all(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
}

static void read_directory(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char name[512];

	while (dir && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_type != DT_DIR)
			read_all(name);
	}
	if (dir)
		closedir(dir);
}

static void open_perf_event(struct fuzzer *f)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr) };
	int fd;

	attr.config = random_below(&f->random, 3);
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	work(random_below(&f->random, 10000));
	if (fd >= 0)
		close(fd);
}

/* Reads all files of perfmon, with a descriptor table of its own. */
static void child_observes(struct fuzzer *f)
{
	read_directory("/proc/self/fdinfo");
	read_directory(SYSFS "stats");
	read_directory(SYSFS "sessions");
	read_directory(SYSFS "limits");
	read_directory(SYSFS "formats/default");
	read_directory(SYSFS "formats/probe");
	open_perf_event(f);
}

static void (*const lives[])(struct fuzzer *f) = {
	child_works, child_works_alone, child_works_alone, child_works_for_ever, child_sleeps,
	child_fuzzes, child_fuzzes, child_fuzzes, child_crashes, child_executes,
	child_executes_privileged, child_executes_in_a_thread, child_ends_its_first_thread,
	child_observes,
};

void child_main(struct fuzzer *f)
{
	unsigned int life = random_below(&f->random, ARRAY_SIZE(lives));
	char name[sizeof(f->trail->name)];

	snprintf(name, sizeof(name), "%.12s/%u", f->trail->name, f->operation);
	memset(f->process->children, 0, sizeof(f->process->children));
	f->process->extra_threads = 0;
	f->stream = random_mix(f->stream, ~(uint64_t)f->operation);
	f->depth++;
	f->tid = gettid();
	f->trail = trail_new(name);
	/* Deep families would also be wide ones. */
	if (f->depth > 2 && lives[life] == child_fuzzes)
		life = 0;
	note(f, "child of kind %u", life);
	lives[life](f);
	_exit(0);
}

/* The executed program: uses the descriptors that it has inherited, and ends. */
int executed(void)
{
	pfarg_pmd_t pmd = { .reg_num = 0 };
	int fd;

	signal(SIGIO, SIG_IGN);
	for (fd = 0; fd < 2 * MAX_CONTEXTS; fd++) {
		backend_call(fd, PFM_READ_PMDS, &pmd, 1);
		backend_call(fd, PFM_RESTART, NULL, 0);
		work(500);
		if (fd > 2 && fd % 2)
			close(fd);
	}
	return 0;
}
