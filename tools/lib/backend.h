/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The backends: ways to execute perfmonctl()'s commands. A process chooses one at its first
 * call, see backend.c.
 */
#ifndef PERFMON_BACKEND_H
#define PERFMON_BACKEND_H

#include "perfmon_lib.h"

/* All members are mandatory. Functions are those of perfmon_lib.h by the same name. */
struct perfmon_backend {
	const char	*name;
	bool		in_kernel;	/* it is the kernel's perfmon */
	int		(*call)(int fd, int cmd, void *arg, int narg);
	int		(*read_message)(int fd, pfm_msg_t *msg);
	int		(*sync_buffer)(int fd);
	void		*(*map_buffer)(int fd, size_t size);
	int		(*read_fdinfo)(int fd, char *buf, size_t size);
	int		(*sysfs_read)(const char *name, char *buf, size_t size);
	int		(*close)(int fd);
};

extern const struct perfmon_backend perfmon_syscall_backend;	/* syscall.c */
extern const struct perfmon_backend perfmon_device_backend;	/* likewise */
extern const struct perfmon_backend perfmon_perf_backend;	/* perf/backend.c */

/* Open /dev/perfmon. Returns 0, or -1 and errno; after success it stays open. */
int perfmon_open_device(void);

/* The backend of this process. A test that has a perfmonctl() of its own has this as well. */
const struct perfmon_backend *perfmon_this_backend(void);

/*
 * Store why a command fails, for perfmon_last_error(), and set errno. Returns -1. Without
 * a text the stored reason is cleared.
 */
int perfmon_refuse(int error, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void perfmon_forget_refusal(void);

#endif /* PERFMON_BACKEND_H */
