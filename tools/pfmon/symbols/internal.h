/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of symbols/ share: an open file, as libdwfl has it. */
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
	struct symbol	*symbol;	/* those of code, ascending, one for each address */
	size_t		n, room;
	struct ranges	ranges;		/* what: a symbol */
	GElf_Addr	*start;		/* of functions without symbols, ascending; unnamed.c's */
	size_t		nstarts;
	bool		have_starts;
	/* The answers to the last questions: places are asked for one behind the other. */
	struct range	segment;	/* of offsets; offset: the address of the first */
	struct range	section;	/* of addresses; what: it is a PLT */
	struct range	described;	/* of addresses */
	char		unnamed[24];	/* "[0x12340]", the last one */
	struct ranges	units;		/* what: a unit of the debug information; source.c's */
	Dwarf_Die	*unit;
	size_t		nunits, unit_room;
	bool		have_units;
};

/* The address that an offset of the file is at, as libdwfl sees it. False: it is nowhere. */
bool symbols_address(struct symbols *symbols, uint64_t offset, GElf_Addr *address);

/*
 * What to call the function at an address of the file that has no symbol, and how far from its
 * beginning that is; or NULL.
 */
const char *symbols_unnamed(struct symbols *symbols, GElf_Addr address, uint64_t *distance);

/* Where that function is, in addresses of the file. False: there is none. */
bool symbols_unnamed_bounds(struct symbols *symbols, GElf_Addr address, struct range *bounds);

/* Free what source.c has. */
void symbols_free_units(struct symbols *symbols);

#endif /* PFMON_SYMBOLS_INTERNAL_H */
