// SPDX-License-Identifier: GPL-2.0
/*
 * Sampling formats: their creation and end, and their limits on event sets and the queue. The
 * handler is in format_handler.c, the restart in format_restart.c.
 */
#include "probe.h"
#include "sampling.h"

#include <perfmon_ibs_smpl.h>

#include <sys/resource.h>

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

/* The modules' UUIDs differ in the last byte only. */
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
	/* The default format has neither the probe's argument nor its buffer. */
	CHECK_OK(try_create_smpl(0, 65536, 0));
}

#ifdef __x86_64__
/* covers: D.15-2 */
TEST(a_format_for_registers_that_are_not_there_is_refused)
{
	static const struct format ibs = { "ibs", PFM_IBS_SMPL_UUID, sizeof(pfm_ibs_smpl_arg_t) };
	const pfm_ibs_smpl_arg_t arg = { .buf_size = 4096 };
	char name[64];

	need_format(&ibs);
	if (try_read_file(PERFMON_SYSFS "pmu/pmd17/name", name, sizeof(name)) &&
	    !strcmp(name, "IBS_OP"))
		CHECK_OK(try_create_formatted(&ibs, 0, &arg, NULL));
	else
		CHECK_ERRNO(try_create_formatted(&ibs, 0, &arg, NULL), EOPNOTSUPP);
}
#endif

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
	/* The module can be loaded again. */
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
	/* The first check that fails decides about the error. */
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

static void create_large_above_limit(void *arg)
{
	struct large_ctx *large = arg;

	CHECK_ERRNO(create_large(large), E2BIG);
}

/* covers: 3.1.1-42 3.5.3-4 */
TEST(a_formats_argument_above_the_limit_is_too_big)
{
	static struct large_ctx large;

	need_probe();
	CHECK_EQ(get_config().cf_arg_size_max, 4096);
	create_large_above_limit(&large);
	with_arg_size_max(PFM_PROBE_LARGE_SIZE - 1, create_large_above_limit, &large);
	with_arg_size_max(PFM_PROBE_LARGE_SIZE, create_large_in_limit, &large);
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
	/* The same without a buffer. */
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

/* Another flag of a format than PFM_FMTFL_READER gives it no page for the reader. */
/* covers: 3.5.4-4 3.5.4-8 */
TEST(only_a_format_with_a_readers_page_has_its_last_page_mapped_alone)
{
	static const int prots[] = { PROT_READ, PROT_READ | PROT_WRITE };
	const size_t page = sysconf(_SC_PAGESIZE), size = 4 * page;
	struct probe_ctx probe = noset_argument();
	size_t i;

	need_probe();
	probe.arg.buf_size = size;
	CHECK_OK(perfmonctl(-1, PFM_CREATE_CONTEXT, &probe, 1));
	CHECK_EQ(probe.ctx.ctx_smpl_buf_size, size);
	for (i = 0; i < ARRAY_SIZE(prots); i++)
		CHECK_ERRNO((long)mmap(NULL, page, prots[i], MAP_SHARED, probe.ctx.ctx_fd,
				       size - page), EINVAL);
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
