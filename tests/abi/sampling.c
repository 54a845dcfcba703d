// SPDX-License-Identifier: GPL-2.0
/*
 * The default sampling format: which samples there are, what is in them, and what
 * happens when the buffer is full.
 */
#include "minimal_standard.h"
#include "sampling.h"
#include "system.h"

#define PERIOD	10007

/* User instructions of start_rounds_stop(), as a counter counts them. */
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

/* Sample ourselves with register 0; register 1 counts. */
static void sample_self(const struct buffer *buffer, __u64 period, __u32 flags)
{
	program(buffer->fd, (struct event){ .reg = 0, .flags = flags, .period = period });
	count_up(buffer->fd, 0, 1);
	load_self(buffer->fd);
}

static __u64 samples(const struct buffer *buffer)
{
	return __atomic_load_n(&buffer->hdr->hdr_count, __ATOMIC_SEQ_CST);
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
	if (e->buf_flags & PFM_DFL_SMPL_NO_HDR)
		return;
	for (i = 0; i < expected; i++) {
		if (e->buf_flags & PFM_DFL_SMPL_IIP_HDR)
			ip = ((const __u64 *)first_sample(&buffer))[i];
		else
			ip = entry_at(&buffer, i, 0)->ip;
		/* The last one may be behind the loop. */
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
		without_throttling(sample_exactly, &(struct exact){ rounds[i], PERIOD, 0 });
}

/* covers: 3.6.2-4 3.6.2-5 D.8-1 D.8-2 */
TEST(samples_are_exact_with_every_kind_of_header)
{
	need_pmu();
	without_throttling(sample_exactly,
			   &(struct exact){ 300000, PERIOD, PFM_DFL_SMPL_IIP_HDR });
	without_throttling(sample_exactly,
			   &(struct exact){ 300000, PERIOD, PFM_DFL_SMPL_NO_HDR });
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
		without_throttling(sample_exactly,
				   &(struct exact){ 40000 + periods[i], periods[i], 0 });
}

/* What the usual limit of interrupts takes away is in the ledger. */
/* covers: D.5-6 */
TEST(recorded_and_lost_samples_are_the_overflows_at_any_period)
{
	static const __u64 periods[] = { 1000, 1500, 2000, 3001, 5003, PERIOD };
	struct buffer buffer;
	size_t i;
	int k;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		leave_window();
		buffer = create_buffer(0, 1 << 20, 0);
		sample_self(&buffer, periods[i], 0);
		for (k = 0; k < 20; k++) {
			start_rounds_stop(buffer.fd, 20000);
			restart(buffer.fd);
		}
		check_ledger(buffer.fd);
		CHECK(ledger(buffer.fd, "recorded") > 0);
		CHECK_EQ(ledger(buffer.fd, "lost-error"), 0);
		CHECK_EQ(ledger(buffer.fd, "lost-full"), 0);
		CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
		CHECK_OK(close(buffer.fd));
	}
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

/* Branches: the loop has one in eight instructions, and always the same. */
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

/* What is in a sample. */

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
	/* Recorded first, reset then. */
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

/* The header and the state of the buffer. */

/* covers: 3.5.5-1 3.6-7 3.6.1-1 3.6.2-1 3.6.2-2 3.6.3-1 3.6.3-4 3.6.3-7 3.6.3-8 3.6.3-9 */
TEST(a_new_buffer_is_empty_and_describes_itself)
{
	struct buffer buffer = create_buffer(0, 12345, PFM_DFL_SMPL_IIP_HDR);

	CHECK_EQ(buffer.hdr->hdr_count, 0);
	CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE);
	CHECK_EQ(buffer.hdr->hdr_overflows, 0);
	CHECK_EQ(buffer.hdr->hdr_buf_size, 12345);
	CHECK_EQ(buffer.hdr->hdr_version, PFM_DEFAULT_SMPL_VERSION);
	CHECK_EQ(buffer.hdr->hdr_flags, PFM_DFL_SMPL_IIP_HDR);
}

/* covers: 3.6.3-2 3.6.3-3 3.6.3-11 3.6.4-12 */
TEST(the_header_counts_samples_and_where_they_end)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i;

	program(buffer.fd, (struct event){ .reg = 0, .period = 2000, .smpl_pmds = BIT_ULL(1) });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	for (i = 0; i < 10; i++) {
		start_rounds_stop(buffer.fd, 1000);
		CHECK_EQ(samples(&buffer), read_pmd(buffer.fd, 1) / 2000);
		CHECK_EQ(buffer.hdr->hdr_cur_offs,
			 HDR_SIZE + samples(&buffer) * (ENTRY_SIZE + 8));
	}
	CHECK_EQ(buffer.hdr->hdr_overflows, 0);
}

