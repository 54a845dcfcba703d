/* SPDX-License-Identifier: GPL-2.0 */
/* Samples added up along paths of names: the data of flame graphs. */
#ifndef PFMON_PLACES_TREE_H
#define PFMON_PLACES_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names.h"

/* A step of a path: steps with equal members are the same. */
struct step {
	const char	*name;		/* of places; equal names are the same pointer */
	const char	*file;		/* likewise; or NULL */
	bool		kernel;		/* code of the kernel */
	bool		inlined;	/* a function without code of its own there */
};

struct node {
	struct step	step;
	struct node	*parent;
	struct node	*child, *next;	/* the first one, and the next of the same parent */
	uint64_t	count;		/* of the node and all below it */
};

struct tree {
	struct node	root;
	void		*index;		/* a search tree of nodes by parent and name */
	size_t		n;		/* without the root */
};

/* Zeroed is empty. One sample more along a path of @n steps, the root not among them. */
void tree_add(struct tree *tree, const struct step *path, size_t n, uint64_t samples);

/* Add all of another tree. Names are kept in @names, for all trees that are merged into @tree. */
void tree_merge(struct tree *tree, const struct tree *from, struct names *names);

/* The samples of a node that are in none of its descendants. */
uint64_t node_own(const struct node *node);

/* Put the children of each node in an order, for qsort(): of names, or the largest first. */
void tree_sort(struct tree *tree, int (*order)(const void *one, const void *other));
int tree_by_name(const void *one, const void *other);
int tree_by_count(const void *one, const void *other);

/* Number of levels below the root. */
unsigned int tree_depth(const struct tree *tree);
void tree_free(struct tree *tree);

#endif /* PFMON_PLACES_TREE_H */
