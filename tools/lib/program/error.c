// SPDX-License-Identifier: GPL-2.0
/* Errors in words, separate for each thread. */
#include <errno.h>

#include "perfmon_events.h"
#include "program/error.h"

static _Thread_local struct problem why;

struct problem *error_why(void)
{
	return &why;
}

int error_fail(int error)
{
	errno = error ? error : EINVAL;
	return -1;
}

const char *perfmon_error(void)
{
	return why.what;
}

const char *perfmon_error_hint(void)
{
	return why.hint;
}