/* Fill the buffer of a context that samples ourselves. */
static void fill(const struct buffer *buffer, __u32 flags)
{
	leave_window();
	sample_self(buffer, 2000, flags);
	set_nonblocking(buffer->fd);
	start(buffer->fd);
	loop(1000 * (capacity(buffer, 0) + 5));
	check_state(buffer->fd, "masked");
}

/* covers: 3.6.3-5 3.6.4-18 3.6.5-4 3.6.5-6 3.6.5-7 */
TEST(the_buffer_is_full_when_the_largest_sample_would_not_fit)
{
	static const __u32 flags[] = { 0, PFM_DFL_SMPL_IIP_HDR };
	struct buffer buffer;
	__u64 most, size;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		for (size = 2000; size < 2100; size += 13) {
			buffer = create_buffer(0, size, flags[i]);
			most = capacity(&buffer, 0);
			fill(&buffer, NOTIFY);
			CHECK_EQ(samples(&buffer), most);
			CHECK_EQ(read_pmd(buffer.fd, 1), 2000 * most);
			CHECK_EQ(buffer.hdr->hdr_overflows, 1);
			CHECK_EQ(buffer.hdr->hdr_cur_offs,
				 HDR_SIZE + most * sample_header_size(flags[i]));
			CHECK_EQ(ledger(buffer.fd, "recorded"), most);
			check_ledger(buffer.fd);
			CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
			CHECK_OK(close(buffer.fd));
		}
	}
}

/* covers: 3.6.2-7 3.6.5-6 */
TEST(one_sample_fills_the_smallest_buffer)
{
	struct buffer buffer = create_buffer(0, HDR_SIZE + largest_sample(0), 0);

	fill(&buffer, NOTIFY);
	CHECK_EQ(samples(&buffer), 1);
	CHECK_EQ(read_pmd(buffer.fd, 1), 2000);
	CHECK_EQ(buffer.hdr->hdr_overflows, 1);
}

/* covers: 3.1.4-24 3.1.9-5 3.1.9-21 3.5-1 3.5.14-17 3.5.14-24 3.5.14-25 3.5.14-33 */
/* covers: 3.6.3-10 3.6.5-3 3.6.5-5 3.6.5-9 3.6.5-10 3.6.5-12 3.6.5-13 */
TEST(a_full_buffer_notifies_once_and_masks)
{
	struct buffer buffer = create_buffer(0, 4096, 0);
	__u64 most = capacity(&buffer, 0);

	fill(&buffer, NOTIFY);
	expect_overflow(buffer.fd, 0, BIT_ULL(0));
	CHECK(!has_message(buffer.fd));
	/* The counter that overflowed last was not reset. */
	CHECK_EQ(read_pmd(buffer.fd, 0), 0);
	CHECK_EQ(read_pmd(buffer.fd, 1), 2000 * most);
	loop(10000);
	CHECK_EQ(samples(&buffer), most);
}

/* covers: 3.5.14-17 3.6.5-11 3.6.5-12 3.6.5-13 */
TEST(a_buffer_that_is_full_without_notification_is_saturated)
{
	struct buffer buffer = create_buffer(0, 4096, 0);
	__u64 most = capacity(&buffer, 0);

	fill(&buffer, 0);
	CHECK(!has_message(buffer.fd));
	CHECK_EQ(samples(&buffer), most);
	CHECK_EQ(buffer.hdr->hdr_overflows, 1);
	CHECK_EQ(read_pmd(buffer.fd, 0), 0);
	loop(10000);
	CHECK_EQ(samples(&buffer), most);
	check_state(buffer.fd, "masked");
}

