/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Contexts with a sampling format, whatever it is, and their buffers.
 */
#ifndef TESTS_ABI_FORMAT_H
#define TESTS_ABI_FORMAT_H

#include "modules.h"

/* Except for the default one, a module on the debug kernel: formats/perfmon_NAME_smpl. */
struct format {
	const char	*name;		/* in sysfs */
	pfm_uuid_t	uuid;
	size_t		arg_size;
};

struct formatted {
	int		fd;
	size_t		size;		/* of the mapping */
	const void	*hdr;
};

static inline void format_module(const struct format *format, char *name, size_t size)
{
	snprintf(name, size, "perfmon_%s_smpl", format->name);
}

static inline void need_format(const struct format *format)
{
	char text[64];

	need_pmu();
	snprintf(text, sizeof(text), "/sys/kernel/perfmon/formats/%s", format->name);
	if (!access(text, F_OK))
		return;
	format_module(format, text, sizeof(text));
	need_module("formats", text);
}

/* @arg is the format's. @size, if not NULL: bytes to map. Return: the context; -1 and errno. */
static inline int try_create_formatted(const struct format *format, __u32 flags, const void *arg,
				       size_t *size)
{
	struct {
		pfarg_ctx_t	ctx;
		char		arg[32];
	} request = { .ctx = { .ctx_flags = flags, .ctx_fd = -1 } };

	CHECK_LE(format->arg_size, sizeof(request.arg));
	memcpy(request.ctx.ctx_smpl_buf_id, format->uuid, sizeof(pfm_uuid_t));
	memcpy(request.arg, arg, format->arg_size);
	if (perfmonctl(-1, PFM_CREATE_CONTEXT, &request, 1))
		return -1;
	if (size)
		*size = request.ctx.ctx_smpl_buf_size;
	return request.ctx.ctx_fd;
}

static inline void *try_map(int fd, size_t size)
{
	return mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
}

static inline struct formatted create_formatted(const struct format *format, __u32 flags,
						const void *arg)
{
	struct formatted made;

	made.fd = try_create_formatted(format, flags, arg, &made.size);
	CHECK_OK(made.fd);
	made.hdr = try_map(made.fd, made.size);
	if (made.hdr == MAP_FAILED)
		FAIL("no mapping of %zu bytes: %s", made.size, strerror(errno));
	return made;
}

/*
 * The module of a format stays while the context @fd has the format. True: it was removed
 * afterwards. False: the format is no module.
 */
static inline bool remove_format(const struct format *format, int fd)
{
	char name[64], path[128];

	format_module(format, name, sizeof(name));
	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", name);
	if (access(path, F_OK)) {
		CHECK_ERRNO(unload_module(name), ENOENT);
		return false;
	}
	CHECK_ERRNO(unload_module(name), EAGAIN);
	CHECK_OK(close(fd));
	CHECK_OK(unload_module(name));
	return true;
}

#endif /* TESTS_ABI_FORMAT_H */
