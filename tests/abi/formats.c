// SPDX-License-Identifier: GPL-2.0
/*
 * Sampling formats: when the core calls them, with what, and what their answers do.
 * Register 0 overflows after 2000 instructions, then after 3000 (short) or 5000 (long);
 * register 1 counts.
 */
#include "probe.h"
#include "sampling.h"

#include <sys/resource.h>

static struct probe load_probe(__u32 flags, pfm_probe_arg_t arg, __u32 pmc_flags)
{
	struct probe probe = create_probe(flags, arg);

	probe_counter(&probe, 0, pmc_flags);
	count_up(probe.fd, 0, 1);
	load_self(probe.fd);
	return probe;
}

/* Run until register 1 has counted at least this. */
static void run_to(const struct probe *probe, __u64 count)
{
	while (read_pmd(probe->fd, 1) < count)
		loop(20);
}

/* Creation. */

/* covers: 3.5-3 3.5.2-5 */
TEST(formats_of_modules_are_listed)
{
	char text[64];

	need_probe();
	read_sysfs("formats/probe/uuid", text, sizeof(text));
	CHECK_STREQ(text, "5b1f2e60-8d1c-4e5a-9a3b-7066" "6d740001");
	read_sysfs("formats/probe-large/version", text, sizeof(text));
	CHECK_STREQ(text, "1.2");
	read_sysfs("formats/probe-bare/version", text, sizeof(text));
	CHECK_STREQ(text, "0.0");
}

/* The modules' differ in the last byte only. */
/* covers: 3.1.1-17 */
TEST(each_format_is_found_by_its_uuid)
{
	static const struct {
		pfm_uuid_t	uuid;
		bool		buffer, sets, handler;
	} formats[] = {
		{ PFM_PROBE_UUID, true, true, true },
		{ PFM_PROBE_NOSET_UUID, true, false, true },
		{ PFM_PROBE_BARE_UUID, false, true, false },
	};
	const pfm_probe_buf_t *buf;
	struct probe_ctx arg;
	size_t i;

	need_probe();
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		arg = probe_argument(0, PROBE());
		memcpy(arg.ctx.ctx_smpl_buf_id, formats[i].uuid, sizeof(pfm_uuid_t));
		CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, &arg, 1));
		CHECK_EQ(arg.ctx.ctx_smpl_buf_size > 0, formats[i].buffer);
		CHECK_EQ(!try_create_set(arg.ctx.ctx_fd, (pfarg_setdesc_t){ .set_id = 1 }),
			 formats[i].sets);
		if (!formats[i].handler)
			continue;
		buf = mmap(NULL, PROBE_SIZE, PROT_READ, MAP_SHARED, arg.ctx.ctx_fd, 0);
		CHECK_NE(buf, MAP_FAILED);
		CHECK_EQ(buf->calls[0].what, PFM_PROBE_INIT);
	}
	/* The default one has neither the probe's argument nor its buffer. */
	CHECK_OK(try_create_smpl(0, 65536, 0));
}

static int remove_module(void)
{
	return syscall(SYS_delete_module, PROBE_MODULE, O_NONBLOCK);
}

/* covers: 3.5-3 3.5.8-2 3.5.9-1 D.8-3 D.9-14 */
TEST(a_module_stays_while_a_context_uses_its_format)
{
	struct probe probe = create_probe(0, PROBE());
	int other;

	CHECK_ERRNO(remove_module(), EAGAIN);
	load_self(probe.fd);
	CHECK_ERRNO(remove_module(), EAGAIN);
	other = dup(probe.fd);
	CHECK_OK(close(probe.fd));
	CHECK_ERRNO(remove_module(), EAGAIN);
	CHECK_OK(close(other));
	CHECK_OK(remove_module());
	CHECK_ERRNO(try_create_probe(0, PROBE()), EINVAL);
	CHECK_EQ(access(PERFMON_SYSFS "formats/probe", F_OK), -1);
	/* And it can come back. */
	need_probe();
	CHECK_OK(try_create_probe(0, PROBE()));
}

/* covers: 3.5.7-9 3.5.10-5 3.5.11-5 3.5.12-4 */
TEST(errors_of_the_creations_call_backs_are_the_commands)
{
	static const int errors[] = { EPERM, ENODEV, EINVAL, ENOSPC, EOVERFLOW };
	unsigned int fds;
	size_t i;

	need_probe();
	fds = count_fds();
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		CHECK_ERRNO(try_create_probe(0, PROBE(.validate_error = errors[i])), errors[i]);
		CHECK_ERRNO(try_create_probe(0, PROBE(.getsize_error = errors[i])), errors[i]);
		CHECK_ERRNO(try_create_probe(0, PROBE(.init_error = errors[i])), errors[i]);
	}
	/* The first one that fails is what counts. */
	CHECK_ERRNO(try_create_probe(0, PROBE(.validate_error = EPERM, .getsize_error = ENODEV,
					      .init_error = ENOSPC)), EPERM);
	CHECK_ERRNO(try_create_probe(0, PROBE(.getsize_error = ENODEV, .init_error = ENOSPC)),
		    ENODEV);
	CHECK_EQ(count_fds(), fds);
	CHECK_OK(remove_module());
}

