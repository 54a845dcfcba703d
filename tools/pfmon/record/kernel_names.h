/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of the kernel's functions, of which those with samples go to the file: of
 * /proc/kallsyms, which is read again when modules have come, and of perf's records of code that
 * the kernel makes, such as BPF programs.
 */
#ifndef PFMON_RECORD_KERNEL_NAMES_H
#define PFMON_RECORD_KERNEL_NAMES_H

#include "data/write.h"
#include "record/proc.h"

/* Zeroed: nothing is read yet. */
struct kernel_names {
	struct kernel_symbols table;	/* of /proc/kallsyms */
	struct kernel_symbols made;	/* of the records: they come first */
	bool		known;		/* @table is read */
	uint64_t	modules;	/* a digest of those that were there then */
	double		next;		/* the time of the next look at the modules; ... */
	double		again;		/* ... to read @table again for @missed, ... */
	double		pause;		/* ... and then once more, so much later; 0: never */
	uint64_t	*missed;	/* ascending: addresses without a name, or without a sure one */
	size_t		nmissed, missed_room;
	bool		fresh;		/* ... some are newer than @table */
};

/* Read the table, if it was not read yet: it takes a tenth of a second. */
void kernel_names_know(struct kernel_names *names);

/* Before addresses are written: read it again if there are other modules now. */
void kernel_names_refresh(struct kernel_names *names, struct profile_writer *file);

/* Write the name of the function at an address, if the address is in the kernel. */
void kernel_names_tell(struct kernel_names *names, struct profile_writer *file, uint64_t address);

/* The kernel has made code. The module is "" or a name in brackets. */
void kernel_names_made(struct kernel_names *names, uint64_t start, uint64_t size,
		       const char *name, const char *module);

/* No address follows: write the names that were not there yet. */
void kernel_names_end(struct kernel_names *names, struct profile_writer *file);
void kernel_names_free(struct kernel_names *names);

#endif /* PFMON_RECORD_KERNEL_NAMES_H */
