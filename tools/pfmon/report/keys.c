// SPDX-License-Identifier: GPL-2.0
/* The keys by which samples can be summed up and chosen. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "report/keys.h"

static const struct {
	const char	*name;
	bool		number;
} table[KEYS] = {
	[KEY_SYMBOL] = { "symbol", false },
	[KEY_FILE] = { "file", false },
	[KEY_LINE] = { "line", false },
	[KEY_ADDRESS] = { "address", false },
	[KEY_COMM] = { "comm", false },
	[KEY_PID] = { "pid", true },
	[KEY_TID] = { "tid", true },
	[KEY_CPU] = { "cpu", true },
	[KEY_SET] = { "set", true },
	[KEY_EVENT] = { "event", false },
	[KEY_HOST] = { "host", false },
};

const char *key_name(enum key key)
{
	return table[key].name;
}

bool key_is_number(enum key key)
{
	return table[key].number;
}

bool keys_have(const struct keys *keys, enum key key)
{
	size_t i;

	for (i = 0; i < keys->n; i++)
		if (keys->key[i] == key)
			return true;
	return false;
}

static bool add_key(struct keys *keys, const char *name, struct problem *why)
{
	size_t i;

	for (i = 0; i < KEYS && strcmp(table[i].name, name); i++)
		;
	if (i == KEYS) {
		problem(why, "--sort: there is no key '%s'", name);
		return problem_hint(why, "Keys: symbol, file, line, address, comm, pid, tid, cpu, set, event, host.");
	}
	if (keys_have(keys, (enum key)i))
		return problem(why, "--sort: %s is there twice", name);
	keys->key[keys->n++] = (enum key)i;
	return true;
}

bool keys_parse(struct keys *keys, const char *text, struct problem *why)
{
	char *copy = xstrdup(text), *rest = copy, *name;
	bool ok = true;

	keys->n = 0;
	while (ok && (name = strsep(&rest, ",")))
		ok = add_key(keys, name, why);
	free(copy);
	return ok;
}

/* A list such as "3,8-11": add each CPU. */
static bool add_cpus(struct strings *pattern, const char *text, struct problem *why)
{
	unsigned int *cpus;
	size_t n, i;

	if (!cpus_parse(text, &cpus, &n, why))
		return false;
	for (i = 0; i < n; i++)
		strings_add(pattern, xasprintf("%u", cpus[i]));
	free(cpus);
	return true;
}

static bool add_numbers(struct strings *pattern, enum key key, const char *text,
			struct problem *why)
{
	char *copy = xstrdup(text), *rest = copy, *word;
	uint64_t number;
	bool ok = true;

	while (ok && (word = strsep(&rest, ","))) {
		ok = parse_u64(word, &number);
		if (ok)
			strings_add(pattern, xasprintf("%llu", (unsigned long long)number));
	}
	free(copy);
	return ok || problem(why, "--%s %s: numbers are wanted, such as 4711 or 4711,4712",
			     key_name(key), text);
}

bool filter_add(struct filter *filter, enum key key, const char *text, struct problem *why)
{
	if (key == KEY_CPU)
		return add_cpus(&filter->pattern[key], text, why);
	if (key_is_number(key))
		return add_numbers(&filter->pattern[key], key, text, why);
	strings_add(&filter->pattern[key], xstrdup(text));
	return true;
}

bool filter_has(const struct filter *filter, enum key key)
{
	return filter->pattern[key].n;
}

/* True if equal, as names of C++ contain * and []; or if it fits as a pattern of the shell. */
static bool fits(const char *pattern, const char *value)
{
	return !strcmp(pattern, value) || !fnmatch(pattern, value, 0);
}

bool filter_fits(const struct filter *filter, enum key key, const char *value)
{
	const struct strings *pattern = &filter->pattern[key];
	const char *base = strrchr(value, '/');
	size_t i;

	for (i = 0; i < pattern->n; i++) {
		if (fits(pattern->text[i], value))
			return true;
		if (key == KEY_FILE && base && fits(pattern->text[i], base + 1))
			return true;
	}
	return false;
}

void filter_free(struct filter *filter)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		strings_free(&filter->pattern[i]);
}
