/* SPDX-License-Identifier: GPL-2.0 */
/* The keys by which samples can be summed up and chosen. */
#ifndef PFMON_REPORT_KEYS_H
#define PFMON_REPORT_KEYS_H

#include "util.h"

enum key {
	KEY_SYMBOL, KEY_FILE, KEY_LINE, KEY_ADDRESS, KEY_COMM, KEY_PID, KEY_TID, KEY_CPU,
	KEY_SET, KEY_EVENT, KEY_HOST,
};

#define KEYS	(KEY_HOST + 1)

/* Some of the keys, in the user's order. */
struct keys {
	enum key	key[KEYS];
	size_t		n;
};

const char *key_name(enum key key);
bool key_is_number(enum key key);

/* "comm,symbol" */
bool keys_parse(struct keys *keys, const char *text, struct problem *why);
bool keys_have(const struct keys *keys, enum key key);

/* The requested samples: they fit one of the patterns of each key that has patterns. */
struct filter {
	struct strings	pattern[KEYS];
};

/* Take the argument of --comm and the like. */
bool filter_add(struct filter *filter, enum key key, const char *text, struct problem *why);
bool filter_has(const struct filter *filter, enum key key);

/* True if one of the key's patterns fits. */
bool filter_fits(const struct filter *filter, enum key key, const char *value);
void filter_free(struct filter *filter);

#endif /* PFMON_REPORT_KEYS_H */
