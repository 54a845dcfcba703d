// SPDX-License-Identifier: GPL-2.0
/*
 * libperfmon through perf_event_open(): states, values, messages and refusals, command by command.
 * pfmon's use of it is in perf_backend.sh.
 */
#include "../harness.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <perfmon_default_smpl.h>

#include "../../tools/lib/perfmon_lib.h"

/* For the guest's Nehalem: PERFEVTSEL's enable, user and kernel bits, and two events. */
#define ENABLE		(1ULL << 22)
#define USER		(1ULL << 16)
#define KERNEL		(1ULL << 17)
#define INSTRUCTIONS	(ENABLE | USER | 0xc0)
#define BRANCHES	(ENABLE | USER | 0xc4)

#define LOOPS		10000

/* The library reads the environment once, at the first command. */
__attribute__((constructor)) static void choose_backend(void)
{
	setenv("PERFMON", "perf", 1);
}

/* Exactly @loops branches, and some more around them. */
static __attribute__((noinline)) void loop(unsigned long loops)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(loops) : : "cc");
}

static int create(unsigned int flags)
{
	pfarg_ctx_t ctx = { .ctx_flags = flags };
	const int fd = perfmon_create_context(&ctx);

	CHECK_GE(fd, 0);
	return fd;
}

static int create_with_buffer(size_t size, unsigned int flags, unsigned int buffer_flags,
			      size_t *mapped)
{
	struct {
		pfarg_ctx_t		ctx;
		pfm_default_smpl_arg_t	format;
	} arg = {
		.ctx.ctx_flags = flags, .ctx.ctx_smpl_buf_id = PFM_DEFAULT_SMPL_UUID,
		.format.buf_size = size, .format.buf_flags = buffer_flags,
	};
	const int fd = perfmon_create_context(&arg.ctx);

	*mapped = arg.ctx.ctx_smpl_buf_size;
	return fd;
}

static void write_pmc(int fd, unsigned int num, uint64_t value, unsigned int flags)
{
	pfarg_pmc_t pmc = { .reg_num = num, .reg_value = value, .reg_flags = flags };

	CHECK_OK(perfmon_write_pmcs(fd, &pmc, 1));
}

static void write_pmd(int fd, unsigned int num, uint64_t value)
{
	pfarg_pmd_t pmd = { .reg_num = num, .reg_value = value, .reg_long_reset = value,
			    .reg_short_reset = value };

	CHECK_OK(perfmon_write_pmds(fd, &pmd, 1));
}

static uint64_t read_pmd(int fd, unsigned int num, unsigned int flags)
{
	pfarg_pmd_t pmd = { .reg_num = num, .reg_flags = flags };

	CHECK_OK(perfmon_read_pmds(fd, &pmd, 1));
	return pmd.reg_value;
}

static void check_refusal(int error, const char *text)
{
	const struct perfmon_last_error *refusal = perfmon_last_error(error);

	CHECK(refusal && strstr(refusal->what, text));
}

static unsigned int descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

TEST(it_is_this_backend)
{
	CHECK_STREQ(perfmon_backend(), "perf_events");
}

TEST(a_thread_counts_itself_between_start_and_stop)
{
	const int fd = create(0);
	uint64_t first, second;

	write_pmc(fd, 0, BRANCHES, 0);
	CHECK_OK(perfmon_load(fd, gettid()));
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0, 0), 0);
	CHECK_OK(perfmon_start(fd));
	loop(LOOPS);
	CHECK_OK(perfmon_stop(fd));
	first = read_pmd(fd, 0, 0);
	loop(LOOPS);
	second = read_pmd(fd, 0, 0);
	CHECK_GE(first, LOOPS);
	CHECK_LE(first, LOOPS + 500);
	CHECK_EQ(first, second);
	CHECK_OK(perfmon_unload(fd));
	CHECK_EQ(read_pmd(fd, 0, 0), first);
	CHECK_OK(perfmon_close(fd));
}

