// SPDX-License-Identifier: GPL-2.0
/*
 * The default sampling format: which samples there are, and what is in
 * them.
 */
#include "blocked.h"
#include "minimal_standard.h"
#include "sampling.h"
#include "system.h"

#include <linux/sched.h>

#define PERIOD	10007

/* User instructions of start_rounds_stop(), by a counter. */
static __u64 count_rounds(__u64 n)
{
	int fd = create_counting(general, 0);
	__u64 total;

	load_self(fd);
	start_rounds_stop(fd, n);
	write_pmd(fd, 0, 0);
	start_rounds_stop(fd, n);
	total = read_pmd(fd, 0);
	CHECK_OK(close(fd));
	return total;
}

/* Exactness. */

struct exact {
	__u64	rounds, period;
	__u32	buf_flags;
};

static void sample_exactly(void *arg)
{
	const struct exact *e = arg;
	__u64 total = count_rounds(e->rounds), expected = total / e->period, first, i, ip;
	struct buffer buffer;

	buffer = create_buffer(0, HDR_SIZE + (expected + 1) * ENTRY_SIZE +
			       largest_sample(0), e->buf_flags);
	sample_self(&buffer, e->period, 0);
	first = start_rounds_stop(buffer.fd, e->rounds);
	CHECK_EQ(read_pmd(buffer.fd, 1), total);
	CHECK_EQ(samples(&buffer), expected);
	CHECK_EQ(ledger(buffer.fd, "overflows"), expected);
	CHECK_EQ(ledger(buffer.fd, "recorded"), expected);
	CHECK_EQ(read_pmd(buffer.fd, 0), -e->period + total % e->period);
	if (e->buf_flags & PFM_DFL_SMPL_NO_HDR) {
		/* Samples without a body: nothing is written. */
		CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE);
		CHECK_EQ(*(const __u64 *)first_sample(&buffer), 0);
		return;
	}
	for (i = 0; i < expected; i++) {
		if (e->buf_flags & PFM_DFL_SMPL_IIP_HDR)
			ip = ((const __u64 *)first_sample(&buffer))[i];
		else
			ip = entry_at(&buffer, i, 0)->ip;
		/* The last sample may be behind the loop. */
		if ((i + 1) * e->period < total - 8)
			CHECK_EQ(ip, expected_ip(first, (i + 1) * e->period));
	}
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	CHECK_OK(close(buffer.fd));
}

/* covers: 3.1.2-18 3.4.1-1 3.5-2 3.5.14-3 3.6-2 3.6-6 3.6.4-6 3.6.4-17 D.8-1 D.8-2 */
TEST(a_known_program_yields_exactly_the_expected_samples)
{
	static const __u64 rounds[] = { 1000, 1251, 1500, 12509, 100000, 1250875 };
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(rounds); i++)
		run_in_child(sample_exactly, &(struct exact){ rounds[i], PERIOD, 0 });
}

/* covers: 3.6.2-4 3.6.2-5 D.8-1 D.8-2 */
TEST(samples_are_exact_with_every_kind_of_header)
{
	need_pmu();
	run_in_child(sample_exactly, &(struct exact){ 300000, PERIOD, PFM_DFL_SMPL_IIP_HDR });
	run_in_child(sample_exactly, &(struct exact){ 300000, PERIOD, PFM_DFL_SMPL_NO_HDR });
}

/* covers: 3.4.1-10 D.8-1 D.8-2 */
TEST(samples_are_exact_at_every_period_down_to_1000)
{
	static const __u64 periods[] = {
		1000, 1001, 1003, 1007, 1021, 1500, 2000, 2003, 4099, 10000, 32768, 65537, 100003,
	};
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(periods); i++)
		run_in_child(sample_exactly,
			     &(struct exact){ 40000 + periods[i], periods[i], 0 });
}

static void sample_or_lose(void *arg)
{
	const __u64 period = *(__u64 *)arg;
	struct buffer buffer = create_buffer(0, 1 << 20, 0);
	int k;

	leave_window();
	sample_self(&buffer, period, 0);
	for (k = 0; k < 20; k++) {
		start_rounds_stop(buffer.fd, 20000);
		restart(buffer.fd);
	}
	check_ledger(buffer.fd);
	CHECK(ledger(buffer.fd, "recorded") > 0);
	CHECK_EQ(ledger(buffer.fd, "lost-error"), 0);
	CHECK_EQ(ledger(buffer.fd, "lost-full"), 0);
}

