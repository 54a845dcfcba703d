/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of a line, quoted as in RFC 4180 where necessary. */
#ifndef PFMON_CSV_H
#define PFMON_CSV_H

#include <stdio.h>

/*
 * Write a text field. A field with the separator or a quotation mark in it gets
 * quotation marks around it, and its quotation marks are doubled. Line breaks and other control
 * characters become '?': a line is a record, and a terminal may be reading.
 */
void csv_text(FILE *out, const char *text, const char *separator);

#endif /* PFMON_CSV_H */