/* covers: 3.5.7-9 3.5.11-4 */
TEST(the_buffers_limit_is_checked_between_getsize_and_init)
{
	need_probe();
	CHECK_ERRNO(try_create_probe(0, (pfm_probe_arg_t){ .buf_size = 1ULL << 40,
							   .init_error = EPERM }), ENOMEM);
	CHECK_ERRNO(try_create_probe(0, (pfm_probe_arg_t){ .buf_size = 1ULL << 40,
							   .getsize_error = EPERM }), EPERM);
}

static void fail_many_times(void *unused)
{
	struct rlimit limit = { 128 << 10, 128 << 10 };
	int i;

	(void)unused;
	CHECK_OK(setrlimit(RLIMIT_MEMLOCK, &limit));
	become(NOBODY, NOBODY);
	for (i = 0; i < 100; i++)
		CHECK_ERRNO(try_create_probe(0, PROBE(.init_error = EPERM)), EPERM);
	CHECK_OK(try_create_probe(0, PROBE()));
}

/* covers: 3.5.12-4 D.9-16 */
TEST(a_creation_that_fails_in_init_gives_the_memory_back)
{
	need_probe();
	run_in_child(fail_many_times, NULL);
}

/* covers: 3.5.10-1 3.5.10-2 3.5.10-3 3.5.11-1 3.5.12-1 3.5.14-1 */
TEST(init_and_buffer_come_with_the_context)
{
	struct probe probe = create_probe(PFM_FL_OVFL_NO_MSG, PROBE(.restart_ctrl = 5));

	CHECK_EQ(probe.buf->size, PROBE_SIZE);
	CHECK_EQ(probe.buf->arg.restart_ctrl, 5);
	CHECK_EQ(probe.buf->arg.seen_flags, PFM_FL_OVFL_NO_MSG);
	CHECK_EQ(probe.buf->arg.seen_size_flags, PFM_FL_OVFL_NO_MSG);
	CHECK_EQ(probe.buf->arg.seen_pmds, count_pmds());
	CHECK_EQ((uintptr_t)probe.buf % 4096, 0);
}

struct large_ctx {
	pfarg_ctx_t	ctx;
	pfm_probe_arg_t	arg;
	char		rest[PFM_PROBE_LARGE_SIZE - sizeof(pfm_probe_arg_t)];
};

static int create_large(struct large_ctx *large)
{
	static const pfm_uuid_t uuid = PFM_PROBE_LARGE_UUID;

	memset(large, 0, sizeof(*large));
	memcpy(large->ctx.ctx_smpl_buf_id, uuid, sizeof(uuid));
	large->arg.buf_size = PROBE_SIZE;
	return perfmonctl(-1, PFM_CREATE_CONTEXT, large, 1) ? -1 : large->ctx.ctx_fd;
}

static void create_large_in_limit(void *arg)
{
	struct large_ctx *large = arg;

	CHECK_OK(create_large(large));
}

/* covers: 3.1.1-42 3.5.3-4 */
TEST(a_formats_argument_above_the_limit_is_too_big)
{
	static struct large_ctx large;

	need_probe();
	CHECK_EQ(get_config().cf_arg_size_max, 4096);
	CHECK_ERRNO(create_large(&large), E2BIG);
	with_arg_size_max(sizeof(large), create_large_in_limit, &large);
}

static void check_zeroes(void *arg)
{
	struct large_ctx *large = arg;
	int fd = create_large(large);
	const __u64 *words;
	size_t i;

	CHECK_OK(fd);
	words = mmap(NULL, PROBE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	CHECK_NE(words, MAP_FAILED);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000 });
	load_self(fd);
	start(fd);
	loop(10000);
	stop(fd);
	/* The core writes nothing into the buffer either. */
	for (i = 0; i < PROBE_SIZE / sizeof(*words); i++)
		CHECK_EQ(words[i], 0);
	CHECK_GE(ledger(fd, "recorded"), 10);
}

/* covers: 3.5.5-2 3.5.6-1 3.5.10-4 3.5.12-2 3.5.13-4 */
TEST(without_an_init_the_buffer_is_zero_and_stays_what_the_format_makes_it)
{
	static struct large_ctx large;

	need_probe();
	with_arg_size_max(2 * sizeof(large), check_zeroes, &large);
}

