/* SPDX-License-Identifier: GPL-2.0 */
/* Names for addresses in programs and libraries, by elfutils' libdwfl. */
#ifndef PFMON_PROFILE_SYMBOLS_H
#define PFMON_PROFILE_SYMBOLS_H

#include "util.h"

#define MAX_BUILD_ID	32

struct build_id {
	uint32_t	size;		/* 0: none is known */
	uint8_t		id[MAX_BUILD_ID];
};

/* Read the build id of the ELF file behind @fd; none if it is none or has none. */
void build_id_read(struct build_id *id, int fd);

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

#endif /* PFMON_PROFILE_SYMBOLS_H */
