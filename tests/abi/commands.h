/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of any command of the table, for tests of common properties of the commands. */
#ifndef TESTS_ABI_COMMANDS_H
#define TESTS_ABI_COMMANDS_H

#include "process.h"

/* The command fails with exactly this errno. */
static inline void expect_error(const struct command *c, int fd, void *arg, int narg, int error)
{
	int ret;

	errno = 0;
	ret = perfmonctl(fd, c->cmd, arg, narg);
	if (ret >= 0)
		FAIL("perfmonctl(%d, %s, %p, %d) succeeded, should fail with %s",
		     fd, c->name, arg, narg, test_errno_name(error));
	if (errno != error)
		FAIL("perfmonctl(%d, %s, %p, %d) failed with %s, not %s", fd, c->name,
		     arg, narg, test_errno_name(errno), test_errno_name(error));
}

static inline void expect_success(const struct command *c, int fd, void *arg, int narg)
{
	errno = 0;
	if (perfmonctl(fd, c->cmd, arg, narg) != 0)
		FAIL("perfmonctl(%d, %s, %p, %d) failed: %s", fd, c->name, arg, narg,
		     test_errno_name(errno));
}

/* A context for which the arguments below are good: it has a set 1. */
static inline int create_for_commands(void)
{
	pfarg_setdesc_t set = { .set_id = 1 };
	int fd = create(0);

	CHECK_OK(perfmonctl(fd, PFM_CREATE_EVTSETS, &set, 1));
	return fd;
}

/*
 * An argument that an unloaded context takes (PFM_START: a loaded one). A register command uses
 * register 0, which exists if there is a PMU.
 */
static inline void good_argument(const struct command *c, void *arg)
{
	memset(arg, 0, c->size);
	if (c->cmd == PFM_LOAD_CONTEXT)
		((pfarg_load_t *)arg)->load_pid = gettid();
	if (c->cmd == PFM_DELETE_EVTSETS)
		((pfarg_setdesc_t *)arg)->set_id = 1;
	if (c->cmd == PFM_SET_CONFIG)
		*(pfarg_config_t *)arg = get_config();
}

#endif /* TESTS_ABI_COMMANDS_H */
