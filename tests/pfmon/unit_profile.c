// SPDX-License-Identifier: GPL-2.0
/*
 * The file of `pfmon record`, from writing it to the lines of a profile: what is written
 * comes back, samples find the mapping that was there, functions have their names, and no
 * damage to a file does any to its reader.
 *
 * runs: host
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon.h>
#include <perfmon_default_smpl.h>

#include "../harness.h"
#include "../../tools/pfmon/run/loop.h"
#include "../../tools/pfmon/data/load.h"
#include "../../tools/pfmon/report/print.h"
#include "../../tools/pfmon/data/read.h"
#include "../../tools/pfmon/record/recording.h"

#define PERIOD		1000
#define KERNEL		0xffffffff81000000ULL
#define NOWHERE		0x1000

/* Functions with names, of which one has a C++ name. */
__attribute__((noinline, used)) int well_known(int n);
int well_known(int n)
{
	return n + 1;
}

int plus_plus(int n) __asm__("_ZN5space4plusEi");
__attribute__((noinline, used)) int plus_plus(int n)
{
	return n + 2;
}

static char path[] = "/tmp/unit_profile-XXXXXX";
static struct problem why;
static struct profile profile;
static struct lines lines;
static struct strings notes;

/* What a recording is about, of which nothing was started. */
static char *command[] = { "true", "a b", NULL };
static struct pmu pmu = { .model = "Model", .events = "nhm" };
static struct event event = { .name = "instructions:u", .full = "FULL", .levels = LEVEL_USER };
static pfarg_pmd_t pmd = { .reg_num = 16 };
static const struct plan plan = { .pmds = &pmd, .npmds = 1 };
static struct sampling sampling = { .plan = &plan, .period = PERIOD };
static struct recording_about about = {
	.command = command, .pmu = &pmu, .event = &event, .sampling = &sampling,
};
static struct recording recording;

static void begin(void)
{
	close(mkstemp(path));
	about.output = path;
	if (!recording_begin(&recording, &about, &why))
		FAIL("%s", why.what);
	recording.kernel_known = true; /* and has no symbols: not this machine's */
	recording_thread(&recording, getpid(), getpid());
}

#define AT(address)	((uint64_t)(uintptr_t)(address))

static void add(const uint64_t *at, size_t n)
{
	pfm_default_smpl_entry_t *samples = calloc(n + 1, sizeof(*samples));
	struct batch batch = { samples, n * sizeof(*samples), n };
	size_t i;

	for (i = 0; i < n; i++) {
		samples[i].pid = getpid();
		samples[i].tid = getpid();
		samples[i].ovfl_pmd = 16;
		samples[i].last_reset_val = -PERIOD;
		samples[i].ip = at[i];
	}
	recording_add(&recording, &batch);
	free(samples);
}

#define ADD(...)								\
	do {									\
		const uint64_t at[] = { __VA_ARGS__ };				\
		add(at, COUNT(at));						\
	} while (0)

static void end(void)
{
	if (!recording_end(&recording, 0, false, &why))
		FAIL("%s", why.what);
}

static void load(void)
{
	if (!profile_load(&profile, path, &why))
		FAIL("%s", why.what);
	unlink(path);
}

/* Samples in this symbol and, if it is not NULL, in this file. */
static uint64_t count(enum profile_sort sort, const char *symbol, const char *file)
{
	uint64_t sum = 0;
	size_t i;

	lines_make(&lines, &profile, sort, true, &notes);
	for (i = 0; i < lines.n; i++)
		if (!strcmp(lines.line[i].symbol, symbol) &&
		    (!file || !strcmp(lines.line[i].file, file)))
			sum += lines.line[i].count;
	lines_free(&lines);
	return sum;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		FAIL("\"%s\" does not say \"%s\"", text, part);
}

TEST(what_is_known_before_the_first_sample_comes_back)
{
	sampling.random_mask = 0xff;
	begin();
	recording_note(&recording, "a note");
	end();
	load();
	CHECK_EQ(profile.command.n, 2);
	CHECK_STREQ(profile.command.text[1], "a b");
	CHECK_EQ(profile.host.n, 5);
	CHECK_STREQ(profile.host.text[3], "Model");
	CHECK_EQ(profile.nevents, 1);
	CHECK_STREQ(profile.event[0].name, "instructions:u");
	CHECK_STREQ(profile.event[0].full, "FULL");
	CHECK_EQ(profile.event[0].pmd, 16);
	CHECK_EQ(profile.event[0].period, PERIOD);
	CHECK_EQ(profile.event[0].random_mask, 0xff);
	CHECK_EQ(profile.event[0].samples, 0);
	CHECK_EQ(profile.notes.n, 1);
	CHECK_STREQ(profile.notes.text[0], "a note");
	CHECK(profile.finished);
	CHECK(profile.started > 1000000000ULL * 1000000000);
	CHECK(!profile.has_ledger);
}

