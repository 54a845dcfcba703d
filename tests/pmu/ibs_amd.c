// SPDX-License-Identifier: GPL-2.0
/*
 * ibs_amd - AMD's Instruction-Based Sampling, through perfmon, on the emulated processor.
 *
 * The samples are exact: a counter of user instructions, recorded with each sample, determines the
 * sampled instruction of a loop. amd.sh runs this.
 */
#include <linux/perf_event.h>

#include "../abi/ibs.h"
#include "../abi/process.h"

#define FETCH_VAL	BIT_ULL(49)
#define CUR_CNT(ctl)	((ctl) >> 32 & 0x7ffffff)

/* For exact samples of a process that shares its CPU. */
#define LONG_PERIOD	0x40000

/* The PMDs of a sample, in the order of recording. */
enum { USER, LINADDR, RIP, DATA, DATA3, TARGET, VALUES };
#define RECORDED	(BIT_ULL(0) | BIT_ULL(FETCH_LINADDR) | BIT_ULL(OP_RIP) | \
			 BIT_ULL(OP_DATA) | BIT_ULL(OP_DATA3) | BIT_ULL(OP_TARGET))

/* A context that records each @nth sample of @unit. */
static struct buffer ibs_buffer(unsigned int unit, __u64 value, __u64 nth)
{
	struct buffer buffer = create_buffer(0, 1 << 20, 0);

	count_up(buffer.fd, 0, 0);
	program(buffer.fd, (struct event){ .reg = 1, .value = ALL_INST, .period = 0 });
	program(buffer.fd, (struct event){ .reg = unit, .value = value, .period = nth,
					   .smpl_pmds = RECORDED });
	return buffer;
}

/*
 * Each sample of the loop is at the instruction that the counter determines, and from one sample to
 * the next there are at most @nth periods: otherwise, a sample between them was lost. @place is the
 * PMD that records the address. Returns the number of samples of the loop.
 */
static unsigned int check_loop_samples(const struct buffer *buffer, unsigned int place,
				       unsigned int nth)
{
	__u64 n = buffer->hdr->hdr_count, i, first = 0, last = 0;
	const pfm_default_smpl_entry_t *entry;
	unsigned int k, found = 0;
	const __u64 *body;

	for (i = 0; i < n; i++) {
		entry = entry_at(buffer, i, VALUES);
		body = body_of(entry);
		if (i && body[USER] - last > nth * PERIOD)
			FAIL("sample %llu comes %llu after the last", i, body[USER] - last);
		last = body[USER];
		k = find_insn(body[place]);
		if (k == INSNS)
			continue;
		if (!found++)
			first = body[USER] + INSNS - k;
		CHECK_EQ((body[USER] + INSNS - k) % INSNS, first % INSNS);
		/* The interrupt comes at the next instruction. */
		CHECK_EQ(entry->ip, insns[k].next);
		if (place != RIP)
			continue;
		CHECK_EQ(body[DATA], insns[k].data);
		CHECK_EQ(body[DATA3], insns[k].data3);
		CHECK_EQ(body[TARGET], insns[k].data & DATA_TAKEN ? insns[k].next : NULL);
	}
	return found;
}

static void run(int fd)
{
	start(fd);
	run_rounds(ROUNDS, &memory);
	stop(fd);
}

static void op_samples(void)
{
	struct buffer buffer = ibs_buffer(OP, OP_EN | OP_INSTRUCTIONS | PERIOD / 16, 1);

	load_self(buffer.fd);
	run(buffer.fd);
	CHECK_GE(check_loop_samples(&buffer, RIP, 1), ROUNDS * INSNS / PERIOD * 9 / 10);
	CHECK_EQ(ledger(buffer.fd, "recorded"), buffer.hdr->hdr_count);
	check_ledger(buffer.fd);
}

TEST(each_op_sample_is_the_instruction_that_the_counters_say)
{
	need_ibs();
	op_samples();
}

static void cycle_samples(void)
{
	struct buffer buffer = ibs_buffer(OP, OP_EN | PERIOD / 16, 1);

	load_self(buffer.fd);
	run(buffer.fd);
	CHECK_GE(check_loop_samples(&buffer, RIP, 1), ROUNDS * INSNS / PERIOD * 9 / 10);
}

TEST(cycles_sample_as_exactly)
{
	need_ibs();
	cycle_samples();
}

