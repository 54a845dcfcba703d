// SPDX-License-Identifier: GPL-2.0
/*
 * A recording that is read while it is written: the same samples as from the file, whatever the
 * sizes of the pieces that arrive, and no memory that grows with time.
 */
#include "unit_recording.h"

#include "../../tools/pfmon/data/stream.h"

static struct stream stream;
static off_t taken;		/* bytes read from the file */

/* Pass on the new part of the file, in pieces of this size. */
static void pass_on(size_t piece)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char bytes[4096];
	ssize_t n;

	CHECK_OK(fd);
	CHECK(piece <= sizeof(bytes));
	while ((n = pread(fd, bytes, piece, taken)) > 0) {
		if (!stream_add(&stream, bytes, (size_t)n, &why))
			FAIL("%s", why.what);
		taken += n;
	}
	close(fd);
}

static void look(void)
{
	pass_on(4096);
	if (!stream_look(&stream, &why))
		FAIL("%s", why.what);
}

static void start(void)
{
	begin();
	stream_begin(&stream);
}

static void stop(void)
{
	end();
	unlink(path);
	stream_free(&stream);
}

/* Samples since the last call in this symbol, or in any, and in this file, or in any. */
static uint64_t seen(const char *symbol, const char *file)
{
	uint64_t sum;

	gather_profile(&gathered, "", &stream.profile, &all_time);
	sum = count(symbol, file);
	gathered_free(&gathered);
	return sum;
}

TEST(each_look_has_the_samples_since_the_last)
{
	start();
	ADD(AT(well_known), AT(well_known), AT(plus_plus));
	look();
	CHECK_EQ(seen("well_known", NULL), 2);
	CHECK_EQ(seen(NULL, NULL), 3);
	CHECK_EQ(stream.profile.event[0].samples, 3);
	ADD(AT(plus_plus), NOWHERE);
	look();
	CHECK_EQ(seen("well_known", NULL), 0);
	CHECK_EQ(seen("space::plus(int)", NULL), 1);
	CHECK_EQ(seen("[unknown]", "[unknown]"), 1);
	look();
	CHECK_EQ(seen(NULL, NULL), 0);
	stop();
}

TEST(pieces_of_any_size_make_records)
{
	size_t piece;

	start();
	for (piece = 1; piece < 100; piece += 7) {
		ADD(AT(well_known), AT(plus_plus), NOWHERE);
		pass_on(piece);
		look();
		CHECK_EQ(seen(NULL, NULL), 3);
	}
	stop();
}

TEST(what_is_no_recording_is_refused)
{
	static const char text[4096] = "pfmon, where are you?";

	stream_begin(&stream);
	CHECK(!stream_add(&stream, text, sizeof(text), &why));
	contains(why.what, "makes no sense");
	stream_free(&stream);
}

TEST(a_record_of_no_size_is_refused)
{
	const uint64_t record[2] = { 0 };

	start();
	pass_on(4096);
	CHECK(!stream_add(&stream, record, sizeof(record), &why));
	stop();
}

#define PLACE	0x40000000ULL

static void map(pid_t pid, const char *file, uint64_t time)
{
	struct mapping mapping = {
		.name = (char *)file, .start = PLACE, .end = PLACE + 0x1000,
		.protection = PROT_READ | PROT_EXEC,
	};
	const struct build_id none = { .size = 0 };

	recording_map(&recording, pid, &mapping, &none, time);
}

/* A sample of another process, at a time. */
static void sample(uint32_t context, uint64_t time)
{
	ticks = time - 1;
	samples_only = true;
	add_to(context, (uint64_t[]){ PLACE }, 1);
}

TEST(what_was_mapped_before_a_look_is_known_after_it)
{
	uint32_t child;

	start();
	map(getpid(), "one", 10);
	sample(0, 11);
	look();
	CHECK_EQ(seen(NULL, "one"), 1);
	recording_fork(&recording, 77, 77, getpid(), getpid(), 20);
	map(getpid(), "two", 30);
	look();
	child = recording_thread(&recording, 77, 77);
	sample(child, 40);
	sample(0, 41);
	look();
	CHECK_EQ(seen(NULL, "one"), 1);
	CHECK_EQ(seen(NULL, "two"), 1);
	recording_exec(&recording, 77, 50);
	sample(child, 60);
	look();
	CHECK_EQ(seen("[unknown]", "[unknown]"), 1);
	stop();
}

TEST(names_before_a_look_are_known_after_it)
{
	start();
	recording_comm(&recording, getpid(), getpid(), "early", 0);
	map(getpid(), "one", 10);
	sample(0, 11);
	look();
	CHECK_STREQ(stream.profile.task[0].comm, "early");
	sample(0, 12);
	recording_comm(&recording, getpid(), getpid(), "later", 13);
	sample(0, 14);
	look();
	CHECK_EQ(stream.profile.ntasks, 2);
	CHECK_STREQ(stream.profile.task[0].comm, "early");
	CHECK_STREQ(stream.profile.task[1].comm, "later");
	sample(0, 15);
	look();
	CHECK_EQ(stream.profile.ntasks, 1);
	CHECK_STREQ(stream.profile.task[0].comm, "later");
	stop();
}

TEST(nothing_grows_with_processes_that_have_ended)
{
	const size_t many = 1000;
	size_t i;

	start();
	map(getpid(), "one", 10);
	for (i = 0; i < many; i++) {
		const pid_t pid = (pid_t)(1000000 + i);
		const uint64_t time = 100 + 10 * i;

		recording_fork(&recording, pid, pid, getpid(), getpid(), time);
		recording_comm(&recording, pid, pid, "child", time + 1);
		map(pid, "two", time + 2);
		sample(recording_thread(&recording, pid, pid), time + 3);
		recording_exit(&recording, pid, pid, time + 4);
		look();
		CHECK_EQ(seen(NULL, "two"), 1);
	}
	for (i = 0; i < 3; i++) {
		sample(0, 100000 + i);
		look();
	}
	CHECK_EQ(seen(NULL, "one"), 1);
	CHECK(stream.profile.processes.nprocesses <= 3);
	CHECK(stream.profile.processes.nthreads <= 3);
	CHECK_EQ(stream.profile.ntasks, 1);
	stop();
}

TEST(nothing_grows_with_mappings_that_come_and_go)
{
	uint64_t i;

	start();
	for (i = 1; i <= 1000; i++) {
		map(getpid(), "one", 10 * i);
		sample(0, 10 * i + 1);
		recording_unmap(&recording, getpid(), PLACE, PLACE + 0x1000, 10 * i + 2);
		if (i % 10 == 0)
			look();
	}
	CHECK(processes_get(&stream.profile.processes, getpid())->n <= 20);
	CHECK_EQ(seen(NULL, "one"), 10);
	stop();
}

/* Later its number belongs to another process. */
TEST(a_process_with_the_number_of_one_that_has_ended_stays)
{
	size_t i;

	start();
	map(77, "one", 10);
	recording_exit(&recording, 77, 77, 20);
	look();
	map(77, "two", 30);
	for (i = 0; i < 3; i++)
		look();
	sample(recording_thread(&recording, 77, 77), 40);
	look();
	CHECK_EQ(seen(NULL, "two"), 1);
	stop();
}
