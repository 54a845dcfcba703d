// SPDX-License-Identifier: GPL-2.0
/*
 * Last branch records: each of the branches of lbr.S, from where, to where, and in order, read and
 * sampled; the task that they belong to, and the users that may see the kernel's.
 */
#include "../abi/sampling.h"
#include "../msr.h"
#include "lbr.h"

#include <sys/resource.h>

int known_commands[2] = { PFM_START, PFM_STOP };
static long number = __NR_perfmonctl;

/* If perfmon is a module: as ioctl() of the context's descriptor. */
__attribute__((constructor(103))) static void choose_call(void)
{
	if (!through_device())
		return;
	number = SYS_ioctl;
	known_commands[0] = PFM_IOCTL_COMMAND(PFM_START, 0);
	known_commands[1] = PFM_IOCTL_COMMAND(PFM_STOP, 0);
}

#define SELECT		22
#define DEBUGCTL	23
#define CTL		24
#define FROM		32
#define TO		48
#define RECORDS		16
#define RECORDS_MASK	(~0ULL << FROM)

#define MSR_SELECT	0x1c8
#define MSR_DEBUGCTL	0x1d9
#define MSR_CTL		0x14ce

/* The kinds of branches to record, as in PMC22: 0 selects all kinds that every user may record. */
#define RECORD_KERNEL	0x1ULL
#define NO_USER		0x2ULL
#define KINDS		0x1fcULL
#define LBR		0x1ULL
#define FREEZE		0x800ULL
#define CTL_OS		0x2ULL
#define CTL_USR		0x4ULL
#define BTS_OFF_OS	0x200ULL
#define BTS_OFF_USR	0x400ULL

#define KERNEL_HALF	BIT_ULL(63)

struct records {
	__u64	from[RECORDS];
	__u64	to[RECORDS];
};

static struct records read_records(int fd)
{
	pfarg_pmd_t arg[2 * RECORDS] = { };
	struct records r;
	int i;

	for (i = 0; i < 2 * RECORDS; i++)
		arg[i].reg_num = FROM + i;
	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, arg, 2 * RECORDS));
	for (i = 0; i < RECORDS; i++) {
		r.from[i] = arg[i].reg_value;
		r.to[i] = arg[RECORDS + i].reg_value;
	}
	return r;
}

/* True for architectural records; otherwise they are a model's. */
static bool are_architectural(void)
{
	return has_pmc(CTL);
}

/* IA32_LBR_CTL names the recorded kinds, in an order of its own. */
static __u64 ctl_of(__u64 select)
{
	static const int kinds[] = { 16, 19, 20, 21, 18, 17, 22 };
	__u64 ctl = LBR;
	int i;

	if (select & RECORD_KERNEL)
		ctl |= CTL_OS;
	if (!(select & NO_USER))
		ctl |= CTL_USR;
	for (i = 0; i < 7; i++) {
		if (!(select & (4 << i)))
			ctl |= 1 << kinds[i];
	}
	return ctl;
}

static int try_record(int fd, __u64 select)
{
	if (are_architectural())
		return try_write_pmc(fd, CTL, ctl_of(select));
	if (try_write_pmc(fd, SELECT, select))
		return -1;
	return try_write_pmc(fd, DEBUGCTL, LBR);
}

static void record(int fd, __u64 select)
{
	/* The value 0 is the default, and need not be written. */
	if (!select && !are_architectural())
		write_pmc(fd, DEBUGCTL, LBR);
	else
		CHECK_OK(try_record(fd, select));
}

/* A context on ourselves that records the kinds in @select. */
static int recording(__u64 select)
{
	int fd = create(0);

	record(fd, select);
	load_self(fd);
	return fd;
}

/* The first run is without a context: it brings in all pages. */
static void run_known(int fd)
{
	static bool touched;

	if (!touched)
		known_run(-1, number);
	touched = true;
	CHECK_EQ(known_run(fd, number), 0);
}

/*
 * The records are those of the known branches that have none of the kinds @without, up to the one
 * with this @count, after the return from the call that started the context.
 */
static void check_known(const struct records *r, __u64 without, __u64 count, bool kernel)
{
	const struct known *k;
	unsigned int i = 0;

	for (k = known_last; k >= known_list; k--) {
		if ((k->kind & without) || k->count > count)
			continue;
		CHECK_EQ(r->from[i], k->from);
		CHECK_EQ(r->to[i], k->to);
		i++;
	}
	if (!(without & 0x100)) {
		if (kernel)
			CHECK(r->from[i] & KERNEL_HALF);
		else
			CHECK_EQ(r->from[i], 0);
		CHECK_EQ(r->to[i], (unsigned long)known_start);
		i++;
	}
	for (; i < RECORDS && !kernel; i++)
		CHECK_EQ(r->from[i] | r->to[i], 0);
}

TEST(each_branch_is_recorded_most_recent_first)
{
	struct records r;
	int fd, n;

	/* In a new context each time, so records of earlier runs are 0. */
	for (n = 0; n < 3; n++) {
		fd = recording(0);
		run_known(fd);
		r = read_records(fd);
		check_known(&r, 0, ~0ULL, false);
		CHECK_OK(close(fd));
	}
}

