/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For a test that suspends its guest: run from memory, and need no file.
 *
 * QEMU resets its devices while the guest sleeps and forgets the open files of the guest's root; a
 * process that reads or closes one of them afterwards waits forever. A program that includes this
 * moves to a tmpfs before main() and stays in memory. Link it statically, and run it as the only
 * program of a guest, as vm/suspend does.
 */
#ifndef TESTS_RESIDENT_H
#define TESTS_RESIDENT_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

__attribute__((constructor(101)))
static void become_resident(int argc, char **argv)
{
	static const char copy[] = "/dev/shm/resident";
	char self[256] = "";
	int from, to;

	(void)argc;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0 && strcmp(self, copy)) {
		from = open(self, O_RDONLY | O_CLOEXEC);
		to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
		while (sendfile(to, from, NULL, 1 << 20) > 0)
			;
		close(to);
		execv(copy, argv);
	}
	if (strcmp(self, copy) || mlockall(MCL_CURRENT | MCL_FUTURE)) {
		perror("resident");
		exit(2);
	}
}

#endif /* TESTS_RESIDENT_H */