/* covers: 3.1.9-6 3.1.9-22 3.4.1-11 3.5.7-11 3.5.14-26 3.5.15-6 3.6.3-6 3.6.3-12 3.6.5-1 */
/* covers: 3.6.5-14 3.6.5-15 3.6.5-16 3.6.5-18 */
TEST(restart_of_a_full_buffer_empties_it_and_takes_the_long_period)
{
	struct buffer buffer = create_buffer(0, 4096, 0);
	pfm_default_smpl_entry_t first;
	__u64 most = capacity(&buffer, 0);

	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000,
					   .long_period = 8000 });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	start(buffer.fd);
	loop(1000 * (most + 1));
	check_state(buffer.fd, "masked");
	first = *entry_at(&buffer, 0, 0);
	stop(buffer.fd);
	restart(buffer.fd);
	CHECK_EQ(buffer.hdr->hdr_count, 0);
	CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE);
	CHECK_EQ(buffer.hdr->hdr_overflows, 1);
	/* Only the header is reset. */
	CHECK(!memcmp(entry_at(&buffer, 0, 0), &first, sizeof(first)));
	CHECK_EQ(read_pmd(buffer.fd, 0), -8000);
	start(buffer.fd);
	loop(4000 + 1000 * (most - 1));
	check_state(buffer.fd, "masked");
	CHECK_EQ(samples(&buffer), most);
	CHECK_EQ(buffer.hdr->hdr_overflows, 2);
	CHECK_EQ(entry_at(&buffer, 0, 0)->last_reset_val, -8000);
	CHECK_EQ(entry_at(&buffer, 1, 0)->last_reset_val, -2000);
	CHECK_EQ(read_pmd(buffer.fd, 1), 2000 * most + 8000 + 2000 * (most - 1));
	CHECK_EQ(ledger(buffer.fd, "recorded"), 2 * most);
	check_ledger(buffer.fd);
}

/* covers: 3.6.5-19 */
TEST(restart_of_a_saturated_buffer_resumes)
{
	struct buffer buffer = create_buffer(0, 4096, 0);
	__u64 most = capacity(&buffer, 0);

	fill(&buffer, 0);
	restart(buffer.fd);
	CHECK(samples(&buffer) == 0);
	loop(1000 * most);
	CHECK_EQ(samples(&buffer), most);
	CHECK_EQ(buffer.hdr->hdr_overflows, 2);
	CHECK_EQ(read_pmd(buffer.fd, 1), 2 * 2000 * most);
}

/* covers: 3.5.15-8 3.6.5-17 */
TEST(restart_of_a_full_buffer_takes_a_random_long_period)
{
	struct buffer buffer = create_buffer(0, HDR_SIZE + largest_sample(0), 0);
	__u64 state = random_first(9), sum = 2000;
	int i;

	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY | PFM_REGFL_RANDOM,
					   .period = 2000, .long_period = 8000,
					   .short_period = 3, .mask = 0x7ff, .seed = 9 });
	count_up(buffer.fd, 0, 1);
	load_self(buffer.fd);
	start(buffer.fd);
	for (i = 0; i < 10; i++) {
		loop(5000);
		check_state(buffer.fd, "masked");
		CHECK_EQ(read_pmd(buffer.fd, 1), sum);
		restart(buffer.fd);
		sum += 8000 - (random_next(&state) & 0x7ff);
	}
}

/* covers: 3.5.7-11 3.5.15-3 3.6.5-20 */
TEST(an_active_restart_resets_the_header_alone)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 before, period;

	sample_self(&buffer, 20000, 0);
	start(buffer.fd);
	loop(45000);
	CHECK_EQ(samples(&buffer), 4);
	period = read_pmd(buffer.fd, 0);
	restart(buffer.fd);
	before = read_pmd(buffer.fd, 0);
	CHECK(before >= period && before < period + 1000);
	CHECK_EQ(samples(&buffer), 0);
	CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE);
	CHECK_EQ(buffer.hdr->hdr_overflows, 0);
	check_state(buffer.fd, "loaded");
	loop(45000);
	stop(buffer.fd);
	CHECK_EQ(ledger(buffer.fd, "recorded"), read_pmd(buffer.fd, 1) / 20000);
	CHECK_EQ(samples(&buffer), ledger(buffer.fd, "recorded") - 4);
}

