// SPDX-License-Identifier: GPL-2.0
/*
 * The ring sampling format: its parts, their owners, and their contents. Readers that run at the
 * same time are in ring_readers.c.
 */
#include "ring.h"

/* The argument and the buffer. */

/* covers: 6.3.1-1 6.3.1-10 */
TEST(a_new_ring_describes_itself)
{
	struct ring ring = create_ring(0, 3, 4096, MASK);
	__u64 i;

	CHECK_EQ(ring.hdr->hdr_version, PFM_RING_SMPL_VERSION);
	CHECK_EQ(ring.hdr->hdr_flags, MASK);
	CHECK_EQ(ring.hdr->hdr_parts, 3);
	CHECK_EQ(ring.hdr->hdr_part_size, 4096);
	CHECK_EQ(ring.hdr->hdr_sample_max, largest_sample(0));
	CHECK_EQ(ring.hdr->hdr_reader_offs, ring.size - page_size());
	CHECK(ring.hdr->hdr_parts_offs >= sizeof(*ring.hdr));
	CHECK(ring.hdr->hdr_parts_offs + 3 * 4096 <= ring.hdr->hdr_reader_offs);
	for (i = sizeof(*ring.hdr) / 8; i < ring.size / 8; i++)
		CHECK_EQ(((const __u64 *)ring.hdr)[i], 0);
	CHECK_EQ(ring.hdr->hdr_filled, 0);
	CHECK_EQ(ring.hdr->hdr_freed, 0);
	CHECK_EQ(ring.hdr->hdr_masked, 0);
}