TEST(values_go_on_from_what_was_written)
{
	const uint64_t high = ~0ULL - 5000;
	const int fd = create(0);
	uint64_t value;

	write_pmc(fd, 1, BRANCHES, 0);
	write_pmd(fd, 1, high);
	CHECK_EQ(read_pmd(fd, 1, 0), high);
	CHECK_OK(perfmon_load(fd, gettid()));
	CHECK_OK(perfmon_start(fd));
	loop(LOOPS);
	CHECK_OK(perfmon_stop(fd));
	value = read_pmd(fd, 1, 0) - high; /* round 2^64 */
	CHECK_GE(value, LOOPS);
	CHECK_LE(value, LOOPS + 500);
	write_pmd(fd, 1, 1000);
	CHECK_EQ(read_pmd(fd, 1, 0), 1000);
	write_pmd(fd, 1, 77);
	CHECK_EQ(read_pmd(fd, 1, PFM_REGFL_READ_RESET), 77);
	CHECK_EQ(read_pmd(fd, 1, 0), 77);
	CHECK_OK(perfmon_close(fd));
}

TEST(the_fixed_counters_are_there)
{
	const int fd = create(0);

	write_pmc(fd, 16, 0x2, 0);
	CHECK_OK(perfmon_load(fd, gettid()));
	CHECK_OK(perfmon_start(fd));
	loop(LOOPS);
	CHECK_OK(perfmon_stop(fd));
	CHECK_GE(read_pmd(fd, 16, 0), 2 * LOOPS);
	CHECK_LE(read_pmd(fd, 16, 0), 2 * LOOPS + 3000);
	CHECK_OK(perfmon_close(fd));
}

TEST(states_are_kept)
{
	const int fd = create(0);

	CHECK_ERRNO(perfmon_start(fd), EBUSY);
	CHECK_ERRNO(perfmon_stop(fd), EBUSY);
	CHECK_ERRNO(perfmon_restart(fd), EBUSY);
	CHECK_ERRNO(perfmon_unload(fd), EBUSY);
	write_pmc(fd, 0, BRANCHES, 0);
	CHECK_ERRNO(perfmon_load(fd, 0), EINVAL);
	CHECK_ERRNO(perfmon_load(fd, 0x3fffffff), ESRCH);
	CHECK_ERRNO(perfmon_load_set(fd, gettid(), 3), EINVAL);
	CHECK_OK(perfmon_load(fd, gettid()));
	CHECK_ERRNO(perfmon_load(fd, gettid()), EBUSY);
	CHECK_ERRNO(perfmon_start_set(fd, 3), EINVAL);
	CHECK_OK(perfmon_start(fd));
	CHECK_OK(perfmon_start(fd));
	CHECK_OK(perfmon_stop(fd));
	CHECK_OK(perfmon_stop(fd));
	CHECK_OK(perfmon_close(fd));
	CHECK_ERRNO(perfmon_start(fd), EBADF);
	CHECK_ERRNO(perfmonctl(fd, 0x7f, NULL, 0), EINVAL);
	CHECK_ERRNO(perfmonctl(0, PFM_CREATE_CONTEXT, NULL, 1), EFAULT);
}

TEST(registers_that_do_not_exist_are_marked)
{
	pfarg_pmc_t pmcs[2] = { { .reg_num = 0, .reg_value = BRANCHES }, { .reg_num = 9 } };
	pfarg_pmd_t pmd = { .reg_num = 256 };
	const int fd = create(0);

	CHECK_ERRNO(perfmon_write_pmcs(fd, pmcs, 2), EINVAL);
	CHECK_EQ(perfmon_bad_element(PFM_WRITE_PMCS, pmcs, 2), 1);
	CHECK(pmcs[1].reg_flags & PFM_REG_RETFL_NOTAVAIL);
	CHECK_ERRNO(perfmon_read_pmds(fd, &pmd, 1), EINVAL);
	CHECK(pmd.reg_flags & PFM_REG_RETFL_NOTAVAIL);
	pmd = (pfarg_pmd_t){ .reg_set = 4 };
	CHECK_ERRNO(perfmon_write_pmds(fd, &pmd, 1), EINVAL);
	CHECK(pmd.reg_flags & PFM_REG_RETFL_NOSET);
	CHECK_OK(perfmon_close(fd));
}

