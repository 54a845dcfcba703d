/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that samples are in, of a table by symbol, file and address. */
#ifndef PFMON_ANNOTATE_FUNCTIONS_H
#define PFMON_ANNOTATE_FUNCTIONS_H

#include "report/table.h"

struct function {
	const char	*symbol, *file;		/* as `pfmon report` has them */
	const struct row **row;			/* a row an address, ascending */
	size_t		nrows;
	const uint64_t	*count;			/* its samples of each event */
};

/* Zeroed is empty. */
struct functions {
	struct function	*function;		/* the one with the most samples first */
	size_t		n, room;
	const struct row **row;
	uint64_t	*count;
};

/* The keys that the table must have; events are its columns. */
extern const struct keys functions_keys;

/* The address of a row. False: of code made at run time there is none. */
bool function_address(const struct row *row, uint64_t *address);

/* Lives as long as the table. */
void functions_collect(struct functions *functions, const struct table *table);
void functions_free(struct functions *functions);

#endif /* PFMON_ANNOTATE_FUNCTIONS_H */
