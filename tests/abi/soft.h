/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the software PMU, and functions that cause them. */
#ifndef TESTS_ABI_SOFT_H
#define TESTS_ABI_SOFT_H

#include "pages.h"
#include "sampling.h"
#include "system.h"

#include <sys/resource.h>

__attribute__((constructor)) static void count_commands_exactly(void)
{
	quiet = true;
}

#define PAGE		4096UL
#define ON(bits)	(PFM_SOFT_ENABLE | (bits))
#define BOTH_LEVELS	(PFM_SOFT_USER | PFM_SOFT_KERNEL)

static inline void call(unsigned int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static inline struct rusage usage(void)
{
	struct rusage now;

	CHECK_OK(getrusage(RUSAGE_THREAD, &now));
	return now;
}

static inline long switches(const struct rusage *usage)
{
	return usage->ru_nvcsw + usage->ru_nivcsw;
}

/* Longer than a slow kernel takes to fall asleep; otherwise the thread would not sleep. */
static inline void nap(unsigned int n)
{
	const struct timespec short_time = { 0, 500000 };

	while (n--)
		nanosleep(&short_time, NULL);
}

/* From CPU to CPU and back; begins on CPU 0. */
static inline void move(unsigned int n)
{
	unsigned int i;

	for (i = 1; i <= n; i++)
		pin(i % 2);
}

static inline void burn_ms(unsigned int ms)
{
	__u64 end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ms * NS_PER_MS;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* A context on ourselves that counts the event, and is not started. */
static inline int counting(unsigned int reg, __u64 value)
{
	int fd = create(0);

	CHECK(soft_pmu);
	write_pmc(fd, reg, value);
	load_self(fd);
	return fd;
}

static inline void also(int fd, unsigned int reg, __u64 value)
{
	write_pmc(fd, reg, value);
}

#endif /* TESTS_ABI_SOFT_H */
