// SPDX-License-Identifier: GPL-2.0
/*
 * pfmon's data file when it is damaged, of another version, or cannot be written: a damaged file
 * does not harm its reader.
 */
#include "unit_recording.h"

/* A file of @size bytes, refused with a sentence. */
static void refused(const void *bytes, size_t size, const char *sentence)
{
	char name[] = "/tmp/unit_damage-XXXXXX";
	const int fd = mkstemp(name);
	bool ok;

	CHECK_EQ(write(fd, bytes, size), size);
	close(fd);
	ok = profile_load(&profile, name, &with_hits, &why);
	unlink(name);
	CHECK(!ok);
	contains(why.what, sentence);
}

TEST(files_of_others_are_refused)
{
	struct profile_header header = { .magic = "PFMDATA", .order = PROFILE_ORDER,
					 .major = PROFILE_MAJOR, .size = sizeof(header) };

	header.magic[7] = '\n';
	refused("", 0, " is empty");
	refused("hello", 5, "is no recording of pfmon");
	refused("PERFILE2........................", 32, "is no recording of pfmon");
	contains(why.hint, "perf report");
	refused(&header, 20, "is cut off within its header");
	header.major++;
	refused(&header, sizeof(header), "has version 3.0 of the format");
	header.order = __builtin_bswap32(PROFILE_ORDER);
	refused(&header, sizeof(header), "is from a machine of the other byte order");
	header.order = 0;
	refused(&header, sizeof(header), "is damaged: its header makes no sense");
	header.order = PROFILE_ORDER;
	header.major--;
	header.size = 32;
	refused(&header, sizeof(header), "is damaged: its header makes no sense");
}

TEST(what_is_no_file_is_refused)
{
	CHECK(!profile_load(&profile, "/nonexistent", &with_hits, &why));
	contains(why.what, "cannot read /nonexistent: No such file");
	CHECK(!profile_load(&profile, "/tmp", &with_hits, &why));
	contains(why.what, "/tmp is no regular file");
	unlink("/tmp/unit_damage.fifo");
	CHECK_OK(mkfifo("/tmp/unit_damage.fifo", 0600));
	CHECK(!profile_load(&profile, "/tmp/unit_damage.fifo", &with_hits, &why));
	unlink("/tmp/unit_damage.fifo");
	contains(why.what, "is no regular file");
}

TEST(samples_of_another_format_are_refused)
{
	struct profile_sample_format format = { .uuid = "another" };

	begin();
	profile_write_bytes(&recording.file, PROFILE_FORMAT, &format, sizeof(format), NULL, 0);
	ADD(NOWHERE);
	end();
	CHECK(!profile_load(&profile, path, &with_hits, &why));
	unlink(path);
	contains(why.what, "in a format that this pfmon does not know");
}

TEST(records_and_members_of_later_versions_are_skipped)
{
	struct {
		struct profile_note	note;
		uint64_t		more;
	} longer = { .more = 1 };
	const char *text = "still read";
	struct profile_note unknown;

	begin();
	profile_write_texts(&recording.file, 4711, &unknown, sizeof(unknown), &text, 1);
	profile_write_texts(&recording.file, PROFILE_NOTE, &longer, sizeof(longer), &text, 1);
	ADD(NOWHERE);
	end();
	load();
	CHECK_EQ(profile.notes.n, 1);
	CHECK_STREQ(profile.notes.text[0], text);
	CHECK_EQ(profile.event[0].samples, 1);
}

TEST(an_unwritable_file_is_an_error)
{
	about.output = "/nonexistent/file";
	CHECK(!recording_begin(&recording, &about, &why));
	contains(why.what, "cannot write /nonexistent/file: No such file or directory");
	about.output = "/dev/full";
	CHECK(!recording_begin(&recording, &about, &why));
	contains(why.what, "cannot write /dev/full: No space left on device");
}

TEST(a_full_disk_leaves_whole_records)
{
	struct rlimit limit = { 4000, 4000 };
	uint64_t at[100];
	size_t i;

	signal(SIGXFSZ, SIG_IGN);
	begin();
	samples_only = true;
	CHECK_OK(setrlimit(RLIMIT_FSIZE, &limit));
	for (i = 0; i < COUNT(at); i++)
		at[i] = NOWHERE;
	add(at, 50);
	add(at, 100);
	add(at, 1);
	CHECK_EQ(recording.samples, 50);
	CHECK(!recording_end(&recording, 0, false, &why));
	contains(why.what, "File too large");
	load();
	CHECK_EQ(profile.event[0].samples, 50);
	CHECK(!profile.finished);
	contains(profile.notes.text[0], "the recording was not finished");
}

