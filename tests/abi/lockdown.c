// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel that is locked down: in mode "integrity" it can be counted as any other kernel, in mode
 * "confidentiality" only at user level. A lockdown cannot be undone: so the guest is used for this
 * test only. The debug kernel cannot search for leaks in it.
 */
#include "count.h"
#include "settings.h"

#include <sys/mount.h>

#define SECURITY	"/sys/kernel/security"
#define LOCKDOWN	SECURITY "/lockdown"

/* The file shows all levels, the present one in brackets. */
static void lock_down(const char *level)
{
	char wanted[32], text[256];

	if (mount("securityfs", SECURITY, "securityfs", 0, NULL))
		CHECK_EQ(errno, EBUSY);
	snprintf(wanted, sizeof(wanted), "[%s]", level);
	read_file(LOCKDOWN, text, sizeof(text));
	if (strstr(text, wanted))
		return;
	write_file(LOCKDOWN, level);
	read_file(LOCKDOWN, text, sizeof(text));
	CHECK(strstr(text, wanted));
}

/* covers: D.7-20 */
TEST(a_kernel_that_protects_its_integrity_can_be_counted)
{
	int fd = create(0);

	need_pmu();
	lock_down("integrity");
	write_pmc(fd, 0, ALL_INST);
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_LE(2000, read_pmd(fd, 0));
}

static void expect_no_kernel_level(__u32 flags)
{
	int fd = create(flags);

	CHECK_ERRNO(try_write_pmc(fd, 0, ALL_INST), EPERM);
	CHECK_ERRNO(try_write_pmc(fd, 0, INST_RETIRED | EVTSEL_OS), EPERM);
	if (has_fixed())
		CHECK_ERRNO(try_write_pmc(fd, FIXED_CTRL, FIXED_OS), EPERM);
	CHECK_OK(close(fd));
}

/* covers: D.7-20 */
TEST(a_kernel_that_protects_its_secrets_is_not_counted_even_for_root)
{
	need_pmu();
	lock_down("confidentiality");
	expect_no_kernel_level(0);
	expect_no_kernel_level(PFM_FL_SYSTEM_WIDE);
}

static __u64 count_alone(__u64 n)
{
	int fd = create_counting(general, 0);
	__u64 counted;

	load_self(fd);
	counted = count_loop(fd, general, 0, n);
	CHECK_OK(close(fd));
	return counted;
}

/* covers: D.7-20 */
TEST(user_level_counts_exactly_there)
{
	need_pmu();
	lock_down("confidentiality");
	CHECK_EQ(count_alone(5001), count_alone(1) + 2 * 5000);
}
