/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The software PMU's test counters, in place of instructions of a known number.
 *
 * Its registers 0 to 3 take the values that an Intel event selector takes, and count
 * events that root makes by writing to a file: so many as the write has bytes.
 */
#ifndef TESTS_ABI_INJECT_H
#define TESTS_ABI_INJECT_H

#include "abi.h"

#include <perfmon_soft.h>

#define INJECT_DIR	"/sys/kernel/debug/perfmon/"

/* The machine's PMU is the software PMU. */
static bool soft_pmu;
static int inject_fd = -1;

/* Out of the way of tests that care about numbers of descriptors. */
__attribute__((constructor(103))) static void find_soft_pmu(void)
{
	char model[64] = "";
	int fd = open("/sys/kernel/perfmon/pmu/model", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read(fd, model, sizeof(model) - 1) < 0)
		model[0] = '\0';
	close(fd);
	soft_pmu = !strcmp(model, PFM_SOFT_MODEL "\n");
	fd = soft_pmu ? open(INJECT_DIR "inject_user", O_WRONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	inject_fd = fcntl(fd, F_DUPFD_CLOEXEC, 900);
	close(fd);
}

static inline void inject_into(int fd, __u64 n)
{
	ssize_t done;

	while (n) {
		/* The bytes are not looked at. */
		done = syscall(SYS_write, fd, NULL, n < 1U << 30 ? n : 1U << 30);
		if (done <= 0)
			FAIL("cannot inject events: %s", strerror(errno));
		n -= done;
	}
}

static inline void inject(__u64 n)
{
	inject_into(inject_fd, n);
}

/* For what only processors do. */
static inline void need_hardware(const char *what)
{
	if (soft_pmu)
		SKIP("the software PMU has no %s", what);
}

#endif /* TESTS_ABI_INJECT_H */
