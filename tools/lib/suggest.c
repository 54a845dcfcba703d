// SPDX-License-Identifier: GPL-2.0
/* Names that are near to one that does not exist. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return toupper((unsigned char)a) == toupper((unsigned char)b);
}

unsigned int edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	const size_t width = nb + 1;
	unsigned int *d = xcalloc((na + 1) * width, sizeof(*d)), result;
	size_t i, j;

	for (i = 0; i <= na; i++)
		d[i * width] = (unsigned int)i;
	for (j = 0; j <= nb; j++)
		d[j] = (unsigned int)j;
	for (i = 1; i <= na; i++) {
		for (j = 1; j <= nb; j++) {
			unsigned int *at = &d[i * width + j];

			*at = least(at[-1], at[-(ptrdiff_t)width]) + 1;
			*at = least(*at, at[-(ptrdiff_t)width - 1] +
						 !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				*at = least(*at, at[-2 * (ptrdiff_t)width - 2] + 1);
		}
	}
	result = d[na * width + nb];
	free(d);
	return result;
}

void suggest_begin(struct suggest *suggest, const char *wanted, size_t length)
{
	memset(suggest, 0, sizeof(*suggest));
	suggest->wanted = wanted;
	suggest->length = length;
}

/* A name that contains the wanted one, or is its beginning, is nearer than its distance. */
static unsigned int nearness(const struct suggest *suggest, const char *name)
{
	const size_t length = strlen(name);
	const unsigned int distance =
		edit_distance(suggest->wanted, suggest->length, name, length);
	char *wanted;
	bool within;

	if (suggest->length < 3 || suggest->length > length)
		return distance;
	wanted = strndup(suggest->wanted, suggest->length);
	within = wanted && strcasestr(name, wanted);
	free(wanted);
	return within ? 1 : distance;
}

void suggest_offer(struct suggest *suggest, const char *name)
{
	const unsigned int distance = nearness(suggest, name);
	size_t i;

	if (distance > suggest->length / 3 + 1)
		return;
	for (i = 0; i < suggest->n; i++)
		if (distance < suggest->best[i].distance)
			break;
	if (i == SUGGEST_MAX)
		return;
	if (suggest->n == SUGGEST_MAX)
		free(suggest->best[--suggest->n].name);
	memmove(&suggest->best[i + 1], &suggest->best[i],
		(suggest->n - i) * sizeof(suggest->best[0]));
	suggest->best[i].name = xstrdup(name);
	suggest->best[i].distance = distance;
	suggest->n++;
}

void suggest_end(struct suggest *suggest, char *buf, size_t size)
{
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < suggest->n; i++) {
		append(buf, size, "%s%s", !i ? "" : i + 1 == suggest->n ? " or " : ", ",
		       suggest->best[i].name);
		free(suggest->best[i].name);
	}
	suggest->n = 0;
}
