// SPDX-License-Identifier: GPL-2.0
/*
 * jit-PID.dump. A piece of code has its name from the time on at which it was loaded. The
 * file's times are of another clock than the samples', nearly always CLOCK_MONOTONIC. If they are
 * not, the difference is known from the header's time: the runtime maps the file when it writes
 * the header, and perf's dummy event has the time of that mapping.
 *
 * Moved code has its name at the new place, and the old place is empty until other code goes
 * there. No record marks the end of a piece of code, only the end of the runtime: then all of
 * the code is gone.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nanoseconds.h"
#include "record/jitdump.h"

#define MAGIC		0x4a695444
#define FLAG_ARCH_TIME	1		/* of the processor's own counter: of no use here */
#define MAX_RECORD	(64U << 20)	/* it has the code in it */

enum { CODE_LOAD = 0, CODE_MOVE = 1, CODE_CLOSE = 3 };

struct dump_header {
	uint32_t	magic, version, size, machine, pad, pid;
	uint64_t	time, flags;
};

struct dump_record {
	uint32_t	id, size;
	uint64_t	time;
};

struct code_load {
	struct dump_record record;
	uint32_t	pid, tid;
	uint64_t	address, code_address, size, index;
	char		name[];
};

struct code_move {
	struct dump_record record;
	uint32_t	pid, tid;
	uint64_t	address, old_address, new_address, size, index;
};

/* Code that may still move, or end. */
struct code {
	uint64_t	index;
	uint64_t	start, size;	/* where it is now */
	char		*name;
};

struct dump {
	struct recording *recording;
	pid_t		pid;
	bool		timed;
	bool		monotonic;	/* its times are of CLOCK_MONOTONIC */
	struct clock_moment first, last;	/* if they are */
	uint64_t	offset;		/* or else, from its clock to that of the samples */
	struct code	*code;
	size_t		n, room;
};

static uint64_t time_of(const struct dump *dump, uint64_t time)
{
	return dump->monotonic ? clock_convert(&dump->first, &dump->last, time) :
				 time + dump->offset;
}

static void tell(const struct dump *dump, uint64_t start, uint64_t size, const char *name,
		 uint64_t time)
{
	struct profile_symbol symbol = {
		.pid = dump->pid, .start = start, .end = start + size,
		.time = dump->timed ? time_of(dump, time) : 0,
	};

	if (symbol.start < symbol.end)
		profile_write_texts(&dump->recording->file, PROFILE_SYMBOL, &symbol,
				    sizeof(symbol), &name, 1);
}

/* Nothing is written without times: the code would end before it began. */
static void tell_end(const struct dump *dump, uint64_t start, uint64_t size, uint64_t time)
{
	struct profile_symbol_end end = {
		.pid = dump->pid, .start = start, .end = start + size, .time = time_of(dump, time),
	};

	if (dump->timed && end.start < end.end)
		profile_write_bytes(&dump->recording->file, PROFILE_SYMBOL_END, &end, sizeof(end),
				    NULL, 0);
}

static void take_load(struct dump *dump, const struct code_load *load)
{
	const size_t room = load->record.size - sizeof(*load);

	if (strnlen(load->name, room) == room)
		return;
	tell(dump, load->address, load->size, load->name, load->record.time);
	GROW(dump->code, dump->n, dump->room);
	dump->code[dump->n++] = (struct code){
		load->index, load->address, load->size, xstrdup(load->name),
	};
}

static void take_move(struct dump *dump, const struct code_move *move)
{
	size_t i;

	for (i = dump->n; i-- > 0;)
		if (dump->code[i].index == move->index)
			break;
	if (i == SIZE_MAX)
		return;
	/* The old place first: the new one may overlap it. */
	tell_end(dump, move->old_address, move->size, move->record.time);
	tell(dump, move->address, move->size, dump->code[i].name, move->record.time);
	dump->code[i].start = move->address;
	dump->code[i].size = move->size;
}

static void take_close(struct dump *dump, uint64_t time)
{
	size_t i;

	for (i = 0; i < dump->n; i++)
		tell_end(dump, dump->code[i].start, dump->code[i].size, time);
}

/* The rest of a record behind its head; NULL: the file ends, or is damaged. */
static void *read_record(FILE *file)
{
	struct dump_record head, *record;

	if (fread(&head, sizeof(head), 1, file) != 1 || head.size < sizeof(head) ||
	    head.size > MAX_RECORD)
		return NULL;
	record = xcalloc(1, head.size);
	*record = head;
	if (head.size == sizeof(head) ||
	    fread(record + 1, head.size - sizeof(head), 1, file) == 1)
		return record;
	free(record);
	return NULL;
}

static void read_records(struct dump *dump, FILE *file)
{
	struct dump_record *record;

	while ((record = read_record(file))) {
		if (record->id == CODE_LOAD && record->size > sizeof(struct code_load))
			take_load(dump, (void *)record);
		else if (record->id == CODE_MOVE && record->size >= sizeof(struct code_move))
			take_move(dump, (void *)record);
		else if (record->id == CODE_CLOSE)
			take_close(dump, record->time);
		free(record);
	}
}

/* True if the header's time can be one of CLOCK_MONOTONIC: near the mapping, or at least past. */
static bool is_monotonic(const struct dump *dump, uint64_t header, uint64_t mapped)
{
	uint64_t time;

	if (!dump->first.samples || !dump->last.samples || header > dump->last.monotonic)
		return false;
	time = clock_convert(&dump->first, &dump->last, header);
	return !mapped || (time > mapped ? time - mapped : mapped - time) < NSEC_PER_SEC;
}

static void read_dump(struct dump *dump, FILE *file, uint64_t mapped)
{
	struct dump_header header;
	size_t i;

	if (fread(&header, sizeof(header), 1, file) != 1 || header.magic != MAGIC ||
	    header.size < sizeof(header) || fseek(file, (long)header.size, SEEK_SET))
		return;
	dump->offset = mapped - header.time;
	dump->monotonic = is_monotonic(dump, header.time, mapped);
	dump->timed = (mapped || dump->monotonic) && !(header.flags & FLAG_ARCH_TIME);
	read_records(dump, file);
	for (i = 0; i < dump->n; i++)
		free(dump->code[i].name);
	free(dump->code);
}

/* Each file is read once, even if the process executes another program, which has its own. */
void jitdump_tell(struct recording *recording, const struct files *files)
{
	struct recorded_dump *known;
	struct dump dump;
	FILE *file;
	size_t i;

	for (i = 0; i < recording->ndumps; i++) {
		known = &recording->dump[i];
		if (known->pid != files->pid)
			continue;
		known->pid = 0;
		file = files_open(files, known->name);
		if (!file)
			continue;
		dump = (struct dump){
			.recording = recording, .pid = files->pid, .first = known->mapped,
		};
		clock_look(&dump.last);
		read_dump(&dump, file, known->time);
		fclose(file);
	}
}
