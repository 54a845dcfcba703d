/* SPDX-License-Identifier: GPL-2.0 */
/* The data that `pfmon record` takes from /proc: mappings, kernel symbols. */
#ifndef PFMON_RECORD_PROC_H
#define PFMON_RECORD_PROC_H

#include <stdint.h>
#include <sys/types.h>

#include "util.h"

/* An executable mapping. */
struct mapping {
	uint64_t	start, end, offset;
	uint32_t	protection;	/* PROT_* */
	char		*name;		/* its file, "[vdso]", "[anon]", ... */
};

struct mappings {
	struct mapping	*mapping;	/* ascending */
	size_t		n, room;
};

/* Read the present mappings of a process. False: it has none, as it is exiting. */
bool mappings_read(struct mappings *mappings, pid_t pid);
bool mapping_equal(const struct mapping *a, const struct mapping *b);
void mappings_free(struct mappings *mappings);

/* Another thread of the process than its first one that runs, or 0. */
pid_t living_thread(pid_t pid);

/* Open the mapped file, as that process sees it. Returns a descriptor, or -1. */
int mapping_open(const struct mapping *mapping, pid_t pid);

/* One function of the kernel. */
struct kernel_symbol {
	uint64_t	start, end;
	char		*name;
	char		*module;	/* or "" */
	char		type;		/* as in /proc/kallsyms */
	bool		last;		/* of its module or so: the end is a guess */
	bool		seen;		/* for the caller */
};

struct kernel_symbols {
	struct kernel_symbol *symbol;	/* ascending */
	size_t		n, room;
};

/* Read "/proc/kallsyms". Empty where addresses are hidden from this user. */
void kernel_symbols_read(struct kernel_symbols *symbols, const char *path);
struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *symbols,
					  uint64_t address);
void kernel_symbols_free(struct kernel_symbols *symbols);

#endif /* PFMON_RECORD_PROC_H */
