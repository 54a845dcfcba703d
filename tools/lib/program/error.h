/* SPDX-License-Identifier: GPL-2.0 */
/* The reason for which a function that programs call failed: perfmon_error(). */
#ifndef PERFMON_PROGRAM_ERROR_H
#define PERFMON_PROGRAM_ERROR_H

#include "base.h"

/* This thread's error; filled in by the function that fails. */
struct problem *error_why(void);

/* Set errno and return -1. Without an errno of its own, an error is EINVAL. */
int error_fail(int error);

#endif /* PERFMON_PROGRAM_ERROR_H */
