// SPDX-License-Identifier: GPL-2.0
/* A process' mappings as /proc shows them. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "record/maps.h"

static void write_map(struct recording *recording, pid_t pid, const struct mapping *mapping,
		      uint64_t time)
{
	const int fd = mapping_open(mapping, pid);
	struct build_id id = { .kind = ID_UNKNOWN };

	if (fd >= 0) {
		build_id_read(&id, fd);
		close(fd);
	}
	recording_map(recording, pid, mapping, &id, time);
}

static const struct mapping *find_equal(const struct mappings *maps,
					const struct mapping *mapping)
{
	size_t i;

	for (i = 0; i < maps->n; i++)
		if (mapping_equal(&maps->mapping[i], mapping))
			return &maps->mapping[i];
	return NULL;
}

/* Write unmappings for the parts of @gone that no new mapping covers. */
static void write_gone(struct recording *recording, const struct maps *maps,
		       const struct mapping *gone)
{
	const struct mappings *fresh = &maps->fresh;
	uint64_t at = gone->start;
	size_t i;

	for (i = 0; i < fresh->n && fresh->mapping[i].start < gone->end; i++) {
		if (fresh->mapping[i].end <= at)
			continue;
		recording_unmap(recording, maps->pid, at, fresh->mapping[i].start, maps->last + 1);
		at = fresh->mapping[i].end;
	}
	recording_unmap(recording, maps->pid, at, gone->end, maps->last + 1);
}

void maps_before(struct maps *maps, struct recording *recording)
{
	size_t i;

	maps->is_known = mappings_read(&maps->fresh, maps->pid);
	for (i = 0; i < maps->fresh.n; i++)
		if (!find_equal(&maps->known, &maps->fresh.mapping[i]))
			write_map(recording, maps->pid, &maps->fresh.mapping[i], maps->since);
}

void maps_after(struct maps *maps, struct recording *recording, uint64_t time)
{
	size_t i;

	if (time > maps->last) {
		maps->last = time;
		maps->since = time + 1;
	}
	if (!maps->is_known) { /* the process is gone: @known has its last mappings */
		mappings_free(&maps->fresh);
		return;
	}
	for (i = 0; i < maps->known.n; i++)
		if (!find_equal(&maps->fresh, &maps->known.mapping[i]))
			write_gone(recording, maps, &maps->known.mapping[i]);
	mappings_free(&maps->known);
	maps->known = maps->fresh;
	memset(&maps->fresh, 0, sizeof(maps->fresh));
}

void maps_exec(struct maps *maps, struct recording *recording, uint64_t time)
{
	if (time > maps->last)
		maps->last = time;
	maps->since = maps->last + 1;
	recording_exec(recording, maps->pid, maps->since);
	mappings_free(&maps->known);
}

void maps_tell(struct recording *recording, pid_t pid, uint64_t time)
{
	struct mappings now;
	size_t i;

	if (!mappings_read(&now, pid))
		return;
	for (i = 0; i < now.n; i++)
		write_map(recording, pid, &now.mapping[i], time);
	mappings_free(&now);
}

void maps_free(struct maps *maps)
{
	mappings_free(&maps->known);
	mappings_free(&maps->fresh);
}
