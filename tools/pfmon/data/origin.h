/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places other than the file name where a mapped file can be read: an image in the recording, or
 * the mapping itself, as long as a process has it. Recordings' entries are kept until the end
 * of pfmon: they are found by the identity, which is the same in all recordings.
 */
#ifndef PFMON_DATA_ORIGIN_H
#define PFMON_DATA_ORIGIN_H

#include <sys/types.h>

#include "data/build_id.h"

/* An image, which is copied. False: it has no identity by which it could be found. */
bool origin_add_image(const void *image, size_t size);

/* A process had it mapped. */
void origin_add_mapping(const struct build_id *id, pid_t pid, uint64_t start, uint64_t end);

enum origin_way {
	ORIGIN_IMAGE,
	ORIGIN_MAPPING,		/* itself: of a file that was removed, too; not for every user */
	ORIGIN_ROOT,		/* the file of this name as the process sees it */
	ORIGIN_WAYS
};

/* Open a file that may have this identity: the caller must check. -1: none is found this way. */
int origin_open(enum origin_way way, const char *name, const struct build_id *id);

#endif /* PFMON_DATA_ORIGIN_H */