static void fetch_samples(void)
{
	struct buffer buffer = ibs_buffer(FETCH, FETCH_EN | PERIOD / 16, 1);

	load_self(buffer.fd);
	run(buffer.fd);
	CHECK_GE(check_loop_samples(&buffer, LINADDR, 1), ROUNDS * INSNS / PERIOD * 9 / 10);
	CHECK(read_pmd(buffer.fd, FETCH_STATUS) & FETCH_VAL);
	/* No sample of the other unit. */
	CHECK_EQ(read_pmd(buffer.fd, OP_RIP), 0);
}

TEST(each_fetch_sample_is_the_instruction_that_the_counters_say)
{
	need_ibs();
	fetch_samples();
}

static void fifth_samples(void)
{
	struct buffer buffer = ibs_buffer(OP, OP_EN | OP_INSTRUCTIONS | PERIOD / 16, 5);
	__u64 rest;

	load_self(buffer.fd);
	run(buffer.fd);
	CHECK_GE(check_loop_samples(&buffer, RIP, 5), ROUNDS * INSNS / PERIOD / 5 * 9 / 10);
	/* From -5 on, and from the same value after each overflow. */
	rest = 5 + read_pmd(buffer.fd, OP);
	CHECK_GE(4, rest);
	CHECK_GE(read_pmd(buffer.fd, 1), (5 * buffer.hdr->hdr_count + rest) * PERIOD);
}

TEST(a_period_of_samples_records_each_nth_of_them)
{
	need_ibs();
	fifth_samples();
}

static void spin_on_first_cpu(void *unused)
{
	pin(0);
	just_spin(unused);
}

/*
 * The other process runs half of the time, and does not count in the period. The counter counts
 * some more: IBS stops with a sample, or is stopped, before the counter, and starts after it.
 */
TEST(another_process_on_the_cpu_is_not_sampled)
{
	__u64 total, samples, sampled;
	pid_t rival;
	int fd, other;

	need_ibs();
	pin(0);
	fd = create(0);
	other = create(0);
	program(fd, (struct event){ .reg = 1, .value = ALL_INST, .period = 0 });
	write_pmc(fd, OP, OP_EN | OP_INSTRUCTIONS | LONG_PERIOD / 16);
	rival = spawn(spin_on_first_cpu, NULL);
	/* It has a context of its own, which does not use IBS. */
	count_up(other, 0, 0);
	load(other, rival);
	start(other);
	load_self(fd);
	start(fd);
	while (read_pmd(other, 0) < 2 * LONG_PERIOD || read_pmd(fd, OP) < 5)
		run_rounds(ROUNDS / 10, &memory);
	stop(fd);
	stop(other);
	samples = read_pmd(fd, OP);
	sampled = samples * LONG_PERIOD + CUR_CNT(read_pmd(fd, OP_STATUS));
	total = read_pmd(fd, 1);
	if (total < sampled || total - sampled > LONG_PERIOD / 2)
		FAIL("%llu samples, %llu instructions in them, %llu in all", samples, sampled,
		     total);
	CHECK(read_pmd(fd, OP_RIP));
	CHECK_EQ(read_pmd(other, OP), 0);
	CHECK_EQ(read_pmd(other, OP_RIP), 0);
	kill_child(rival);
}

TEST(a_sample_stays_with_its_event_set)
{
	int fd;

	need_ibs();
	fd = create(0);
	write_pmc(fd, OP, OP_EN | OP_INSTRUCTIONS | PERIOD / 16);
	CHECK_EQ(read_pmd(fd, OP_RIP), 0);
	load_self(fd);
	run(fd);
	CHECK(read_pmd(fd, OP_RIP));
	unload(fd);
	CHECK(read_pmd(fd, OP_RIP));
	write_pmd(fd, OP_RIP, 0);
	load_self(fd);
	run(fd);
	CHECK(read_pmd(fd, OP_RIP));
}

TEST(periods_below_the_shortest_are_refused)
{
	int fd;

	need_ibs();
	fd = create(0);
	CHECK_ERRNO(try_write_pmc(fd, OP, OP_EN | 0x3ff), EINVAL);
	CHECK_OK(try_write_pmc(fd, OP, OP_EN | 0x400));
	CHECK_ERRNO(try_write_pmc(fd, FETCH, FETCH_EN | 0x3ff), EINVAL);
	CHECK_OK(try_write_pmc(fd, FETCH, FETCH_EN | 0x400));
}

