// SPDX-License-Identifier: GPL-2.0
/* CPU lists, as in "0-3,5", and the CPUs that this process may run on. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"

#define MAX_CPUS	8192	/* most that Linux can be configured for */

/* A decimal number at *@text, which moves behind it. */
static bool number(const char **text, unsigned int *value)
{
	const char *p = *text;

	for (*value = 0; isdigit((unsigned char)*p) && *value < MAX_CPUS; p++)
		*value = 10 * *value + (unsigned int)(*p - '0');
	if (p == *text || *value >= MAX_CPUS)
		return false;
	*text = p;
	return true;
}

static bool contains(const unsigned int *cpus, size_t n, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

bool cpus_parse(const char *text, unsigned int **cpus, size_t *n, struct problem *why)
{
	unsigned int *list = NULL, first, last;
	const char *p = text;
	size_t room = 0;

	*n = 0;
	for (;;) {
		if (!number(&p, &first))
			goto bad;
		last = first;
		if (*p == '-' && (p++, !number(&p, &last) || last < first))
			goto bad;
		for (; first <= last; first++) {
			if (contains(list, *n, first))
				continue;
			GROW(list, *n, room);
			list[(*n)++] = first;
		}
		if (!*p)
			break;
		if (*p++ != ',')
			goto bad;
	}
	*cpus = list;
	return true;

bad:
	free(list);
	problem(why, "'%s' is not a list of CPUs", text);
	return problem_hint(why, "Write them as 0,2-3.");
}

bool cpus_online(unsigned int **cpus, size_t *n, struct problem *why)
{
	const char *path = "/sys/devices/system/cpu/online";
	FILE *file = fopen(path, "re");
	char text[4096] = "";
	bool ok;

	ok = file && fgets(text, sizeof(text), file);
	if (file)
		fclose(file);
	if (!ok)
		return problem(why, "cannot read %s", path);
	text[strcspn(text, "\n")] = '\0';
	return cpus_parse(text, cpus, n, why);
}

cpu_set_t *cpus_get_affinity(size_t *size)
{
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);

	if (!set)
		abort();
	*size = CPU_ALLOC_SIZE(MAX_CPUS);
	CPU_ZERO_S(*size, set);
	sched_getaffinity(0, *size, set);
	return set;
}

/* Run on this CPU and no other. False: errno. */
static bool move_to(unsigned int cpu)
{
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
	const size_t size = CPU_ALLOC_SIZE(MAX_CPUS);
	bool ok;

	if (!set)
		return false;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	ok = !sched_setaffinity(0, size, set);
	CPU_FREE(set);
	return ok;
}

bool cpus_visit(unsigned int cpu, bool (*work)(void *data, unsigned int cpu, struct problem *why),
		void *data, struct problem *why)
{
	cpu_set_t *before;
	size_t size;
	int error;
	bool ok;

	before = cpus_get_affinity(&size);
	ok = move_to(cpu);
	if (ok) {
		ok = work(data, cpu, why);
		error = errno;
	} else {
		error = errno;
		problem(why, "CPU %u: %s", cpu, strerror(error));
		problem_hint(why, "It is offline, or this process may not run there\n"
				  "(see /sys/devices/system/cpu/online, cpusets).");
	}
	sched_setaffinity(0, size, before);
	CPU_FREE(before);
	errno = error;
	return ok;
}
