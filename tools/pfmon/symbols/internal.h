/* SPDX-License-Identifier: GPL-2.0 */
/* The common structure of the files of symbols/: an open file, as libdwfl has it. */
#ifndef PFMON_SYMBOLS_INTERNAL_H
#define PFMON_SYMBOLS_INTERNAL_H

#include <elfutils/libdwfl.h>

#include "data/ranges.h"
#include "symbols/symbols.h"

struct symbols {
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	Elf		*elf;
	GElf_Addr	bias;		/* from the file's addresses to libdwfl's */
	struct symbol	*symbol;	/* symbols of code, ascending, one for each address */
	size_t		n, room;
	struct ranges	ranges;		/* @what: a symbol */
	GElf_Addr	*start;		/* of functions without symbols, ascending; unnamed.c's */
	size_t		nstarts;
	bool		have_starts;
	/* The last results: callers look up places one behind the other. */
	struct range	segment;	/* of offsets; offset: the address of the first */
	struct range	section;	/* of addresses; @what: it is a PLT */
	struct range	described;	/* of addresses */
	char		unnamed[24];	/* "[0x12340]", the last one */
	struct ranges	units;		/* @what: a unit of the debug information; for source.c */
	Dwarf_Die	*unit;
	size_t		nunits, unit_room;
	bool		have_units;
};

/* The address of an offset of the file, as libdwfl sees it. False: it is not loaded. */
bool symbols_address(struct symbols *symbols, uint64_t offset, GElf_Addr *address);

/*
 * A name for the function at an address of the file without a symbol, and the distance from its
 * beginning; or NULL.
 */
const char *symbols_unnamed(struct symbols *symbols, GElf_Addr address, uint64_t *distance);

/* The bounds of that function, in addresses of the file. False: there is none. */
bool symbols_unnamed_bounds(struct symbols *symbols, GElf_Addr address, struct range *bounds);

/* Free the data of source.c. */
void symbols_free_units(struct symbols *symbols);

#endif /* PFMON_SYMBOLS_INTERNAL_H */
