// SPDX-License-Identifier: GPL-2.0
/*
 * The backends of a kernel that has perfmon, which executes everything: the system call, or,
 * where perfmon is a module, a device.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend.h"

#define SYSFS_ROOT	"/sys/kernel/perfmon"
#define DEVICE		"/dev/perfmon"
/* The device is out of the way of programs that expect the lowest descriptors. */
#define DEVICE_FD_MIN	100

static int system_call(int fd, int cmd, void *arg, int narg)
{
	return (int)syscall(__NR_perfmonctl, fd, cmd, arg, narg);
}

static int device = -1;

int perfmon_open_device(void)
{
	int fd;

	if (device >= 0)
		return 0;
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	device = fcntl(fd, F_DUPFD_CLOEXEC, DEVICE_FD_MIN);
	if (device < 0)
		device = fd;
	else
		close(fd);
	return 0;
}

/* Frequent commands have a shorter way, which takes fewer elements. */
static bool is_short(int cmd, int narg)
{
	return (cmd == PFM_READ_PMDS || cmd == PFM_WRITE_PMDS || cmd == PFM_START ||
		cmd == PFM_STOP || cmd == PFM_RESTART) && narg >= 0 && narg <= (int)_IOC_SIZEMASK;
}

static int device_call(int fd, int cmd, void *arg, int narg)
{
	struct pfm_ioctl_call call = {
		.fd = fd, .cmd = cmd, .arg = (uintptr_t)arg, .narg = narg,
	};
	int ret;

	if (is_short(cmd, narg)) {
		ret = ioctl(fd, PFM_IOCTL_COMMAND(cmd, narg), arg);
		/* Otherwise it is no context; the kernel reports the error. */
		if (!ret || errno != ENOTTY)
			return ret;
	}
	if (perfmon_open_device())
		return -1;
	return ioctl(device, PFM_IOCTL_CALL, &call);
}

static int read_message(int fd, pfm_msg_t *msg)
{
	ssize_t n;

	do {
		n = read(fd, msg, sizeof(*msg));
	} while (n < 0 && errno == EINTR);

	if (n == (ssize_t)sizeof(*msg))
		return 1;
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n >= 0)
		errno = EIO; /* messages are always whole: this is no context */
	return -1;
}

static int sync_buffer(int fd)
{
	(void)fd;
	return 0; /* the kernel writes there itself */
}

static void *map_buffer(int fd, size_t size)
{
	void *buffer = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	return buffer == MAP_FAILED ? NULL : buffer;
}

/* A file's text, without its last newline. */
static int read_text(const char *path, char *buf, size_t size)
{
	int fd, error;
	ssize_t n;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	error = errno;
	close(fd);
	if (n < 0) {
		errno = error;
		return -1;
	}
	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return 0;
}

static int read_fdinfo(int fd, char *buf, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return read_text(path, buf, size);
}

static int sysfs_read(const char *name, char *buf, size_t size)
{
	char path[256];

	if (snprintf(path, sizeof(path), "%s/%s", SYSFS_ROOT, name) >= (int)sizeof(path)) {
		errno = EINVAL;
		return -1;
	}
	return read_text(path, buf, size);
}

/* A context has the same kind of descriptor with both backends. */
#define KERNEL_BACKEND(its_name, its_call) {	\
	.name		= its_name,		\
	.in_kernel	= true,			\
	.call		= its_call,		\
	.read_message	= read_message,		\
	.sync_buffer	= sync_buffer,		\
	.map_buffer	= map_buffer,		\
	.read_fdinfo	= read_fdinfo,		\
	.sysfs_read	= sysfs_read,		\
	.close		= close,		\
}

const struct perfmon_backend perfmon_syscall_backend = KERNEL_BACKEND("perfmonctl", system_call);
const struct perfmon_backend perfmon_device_backend = KERNEL_BACKEND("device", device_call);
