// SPDX-License-Identifier: GPL-2.0
/*
 * perf's dummy event: one ring for each CPU, as an inherited event can be mapped for one CPU only.
 * Formats of records: perf_event_open(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cpus.h"
#include "record/sideband.h"

/* A process that starts writes some kilobytes; there are larger bursts. */
#define LARGEST_RING	(1UL << 18)

/* The fields that sample_id_all adds to each record. */
struct sample_id {
	uint32_t	pid, tid;
	uint64_t	time;
};

struct mmap2_record {
	struct perf_event_header header;
	uint32_t	pid, tid;
	uint64_t	start, length, offset;
	union {
		struct {	/* with PERF_RECORD_MISC_MMAP_BUILD_ID */
			uint8_t		id_size;
			uint8_t		reserved[3];
			uint8_t		id[20];
		};
		struct {
			uint32_t	major, minor;
			uint64_t	inode, generation;
		};
	};
	uint32_t	protection, flags;
	char		name[];
};

struct comm_record {
	struct perf_event_header header;
	uint32_t	pid, tid;
	char		name[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t	pid, parent_pid, tid, parent_tid;
	uint64_t	time;
};

struct ksymbol_record {
	struct perf_event_header header;
	uint64_t	address;
	uint32_t	length;
	uint16_t	type, flags;
	char		name[];
};

struct lost_record {
	struct perf_event_header header;
	uint64_t	id, lost;
};

static int open_event(pid_t tid, int cpu, bool kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.exclude_kernel = !kernel,
		.exclude_hv = !kernel,
		.inherit = tid >= 0,
		.mmap = 1, .mmap2 = 1, .build_id = 1,
		.comm = 1, .comm_exec = 1,
		.task = 1,
		.ksymbol = kernel,
		.watermark = 1,
		.wakeup_watermark = LARGEST_RING / 8,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL) { /* before Linux 5.12 */
		attr.build_id = 0;
		fd = (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

bool sideband_possible(void)
{
	const int fd = open_event(0, -1, false);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Map the largest ring that this user may have; all rings have the size of the first one. */
static bool map_ring(struct sideband *sideband, struct sideband_ring *ring)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = sideband->size ? sideband->size : LARGEST_RING;

	for (; size >= 2 * page; size /= 2) {
		if (ring_map(&ring->ring, ring->fd, size)) {
			sideband->size = size;
			return true;
		}
		if (sideband->size)
			break;
	}
	return false;
}

static void close_ring(struct sideband_ring *ring)
{
	ring_unmap(&ring->ring);
	close(ring->fd);
}

/* Use the existing ring of this CPU; map one for the first event. */
static bool give_ring(struct sideband *sideband, struct sideband_ring *ring)
{
	size_t i;

	for (i = 0; i < sideband->n; i++)
		if (sideband->ring[i].ring.base && sideband->ring[i].cpu == ring->cpu)
			return !ioctl(ring->fd, PERF_EVENT_IOC_SET_OUTPUT, sideband->ring[i].fd);
	return map_ring(sideband, ring);
}

static bool add(struct sideband *sideband, pid_t tid, unsigned int cpu)
{
	struct sideband_ring ring = { .fd = open_event(tid, (int)cpu, true), .cpu = cpu };

	if (ring.fd < 0 && (errno == EACCES || errno == EPERM))
		ring.fd = open_event(tid, (int)cpu, false);
	if (ring.fd < 0)
		return false;
	if (!give_ring(sideband, &ring)) {
		close_ring(&ring);
		return false;
	}
	if (!sideband->record)
		sideband->record = xcalloc(1, RING_MAX_RECORD);
	GROW(sideband->ring, sideband->n, sideband->room);
	sideband->ring[sideband->n++] = ring;
	return true;
}

bool sideband_add_cpu(struct sideband *sideband, unsigned int cpu)
{
	return add(sideband, -1, cpu);
}

bool sideband_add_thread(struct sideband *sideband, pid_t tid)
{
	const size_t before = sideband->n;
	struct problem why;
	unsigned int *cpus;
	size_t n, i;
	int error;
	bool ok = true;

	if (!cpus_online(&cpus, &n, &why))
		return false;
	for (i = 0; ok && i < n; i++)
		ok = add(sideband, tid, cpus[i]);
	error = errno;
	while (!ok && sideband->n > before)
		close_ring(&sideband->ring[--sideband->n]);
	free(cpus);
	errno = error;
	return ok;
}

/* Text of a record, ended within it. */
static const char *text_of(const struct perf_event_header *header, const char *text)
{
	const size_t left = header->size - (size_t)(text - (const char *)header);

	return strnlen(text, left) < left ? text : "";
}

/* perf has a name of its own for memory without a file. */
static const char *name_of(const struct mmap2_record *record)
{
	const char *name = text_of(&record->header, record->name);

	return strcmp(name, "//anon") ? name : "[anon]";
}

static bool is_file(int fd, const struct mmap2_record *record)
{
	struct stat info;

	return !fstat(fd, &info) && info.st_ino == record->inode &&
	       major(info.st_dev) == record->major && minor(info.st_dev) == record->minor;
}

/* The kernel found no build id; there may be none. The process may be gone. */
static struct build_id id_of_file(const struct mapping *mapping, const struct mmap2_record *record)
{
	struct build_id id = { .kind = ID_UNKNOWN };
	int fd = mapping_open(mapping, (pid_t)record->pid);

	if (fd < 0)
		fd = open(mapping->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && is_file(fd, record))
		build_id_read(&id, fd);
	if (fd >= 0)
		close(fd);
	return id;
}

static void take_mmap(struct recording *recording, const struct mmap2_record *record,
		      uint64_t time)
{
	struct mapping mapping = {
		.start = record->start,
		.end = record->start + record->length,
		.offset = record->offset,
		.protection = record->protection,
		.name = (char *)name_of(record),
	};
	struct build_id id = { .size = 0 };

	if (mapping.start >= mapping.end)
		return;
	if (record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    record->id_size <= sizeof(record->id)) {
		id.size = record->id_size;
		memcpy(id.id, record->id, id.size);
	} else if (mapping.name[0] == '/' && mapping.name[1] != '/') {
		id = id_of_file(&mapping, record);
	}
	recording_map(recording, (pid_t)record->pid, &mapping, &id, time);
}

static void take_exec(struct sideband *sideband, struct recording *recording, pid_t pid,
		      uint64_t time)
{
	sampled_exec(sideband->sampled, pid);
	recording_exec(recording, pid, time);
	sideband->exec[sideband->execs++ % SIDEBAND_EXECS] = (struct sideband_exec){ pid, time };
}

static void take_comm(struct recording *recording, const struct comm_record *record,
		      uint64_t time)
{
	recording_comm(recording, (pid_t)record->pid, (pid_t)record->tid,
		       text_of(&record->header, record->name), time);
}

/* BPF programs, and what the kernel makes for probes and tracing: /proc/kallsyms has the same. */
static void take_ksymbol(struct recording *recording, const struct ksymbol_record *record)
{
	if (!(record->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER))
		recording_kernel_code(recording, record->address, record->length,
				      text_of(&record->header, record->name),
				      record->type == PERF_RECORD_KSYMBOL_TYPE_BPF ? "[bpf]" : "");
}

struct taker {
	struct sideband		*sideband;
	struct recording	*recording;
};

static void take_record(void *data, const struct perf_event_header *header)
{
	const struct taker *taker = data;
	struct sideband *sideband = taker->sideband;
	struct recording *recording = taker->recording;
	const struct comm_record *comm = (const void *)header;
	const struct task_record *task = (const void *)header;
	const struct lost_record *lost = (const void *)header;
	struct sample_id id;

	if (header->size < sizeof(*header) + sizeof(id))
		return;
	memcpy(&id, (const char *)header + header->size - sizeof(id), sizeof(id));
	if (id.time > sideband->last)
		sideband->last = id.time;
	switch (header->type) {
	case PERF_RECORD_MMAP2:
		take_mmap(recording, (const void *)header, id.time);
		break;
	case PERF_RECORD_COMM:
		if (header->misc & PERF_RECORD_MISC_COMM_EXEC)
			take_exec(sideband, recording, (pid_t)comm->pid, id.time);
		take_comm(recording, comm, id.time);
		break;
	case PERF_RECORD_FORK:
		if (task->pid != task->parent_pid)
			sampled_fork(sideband->sampled, (pid_t)task->pid);
		recording_fork(recording, (pid_t)task->pid, (pid_t)task->tid,
			       (pid_t)task->parent_pid, (pid_t)task->parent_tid, task->time);
		break;
	case PERF_RECORD_EXIT:
		sampled_exit(sideband->sampled, (pid_t)task->pid);
		recording_exit(recording, (pid_t)task->pid, (pid_t)task->tid, task->time);
		break;
	case PERF_RECORD_KSYMBOL:
		take_ksymbol(recording, (const void *)header);
		break;
	case PERF_RECORD_LOST:
		sideband->lost += lost->lost;
		break;
	}
}

void sideband_take(struct sideband *sideband, struct recording *recording)
{
	struct taker taker = { sideband, recording };
	size_t i;

	for (i = 0; i < sideband->n; i++)
		ring_take(&sideband->ring[i].ring, sideband->record, take_record, &taker);
}

uint64_t sideband_exec(const struct sideband *sideband, pid_t pid)
{
	size_t i;

	for (i = 0; i < SIDEBAND_EXECS; i++)
		if (sideband->exec[i].pid == pid)
			return sideband->exec[i].time;
	return 0;
}

void sideband_forget_exec(struct sideband *sideband, pid_t pid)
{
	size_t i;

	for (i = 0; i < SIDEBAND_EXECS; i++)
		if (sideband->exec[i].pid == pid)
			sideband->exec[i].pid = 0;
}

void sideband_close(struct sideband *sideband)
{
	size_t i;

	for (i = 0; i < sideband->n; i++)
		close_ring(&sideband->ring[i]);
	free(sideband->ring);
	free(sideband->record);
	memset(sideband, 0, sizeof(*sideband));
}
