/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of a line, quoted as RFC 4180 has it where they have to be. */
#ifndef PFMON_CSV_H
#define PFMON_CSV_H

#include <stdio.h>

/*
 * Write a field that is text. One in which the separator or a quotation mark occurs gets
 * quotation marks around it, and those in it are doubled. Line breaks and other control
 * characters become '?': a line is a record, and a terminal may be reading.
 */
void csv_text(FILE *out, const char *text, const char *separator);

#endif /* PFMON_CSV_H */
