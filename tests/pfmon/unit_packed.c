// SPDX-License-Identifier: GPL-2.0
/*
 * Compressed recordings: they contain the same as others, flushed data survives any end, and no
 * block harms the reader.
 */
#include "unit_recording.h"
#include "../../tools/pfmon/data/pack.h"

#define MANY	50000

static void begin_packed(void)
{
	about.compress = 1;
	begin();
}

/* Samples as programs have them: few addresses, each often. */
static void add_many(size_t n)
{
	uint64_t *at = calloc(n, sizeof(*at));
	size_t i;

	for (i = 0; i < n; i++)
		at[i] = i % 3 ? AT(well_known) : AT(plus_plus) + i % 7 % 2;
	add(at, n);
	free(at);
}

static off_t size_of_file(void)
{
	struct stat info;

	CHECK_OK(stat(path, &info));
	return info.st_size;
}

TEST(it_reads_as_if_it_were_not_and_is_a_quarter)
{
	uint64_t known, plus;
	off_t size;

	begin();
	add_many(MANY);
	end();
	size = size_of_file();
	load();
	known = count("well_known", NULL);
	plus = count("space::plus(int)", NULL);
	CHECK_EQ(known + plus, MANY);
	profile_free(&profile);
	gathered_free(&gathered);
	memset(&maps, 0, sizeof(maps));
	maps.pid = getpid();
	snprintf(path, sizeof(path), "/tmp/unit_recording-XXXXXX");
	begin_packed();
	add_many(MANY);
	end();
	CHECK(size_of_file() * 4 < size);
	load();
	CHECK(profile.finished);
	CHECK_EQ(profile.event[0].samples, MANY);
	CHECK_EQ(count("well_known", NULL), known);
	CHECK_EQ(count("space::plus(int)", NULL), plus);
}

TEST(what_was_flushed_is_in_the_file_and_the_rest_is_not)
{
	off_t size;

	begin_packed();
	add_many(100);
	CHECK_EQ(recording.samples, 0);
	recording_flush(&recording);
	CHECK_EQ(recording.samples, 100);
	size = size_of_file();
	add_many(100);
	CHECK_EQ(size_of_file(), size);
	load();
	CHECK_EQ(profile.event[0].samples, 100);
	CHECK(!profile.finished);
	contains(profile.notes.text[0], "the recording was not finished");
}

TEST(a_block_that_is_cut_off_costs_what_is_in_it)
{
	off_t size, flushed;

	begin_packed();
	add_many(100);
	recording_flush(&recording);
	flushed = size_of_file();
	add_many(100);
	end();
	for (size = size_of_file() - 1; size >= flushed; size--) {
		CHECK_OK(truncate(path, size));
		CHECK(profile_load(&profile, path, &with_hits, &why));
		CHECK_EQ(profile.event[0].samples, 100);
		profile_free(&profile);
	}
	unlink(path);
}

/* Refused; or unchanged, if the bit belongs to the description of the compression. */
static bool is_refused(void)
{
	if (!profile_load(&profile, path, &with_hits, &why)) {
		contains(why.what, "is damaged: its record at byte 24 makes no sense");
		return true;
	}
	CHECK_EQ(profile.event[0].samples, 100);
	CHECK_EQ(profile.hits.n, 3);
	CHECK(profile.finished);
	profile_free(&profile);
	return false;
}

/* The checksum detects a change of one bit. */
TEST(a_block_that_was_changed_is_refused)
{
	unsigned int changed = 0, refused = 0;
	unsigned char byte;
	off_t at, size;
	FILE *file;

	begin_packed();
	add_many(100);
	end();
	size = size_of_file();
	file = fopen(path, "r+");
	at = sizeof(struct profile_header) + sizeof(struct profile_packed);
	for (; at < size - 8; at += 5) {
		CHECK_OK(fseek(file, at, SEEK_SET));
		byte = (unsigned char)fgetc(file) ^ 0x10;
		CHECK_OK(fseek(file, at, SEEK_SET));
		fputc(byte, file);
		fflush(file);
		changed++;
		refused += is_refused();
		CHECK_OK(fseek(file, at, SEEK_SET));
		fputc(byte ^ 0x10, file);
		fflush(file);
	}
	fclose(file);
	CHECK(refused * 10 >= changed * 9);
	unlink(path);
}

/* A file with one block of these bytes, whose header has @said as its number of bytes. */
static void write_block(const void *bytes, size_t size, uint64_t said)
{
	struct profile_packed packed = { .size = said };
	struct profile_writer writer;
	struct packer *packer = packer_new(1);
	const void *frame = packer_pack(packer, bytes, size, &packed.packed);

	snprintf(path, sizeof(path), "/tmp/unit_recording-XXXXXX");
	close(mkstemp(path));
	CHECK(profile_create(&writer, path, &why));
	CHECK(profile_write_bytes(&writer, PROFILE_PACKED, &packed, sizeof(packed), frame,
				  packed.packed));
	CHECK(profile_close(&writer, &why));
	packer_free(packer);
}

static void refused_block(const void *bytes, size_t size, uint64_t said)
{
	write_block(bytes, size, said);
	CHECK(!profile_load(&profile, path, &with_hits, &why));
	contains(why.what, "is damaged: its record at byte 24 makes no sense");
	unlink(path);
}

TEST(blocks_that_make_no_sense_are_refused)
{
	struct profile_note note = { .record = { PROFILE_NOTE, sizeof(note), sizeof(note) + 8 } };
	struct {
		struct profile_note	note;
		char			text[8];
	} whole = { note, "text" };

	write_block(&whole, sizeof(whole), sizeof(whole));
	load();
	CHECK_STREQ(profile.notes.text[0], "text");
	profile_free(&profile);
	refused_block(&whole, sizeof(whole), sizeof(whole) - 8);
	refused_block(&whole, sizeof(whole), sizeof(whole) + 8);
	refused_block(&whole, sizeof(whole), UINT64_MAX);
	refused_block(&whole, sizeof(whole) - 8, sizeof(whole) - 8);
	refused_block(&whole, 8, 8);
	whole.note.record.type = PROFILE_PACKED;
	refused_block(&whole, sizeof(whole), sizeof(whole));
	whole.note.record.fixed = 8;
	refused_block(&whole, sizeof(whole), sizeof(whole));
}

TEST(a_full_disk_does_not_count_what_was_not_written)
{
	struct rlimit limit = { 1000, 1000 };

	signal(SIGXFSZ, SIG_IGN);
	begin_packed();
	samples_only = true;
	add_many(50);
	recording_flush(&recording);
	CHECK_EQ(recording.samples, 50);
	CHECK_OK(setrlimit(RLIMIT_FSIZE, &limit));
	add_many(5000);
	CHECK(!recording_end(&recording, 0, false, &why));
	contains(why.what, "File too large");
	CHECK_EQ(recording.samples, 50);
	load();
	CHECK_EQ(profile.event[0].samples, 50);
}

TEST(what_is_too_large_for_a_block_stands_beside_it)
{
	char *text = malloc(PROFILE_WAITING_ROOM + 1);

	memset(text, 'x', PROFILE_WAITING_ROOM);
	text[PROFILE_WAITING_ROOM] = '\0';
	begin_packed();
	recording_note(&recording, "before");
	recording_note(&recording, text);
	recording_note(&recording, "after");
	end();
	load();
	CHECK_EQ(profile.notes.n, 3);
	CHECK_STREQ(profile.notes.text[0], "before");
	CHECK_STREQ(profile.notes.text[1], text);
	CHECK_STREQ(profile.notes.text[2], "after");
	free(text);
}