TEST(functions_have_their_names)
{
	static char self[4096];

	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	begin();
	ADD(AT(well_known), AT(plus_plus), AT(well_known) + 1, NOWHERE, AT(getpid));
	end();
	load();
	CHECK_EQ(profile.event[0].samples, 5);
	CHECK_EQ(profile.event[0].occurrences, 5 * PERIOD);
	CHECK_EQ(count(SORT_SYMBOL, "well_known", self), 2);
	CHECK_EQ(count(SORT_SYMBOL, "space::plus(int)", self), 1);
	CHECK_EQ(count(SORT_SYMBOL, "[unknown]", "[unknown]"), 1);
	CHECK_EQ(count(SORT_FILE, "", self), 3);
	CHECK_EQ(notes.n, 0);
}

TEST(names_can_stay_mangled)
{
	begin();
	ADD(AT(plus_plus));
	end();
	load();
	lines_make(&lines, &profile, SORT_SYMBOL, false, &notes);
	CHECK_STREQ(lines.line[0].symbol, "_ZN5space4plusEi");
}

TEST(lines_are_sorted_by_count_and_summed_up)
{
	begin();
	ADD(AT(plus_plus), NOWHERE, AT(well_known), AT(well_known) + 1, NOWHERE, NOWHERE + 1);
	end();
	load();
	lines_make(&lines, &profile, SORT_SYMBOL, true, &notes);
	CHECK_EQ(lines.n, 3);
	CHECK_STREQ(lines.line[0].symbol, "[unknown]");
	CHECK_EQ(lines.line[0].count, 3);
	CHECK_STREQ(lines.line[1].symbol, "well_known");
	CHECK_STREQ(lines.line[2].symbol, "space::plus(int)");
}

/* A page of a file, executable. */
static void *map_page(const char *file, void *where)
{
	const int fd = open(file, O_RDWR | O_CREAT, 0600);
	void *page;

	CHECK_OK(fd);
	CHECK_OK(ftruncate(fd, 8192));
	page = mmap(where, 4096, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE | (where ? MAP_FIXED : 0), fd, 4096);
	close(fd);
	CHECK(page != MAP_FAILED);
	return page;
}

TEST(samples_find_what_was_mapped_when_they_were_taken)
{
	char one[sizeof(path) + 4], other[sizeof(path) + 4];
	void *page;

	begin();
	snprintf(one, sizeof(one), "%s.one", path);
	snprintf(other, sizeof(other), "%s.two", path);
	ADD(NOWHERE);
	page = map_page(one, NULL);
	ADD(AT(page), AT(page) + 8);	/* mapped since the last time */
	munmap(page, 4096);
	ADD(AT(page));			/* unmapped since, so from before that */
	ADD(AT(page));			/* nothing is there */
	map_page(one, page);
	ADD();
	map_page(other, page);
	ADD(AT(page), AT(page));	/* another file in its place */
	munmap(page, 4096);
	unlink(one);
	unlink(other);
	end();
	load();
	CHECK_EQ(count(SORT_FILE, "", one), 3);
	CHECK_EQ(count(SORT_FILE, "", other), 2);
	CHECK_EQ(count(SORT_FILE, "", "[unknown]"), 2);
}

TEST(an_exec_ends_all_mappings)
{
	begin();
	ADD(AT(well_known));
	recording.pid = 1; /* of which nothing is known */
	recording_exec(&recording);
	recording.pid = getpid();
	ADD(AT(well_known));
	recording.executing = true; /* so that this process' own are not read again */
	recording_exec(&recording);
	ADD(AT(well_known));
	end();
	load();
	CHECK_EQ(count(SORT_SYMBOL, "well_known", NULL), 2);
	CHECK_EQ(count(SORT_SYMBOL, "[unknown]", "[unknown]"), 1);
}

TEST(the_last_mappings_of_a_process_that_is_gone_are_kept)
{
	struct mappings maps;
	siginfo_t info;
	pid_t pid;

	begin();
	ADD(NOWHERE);
	pid = fork();
	if (!pid)
		_exit(0);
	CHECK_OK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
	CHECK(!mappings_read(&maps, pid));
	recording.pid = pid;
	ADD(AT(well_known));
	CHECK(recording.maps.n > 0);
	waitpid(pid, NULL, 0);
	ADD(AT(well_known));
	CHECK(recording.maps.n > 0);
	end();
	load();
	CHECK_EQ(count(SORT_SYMBOL, "well_known", NULL), 2);
}

