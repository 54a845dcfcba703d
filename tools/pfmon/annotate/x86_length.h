/* SPDX-License-Identifier: GPL-2.0 */
/* Lengths of instructions of x86-64 that capstone does not know. */
#ifndef PFMON_ANNOTATE_X86_LENGTH_H
#define PFMON_ANNOTATE_X86_LENGTH_H

#include <stddef.h>

/* The bytes of the instruction that these begin with, at most @left; 0: it is not known. */
size_t x86_length(const unsigned char *byte, size_t left);

#endif /* PFMON_ANNOTATE_X86_LENGTH_H */
