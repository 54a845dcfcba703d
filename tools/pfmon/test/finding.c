// SPDX-License-Identifier: GPL-2.0
/* The finding of a check of `pfmon test`, in words. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "test/finding.h"

void found(struct finding *finding, enum verdict verdict, const char *format, ...)
{
	va_list args;

	finding->verdict = verdict;
	finding->says.hint[0] = '\0';
	va_start(args, format);
	vsnprintf(finding->says.what, sizeof(finding->says.what), format, args);
	va_end(args);
}

void found_count(struct finding *finding, uint64_t got, uint64_t wanted, const char *what)
{
	const uint64_t off = got > wanted ? got - wanted : wanted - got;
	char count[32], correct[32];

	with_thousands(got, count, sizeof(count));
	with_thousands(wanted, correct, sizeof(correct));
	if (!off)
		found(finding, VERDICT_RIGHT, "%s %s, exactly", count, what);
	else if (off <= wanted / 1000)
		found(finding, VERDICT_OFF,
		      "%s %s, not %s: a few are usual, where interrupts come or counters start one by one",
		      count, what, correct);
	else
		found(finding, VERDICT_BROKEN, "%s %s, not %s", count, what, correct);
}

void found_refusal(struct finding *finding, const struct problem *why)
{
	const bool missing = errno == ENOSYS || errno == EBUSY || errno == EPERM;

	finding->verdict = missing ? VERDICT_NOT_HERE : VERDICT_BROKEN;
	finding->says = *why;
}
