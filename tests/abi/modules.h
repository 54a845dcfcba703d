/* SPDX-License-Identifier: GPL-2.0 */
/* Modules of the guest's kernel. No modprobe: some guests have no programs but the tests. */
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

/* Return: 0; -1 and errno. */
static inline int load_module(const char *place, const char *name, const char *parameters)
{
	char path[512];
	int fd, ret;

	module_path(path, sizeof(path), place, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		FAIL("%s: %s", path, strerror(errno));
	ret = syscall(SYS_finit_module, fd, parameters, 0);
	close(fd);
	return ret;
}

/* Return: 0; -1 and errno, EWOULDBLOCK if it is in use. */
static inline int unload_module(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK);
}

static inline void need_module(const char *place, const char *name)
{
	if (load_module(place, name, "") && errno != EEXIST)
		FAIL("the module %s cannot be loaded: %s", name, strerror(errno));
}

#endif /* TESTS_ABI_MODULES_H */
