/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules of the guest's kernel. No modprobe: there are guests in which no program runs but
 * the tests.
 */
#ifndef TESTS_ABI_MODULES_H
#define TESTS_ABI_MODULES_H

#include "abi.h"

#include <sys/utsname.h>

static inline void module_path(char *path, size_t size, const char *place, const char *name)
{
	struct utsname uts;

	uname(&uts);
	snprintf(path, size, "/lib/modules/%s/kernel/%s/%s.ko", uts.release, place, name);
}

static inline void need_module(const char *place, const char *name)
{
	char path[512];
	int fd;

	module_path(path, sizeof(path), place, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		FAIL("%s: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
		FAIL("the module %s cannot be loaded: %s", name, strerror(errno));
	close(fd);
}

#endif /* TESTS_ABI_MODULES_H */
