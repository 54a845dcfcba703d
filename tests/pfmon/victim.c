// SPDX-License-Identifier: GPL-2.0
/*
 * A command to count, with typical behaviour of commands: `victim WHAT [ARG]`. And a command that
 * acts on another command:
 *
 *	push NAME	wait for a program of that name, then move it to the other CPU every
 *			millisecond until it ends; print how often
 *
 *	threads N	make N threads, one after the other, that each call getppid()
 *	coming N	wait for two seconds, then make N threads, one after the other
 *	work N		wait for two seconds, then make N threads, one after the other, that do
 *			the same without a system call
 *	epoll SECONDS	wait so long in epoll_wait(): 1 if that is interrupted
 *	crowd N		make N threads that are all there at once
 *	churn SECONDS	make threads that end at once, many at a time, for so long
 *	headless SECONDS the same, after the first thread has ended
 *	turns N		make N threads, of which 20 are there at once: the next one comes when the
 *			oldest has gone
 *	later SECONDS	make a thread after three seconds, run for so long
 *	forks N		fork N children, one after the other
 *	vfork PROGRAM	run a program with vfork()
 *	exec PROGRAM	execute a program from a thread that is not the leader
 *	hop PROGRAM	change between two CPUs a thousand times, then execute a program
 *	signals N	get N signals and count them; exit 0 when all came
 *	mask		print the signals that are blocked or not at their default, and all
 *			open descriptors
 *	stop		stop by SIGSTOP, go on when continued, exit 7
 *	raise SIGNAL	die of a signal
 *	deaf		ignore SIGTERM for one second, then exit 9
 *	linger		leave a process behind that prints "lingering PID" and exit at once
 *	spin		run until killed
 *	spin SECONDS	run for so long
 *	touch PAGES	write to so many fresh pages
 *	naps N		sleep N times, for a millisecond each
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t everybody_is_there;

static void *small_thread(void *arg)
{
	getppid();
	return arg;
}

static void *working_thread(void *arg)
{
	volatile long n;

	for (n = 0; n < 300000; n++)
		;
	return arg;
}

static void *waiting_thread(void *arg)
{
	pthread_barrier_wait(&everybody_is_there);
	return arg;
}

static int threads(int n, void *(*body)(void *arg))
{
	pthread_t thread;

	for (; n > 0; n--)
		if (pthread_create(&thread, NULL, body, NULL) ||
		    pthread_join(thread, NULL))
			return 1;
	return 0;
}

static int crowd(int n)
{
	pthread_t *thread = calloc((size_t)n, sizeof(*thread));
	int i;

	pthread_barrier_init(&everybody_is_there, NULL, (unsigned int)n);
	for (i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, waiting_thread, NULL))
			return 1;
	for (i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return 0;
}

#define MAKERS	4

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *making_thread(void *end)
{
	while (now() < *(double *)end)
		if (threads(1, small_thread))
			return end;
	return NULL;
}

static int churn(double seconds, bool headless)
{
	static double end;
	pthread_t thread[MAKERS];
	int failed = 0, i;
	void *why;

	end = now() + seconds;
	for (i = 0; i < MAKERS; i++)
		if (pthread_create(&thread[i], NULL, making_thread, &end))
			return 1;
	if (headless)
		pthread_exit(NULL);
	for (i = 0; i < MAKERS; i++)
		failed |= pthread_join(thread[i], &why) || why;
	return failed;
}

/* A thousand branches and a few more in each. */
static void *brief_thread(void *arg)
{
	unsigned long n = 1000;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n) : : "cc");
	return arg;
}

static int turns(int n)
{
	pthread_t thread[20];
	const int places = sizeof(thread) / sizeof(thread[0]);
	int i;

	for (i = 0; i < n; i++)
		if ((i >= places && pthread_join(thread[i % places], NULL)) ||
		    pthread_create(&thread[i % places], NULL, brief_thread, NULL))
			return 1;
	for (i = n < places ? 0 : n - places; i < n; i++)
		pthread_join(thread[i % places], NULL);
	return 0;
}

static void *idle_thread(void *arg)
{
	pause();
	return arg;
}

static int later(int seconds)
{
	pthread_t thread;

	/* pfmon needs time to attach on a kernel with all checkers. */
	sleep(3);
	if (pthread_create(&thread, NULL, idle_thread, NULL))
		return 1;
	sleep((unsigned int)seconds);
	return 0;
}

static int forks(int n)
{
	int status;
	pid_t pid;

	for (; n > 0; n--) {
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return 1;
	}
	return 0;
}

