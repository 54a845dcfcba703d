// SPDX-License-Identifier: GPL-2.0
/*
 * A sampling format's handler: its arguments for an overflow, and the effects of its answers.
 * Register 0 overflows after 2000 instructions, then after 3000 (short) or 5000 (long); register 1
 * counts.
 */
#include "probe.h"

/* Run until register 1 has counted at least this. */
static void run_to(const struct probe *probe, __u64 count)
{
	while (read_pmd(probe->fd, 1) < count)
		loop(20);
}

/* The handler's arguments. */

/* covers: 3.1.2-27 3.5-2 3.5.14-2 3.5.14-3 3.5.14-5 3.5.14-9 3.5.14-10 3.5.14-11 */
/* covers: 3.5.14-5 3.5.14-12 3.5.14-13 3.5.14-14 3.5.14-15 3.5.14-16 */
TEST(the_handler_is_told_what_the_tool_wants_recorded)
{
	pfarg_pmc_t pmc = {
		.reg_num = 0, .reg_value = USER_INST, .reg_flags = NOTIFY,
		.reg_smpl_pmds = { BIT_ULL(0) | BIT_ULL(1) | BIT_ULL(3) },
		.reg_smpl_eventid = 0xfedcba9876543210ULL,
	};
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET), 0);
	const pfm_probe_call_t *call;
	__u64 i, last = 0;

	CHECK_OK(perfmonctl(probe.fd, PFM_WRITE_PMCS, &pmc, 1));
	write_pmd(probe.fd, 3, 33);
	start_loop_stop(probe.fd, 5000);
	CHECK_EQ(probe.buf->handled, 1 + (read_pmd(probe.fd, 1) - 2000) / 3000);
	for (i = 0; i < probe.buf->handled; i++) {
		call = expect_handler(&probe, 0);
		CHECK_EQ(call->active_set, 0);
		CHECK_EQ(call->ovfl_notify, 1);
		CHECK_EQ(call->last_reset, i ? -3000ULL : -2000ULL);
		CHECK_EQ(call->value, 0);
		CHECK_EQ(call->eventid, 0xfedcba9876543210ULL);
		CHECK_EQ(only_first(call->smpl_pmds), BIT_ULL(0) | BIT_ULL(1) | BIT_ULL(3));
		CHECK_EQ(call->num_values, 3);
		CHECK_EQ(call->values[0], 0);
		CHECK_EQ(call->values[1], 2000 + 3000 * i);
		CHECK_EQ(call->values[2], 33);
		CHECK(call->tstamp > last);
		CHECK(call->ip != 0);
		last = call->tstamp;
	}
	expect_no_call(&probe);
}

/* covers: 3.1.2-18 3.5.14-10 */
TEST(what_nobody_asked_for_is_not_passed)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET), 0);
	const pfm_probe_call_t *call;

	start_loop_stop(probe.fd, 1500);
	call = expect_handler(&probe, 0);
	CHECK_EQ(call->ovfl_notify, 0);
	CHECK_EQ(call->eventid, 0);
	CHECK_EQ(only_first(call->smpl_pmds), 0);
	CHECK_EQ(call->num_values, 0);
}

/* covers: 6.2.1-1 */
TEST(a_narrow_counters_value_is_passed_in_its_width)
{
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));
	const pfm_probe_call_t *call;

	program(probe.fd, (struct event){ .reg = 0, .flags = PFM_REGFL_NO_64BIT_EMUL,
					  .period = 2000, .smpl_pmds = BIT_ULL(0) });
	load_self(probe.fd);
	start_loop_stop(probe.fd, 1500);
	call = expect_handler(&probe, 0);
	CHECK_EQ(call->value, 0);
	CHECK_EQ(call->values[0], 0);
}

