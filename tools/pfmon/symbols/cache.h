/* SPDX-License-Identifier: GPL-2.0 */
/* Files that stay open with their symbols, for callers that look again and again. */
#ifndef PFMON_SYMBOLS_CACHE_H
#define PFMON_SYMBOLS_CACHE_H

#include "symbols/symbols.h"

#define SYMBOLS_CACHED	64	/* files: one of a browser takes some 100 MB */

struct symbols_cached {
	char		*path;
	struct build_id	id;
	struct symbols	*symbols;	/* NULL: it cannot be used; do not try again */
	struct problem	why;
	uint64_t	used;		/* a larger number: later */
};

/* Zeroed: empty. */
struct symbols_cache {
	struct symbols_cached	file[SYMBOLS_CACHED];
	size_t			n;
	uint64_t		uses;
};

/* As symbols_open() and symbols_close(). @cache NULL: exactly these. */
struct symbols *symbols_cache_open(struct symbols_cache *cache, const char *path,
				   const struct build_id *id, struct problem *why);
void symbols_cache_close(struct symbols_cache *cache, struct symbols *symbols);

void symbols_cache_free(struct symbols_cache *cache);

#endif /* PFMON_SYMBOLS_CACHE_H */
