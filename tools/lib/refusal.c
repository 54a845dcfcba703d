// SPDX-License-Identifier: GPL-2.0
/* The reason of a failed command, if a backend knows more than an errno can express. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>

#include "backend.h"

static _Thread_local struct perfmon_last_error last;

int perfmon_refuse(int error, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(last.what, sizeof(last.what), format, args);
	va_end(args);
	last.hint = hint ? hint : "";
	last.error = error;
	errno = error;
	return -1;
}

void perfmon_forget_refusal(void)
{
	last.error = 0;
}

const struct perfmon_last_error *perfmon_last_error(int error)
{
	return error && last.error == error ? &last : NULL;
}
