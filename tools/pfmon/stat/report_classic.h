/* SPDX-License-Identifier: GPL-2.0 */
/* The outcome of `pfmon stat` as pfmon 3 printed it. */
#ifndef PFMON_STAT_REPORT_CLASSIC_H
#define PFMON_STAT_REPORT_CLASSIC_H

#include "stat/report.h"

struct classic_form {
	bool	wanted;
	char	digits;		/* ',' or '.' between thousands, 'x': hexadecimal; or 0 */
	bool	header;		/* what was measured, on what, in lines with # */
	bool	time;		/* real, user and system time */
};

/* Of a list with commas, or NULL. False, with the reason, for a word that is none. */
bool classic_form_read(struct classic_form *form, const char *list, struct problem *why);

void report_classic(FILE *out, const struct report *report, const struct classic_form *form);

#endif /* PFMON_STAT_REPORT_CLASSIC_H */