/* covers: 3.5.14-28 3.5.14-30 3.5.14-34 3.6.4-18 3.6.5-8 D.5-6 */
TEST(of_simultaneous_overflows_those_that_do_not_fit_are_lost_and_counted)
{
	__u64 size = HDR_SIZE + largest_sample(0) + 2 * ENTRY_SIZE;
	const struct counter *fifth = fifth_counter();
	struct buffer buffer = create_buffer(0, size, 0);
	int i;

	CHECK_EQ(capacity(&buffer, 0), 3);
	for (i = 0; i < 4; i++)
		if (i != 1)
			program(buffer.fd, (struct event){ .reg = i, .flags = i ? 0 : NOTIFY,
							   .period = 3000 });
	count_up(buffer.fd, 0, 1);
	program(buffer.fd, (struct event){ .reg = fifth->pmd, .value = fifth->value,
					   .period = 3000 });
	load_self(buffer.fd);
	set_nonblocking(buffer.fd);
	start(buffer.fd);
	loop(3000);
	check_state(buffer.fd, "masked");
	CHECK_EQ(samples(&buffer), 3);
	for (i = 0; i < 3; i++)
		CHECK_EQ(entry_at(&buffer, i, 0)->ovfl_pmd, i ? i + 1 : 0);
	/* The message names them all. */
	expect_overflow(buffer.fd, 0, BIT_ULL(0) | BIT_ULL(2) | BIT_ULL(3) | BIT_ULL(fifth->pmd));
	CHECK_EQ(ledger(buffer.fd, "overflows"), 4);
	CHECK_EQ(ledger(buffer.fd, "recorded"), 3);
	CHECK_EQ(ledger(buffer.fd, "lost-full"), 1);
	check_ledger(buffer.fd);
	/* All start again together. */
	restart(buffer.fd);
	loop(3000);
	CHECK_EQ(samples(&buffer), 3);
	CHECK_EQ(read_pmd(buffer.fd, 1), 6000);
}

/* covers: 3.1.5-13 3.1.6-7 */
TEST(start_stop_unload_and_load_leave_the_samples)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 n;

	sample_self(&buffer, 2000, 0);
	start_rounds_stop(buffer.fd, 1000);
	n = samples(&buffer);
	CHECK_EQ(n, 4);
	start(buffer.fd);
	stop(buffer.fd);
	CHECK_EQ(samples(&buffer), n);
	unload(buffer.fd);
	CHECK_EQ(samples(&buffer), n);
	load_self(buffer.fd);
	CHECK_EQ(samples(&buffer), n);
	start_rounds_stop(buffer.fd, 1000);
	CHECK_EQ(samples(&buffer), read_pmd(buffer.fd, 1) / 2000);
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

/* covers: 3.5.14-22 3.6.5-13 */
TEST(a_blocked_thread_waits_while_its_full_buffer_is_read)
{
	int gates[2] = { gate_new(), gate_new() };
	struct buffer buffer = create_buffer(PFM_FL_NOTIFY_BLOCK, 4096, 0);
	__u64 most = capacity(&buffer, 0), i;
	pid_t pid;

	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000 });
	count_up(buffer.fd, 0, 1);
	pid = spawn_without(buffer.fd, loop_at_gate, gates);
	load(buffer.fd, pid);
	start(buffer.fd);
	gate_open(gates[0]);
	for (i = 1; i <= 5; i++) {
		expect_overflow(buffer.fd, 0, BIT_ULL(0));
		WAIT_UNTIL(thread_state(pid) == 'S' || thread_state(pid) == 'D');
		CHECK_EQ(samples(&buffer), most);
		CHECK_EQ(read_pmd(buffer.fd, 1), 2000 * most * i);
		restart(buffer.fd);
	}
	kill_child(pid);
	check_ledger(buffer.fd);
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

/* covers: 3.6-4 3.6.4-4 3.7.7-4 */
TEST(samples_name_their_event_set)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i, n;

	create_trigger_set(buffer.fd, 0);
	create_trigger_set(buffer.fd, 40000);
	program(buffer.fd, (struct event){ .reg = 0, .period = 3000, .threshold = 3 });
	program(buffer.fd, (struct event){ .set = 40000, .reg = 1, .period = 2000,
					   .threshold = 2 });
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 20000);
	n = samples(&buffer);
	CHECK_GE(n, 50);
	for (i = 0; i < n; i++) {
		CHECK_EQ(entry_at(&buffer, i, 0)->set, i % 5 < 3 ? 0 : 40000);
		CHECK_EQ(entry_at(&buffer, i, 0)->ovfl_pmd, i % 5 < 3 ? 0 : 1);
	}
}

