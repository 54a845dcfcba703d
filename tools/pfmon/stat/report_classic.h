/* SPDX-License-Identifier: GPL-2.0 */
/* The outcome of `pfmon stat` as pfmon 3 printed it. */
#ifndef PFMON_STAT_REPORT_CLASSIC_H
#define PFMON_STAT_REPORT_CLASSIC_H

#include "stat/report.h"

struct classic_form {
	bool	wanted;
	char	digits;		/* ',' or '.' between thousands, 'x': hexadecimal; or 0 */
	bool	header;		/* the measurement and the machine, in lines with # */
	bool	time;		/* real, user and system time */
};

/* Read a list with commas; it may be NULL. False, with the reason: a word is unknown. */
bool classic_form_read(struct classic_form *form, const char *list, struct problem *why);

void report_classic(FILE *out, const struct report *report, const struct classic_form *form);

#endif /* PFMON_STAT_REPORT_CLASSIC_H */
