// SPDX-License-Identifier: GPL-2.0
/* libperfmon, over a system call that records its arguments. */
#include "../harness.h"
#include <sys/socket.h>

#include "../../tools/lib/backend.h"

static struct call {
	int	fd, cmd, narg;
	void	*arg;
} calls[64];
static int ncalls;
static int fail_at = -1, fail_with;
static pfarg_load_t loaded;
static pfarg_start_t started;

const struct perfmon_backend *perfmon_this_backend(void)
{
	return &perfmon_syscall_backend;
}

int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	calls[ncalls] = (struct call){ fd, cmd, narg, arg };
	if (cmd == PFM_LOAD_CONTEXT)
		loaded = *(const pfarg_load_t *)arg;
	if (cmd == PFM_START && narg)
		started = *(const pfarg_start_t *)arg;
	if (ncalls++ == fail_at) {
		errno = fail_with;
		return -1;
	}
	return 0;
}

TEST(a_long_vector_is_split_to_what_the_kernel_always_takes)
{
	static pfarg_pmd_t pmds[150];
	int i, total = 0;

	CHECK_OK(perfmon_read_pmds(5, pmds, 150));
	CHECK_EQ(ncalls, 3);
	for (i = 0; i < ncalls; i++) {
		CHECK_EQ(calls[i].fd, 5);
		CHECK_EQ(calls[i].cmd, PFM_READ_PMDS);
		CHECK(calls[i].arg == &pmds[total]);
		CHECK_LE((size_t)calls[i].narg * sizeof(pmds[0]), 4096);
		total += calls[i].narg;
	}
	CHECK_EQ(total, 150);
}

TEST(a_vector_ends_at_the_first_call_that_fails)
{
	static pfarg_pmc_t pmcs[100];

	fail_at = 1;
	fail_with = EINVAL;
	CHECK_ERRNO(perfmon_write_pmcs(5, pmcs, 100), EINVAL);
	CHECK_EQ(ncalls, 2);
}

TEST(an_empty_vector_is_the_kernels_to_refuse)
{
	fail_at = 0;
	fail_with = EINVAL;
	CHECK_ERRNO(perfmon_write_pmds(5, NULL, 0), EINVAL);
	CHECK_EQ(calls[0].narg, 0);
}

TEST(commands_without_an_argument_pass_none)
{
	CHECK_OK(perfmon_start(3));
	CHECK_OK(perfmon_stop(3));
	CHECK_OK(perfmon_unload(3));
	CHECK_OK(perfmon_restart(3));
	CHECK_EQ(calls[0].cmd, PFM_START);
	CHECK_EQ(calls[1].cmd, PFM_STOP);
	CHECK_EQ(calls[2].cmd, PFM_UNLOAD_CONTEXT);
	CHECK_EQ(calls[3].cmd, PFM_RESTART);
	CHECK(!calls[3].arg && !calls[3].narg);
	CHECK(!calls[0].arg && !calls[0].narg && !calls[1].arg && !calls[2].narg);
}

TEST(long_vectors_of_sets_are_split_too)
{
	static pfarg_setdesc_t descs[200];
	static pfarg_setinfo_t infos[50];

	CHECK_OK(perfmon_create_evtsets(5, descs, 200));
	CHECK_EQ(ncalls, 2);
	CHECK_EQ(calls[0].cmd, PFM_CREATE_EVTSETS);
	CHECK_EQ(calls[0].narg, 170);
	CHECK(calls[1].arg == &descs[170]);
	CHECK_EQ(calls[1].narg, 30);
	CHECK_OK(perfmon_delete_evtsets(5, descs, 1));
	CHECK_EQ(calls[2].cmd, PFM_DELETE_EVTSETS);
	CHECK_OK(perfmon_getinfo_evtsets(5, infos, 50));
	CHECK_EQ(ncalls, 5);
	CHECK_EQ(calls[3].cmd, PFM_GETINFO_EVTSETS);
	CHECK_EQ(calls[3].narg + calls[4].narg, 50);
}

TEST(the_first_set_can_be_named)
{
	CHECK_OK(perfmon_load(3, 77));
	CHECK_EQ(loaded.load_pid, 77);
	CHECK_EQ(loaded.load_set, 0);
	CHECK_OK(perfmon_load_set(3, 77, 65535));
	CHECK_EQ(loaded.load_set, 65535);
	CHECK_OK(perfmon_start_set(3, 9));
	CHECK_EQ(started.start_set, 9);
	CHECK_EQ(calls[2].narg, 1);
}

TEST(a_set_beyond_16_bits_is_refused_not_cut)
{
	CHECK_ERRNO(perfmon_load_set(3, 77, 65536), EINVAL);
	CHECK_ERRNO(perfmon_start_set(3, 65536), EINVAL);
	CHECK_EQ(ncalls, 0);
}

TEST(bitvectors_set_clear_and_walk)
{
	static const unsigned int want[] = { 0, 63, 64, 128, 319 };
	perfmon_word_t vector[5] = { 0 };
	unsigned int bit, i = 0;

	CHECK_EQ(perfmon_bv_next(vector, 320, 0), 320);
	for (i = 0; i < 5; i++)
		perfmon_bv_set(vector, want[i]);
	perfmon_bv_set(vector, 200);
	perfmon_bv_clear(vector, 200);
	CHECK(perfmon_bv_test(vector, 63) && !perfmon_bv_test(vector, 200));
	CHECK_EQ(perfmon_bv_count(vector, 320), 5);
	CHECK_EQ(perfmon_bv_count(vector, 319), 4);
	i = 0;
	perfmon_bv_for_each(bit, vector, 320)
		CHECK_EQ(bit, want[i++]);
	CHECK_EQ(i, 5);
}

