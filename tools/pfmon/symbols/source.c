// SPDX-License-Identifier: GPL-2.0
/* Source lines and inlined functions, from the debug information. */
#define _GNU_SOURCE
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "symbols/internal.h"

static void add_unit(struct symbols *symbols, Dwarf_Die *unit)
{
	struct range range = { .what = symbols->nunits };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	GROW(symbols->unit, symbols->nunits, symbols->unit_room);
	symbols->unit[symbols->nunits++] = *unit;
	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0) {
		range.start = start;
		range.end = end;
		ranges_set(&symbols->units, &range);
	}
}

/*
 * Find the code of each unit from the units themselves: compilers other than gcc write no
 * .debug_aranges, in which libdwfl would find a unit.
 */
static void collect_units(struct symbols *symbols)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	symbols->have_units = true;
	while ((unit = dwfl_module_nextcu(symbols->module, unit, &bias)))
		add_unit(symbols, unit);
}

/* The unit of an address; *@address becomes an address of the debug information. */
static Dwarf_Die *find_unit(struct symbols *symbols, GElf_Addr *address)
{
	const struct range *range;
	Dwarf_Die *unit;
	Dwarf_Addr bias;

	unit = dwfl_module_addrdie(symbols->module, *address, &bias);
	if (unit) {
		*address -= bias;
		return unit;
	}
	if (!dwfl_module_getdwarf(symbols->module, &bias))
		return NULL;
	if (!symbols->have_units)
		collect_units(symbols);
	*address -= bias;
	range = ranges_find(&symbols->units, *address);
	return range ? &symbols->unit[range->what] : NULL;
}

static bool line_of(Dwarf_Die *unit, GElf_Addr address, const char **file, unsigned int *line)
{
	Dwarf_Line *found = dwarf_getsrc_die(unit, address);
	int number;

	if (!found || dwarf_lineno(found, &number) || number <= 0)
		return false;
	*file = dwarf_linesrc(found, NULL, NULL);
	*line = (unsigned int)number;
	return *file != NULL;
}

bool symbols_line(struct symbols *symbols, uint64_t offset, const char **file,
		  unsigned int *line)
{
	GElf_Addr address;
	Dwarf_Die *unit;

	if (!symbols_address(symbols, offset, &address))
		return false;
	unit = find_unit(symbols, &address);
	return unit && line_of(unit, address, file, line);
}

/* The linker's name of the function, or else the source's. */
static const char *function_name(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_attr_integrate(function, DW_AT_name, &attribute) ?
		       dwarf_formstring(&attribute) : NULL;
}

/* The place where an inlined function was called. */
static void call_site(Dwarf_Die *unit, Dwarf_Die *inlined, struct symbols_frame *frame)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word value;

	frame->file = NULL;
	frame->line = 0;
	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &value))
		frame->line = (unsigned int)value;
	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &value) &&
	    !dwarf_getsrcfiles(unit, &files, NULL))
		frame->file = dwarf_filesrc(files, value, NULL, NULL);
}

#define MAX_DEPTH	SYMBOLS_MAX_FRAMES	/* of namespaces and blocks as well */

/* The functions around an address, the outermost first. */
struct around {
	GElf_Addr	address;
	Dwarf_Die	function[MAX_DEPTH];
	size_t		n;
};

static bool is_function(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/*
 * Go down to the innermost function. dwarf_getscopes() does the same, but not in a namespace,
 * where clang and rustc have functions.
 */
static bool descend(struct around *around, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;
	int more;

	if (depth == MAX_DEPTH || dwarf_child(die, &child))
		return false;
	do {
		const int tag = dwarf_tag(&child);

		if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
		    tag == DW_TAG_class_type || tag == DW_TAG_module) {
			if (descend(around, &child, depth + 1))
				return true;
		} else if ((is_function(&child) || tag == DW_TAG_lexical_block) &&
			   dwarf_haspc(&child, around->address) > 0) {
			if (is_function(&child) && around->n < MAX_DEPTH)
				around->function[around->n++] = child;
			descend(around, &child, depth + 1);
			return true;
		}
		more = dwarf_siblingof(&child, &child);
	} while (!more);
	return false;
}

size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbols_frame *frame,
		      size_t room)
{
	struct symbols_frame next = { 0 };
	struct around around = { .n = 0 };
	Dwarf_Die *unit;
	size_t n = 0;

	if (!symbols_address(symbols, offset, &around.address))
		return 0;
	unit = find_unit(symbols, &around.address);
	if (!unit)
		return 0;
	descend(&around, unit, 0);
	line_of(unit, around.address, &next.file, &next.line);
	for (; n < room && n < around.n; n++) {
		Dwarf_Die *function = &around.function[around.n - 1 - n];

		next.function = function_name(function);
		frame[n] = next;
		call_site(unit, function, &next);
	}
	return n;
}

void symbols_free_units(struct symbols *symbols)
{
	ranges_free(&symbols->units);
	free(symbols->unit);
}
