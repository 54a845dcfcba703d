// SPDX-License-Identifier: GPL-2.0
/* Samples added up along paths of names. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "places/tree.h"
#include "util.h"

static int by_pointer(const void *a, const void *b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *one, const void *other)
{
	const struct node *a = one, *b = other;

	return by_pointer(a->parent, b->parent) ?: by_pointer(a->step.name, b->step.name) ?:
	       by_pointer(a->step.file, b->step.file) ?: a->step.kernel - b->step.kernel ?:
	       a->step.inlined - b->step.inlined;
}

static struct node *find_child(struct tree *tree, struct node *parent, const struct step *step)
{
	const struct node key = { .parent = parent, .step = *step };
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

void tree_add(struct tree *tree, const struct step *path, size_t n, uint64_t samples)
{
	struct node *node = &tree->root;
	size_t i;

	node->count += samples;
	for (i = 0; i < n; i++) {
		node = find_child(tree, node, &path[i]);
		node->count += samples;
	}
}

static void merge_below(struct tree *tree, struct node *to, const struct node *from,
			struct names *names)
{
	const struct node *child;
	struct step step;

	to->count += from->count;
	for (child = from->child; child; child = child->next) {
		step = child->step;
		step.name = names_keep(names, step.name);
		if (step.file)
			step.file = names_keep(names, step.file);
		merge_below(tree, find_child(tree, to, &step), child, names);
	}
}

void tree_merge(struct tree *tree, const struct tree *from, struct names *names)
{
	merge_below(tree, &tree->root, &from->root, names);
}

uint64_t node_own(const struct node *node)
{
	uint64_t own = node->count;
	const struct node *child;

	for (child = node->child; child; child = child->next)
		own -= child->count;
	return own;
}

int tree_by_name(const void *one, const void *other)
{
	const struct node *a = *(struct node *const *)one, *b = *(struct node *const *)other;

	return strcmp(a->step.name, b->step.name) ?: a->step.kernel - b->step.kernel ?:
	       strcmp(a->step.file ?: "", b->step.file ?: "");
}

int tree_by_count(const void *one, const void *other)
{
	const struct node *a = *(struct node *const *)one, *b = *(struct node *const *)other;

	return (a->count < b->count) - (a->count > b->count) ?: tree_by_name(one, other);
}

static void sort_children(struct node *parent, int (*order)(const void *one, const void *other))
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
	qsort(list, n, sizeof(struct node *), order);
	for (i = 0; i < n; i++) {
		list[i]->next = i + 1 < n ? list[i + 1] : NULL;
		sort_children(list[i], order);
	}
	parent->child = list[0];
	free(list);
}

void tree_sort(struct tree *tree, int (*order)(const void *one, const void *other))
{
	sort_children(&tree->root, order);
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