/* covers: 3.7.7-5 */
TEST(samples_of_different_sets_may_differ_in_size)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	const char *at = first_sample(&buffer);
	const pfm_default_smpl_entry_t *entry;
	__u64 i;

	create_trigger_set(buffer.fd, 0);
	create_trigger_set(buffer.fd, 1);
	program(buffer.fd, (struct event){ .reg = 0, .period = 3000, .threshold = 1,
					   .smpl_pmds = BIT_ULL(2) | BIT_ULL(3) });
	program(buffer.fd, (struct event){ .set = 1, .reg = 0, .period = 2000, .threshold = 1,
					   .smpl_pmds = BIT_ULL(2) });
	write_pmd(buffer.fd, 3, 33);
	count_up(buffer.fd, 1, 2);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 10000);
	CHECK_GE(samples(&buffer), 30);
	for (i = 0; i < samples(&buffer); i++) {
		entry = (const void *)at;
		CHECK_EQ(entry->set, i % 2);
		if (entry->set == 0)
			CHECK_EQ(body_of(entry)[1], 33);
		else
			CHECK_EQ(body_of(entry)[0], 2000 * (i / 2 + 1));
		at += ENTRY_SIZE + (entry->set == 0 ? 16 : 8);
	}
	CHECK_EQ(at - (const char *)buffer.hdr, buffer.hdr->hdr_cur_offs);
}

/* covers: 3.7.7-9 3.7.7-10 */
TEST(a_switch_that_falls_on_a_full_buffer_waits_for_the_restart)
{
	__u64 size = HDR_SIZE + largest_sample(0) + ENTRY_SIZE;
	struct buffer buffer = create_buffer(0, size, 0);

	CHECK_EQ(capacity(&buffer, 0), 2);
	create_trigger_set(buffer.fd, 0);
	create_set(buffer.fd, (pfarg_setdesc_t){ .set_id = 1 });
	program(buffer.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 3000,
					   .threshold = 2 });
	count_up(buffer.fd, 1, 1);
	load_self(buffer.fd);
	start(buffer.fd);
	loop(5000);
	check_state(buffer.fd, "masked");
	CHECK_EQ(runs(buffer.fd, 1), 0);
	expect_overflow(buffer.fd, 0, BIT_ULL(0));
	restart(buffer.fd);
	CHECK_EQ(runs(buffer.fd, 1), 1);
	CHECK_EQ(switch_pmds(buffer.fd, 0), BIT_ULL(0));
	loop(1000);
	stop(buffer.fd);
	CHECK_GE(value_of(buffer.fd, 1, 1), 2000);
}

/* covers: 3.1.2-29 3.6.4-10 */
TEST(the_event_id_changes_nothing_in_the_default_format)
{
	pfarg_pmc_t pmc = { .reg_num = 0, .reg_value = USER_INST,
			    .reg_smpl_eventid = 0xdeadbeefdeadbeef };
	struct buffer buffer = create_buffer(0, 65536, 0);

	sample_self(&buffer, 2000, 0);
	CHECK_OK(perfmonctl(buffer.fd, PFM_WRITE_PMCS, &pmc, 1));
	start_rounds_stop(buffer.fd, 1000);
	CHECK_EQ(samples(&buffer), 4);
	CHECK_EQ(buffer.hdr->hdr_cur_offs, HDR_SIZE + 4 * ENTRY_SIZE);
}

static void call_at_gate(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	for (;;)
		loop(1000);
}

/* covers: 3.6.5-11 */
TEST(a_saturated_buffer_blocks_nobody)
{
	struct buffer buffer = create_buffer(PFM_FL_NOTIFY_BLOCK, 4096, 0);
	int gates[1] = { gate_new() };
	pid_t pid;

	program(buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	pid = spawn_without(buffer.fd, call_at_gate, gates);
	load(buffer.fd, pid);
	start(buffer.fd);
	gate_open(gates[0]);
	WAIT_UNTIL(is_masked(buffer.fd));
	set_nonblocking(buffer.fd);
	CHECK(!has_message(buffer.fd));
	sleep_ms(3);
	CHECK_EQ(thread_state(pid), 'R');
	kill_child(pid);
}

/* covers: 3.6.5-9 */
TEST(a_buffer_that_was_full_when_it_was_loaded_says_so_again)
{
	struct buffer buffer = create_buffer(0, 4096, 0);
	__u64 most = capacity(&buffer, 0);

	fill(&buffer, NOTIFY);
	unload(buffer.fd);
	write_pmd(buffer.fd, 0, -2000);
	load_self(buffer.fd);
	CHECK(!has_message(buffer.fd));
	start(buffer.fd);
	loop(2000);
	check_state(buffer.fd, "masked");
	expect_overflow(buffer.fd, 0, BIT_ULL(0));
	CHECK_EQ(samples(&buffer), most);
	CHECK_EQ(ledger(buffer.fd, "lost-full"), 1);
	check_ledger(buffer.fd);
	restart(buffer.fd);
	CHECK(samples(&buffer) == 0);
}

/* Of the kernel's half of the addresses, or of a user's. */
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

/* The interrupt may come when the kernel has been entered already. */
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
