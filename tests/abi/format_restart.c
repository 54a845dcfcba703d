// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_RESTART of a context with a sampling format: the format decides what happens.
 * Register 0 overflows after 2000 instructions, then after 3000 (short) or 5000 (long);
 * register 1 counts.
 */
#include "probe.h"

/* covers: 3.5.15-2 3.5.15-3 */
TEST(restart_says_whether_monitoring_is_active)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK,
						 .restart_ctrl = PFM_PROBE_RESET), 0);

	restart(probe.fd);
	expect_restart(&probe, true);
	start(probe.fd);
	restart(probe.fd);
	expect_restart(&probe, true);
	loop(2000);
	expect_handler(&probe, 0);
	check_state(probe.fd, "masked");
	restart(probe.fd);
	expect_restart(&probe, false);
	expect_no_call(&probe);
	check_state(probe.fd, "loaded");
}

/* covers: 3.5.15-9 */
TEST(restart_without_reset_resumes_where_the_counter_was)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK), 0);

	start(probe.fd);
	loop(2000);
	check_state(probe.fd, "masked");
	restart(probe.fd);
	loop(2000);
	stop(probe.fd);
	check_state(probe.fd, "loaded");
	CHECK_EQ(read_pmd(probe.fd, 0), read_pmd(probe.fd, 1) - 2000);
}

/* covers: 3.5.15-5 */
TEST(restart_can_keep_or_make_monitoring_masked)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK,
						 .restart_ctrl = PFM_PROBE_MASK |
								 PFM_PROBE_RESET), 0);
	__u64 count;

	start(probe.fd);
	loop(100);
	restart(probe.fd);
	check_state(probe.fd, "masked");
	count = read_pmd(probe.fd, 1);
	loop(5000);
	CHECK_EQ(read_pmd(probe.fd, 1), count);
	expect_restart(&probe, true);
	restart(probe.fd);
	expect_restart(&probe, false);
	check_state(probe.fd, "masked");
	unload(probe.fd);
}

/* covers: 3.5.15-4 */
TEST(restart_ignores_notify_and_block)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK,
						 .restart_ctrl = PFM_PROBE_NOTIFY |
								 PFM_PROBE_BLOCK), NOTIFY);

	start(probe.fd);
	loop(2000);
	check_state(probe.fd, "masked");
	restart(probe.fd);
	check_state(probe.fd, "loaded");
	CHECK(!has_message(probe.fd));
}

/* covers: 3.5.15-10 */
TEST(a_restart_that_fails_changes_nothing)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK,
						 .restart_ctrl = PFM_PROBE_RESET,
						 .restart_error = EXDEV), 0);

	start(probe.fd);
	loop(2000);
	CHECK_ERRNO(try_restart(probe.fd), EXDEV);
	check_state(probe.fd, "masked");
	CHECK_EQ(read_pmd(probe.fd, 0), 0);
	loop(2000);
	CHECK_EQ(read_pmd(probe.fd, 1), 2000);
	expect_handler(&probe, 0);
	expect_restart(&probe, false);
	expect_no_call(&probe);
}

/* covers: 3.5.15-6 3.5.15-7 */
TEST(restart_resets_what_overflowed_with_all_that_it_names)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK,
						 .restart_ctrl = PFM_PROBE_RESET), 0);

	program(probe.fd, (struct event){ .reg = 0, .period = 2000, .long_period = 5000,
					  .reset_pmds = BIT_ULL(2) });
	program(probe.fd, (struct event){ .reg = 2, .period = 1ULL << 40, .long_period = 777 });
	program(probe.fd, (struct event){ .reg = 3, .period = 1ULL << 40, .long_period = 888 });
	start(probe.fd);
	loop(2000);
	stop(probe.fd);
	restart(probe.fd);
	CHECK_EQ(read_pmd(probe.fd, 0), -5000);
	CHECK_EQ(read_pmd(probe.fd, 2), -777);
	CHECK_EQ(read_pmd(probe.fd, 3), -(1ULL << 40) + 2000);
}