/* covers: 3.1.2-41 */
TEST(all_pmds_at_once_can_be_recorded)
{
	pfarg_config_t config = get_config();
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = USER_INST };
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET), 0);
	unsigned int n = 0, i;
	const pfm_probe_call_t *call;

	memcpy(pmc.reg_smpl_pmds, config.cf_impl_pmds, sizeof(pmc.reg_smpl_pmds));
	CHECK_OK(perfmonctl(probe.fd, PFM_WRITE_PMCS, &pmc, 1));
	for (i = 0; i < PFM_MAX_PMD_BITVECTOR; i++)
		n += __builtin_popcountll(config.cf_impl_pmds[i]);
	start_loop_stop(probe.fd, 1500);
	call = expect_handler(&probe, 0);
	CHECK_EQ(call->num_values, n);
	CHECK(!memcmp(call->smpl_pmds, config.cf_impl_pmds, sizeof(call->smpl_pmds)));
	CHECK_EQ(call->values[1], 2000);
}

/* covers: 3.5.14-6 3.5.14-7 3.5.14-8 */
TEST(simultaneous_overflows_are_calls_by_increasing_index_with_one_time_stamp)
{
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));
	static const unsigned int regs[] = { 3, 0, 2 };
	static const unsigned int order[] = { 0, 2, 3, FIXED_INST };
	__u64 stamp = 0, last;
	size_t i, round;

	if (has_fixed())
		program(probe.fd, (struct event){ .reg = FIXED_INST, .value = FIXED_USR,
						  .period = 2000, .short_period = 3000 });
	for (i = 0; i < 3; i++)
		probe_counter(&probe, regs[i], 0);
	load_self(probe.fd);
	start_loop_stop(probe.fd, 5000);
	for (round = 0; round < 3; round++) {
		last = stamp;
		stamp = expect_handler(&probe, 0)->tstamp;
		CHECK(stamp > last);
		for (i = 1; i < (has_fixed() ? 4 : 3); i++)
			CHECK_EQ(expect_handler(&probe, order[i])->tstamp, stamp);
	}
	expect_no_call(&probe);
}

/* The handler's answers. */

/* covers: 3.5.14-27 */
TEST(without_a_control_bit_the_counter_counts_on)
{
	struct probe probe = load_probe(0, PROBE(), NOTIFY);
	__u64 total;

	start_loop_stop(probe.fd, 5000);
	total = read_pmd(probe.fd, 1);
	expect_handler(&probe, 0);
	expect_no_call(&probe);
	CHECK_EQ(read_pmd(probe.fd, 0), total - 2000);
	CHECK_EQ(read_reg(probe.fd, 0, 0).reg_last_reset_val, -2000);
	CHECK(!has_message(probe.fd));
	check_state(probe.fd, "loaded");
	CHECK_EQ(ledger(probe.fd, "recorded"), 1);
}

/* covers: 3.5.14-18 3.5.14-21 */
TEST(reset_loads_the_short_period_and_monitoring_goes_on)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET), NOTIFY);
	__u64 total;

	start_loop_stop(probe.fd, 5000);
	total = read_pmd(probe.fd, 1);
	CHECK_EQ(read_pmd(probe.fd, 0), -3000 + (total - 2000) % 3000);
	CHECK_EQ(probe.buf->handled, 1 + (total - 2000) / 3000);
	CHECK(!has_message(probe.fd));
}

/* covers: 3.5.14-19 */
TEST(reset_includes_the_registers_that_the_counter_names)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_at = 1,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	program(probe.fd, (struct event){ .reg = 0, .period = 2000, .short_period = 3000,
					  .reset_pmds = BIT_ULL(2), .smpl_pmds = BIT_ULL(2) });
	program(probe.fd, (struct event){ .reg = 2, .period = 1ULL << 40,
					  .short_period = 1ULL << 41 });
	start_loop_stop(probe.fd, 5000);
	/* The second call did not reset. */
	CHECK_EQ(expect_handler(&probe, 0)->values[0], -(1ULL << 40) + 2000);
	CHECK_EQ(expect_handler(&probe, 0)->values[0], -(1ULL << 41) + 3000);
	expect_no_call(&probe);
	CHECK_EQ(read_pmd(probe.fd, 2), -(1ULL << 41) + read_pmd(probe.fd, 1) - 2000);
}