/* covers: 3.1.1-19 3.5-4 3.5.4-15 3.5.7-4 3.5.11-2 */
TEST(a_format_may_have_neither_argument_nor_buffer)
{
	/* At the end of a page: nothing behind the structure is read. */
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pfarg_ctx_t *ctx = (void *)(pages + 4096 - sizeof(*ctx));
	static const pfm_uuid_t uuid = PFM_PROBE_BARE_UUID;

	need_probe();
	CHECK_OK(munmap(pages + 4096, 4096));
	memcpy(ctx->ctx_smpl_buf_id, uuid, sizeof(uuid));
	ctx->ctx_smpl_buf_size = 77;
	CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, ctx, 1));
	CHECK_EQ(ctx->ctx_smpl_buf_size, 0);
	CHECK_EQ(mmap(NULL, 4096, PROT_READ, MAP_SHARED, ctx->ctx_fd, 0), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	program(ctx->ctx_fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000 });
	count_up(ctx->ctx_fd, 0, 1);
	load_self(ctx->ctx_fd);
	start_loop_stop(ctx->ctx_fd, 10000);
	CHECK_EQ(ledger(ctx->ctx_fd, "recorded"), read_pmd(ctx->ctx_fd, 1) / 2000);
	CHECK(!has_message(ctx->ctx_fd));
	restart(ctx->ctx_fd);
}

/* covers: 3.1.16-18 3.5-4 3.5.11-3 3.5.12-3 */
TEST(a_format_may_do_without_a_buffer)
{
	int fd;

	need_probe();
	fd = try_create_probe(0, (pfm_probe_arg_t){ .buf_size = 0 });
	CHECK_OK(fd);
	program(fd, (struct event){ .reg = 0, .period = 2000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start_loop_stop(fd, 10000);
	CHECK_EQ(ledger(fd, "recorded"), read_pmd(fd, 1) / 2000);
	restart(fd);
	CHECK_OK(close(fd));
}

static __u64 exits(void)
{
	char text[32];

	read_file(PROBE_EXITS, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

static void close_copy(void *arg)
{
	CHECK_OK(close(*(int *)arg));
}

/* covers: 3.5.7-12 3.5.13-1 3.5.13-3 */
TEST(exit_is_called_when_the_last_descriptor_goes)
{
	struct probe probe = create_probe(0, PROBE());
	__u64 before = exits();
	int other = dup(probe.fd);

	run_in_child(close_copy, &other);
	load_self(probe.fd);
	unload(probe.fd);
	CHECK_OK(close(probe.fd));
	CHECK_EQ(exits(), before);
	CHECK_OK(close(other));
	WAIT_UNTIL(exits() == before + 1);
	/* Without a buffer, too. */
	probe.fd = try_create_probe(0, (pfm_probe_arg_t){ });
	CHECK_OK(probe.fd);
	CHECK_OK(close(probe.fd));
	WAIT_UNTIL(exits() == before + 2);
}

static void create_and_exec(void *unused)
{
	(void)unused;
	CHECK_OK(fcntl(try_create_probe(0, PROBE()), F_SETFD, FD_CLOEXEC));
	execl("/bin/sleep", "sleep", "1000", NULL);
	_exit(1);
}

/* covers: 3.5.4-23 3.5.13-2 */
TEST(exit_is_called_when_an_exec_closes_the_last_descriptor)
{
	__u64 before;
	pid_t pid;

	need_probe();
	before = exits();
	pid = spawn(create_and_exec, NULL);
	WAIT_UNTIL(exits() == before + 1);
	kill_child(pid);
	CHECK_EQ(exits(), before + 1);
}

/* Event sets. */

static struct probe_ctx noset_argument(void)
{
	static const pfm_uuid_t uuid = PFM_PROBE_NOSET_UUID;
	struct probe_ctx probe = probe_argument(0, PROBE(.handler_ctrl_else = PFM_PROBE_NOTIFY |
							 PFM_PROBE_RESET));

	memcpy(probe.ctx.ctx_smpl_buf_id, uuid, sizeof(uuid));
	return probe;
}

/* covers: 3.1.10-30 3.5.7-8 3.7.7-3 */
TEST(a_format_without_sets_allows_set_0_only)
{
	struct probe_ctx probe = noset_argument();
	pfarg_setdesc_t set = { .set_id = 1 };
	int fd;

	need_probe();
	CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, &probe, 1));
	fd = probe.ctx.ctx_fd;
	CHECK_ERRNO(create_sets(fd, &set, 1), EINVAL);
	CHECK_EQ(set.set_flags, PFM_SET_RETFL_EINVAL);
	CHECK_ERRNO(try_get_set(fd, 1), EINVAL);
	create_trigger_set(fd, 0);
	CHECK_EQ(get_set(fd, 0).set_flags, PFM_SETFL_OVFL_SWITCH);
}

/* covers: 3.5.14-11 */
TEST(other_formats_allow_sets)
{
	struct probe probe = create_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_RESET));

	create_set(probe.fd, (pfarg_setdesc_t){ .set_id = 77 });
	program(probe.fd, (struct event){ .set = 77, .reg = 0, .period = 2000 });
	CHECK_OK(try_load_set(probe.fd, gettid(), 77));
	start_loop_stop(probe.fd, 1500);
	CHECK_EQ(expect_handler(&probe, 0)->active_set, 77);
	expect_no_call(&probe);
}

