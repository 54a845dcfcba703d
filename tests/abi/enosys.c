// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel without perfmon: this host's.
 */
#include "commands.h"

static char memory[4096];

static void need_host(void)
{
	if (!access("/sys/kernel/perfmon", F_OK))
		SKIP("this kernel has perfmon");
}

/* covers: 3.1-11 */
TEST(commands_are_no_system_call_without_perfmon)
{
	const struct command *c;

	need_host();
	for_each_command(c) {
		expect_error(c, -1, memory, 1, ENOSYS);
		expect_error(c, -1, NULL, 0, ENOSYS);
	}
	CHECK_ERRNO(perfmonctl(-1, 0x7f, NULL, 0), ENOSYS);
}

/* covers: 3.1-11 */
TEST(direct_calls_are_no_system_calls_without_perfmon)
{
	long nr;

	need_host();
	for (nr = __NR_pfm_create_context; nr <= __NR_pfm_set_config; nr++)
		CHECK_ERRNO(syscall(nr, -1, memory, 1), ENOSYS);
}
