/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of which each bit has a name: those of the ibs sampling format. */
#ifndef PFMON_SCRIPT_BITS_H
#define PFMON_SCRIPT_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Print the bits of a field, as "load|dc_miss", and 0 if none is set. Bits without a name are
 * printed as a number. Returns false, and prints nothing, if the field is a number or unknown.
 */
bool bits_print(FILE *out, const char *field, uint64_t value);

#endif /* PFMON_SCRIPT_BITS_H */