/* Overflows that a limit of interrupts suppresses are in the ledger. */
/* covers: D.5-6 */
TEST(recorded_and_lost_samples_are_the_overflows_at_any_period)
{
	static __u64 periods[] = { 1000, 1500, 2000, 3001, 5003, PERIOD };
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(periods); i++)
		with_file(INTERRUPT_RATE_MAX, "100000", sample_or_lose, &periods[i]);
}

/* covers: 3.6.4-3 D.8-1 */
TEST(the_fixed_counter_samples_as_exactly)
{
	struct buffer buffer;
	__u64 total, i, first;

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	total = count_rounds(20000);
	buffer = create_buffer(0, 65536, 0);
	program(buffer.fd, (struct event){ .reg = FIXED_INST, .value = FIXED_USR,
					   .period = PERIOD });
	load_self(buffer.fd);
	first = start_rounds_stop(buffer.fd, 20000);
	CHECK_EQ(samples(&buffer), total / PERIOD);
	for (i = 0; i < samples(&buffer); i++) {
		CHECK_EQ(entry_at(&buffer, i, 0)->ovfl_pmd, FIXED_INST);
		CHECK_EQ(entry_at(&buffer, i, 0)->ip, expected_ip(first, (i + 1) * PERIOD));
	}
}

/* Branches: every eighth instruction of the loop is one, always the same. */
/* covers: 3.6.4-6 D.8-2 */
TEST(samples_of_another_event_point_behind_it)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 first, i, n;

	need_hardware("choice of events");
	program(buffer.fd, (struct event){ .reg = 0, .value = USER_BRANCHES, .period = 1009 });
	load_self(buffer.fd);
	first = start_rounds_stop(buffer.fd, 50000);
	n = samples(&buffer);
	CHECK_GE(n, 49);
	CHECK_LE(n, 50);
	for (i = 0; i < n; i++)
		CHECK_EQ(entry_at(&buffer, i, 0)->ip, first);
}

/* The contents of a sample. */

/* covers: 3.4.1-6 3.5.14-2 3.5.14-18 3.6.4-2 3.6.4-3 3.6.4-5 3.6.4-7 3.6.4-8 */
TEST(a_samples_header_says_who_when_and_where)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	const pfm_default_smpl_entry_t *entry;
	__u64 i, last, after, total = count_rounds(100000);

	pin(0);
	program(buffer.fd, (struct event){ .reg = 2, .period = PERIOD, .short_period = 20011,
					   .long_period = 7 });
	load_self(buffer.fd);
	last = read_pmd(buffer.fd, PFM_PMD_CPU_CLOCK);
	start_rounds_stop(buffer.fd, 100000);
	after = read_pmd(buffer.fd, PFM_PMD_CPU_CLOCK);
	CHECK_EQ(samples(&buffer), 1 + (total - PERIOD) / 20011);
	for (i = 0; i < samples(&buffer); i++) {
		entry = entry_at(&buffer, i, 0);
		CHECK_EQ(entry->pid, getpid());
		CHECK_EQ(entry->tid, gettid());
		CHECK_EQ(entry->ovfl_pmd, 2);
		CHECK_EQ(entry->set, 0);
		CHECK_EQ(entry->cpu, 0);
		CHECK_EQ(entry->pad, 0);
		CHECK_EQ(entry->last_reset_val, i ? -20011ULL : -(__u64)PERIOD);
		CHECK(entry->tstamp > last);
		last = entry->tstamp;
	}
	CHECK(last < after);
}

/* covers: 3.6.4-8 */
TEST(a_samples_header_names_the_cpu_of_its_interrupt)
{
	struct buffer buffer;
	__u64 i, first, second;

	need_cpus(2);
	buffer = create_buffer(0, 65536, 0);
	program(buffer.fd, (struct event){ .reg = 0, .period = 20011 });
	pin(1);
	load_self(buffer.fd);
	start(buffer.fd);
	loop(100000);
	stop(buffer.fd);
	first = samples(&buffer);
	pin(0);
	start(buffer.fd);
	loop(100000);
	stop(buffer.fd);
	second = samples(&buffer);
	CHECK_GE(first, 9);
	CHECK_GE(second, first + 9);
	for (i = 0; i < second; i++)
		CHECK_EQ(entry_at(&buffer, i, 0)->cpu, i < first ? 1 : 0);
}

