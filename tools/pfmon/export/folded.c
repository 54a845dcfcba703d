// SPDX-License-Identifier: GPL-2.0
/* "comm;symbol count": what flame graphs are made of. */
#define _GNU_SOURCE
#include <inttypes.h>

#include "export/export.h"
#include "export/tree.h"

/* A semicolon divides names, so there can be none within; nor control characters. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == ';' ? ':' : (unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name, out);
}

static void print_leaves(FILE *out, const struct node *comm)
{
	const struct node *node;

	for (node = comm->child; node; node = node->next) {
		print_name(out, comm->name);
		fputc(';', out);
		print_name(out, node->name);
		fprintf(out, " %" PRIu64 "\n", node->count);
	}
}

bool export_folded(struct export *export, struct problem *why)
{
	const struct ordered *ordered = export->ordered;
	struct tree tree = { .n = 0 };
	const struct node *comm;
	const char *path[2];
	size_t i;

	(void)why;
	for (i = 0; i < ordered->n; i++) {
		path[0] = places_comm(export->places, &ordered->sample[i]);
		path[1] = places_find(export->places, &ordered->sample[i])->symbol;
		tree_add(&tree, path, COUNT(path));
	}
	tree_sort(&tree);
	for (comm = tree.root.child; comm; comm = comm->next)
		print_leaves(export->out, comm);
	tree_free(&tree);
	return true;
}
