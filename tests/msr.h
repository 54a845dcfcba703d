/* SPDX-License-Identifier: GPL-2.0 */
/* The registers of a CPU by the driver of MSRs, which reports a #GP as EIO. For tests on x86. */
#ifndef TESTS_MSR_H
#define TESTS_MSR_H

#include "harness.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Intel SDM volume 4, "Architectural MSRs". */
#define MSR_PMC0		0xc1
#define MSR_EVTSEL0		0x186
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f

/* The kernel warns about writes by user programs, from time to time. */
static inline void allow_msr_writes(void)
{
	FILE *file = fopen("/sys/module/msr/parameters/allow_writes", "w");

	CHECK(file);
	CHECK(fputs("on", file) >= 0);
	CHECK_EQ(fclose(file), 0);
}

static inline int open_msrs(long cpu, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%ld/msr", cpu);
	fd = open(path, flags | O_CLOEXEC);
	CHECK_OK(fd);
	return fd;
}

static inline uint64_t rdmsr(int fd, uint32_t msr)
{
	uint64_t value;

	CHECK_EQ(pread(fd, &value, sizeof(value), msr), sizeof(value));
	return value;
}

static inline void wrmsr(int fd, uint32_t msr, uint64_t value)
{
	CHECK_EQ(pwrite(fd, &value, sizeof(value), msr), sizeof(value));
}

static inline void check_refused(int fd, uint32_t msr, uint64_t value)
{
	CHECK_ERRNO(pwrite(fd, &value, sizeof(value), msr), EIO);
}

static inline void check_absent(int fd, uint32_t msr)
{
	uint64_t value;

	CHECK_ERRNO(pread(fd, &value, sizeof(value), msr), EIO);
	check_refused(fd, msr, 0);
}

#endif /* TESTS_MSR_H */