/* covers: 3.1.2-16 3.1.2-22 3.5.14-14 3.6.4-12 */
TEST(a_samples_body_has_the_wanted_registers_by_increasing_index)
{
	const struct counter *fifth = fifth_counter();
	struct buffer buffer = create_buffer(0, 65536, 0);
	const __u64 *body;
	__u64 i;

	program(buffer.fd, (struct event){
		.reg = 1, .period = PERIOD,
		.smpl_pmds = BIT_ULL(0) | BIT_ULL(2) | BIT_ULL(3) | BIT_ULL(fifth->pmd),
	});
	program(buffer.fd, (struct event){ .reg = 0 });
	program(buffer.fd, (struct event){ .reg = 2, .value = USER_BRANCHES });
	program(buffer.fd, (struct event){ .reg = fifth->pmd, .value = fifth->value,
					   .period = 1000000000 });
	write_pmd(buffer.fd, 3, 0x123456789abcdef);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 100000);
	CHECK_GE(samples(&buffer), 70);
	for (i = 0; i < samples(&buffer); i++) {
		body = body_of(entry_at(&buffer, i, 4));
		CHECK_EQ(body[0], (i + 1) * PERIOD);
		CHECK_EQ(body[1], ((i + 1) * PERIOD - BEFORE_LOOP) / ROUND);
		CHECK_EQ(body[2], 0x123456789abcdef);
		CHECK_EQ(body[3], -1000000000 + (i + 1) * PERIOD);
	}
}

/* covers: 3.6.2-4 3.6.4-16 */
TEST(bodies_without_headers_follow_each_other)
{
	struct buffer buffer = create_buffer(0, 65536, PFM_DFL_SMPL_NO_HDR);
	const __u64 *values;
	__u64 i;

	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1) });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 100000);
	CHECK_GE(samples(&buffer), 70);
	CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE + 8 * samples(&buffer));
	values = (const __u64 *)first_sample(&buffer);
	for (i = 0; i < samples(&buffer); i++)
		CHECK_EQ(values[i], (i + 1) * PERIOD);
}

/* covers: 3.6.2-5 3.6.2-6 */
TEST(an_instruction_pointer_and_a_body_follow_each_other)
{
	struct buffer buffer = create_buffer(0, 65536, PFM_DFL_SMPL_IIP_HDR);
	const __u64 *values;
	__u64 i, first;

	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1) });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	first = start_rounds_stop(buffer.fd, 100000);
	CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE + 16 * samples(&buffer));
	values = (const __u64 *)first_sample(&buffer);
	for (i = 0; i < samples(&buffer); i++) {
		CHECK_EQ(values[2 * i], expected_ip(first, (i + 1) * PERIOD));
		CHECK_EQ(values[2 * i + 1], (i + 1) * PERIOD);
	}
}

/* covers: 3.1.2-42 3.5.14-19 3.5.14-21 3.6.5-2 */
TEST(reset_registers_show_differences_between_samples)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i;

	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD, .smpl_pmds = BIT_ULL(1),
					   .reset_pmds = BIT_ULL(1) });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 100000);
	CHECK_GE(samples(&buffer), 70);
	/* Values are recorded first, and reset then. */
	for (i = 0; i < samples(&buffer); i++)
		CHECK_EQ(body_of(entry_at(&buffer, i, 1))[0], PERIOD);
}

/* covers: 3.5.14-6 3.5.14-7 3.5.14-8 3.6.4-14 3.6.4-15 */
TEST(simultaneous_overflows_are_consecutive_samples_of_one_time)
{
	const struct counter *fifth = fifth_counter();
	struct buffer buffer = create_buffer(0, 65536, 0);
	const __u16 order[] = { 0, 2, (__u16)fifth->pmd };
	const pfm_default_smpl_entry_t *entry;
	__u64 i;

	program(buffer.fd, (struct event){ .reg = fifth->pmd, .value = fifth->value,
					   .period = PERIOD });
	program(buffer.fd, (struct event){ .reg = 2, .period = PERIOD });
	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 100000);
	CHECK_GE(samples(&buffer), 3 * 70);
	CHECK_EQ(samples(&buffer) % 3, 0);
	for (i = 0; i < samples(&buffer); i++) {
		entry = entry_at(&buffer, i, 0);
		CHECK_EQ(entry->ovfl_pmd, order[i % 3]);
		if (i % 3)
			CHECK_EQ(entry->tstamp, entry[-1].tstamp);
		else if (i)
			CHECK(entry->tstamp > entry[-1].tstamp);
	}
	check_ledger(buffer.fd);
}

