// SPDX-License-Identifier: GPL-2.0
/*
 * The file of `pfmon record`, from writing it to the lines of a profile: what is written
 * comes back, samples find the mapping that was there, functions have their names.
 *
 * runs: host
 */
#include "unit_recording.h"

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
