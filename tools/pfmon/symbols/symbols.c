// SPDX-License-Identifier: GPL-2.0
/* Names for addresses in programs and libraries, by elfutils' libdwfl. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/origin.h"
#include "symbols/internal.h"

struct symbol {
	GElf_Addr	start;		/* as libdwfl sees it */
	GElf_Xword	size;
	GElf_Addr	limit;		/* end of its section */
	unsigned char	info;
	const char	*name;		/* libdwfl owns it */
	char		*plain;		/* as in the source; NULL: not known yet, or the same */
	bool		is_plain;	/* @plain is known */
};

static char *debug_path;		/* NULL, the default: the path of Debian and others */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

/* Let libdwfl have the file. It takes over @fd when it succeeds. */
static bool report_file(struct symbols *symbols, const char *path, int fd)
{
	dwfl_report_begin(symbols->dwfl);
	symbols->module = dwfl_report_offline(symbols->dwfl, path, path, fd);
	dwfl_report_end(symbols->dwfl, NULL, NULL);
	if (!symbols->module)
		return false;
	symbols->elf = dwfl_module_getelf(symbols->module, &symbols->bias);
	return symbols->elf != NULL;
}

/* True if this is the name of a piece of code; *@limit is the end of its section. */
static bool is_code(const GElf_Sym *symbol, GElf_Word section, Elf *elf, GElf_Addr bias,
		    GElf_Addr *limit)
{
	const int type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr header;
	Elf_Scn *scn;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) ||
	    section == SHN_UNDEF || section >= SHN_LORESERVE || !elf)
		return false;
	scn = elf_getscn(elf, section);
	if (!scn || !gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return false;
	*limit = header.sh_addr + header.sh_size + bias;
	return true;
}

/*
 * Order several names of an address: that of the larger piece first; then not weak, then global,
 * then with fewer underscores, as internal names begin with more; then the longer one.
 */
