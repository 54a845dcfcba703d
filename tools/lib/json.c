// SPDX-License-Identifier: GPL-2.0
/* Writing JSON: commas, indentation and quoting. */
#include <math.h>
#include <string.h>

#include "json.h"
#include "base.h"

static void quote(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	fputc('"', out);
	for (; *s; s += n ? n : 1) {
		n = utf8_length(s);
		if (!n)
			fputs("\\ufffd", out);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, n, out);
	}
	fputc('"', out);
}

static void indent(struct json *json)
{
	unsigned int i;

	fputc('\n', json->out);
	for (i = 0; i < json->depth; i++)
		fputs("  ", json->out);
}

/* Write the text before a value. */
static void begin(struct json *json, const char *key)
{
	if (json->something)
		fputc(',', json->out);
	if (json->depth && !json->line)
		indent(json);
	json->something = true;
	if (key) {
		quote(json->out, key);
		fputs(": ", json->out);
	}
}

static void open(struct json *json, const char *key, bool array)
{
	begin(json, key);
	fputc(array ? '[' : '{', json->out);
	json->arrays = json->arrays << 1 | array;
	json->depth++;
	json->something = false;
}

void json_object(struct json *json, const char *key)
{
	open(json, key, false);
}

void json_array(struct json *json, const char *key)
{
	open(json, key, true);
}

void json_end(struct json *json)
{
	json->depth--;
	if (json->something && !json->line)
		indent(json);
	fputc(json->arrays & 1 ? ']' : '}', json->out);
	json->arrays >>= 1;
	json->something = true;
	if (!json->depth)
		fputc('\n', json->out);
}

void json_string(struct json *json, const char *key, const char *value)
{
	begin(json, key);
	quote(json->out, value);
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
	begin(json, key);
	fprintf(json->out, "%llu", (unsigned long long)value);
}

void json_int(struct json *json, const char *key, long long value)
{
	begin(json, key);
	fprintf(json->out, "%lld", value);
}

void json_double(struct json *json, const char *key, double value, int decimals)
{
	if (!isfinite(value)) {
		json_null(json, key);
		return;
	}
	begin(json, key);
	fprintf(json->out, "%.*f", decimals, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
	begin(json, key);
	fputs("null", json->out);
}

void json_strings(struct json *json, const char *key, const struct strings *list)
{
	size_t i;

	json_array(json, key);
	for (i = 0; i < list->n; i++)
		json_string(json, NULL, list->text[i]);
	json_end(json);
}
