/* SPDX-License-Identifier: GPL-2.0 */
/* The code of lbr.S, in which each branch is known. */
#ifndef TESTS_PMU_LBR_H
#define TESTS_PMU_LBR_H

#include <linux/types.h>

/* A taken branch: its kind in MSR_LBR_SELECT, and the number of branches up to it. */
struct known {
	__u64	from, to, kind, count;
};

#define KNOWN		13

extern const struct known known_list[KNOWN];

#define known_last	(&known_list[KNOWN - 1])

extern const char known_start[], left_end[], right_end[];

/* The second argument of the system call for a start and a stop. */
extern int known_commands[2];

/* From a start to a stop of the context; @number is the system call's. */
long known_run(int fd, long number);
long left_run(int fd, long number, long rounds);
long right_run(int fd, long number, long rounds);

#endif /* TESTS_PMU_LBR_H */
