// SPDX-License-Identifier: GPL-2.0
/* Writing a profile, whole records, a few at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "data/write.h"

#define ALIGNED(size)	(((size) + 7) & ~(size_t)7)

static struct iovec padding_of(size_t size)
{
	static const char padding[8];

	return (struct iovec){ (void *)padding, ALIGNED(size) - size };
}

/*
 * Write everything. A part that a full disk cut off is removed again, so that the file ends
 * with a whole record.
 */
static bool write_all(struct profile_writer *writer, struct iovec *parts, int n)
{
	size_t total = 0;
	ssize_t done;
	int i;

	if (writer->fd < 0)
		return false;
	for (i = 0; i < n; i++)
		total += parts[i].iov_len;
	while (n) {
		done = writev(writer->fd, parts, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			writer->error = errno;
			/* From a file that is not regular, nothing can be removed. */
			(void)!ftruncate(writer->fd, writer->end);
			close(writer->fd);
			writer->fd = -1;
			return false;
		}
		while (n && (size_t)done >= parts->iov_len) {
			done -= (ssize_t)parts->iov_len;
			parts++;
			n--;
		}
		if (n) {
			parts->iov_base = (char *)parts->iov_base + done;
			parts->iov_len -= (size_t)done;
		}
	}
	writer->end += (off_t)total;
	return true;
}

/* True for a file of another kind, which a mistyped name would destroy. */
static bool is_no_recording(const char *name)
{
	char magic[sizeof(PROFILE_MAGIC) - 1];
	struct stat info;
	bool other;
	int fd;

	if (stat(name, &info) || !S_ISREG(info.st_mode) || !info.st_size)
		return false;
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	other = read(fd, magic, sizeof(magic)) != sizeof(magic) ||
		memcmp(magic, PROFILE_MAGIC, sizeof(magic));
	close(fd);
	return other;
}

bool profile_create(struct profile_writer *writer, const char *name, struct problem *why)
{
	struct profile_header header = {
		.order = PROFILE_ORDER,
		.major = PROFILE_MAJOR,
		.minor = PROFILE_MINOR,
		.size = sizeof(header),
	};
	struct iovec part = { &header, sizeof(header) };

	memcpy(header.magic, PROFILE_MAGIC, sizeof(header.magic));
	writer->name = name;
	writer->end = 0;
	writer->error = 0;
	writer->packer = NULL;
	writer->waiting = NULL;
	writer->nwaiting = 0;
	writer->fd = -1;
	if (is_no_recording(name)) {
		problem(why, "%s is there, and is no recording", name);
		return problem_hint(why, "Remove it first, or name another file with -o FILE.");
	}
	/* Not every user may read addresses of the kernel. */
	writer->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (writer->fd < 0) {
		writer->error = errno;
		return profile_close(writer, why);
	}
	return write_all(writer, &part, 1) || profile_close(writer, why);
}

void profile_compress(struct profile_writer *writer, int level)
{
	writer->packer = packer_new(level);
}

/* Write the waiting records as one record. */
static bool write_packed(struct profile_writer *writer)
{
	struct profile_packed packed = {
		.record = { .type = PROFILE_PACKED, .fixed = sizeof(packed) },
		.size = writer->nwaiting,
	};
	struct iovec parts[3] = { { &packed, sizeof(packed) } };
	size_t size = 0;

	parts[1].iov_base = (void *)packer_pack(writer->packer, writer->waiting, writer->nwaiting,
						&size);
	if (!parts[1].iov_base) {
		writer->error = writer->error ?: errno;
		return false;
	}
	parts[1].iov_len = size;
	parts[2] = padding_of(size);
	packed.packed = size;
	packed.record.size = sizeof(packed) + ALIGNED(size);
	return write_all(writer, parts, (int)COUNT(parts));
}

bool profile_flush(struct profile_writer *writer)
{
	struct iovec waiting = { writer->waiting, writer->nwaiting };
	bool ok;

	if (!writer->nwaiting)
		return !writer->error;
	ok = writer->packer ? write_packed(writer) : write_all(writer, &waiting, 1);
	writer->nwaiting = 0;
	return ok;
}

/* Append to the waiting records; a large one is written, as it is. */
static bool add_waiting(struct profile_writer *writer, struct iovec *parts, int n, size_t size)
{
	int i;

	if (writer->fd < 0)
		return false;
	if (size > PROFILE_WAITING_ROOM - writer->nwaiting && !profile_flush(writer))
		return false;
	if (size > PROFILE_WAITING_ROOM)
		return write_all(writer, parts, n);
	if (!writer->waiting)
		writer->waiting = xcalloc(1, PROFILE_WAITING_ROOM);
	for (i = 0; i < n; i++) {
		if (parts[i].iov_len)
			memcpy(writer->waiting + writer->nwaiting, parts[i].iov_base,
			       parts[i].iov_len);
		writer->nwaiting += parts[i].iov_len;
	}
	return true;
}

bool profile_write_bytes(struct profile_writer *writer, uint32_t type, void *record,
			 size_t fixed, const void *bytes, size_t size)
{
	struct profile_record *head = record;
	struct iovec parts[4] = {
		{ writer->waiting, writer->nwaiting },
		{ record, fixed },
		{ (void *)bytes, size },
		padding_of(size),
	};

	head->type = type;
	head->fixed = (uint32_t)fixed;
	head->size = fixed + ALIGNED(size);
	if (writer->packer || type != PROFILE_SAMPLES)
		return add_waiting(writer, parts + 1, (int)COUNT(parts) - 1, head->size);
	writer->nwaiting = 0;
	return write_all(writer, parts, (int)COUNT(parts));
}

bool profile_write_texts(struct profile_writer *writer, uint32_t type, void *record,
			 size_t fixed, const char *const *texts, size_t n)
{
	size_t size = 0, i;
	char *all, *at;
	bool ok;

	for (i = 0; i < n; i++)
		size += strlen(texts[i]) + 1;
	all = xcalloc(1, size);
	at = all;
	for (i = 0; i < n; i++)
		at = stpcpy(at, texts[i]) + 1;
	ok = profile_write_bytes(writer, type, record, fixed, all, size);
	free(all);
	return ok;
}

bool profile_close(struct profile_writer *writer, struct problem *why)
{
	char *what;

	profile_flush(writer);
	packer_free(writer->packer);
	free(writer->waiting);
	writer->packer = NULL;
	writer->waiting = NULL;
	if (writer->fd >= 0 && close(writer->fd) && !writer->error)
		writer->error = errno;
	writer->fd = -1;
	if (!writer->error)
		return true;
	what = xasprintf("cannot write %s", writer->name);
	problem_errno(why, what, writer->error);
	free(what);
	if (writer->end)
		problem_hint(why, "What was recorded until then is in the file.");
	return false;
}