/* covers: 3.5.14-17 */
TEST(notify_appends_a_message_and_monitoring_goes_on)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl = PFM_PROBE_NOTIFY |
						 PFM_PROBE_RESET,
						 .handler_ctrl_else = PFM_PROBE_RESET), NOTIFY);

	start(probe.fd);
	loop(1500);
	expect_overflow(probe.fd, 0, BIT_ULL(0));
	check_state(probe.fd, "loaded");
	run_to(&probe, 10000);
	CHECK(!has_message(probe.fd));
	CHECK_GE(probe.buf->handled, 3);
}

/* covers: 3.5.14-17 */
TEST(notify_needs_the_counters_flag)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_NOTIFY), 0);

	start_loop_stop(probe.fd, 5000);
	expect_handler(&probe, 0);
	CHECK(!has_message(probe.fd));
}

/* covers: 3.5.14-24 3.5.14-33 */
TEST(mask_stops_counting_without_a_message)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK), NOTIFY);

	start(probe.fd);
	loop(5000);
	check_state(probe.fd, "masked");
	CHECK_EQ(read_pmd(probe.fd, 1), 2000);
	CHECK_EQ(read_pmd(probe.fd, 0), 0);
	CHECK(!has_message(probe.fd));
	expect_handler(&probe, 0);
	expect_no_call(&probe);
}

/* covers: 3.5.14-25 3.5.14-26 */
TEST(masking_goes_before_resetting)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_MASK |
						 PFM_PROBE_RESET | PFM_PROBE_NOTIFY,
						 .restart_ctrl = PFM_PROBE_RESET), NOTIFY);

	start(probe.fd);
	loop(5000);
	check_state(probe.fd, "masked");
	CHECK_EQ(read_pmd(probe.fd, 0), 0);
	expect_overflow(probe.fd, 0, BIT_ULL(0));
	stop(probe.fd);
	restart(probe.fd);
	/* All resets are done by the restart. */
	CHECK_EQ(read_pmd(probe.fd, 0), -5000);
	expect_handler(&probe, 0);
	expect_restart(&probe, false);
	expect_no_call(&probe);
}

/* covers: 3.5.14-30 */
TEST(one_mask_among_simultaneous_overflows_masks_all)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl = PFM_PROBE_MASK,
						 .handler_ctrl_at = 1,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	probe_counter(&probe, 2, 0);
	probe_counter(&probe, 3, 0);
	start(probe.fd);
	loop(5000);
	check_state(probe.fd, "masked");
	/* All were called, in spite of the first answer, and no counter was reset. */
	expect_handler(&probe, 0);
	expect_handler(&probe, 2);
	expect_handler(&probe, 3);
	expect_no_call(&probe);
	CHECK_EQ(read_pmd(probe.fd, 0), 0);
	CHECK_EQ(read_pmd(probe.fd, 2), 0);
	CHECK_EQ(read_pmd(probe.fd, 3), 0);
}

/* covers: 3.5.14-28 */
TEST(one_notification_among_simultaneous_overflows_is_one_message)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl = PFM_PROBE_NOTIFY,
						 .handler_ctrl_at = 1,
						 .handler_ctrl_else = PFM_PROBE_RESET), NOTIFY);

	probe_counter(&probe, 2, NOTIFY);
	probe_counter(&probe, 3, NOTIFY);
	start(probe.fd);
	loop(1500);
	stop(probe.fd);
	expect_overflow(probe.fd, 0, BIT_ULL(0) | BIT_ULL(2) | BIT_ULL(3));
	CHECK(!has_message(probe.fd));
}

/* covers: 3.5.14-28 */
TEST(a_notification_is_one_for_all_that_overflowed_together)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl = PFM_PROBE_NOTIFY,
						 .handler_ctrl_at = 0), 0);

	/* The handler requests it for register 0, and register 2 has the flag. */
	probe_counter(&probe, 2, NOTIFY);
	start_loop_stop(probe.fd, 1500);
	expect_handler(&probe, 0);
	expect_handler(&probe, 2);
	expect_overflow(probe.fd, 0, BIT_ULL(0) | BIT_ULL(2));
	CHECK(!has_message(probe.fd));
}

