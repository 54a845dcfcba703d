// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the kernel's functions. perf's records of made code reach an event of a CPU from
 * all that runs there, and an event of a thread only from this thread. Modules have no record.
 * So an address without a name is remembered, and looked up again: when /proc/modules has changed,
 * after a while, and at the end.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ranges.h"
#include "record/kernel_names.h"
#include "run/loop.h"

#define LOOK		0.1	/* seconds between two looks at /proc/modules */
#define FIRST_PAUSE	1.0	/* before the table is read again without a new module; it doubles */
#define MOST_MISSED	4096

/* Of the names and addresses: the numbers of users change all the time. */
static uint64_t modules_now(void)
{
	FILE *file = fopen("/proc/modules", "re");
	char name[64], address[32];
	uint64_t digest = 0xcbf29ce484222325;
	const char *at;

	while (file && fscanf(file, "%63s %*s %*s %*s %*s %31s%*[^\n]", name, address) == 2) {
		for (at = name; *at; at++)
			digest = (digest ^ (unsigned char)*at) * 0x100000001b3;
		for (at = address; *at; at++)
			digest = (digest ^ (unsigned char)*at) * 0x100000001b3;
	}
	if (file)
		fclose(file);
	return digest;
}

static void read_table(struct kernel_names *names)
{
	names->modules = modules_now(); /* first: what comes meanwhile is found at the next look */
	kernel_symbols_read(&names->table, "/proc/kallsyms");
	names->fresh = false;
}

void kernel_names_know(struct kernel_names *names)
{
	if (names->known)
		return;
	names->known = true;
	read_table(names);
	names->next = now() + LOOK;
	names->pause = FIRST_PAUSE;
	names->again = now() + names->pause;
}

static bool equal(const struct kernel_symbol *a, const struct kernel_symbol *b)
{
	return a->start == b->start && a->end == b->end && !strcmp(a->name, b->name);
}

/* A symbol that is in the file stays there. */
static void read_again(struct kernel_names *names)
{
	struct kernel_symbols old = names->table;
	struct kernel_symbol *symbol;
	size_t i;

	read_table(names);
	for (i = 0; i < old.n; i++) {
		symbol = old.symbol[i].seen ?
				 kernel_symbols_find(&names->table, old.symbol[i].start) : NULL;
		if (symbol && equal(symbol, &old.symbol[i]))
			symbol->seen = true;
	}
	kernel_symbols_free(&old);
}

/* The assumed end of a symbol may be behind the beginning of made code. */
static uint64_t end_of(const struct kernel_names *names, const struct kernel_symbol *symbol)
{
	uint64_t end = symbol->end;
	size_t i;

	for (i = 0; i < names->made.n; i++)
		if (names->made.symbol[i].start > symbol->start && names->made.symbol[i].start < end)
			end = names->made.symbol[i].start;
	return end;
}

static void write_symbol(const struct kernel_names *names, struct profile_writer *file,
			 struct kernel_symbol *symbol)
{
	const char *texts[] = { symbol->name, symbol->module };
	struct profile_ksymbol record = { .start = symbol->start, .end = end_of(names, symbol) };

	symbol->seen = true;
	profile_write_texts(file, PROFILE_KSYMBOL, &record, sizeof(record), texts, COUNT(texts));
}

/* True: the address has its name. */
static bool give_name(const struct kernel_names *names, struct profile_writer *file,
		      uint64_t address)
{
	struct kernel_symbol *symbol = kernel_symbols_find(&names->made, address) ?:
				       kernel_symbols_find(&names->table, address);

	if (symbol && !symbol->seen)
		write_symbol(names, file, symbol);
	return symbol && !symbol->last;
}

/* Where the table is hidden from this user it does not get better. */
static void miss(struct kernel_names *names, uint64_t address)
{
	size_t low = 0, high = names->nmissed;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (names->missed[middle] >= address)
			high = middle;
		else
			low = middle + 1;
	}
	if (!names->table.n || names->nmissed == MOST_MISSED ||
	    (low < names->nmissed && names->missed[low] == address))
		return;
	GROW(names->missed, names->nmissed, names->missed_room);
	memmove(names->missed + low + 1, names->missed + low,
		(names->nmissed - low) * sizeof(*names->missed));
	names->missed[low] = address;
	names->nmissed++;
	names->fresh = true;
}

void kernel_names_tell(struct kernel_names *names, struct profile_writer *file, uint64_t address)
{
	if (!is_kernel_address(address))
		return;
	kernel_names_know(names);
	if (!give_name(names, file, address))
		miss(names, address);
}

/* Those that are still missed stay. */
static void name_missed(struct kernel_names *names, struct profile_writer *file)
{
	size_t kept = 0, i;

	for (i = 0; i < names->nmissed; i++)
		if (!give_name(names, file, names->missed[i]))
			names->missed[kept++] = names->missed[i];
	names->nmissed = kept;
}

void kernel_names_refresh(struct kernel_names *names, struct profile_writer *file)
{
	const double time = now();
	const bool again = names->fresh && time >= names->again;

	if (!names->pause || !names->table.n || (time < names->next && !again))
		return;
	names->next = time + LOOK;
	if (!again && modules_now() == names->modules)
		return;
	if (again) {
		names->pause *= 2;
		names->again = time + names->pause;
	}
	read_again(names);
	name_missed(names, file);
}

/* A symbol replaces those that were at its addresses. */
static void remove_overlapping(struct kernel_symbols *made, uint64_t start, uint64_t end)
{
	struct kernel_symbol *symbol;
	size_t kept = 0, i;

	for (i = 0; i < made->n; i++) {
		symbol = &made->symbol[i];
		if (symbol->start >= end || symbol->end <= start) {
			made->symbol[kept++] = *symbol;
			continue;
		}
		free(symbol->name);
		free(symbol->module);
	}
	made->n = kept;
}

void kernel_names_made(struct kernel_names *names, uint64_t start, uint64_t size,
		       const char *name, const char *module)
{
	struct kernel_symbols *made = &names->made;
	size_t at;

	if (!is_kernel_address(start) || !size || start + size < start)
		return;
	remove_overlapping(made, start, start + size);
	GROW(made->symbol, made->n, made->room);
	for (at = made->n; at && made->symbol[at - 1].start > start; at--)
		made->symbol[at] = made->symbol[at - 1];
	made->symbol[at] = (struct kernel_symbol){
		.start = start, .end = start + size,
		.name = xstrdup(name), .module = xstrdup(module), .type = 't',
	};
	made->n++;
}

void kernel_names_end(struct kernel_names *names, struct profile_writer *file)
{
	if (names->pause && names->nmissed && (names->fresh || modules_now() != names->modules)) {
		read_again(names);
		name_missed(names, file);
	}
}

void kernel_names_free(struct kernel_names *names)
{
	kernel_symbols_free(&names->table);
	kernel_symbols_free(&names->made);
	free(names->missed);
	memset(names, 0, sizeof(*names));
}