/* Two periods at once: samples of both sizes, each decoded by its register. */
/* covers: 3.4.1-8 3.6.4-13 3.6.4-16 */
TEST(samples_of_different_sizes_are_told_apart_by_their_register)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	const pfm_default_smpl_entry_t *entry;
	__u64 i, counts[2] = { 0, 0 }, total;
	const char *at;

	program(buffer.fd, (struct event){ .reg = 0, .period = 5003,
					   .smpl_pmds = BIT_ULL(2) | BIT_ULL(3) });
	program(buffer.fd, (struct event){ .reg = 1, .period = PERIOD });
	count_up(buffer.fd, 0, 2);
	write_pmd(buffer.fd, 3, 33);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 50000);
	total = read_pmd(buffer.fd, 2);
	at = first_sample(&buffer);
	for (i = 0; i < samples(&buffer); i++) {
		entry = (const void *)at;
		CHECK(entry->ovfl_pmd < 2);
		counts[entry->ovfl_pmd]++;
		at += ENTRY_SIZE;
		if (entry->ovfl_pmd == 0) {
			CHECK_EQ(body_of(entry)[0], 5003 * counts[0]);
			CHECK_EQ(body_of(entry)[1], 33);
			at += 16;
		}
	}
	CHECK_EQ(at - (const char *)buffer.hdr, buffer.hdr->hdr_cur_offs);
	CHECK_EQ(counts[0], total / 5003);
	CHECK_EQ(counts[1], total / PERIOD);
}

/* covers: 3.1.3-36 3.4.2-8 3.5.14-12 3.5.14-20 3.6.4-5 */
TEST(short_periods_are_random_where_they_are_to_be)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 state = random_first(123), sum = 3000, i, value = -3000ULL, total;

	program(buffer.fd, (struct event){ .reg = 0, .flags = PFM_REGFL_RANDOM, .period = 3000,
					   .short_period = 9000, .long_period = 5, .mask = 0xfff,
					   .seed = 123, .smpl_pmds = BIT_ULL(1) });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 200000);
	total = read_pmd(buffer.fd, 1);
	for (i = 0; sum <= total; i++) {
		CHECK(i < samples(&buffer));
		CHECK_EQ(entry_at(&buffer, i, 1)->last_reset_val, value);
		CHECK_EQ(body_of(entry_at(&buffer, i, 1))[0], sum);
		value = -9000 + (random_next(&state) & 0xfff);
		sum -= value;
	}
	CHECK_EQ(samples(&buffer), i);
}

/* The task that is sampled. */

static void loop_at_gate(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	loop(1000000);
	gate_open(gates[1]);
	gate_wait(gates[0]);
}

/* covers: 3.6-2 3.6.4-2 */
TEST(another_threads_samples_are_its_own)
{
	int gates[2] = { gate_new(), gate_new() };
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i, n, total;
	pid_t pid;

	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD });
	count_up(buffer.fd, 0, 1);
	pid = spawn_without(buffer.fd, loop_at_gate, gates);
	load(buffer.fd, pid);
	start(buffer.fd);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	wait_state(pid, 'S');
	total = read_pmd(buffer.fd, 1);
	n = samples(&buffer);
	CHECK_EQ(n, total / PERIOD);
	CHECK_GE(n, 199);
	for (i = 0; i < n; i++) {
		CHECK_EQ(entry_at(&buffer, i, 0)->pid, pid);
		CHECK_EQ(entry_at(&buffer, i, 0)->tid, pid);
	}
	kill_child(pid);
	expect_end(buffer.fd);
	CHECK_EQ(samples(&buffer), n);
}

static void loop_between_gates(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	loop(20000);
	gate_open(gates[1]);
	gate_wait(gates[2]);
}

/* A child with this number, once it is free. */
static pid_t spawn_as(pid_t number, void (*fn)(void *arg), void *arg)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&number, .set_tid_size = 1,
	};
	pid_t pid;

	while ((pid = syscall(SYS_clone3, &args, sizeof(args))) < 0 && errno == EEXIST)
		sleep_ms(1);
	CHECK_OK(pid);
	if (!pid) {
		fn(arg);
		_exit(0);
	}
	return pid;
}

/* Sample the loop of a thread; the buffer has @from samples of before. */
static void expect_samples_of(const struct buffer *buffer, int *gates, __u64 from, pid_t pid,
			      pid_t tid)
{
	__u64 i;

	load(buffer->fd, tid);
	start(buffer->fd);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	unload(buffer->fd);
	CHECK_GE(samples(buffer), from + 2);
	for (i = from; i < samples(buffer); i++) {
		CHECK_EQ(entry_at(buffer, i, 0)->pid, pid);
		CHECK_EQ(entry_at(buffer, i, 0)->tid, tid);
	}
	gate_open(gates[2]);
}