/* No counter overflows, so no context is throttled; both units interrupt as often as they may. */
TEST(the_shortest_periods_leave_time_for_the_program)
{
	int fd;

	need_ibs();
	fd = create(0);
	write_pmc(fd, FETCH, FETCH_EN | 0x400);
	write_pmc(fd, OP, OP_EN | 0x400);
	load_self(fd);
	run(fd);
	CHECK_GE(read_pmd(fd, FETCH), ROUNDS * INSNS / 0x4000);
	CHECK_GE(read_pmd(fd, OP), ROUNDS * INSNS / 0x4000);
}

/* All threads that run on a CPU. */
TEST(a_system_wide_context_samples_others)
{
	pid_t other;
	int fd;

	need_ibs();
	pin(0);
	fd = create(PFM_FL_SYSTEM_WIDE);
	write_pmc(fd, OP, OP_EN | OP_INSTRUCTIONS | PERIOD / 16);
	other = spawn(spin_on_first_cpu, NULL);
	load_self(fd);
	start(fd);
	WAIT_UNTIL(read_pmd(fd, OP) >= 100);
	stop(fd);
	CHECK(read_pmd(fd, OP_RIP));
	kill_child(other);
}

static void ask_unprivileged(void *unused)
{
	int fd;

	(void)unused;
	become(NOBODY, NOBODY);
	fd = create(0);
	CHECK_OK(try_write_pmc(fd, 0, USER_INST));
	CHECK_ERRNO(try_write_pmc(fd, OP, OP_EN | 0x1000), EPERM);
	CHECK_ERRNO(try_write_pmc(fd, FETCH, FETCH_EN | 0x1000), EPERM);
	CHECK_OK(try_write_pmc(fd, OP, 0x1000));
}

static void ask_in_child(void *unused)
{
	run_in_child(ask_unprivileged, unused);
}

TEST(who_may_not_count_the_kernel_may_not_sample)
{
	need_ibs();
	with_file(PARANOID, "2", ask_in_child, NULL);
}

static int try_perf_ibs(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 0x100000 };
	char type[16];

	read_file("/sys/bus/event_source/devices/ibs_op/type", type, sizeof(type));
	attr.type = atoi(type);
	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

TEST(perf_and_perfmon_exclude_each_other)
{
	int fd, counting, perf;

	need_ibs();
	perf = try_perf_ibs();
	CHECK_OK(perf);
	fd = create(0);
	write_pmc(fd, OP, OP_EN | 0x1000);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	counting = create_counting(general, 0);
	load_self(counting);
	CHECK_ERRNO(try_write_pmc(counting, OP, OP_EN | 0x1000), EBUSY);
	unload(counting);
	CHECK_OK(close(perf));
	load_self(fd);
	CHECK_ERRNO(try_perf_ibs(), EBUSY);
	unload(fd);
	perf = try_perf_ibs();
	CHECK_OK(perf);
	CHECK_OK(close(perf));
}

TEST(a_refused_first_register_leaves_ibs_to_perf)
{
	int cpu, idle, perf;

	need_ibs();
	pin(0);
	cpu = create_counting(general, PFM_FL_SYSTEM_WIDE);
	load_self(cpu);
	idle = create(0);
	load_self(idle);
	/* Threads and CPUs exclude each other: no PMU for the thread. */
	CHECK_ERRNO(try_write_pmc(idle, OP, OP_EN | 0x1000), EBUSY);
	perf = try_perf_ibs();
	CHECK_OK(perf);
	CHECK_OK(close(perf));
}

static __u64 read_perf(int perf)
{
	__u64 value;

	CHECK_EQ(read(perf, &value, sizeof(value)), sizeof(value));
	return value;
}

/* The two share no register, though one of them may start its PMU while the other one samples. */
TEST(perf_samples_on_beside_a_session_that_counts)
{
	int perf, counting;
	__u64 before;

	need_ibs();
	pin(0);
	perf = try_perf_ibs();
	CHECK_OK(perf);
	counting = create_counting(general, 0);
	load_self(counting);
	start(counting);
	before = read_perf(perf);
	loop(4000000);
	CHECK_GE(read_perf(perf), before + 3 * 0x100000);
	stop(counting);
	CHECK_OK(close(counting));
	CHECK_OK(close(perf));
}