TEST(what_perf_events_cannot_do_is_enosys)
{
	static const unsigned int flags[] = { PFM_REGFL_RANDOM, PFM_REGFL_NO_64BIT_EMUL,
					      PFM_REGFL_OVFL_NOTIFY };
	pfarg_setdesc_t set = { .set_id = 1, .set_flags = PFM_SETFL_OVFL_SWITCH };
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_NOTIFY_BLOCK };
	pfarg_config_t config;
	const int fd = create(0);
	pfarg_pmc_t pmc;
	pfarg_pmd_t pmd;
	unsigned int i;

	CHECK_ERRNO(perfmon_create_context(&ctx), ENOSYS);
	check_refusal(ENOSYS, "cannot block");
	ctx.ctx_flags = PFM_FL_OVFL_NO_MSG;
	CHECK_ERRNO(perfmon_create_context(&ctx), ENOSYS);
	ctx = (pfarg_ctx_t){ .ctx_smpl_buf_id = { 1 } };
	CHECK_ERRNO(perfmon_create_context(&ctx), ENOSYS);
	for (i = 0; i < 3; i++) {
		pmc = (pfarg_pmc_t){ .reg_value = BRANCHES, .reg_flags = flags[i] };
		CHECK_ERRNO(perfmon_write_pmcs(fd, &pmc, 1), ENOSYS);
		CHECK(pmc.reg_flags & PFM_REG_RETFL_EINVAL);
	}
	pmc = (pfarg_pmc_t){ .reg_value = BRANCHES, .reg_smpl_pmds = { 2 } };
	CHECK_ERRNO(perfmon_write_pmcs(fd, &pmc, 1), ENOSYS);
	pmd = (pfarg_pmd_t){ .reg_random_mask = 1 };
	CHECK_ERRNO(perfmon_write_pmds(fd, &pmd, 1), ENOSYS);
	pmd = (pfarg_pmd_t){ .reg_ovflsw_thres = 1 };
	CHECK_ERRNO(perfmon_write_pmds(fd, &pmd, 1), ENOSYS);
	CHECK_ERRNO(perfmon_create_evtsets(fd, &set, 1), ENOSYS);
	CHECK_ERRNO(perfmon_set_config(&config), ENOSYS);
	write_pmc(fd, 0, BRANCHES, 0);
	CHECK_OK(perfmon_load(fd, gettid()));
	pmc = (pfarg_pmc_t){ .reg_value = INSTRUCTIONS };
	CHECK_ERRNO(perfmon_write_pmcs(fd, &pmc, 1), ENOSYS);
	CHECK_OK(perfmon_close(fd));
}

TEST(a_refusal_is_forgotten_at_the_next_command)
{
	pfarg_config_t config;
	char text[200];

	CHECK_ERRNO(perfmon_set_config(&config), ENOSYS);
	perfmon_describe_error(text, sizeof(text), PFM_SET_CONFIG, ENOSYS, NULL, 0);
	CHECK(strstr(text, "PFM_SET_CONFIG: perf_events has none"));
	CHECK_ERRNO(perfmon_start(12345), EBADF);
	CHECK(!perfmon_last_error(ENOSYS));
}

TEST(the_end_of_a_thread_is_a_message)
{
	struct pollfd poller = { .events = POLLIN };
	const int fd = create(0);
	pfm_msg_t msg;
	int link[2];
	pid_t pid;
	char go = 0;

	CHECK_OK(pipe(link));
	pid = fork();
	if (!pid) {
		if (read(link[0], &go, 1) == 1)
			loop(LOOPS);
		_exit(0);
	}
	write_pmc(fd, 0, BRANCHES, 0);
	CHECK_OK(perfmon_load(fd, pid));
	CHECK_OK(perfmon_start(fd));
	poller.fd = fd;
	CHECK_EQ(poll(&poller, 1, 0), 0);
	CHECK_EQ(write(link[1], &go, 1), 1);
	CHECK_EQ(perfmon_read_message(fd, &msg), 1); /* waits */
	CHECK_EQ(msg.msg_type, PFM_MSG_END);
	CHECK_OK(fcntl(fd, F_SETFL, O_NONBLOCK));
	CHECK_EQ(perfmon_read_message(fd, &msg), 0);
	CHECK_EQ(poll(&poller, 1, 0), 0);
	CHECK_GE(read_pmd(fd, 0, 0), LOOPS);
	CHECK_ERRNO(perfmon_stop(fd), EBUSY);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	CHECK_OK(perfmon_close(fd));
	CHECK_ERRNO(perfmon_read_message(0, &msg), EIO);
}

