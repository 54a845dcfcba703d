// SPDX-License-Identifier: GPL-2.0
/*
 * A command to be sampled, whose functions have known shares: `sampled WHAT [ARG...]`.
 *
 *	shares			three times as much in heavy() as in light()
 *	library FILE		as much in light() as in work() of a library, which is opened
 *				for that and closed again
 *	exec PROGRAM ARG...	some in light(), then execute a program
 *	thread FILE		the first thread is in work() of a library for ever; another
 *				one ends the process meanwhile
 *	calls			most of it in the kernel
 *	long			some seconds in heavy(), then print "done"
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void *end_process(void *arg)
{
	light(20 * TURNS);
	exit(arg ? 3 : 1);
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
	} else if (!strcmp(what, "calls")) {
		for (i = 0; i < 5000; i++)
			getppid();
	} else if (!strcmp(what, "long")) {
		heavy(2000UL * TURNS);
		puts("done");
	} else {
		return 2;
	}
	return 0;
}