TEST(a_changed_file_gives_no_symbols_but_a_note)
{
	struct profile_context context = { .kind = PROFILE_THREAD, .pid = 1 };
	struct profile_map map = { .pid = 1, .start = 0x1000, .end = 0x2000, .id_size = 3 };
	struct profile_writer *file = &recording.file;
	const char *name = "/proc/self/exe";

	context.id = 7;
	begin();
	profile_write_bytes(file, PROFILE_CONTEXT, &context, sizeof(context), NULL, 0);
	profile_write_texts(file, PROFILE_MAP, &map, sizeof(map), &name, 1);
	recording.context = 7;
	recording.executing = true;
	ADD(0x1800);
	end();
	load();
	CHECK_EQ(count(SORT_SYMBOL, "[unknown]", name), 1);
	CHECK_EQ(notes.n, 1);
	contains(notes.text[0], "/proc/self/exe has changed since the recording");
}

TEST(kernel_symbols_are_read_once_and_named)
{
	static const char text[] =
		"ffffffff81000000 T _stext\nffffffff81000000 T start\nffffffff81000100 t middle\n"
		"ffffffff81000180 d data\nffffffff81000200 W last\n"
		"ffffffffc0000000 t one\t[module]\nffffffffc0000010 t two\t[module]\n"
		"garbage\n0000000000000000 T hidden\nffffffff81000300";
	struct kernel_symbols symbols;
	char name[] = "/tmp/unit_profile-XXXXXX";
	const int fd = mkstemp(name);

	CHECK_EQ(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	kernel_symbols_read(&symbols, name);
	unlink(name);
	CHECK_EQ(symbols.n, 5);
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL)->name, "start");
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL + 0xff)->name, "start");
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL + 0x1ff)->name, "middle");
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL + 0x200)->name, "last");
	CHECK(!kernel_symbols_find(&symbols, KERNEL + 0x20000));
	CHECK(!kernel_symbols_find(&symbols, KERNEL - 1));
	CHECK_STREQ(kernel_symbols_find(&symbols, 0xffffffffc0000010)->module, "[module]");

	begin();
	recording.kernel = symbols;
	ADD(KERNEL + 4, KERNEL + 8, 0xffffffffc0000000, KERNEL + 0x30000);
	ADD(KERNEL + 4);
	end();
	load();
	CHECK_EQ(profile.nkernel_names, 2);
	CHECK_EQ(count(SORT_SYMBOL, "start", "[kernel]"), 3);
	CHECK_EQ(count(SORT_SYMBOL, "one", "[module]"), 1);
	CHECK_EQ(count(SORT_SYMBOL, "[unknown]", "[kernel]"), 1);
	CHECK_EQ(count(SORT_FILE, "", "[kernel]"), 4);
}

TEST(ranges_cut_each_other)
{
	struct ranges ranges = { 0 };
	struct range range = { 100, 200, 1000, 1 };

	ranges_set(&ranges, &range);
	range = (struct range){ 300, 400, 0, 2 };
	ranges_set(&ranges, &range);
	range = (struct range){ 140, 150, 0, 3 };
	ranges_set(&ranges, &range);
	CHECK_EQ(ranges.n, 4);
	CHECK_EQ(ranges_find(&ranges, 139)->what, 1);
	CHECK_EQ(ranges_find(&ranges, 149)->what, 3);
	CHECK_EQ(ranges_find(&ranges, 150)->offset, 1050);
	CHECK(!ranges_find(&ranges, 200));
	ranges_clear(&ranges, 145, 350);
	CHECK_EQ(ranges.n, 3);
	CHECK(!ranges_find(&ranges, 145));
	CHECK_EQ(ranges_find(&ranges, 350)->offset, 50);
	ranges_clear(&ranges, 0, UINT64_MAX);
	CHECK_EQ(ranges.n, 0);
}