TEST(the_bad_element_is_found_by_its_return_flag)
{
	pfarg_pmc_t pmcs[3] = { { .reg_num = 1 }, { .reg_num = 2 }, { .reg_num = 9 } };
	char text[200];

	CHECK_EQ(perfmon_bad_element(PFM_WRITE_PMCS, pmcs, 3), -1);
	pmcs[2].reg_flags = PFM_REG_RETFL_NOTAVAIL;
	CHECK_EQ(perfmon_bad_element(PFM_WRITE_PMCS, pmcs, 3), 2);
	CHECK_EQ(perfmon_bad_element(PFM_WRITE_PMCS, pmcs, 2), -1);
	CHECK_EQ(perfmon_bad_element(PFM_START, pmcs, 3), -1);
	CHECK_STREQ(perfmon_describe_error(text, sizeof(text), PFM_WRITE_PMCS, EINVAL, pmcs, 3),
		    "PFM_WRITE_PMCS: element 2 (PMC9): no such register (PFM_REG_RETFL_NOTAVAIL)");
}

TEST(return_flags_are_told_apart)
{
	pfarg_pmd_t pmd = { .reg_num = 3, .reg_flags = PFM_REG_RETFL_NOSET };
	char text[200];

	perfmon_describe_error(text, sizeof(text), PFM_READ_PMDS, EINVAL, &pmd, 1);
	CHECK(strstr(text, "PMD3") && strstr(text, "PFM_REG_RETFL_NOSET"));
	pmd.reg_flags = PFM_REG_RETFL_EINVAL;
	perfmon_describe_error(text, sizeof(text), PFM_WRITE_PMDS, EINVAL, &pmd, 1);
	CHECK(strstr(text, "invalid"));
	perfmon_describe_error(text, sizeof(text), PFM_WRITE_PMCS, EPERM, &pmd, 1);
	CHECK(strstr(text, "kernel-level"));
}

TEST(return_flags_of_sets_are_told)
{
	pfarg_setdesc_t sets[2] = { { .set_id = 1 }, { .set_id = 7 } };
	char text[200];

	sets[1].set_flags = PFM_SET_RETFL_NOSET;
	CHECK_EQ(perfmon_bad_element(PFM_DELETE_EVTSETS, sets, 2), 1);
	CHECK_STREQ(perfmon_describe_error(text, sizeof(text), PFM_DELETE_EVTSETS, EINVAL, sets, 2),
		    "PFM_DELETE_EVTSETS: element 1 (set7): no such event set (PFM_SET_RETFL_NOSET)");
	sets[1].set_flags = PFM_SET_RETFL_EINVAL;
	perfmon_describe_error(text, sizeof(text), PFM_CREATE_EVTSETS, EINVAL, sets, 2);
	CHECK(strstr(text, "set7") && strstr(text, "timeout"));
}

TEST(errors_mean_what_they_mean_for_the_command)
{
	char text[200];

	perfmon_describe_error(text, sizeof(text), PFM_LOAD_CONTEXT, EBUSY, NULL, 0);
	CHECK(strstr(text, "PFM_LOAD_CONTEXT") && strstr(text, "in use"));
	perfmon_describe_error(text, sizeof(text), PFM_STOP, EBUSY, NULL, 0);
	CHECK(strstr(text, "state"));
	perfmon_describe_error(text, sizeof(text), PFM_STOP, EXDEV, NULL, 0);
	CHECK(strstr(text, strerror(EXDEV)));
	perfmon_describe_error(text, sizeof(text), 0x7777, ENOSYS, NULL, 0);
	CHECK(strstr(text, "no perfmonctl()"));
}

TEST(a_short_buffer_is_not_overrun)
{
	char text[10] = "xxxxxxxxx";

	perfmon_describe_error(text, 5, PFM_STOP, EBUSY, NULL, 0);
	CHECK_EQ(strlen(text), 4);
	CHECK_EQ(text[5], 'x');
}

TEST(names_of_commands_and_types)
{
	CHECK_STREQ(perfmon_command_name(PFM_GET_CONFIG), "PFM_GET_CONFIG");
	CHECK(!perfmon_command_name(0x99));
	CHECK_STREQ(perfmon_reg_type_name(PFM_REG_TYPE_MSR), "MSR");
	CHECK_STREQ(perfmon_reg_type_name(0), "?");
	CHECK_STREQ(perfmon_reg_type_name(1000), "?");
}

TEST(a_message_is_read_whole_or_not)
{
	pfm_msg_t msg = { .msg_type = PFM_MSG_END };
	int pair[2];

	CHECK_OK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair));
	CHECK_EQ(perfmon_read_message(pair[0], &msg), 0);
	CHECK_OK(send(pair[1], &msg, sizeof(msg), 0));
	CHECK_EQ(perfmon_read_message(pair[0], &msg), 1);
	CHECK_EQ(msg.msg_type, PFM_MSG_END);
	CHECK_OK(send(pair[1], "x", 1, 0));
	CHECK_ERRNO(perfmon_read_message(pair[0], &msg), EIO);
	CHECK_ERRNO(perfmon_read_message(-1, &msg), EBADF);
}
