// SPDX-License-Identifier: GPL-2.0
/* The default sampling format: the buffer's header, a full buffer, and event sets. */
#include "minimal_standard.h"
#include "sampling.h"
#include "system.h"

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
	/* The message names all of them. */
	expect_overflow(buffer.fd, 0, BIT_ULL(0) | BIT_ULL(2) | BIT_ULL(3) | BIT_ULL(fifth->pmd));
	CHECK_EQ(ledger(buffer.fd, "overflows"), 4);
	CHECK_EQ(ledger(buffer.fd, "recorded"), 3);
	CHECK_EQ(ledger(buffer.fd, "lost-full"), 1);
	check_ledger(buffer.fd);
	/* All restart together. */
	restart(buffer.fd);
	loop(3000);
	CHECK_EQ(samples(&buffer), 3);
	CHECK_EQ(read_pmd(buffer.fd, 1), 6000);
}

/* Samples of another size come to lie over the values of earlier ones, all of them ones. */
/* covers: D.2-4 */
TEST(nothing_of_earlier_samples_shows_in_the_padding_of_new_ones)
{
	struct buffer buffer = create_buffer(0, 65536, 0);
	__u64 i, over = 0;

	program(buffer.fd, (struct event){ .reg = 0, .period = 2000, .smpl_pmds = BIT_ULL(3) });
	write_pmd(buffer.fd, 3, ~0ULL);
	load_self(buffer.fd);
	start_rounds_stop(buffer.fd, 10000);
	CHECK_GE(samples(&buffer), 30);
	for (i = 0; i < samples(&buffer); i++)
		over += entry_at(&buffer, i, 0)->pad == 0xffff;
	CHECK_GE(over, 5);
	restart(buffer.fd);
	program(buffer.fd, (struct event){ .reg = 0, .period = 2000 });
	start_rounds_stop(buffer.fd, 10000);
	CHECK_GE(samples(&buffer), 30);
	for (i = 0; i < samples(&buffer); i++)
		CHECK_EQ(entry_at(&buffer, i, 0)->pad, 0);
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
