/* SPDX-License-Identifier: GPL-2.0 */
/* Pages that are not there yet: the first write to each is a fault. */
#ifndef TESTS_ABI_PAGES_H
#define TESTS_ABI_PAGES_H

#include "abi.h"

#include <sys/mman.h>

static inline char *fresh_pages(unsigned int n)
{
	const size_t size = n * sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK_NE(pages, MAP_FAILED);
	/* A kernel without huge pages, as PREEMPT_RT's, has none to switch off. */
	if (madvise(pages, size, MADV_NOHUGEPAGE))
		CHECK_EQ(errno, EINVAL);
	return pages;
}

static __attribute__((unused, noinline)) void touch(volatile char *pages, unsigned int n)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	unsigned int i;

	for (i = 0; i < n; i++)
		pages[i * size] = 1;
}

#endif /* TESTS_ABI_PAGES_H */