TEST(sets_are_switched_and_add_up)
{
	pfarg_setdesc_t sets[2] = {
		{ .set_id = 0, .set_flags = PFM_SETFL_TIME_SWITCH, .set_timeout.tv_nsec = 1 },
		{ .set_id = 5, .set_flags = PFM_SETFL_TIME_SWITCH,
		  .set_timeout.tv_nsec = 2000000 },
	};
	pfarg_setinfo_t info[2] = { { .set_id = 0 }, { .set_id = 5 } };
	pfarg_pmc_t pmcs[2] = { { .reg_value = BRANCHES },
				{ .reg_set = 5, .reg_value = BRANCHES } };
	pfarg_pmd_t pmds[2] = { { .reg_set = 0 }, { .reg_set = 5 } };
	const int fd = create(0);
	uint64_t sum;

	CHECK_OK(perfmon_create_evtsets(fd, sets, 2));
	CHECK_EQ(sets[0].set_timeout.tv_nsec, 1000000); /* the shortest */
	CHECK_OK(perfmon_write_pmcs(fd, pmcs, 2));
	CHECK_OK(perfmon_load(fd, gettid()));
	CHECK_ERRNO(perfmon_delete_evtsets(fd, sets, 1), EBUSY);
	CHECK_OK(perfmon_start(fd));
	loop(20000000);
	CHECK_OK(perfmon_stop(fd));
	CHECK_OK(perfmon_read_pmds(fd, pmds, 2));
	CHECK_OK(perfmon_getinfo_evtsets(fd, info, 2));
	CHECK_GE(info[0].set_runs, 3);
	CHECK_GE(info[1].set_runs, 3);
	CHECK_GE(info[0].set_act_duration.tv_nsec, 3000000);
	CHECK_GE(pmds[0].reg_value, 1000000);
	CHECK_GE(pmds[1].reg_value, 1000000);
	/* No event is counted twice; few are lost between two sets. */
	sum = pmds[0].reg_value + pmds[1].reg_value;
	CHECK_LE(sum, 20000000 + 20000);
	CHECK_GE(sum, 18000000);
	CHECK_OK(perfmon_unload(fd));
	sets[0].set_id = 5;
	CHECK_OK(perfmon_delete_evtsets(fd, sets, 1));
	CHECK_ERRNO(perfmon_getinfo_evtsets(fd, &info[1], 1), EINVAL);
	CHECK(info[1].set_flags & PFM_SET_RETFL_NOSET);
	CHECK_OK(perfmon_close(fd));
}

/* A full ring is not needed: the samples come when the program asks for them. */
TEST(samples_arrive_with_a_message)
{
	const pfm_default_smpl_hdr_t *header;
	const pfm_default_smpl_entry_t *entry;
	size_t mapped;
	pfm_msg_t msg;
	int fd;

	fd = create_with_buffer(8192, 0, 0, &mapped);
	CHECK_GE(fd, 0);
	header = perfmon_map_buffer(fd, mapped);
	CHECK(header);
	CHECK_EQ(header->hdr_version, PFM_DEFAULT_SMPL_VERSION);
	write_pmc(fd, 0, BRANCHES, PFM_REGFL_OVFL_NOTIFY);
	write_pmd(fd, 0, -1000ULL);
	CHECK_OK(perfmon_load(fd, gettid()));
	CHECK_OK(perfmon_start(fd));
	loop(LOOPS);
	CHECK_OK(perfmon_stop(fd));
	CHECK_EQ(header->hdr_count, 0);
	CHECK_OK(perfmon_sync_buffer(fd));
	CHECK_EQ(header->hdr_count, LOOPS / 1000);
	entry = (const void *)(header + 1);
	CHECK_EQ(entry->tid, gettid());
	CHECK_EQ(entry->ovfl_pmd, 0);
	CHECK_EQ(entry->last_reset_val, -1000ULL);
	CHECK(entry->ip - (uintptr_t)loop < 64);
	CHECK_EQ(perfmon_read_message(fd, &msg), 1);
	CHECK_EQ(msg.msg_type, PFM_MSG_OVFL);
	CHECK_EQ(msg.pfm_ovfl_msg.msg_ovfl_pmds[0], 1);
	CHECK_OK(perfmon_restart(fd));
	CHECK_EQ(header->hdr_count, 0);
	CHECK_OK(munmap((void *)header, mapped));
	CHECK_OK(perfmon_close(fd));
}

