// SPDX-License-Identifier: GPL-2.0
/* Reading a profile: each size is checked before its use, because the file may be damaged. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/pack.h"
#include "data/read.h"

static bool read_fully(struct profile_reader *reader, void *buf, size_t size)
{
	return fread(buf, 1, size, reader->file) == size;
}

static bool no_profile(const char *name, const struct profile_header *header, size_t size,
		       struct problem *why)
{
	problem(why, "%s is no recording of pfmon", name);
	if (size >= 8 && !memcmp(header->magic, "PERFILE2", 8))
		return problem_hint(why, "It is one of perf: `perf report -i %s` reads it.", name);
	return problem_hint(why, "`pfmon record` writes recordings.");
}

static bool check_header(struct profile_reader *reader, struct problem *why)
{
	struct profile_header header;
	const size_t size = fread(&header, 1, sizeof(header), reader->file);

	if (ferror(reader->file))
		return problem(why, "cannot read %s: %s", reader->name, strerror(errno));
	if (!size)
		return problem(why, "%s is empty", reader->name);
	if (size < 8 || memcmp(header.magic, PROFILE_MAGIC, 8))
		return no_profile(reader->name, &header, size, why);
	if (size < sizeof(header))
		return problem(why, "%s is cut off within its header", reader->name);
	if (header.order == __builtin_bswap32(PROFILE_ORDER)) {
		problem(why, "%s is from a machine of the other byte order", reader->name);
		return problem_hint(why, "Read it where it was recorded.");
	}
	if (header.major != PROFILE_MAJOR && header.order == PROFILE_ORDER)
		return problem(why, "%s has version %u.%u of the format, and this pfmon knows %u only",
			       reader->name, header.major, header.minor, PROFILE_MAJOR);
	if (header.order != PROFILE_ORDER || header.size < sizeof(header) || header.size % 8 ||
	    header.size > reader->size)
		return problem(why, "%s is damaged: its header makes no sense", reader->name);
	reader->at = header.size;
	reader->first = header.size;
	if (fseeko(reader->file, (off_t)reader->at, SEEK_SET))
		return problem(why, "cannot read %s: %s", reader->name, strerror(errno));
	return true;
}

bool profile_open(struct profile_reader *reader, const char *name, struct problem *why)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat info;

	memset(reader, 0, sizeof(*reader));
	reader->name = name;
	if (fd < 0 || fstat(fd, &info)) {
		problem(why, "cannot read %s: %s", name, strerror(errno));
		if (errno == ENOENT)
			problem_hint(why, "`pfmon record` writes one; -i names another.");
		if (fd >= 0)
			close(fd);
		return false;
	}
	if (!S_ISREG(info.st_mode)) {
		close(fd);
		return problem(why, "%s is no regular file", name);
	}
	reader->size = (uint64_t)info.st_size;
	reader->file = fdopen(fd, "re");
	if (!reader->file) {
		close(fd);
		return problem(why, "cannot read %s: %s", name, strerror(errno));
	}
	if (check_header(reader, why))
		return true;
	profile_done(reader);
	return false;
}

bool profile_damaged(const struct profile_reader *reader, struct problem *why)
{
	return problem(why, "%s is damaged: its record at byte %llu makes no sense", reader->name,
		       (unsigned long long)reader->begin);
}

static enum profile_found damage(const struct profile_reader *reader, struct problem *why)
{
	profile_damaged(reader, why);
	return FOUND_DAMAGE;
}

static bool makes_sense(const struct profile_record *head)
{
	return head->fixed >= sizeof(*head) && head->fixed % 8 == 0 && head->size >= head->fixed &&
	       head->size % 8 == 0;
}

static enum profile_found next_of_file(struct profile_reader *reader, struct problem *why)
{
	const uint64_t left = reader->size - reader->at;
	struct profile_record head;

	reader->begin = reader->at;
	if (!left)
		return FOUND_END;
	if (left < sizeof(head) || !read_fully(reader, &head, sizeof(head)))
		return FOUND_CUT;
	if (!makes_sense(&head))
		return damage(reader, why);
	if (head.size > left)
		return FOUND_CUT;
	if (head.size > reader->room) {
		reader->room = head.size; /* the file has this size: no invalid one gets here */
		reader->record = xrealloc(reader->record, reader->room, 1);
	}
	memcpy(reader->record, &head, sizeof(head));
	if (!read_fully(reader, (char *)reader->record + sizeof(head),
			head.size - sizeof(head)))
		return FOUND_CUT;
	reader->at += head.size;
	return FOUND_RECORD;
}

/* The records of the block that was just read. */
static bool unpack_block(struct profile_reader *reader)
{
	const struct profile_packed *packed = profile_fixed(reader->record, sizeof(*packed));
	struct profile_rest rest;

	if (!packed || packed->size > PROFILE_MAX_PACKED)
		return false;
	rest = profile_rest(reader->record);
	if (packed->packed > rest.left)
		return false;
	if (packed->size > reader->block_room) {
		reader->block_room = packed->size;
		reader->block = xrealloc(reader->block, reader->block_room, 1);
	}
	reader->block_at = 0;
	reader->block_size = 0;
	if (!unpack(rest.at, packed->packed, reader->block, packed->size))
		return false;
	reader->block_size = packed->size;
	return true;
}

static enum profile_found next_of_block(struct profile_reader *reader,
					const struct profile_record **record, struct problem *why)
{
	const size_t left = reader->block_size - reader->block_at;
	const struct profile_record *head = (void *)(reader->block + reader->block_at);

	if (left < sizeof(*head) || !makes_sense(head) || head->size > left ||
	    head->type == PROFILE_PACKED)
		return damage(reader, why);
	reader->block_at += head->size;
	*record = head;
	return FOUND_RECORD;
}

enum profile_found profile_next(struct profile_reader *reader,
				const struct profile_record **record, struct problem *why)
{
	enum profile_found found;

	*record = NULL;
	while (reader->block_at == reader->block_size) {
		found = next_of_file(reader, why);
		if (found != FOUND_RECORD)
			return found;
		*record = reader->record;
		if ((*record)->type != PROFILE_PACKED)
			return FOUND_RECORD;
		*record = NULL;
		if (!unpack_block(reader))
			return damage(reader, why);
	}
	return next_of_block(reader, record, why);
}

void profile_again(struct profile_reader *reader)
{
	reader->at = reader->first;
	reader->block_at = 0;
	reader->block_size = 0;
	(void)fseeko(reader->file, (off_t)reader->at, SEEK_SET); /* it succeeded at the beginning */
}

void profile_done(struct profile_reader *reader)
{
	if (reader->file)
		fclose(reader->file);
	free(reader->record);
	free(reader->block);
	memset(reader, 0, sizeof(*reader));
}

const void *profile_fixed(const struct profile_record *record, size_t size)
{
	return record->fixed >= size ? record : NULL;
}

struct profile_rest profile_rest(const struct profile_record *record)
{
	return (struct profile_rest){ (const char *)record + record->fixed,
				      record->size - record->fixed };
}

const char *profile_text(struct profile_rest *rest)
{
	const char *text = rest->at;
	const size_t length = strnlen(text, rest->left);

	if (length == rest->left)
		return NULL;
	rest->at += length + 1;
	rest->left -= length + 1;
	return text;
}
