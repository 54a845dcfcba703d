/* SPDX-License-Identifier: GPL-2.0 */
/* Files of /sys and /proc, and settings that are always restored. */
#ifndef TESTS_ABI_SETTINGS_H
#define TESTS_ABI_SETTINGS_H

#include "process.h"

#define PERFMON_SYSFS	"/sys/kernel/perfmon/"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

/* Read a small file without its last newline; false with errno. */
static inline bool try_read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return false;
	buf[n] = '\0';
	if (n && buf[n - 1] == '\n')
		buf[n - 1] = '\0';
	return true;
}

static inline void read_file(const char *path, char *buf, size_t size)
{
	if (!try_read_file(path, buf, size))
		FAIL("%s: %s", path, strerror(errno));
}

static inline int try_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	if (close(fd))
		return -1;
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

static inline void write_file(const char *path, const char *text)
{
	if (try_write_file(path, text))
		FAIL("cannot write '%s' to %s: %s", text, path, strerror(errno));
}

/* A file below /sys/kernel/perfmon. */
static inline void read_sysfs(const char *name, char *buf, size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), PERFMON_SYSFS "%s", name);
	read_file(path, buf, size);
}

static inline __u64 read_sysfs_u64(const char *name)
{
	char text[64], *end;
	__u64 value;

	read_sysfs(name, text, sizeof(text));
	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text || *end)
		FAIL("%s%s is no number: '%s'", PERFMON_SYSFS, name, text);
	return value;
}

/* Run @fn with a setting that is restored when @fn returns or fails: it runs in a child. */
static inline void with_file(const char *path, const char *value, void (*fn)(void *arg),
			     void *arg)
{
	char before[256];
	int status;
	pid_t pid;

	read_file(path, before, sizeof(before));
	write_file(path, value);
	pid = spawn(fn, arg);
	waitpid(pid, &status, 0);
	write_file(path, before);
	if (status)
		FAIL("with %s in %s: status %#x", value, path, status);
}

static inline void with_config(const pfarg_config_t *config, void (*fn)(void *arg), void *arg)
{
	pfarg_config_t before = get_config(), wanted = *config;
	int status;
	pid_t pid;

	CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &wanted, 1));
	pid = spawn(fn, arg);
	waitpid(pid, &status, 0);
	CHECK_OK(perfmonctl(-1, PFM_SET_CONFIG, &before, 1));
	if (status)
		FAIL("with another configuration: status %#x", status);
}

/* Memory for long vectors. */
static inline void with_arg_size_max(__u64 size, void (*fn)(void *arg), void *arg)
{
	pfarg_config_t config = get_config();

	config.cf_arg_size_max = size;
	with_config(&config, fn, arg);
}

#endif /* TESTS_ABI_SETTINGS_H */