TEST(what_finds_no_room_is_in_the_ledger)
{
	char text[1000];
	size_t mapped;
	int fd;

	/* The ring has a page, for 102 samples; the buffer has 10. */
	fd = create_with_buffer(sizeof(pfm_default_smpl_hdr_t) +
				10 * sizeof(pfm_default_smpl_entry_t), 0, 0, &mapped);
	CHECK_GE(fd, 0);
	write_pmc(fd, 0, BRANCHES, PFM_REGFL_OVFL_NOTIFY);
	write_pmd(fd, 0, -10000ULL);
	CHECK_OK(perfmon_load(fd, gettid()));
	CHECK_OK(perfmon_start(fd));
	loop(50 * 10000);
	CHECK_OK(perfmon_stop(fd));
	CHECK_OK(perfmon_unload(fd));
	CHECK_OK(perfmon_read_fdinfo(fd, text, sizeof(text)));
	CHECK(strstr(text, "pfm-recorded: 10\n"));
	CHECK(strstr(text, "pfm-lost-full: 40\n"));
	CHECK(strstr(text, "pfm-overflows: 50\n"));
	CHECK_OK(perfmon_close(fd));
}

TEST(sampling_has_its_limits)
{
	pfarg_pmc_t pmcs[2] = {
		{ .reg_num = 0, .reg_value = BRANCHES, .reg_flags = PFM_REGFL_OVFL_NOTIFY },
		{ .reg_num = 1, .reg_value = BRANCHES, .reg_flags = PFM_REGFL_OVFL_NOTIFY },
	};
	pfarg_pmd_t pmd = { .reg_value = -5ULL, .reg_long_reset = -7ULL,
			    .reg_short_reset = -5ULL };
	size_t mapped;
	int fd;

	CHECK_ERRNO(create_with_buffer(8192, PFM_FL_NOTIFY_BLOCK, 0, &mapped), ENOSYS);
	CHECK_ERRNO(create_with_buffer(8192, 0, PFM_DFL_SMPL_NO_HDR, &mapped), ENOSYS);
	CHECK_ERRNO(create_with_buffer(30, 0, 0, &mapped), EINVAL);
	fd = create_with_buffer(8192, 0, 0, &mapped);
	CHECK_GE(fd, 0);
	CHECK_OK(perfmon_write_pmcs(fd, pmcs, 1));
	CHECK_ERRNO(perfmon_load(fd, gettid()), ENOSYS); /* PMD0 is 0 */
	CHECK_OK(perfmon_write_pmds(fd, &pmd, 1));
	CHECK_ERRNO(perfmon_load(fd, gettid()), ENOSYS);
	check_refusal(ENOSYS, "one period");
	write_pmd(fd, 0, -1000ULL);
	write_pmd(fd, 1, -1000ULL);
	CHECK_OK(perfmon_write_pmcs(fd, pmcs, 2));
	CHECK_ERRNO(perfmon_load(fd, gettid()), ENOSYS);
	check_refusal(ENOSYS, "one event");
	CHECK(!perfmon_map_buffer(fd, mapped + 4096));
	CHECK_OK(perfmon_close(fd));
}

TEST(a_closed_context_leaves_nothing_behind)
{
	const unsigned int before = descriptors();
	size_t mapped;
	int i, fd;

	for (i = 0; i < 50; i++) {
		fd = i % 2 ? create(0) : create_with_buffer(65536, 0, 0, &mapped);
		write_pmc(fd, 0, BRANCHES, i % 2 ? 0 : PFM_REGFL_OVFL_NOTIFY);
		write_pmd(fd, 0, i % 2 ? 0 : -100000ULL);
		CHECK_OK(perfmon_load(fd, gettid()));
		CHECK_OK(perfmon_start(fd));
		CHECK_OK(perfmon_close(fd));
	}
	CHECK_EQ(descriptors(), before);
}

TEST(a_descriptor_that_was_just_closed_gives_way)
{
	const int first = create(0);
	const unsigned int before = descriptors();
	int fd;

	write_pmc(first, 0, BRANCHES, 0);
	CHECK_OK(close(first));
	fd = create(0);
	CHECK_EQ(fd, first);
	CHECK_OK(perfmon_load(fd, gettid())); /* the new one, without events */
	CHECK_OK(perfmon_start(fd));
	CHECK_EQ(read_pmd(fd, 0, 0), 0);
	CHECK_OK(perfmon_close(fd));
	CHECK_LE(descriptors(), before);
}
