/* SPDX-License-Identifier: GPL-2.0 */
/* Why a function that programs call failed: perfmon_error(). */
#ifndef PERFMON_PROGRAM_ERROR_H
#define PERFMON_PROGRAM_ERROR_H

#include "base.h"

/* This thread's; filled in by what fails. */
struct problem *error_why(void);

/* Set errno and return -1. What has no errno of its own is EINVAL. */
int error_fail(int error);

#endif /* PERFMON_PROGRAM_ERROR_H */
