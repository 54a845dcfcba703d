// SPDX-License-Identifier: GPL-2.0
/* The facts about the sampled processes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <perfmon_default_smpl.h>

#include "record/known.h"
#include "run/procfs.h"

void known_open(struct known *known, struct recording *recording, int epoll)
{
	memset(known, 0, sizeof(*known));
	known->recording = recording;
	known->sideband.sampled = &known->sampled;
	known->by_proc = !sideband_possible();
	known->epoll = epoll;
}

static int by_pid(const void *one, const void *other)
{
	const struct maps *a = one, *b = other;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* The process' mappings as /proc had them the last time; none yet for a new process. */
static struct maps *maps_of(struct known *known, pid_t pid)
{
	const struct maps key = { .pid = pid };
	void *found = tfind(&key, &known->maps, by_pid);
	struct maps *maps;

	if (found)
		return *(struct maps **)found;
	maps = xcalloc(1, sizeof(*maps));
	maps->pid = pid;
	if (tsearch(maps, &known->maps, by_pid))
		return maps;
	complain("out of memory");
	exit(EXIT_PFMON);
}

/* Record the name of a thread from /proc; nothing if the thread is gone. */
static void tell_comm(struct known *known, pid_t pid, pid_t tid, uint64_t time)
{
	char path[PROC_PATH], comm[64] = "";
	FILE *file;

	proc_path(path, tid, "comm");
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(comm, sizeof(comm), file)) {
		comm[strcspn(comm, "\n")] = '\0';
		recording_comm(known->recording, pid, tid, comm, time);
	}
	fclose(file);
}

static void look(struct known *known, struct maps *maps)
{
	maps_before(maps, known->recording);
	maps_after(maps, known->recording, 0);
}

/* Edge-triggered: the event of an ended thread stays ready. Each wakeup takes all records. */
static void watch_rings(struct known *known, size_t from)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.ptr = known };

	for (; from < known->sideband.n; from++)
		if (known->sideband.ring[from].ring.base)
			epoll_ctl(known->epoll, EPOLL_CTL_ADD, known->sideband.ring[from].fd, &event);
}

/* Where /proc is of pfmon's pid namespace, it has the command's first mappings, with less work. */
void known_expect(struct known *known, pid_t pid)
{
	if (!known->by_proc && !proc_is_ours() && sideband_add_thread(&known->sideband, pid)) {
		watch_rings(known, 0);
		known->expected = pid;
	}
}

/* The samples that follow are from the program that the process executes now. */
static void forget_exec(struct known *known, pid_t pid)
{
	if (!known->stops)
		return;
	sideband_take(&known->sideband, known->recording);
	sideband_forget_exec(&known->sideband, pid);
}

void known_thread(struct known *known, pid_t pid, pid_t tid, bool born, uint64_t time)
{
	const size_t rings = known->sideband.n;

	if (tid == known->expected) {
		born = true;
		known->expected = 0; /* a privileged exec ends the sideband begun for it */
	}
	if (!known->by_proc && !born && !sideband_add_thread(&known->sideband, tid) &&
	    errno != ESRCH) /* ESRCH: the other threads' rings have the rest */
		known->by_proc = true;
	watch_rings(known, rings);
	forget_exec(known, pid);
	if (known->by_proc || !born)
		tell_comm(known, pid, tid, time);
	if (!born)
		sampled_expect(&known->sampled, pid);
	if (known->by_proc)
		look(known, maps_of(known, pid));
	else if (!born)
		maps_tell(known->recording, pid, time);
}

void known_cpu(struct known *known, unsigned int cpu)
{
	const size_t rings = known->sideband.n;

	/* The idle threads, one a CPU, are not in /proc. */
	if (!known->cpus)
		recording_comm(known->recording, 0, 0, "swapper", 0);
	known->cpus = true;
	sideband_add_cpu(&known->sideband, cpu);
	watch_rings(known, rings);
}

void known_tell(struct known *known, pid_t pid)
{
	struct dirent *entry;
	char path[PROC_PATH];
	DIR *dir;

	proc_path(path, pid, "task");
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			tell_comm(known, pid, atoi(entry->d_name), 0);
	if (dir)
		closedir(dir);
	maps_tell(known->recording, pid, 0);
}

/* First the mappings of the samples: the file may end behind the samples. */
void known_before(struct known *known, pid_t pid)
{
	sideband_take(&known->sideband, known->recording);
	sampled_tell_ended(&known->sampled, known->recording);
	if (known->by_proc && pid)
		maps_before(maps_of(known, pid), known->recording);
}

void known_after(struct known *known, pid_t pid, uint64_t time)
{
	if (known->by_proc && pid)
		maps_after(maps_of(known, pid), known->recording, time);
}

void known_exec(struct known *known, pid_t pid, uint64_t time)
{
	struct maps *maps;

	sampled_exec(&known->sampled, pid);
	sampled_expect(&known->sampled, pid); /* now: it may have ended when its samples are read */
	forget_exec(known, pid);
	if (!known->by_proc)
		return;
	maps = maps_of(known, pid);
	maps_exec(maps, known->recording, time);
	tell_comm(known, pid, pid, maps->since);
	look(known, maps);
}

void known_exec_privileged(struct known *known, pid_t pid, uint64_t time)
{
	if (known->by_proc)
		return; /* known_exec() has reported it */
	sideband_take(&known->sideband, known->recording);
	if (known->sideband.last > time) /* the sideband saw the beginning of the exec */
		time = known->sideband.last;
	recording_exec(known->recording, pid, time + 1);
	known_thread(known, pid, pid, false, time + 1);
}

void known_samples(struct known *known, pid_t pid, const struct batch *batch)
{
	const pfm_default_smpl_entry_t *sample;
	uint64_t i;

	if (pid) {
		sampled_note(&known->sampled, pid);
		return;
	}
	for (i = 0; i < batch->count; i++) {
		sample = (const void *)((const char *)batch->samples + i * batch->sample_size);
		sampled_note(&known->sampled, sample->pid);
	}
}

void known_end(struct known *known, pid_t pid)
{
	sideband_take(&known->sideband, known->recording);
	sampled_tell(&known->sampled, known->recording, pid);
}

void known_end_all(struct known *known)
{
	sideband_take(&known->sideband, known->recording);
	sampled_tell_all(&known->sampled, known->recording);
}

/* The sideband is read behind @now, so it has each exec before that. */
uint64_t known_date(struct known *known, pid_t pid, uint64_t now)
{
	uint64_t exec;

	sideband_take(&known->sideband, known->recording);
	exec = known->stops && pid ? sideband_exec(&known->sideband, pid) : 0;
	return exec && exec <= now ? exec - 1 : now;
}

bool known_lacks_proc(const struct known *known)
{
	return !proc_is_ours() && (known->by_proc || known->cpus);
}

static void free_maps(void *maps)
{
	maps_free(maps);
	free(maps);
}

void known_close(struct known *known)
{
	sideband_close(&known->sideband);
	sampled_close(&known->sampled);
	tdestroy(known->maps, free_maps);
}