static int by_address(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;
	const int bind_a = GELF_ST_BIND(a->info), bind_b = GELF_ST_BIND(b->info);
	const size_t plain_a = strspn(a->name, "_"), plain_b = strspn(b->name, "_");
	const size_t length_a = strlen(a->name), length_b = strlen(b->name);

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if ((bind_a == STB_WEAK) != (bind_b == STB_WEAK))
		return bind_a == STB_WEAK ? 1 : -1;
	if ((bind_a == STB_GLOBAL) != (bind_b == STB_GLOBAL))
		return bind_a == STB_GLOBAL ? -1 : 1;
	if (plain_a != plain_b)
		return plain_a < plain_b ? -1 : 1;
	if (length_a != length_b)
		return length_a > length_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void collect(struct symbols *symbols)
{
	const int all = dwfl_module_getsymtab(symbols->module);
	struct symbol symbol;
	GElf_Word section;
	GElf_Addr bias;
	GElf_Sym entry;
	Elf *elf;
	int i;

	for (i = 1; i < all; i++) {
		symbol.name = dwfl_module_getsym_info(symbols->module, i, &entry, &symbol.start,
						      &section, &elf, &bias);
		if (!symbol.name || !*symbol.name ||
		    !is_code(&entry, section, elf, bias, &symbol.limit))
			continue;
		symbol.plain = NULL;
		symbol.is_plain = false;
		symbol.size = entry.st_size;
		symbol.info = entry.st_info;
		GROW(symbols->symbol, symbols->n, symbols->room);
		symbols->symbol[symbols->n++] = symbol;
	}
}

static void set_range(struct symbols *symbols, size_t which, GElf_Addr end)
{
	const struct range range = { .start = symbols->symbol[which].start, .end = end,
				     .what = which };

	ranges_set(&symbols->ranges, &range);
}

/*
 * Make the table of the symbols' places: libdwfl's own look-up searches the whole table each time.
 * A symbol without a size, of a program in assembly, ends at the next one, unless it is a label
 * within a function.
 */
static void arrange(struct symbols *symbols)
{
	struct symbol *symbol = symbols->symbol;
	size_t kept = 0, i;

	if (!symbols->n)
		return;
	qsort(symbol, symbols->n, sizeof(*symbol), by_address);
	for (i = 1; i < symbols->n; i++)
		if (symbol[i].start != symbol[kept].start)
			symbol[++kept] = symbol[i];
	symbols->n = kept + 1;
	for (i = 0; i < symbols->n; i++)
		if (symbol[i].size && symbol[i].start + symbol[i].size > symbol[i].start)
			set_range(symbols, i, symbol[i].start + symbol[i].size);
	for (i = 0; i < symbols->n; i++) {
		GElf_Addr end = symbol[i].limit;

		if (symbol[i].size || ranges_find(&symbols->ranges, symbol[i].start))
			continue;
		if (i < kept && symbol[i + 1].start < end)
			end = symbol[i + 1].start;
		set_range(symbols, i, end);
	}
}

/* The kernel marks files that have lost their name, or never had one, this way. */
static bool is_removed(const char *path)
{
	static const char mark[] = " (deleted)";
	const size_t length = strlen(path);

	return length > sizeof(mark) && !strcmp(path + length - (sizeof(mark) - 1), mark);
}

static void not_known(const char *path, struct problem *why)
{
	problem(why, "which file %s was is not known", path);
}

/* It takes over @fd. NULL, with the reason: it cannot be used. */
static struct symbols *open_fd(const char *path, int fd, const struct build_id *id,
			       struct problem *why)
{
	struct symbols *symbols;
	struct build_id state;

	if (!is_regular_file(fd)) {
		problem(why, "%s: this is no regular file", path);
		close(fd);
		return NULL;
	}
	build_id_read_state(&state, fd); /* libdwfl closes it */
	symbols = xcalloc(1, sizeof(*symbols));
	symbols->dwfl = dwfl_begin(&callbacks);
	if (!symbols->dwfl || !report_file(symbols, path, fd)) {
		problem(why, "%s: %s", path, dwfl_errmsg(-1));
		if (!symbols->module)
			close(fd);
		symbols_close(symbols);
		return NULL;
	}
	if (build_id_fits(id, &state, symbols->elf)) {
		collect(symbols);
		arrange(symbols);
		return symbols;
	}
	if (id->kind == ID_UNKNOWN)
		not_known(path, why);
	else
		problem(why, "%s has changed since the recording", path);
	symbols_close(symbols);
	return NULL;
}

static struct symbols *open_by_name(const char *path, const struct build_id *id,
				    struct problem *why)
{
	/* A damaged profile may name any file, as a device: do not wait for it. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0)
		return open_fd(path, fd, id, why);
	if (!is_removed(path))
		problem(why, "%s: %s", path, strerror(errno));
	else if (id->kind == ID_UNKNOWN)
		not_known(path, why);
	else
		problem(why, "%s: it has no name: only root can read it, while a process that was recorded has it",
			path);
	return NULL;
}

bool symbols_possible(const char *path)
{
	return path[0] == '/' || !strcmp(path, "[vdso]");
}

struct symbols *symbols_open(const char *path, const struct build_id *id,
			     struct problem *why)
{
	struct symbols *symbols = NULL;
	enum origin_way way;
	struct problem other;
	int fd;

	if (path[0] == '/')
		symbols = open_by_name(path, id, why);
	else
		problem(why, "%s is in no file, and not in the recording", path);
	for (way = 0; !symbols && way < ORIGIN_WAYS; way++) {
		fd = origin_open(way, path, id);
		if (fd >= 0)
			symbols = open_fd(path, fd, id, &other);
	}
	return symbols;
}

const char *symbols_find_at(struct symbols *symbols, uint64_t offset, bool demangle,
			    uint64_t *distance)
{
	const struct range *range;
	struct symbol *symbol;
	GElf_Addr address;

	if (!symbols_address(symbols, offset, &address))
		return NULL;
	range = ranges_find(&symbols->ranges, address);
	if (!range)
		return symbols_unnamed(symbols, address - symbols->bias, distance);
	symbol = &symbols->symbol[range->what];
	*distance = address - symbol->start;
	if (!demangle)
		return symbol->name;
	if (!symbol->is_plain)
		symbol->plain = symbols_demangle(symbol->name);
	symbol->is_plain = true;
	return symbol->plain ?: symbol->name;
}

const char *symbols_find(struct symbols *symbols, uint64_t offset, bool demangle)
{
	uint64_t distance;

	return symbols_find_at(symbols, offset, demangle, &distance);
}

void symbols_close(struct symbols *symbols)
{
	size_t i;

	if (!symbols)
		return;
	for (i = 0; i < symbols->n; i++)
		free(symbols->symbol[i].plain);
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	symbols_free_units(symbols);
	ranges_free(&symbols->ranges);
	free(symbols->symbol);
	free(symbols->start);
	free(symbols);
}