/* covers: 6.3.1-9 */
TEST(arguments_that_cannot_be_are_refused)
{
	const __u64 smallest = part_for(1), most = PFM_RING_SMPL_PARTS_MAX;
	int fd;

	need_format(&ring_format);
	CHECK_ERRNO(try_create_ring(0, 4096, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(1, 4096, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(most + 1, 4096, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(~0U, 4096, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(2, 4096, 4), EINVAL);
	CHECK_ERRNO(try_create_ring(2, 4096, 1U << 31), EINVAL);
	CHECK_ERRNO(try_create_ring(2, smallest - 8, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(2, smallest + 4, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(2, 0, 0), EINVAL);
	CHECK_ERRNO(try_create_ring(2, 1ULL << 40, 0), ENOMEM);
	CHECK_ERRNO(try_create_ring(64, 1ULL << 58, 0), ENOMEM);
	CHECK_ERRNO(try_create_ring(2, 1ULL << 63, 0), ENOMEM);
	CHECK_ERRNO(try_create_ring(2, -8ULL, 0), ENOMEM);
	/* 2^64 bytes with the header. */
	CHECK_ERRNO(try_create_ring(most, (~0ULL / most) & ~7ULL, 0), ENOMEM);
	fd = try_create_ring(2, smallest, MASK | POSITION);
	CHECK_OK(fd);
	CHECK_OK(close(fd));
	CHECK_OK(try_create_ring(most, smallest, 0));
}

/* covers: 6.3.1-11 4.3.3-3 */
TEST(the_readers_page_is_writable_and_nothing_else_is)
{
	const int both = PROT_READ | PROT_WRITE;
	struct ring ring = create_ring(0, 2, 4096, POSITION);
	size_t page = page_size();

	CHECK_EQ(try_map_reader(ring.fd, ring.size, both), MAP_FAILED);
	CHECK_EQ(errno, EBUSY);
	CHECK_OK(munmap(ring.reader, page));
	CHECK_EQ(try_map_reader(ring.fd, ring.size, both | PROT_EXEC), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(try_map_reader(ring.fd, ring.size, PROT_WRITE), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(try_map_reader(ring.fd, ring.size - page, both), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(mmap(NULL, page, both, MAP_SHARED, ring.fd, 0), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(mmap(NULL, page, both, MAP_PRIVATE, ring.fd, ring.size - page), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(mmap(NULL, 2 * page, both, MAP_SHARED, ring.fd, ring.size - page), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(mmap(NULL, 2 * page, both, MAP_SHARED, ring.fd, ring.size - 2 * page),
		 MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
	ring.reader = try_map_reader(ring.fd, ring.size, both);
	CHECK_NE(ring.reader, MAP_FAILED);
	CHECK_ERRNO(mprotect(ring.reader, page, both | PROT_EXEC), EACCES);
	CHECK_ERRNO(mprotect((void *)ring.hdr, page, both), EACCES);
	CHECK_ERRNO(mprotect((char *)ring.hdr + ring.size - page, page, both), EACCES);
	CHECK_EQ(mremap(ring.reader, page, 2 * page, MREMAP_MAYMOVE), MAP_FAILED);
	/* The same page twice. */
	ring.reader->reader_position = 4711;
	CHECK_EQ(*(const __u64 *)((const char *)ring.hdr + ring.hdr->hdr_reader_offs), 4711);
	/* Other formats have none. */
	CHECK_EQ(try_map_reader(try_create_smpl(0, 65536, 0), 65536, both), MAP_FAILED);
	CHECK_EQ(errno, EINVAL);
}

/* The samples. */

/* Both formats, on the same program: they agree in every field of a sample but its time. */
static void sample_both(void *arg)
{
	const __u64 period = *(__u64 *)arg, rounds = 40000;
	struct buffer buffer = create_buffer(0, 1 << 20, 0);
	struct ring ring = create_ring(0, 8, part_for(100), MASK);
	const pfm_default_smpl_entry_t *one, *other;
	__u64 first, n, i;

	sample_self(&buffer, period, NOTIFY);
	first = start_rounds_stop(buffer.fd, rounds);
	n = samples(&buffer);
	CHECK_OK(close(buffer.fd));
	ring_self(&ring, period);
	CHECK_EQ(start_rounds_stop(ring.fd, rounds), first);
	CHECK_EQ(ledger(ring.fd, "recorded"), n);
	CHECK_EQ(read_pmd(ring.fd, 1) / period, n);
	CHECK_EQ(filled(&ring), n / 100);
	for (i = 0; i <= n / 100; i++) {
		CHECK_EQ(part_of(&ring, i)->part_number, i);
		CHECK_EQ(part_count(&ring, i), i < n / 100 ? 100 : n % 100);
		CHECK_EQ(part_of(&ring, i)->part_bytes, part_count(&ring, i) * ENTRY_SIZE);
	}
	for (i = 0; i < n; i++) {
		one = entry_at(&buffer, i, 0);
		other = ring_entry(&ring, i / 100, i % 100);
		CHECK_EQ(one->ip, other->ip);
		if ((i + 1) * period < rounds * ROUND)
			CHECK_EQ(other->ip, expected_ip(first, (i + 1) * period));
		CHECK_EQ(other->pid, one->pid);
		CHECK_EQ(other->tid, one->tid);
		CHECK_EQ(other->ovfl_pmd, 0);
		CHECK_EQ(other->set, 0);
		CHECK_EQ(other->pad, 0);
		CHECK_EQ(other->last_reset_val, -period);
		CHECK(!i || other->tstamp > ring_entry(&ring, (i - 1) / 100, (i - 1) % 100)->tstamp);
	}
	check_ledger(ring.fd);
	CHECK_OK(munmap((void *)buffer.hdr, buffer.size));
	close_ring(&ring);
}

/* covers: 6.3.1-3 D.8-1 D.8-2 */
TEST(samples_are_exactly_those_of_the_default_format)
{
	static __u64 periods[] = { 1000, 1003, 1500, 2003, 10007 };
	size_t i;

	need_pmu();
	for (i = 0; i < ARRAY_SIZE(periods); i++)
		run_in_child(sample_both, &periods[i]);
}

/* covers: 6.3.1-3 */
TEST(a_samples_body_has_the_values_that_are_wanted)
{
	struct ring ring = create_ring(0, 2, 4096, 0);
	const char *at;
	__u64 i;

	program(ring.fd, (struct event){ .reg = 0, .period = 2000,
					 .smpl_pmds = BIT_ULL(1) | BIT_ULL(2) });
	count_up(ring.fd, 0, 1);
	write_pmd(ring.fd, 2, 22);
	load_self(ring.fd);
	start_rounds_stop(ring.fd, 2500);
	CHECK_EQ(part_count(&ring, 0), 10);
	CHECK_EQ(part_of(&ring, 0)->part_bytes, 10 * (ENTRY_SIZE + 16));
	at = (const char *)(part_of(&ring, 0) + 1);
	for (i = 0; i < 10; i++, at += ENTRY_SIZE + 16) {
		CHECK_EQ(body_of((const void *)at)[0], 2000 * (i + 1));
		CHECK_EQ(body_of((const void *)at)[1], 22);
	}
}

/* covers: 6.3.1-8 */
TEST(simultaneous_overflows_that_find_no_room_are_counted)
{
	struct ring ring = create_ring(0, 2, part_for(1), MASK);
	int i;

	for (i = 0; i < 4; i++)
		if (i != 1)
			program(ring.fd, (struct event){ .reg = i, .flags = NOTIFY, .period = 3000 });
	count_up(ring.fd, 0, 1);
	load_self(ring.fd);
	start(ring.fd);
	loop(3000);
	check_state(ring.fd, "masked");
	CHECK_EQ(filled(&ring), 2);
	CHECK_EQ(ring_entry(&ring, 0, 0)->ovfl_pmd, 0);
	CHECK_EQ(ring_entry(&ring, 1, 0)->ovfl_pmd, 2);
	CHECK_EQ(ring_entry(&ring, 0, 0)->tstamp, ring_entry(&ring, 1, 0)->tstamp);
	CHECK_EQ(ring.hdr->hdr_lost_full, 1);
	CHECK_EQ(ledger(ring.fd, "overflows"), 3);
	CHECK_EQ(ledger(ring.fd, "recorded"), 2);
	CHECK_EQ(ledger(ring.fd, "lost-full"), 1);
	expect_overflow(ring.fd, 0, BIT_ULL(0) | BIT_ULL(2) | BIT_ULL(3));
	CHECK(!has_message(ring.fd));
}

/* covers: 6.3.1-3 */
TEST(samples_of_event_sets_follow_each_other)
{
	struct ring ring = create_ring(0, 4, part_for(40), MASK);
	const pfm_default_smpl_entry_t *entry;
	__u64 i, n;

	create_trigger_set(ring.fd, 0);
	create_trigger_set(ring.fd, 40000);
	program(ring.fd, (struct event){ .reg = 0, .period = 3000, .threshold = 3 });
	program(ring.fd, (struct event){ .set = 40000, .reg = 1, .period = 2000,
					 .threshold = 2 });
	load_self(ring.fd);
	start_rounds_stop(ring.fd, 20000);
	n = ledger(ring.fd, "recorded");
	CHECK_GE(n, 50);
	CHECK_EQ(filled(&ring), n / 40);
	for (i = 0; i < n; i++) {
		entry = ring_entry(&ring, i / 40, i % 40);
		CHECK_EQ(entry->set, i % 5 < 3 ? 0 : 40000);
		CHECK_EQ(entry->ovfl_pmd, i % 5 < 3 ? 0 : 1);
	}
}

/* Full parts. */

/* covers: 6.3.1-1 6.3.1-4 */
TEST(a_full_part_notifies_and_monitoring_goes_on_in_the_next)
{
	struct ring ring = create_ring(0, 2, part_for(10), 0);

	ring_self(&ring, 2000);
	take_samples(&ring, 9);
	CHECK_EQ(filled(&ring), 0);
	CHECK(!has_message(ring.fd));
	take_samples(&ring, 1);
	CHECK_EQ(filled(&ring), 1);
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	check_state(ring.fd, "loaded");
	take_samples(&ring, 5);
	CHECK(!has_message(ring.fd));
	CHECK_EQ(part_count(&ring, 0), 10);
	CHECK_EQ(part_count(&ring, 1), 5);
	CHECK_EQ(ledger(ring.fd, "recorded"), 15);
	/* Short resets: no overflow was left out. */
	CHECK_EQ(read_pmd(ring.fd, 1) / 2000, 15);
	CHECK_EQ(ring_entry(&ring, 1, 0)->last_reset_val, -2000);
}

/* covers: 6.3.1-6 */
TEST(without_a_restart_the_formats_own_part_is_overwritten)
{
	struct ring ring = create_ring(0, 2, part_for(10), 0);
	pfm_ring_smpl_part_t before;
	__u64 oldest;

	ring_self(&ring, 2000);
	take_samples(&ring, 20);
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	/* The second part is full and stays unchanged until there is a newer one. */
	CHECK_EQ(part_count(&ring, 1), 10);
	CHECK_EQ(ring.hdr->hdr_overwritten, 0);
	before = *part_of(&ring, 0);
	oldest = ring_entry(&ring, 0, 0)->tstamp;
	take_samples(&ring, 37);
	CHECK(!has_message(ring.fd));
	check_state(ring.fd, "loaded");
	CHECK_EQ(filled(&ring), 1);
	CHECK_EQ(ring.hdr->hdr_overwritten, 40);
	CHECK_EQ(part_of(&ring, 1)->part_laps, 4);
	CHECK_EQ(part_count(&ring, 1), 7);
	CHECK(!memcmp(part_of(&ring, 0), &before, sizeof(before)));
	CHECK_EQ(ring_entry(&ring, 0, 0)->tstamp, oldest);
	CHECK_EQ(ledger(ring.fd, "recorded"), 57);
	CHECK_EQ(ledger(ring.fd, "lost-full"), 0);
	CHECK_EQ(read_pmd(ring.fd, 1) / 2000, 57);
	/* After a restart gave a part back, the next full part becomes the tool's. */
	restart(ring.fd);
	CHECK_EQ(ring.hdr->hdr_freed, 1);
	take_samples(&ring, 3);
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	take_samples(&ring, 1);
	CHECK_EQ(filled(&ring), 2);
	CHECK_EQ(part_of(&ring, 2)->part_number, 2);
	CHECK_EQ(part_count(&ring, 2), 1);
	CHECK_EQ(part_of(&ring, 1)->part_laps, 4);
	CHECK_EQ(ring.hdr->hdr_overwritten, 40);
}

/* The part was full already: the tool gets its message with the next sample. */
/* covers: 6.3.1-5 6.3.1-6 */
TEST(a_full_part_is_handed_over_when_another_is_given_back)
{
	struct ring ring = create_ring(0, 2, part_for(5), 0);

	ring_self(&ring, 2000);
	take_samples(&ring, 10);
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	restart(ring.fd);
	CHECK(!has_message(ring.fd));
	take_samples(&ring, 1);
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	CHECK_EQ(filled(&ring), 2);
	CHECK_EQ(part_count(&ring, 1), 5);
	CHECK_EQ(part_count(&ring, 2), 1);
	CHECK_EQ(ring.hdr->hdr_overwritten, 0);
}

/* covers: 6.3.1-2 6.3.1-5 */
TEST(when_all_parts_are_full_monitoring_is_masked_until_a_restart)
{
	struct ring ring = create_ring(0, 2, part_for(10), DOUBLE_FMT_MASK_WHEN_FULL);

	program(ring.fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000,
					 .long_period = 8000 });
	count_up(ring.fd, 0, 1);
	load_self(ring.fd);
	take_samples(&ring, 100);
	check_state(ring.fd, "masked");
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	CHECK(!has_message(ring.fd));
	CHECK_EQ(ring.hdr->hdr_masked, 1);
	CHECK_EQ(filled(&ring), 2);
	CHECK_EQ(read_pmd(ring.fd, 1), 20 * 2000);
	CHECK_EQ(read_pmd(ring.fd, 0), 0);
	restart(ring.fd);
	CHECK_EQ(ring.hdr->hdr_masked, 0);
	CHECK_EQ(ring.hdr->hdr_freed, 1);
	CHECK_EQ(read_pmd(ring.fd, 0), -8000);
	CHECK_EQ(part_of(&ring, 2)->part_number, 2);
	CHECK_EQ(part_count(&ring, 2), 0);
	CHECK_EQ(part_count(&ring, 1), 10);
	take_samples(&ring, 100);
	check_state(ring.fd, "masked");
	expect_overflow(ring.fd, 0, BIT_ULL(0));
	CHECK_EQ(filled(&ring), 3);
	CHECK_EQ(ring_entry(&ring, 2, 0)->last_reset_val, -8000);
	CHECK_EQ(ring_entry(&ring, 2, 1)->last_reset_val, -2000);
	CHECK_EQ(ledger(ring.fd, "recorded"), 30);
	CHECK_EQ(ring.hdr->hdr_overwritten + ring.hdr->hdr_lost_full, 0);
	check_ledger(ring.fd);
}

/* covers: 6.3.1-5 */
TEST(an_active_restart_gives_a_part_back_and_changes_no_counter)
{
	struct ring ring = create_ring(0, 2, part_for(2), MASK);
	__u64 before;

	ring_self(&ring, 20000);
	start(ring.fd);
	loop(25000);
	CHECK_EQ(filled(&ring), 1);
	before = read_pmd(ring.fd, 0);
	restart(ring.fd);
	CHECK(read_pmd(ring.fd, 0) - before < 1000);
	CHECK_EQ(ring.hdr->hdr_freed, 1);
	/* The tool has no other part to give back. */
	restart(ring.fd);
	CHECK_EQ(ring.hdr->hdr_freed, 1);
	check_state(ring.fd, "loaded");
	CHECK_EQ(part_count(&ring, 1), 0);
}

/* covers: 6.3.1-7 */
TEST(many_parts_are_filled_in_turn)
{
	static const __u32 parts[] = { 2, 3, 7, PFM_RING_SMPL_PARTS_MAX };
	struct ring ring;
	__u64 i, n;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(parts); k++) {
		ring = create_ring(0, parts[k], part_for(2), MASK);
		ring_self(&ring, 2000);
			for (n = 0; n < 2 * parts[k] + 1; n++) {
			take_samples(&ring, 2);
			expect_overflow(ring.fd, 0, BIT_ULL(0));
			CHECK_EQ(filled(&ring), n + 1);
			/* The tool is behind by all parts but one. */
			if (n + 2 >= parts[k])
				restart(ring.fd);
		}
		check_state(ring.fd, "loaded");
		for (i = ring.hdr->hdr_freed; i < n; i++) {
			CHECK_EQ(part_of(&ring, i)->part_number, i);
			CHECK_EQ(part_count(&ring, i), 2);
		}
		CHECK_EQ(ledger(ring.fd, "recorded"), 2 * n);
		close_ring(&ring);
	}
}

/* The reader's position. */

/* covers: 6.3.1-12 */
TEST(a_position_gives_parts_back_without_a_call)
{
	static const __u32 flags[] = { POSITION, POSITION | MASK };
	struct ring ring;
	__u64 n;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(flags); k++) {
		ring = create_ring(0, 2, part_for(3), flags[k]);
		ring_self(&ring, 2000);
			for (n = 1; n <= 20; n++) {
			take_samples(&ring, 3);
			CHECK_EQ(filled(&ring), n);
			give_back(&ring, n);
		}
		check_state(ring.fd, "loaded");
		CHECK_EQ(ring.hdr->hdr_freed, 19);
		CHECK_EQ(ring.hdr->hdr_overwritten, 0);
		CHECK_EQ(ring.hdr->hdr_refused, 0);
		CHECK_EQ(read_pmd(ring.fd, 1) / 2000, 60);
		CHECK_EQ(ledger(ring.fd, "recorded"), 60);
		close_ring(&ring);
	}
}

/* covers: 6.3.1-12 */
TEST(a_restart_resumes_when_the_position_has_given_a_part_back)
{
	struct ring ring = create_ring(0, 3, part_for(3), POSITION | MASK);

	ring_self(&ring, 2000);
	take_samples(&ring, 20);
	check_state(ring.fd, "masked");
	/* No part is free yet: the counter waits for its reset as well. */
	CHECK_EQ(read_pmd(ring.fd, 0), 0);
	restart(ring.fd);
	check_state(ring.fd, "masked");
	CHECK_EQ(read_pmd(ring.fd, 0), 0);
	CHECK_EQ(ring.hdr->hdr_masked, 1);
	CHECK_EQ(ring.hdr->hdr_freed, 0);
	give_back(&ring, 3);
	take_samples(&ring, 10);
	CHECK_EQ(filled(&ring), 3);
	restart(ring.fd);
	check_state(ring.fd, "loaded");
	CHECK_EQ(ring.hdr->hdr_freed, 3);
	take_samples(&ring, 7);
	CHECK_EQ(filled(&ring), 5);
	CHECK_EQ(part_count(&ring, 5), 1);
}

/* covers: 6.3.1-13 */
TEST(a_position_that_cannot_be_is_refused_and_counted)
{
	static const __u64 bad[] = {
		4, 1000, ~0ULL, 1ULL << 63, (1ULL << 63) - 1, 1ULL << 32, 0, 1, -2ULL,
	};
	struct ring ring = create_ring(0, 4, part_for(2), POSITION | MASK);
	size_t i;

	ring_self(&ring, 2000);
	take_samples(&ring, 4);
	give_back(&ring, 2);
	take_samples(&ring, 2);
	CHECK_EQ(ring.hdr->hdr_freed, 2);
	CHECK_EQ(filled(&ring), 3);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		give_back(&ring, bad[i]);
		restart(ring.fd);
		CHECK_EQ(ring.hdr->hdr_refused, i + 1);
		CHECK_EQ(ring.hdr->hdr_freed, 2);
	}
	/* Two more parts are free; then wrong positions of the reader free no part. */
	take_samples(&ring, 100);
	check_state(ring.fd, "masked");
	CHECK_EQ(filled(&ring), 6);
	CHECK_EQ(ledger(ring.fd, "recorded"), 12);
	CHECK(ring.hdr->hdr_refused > ARRAY_SIZE(bad));
	restart(ring.fd);
	check_state(ring.fd, "masked");
	give_back(&ring, 6);
	restart(ring.fd);
	check_state(ring.fd, "loaded");
	CHECK_EQ(ring.hdr->hdr_freed, 6);
}

/* covers: 6.3.1-12 */
TEST(a_position_means_nothing_where_it_was_not_asked_for)
{
	struct ring ring = create_ring(0, 2, part_for(2), MASK);

	ring_self(&ring, 2000);
	give_back(&ring, 1);
	take_samples(&ring, 100);
	CHECK_EQ(filled(&ring), 2);
	check_state(ring.fd, "masked");
	CHECK_EQ(ring.hdr->hdr_freed, 0);
	CHECK_EQ(ring.hdr->hdr_refused, 0);
}

/* A full ring stays full; the first overflow of the next session sends the message. */
/* covers: 6.3.1-2 */
TEST(unload_and_load_leave_the_parts)
{
	struct ring ring = create_ring(0, 2, part_for(2), MASK);

	ring_self(&ring, 2000);
	take_samples(&ring, 10);
	check_state(ring.fd, "masked");
	unload(ring.fd);
	CHECK_EQ(filled(&ring), 2);
	ring_self(&ring, 2000);
	take_samples(&ring, 10);
	check_state(ring.fd, "masked");
	CHECK_EQ(filled(&ring), 2);
	CHECK_EQ(ring.hdr->hdr_lost_full, 1);
	CHECK_EQ(ledger(ring.fd, "lost-full"), 1);
	restart(ring.fd);
	take_samples(&ring, 1);
	CHECK_EQ(part_count(&ring, 2), 1);
	CHECK_EQ(part_count(&ring, 1), 2);
}

/* covers: 6.3.1-12 */
TEST(a_full_ring_is_not_full_in_the_next_session_if_the_position_has_given_parts_back)
{
	struct ring ring = create_ring(0, 2, part_for(2), POSITION | MASK);

	ring_self(&ring, 2000);
	take_samples(&ring, 10);
	check_state(ring.fd, "masked");
	CHECK_EQ(filled(&ring), 2);
	unload(ring.fd);
	give_back(&ring, 2);
	ring_self(&ring, 2000);
	take_samples(&ring, 1);
	CHECK_EQ(ring.hdr->hdr_masked, 0);
	CHECK_EQ(ring.hdr->hdr_freed, 2);
	CHECK_EQ(ring.hdr->hdr_lost_full, 0);
	CHECK_EQ(part_of(&ring, 2)->part_number, 2);
	CHECK_EQ(part_count(&ring, 2), 1);
	take_samples(&ring, 1);
	CHECK_EQ(filled(&ring), 3);
	check_state(ring.fd, "loaded");
}

/* covers: 6.3.1-1 */
TEST(the_format_stays_while_a_context_uses_it)
{
	struct ring ring = create_ring(0, 2, 4096, 0);
	char text[64];

	read_sysfs("formats/ring/uuid", text, sizeof(text));
	CHECK_STREQ(text, "711d7c85-07aa-417e-8da3-a0bf" "b44e9d6d");
	read_sysfs("formats/ring/version", text, sizeof(text));
	CHECK_STREQ(text, "1.0");
	ring_self(&ring, 2000);
	start(ring.fd);
	if (remove_format(&ring_format, ring.fd))
		CHECK_ERRNO(try_create_ring(2, 4096, 0), EINVAL);
	need_format(&ring_format);
	CHECK_OK(try_create_ring(2, 4096, 0));
}
