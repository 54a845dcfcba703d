/* SPDX-License-Identifier: GPL-2.0 */
/* The code that the kernel maps into each process, which is in no file. */
#ifndef PFMON_RECORD_VDSO_H
#define PFMON_RECORD_VDSO_H

#include "data/build_id.h"
#include "data/write.h"
#include "record/proc.h"

/* The images that are in the recording. */
struct vdso {
	struct build_id	*id;
	size_t		n, room;
};

/*
 * Identify the image mapped there, of a 64-bit program or another one. The first time the image
 * goes into the file. An id of ID_UNKNOWN: it could not be read.
 */
struct build_id vdso_know(struct vdso *vdso, struct profile_writer *file, pid_t pid,
			  const struct mapping *mapping);

void vdso_free(struct vdso *vdso);

#endif /* PFMON_RECORD_VDSO_H */
