/* SPDX-License-Identifier: GPL-2.0 */
/* Names for addresses in programs and libraries, by elfutils' libdwfl. */
#ifndef PFMON_SYMBOLS_SYMBOLS_H
#define PFMON_SYMBOLS_SYMBOLS_H

#include "data/build_id.h"
#include "util.h"

struct symbols;

/* True if a mapping of this name can have symbols. */
bool symbols_possible(const char *path);

/*
 * Open a file's symbols: its own, those of its separate debug information, or the dynamic ones. If
 * the file is missing or another one, it is looked for in the place that the recording names (see
 * data/origin.h). NULL, with the reason: the file cannot be used, or it does not have this build id
 * (if one is known).
 */
struct symbols *symbols_open(const char *path, const struct build_id *id,
			     struct problem *why);

/*
 * The symbol at an offset in the file, as written in the source with @demangle. Without a symbol:
 * "[0x12340]", the address at which the function begins; or NULL.
 */
const char *symbols_find(struct symbols *symbols, uint64_t offset, bool demangle);

/* Likewise; *@distance is the distance from the symbol's beginning. */
const char *symbols_find_at(struct symbols *symbols, uint64_t offset, bool demangle,
			    uint64_t *distance);

/*
 * The address of a function in the file, by the linker's name or that of the source. Returns the
 * number of functions of that name; the address is that of the last one.
 */
unsigned int symbols_named(struct symbols *symbols, const char *name, uint64_t *address);

/* The address at which the program begins. False: it is not a program. */
bool symbols_entry(const struct symbols *symbols, uint64_t *address);

/* The address that nm(1) and the like show for an offset. False: it is not loaded. */
bool symbols_file_address(struct symbols *symbols, uint64_t offset, uint64_t *address);

/* The offset of such an address. False: the file has no bytes for it. */
bool symbols_offset(const struct symbols *symbols, uint64_t address, uint64_t *offset);

/* The source line there. False: the debug information is missing or does not have it. */
bool symbols_line(struct symbols *symbols, uint64_t offset, const char **file,
		  unsigned int *line);

/* A function, and the line within it. */
struct symbols_frame {
	const char	*function;	/* as the linker knows it; or NULL */
	const char	*file;		/* or NULL */
	unsigned int	line;		/* or 0 */
};

#define SYMBOLS_MAX_FRAMES	64	/* of one address; those further out are left out */

/*
 * The functions to which the code there belongs, the innermost first: the inlined ones, and last
 * the function that has code of its own. Returns their number; 0: none is known.
 */
size_t symbols_frames(struct symbols *symbols, uint64_t offset, struct symbols_frame *frame,
		      size_t room);

/* A piece of a file's code, in addresses of the file, and its processor. */
struct symbols_code {
	uint64_t		start, end;
	const unsigned char	*bytes;		/* of all of it; valid as long as the symbols */
	unsigned int		machine;	/* EM_X86_64, ... */
	bool			little_endian;
};

/*
 * The function at an address, as far as it is in one piece. False, with the reason: none is known
 * there, or its code is not in the file.
 */
bool symbols_code(struct symbols *symbols, uint64_t address, struct symbols_code *code,
		  struct problem *why);

/*
 * The name of the place to which an address in that code refers: a variable, a function, or, where
 * the linker keeps the address of a function of another file, that function. NULL: it has none.
 */
const char *symbols_referred(struct symbols *symbols, uint64_t address, uint64_t *distance);

/* A name as written in the source of C++, Rust or D; the caller frees it. NULL: another name. */
char *symbols_demangle(const char *name);

void symbols_close(struct symbols *symbols);

#endif /* PFMON_SYMBOLS_SYMBOLS_H */