static char *printed(void (*print)(FILE *out, const struct profile_view *view))
{
	static char text[8192];
	struct profile_view view = { .profile = &profile, .lines = &lines };
	FILE *file = tmpfile();

	lines_make(&lines, &profile, SORT_SYMBOL, true, &view.notes);
	print(file, &view);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void separated(FILE *out, const struct profile_view *view)
{
	if (!profile_print_separated(out, view, ";", &why))
		fputs(why.what, out);
}

static void three_samples_and_losses(void)
{
	struct profile_lost lost = { .overflows = 10, .recorded = 3, .full = 5, .throttled = 2 };

	begin();
	ADD(AT(well_known), AT(well_known), KERNEL);
	profile_write_bytes(&recording.file, PROFILE_LOST, &lost, sizeof(lost), NULL, 0);
	end();
	load();
}

TEST(the_text_has_counts_and_losses)
{
	const char *text;

	three_samples_and_losses();
	text = printed(profile_print_text);
	contains(text, "# command: true a b\n");
	contains(text, "# event: instructions:u, period 1,000\n");
	contains(text, "# samples: 3 (of 3,000 events), 7 lost (buffer full: 5, throttled: 2)\n");
	contains(text, "\n           2   66.67%  well_known  /");
	contains(text, "\n           1   33.33%  [unknown]   [kernel]\n");
}

TEST(fields_are_separated_and_the_separator_is_checked)
{
	const char *text;

	three_samples_and_losses();
	text = printed(separated);
	contains(text, "2;66.67;instructions:u;well_known;/");
	contains(text, "1;33.33;instructions:u;[unknown];[kernel]\n# samples: 3\n# lost: 7\n");
	profile.object[OBJECT_KERNEL].name[1] = ';';
	contains(printed(separated), "-x ;: the separator occurs in [unknown], [;ernel]");
}

TEST(json_has_all)
{
	const char *text;

	three_samples_and_losses();
	text = printed(profile_print_json);
	contains(text, "\"command\": [\n    \"true\",\n    \"a b\"\n  ]");
	contains(text, "\"buffer_full\": 5");
	contains(text, "\"symbol\": \"well_known\"");
	contains(text, "\"percent\": 66.6667");
}

TEST(control_characters_are_not_obeyed)
{
	command[1] = "\033[31m\n";
	three_samples_and_losses();
	contains(printed(profile_print_text), "# command: true ?[31m?\n");
}

/* A file of @size bytes, refused with a sentence. */
static void refused(const void *bytes, size_t size, const char *sentence)
{
	char name[] = "/tmp/unit_profile-XXXXXX";
	const int fd = mkstemp(name);
	bool ok;

	CHECK_EQ(write(fd, bytes, size), size);
	close(fd);
	ok = profile_load(&profile, name, &why);
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
	refused(&header, sizeof(header), "has version 2.0 of the format");
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
	CHECK(!profile_load(&profile, "/nonexistent", &why));
	contains(why.what, "cannot read /nonexistent: No such file");
	CHECK(!profile_load(&profile, "/tmp", &why));
	contains(why.what, "/tmp is no regular file");
	unlink("/tmp/unit_profile.fifo");
	CHECK_OK(mkfifo("/tmp/unit_profile.fifo", 0600));
	CHECK(!profile_load(&profile, "/tmp/unit_profile.fifo", &why));
	unlink("/tmp/unit_profile.fifo");
	contains(why.what, "is no regular file");
}

TEST(samples_of_another_format_are_refused)
{
	struct profile_sample_format format = { .uuid = "another" };

	begin();
	profile_write_bytes(&recording.file, PROFILE_FORMAT, &format, sizeof(format), NULL, 0);
	ADD(NOWHERE);
	end();
	CHECK(!profile_load(&profile, path, &why));
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
	recording.executing = true; /* samples only */
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
	FILE *file;

	begin();
	GROW(recording.kernel.symbol, recording.kernel.n, recording.kernel.room);
	recording.kernel.symbol[recording.kernel.n++] =
		(struct kernel_symbol){ KERNEL, KERNEL + 0x100, strdup("start"), strdup(""), 'T', false };
	ADD(AT(well_known), KERNEL, NOWHERE);
	profile_write_bytes(&recording.file, PROFILE_UNMAP, &unmap, sizeof(unmap), NULL, 0);
	recording_exec(&recording);
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

/* Read it, and print it in all forms; or a sentence says why not. */
static void survive(const unsigned char *bytes, size_t size)
{
	struct profile_view view = { .profile = &profile, .lines = &lines };
	FILE *file = fopen(path, "w"), *sink;

	fwrite(bytes, 1, size, file);
	fclose(file);
	why.what[0] = '\0';
	if (!profile_load(&profile, path, &why)) {
		CHECK(why.what[0]);
		return;
	}
	sink = fopen("/dev/null", "w");
	lines_make(&lines, &profile, SORT_SYMBOL, true, &view.notes);
	profile_print_text(sink, &view);
	profile_print_separated(sink, &view, ";", &why);
	profile_print_json(sink, &view);
	fclose(sink);
	strings_free(&view.notes);
	lines_free(&lines);
	profile_free(&profile);
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
