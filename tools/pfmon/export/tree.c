// SPDX-License-Identifier: GPL-2.0
/* Samples added up along paths of names. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "export/tree.h"
#include "util.h"

static int by_place(const void *one, const void *other)
{
	const struct node *a = one, *b = other;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

static struct node *find_child(struct tree *tree, struct node *parent, const char *name)
{
	const struct node key = { .parent = parent, .name = name };
	void *found = tfind(&key, &tree->index, by_place);
	struct node *node;

	if (found)
		return *(struct node **)found;
	node = xcalloc(1, sizeof(*node));
	*node = key;
	node->next = parent->child;
	parent->child = node;
	tree->n++;
	if (!tsearch(node, &tree->index, by_place)) {
		complain("out of memory");
		exit(EXIT_PFMON);
	}
	return node;
}

void tree_add(struct tree *tree, const char *const *path, size_t n)
{
	struct node *node = &tree->root;
	size_t i;

	node->count++;
	for (i = 0; i < n; i++) {
		node = find_child(tree, node, path[i]);
		node->count++;
	}
}

static int by_name(const void *one, const void *other)
{
	return strcmp((*(struct node *const *)one)->name, (*(struct node *const *)other)->name);
}

static void sort_children(struct node *parent)
{
	struct node *node, **list;
	size_t n = 0, i;

	for (node = parent->child; node; node = node->next)
		n++;
	if (!n)
		return;
	list = xcalloc(n, sizeof(struct node *));
	for (node = parent->child, i = 0; node; node = node->next)
		list[i++] = node;
	qsort(list, n, sizeof(struct node *), by_name);
	for (i = 0; i < n; i++) {
		list[i]->next = i + 1 < n ? list[i + 1] : NULL;
		sort_children(list[i]);
	}
	parent->child = list[0];
	free(list);
}

void tree_sort(struct tree *tree)
{
	sort_children(&tree->root);
}

static unsigned int depth_below(const struct node *parent)
{
	unsigned int most = 0, depth;
	const struct node *node;

	for (node = parent->child; node; node = node->next) {
		depth = 1 + depth_below(node);
		if (depth > most)
			most = depth;
	}
	return most;
}

unsigned int tree_depth(const struct tree *tree)
{
	return depth_below(&tree->root);
}

void tree_free(struct tree *tree)
{
	tdestroy(tree->index, free);
	memset(tree, 0, sizeof(*tree));
}
