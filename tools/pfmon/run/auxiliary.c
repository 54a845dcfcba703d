// SPDX-License-Identifier: GPL-2.0
/*
 * The auxiliary vector in /proc/PID/auxv: pairs of words, as wide as the program's words. The first
 * pair shows a 32-bit program on a 64-bit kernel: types are small numbers.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/auxiliary.h"
#include "run/procfs.h"

bool auxiliary_value(pid_t tid, uint64_t type, uint64_t *value)
{
	union {
		Elf64_auxv_t	wide[128];
		Elf32_auxv_t	narrow[256];
	} vector;
	char path[PROC_PATH];
	size_t i, n;
	ssize_t size;
	bool narrow;
	int fd;

	memset(&vector, 0, sizeof(vector)); /* AT_NULL, the end */
	proc_path(path, tid, "auxv");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	size = read(fd, &vector, sizeof(vector));
	close(fd);
	narrow = vector.wide[0].a_type > UINT32_MAX;
	n = size < 0 ? 0 : (size_t)size / (narrow ? sizeof(Elf32_auxv_t) : sizeof(Elf64_auxv_t));
	for (i = 0; i < n; i++) {
		const uint64_t at = narrow ? vector.narrow[i].a_type : vector.wide[i].a_type;

		if (at == AT_NULL)
			return false;
		*value = narrow ? vector.narrow[i].a_un.a_val : vector.wide[i].a_un.a_val;
		if (at == type)
			return true;
	}
	return false;
}
