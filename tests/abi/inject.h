/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The software PMU's test counters, in place of instructions of a known number.
 *
 * Its registers 0 to 3 take the values that an Intel event selector takes, and count events that
 * root makes by a write to a file: as many events as the write has bytes.
 */
#ifndef TESTS_ABI_INJECT_H
#define TESTS_ABI_INJECT_H

#include "../harness.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <perfmon_soft.h>

#define INJECT_DIR	"/sys/kernel/debug/perfmon/"

/* Far away from the numbers of tests that check descriptors; executed programs inherit it. */
#define INJECT_FD	900

/* The machine's PMU is the software PMU. */
static bool soft_pmu;

__attribute__((constructor(101))) static void find_soft_pmu(void)
{
	char model[64] = "";
	int fd = open("/sys/kernel/perfmon/pmu/model", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read(fd, model, sizeof(model) - 1) < 0)
		model[0] = '\0';
	close(fd);
	soft_pmu = !strcmp(model, PFM_SOFT_MODEL "\n");
	if (!soft_pmu || fcntl(INJECT_FD, F_GETFD) >= 0)
		return;
	fd = open(INJECT_DIR "inject_user", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	dup2(fd, INJECT_FD);
	close(fd);
}

/* The contents of the bytes do not matter. Returns the address at which the events happened. */
static inline unsigned long long inject_into(int fd, unsigned long long n)
{
	unsigned long long ip = 0;
	long done;

	while (n) {
#ifdef __x86_64__
		__asm__ volatile("syscall\n"
				 "1:	lea 1b(%%rip), %[ip]"
				 : "=a" (done), [ip] "=r" (ip)
				 : "0" (SYS_write), "D" (fd), "S" (0),
				   "d" (n < 1U << 30 ? n : 1U << 30)
				 : "rcx", "r11", "memory");
#else
		done = syscall(SYS_write, fd, NULL, n < 1U << 30 ? n : 1U << 30);
#endif
		if (done <= 0)
			FAIL("cannot inject events: write returns %ld", done);
		n -= done;
	}
	return ip;
}

static inline unsigned long long inject(unsigned long long n)
{
	return inject_into(INJECT_FD, n);
}

/* Skip a test of properties that only processors have. */
static inline void need_hardware(const char *what)
{
	if (soft_pmu)
		SKIP("the software PMU has no %s", what);
}

#endif /* TESTS_ABI_INJECT_H */