/* covers: 3.1.3-12 3.5.14-31 */
TEST(each_overflow_is_reset_or_left_to_the_restart_for_itself)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl = PFM_PROBE_RESET,
						 .handler_ctrl_at = 0,
						 .restart_ctrl = PFM_PROBE_RESET), 0);
	__u64 value;

	probe_counter(&probe, 2, 0);
	start(probe.fd);
	loop(1200);
	stop(probe.fd);
	CHECK_EQ(probe.buf->handled, 2);
	CHECK_EQ(read_reg(probe.fd, 0, 0).reg_last_reset_val, -3000);
	CHECK_EQ(read_pmd(probe.fd, 2), read_pmd(probe.fd, 1) - 2000);
	value = read_pmd(probe.fd, 0);
	restart(probe.fd);
	CHECK_EQ(read_pmd(probe.fd, 0), value);
	CHECK_EQ(read_pmd(probe.fd, 2), -5000);
	expect_handler(&probe, 0);
	expect_handler(&probe, 2);
	expect_restart(&probe, true);
	expect_no_call(&probe);
}

/* Blocking. */

static void spin_in_rounds(void *arg)
{
	__u64 *rounds = arg;

	for (;;) {
		loop(100);
		__atomic_add_fetch(rounds, 1, __ATOMIC_SEQ_CST);
	}
}

static __u64 rounds_of(__u64 *rounds)
{
	return __atomic_load_n(rounds, __ATOMIC_SEQ_CST);
}

static pid_t load_spinning(struct probe *probe, __u64 *rounds, __u32 flags, __u32 ctrl)
{
	pid_t pid;

	*probe = create_probe(flags, PROBE(.handler_ctrl = ctrl, .handler_ctrl_at = 0,
					   .handler_ctrl_else = PFM_PROBE_RESET,
					   .restart_ctrl = PFM_PROBE_RESET));
	program(probe->fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000,
					   .long_period = 1ULL << 40 });
	count_up(probe->fd, 0, 1);
	pid = spawn_without(probe->fd, spin_in_rounds, rounds);
	load(probe->fd, pid);
	start(probe->fd);
	WAIT_UNTIL(probe->buf->handled);
	return pid;
}

/* covers: 3.5.14-22 3.5.14-29 */
TEST(block_blocks_where_the_context_says_so)
{
	__u64 *rounds = test_shared(sizeof(*rounds)), before;
	struct probe probe;
	pid_t pid = load_spinning(&probe, rounds, PFM_FL_NOTIFY_BLOCK,
				  PFM_PROBE_BLOCK | PFM_PROBE_MASK);

	WAIT_UNTIL(thread_state(pid) == 'S' || thread_state(pid) == 'D');
	before = rounds_of(rounds);
	sleep_ms(5);
	CHECK_EQ(rounds_of(rounds), before);
	CHECK_EQ(read_pmd(probe.fd, 1), 20000);
	CHECK(!has_message(probe.fd));
	restart(probe.fd);
	WAIT_UNTIL(rounds_of(rounds) > before + 100);
	kill_child(pid);
}

/* covers: 3.5.14-22 3.5.14-32 */
TEST(block_without_mask_blocks_until_the_restart_as_well)
{
	__u64 *rounds = test_shared(sizeof(*rounds)), before;
	struct probe probe;
	pid_t pid = load_spinning(&probe, rounds, PFM_FL_NOTIFY_BLOCK, PFM_PROBE_BLOCK);

	WAIT_UNTIL(thread_state(pid) == 'S' || thread_state(pid) == 'D');
	check_state(probe.fd, "loaded");
	/*
	 * Counting goes on: if the thread had been at user level since the overflow, the count
	 * would be higher.
	 */
	CHECK_EQ(read_pmd(probe.fd, 1), 20000);
	before = rounds_of(rounds);
	sleep_ms(5);
	CHECK_EQ(rounds_of(rounds), before);
	restart(probe.fd);
	WAIT_UNTIL(rounds_of(rounds) > before + 100);
	expect_handler(&probe, 0);
	expect_restart(&probe, true);
	kill_child(pid);
}