/* The queue. */

/* covers: 3.3.1-3 3.5.7-5 3.5.7-6 */
TEST(the_queue_is_as_deep_as_the_format_says_and_at_least_one)
{
	struct probe probe = load_probe(0, PROBE(.handler_ctrl_else = PFM_PROBE_NOTIFY |
						 PFM_PROBE_RESET), NOTIFY);
	struct probe_ctx noset = noset_argument();
	int fd, i;

	/* 0 is taken as 1. */
	start_loop_stop(probe.fd, 10000);
	expect_overflow(probe.fd, 0, BIT_ULL(0));
	CHECK(!has_message(probe.fd));
	CHECK_EQ(ledger(probe.fd, "recorded"), 7);
	CHECK_EQ(ledger(probe.fd, "lost-messages"), 6);
	check_ledger(probe.fd);
	unload(probe.fd);
	CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, &noset, 1));
	fd = noset.ctx.ctx_fd;
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000 });
	load_self(fd);
	start_loop_stop(fd, 10000);
	for (i = 0; i < 4; i++)
		expect_overflow(fd, 0, BIT_ULL(0));
	CHECK(!has_message(fd));
	CHECK_EQ(ledger(fd, "lost-messages"), 6);
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
	/* All resets are the restart's. */
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
	/* All were asked, in spite of it, and none was reset. */
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

	/* The handler asks for it for register 0, and register 2 is the one with the flag. */
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
	/* Counting goes on: had it been at user level since the overflow, there would be more. */
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
	/* Neither the first one nor the last asked for it. */
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
	/* Sampling goes on for all of them. */
	CHECK_EQ(read_reg(probe.fd, 0, 0).reg_last_reset_val, -3000);
	CHECK_EQ(read_reg(probe.fd, 0, 2).reg_last_reset_val, -3000);
	CHECK_EQ(read_reg(probe.fd, 0, 3).reg_last_reset_val, -3000);
}

/* covers: D.5-6 */
TEST(no_space_is_a_full_buffer)
{
	struct probe probe = load_probe(0, PROBE(.handler_error = ENOSPC, .handler_error_at = 2,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	start_loop_stop(probe.fd, 10000);
	CHECK_EQ(ledger(probe.fd, "overflows"), 1 + (read_pmd(probe.fd, 1) - 2000) / 3000);
	CHECK_EQ(ledger(probe.fd, "recorded"), 2);
	CHECK_EQ(ledger(probe.fd, "lost-error"), 0);
	CHECK(ledger(probe.fd, "lost-full") > 0);
	check_ledger(probe.fd);
}

/* covers: D.5-7 */
TEST(sums_of_the_ledger_are_in_sysfs)
{
	__u64 samples = read_sysfs_u64("stats/samples"), full, error;
	struct probe probe = load_probe(0, PROBE(.handler_error = EIO, .handler_error_at = 2,
						 .handler_ctrl_else = PFM_PROBE_RESET), 0);

	full = read_sysfs_u64("stats/samples_lost_full");
	error = read_sysfs_u64("stats/samples_lost_error");
	start_loop_stop(probe.fd, 10000);
	CHECK_EQ(read_sysfs_u64("stats/samples") - samples, 2);
	CHECK_EQ(read_sysfs_u64("stats/samples_lost_error") - error,
		 ledger(probe.fd, "lost-error"));
	CHECK_EQ(read_sysfs_u64("stats/samples_lost_full"), full);
}

/* Restart. */

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

/* covers: 3.1.5-12 3.1.9-22 3.5.7-11 */
TEST(no_other_command_calls_the_format)
{
	struct probe probe = create_probe(0, PROBE());
	pid_t pid = sleeping_child(probe.fd);

	probe_counter(&probe, 0, NOTIFY);
	count_up(probe.fd, 0, 1);
	create_set(probe.fd, (pfarg_setdesc_t){ .set_id = 1 });
	load_self(probe.fd);
	start(probe.fd);
	start_set(probe.fd, 1);
	stop(probe.fd);
	read_pmd(probe.fd, 0);
	unload(probe.fd);
	CHECK_ERRNO(try_restart(probe.fd), EBUSY);
	load(probe.fd, pid);
	start(probe.fd);
	unload(probe.fd);
	delete_set(probe.fd, 1);
	expect_no_call(&probe);
	kill_child(pid);
}

/* Another thread's overflows are handled where it runs. */
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
