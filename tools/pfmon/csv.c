// SPDX-License-Identifier: GPL-2.0
/* Fields of a line, quoted as in RFC 4180 where necessary. */
#include <stdbool.h>
#include <string.h>

#include "csv.h"

void csv_text(FILE *out, const char *text, const char *separator)
{
	const bool quoted = strstr(text, separator) || strchr(text, '"');
	const unsigned char *s = (const unsigned char *)text;

	if (quoted)
		fputc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', out);
		fputc(*s < ' ' || *s == 0x7f ? '?' : *s, out);
	}
	if (quoted)
		fputc('"', out);
}
