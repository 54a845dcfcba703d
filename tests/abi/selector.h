/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contents of the hardware register of PMC0, a counter's event selector on x86, read with the
 * driver of MSRs: the value that a session left there must not count for others.
 */
#ifndef TESTS_ABI_SELECTOR_H
#define TESTS_ABI_SELECTOR_H

#include "count.h"
#include "inject.h"
#include "process.h"
#include "settings.h"
#include "../msr.h"

static inline void need_selectors(void)
{
	need_pmu();
	need_hardware("event selectors");
	if (access("/dev/cpu/0/msr", F_OK))
		SKIP("there are no MSRs on this architecture");
}

static inline __u64 selector_on(long cpu)
{
	int fd = open_msrs(cpu, O_RDONLY);
	__u64 value = rdmsr(fd, read_sysfs_u64("pmu/pmc0/address"));

	CHECK_OK(close(fd));
	return value;
}

/* A session of this thread on a CPU, which ends before the function returns. */
static inline void session_on(long cpu)
{
	int fd = create_counting(general, 0);

	pin(cpu);
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_EQ(selector_on(cpu) & USER_INST, USER_INST);
	CHECK_OK(close(fd));
}

#endif /* TESTS_ABI_SELECTOR_H */