static int run_vfork(char *program)
{
	int status;
	pid_t pid;

	pid = vfork();
	if (!pid) {
		execlp(program, program, NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void *exec_thread(void *arg)
{
	execlp(arg, arg, NULL);
	exit(1);
}

static int exec_elsewhere(char *program)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exec_thread, program);
	pthread_join(thread, NULL);
	return 1; /* an exec ends all threads */
}

static int hop(char *program)
{
	cpu_set_t cpus;
	int i;

	for (i = 0; i < 1000; i++) {
		CPU_ZERO(&cpus);
		CPU_SET(i % 2, &cpus);
		if (sched_setaffinity(0, sizeof(cpus), &cpus))
			return 1;
	}
	execlp(program, program, NULL);
	return 1;
}

/* True if this is the program's process, which may not have called exec yet. */
static bool is_called(const char *pid, const char *name)
{
	char path[300], comm[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(comm, sizeof(comm), file))
		comm[0] = '\0';
	fclose(file);
	comm[strcspn(comm, "\n")] = '\0';
	return !strcmp(comm, name);
}

static pid_t find_program(const char *name)
{
	struct dirent *entry;
	pid_t pid = 0;
	DIR *dir;

	dir = opendir("/proc");
	while (dir && !pid && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]) && is_called(entry->d_name, name))
			pid = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return pid;
}

static int push(const char *name)
{
	unsigned long moves = 0;
	cpu_set_t cpus;
	pid_t pid;

	while (!(pid = find_program(name)))
		usleep(100);
	for (;;) {
		CPU_ZERO(&cpus);
		CPU_SET(moves % 2, &cpus);
		if (sched_setaffinity(pid, sizeof(cpus), &cpus))
			break;
		moves++;
		usleep(1000);
	}
	printf("%lu\n", moves);
	return 0;
}

static volatile sig_atomic_t received;

static void on_signal(int sig)
{
	(void)sig;
	received++;
}

static int signals(int n)
{
	int i;

	signal(SIGUSR1, on_signal);
	for (i = 0; i < n; i++)
		raise(SIGUSR1);
	return received != n;
}

static int mask(void)
{
	struct sigaction action;
	char path[64], link[256];
	sigset_t set;
	ssize_t n;
	int i;

	sigprocmask(SIG_SETMASK, NULL, &set);
	for (i = 1; i < 32; i++) {
		if (sigismember(&set, i))
			printf("signal %d is blocked\n", i);
		if (!sigaction(i, NULL, &action) && action.sa_handler != SIG_DFL)
			printf("signal %d is not at its default\n", i);
	}
	for (i = 0; i < 1024; i++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", i);
		n = readlink(path, link, sizeof(link));
		if (n > 0)
			printf("descriptor %d is open\n", i);
	}
	return 0;
}

static int spin(double seconds)
{
	const double end = now() + seconds;

	while (!seconds || now() < end)
		;
	return 0;
}

/* A fault for each: no page is huge, and a fault brings no second page. */
static int touch(long pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = ((size_t)pages + 1) * page;
	volatile char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long i;

	if (memory == MAP_FAILED)
		return 1;
	madvise((void *)memory, size, MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++)
		memory[(size_t)i * page] = 1;
	return 0;
}

static int naps(int n)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	for (; n > 0; n--)
		if (nanosleep(&nap, NULL))
			return 1;
	return 0;
}

static int deaf(void)
{
	signal(SIGTERM, SIG_IGN);
	puts("deaf");
	fflush(stdout);
	spin(1);
	return 9;
}

static int linger(void)
{
	if (!fork()) {
		printf("lingering %d\n", (int)getpid());
		fflush(stdout);
		close(0);
		close(1);
		close(2);
		sleep(20);
		_exit(0);
	}
	sleep(1);
	return 5;
}

static int wait_by_epoll(int seconds)
{
	struct epoll_event event;

	return epoll_wait(epoll_create1(0), &event, 1, 1000 * seconds) ? 1 : 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char *arg = argc > 2 ? argv[2] : "0";

	if (!strcmp(what, "threads"))
		return threads(atoi(arg), small_thread);
	if (!strcmp(what, "coming") || !strcmp(what, "work")) {
		sleep(2);
		return threads(atoi(arg), *what == 'c' ? small_thread : working_thread);
	}
	if (!strcmp(what, "epoll"))
		return wait_by_epoll(atoi(arg));
	if (!strcmp(what, "crowd"))
		return crowd(atoi(arg));
	if (!strcmp(what, "churn") || !strcmp(what, "headless"))
		return churn(atof(arg), *what == 'h');
	if (!strcmp(what, "turns"))
		return turns(atoi(arg));
	if (!strcmp(what, "later"))
		return later(atoi(arg));
	if (!strcmp(what, "forks"))
		return forks(atoi(arg));
	if (!strcmp(what, "vfork"))
		return run_vfork(arg);
	if (!strcmp(what, "exec"))
		return exec_elsewhere(arg);
	if (!strcmp(what, "hop"))
		return hop(arg);
	if (!strcmp(what, "push"))
		return push(arg);
	if (!strcmp(what, "signals"))
		return signals(atoi(arg));
	if (!strcmp(what, "mask"))
		return mask();
	if (!strcmp(what, "stop"))
		return raise(SIGSTOP) ? 1 : 7;
	if (!strcmp(what, "raise"))
		return raise(atoi(arg));
	if (!strcmp(what, "deaf"))
		return deaf();
	if (!strcmp(what, "linger"))
		return linger();
	if (!strcmp(what, "spin"))
		return spin(atof(arg));
	if (!strcmp(what, "touch"))
		return touch(atol(arg));
	if (!strcmp(what, "naps"))
		return naps(atoi(arg));
	fprintf(stderr, "victim: see the top of victim.c\n");
	return 2;
}
