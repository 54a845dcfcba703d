// SPDX-License-Identifier: GPL-2.0
/* "comm;function;function it calls;... count": the input of programs that draw flame graphs. */
#define _GNU_SOURCE
#include <inttypes.h>

#include "export/export.h"

/* A semicolon divides names, so there can be none within; nor control characters. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == ';' ? ':' : (unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name, out);
}

static void print_path(FILE *out, const struct node *node)
{
	if (node->parent->parent) {
		print_path(out, node->parent);
		fputc(';', out);
	}
	print_name(out, node->step.name);
}

/* A line for the samples in the function itself, then the lines of the functions it calls. */
static void print_below(FILE *out, const struct node *node)
{
	const uint64_t own = node_own(node);
	const struct node *child;

	if (own && node->parent) {
		print_path(out, node);
		fprintf(out, " %" PRIu64 "\n", own);
	}
	for (child = node->child; child; child = child->next)
		print_below(out, child);
}

bool export_folded(const struct graph *graph, FILE *out, struct problem *why)
{
	(void)why;
	print_below(out, &graph->tree.root);
	return true;
}
