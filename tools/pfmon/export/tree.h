/* SPDX-License-Identifier: GPL-2.0 */
/* Samples added up along paths of names: what flame graphs show. */
#ifndef PFMON_EXPORT_TREE_H
#define PFMON_EXPORT_TREE_H

#include <stddef.h>
#include <stdint.h>

struct node {
	const char	*name;		/* of places; equal names are the same pointer */
	struct node	*parent;
	struct node	*child, *next;	/* the first one, and the next of the same parent */
	uint64_t	count;		/* of the node and all below it */
};

struct tree {
	struct node	root;
	void		*index;		/* a search tree of nodes by parent and name */
	size_t		n;		/* without the root */
};

/* Zeroed is empty. One sample more along a path of @n names, the root not among them. */
void tree_add(struct tree *tree, const char *const *path, size_t n);

/* Put the children of each node in the order of their names. */
void tree_sort(struct tree *tree);

/* How many levels there are below the root. */
unsigned int tree_depth(const struct tree *tree);
void tree_free(struct tree *tree);

#endif /* PFMON_EXPORT_TREE_H */