/* covers: 3.5.14-23 */
TEST(block_is_ignored_where_the_context_does_not_say_so)
{
	__u64 *rounds = test_shared(sizeof(*rounds)), before;
	struct probe probe;
	pid_t pid = load_spinning(&probe, rounds, 0, PFM_PROBE_BLOCK | PFM_PROBE_MASK);

	check_state(probe.fd, "masked");
	before = rounds_of(rounds);
	WAIT_UNTIL(rounds_of(rounds) > before + 100);
	kill_child(pid);
}

/* covers: 3.5.14-29 */
TEST(one_block_among_simultaneous_overflows_blocks)
{
	__u64 *rounds = test_shared(sizeof(*rounds)), before;
	struct probe probe = create_probe(PFM_FL_NOTIFY_BLOCK,
					  PROBE(.handler_ctrl = PFM_PROBE_BLOCK | PFM_PROBE_MASK,
						.handler_ctrl_at = 1,
						.restart_ctrl = PFM_PROBE_RESET));
	unsigned int reg;
	pid_t pid;

	for (reg = 0; reg < 3; reg++)
		program(probe.fd, (struct event){ .reg = reg, .flags = NOTIFY, .period = 20000,
						  .long_period = 1ULL << 40 });
	pid = spawn_without(probe.fd, spin_in_rounds, rounds);
	load(probe.fd, pid);
	start(probe.fd);
	WAIT_UNTIL(probe.buf->handled == 3);
	/* Neither the first call nor the last one requested it. */
	WAIT_UNTIL(thread_state(pid) == 'S' || thread_state(pid) == 'D');
	before = rounds_of(rounds);
	sleep_ms(5);
	CHECK_EQ(rounds_of(rounds), before);
	restart(probe.fd);
	WAIT_UNTIL(rounds_of(rounds) > before + 100);
	kill_child(pid);
}

/* covers: 3.1.1-10 */
TEST(a_blocking_context_with_a_format_is_not_loaded_on_oneself)
{
	struct probe probe = create_probe(PFM_FL_NOTIFY_BLOCK, PROBE());
	pid_t pid = sleeping_child(probe.fd);

	probe_counter(&probe, 0, NOTIFY);
	CHECK_ERRNO(try_load(probe.fd, gettid()), EINVAL);
	check_unloaded(probe.fd);
	load(probe.fd, pid);
	kill_child(pid);
}

/* Errors. */

