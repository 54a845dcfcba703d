// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD: QEMU's thread of the emulated processors is late to take each lock. So its main
 * thread runs while the processors are in states that last for a microsecond otherwise.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LATE_US	200

/* The thread's name, with -name debug-threads=on. */
static int is_processors(void)
{
	char name[16] = "";

	prctl(PR_GET_NAME, name);
	return !strcmp(name, "ALL CPUs/TCG");
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*lock)(pthread_mutex_t *mutex);
	const char *on = getenv("LATE_LOCK");

	if (!lock)
		lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
	/* A guest would take too long to boot so. */
	if (on && is_processors() && !access(on, F_OK))
		usleep(LATE_US);
	return lock(mutex);
}
