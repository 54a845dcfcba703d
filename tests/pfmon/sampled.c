// SPDX-License-Identifier: GPL-2.0
/*
 * A command to be sampled, whose functions have known shares: `sampled WHAT [ARG...]`.
 *
 *	shares			three times as much in heavy() as in light()
 *	library FILE		as much in light() as in work() of a library, which is opened
 *				for that and closed again
 *	exec PROGRAM ARG...	some in light(), then execute a program
 *	thread FILE		the first thread is in work() of a library forever; another
 *				one ends the process meanwhile
 *	calls			most of it in the kernel
 *	jit			as much in light() as in made(), which it makes at run time and
 *				names in /tmp/perf-PID.map
 *	jitstay			the same, but four seconds with made()
 *	jitlast			the same, by another thread when the first one has ended
 *	jitdump [MS]		the same of first() and second(), which are one after the other
 *				at the same place, named in jit-PID.dump, here, which is mapped
 *				MS milliseconds after the time in its header
 *	jitmove			as much in moved() at one place and at another, to which it is
 *				moved; then as much in code without a name at each of them, at
 *				the second once the dump is closed
 *	stay FILE		four seconds with work() of a library
 *	memfd FILE		the same of a copy of it that has no name
 *	long			four seconds with heavy(), then print "done"
 *	brief			the same for one second
 *	bursts			a millisecond in heavy(), then nineteen asleep, for six seconds
 *
 * Seconds "with" a function are one millisecond in it, then three asleep: few instructions over a
 * long time cost an emulator less.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sampled.h"

#define TURNS	1000000

__attribute__((noinline)) void heavy(unsigned long turns)
{
	BUSY(turns);
}

__attribute__((noinline)) void light(unsigned long turns)
{
	BUSY(turns);
}

/* At absolute times: the share stays on a machine where the emulator must wait. */
static void stay_with(void (*function)(unsigned long turns), unsigned int seconds)
{
	const long cycle = 4 * 1000 * 1000;
	struct timespec next;
	unsigned int i;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (i = 0; i < 250 * seconds; i++) {
		function(TURNS / 2);
		next.tv_nsec += cycle;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
}

static void (*open_work(const char *file, void **library))(unsigned long turns)
{
	void (*work)(unsigned long turns);

	*library = dlopen(file, RTLD_NOW);
	if (!*library) {
		fputs(dlerror(), stderr);
		exit(1);
	}
	*(void **)&work = dlsym(*library, "work");
	return work;
}

static int stay(const char *file)
{
	void *library;

	stay_with(open_work(file, &library), 4);
	return 0;
}

static int stay_in_copy(const char *file)
{
	const int from = open(file, O_RDONLY), to = memfd_create("copy", 0);
	char bytes[4096], path[40];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, (size_t)n) != n)
			return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", to);
	return stay(path);
}

static void *end_process(void *arg)
{
	light(20 * TURNS);
	exit(arg ? 3 : 1);
}

/* A copy of the loop, where no file is. Runtimes know their number in their PID namespace. */
static int make_code(unsigned int seconds)
{
	static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
	void (*made)(unsigned long turns);
	char name[64];
	FILE *file;
	void *page;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (page == MAP_FAILED)
		return 1;
	memcpy(page, code, sizeof(code)); /* dec %rdi; jnz; ret */
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	file = fopen(name, "w");
	if (!file)
		return 1;
	fprintf(file, "%lx %zx made\n", (unsigned long)page, sizeof(code));
	fclose(file);
	*(void **)&made = page;
	if (seconds)
		stay_with(made, seconds);
	else
		made(TURNS);
	light(TURNS);
	return 0;
}

static void *make_code_alone(void *first)
{
	pthread_join(*(pthread_t *)first, NULL);
	exit(make_code(4));
}

static int leave_to_another(void)
{
	static pthread_t first, other;

	first = pthread_self();
	if (pthread_create(&other, NULL, make_code_alone, &first))
		return 1;
	pthread_exit(NULL);
}

/* As jitdump-specification.txt has it. */
static unsigned long long nanoseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (unsigned long long)time.tv_sec * 1000000000 + (unsigned long long)time.tv_nsec;
}

static void dump_code(int fd, void *page, const unsigned char *code, size_t size, const char *name)
{
	const unsigned long long index = name[0];
	const struct {
		unsigned int		id, size;
		unsigned long long	time;
		unsigned int		pid, tid;
		unsigned long long	address, code_address, code_size, index;
	} record = {
		0, (unsigned int)(sizeof(record) + strlen(name) + 1 + size), nanoseconds(),
		(unsigned int)getpid(), (unsigned int)getpid(),
		(unsigned long)page, (unsigned long)page, size, index,
	};

	memcpy(page, code, size);
	if (write(fd, &record, sizeof(record)) < 0 || write(fd, name, strlen(name) + 1) < 0 ||
	    write(fd, code, size) < 0)
		exit(1);
}