/* covers: 3.5.14-34 D.5-6 */
TEST(a_handlers_error_ends_the_calls_and_is_counted)
{
	struct probe probe = load_probe(0, PROBE(.handler_error = EIO, .handler_error_at = 1,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	probe_counter(&probe, 2, 0);
	probe_counter(&probe, 3, 0);
	start_loop_stop(probe.fd, 1500);
	expect_handler(&probe, 0);
	expect_handler(&probe, 2);
	expect_no_call(&probe);
	CHECK_EQ(ledger(probe.fd, "overflows"), 3);
	CHECK_EQ(ledger(probe.fd, "recorded"), 1);
	CHECK_EQ(ledger(probe.fd, "lost-error"), 2);
	check_ledger(probe.fd);
	/* Sampling goes on after all of these errors. */
	CHECK_EQ(read_reg(probe.fd, 0, 0).reg_last_reset_val, -3000);
	CHECK_EQ(read_reg(probe.fd, 0, 2).reg_last_reset_val, -3000);
	CHECK_EQ(read_reg(probe.fd, 0, 3).reg_last_reset_val, -3000);
}

/* covers: D.5-9 */
TEST(a_format_that_only_fails_is_masked_until_a_restart)
{
	const unsigned int max = 64;
	struct probe probe = load_probe(0, PROBE(.handler_error = EIO,
						 .handler_error_at = 3,
						 .handler_ctrl_else = PFM_PROBE_RESET,
						 .restart_ctrl = PFM_PROBE_RESET), 0);

	probe_counter(&probe, 0, NOTIFY);
	start_loop_stop(probe.fd, 1000000);
	CHECK_EQ(probe.buf->handled, 3 + max);
	CHECK_EQ(ledger(probe.fd, "recorded"), 3);
	CHECK_EQ(ledger(probe.fd, "lost-error"), max);
	expect_overflow(probe.fd, 0, BIT_ULL(0));
	CHECK(ledger(probe.fd, "masked-ns") > 0);
	check_ledger(probe.fd);
	/* The counts up to the overflow are kept; no counter is reset, and none counts. */
	CHECK_EQ(read_pmd(probe.fd, 1), 2000 + 3000 * (2 + max));

	restart(probe.fd);
	start_loop_stop(probe.fd, 1000000);
	CHECK_EQ(probe.buf->handled, 3 + 2 * max);
	CHECK_EQ(ledger(probe.fd, "lost-error"), 2 * max);
}

/* covers: D.5-9 */
TEST(errors_before_a_load_do_not_mask_after_it)
{
	const unsigned int max = 64;
	struct probe probe = load_probe(0, PROBE(.handler_error = EIO,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);
	__u64 before;

	probe_counter(&probe, 0, NOTIFY);
	start_loop_stop(probe.fd, 50000);
	before = probe.buf->handled;
	CHECK_GE(before, 2);
	CHECK_LE(before, max - 2);
	check_state(probe.fd, "loaded");
	unload(probe.fd);
	load_self(probe.fd);
	start_loop_stop(probe.fd, 1000000);
	check_state(probe.fd, "masked");
	CHECK_EQ(probe.buf->handled, before + max);
}

/* covers: D.5-6 */
TEST(no_space_is_a_full_buffer_and_never_masks)
{
	struct probe probe = load_probe(0, PROBE(.handler_error = ENOSPC, .handler_error_at = 2,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	start_loop_stop(probe.fd, 200000);
	CHECK_EQ(ledger(probe.fd, "overflows"), 1 + (read_pmd(probe.fd, 1) - 2000) / 3000);
	CHECK_EQ(ledger(probe.fd, "recorded"), 2);
	CHECK_EQ(ledger(probe.fd, "lost-error"), 0);
	CHECK(ledger(probe.fd, "lost-full") > 0);
	check_ledger(probe.fd);
}

/* covers: D.5-7 */
TEST(sums_of_the_ledger_are_in_sysfs)
{
	__u64 samples = read_sysfs_u64("stats/samples"), overflows, full, error;
	struct probe probe = load_probe(0, PROBE(.handler_error = EIO, .handler_error_at = 2,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	overflows = read_sysfs_u64("stats/overflows");
	full = read_sysfs_u64("stats/samples_lost_full");
	error = read_sysfs_u64("stats/samples_lost_error");
	start_loop_stop(probe.fd, 10000);
	CHECK_EQ(read_sysfs_u64("stats/samples") - samples, 2);
	CHECK_EQ(read_sysfs_u64("stats/overflows") - overflows, ledger(probe.fd, "overflows"));
	CHECK_EQ(read_sysfs_u64("stats/samples_lost_error") - error,
		 ledger(probe.fd, "lost-error"));
	CHECK_EQ(read_sysfs_u64("stats/samples_lost_full"), full);
}

/* Another thread's overflows are handled on the CPU on which it runs. */
/* covers: 3.1.9-21 3.5.15-1 */
TEST(a_format_samples_another_thread)
{
	__u64 *rounds = test_shared(sizeof(*rounds)), total;
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET,
						   .restart_ctrl = PFM_PROBE_RESET));
	pid_t pid;

	program(probe.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000 });
	count_up(probe.fd, 0, 1);
	pid = spawn_without(probe.fd, spin_in_rounds, rounds);
	load(probe.fd, pid);
	start(probe.fd);
	WAIT_UNTIL(probe.buf->handled > 50);
	restart(probe.fd);
	unload(probe.fd);
	total = read_pmd(probe.fd, 1);
	CHECK_EQ(probe.buf->handled, total / 20000);
	CHECK_EQ(ledger(probe.fd, "recorded"), total / 20000);
	kill_child(pid);
}
