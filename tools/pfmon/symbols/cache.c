// SPDX-License-Identifier: GPL-2.0
/* The files with symbols that were used last stay open. */
#include <stdlib.h>
#include <string.h>

#include "symbols/cache.h"

static struct symbols_cached *find(struct symbols_cache *cache, const char *path,
				   const struct build_id *id)
{
	struct symbols_cached *file;

	for (file = cache->file; file < cache->file + cache->n; file++)
		if (!strcmp(file->path, path) && build_id_equal(&file->id, id))
			return file;
	return NULL;
}

static void forget(struct symbols_cached *file)
{
	free(file->path);
	symbols_close(file->symbols);
}

/* A free place, or that of the file whose last use is the oldest. */
static struct symbols_cached *make_room(struct symbols_cache *cache)
{
	struct symbols_cached *oldest = cache->file;
	size_t i;

	if (cache->n < SYMBOLS_CACHED)
		return &cache->file[cache->n++];
	for (i = 1; i < cache->n; i++)
		if (cache->file[i].used < oldest->used)
			oldest = &cache->file[i];
	forget(oldest);
	return oldest;
}

struct symbols *symbols_cache_open(struct symbols_cache *cache, const char *path,
				   const struct build_id *id, struct problem *why)
{
	struct symbols_cached *file = cache ? find(cache, path, id) : NULL;

	if (!cache)
		return symbols_open(path, id, why);
	if (!file) {
		file = make_room(cache);
		memset(file, 0, sizeof(*file));
		file->path = xstrdup(path);
		file->id = *id;
		file->symbols = symbols_open(path, id, &file->why);
	}
	file->used = ++cache->uses;
	if (!file->symbols)
		*why = file->why;
	return file->symbols;
}

void symbols_cache_close(struct symbols_cache *cache, struct symbols *symbols)
{
	if (!cache)
		symbols_close(symbols);
}

void symbols_cache_free(struct symbols_cache *cache)
{
	while (cache->n)
		forget(&cache->file[--cache->n]);
}
