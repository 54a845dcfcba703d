// SPDX-License-Identifier: GPL-2.0
/* Preloaded into pfmon: the kernel has recorded one sample more than there are in its buffers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME	"pfm-recorded:\t"

ssize_t read(int fd, void *buf, size_t size)
{
	ssize_t (*real)(int fd, void *buf, size_t size) = dlsym(RTLD_NEXT, "read");
	ssize_t n = real(fd, buf, size);
	char *number = n > 0 ? memmem(buf, (size_t)n, NAME, strlen(NAME)) : NULL;

	if (!number)
		return n;
	/* The last digit; a 9 would take a digit more. */
	number += strlen(NAME);
	number += strspn(number, "0123456789") - 1;
	if (*number == '9')
		abort();
	++*number;
	return n;
}
