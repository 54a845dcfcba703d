/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing JSON, with commas, indentation and quoting. @key is NULL inside an
 * array, and for the outermost value.
 */
#ifndef PFMON_JSON_H
#define PFMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct strings;

struct json {
	FILE		*out;
	bool		line;		/* all in one line */
	unsigned int	depth;
	bool		something;	/* the present object or array is not empty */
	uint64_t	arrays;		/* bit: the object at that depth is an array */
};

void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
void json_end(struct json *json);

void json_string(struct json *json, const char *key, const char *value);
void json_u64(struct json *json, const char *key, uint64_t value);
void json_int(struct json *json, const char *key, long long value);
void json_double(struct json *json, const char *key, double value, int decimals);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* An array of strings. */
void json_strings(struct json *json, const char *key, const struct strings *list);

#endif /* PFMON_JSON_H */
