/* SPDX-License-Identifier: GPL-2.0 */
/* A report on a terminal: through a pager, and with colours. */
#ifndef PFMON_REPORT_TERMINAL_H
#define PFMON_REPORT_TERMINAL_H

#include "util.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* Take the argument of --color. */
bool colour_parse(enum colour *colour, const char *text, struct problem *why);

/* True if colours are wanted. Call it before the pager starts. */
bool colour_wanted(enum colour colour);

/*
 * If standard output is a terminal, send it through the user's pager from now on. If that fails,
 * it goes to the terminal directly. pager_end() waits until the user leaves the pager.
 */
void pager_begin(void);
void pager_end(void);

#endif /* PFMON_REPORT_TERMINAL_H */