/* The number of a thread that has ended may be that of a process later. */
/* covers: 3.6.4-1 */
TEST(samples_name_the_process_of_a_thread_whose_number_was_used_before)
{
	int gates[3] = { gate_new(), gate_new(), gate_new() };
	struct buffer buffer = create_buffer(0, 65536, 0);
	struct thread thread;
	pid_t pid;

	program(buffer.fd, (struct event){ .reg = 0, .period = 5000 });
	thread_start(&thread, loop_between_gates, gates);
	expect_samples_of(&buffer, gates, 0, getpid(), thread.tid);
	thread_join(&thread);
	pid = spawn_as(thread.tid, loop_between_gates, gates);
	expect_samples_of(&buffer, gates, samples(&buffer), pid, pid);
	reap(pid);
}

static void check_waiting(void *data, int round)
{
	const struct buffer *buffer = data;
	const __u64 most = capacity(buffer, 0);

	expect_overflow(buffer->fd, 0, BIT_ULL(0));
	CHECK_EQ(samples(buffer), most);
	CHECK_EQ(read_pmd(buffer->fd, 1), 2000 * most * round);
}

/* covers: 3.5.14-22 3.6.5-13 */
TEST(a_blocked_thread_waits_while_its_full_buffer_is_read)
{
	struct buffer buffer = create_buffer(PFM_FL_NOTIFY_BLOCK, 4096, 0);

	sample_blocked(buffer.fd, 2000, check_waiting, &buffer);
}

/* covers: 3.6-3 3.6.4-1 3.6.4-9 */
TEST(a_system_wide_buffer_says_who_ran)
{
	struct buffer buffer = create_buffer(PFM_FL_SYSTEM_WIDE, 1 << 18, 0);
	const pfm_default_smpl_entry_t *entry;
	__u64 i, ours = 0, childs = 0;
	int cpu = 0;
	pid_t pid;

	program(buffer.fd, (struct event){ .reg = 0, .period = PERIOD });
	load_on(buffer.fd, 0);
	start(buffer.fd);
	loop(500000);
	pid = spawn(loop_once, &cpu);
	reap(pid);
	stop(buffer.fd);
	for (i = 0; i < samples(&buffer); i++) {
		entry = entry_at(&buffer, i, 0);
		CHECK_EQ(entry->cpu, 0);
		ours += entry->pid == getpid() && entry->tid == gettid();
		childs += entry->pid == pid;
	}
	CHECK_GE(ours, 99);
	CHECK_GE(childs, 19);
	check_ledger(buffer.fd);
}

/* True for an address of the kernel's half; otherwise it is a user's. */
static bool is_kernel_ip(__u64 ip)
{
	return ip >> 63;
}

/* covers: 4.4.1-1 */
TEST(the_kernel_level_of_one_of_several_counters_is_sampled_whichever_it_is)
{
	const pfm_default_smpl_entry_t *entry;
	unsigned int in_kernel, reg, k;
	struct buffer buffer;
	__u64 i;

	need_hardware("instructions of the kernel");
	for (reg = 0; reg < 3; reg++) {
		buffer = create_buffer(0, 65536, 0);
		for (k = 0; k < 3; k++)
			program(buffer.fd, (struct event){
				.reg = k, .period = 20011,
				.value = k == reg ? (ALL_INST & ~EVTSEL_USR) : USER_INST });
		load_self(buffer.fd);
		start(buffer.fd);
		for (i = 0; i < 2000; i++)
			getppid();
		stop(buffer.fd);
		in_kernel = 0;
		for (i = 0; i < samples(&buffer); i++) {
			entry = entry_at(&buffer, i, 0);
			in_kernel += entry->ovfl_pmd == reg && is_kernel_ip(entry->ip);
		}
		CHECK_GE(in_kernel, 1);
		CHECK_OK(close(buffer.fd));
		CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	}
}

/* The interrupt may come after the entry into the kernel. */
/* covers: 4.4.1-1 */
TEST(samples_of_user_level_show_no_address_of_the_kernel)
{
	const long getppid_call[4] = { SYS_getppid };
	struct buffer buffer = create_buffer(0, 1 << 20, PFM_DFL_SMPL_IIP_HDR);
	const __u64 *ips = (const __u64 *)first_sample(&buffer);
	__u64 i, period;

	for (period = 1000; period < 1020; period++) {
		program(buffer.fd, (struct event){ .reg = 0, .period = period });
		load_self(buffer.fd);
		start_call_stop(buffer.fd, 5000, getppid_call);
		unload(buffer.fd);
	}
	CHECK_GE(samples(&buffer), 500);
	for (i = 0; i < samples(&buffer); i++)
		CHECK(ips[i] && ips[i] < 1ULL << 47);
}