static void dump_record(int fd, const void *record, size_t size)
{
	if (write(fd, record, size) < 0)
		exit(1);
}

static void dump_move(int fd, void *from, void *to, size_t size, const char *name)
{
	const struct {
		unsigned int		id, size;
		unsigned long long	time;
		unsigned int		pid, tid;
		unsigned long long	address, old_address, new_address, code_size, index;
	} record = {
		1, sizeof(record), nanoseconds(), (unsigned int)getpid(), (unsigned int)getpid(),
		(unsigned long)to, (unsigned long)from, (unsigned long)to, size,
		(unsigned long long)name[0],
	};

	memcpy(to, from, size);
	dump_record(fd, &record, sizeof(record));
}

static void dump_close(int fd)
{
	const struct {
		unsigned int		id, size;
		unsigned long long	time;
	} record = { 3, sizeof(record), nanoseconds() };

	dump_record(fd, &record, sizeof(record));
}

/* dec %rdi; jnz; ret */
static const unsigned char loop[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };

/* Begin a dump, and map it so much later. Returns its descriptor, and memory for code, or -1. */
static int open_dump(void **page, unsigned int late_ms)
{
	const struct {
		unsigned int		magic, version, size, machine, pad, pid;
		unsigned long long	time, flags;
	} header = {
		0x4a695444, 1, sizeof(header), 62, 0, (unsigned int)getpid(), nanoseconds(), 0,
	};
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "jit-%d.dump", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	*page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	usleep(1000 * late_ms);
	if (fd < 0 || write(fd, &header, sizeof(header)) < 0 || *page == MAP_FAILED ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return -1;
	return fd;
}

static void run(const void *code)
{
	void (*made)(unsigned long turns);

	*(const void **)&made = code;
	made(TURNS);
}

static int dump_and_run(unsigned int late_ms)
{
	void *page;
	const int fd = open_dump(&page, late_ms);

	if (fd < 0)
		return 1;
	dump_code(fd, page, loop, sizeof(loop), "first");
	run(page);
	dump_code(fd, page, loop, sizeof(loop), "second");
	run(page);
	return 0;
}

static int move_and_run(void)
{
	void *page, *other;
	const int fd = open_dump(&page, 0);

	if (fd < 0)
		return 1;
	other = (char *)page + 2048;
	dump_code(fd, page, loop, sizeof(loop), "moved");
	run(page);
	dump_move(fd, page, other, sizeof(loop), "moved");
	run(other);
	run(page); /* the code changes without a record in the dump */
	dump_close(fd);
	run(other);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;
	void *library;
	int i;

	if (!strcmp(what, "shares")) {
		heavy(3 * TURNS);
		light(TURNS);
	} else if (!strcmp(what, "library") && argc > 2) {
		open_work(argv[2], &library)(TURNS);
		dlclose(library);
		light(TURNS);
	} else if (!strcmp(what, "exec") && argc > 2) {
		light(TURNS);
		execv(argv[2], argv + 2);
		return 1;
	} else if (!strcmp(what, "thread") && argc > 2) {
		if (pthread_create(&thread, NULL, end_process, argv))
			return 1;
		open_work(argv[2], &library)(~0UL);
	} else if (!strcmp(what, "stay") && argc > 2) {
		return stay(argv[2]);
	} else if (!strcmp(what, "memfd") && argc > 2) {
		return stay_in_copy(argv[2]);
	} else if (!strcmp(what, "calls")) {
		for (i = 0; i < 5000; i++)
			getppid();
	} else if (!strcmp(what, "jit")) {
		return make_code(0);
	} else if (!strcmp(what, "jitstay")) {
		return make_code(4);
	} else if (!strcmp(what, "jitlast")) {
		return leave_to_another();
	} else if (!strcmp(what, "jitdump")) {
		return dump_and_run(argc > 2 ? (unsigned int)atoi(argv[2]) : 0);
	} else if (!strcmp(what, "jitmove")) {
		return move_and_run();
	} else if (!strcmp(what, "long") || !strcmp(what, "brief")) {
		stay_with(heavy, !strcmp(what, "long") ? 4 : 1);
		puts("done");
	} else if (!strcmp(what, "bursts")) {
		for (i = 0; i < 300; i++) {
			heavy(TURNS / 2);
			usleep(19000);
		}
	} else {
		return 2;
	}
	return 0;
}
