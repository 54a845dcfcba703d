/* SPDX-License-Identifier: GPL-2.0 */
/* Names for addresses in programs and libraries, by elfutils' libdwfl. */
#ifndef PFMON_REPORT_SYMBOLS_H
#define PFMON_REPORT_SYMBOLS_H

#include "data/build_id.h"
#include "util.h"

struct symbols;

/*
 * Open a file's symbols: its own, those of its separate debug information, or the dynamic
 * ones. NULL, with the reason: the file cannot be used, or it is not the one that has this
 * build id (if one is known).
 */
struct symbols *symbols_open(const char *path, const struct build_id *id,
			     struct problem *why);

/* The symbol at an offset in the file, in C++ as written in the source; or NULL. */
const char *symbols_find(struct symbols *symbols, uint64_t offset, bool demangle);
void symbols_close(struct symbols *symbols);

#endif /* PFMON_REPORT_SYMBOLS_H */
