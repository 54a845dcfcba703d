// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile_symbols.h"

/* libstdc++'s, which has no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

struct symbols {
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	Elf		*elf;
	GElf_Addr	bias;		/* from the file's addresses to libdwfl's */
	char		*name;		/* that was demangled last */
};

static char *debug_path;		/* where Debian and others put it: the default */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

static void id_of_elf(struct build_id *id, Elf *elf)
{
	const void *bits;
	ssize_t size;

	id->size = 0;
	size = dwelf_elf_gnu_build_id(elf, &bits);
	if (size <= 0 || size > MAX_BUILD_ID)
		return;
	id->size = (uint32_t)size;
	memcpy(id->id, bits, (size_t)size);
}

static bool is_regular(int fd)
{
	struct stat info;

	return !fstat(fd, &info) && S_ISREG(info.st_mode);
}

void build_id_read(struct build_id *id, int fd)
{
	Elf *elf;

	id->size = 0;
	elf_version(EV_CURRENT);
	if (!is_regular(fd)) /* such as a mapped device */
		return;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		id_of_elf(id, elf);
	elf_end(elf);
}

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

struct symbols *symbols_open(const char *path, const struct build_id *id,
			     struct problem *why)
{
	/* What a damaged profile names could be anything: it shall not hang us. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct symbols *symbols;
	struct build_id now;

	if (fd < 0 || !is_regular(fd)) {
		problem(why, "%s: %s", path, fd < 0 ? strerror(errno) : "this is no regular file");
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	symbols = xcalloc(1, sizeof(*symbols));
	symbols->dwfl = dwfl_begin(&callbacks);
	if (!symbols->dwfl || !report_file(symbols, path, fd)) {
		problem(why, "%s: %s", path, dwfl_errmsg(-1));
		if (!symbols->module)
			close(fd);
		symbols_close(symbols);
		return NULL;
	}
	id_of_elf(&now, symbols->elf);
	if (!id->size || (now.size == id->size && !memcmp(now.id, id->id, id->size)))
		return symbols;
	problem(why, "%s has changed since the recording", path);
	symbols_close(symbols);
	return NULL;
}

/* The address that a part of the file is loaded to, as the file itself says. */
static bool address_of_offset(Elf *elf, uint64_t offset, GElf_Addr *address)
{
	GElf_Phdr segment;
	size_t n, i;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		if (offset < segment.p_offset || offset - segment.p_offset >= segment.p_filesz)
			continue;
		*address = offset - segment.p_offset + segment.p_vaddr;
		return true;
	}
	return false;
}

const char *symbols_find(struct symbols *symbols, uint64_t offset, bool demangle)
{
	const char *name;
	GElf_Addr address;
	GElf_Off within;
	GElf_Sym symbol;
	char *plain;
	int status;

	if (!address_of_offset(symbols->elf, offset, &address))
		return NULL;
	name = dwfl_module_addrinfo(symbols->module, address + symbols->bias, &within, &symbol,
				    NULL, NULL, NULL);
	if (!name || !*name)
		return NULL;
	if (!demangle || strncmp(name, "_Z", 2))
		return name;
	plain = __cxa_demangle(name, NULL, NULL, &status);
	if (!plain)
		return name;
	free(symbols->name);
	symbols->name = plain;
	return plain;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	free(symbols->name);
	free(symbols);
}