TEST(each_kind_of_branch_can_be_left_out)
{
	struct records r;
	__u64 kind;
	int fd;

	for (kind = 4; kind & KINDS; kind <<= 1) {
		fd = recording(kind);
		run_known(fd);
		r = read_records(fd);
		check_known(&r, kind, ~0ULL, false);
		CHECK_OK(close(fd));
		fd = recording(KINDS & ~kind);
		run_known(fd);
		r = read_records(fd);
		check_known(&r, KINDS & ~kind, ~0ULL, false);
		CHECK_OK(close(fd));
	}
}

TEST(records_can_be_written_with_any_value)
{
	struct records r;
	int fd = recording(0), i;

	for (i = 0; i < 2 * RECORDS; i++)
		write_pmd(fd, FROM + i, 0x8123456789abcdefULL << i);
	run_known(fd);
	r = read_records(fd);
	CHECK_EQ(r.from[0], known_last->from);
	CHECK_EQ(r.to[0], known_last->to);
	/* Records that remain are addresses, and none is the kernel's. */
	for (i = 0; i < RECORDS; i++)
		CHECK_EQ((r.from[i] | r.to[i]) >> 47, 0);
}

/* Sample the records after this number of branches, taken or not, at user level. */
static struct records sample_known(__u64 count, __u64 select)
{
	struct buffer buffer = create_buffer(0, HDR_SIZE + 4 * largest_sample(0), 0);
	pfarg_pmc_t pmc = {
		.reg_num = 0, .reg_value = USER_BRANCHES, .reg_smpl_pmds = { RECORDS_MASK },
	};
	pfarg_pmd_t pmd = {
		.reg_num = 0, .reg_value = -count, .reg_long_reset = -1000000,
		.reg_short_reset = -1000000,
	};
	const __u64 *body;
	struct records r;

	CHECK_OK(perfmonctl(buffer.fd, PFM_WRITE_PMCS, &pmc, 1));
	CHECK_OK(perfmonctl(buffer.fd, PFM_WRITE_PMDS, &pmd, 1));
	record(buffer.fd, select);
	load_self(buffer.fd);
	run_known(buffer.fd);
	CHECK_EQ(buffer.hdr->hdr_count, 1);
	body = body_of(entry_at(&buffer, 0, 2 * RECORDS));
	memcpy(r.from, body, sizeof(r.from));
	memcpy(r.to, body + RECORDS, sizeof(r.to));
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_OK(close(buffer.fd));
	return r;
}

TEST(a_sample_has_the_branches_up_to_the_one_that_overflows)
{
	const __u64 last = known_last->count;
	struct records r;
	__u64 count;

	for (count = 1; count <= last; count++) {
		r = sample_known(count, 0);
		check_known(&r, 0, count, false);
	}
}

/* The branches of the interrupt itself in the kernel would fill the ring. */
TEST(an_overflow_freezes_the_records_of_the_kernel_too)
{
	const __u64 last = known_last->count;
	struct records r;
	__u64 count;

	for (count = 1; count <= last; count++) {
		r = sample_known(count, RECORD_KERNEL);
		check_known(&r, 0, count, true);
	}
}

/* Any number of records of branches in the kernel. */
static unsigned int of_kernel(const struct records *r)
{
	unsigned int i, n = 0;

	for (i = 0; i < RECORDS; i++)
		n += !!((r->from[i] | r->to[i]) & KERNEL_HALF);
	return n;
}

TEST(a_user_level_set_sees_no_kernel_address)
{
	unsigned int i, returns = 0;
	struct records r;
	int fd = recording(KINDS & ~0x100), n;

	/* Far branches only: all are returns from the kernel. */
	start(fd);
	for (n = 0; n < 50; n++)
		syscall(SYS_getppid);
	r = read_records(fd);
	CHECK_EQ(of_kernel(&r), 0);
	stop(fd);
	r = read_records(fd);
	CHECK_EQ(of_kernel(&r), 0);
	for (i = 0; i < RECORDS; i++)
		returns += !r.from[i] && r.to[i];
	CHECK_EQ(returns, RECORDS);

	CHECK_OK(close(fd));
	fd = recording(RECORD_KERNEL);
	start(fd);
	syscall(SYS_getppid);
	stop(fd);
	r = read_records(fd);
	CHECK(of_kernel(&r) > 0);
	/* Records of the kernel are no longer shown when the set becomes a user's. */
	CHECK_OK(try_record(fd, 0));
	start(fd);
	stop(fd);
	r = read_records(fd);
	CHECK_EQ(of_kernel(&r), 0);
}

TEST(recording_the_kernel_takes_permission)
{
	int fd = create(0);

	CHECK_OK(try_record(fd, RECORD_KERNEL));
	CHECK_OK(setresuid(NOBODY, NOBODY, NOBODY));
	CHECK_ERRNO(try_record(fd, RECORD_KERNEL), EPERM);
	CHECK_ERRNO(try_record(fd, RECORD_KERNEL | KINDS), EPERM);
	CHECK_OK(try_record(fd, KINDS | NO_USER));
	CHECK_OK(try_record(fd, 0));
	load_self(fd);
	run_known(fd);
	CHECK_EQ(read_pmd(fd, FROM), known_last->from);
}