/* A small file with all kinds of records, in memory. */
static unsigned char *whole_file(size_t *size)
{
	struct profile_unmap unmap = { .pid = getpid(), .start = NOWHERE, .end = NOWHERE + 1 };
	static unsigned char bytes[65536];
	const char *jitted = "jitted";
	FILE *file;

	begin();
	GROW(recording.kernel.table.symbol, recording.kernel.table.n, recording.kernel.table.room);
	recording.kernel.table.symbol[recording.kernel.table.n++] =
		(struct kernel_symbol){ KERNEL, KERNEL + 0x100, strdup("start"), strdup(""), 'T', false, false };
	ADD(AT(well_known), KERNEL, NOWHERE);
	profile_write_bytes(&recording.file, PROFILE_UNMAP, &unmap, sizeof(unmap), NULL, 0);
	recording_exec(&recording, getpid(), 4);
	recording_comm(&recording, getpid(), getpid(), "name", 2);
	recording_fork(&recording, 4711, 4712, getpid(), getpid(), 2);
	recording_exit(&recording, 4711, 4712, 3);
	profile_write_texts(&recording.file, PROFILE_SYMBOL,
			    &(struct profile_symbol){ .start = 1, .end = 2 },
			    sizeof(struct profile_symbol), &jitted, 1);
	ADD(AT(plus_plus));
	profile_write_bytes(&recording.file, PROFILE_LOST,
			    &(struct profile_lost){ .overflows = 4 }, sizeof(struct profile_lost),
			    NULL, 0);
	recording_note(&recording, "note");
	end();
	file = fopen(path, "r");
	*size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	CHECK(*size > 1000 && *size < sizeof(bytes));
	return bytes;
}

/* Read it, and print it in all forms; if that fails, there must be a sentence with the reason. */
static void survive(const unsigned char *bytes, size_t size)
{
	static const struct gather_options all = { .tasks = true, .cpus = true, .to = -1 };
	struct table table;
	const struct view view = { .gathered = &gathered, .table = &table, .filtered = true };
	FILE *file = fopen(path, "w"), *sink;

	fwrite(bytes, 1, size, file);
	fclose(file);
	why.what[0] = '\0';
	if (gather(&gathered, path, &all, &why)) {
		sink = fopen("/dev/null", "w");
		sum_up(&table, "symbol,file,line,address,comm,pid,tid,cpu,set,event,host", false);
		print_text(sink, &view);
		print_separated(sink, &view, ";");
		print_json(sink, &view);
		table_free(&table);
		fclose(sink);
	} else {
		CHECK(why.what[0]);
	}
	gathered_free(&gathered);
	memset(&gathered, 0, sizeof(gathered));
}

TEST_LIMIT(a_file_can_be_cut_off_anywhere, 300)
{
	const unsigned char *bytes;
	size_t size, i;

	bytes = whole_file(&size);
	for (i = 0; i <= size; i += i < 200 || size - i < 200 ? 1 : 13)
		survive(bytes, i);
	unlink(path);
}

TEST_LIMIT(damage_does_no_harm, 600)
{
	static const uint64_t evil[] = { 0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff,
					 1ULL << 32, 1ULL << 40, 1ULL << 63, UINT64_MAX,
					 UINT64_MAX - 7 };
	static unsigned char copy[65536];
	const unsigned char *bytes;
	size_t size, at, i, n;
	unsigned int round;
	uint64_t value;

	srandom(4711);
	bytes = whole_file(&size);
	for (round = 0; round < 4000; round++) {
		memcpy(copy, bytes, size);
		n = 1 + (size_t)random() % 4;
		for (i = 0; i < n; i++) {
			at = (size_t)random() % (size - 8);
			switch (random() % 3) {
			case 0: /* a bit */
				copy[at] ^= (unsigned char)(1 << random() % 8);
				break;
			case 1: /* a byte */
				copy[at] = (unsigned char)random();
				break;
			default: /* a member */
				value = evil[(size_t)random() % COUNT(evil)];
				at &= ~(size_t)(random() % 2 ? 7 : 3);
				memcpy(copy + at, &value, random() % 2 ? 8 : 4);
				break;
			}
		}
		survive(copy, size);
	}
	unlink(path);
}
