/* SPDX-License-Identifier: GPL-2.0 */
/* A program that gives a user privileges when it is executed. */
#ifndef TESTS_ABI_PRIVILEGED_H
#define TESTS_ABI_PRIVILEGED_H

#include "process.h"

#include <sys/mount.h>

/* Return: the path of sleep(1), set-user-id root, in a /tmp of this process' own. */
static inline const char *privileged_program(void)
{
	static const char path[] = "/tmp/sleep";

	CHECK_OK(unshare(CLONE_NEWNS));
	CHECK_OK(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	CHECK_OK(mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777"));
	CHECK_OK(system("cp /bin/sleep /tmp/sleep && chmod 4755 /tmp/sleep"));
	return path;
}

#endif /* TESTS_ABI_PRIVILEGED_H */