static __u64 read_msr(__u32 msr)
{
	int fd = open_msrs(0, O_RDONLY);
	__u64 value = rdmsr(fd, msr);

	CHECK_OK(close(fd));
	return value;
}

static void write_msr(__u32 msr, __u64 value)
{
	int fd = open_msrs(0, O_RDWR);

	wrmsr(fd, msr, value);
	CHECK_OK(close(fd));
}

/* IA32_DEBUGCTL of a set that records */
static __u64 debugctl_on(void)
{
	return are_architectural() ? FREEZE : LBR | FREEZE;
}

static void check_off(void)
{
	CHECK_EQ(read_msr(MSR_DEBUGCTL), 0);
	if (are_architectural())
		CHECK_EQ(read_msr(MSR_CTL), 0);
}

TEST(recording_is_on_while_a_set_runs_that_wants_it)
{
	int fd, without;

	pin(0);
	fd = recording(RECORD_KERNEL | 0x80);
	check_off();
	start(fd);
	CHECK_EQ(read_msr(MSR_DEBUGCTL), debugctl_on());
	if (are_architectural())
		CHECK_EQ(read_msr(MSR_CTL), ctl_of(RECORD_KERNEL | 0x80));
	else
		CHECK_EQ(read_msr(MSR_SELECT), 0x80);
	stop(fd);
	check_off();
	unload(fd);

	without = create(0);
	write_pmc(without, 0, USER_BRANCHES);
	load_self(without);
	start(without);
	check_off();
	/* Nor does the filter remain. */
	if (!are_architectural())
		CHECK_EQ(read_msr(MSR_SELECT), 0x1);
	stop(without);
	CHECK(read_pmd(without, 0) > 0);
}

TEST(other_bits_of_debugctl_are_as_others_leave_them)
{
	int fd;

	pin(0);
	fd = recording(0);
	write_msr(MSR_DEBUGCTL, BTS_OFF_OS);
	start(fd);
	CHECK_EQ(read_msr(MSR_DEBUGCTL), BTS_OFF_OS | debugctl_on());
	write_msr(MSR_DEBUGCTL, BTS_OFF_USR | LBR | FREEZE);
	stop(fd);
	CHECK_EQ(read_msr(MSR_DEBUGCTL), BTS_OFF_USR);
	write_msr(MSR_DEBUGCTL, 0);
}

/* As a write by another driver that the PMU's interrupt has interrupted. */
TEST(what_was_recorded_while_nobody_wanted_it_is_dropped)
{
	struct records r;
	int fd;

	if (are_architectural())
		SKIP("this PMU has no other owner of IA32_LBR_CTL");
	pin(0);
	fd = recording(0);
	run_known(fd);
	write_msr(MSR_DEBUGCTL, LBR | FREEZE);
	run_known(fd);
	/* The records are those of the second run, all of them, and none in between. */
	r = read_records(fd);
	check_known(&r, 0, ~0ULL, false);
	CHECK_EQ(read_msr(MSR_DEBUGCTL), 0);
}

/* Two threads that take turns on a CPU. */

struct turn {
	long		(*run)(int fd, long number, long rounds);
	const char	*end;
	struct records	records;
};

#define ROUNDS	40

static pthread_barrier_t both;

static void *yield_often(void *arg)
{
	struct rusage before, after;
	struct turn *turn = arg;
	int fd;

	take_turns(0);
	fd = recording(0);
	pthread_barrier_wait(&both);
	CHECK_OK(getrusage(RUSAGE_THREAD, &before));
	CHECK_EQ(turn->run(fd, number, ROUNDS), 0);
	CHECK_OK(getrusage(RUSAGE_THREAD, &after));
	CHECK(after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw > ROUNDS / 2);
	turn->records = read_records(fd);
	CHECK_OK(close(fd));
	return NULL;
}

static void check_turn(const struct turn *turn)
{
	__u64 first = (unsigned long)turn->run, end = (unsigned long)turn->end;
	const struct records *r = &turn->records;
	unsigned int i, own = 0;

	for (i = 0; i < RECORDS; i++) {
		/* Records are of this thread, or returns from the kernel to it. */
		CHECK(r->to[i] >= first && r->to[i] < end);
		CHECK(!r->from[i] || (r->from[i] >= first && r->from[i] < end));
		own += !!r->from[i];
	}
	CHECK(own >= RECORDS / 2);
}

TEST(each_of_two_threads_has_its_own_records)
{
	struct turn turns[2] = {
		{ .run = left_run, .end = left_end }, { .run = right_run, .end = right_end },
	};
	pthread_t threads[2];
	int i;

	CHECK_EQ(pthread_barrier_init(&both, NULL, 2), 0);
	for (i = 0; i < 2; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, yield_often, &turns[i]), 0);
	for (i = 0; i < 2; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	for (i = 0; i < 2; i++)
		check_turn(&turns[i]);
}
