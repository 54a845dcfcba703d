// SPDX-License-Identifier: GPL-2.0
/*
 * The file of `pfmon record`, from its creation to the lines of a profile: all written records come
 * back, samples find the mapping of their time, functions have their names.
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
	CHECK_EQ(count("well_known", self), 2);
	CHECK_EQ(count("space::plus(int)", self), 1);
	CHECK_EQ(count("[unknown]", "[unknown]"), 1);
	CHECK_EQ(count(NULL, self), 3);
	/* Records of each of the four tables. */
	CHECK_EQ(gathered.notes.n, 4);
	contains(gathered.notes.text[0], "no symbols for 1 sample: nothing is known to be mapped there");
}

TEST(names_can_stay_mangled)
{
	struct table table;

	begin();
	ADD(AT(plus_plus));
	end();
	load();
	sum_up(&table, "symbol", true);
	CHECK_STREQ(table.row[0]->value[0], "_ZN5space4plusEi");
	table_free(&table);
}

TEST(lines_are_sorted_by_count_and_summed_up)
{
	struct table table;

	begin();
	ADD(AT(plus_plus), NOWHERE, AT(well_known), AT(well_known) + 1, NOWHERE, NOWHERE + 1);
	end();
	load();
	sum_up(&table, "symbol", false);
	CHECK_EQ(table.n, 3);
	CHECK_STREQ(table.row[0]->value[0], "[unknown]");
	CHECK_EQ(table.row[0]->count[0], 3);
	CHECK_STREQ(table.row[1]->value[0], "well_known");
	CHECK_STREQ(table.row[2]->value[0], "space::plus(int)");
	table_free(&table);
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
	CHECK_EQ(count(NULL, one), 3);
	CHECK_EQ(count(NULL, other), 2);
	CHECK_EQ(count(NULL, "[unknown]"), 2);
}

TEST(an_exec_ends_all_mappings)
{
	begin();
	ADD(AT(well_known));
	recording_exec(&recording, 1, ticks + 1); /* another process */
	ADD(AT(well_known));
	maps_exec(&maps, &recording, 0);
	samples_only = true;
	ADD(AT(well_known));
	end();
	load();
	CHECK_EQ(count("well_known", NULL), 2);
	CHECK_EQ(count("[unknown]", "[unknown]"), 1);
}

/* They are taken when their mappings are gone. */
TEST(the_last_samples_before_an_exec_are_of_the_former_program)
{
	begin();
	ADD(AT(well_known));
	samples_only = true;
	ADD(AT(well_known), AT(plus_plus));
	maps_exec(&maps, &recording, ticks);
	ADD(AT(well_known));
	end();
	load();
	CHECK_EQ(count("well_known", NULL), 2);
	CHECK_EQ(count("space::plus(int)", NULL), 1);
	CHECK_EQ(count("[unknown]", "[unknown]"), 1);
}

TEST(the_last_mappings_of_a_process_that_is_gone_are_kept)
{
	struct mappings none;
	siginfo_t info;
	pid_t pid;

	begin();
	ADD(NOWHERE);
	pid = fork();
	if (!pid)
		_exit(0);
	CHECK_OK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
	CHECK(!mappings_read(&none, pid));
	maps.pid = pid;
	ADD(AT(well_known));
	CHECK(maps.known.n > 0);
	waitpid(pid, NULL, 0);
	ADD(AT(well_known));
	CHECK(maps.known.n > 0);
	end();
	load();
	CHECK_EQ(count("well_known", NULL), 2);
}

static void map_file(const char *name)
{
	const int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	CHECK_OK(fd);
	CHECK_OK(ftruncate(fd, 4096));
	CHECK(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED);
	close(fd);
}

static bool is_deleted(const char *name, const char *file)
{
	const size_t n = strlen(file);

	return !strncmp(name, file, n) && !strcmp(name + n, " (deleted)");
}

TEST(a_newline_in_a_name_is_told_from_the_characters_that_stand_for_it)
{
	static const char *const names[] = { "/tmp/unit\nname", "/tmp/unit\\012name" };
	struct mappings mappings;
	size_t i, j, found = 0;

	for (i = 0; i < COUNT(names); i++)
		map_file(names[i]);
	CHECK(mappings_read(&mappings, getpid()));
	for (i = 0; i < COUNT(names); i++)
		for (j = 0; j < mappings.n; j++)
			found += !strcmp(mappings.mapping[j].name, names[i]);
	CHECK_EQ(found, 2);
	mappings_free(&mappings);
	for (i = 0; i < COUNT(names); i++)
		unlink(names[i]);
	CHECK(mappings_read(&mappings, getpid()));
	for (i = 0; i < COUNT(names); i++)
		for (j = 0; j < mappings.n; j++)
			found += is_deleted(mappings.mapping[j].name, names[i]);
	CHECK_EQ(found, 4);
	mappings_free(&mappings);
}

/* A mapping at 0x1000 of a process, from a time on. */
static void map_at(pid_t pid, char *name, uint64_t time)
{
	const struct mapping mapping = { .start = 0x1000, .end = 0x2000, .name = name };
	const struct build_id none = { .size = 0 };

	recording_map(&recording, pid, &mapping, &none, time);
}

TEST(what_happened_is_found_by_its_time_in_any_order)
{
	uint64_t at[10];
	size_t i;

	begin();
	samples_only = true;
	for (i = 0; i < COUNT(at); i++)
		at[i] = 0x1800;
	add(at, COUNT(at)); /* at 1 to 10 */
	map_at(getpid(), "late", 8);
	recording_unmap(&recording, getpid(), 0x1000, 0x2000, 5);
	map_at(getpid(), "early", 2);
	end();
	load();
	CHECK_EQ(count(NULL, "early"), 3);
	CHECK_EQ(count(NULL, "late"), 3);
	CHECK_EQ(count(NULL, "[unknown]"), 4);
}

TEST(a_child_has_the_mappings_of_its_parent_until_its_exec)
{
	const uint64_t at = 0x1800;
	uint32_t child;

	begin();
	samples_only = true;
	child = recording_thread(&recording, 4711, 4711);
	map_at(getpid(), "of the parent", 0);
	recording_fork(&recording, 4711, 4711, getpid(), getpid(), 2);
	recording_exec(&recording, 4711, 5);
	map_at(4711, "of the child", 5);
	map_at(getpid(), "later", 3);
	add(&at, 1);		/* 1 */
	ticks++;
	add_to(child, &at, 1);	/* 3 */
	add_to(child, &at, 1);	/* 4 */
	add_to(child, &at, 1);	/* 5 */
	add(&at, 1);		/* 6 */
	end();
	load();
	CHECK_EQ(count(NULL, "of the parent"), 3);
	CHECK_EQ(count(NULL, "of the child"), 1);
	CHECK_EQ(count(NULL, "later"), 1);
}

TEST(a_circle_of_parents_does_no_harm)
{
	const uint64_t at = 0x1800;

	begin();
	samples_only = true;
	recording_fork(&recording, getpid(), getpid(), 4711, 4711, 0);
	recording_fork(&recording, 4711, 4711, getpid(), getpid(), 0);
	add(&at, 1);
	end();
	load();
	CHECK_EQ(count(NULL, "[unknown]"), 1);
	CHECK_STREQ(processes_name(&profile.processes, 4711, 1), "");
}

static void keep_name(void *data, const struct profile *of, const struct sample *sample)
{
	(void)of;
	append(data, 100, "%s %d ", sample->comm, sample->tid == getpid() ? 1 : sample->tid);
}

TEST(a_thread_has_its_parents_name_until_it_has_its_own)
{
	char names[100] = "";
	const struct load_options visit = { .visit = keep_name, .data = names };
	const uint64_t at = NOWHERE;
	uint32_t child;

	begin();
	samples_only = true;
	child = recording_thread(&recording, getpid(), 4711);
	recording_comm(&recording, getpid(), getpid(), "one", 0);
	recording_comm(&recording, getpid(), getpid(), "two", 3);
	recording_fork(&recording, getpid(), 4711, getpid(), getpid(), 2);
	recording_comm(&recording, getpid(), 4711, "own", 5);
	add(&at, 1);
	ticks++;
	add(&at, 1);
	add_to(child, &at, 1);
	add_to(child, &at, 1);
	end();
	if (!profile_load(&profile, path, &visit, &why))
		FAIL("%s", why.what);
	unlink(path);
	CHECK_STREQ(names, "one 1 two 1 one 4711 own 4711 ");
}

TEST(code_made_at_run_time_has_its_names)
{
	struct profile_symbol symbol = { .pid = getpid(), .start = 0x5000, .end = 0x5100 };
	const char *name = "jitted";

	begin();
	profile_write_texts(&recording.file, PROFILE_SYMBOL, &symbol, sizeof(symbol), &name, 1);
	ADD(0x5000, 0x50ff, 0x5100);
	end();
	load();
	CHECK_EQ(count("jitted", "[jit]"), 2);
	CHECK_EQ(count("[unknown]", "[unknown]"), 1);
}

TEST(samples_are_told_apart_by_thread_and_name)
{
	const struct load_options by_task = { .hits = true, .tasks = true };
	const uint64_t at[] = { NOWHERE, NOWHERE, NOWHERE, NOWHERE };

	begin();
	samples_only = true;
	recording_comm(&recording, getpid(), getpid(), "one", 0);
	recording_comm(&recording, getpid(), getpid(), "two", 4);
	add(at, COUNT(at));
	end();
	if (!profile_load(&profile, path, &by_task, &why))
		FAIL("%s", why.what);
	unlink(path);
	CHECK_EQ(profile.ntasks, 2);
	CHECK_STREQ(profile.task[0].comm, "one");
	CHECK_STREQ(profile.task[1].comm, "two");
	CHECK_EQ(profile.hits.n, 2);
}

TEST(a_changed_file_gives_no_symbols_but_a_note)
{
	struct mapping mapping = { .start = 0x1000, .end = 0x2000, .name = "/proc/self/exe" };
	const struct build_id id = { .size = 3 };
	const uint64_t at = 0x1800;

	begin();
	samples_only = true;
	recording_map(&recording, 1, &mapping, &id, 0);
	add_to(recording_thread(&recording, 1, 1), &at, 1);
	end();
	load();
	CHECK_EQ(count("[unknown]", mapping.name), 1);
	CHECK_EQ(gathered.notes.n, 2);
	contains(gathered.notes.text[0], "/proc/self/exe has changed since the recording");
	contains(gathered.notes.text[1], "1 sample in files but in no known function");
}

static struct kernel_symbols symbols_of(const char *text)
{
	struct kernel_symbols symbols;
	char name[] = "/tmp/unit_profile-XXXXXX";
	const int fd = mkstemp(name);

	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	kernel_symbols_read(&symbols, name);
	unlink(name);
	return symbols;
}

TEST(kernel_symbols_are_read_once_and_named)
{
	static const char text[] =
		"ffffffff81000000 T _stext\nffffffff81000000 T start\nffffffff81000100 t middle\n"
		"ffffffff81000180 d data\nffffffff81000200 W last\n"
		"ffffffffc0000000 t one\t[module]\nffffffffc0000010 t two\t[module]\n"
		"garbage\n0000000000000000 T hidden\nffffffff81000300";
	struct kernel_symbols symbols = symbols_of(text);

	CHECK_EQ(symbols.n, 5);
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL)->name, "start");
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL + 0xff)->name, "start");
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL + 0x1ff)->name, "middle");
	CHECK_STREQ(kernel_symbols_find(&symbols, KERNEL + 0x200)->name, "last");
	CHECK(!kernel_symbols_find(&symbols, KERNEL + 0x20000));
	CHECK(!kernel_symbols_find(&symbols, KERNEL - 1));
	CHECK_STREQ(kernel_symbols_find(&symbols, 0xffffffffc0000010)->module, "[module]");

	begin();
	recording.kernel.table = symbols;
	ADD(KERNEL + 4, KERNEL + 8, 0xffffffffc0000000, KERNEL + 0x30000);
	ADD(KERNEL + 4);
	end();
	load();
	CHECK_EQ(profile.nkernel_names, 2);
	CHECK_EQ(count("start", "[kernel]"), 3);
	CHECK_EQ(count("one", "[module]"), 1);
	CHECK_EQ(count("[unknown]", "[kernel]"), 1);
	CHECK_EQ(count(NULL, "[kernel]"), 4);
}

/* Another module may be loaded into the gap. */
TEST(the_last_symbol_before_a_gap_is_a_guess_however_near_the_next_module_is)
{
	static const char text[] =
		"ffffffff81000000 T start\n"
		"ffffffffc0000000 t one\t[below]\nffffffffc0000010 t two\t[below]\n"
		"ffffffffc0004000 t three\t[above]\n";
	struct kernel_symbols symbols = symbols_of(text);

	CHECK(kernel_symbols_find(&symbols, KERNEL)->last);
	CHECK(!kernel_symbols_find(&symbols, 0xffffffffc0000000)->last);
	CHECK(kernel_symbols_find(&symbols, 0xffffffffc0000010)->last);
	CHECK_STREQ(kernel_symbols_find(&symbols, 0xffffffffc0003fff)->name, "two");
	CHECK_STREQ(kernel_symbols_find(&symbols, 0xffffffffc0004000)->name, "three");
	CHECK(kernel_symbols_find(&symbols, 0xffffffffc0004000)->last);
	kernel_symbols_free(&symbols);
}

static void made(uint64_t start, uint64_t size, const char *name)
{
	recording_kernel_code(&recording, start, size, name, "[bpf]");
}

/* The end of the last function is a guess; newer code takes the place of older code. */
TEST(code_that_the_kernel_makes_comes_before_guesses_and_older_code)
{
	struct kernel_symbols *table = &recording.kernel.table;

	begin();
	GROW(table->symbol, table->n, table->room);
	table->symbol[table->n++] = (struct kernel_symbol){
		.start = KERNEL, .end = KERNEL + 0x10000, .last = true,
		.name = strdup("last"), .module = strdup(""),
	};
	made(KERNEL + 0x300, 0x100, "second");
	made(KERNEL + 0x100, 0x80, "first");
	made(KERNEL + 0x500, 0x80, "older");
	ADD(KERNEL + 0x17f, KERNEL + 0x80, KERNEL + 0x300, KERNEL + 0x180, KERNEL + 0x500);
	made(KERNEL + 0x540, 0x80, "newer");
	ADD(KERNEL + 0x560, KERNEL + 0x560);
	end();
	load();
	CHECK_EQ(count("first", "[bpf]"), 1);
	CHECK_EQ(count("second", "[bpf]"), 1);
	CHECK_EQ(count("last", "[kernel]"), 1);
	CHECK_EQ(count("older", "[bpf]"), 1);
	CHECK_EQ(count("newer", "[bpf]"), 2);
	CHECK_EQ(count("[unknown]", "[kernel]"), 1);
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

TEST(a_period_follows_the_events_with_care)
{
	struct sampling wanted = { .hz = 1000 };

	/* A hundred samples in a tenth of a second. */
	CHECK_EQ(pace_period(&wanted, 100000000, 900000), 1000000);
	CHECK_EQ(pace_period(&wanted, 100000000, 100000), 800000);	/* not more at once */
	CHECK_EQ(pace_period(&wanted, 1000, 1000000), 500000);		/* nor fewer */
	CHECK_EQ(pace_period(&wanted, 1000, 120), 100);
	wanted.random_mask = 0xfff;
	CHECK_EQ(pace_period(&wanted, 1000, 120), 2 * 0xfff);
	CHECK_EQ(pace_first_period(1000), 1000000);
	CHECK_EQ(pace_first_period(1000000), 1000);
}

static char *printed(void (*print)(FILE *out, const struct view *view))
{
	static char text[8192];
	struct table table;
	const struct view view = { .gathered = &gathered, .table = &table };
	FILE *file = tmpfile();

	sum_up(&table, "symbol,file", false);
	print(file, &view);
	table_free(&table);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static const char *separator;

static void separated(FILE *out, const struct view *view)
{
	print_separated(out, view, separator);
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
	text = printed(print_text);
	contains(text, "# command: true a b\n");
	contains(text, "# event: instructions:u, period 1,000\n");
	contains(text, "# samples: 3 (of 3,000 events), 7 lost (buffer full: 5, throttled: 2)\n");
	contains(text, "\n           2   66.67%  well_known  /");
	contains(text, "\n           1   33.33%  [unknown]   [kernel]\n");
}

TEST(fields_are_separated_and_quoted_where_they_have_to_be)
{
	const char *text;

	three_samples_and_losses();
	separator = ";";
	text = printed(separated);
	contains(text, "2;66.67;instructions:u;well_known;/");
	contains(text, "1;33.33;instructions:u;[unknown];[kernel]\n# samples: 3\n# lost: 7\n");
	separator = "[";
	contains(printed(separated), "[\"[unknown]\"[\"[kernel]\"\n");
}

TEST(json_has_all)
{
	const char *text;

	three_samples_and_losses();
	text = printed(print_json);
	contains(text, "\"command\": [\n        \"true\",\n        \"a b\"\n      ]");
	contains(text, "\"buffer_full\": 5");
	contains(text, "\"symbol\": \"well_known\"");
	contains(text, "\"percent\": 66.6667");
}

TEST(control_characters_are_not_obeyed)
{
	command[1] = "\033[31m\n";
	three_samples_and_losses();
	contains(printed(print_text), "# command: true ?[31m?\n");
}

/* A sample with two sources and two targets behind it, as the kernel writes them. */
struct branched {
	pfm_default_smpl_entry_t entry;
	uint64_t from[2], to[2];
};

struct seen {
	size_t		samples, branches;
	struct branch	branch[8];
};

static void see(void *data, const struct profile *of, const struct sample *sample)
{
	struct seen *seen = data;
	size_t i;

	CHECK(of == &profile);
	seen->samples++;
	for (i = 0; i < sample->nbranches; i++)
		seen->branch[seen->branches++] = sample->branch[i];
}

static bool load_branches(struct seen *seen)
{
	const struct load_options options = { .visit = see, .data = seen };

	memset(seen, 0, sizeof(*seen));
	return profile_load(&profile, path, &options, &why);
}

static void record_branches(void)
{
	struct branched samples[3] = {
		{ .from = { 1, 3 }, .to = { 2, 4 } }, { .from = { 0, 0 }, .to = { 5, 0 } },
	};
	const struct batch batch = {
		.samples = samples, .sample_size = sizeof(*samples), .count = COUNT(samples),
	};
	size_t i;

	for (i = 0; i < COUNT(samples); i++) {
		samples[i].entry.ovfl_pmd = 16;
		samples[i].entry.last_reset_val = -PERIOD;
	}
	sampling.nbranches = 2;
	sampling.nextra = 4;
	begin();
	recording_samples(&recording, 0, &batch);
}

TEST(branches_come_with_their_samples)
{
	struct seen seen;

	record_branches();
	end();
	CHECK(load_branches(&seen));
	unlink(path);
	CHECK(profile.has_branches);
	CHECK_EQ(seen.samples, 3);
	CHECK_EQ(seen.branches, 3);
	CHECK_EQ(seen.branch[0].from, 1);
	CHECK_EQ(seen.branch[0].to, 2);
	CHECK_EQ(seen.branch[1].from, 3);
	CHECK_EQ(seen.branch[1].to, 4);
	CHECK_EQ(seen.branch[2].from, 0);
	CHECK_EQ(seen.branch[2].to, 5);
	profile_free(&profile);
}

/* The buffer of the branch format, with samples that have one branch, two, and none. */
struct branch_buffer {
	pfm_branch_smpl_hdr_t	header;
	struct {
		pfm_branch_smpl_entry_t		entry;
		pfm_branch_smpl_record_t	branch[1];
	} one;
	struct {
		pfm_branch_smpl_entry_t		entry;
		pfm_branch_smpl_record_t	branch[2];
	} two;
	pfm_branch_smpl_entry_t	none;
};

static void fill_entry(pfm_branch_smpl_entry_t *entry, __u16 branches)
{
	entry->num_branches = branches;
	entry->size = (__u32)(sizeof(*entry) + branches * sizeof(pfm_branch_smpl_record_t));
	entry->sample.ovfl_pmd = 16;
	entry->sample.last_reset_val = -PERIOD;
}

#define DETAILED	(PFM_BRANCH_SMPL_MISPREDICTED | PFM_BRANCH_SMPL_CYCLES)

static struct branch_buffer branch_buffer(void)
{
	struct branch_buffer buffer = {
		.header = { .hdr_count = 3 },
		.one.branch = { { .from = 1, .to = 2, .flags = PFM_BRANCH_SMPL_PREDICTED } },
		.two.branch = { { .to = 4 }, { .from = 5, .to = 6, .cycles = 70000, .flags = DETAILED } },
	};

	fill_entry(&buffer.one.entry, 1);
	fill_entry(&buffer.two.entry, 2);
	fill_entry(&buffer.none, 0);
	return buffer;
}

/* The batch that the reader takes of the buffer, of which @mapped bytes are there. */
static struct batch take_branches(void *state, const struct branch_buffer *buffer, size_t mapped)
{
	const struct sampling_reader *reader = sampling_readers[SAMPLING_BRANCH];

	CHECK(reader->open(state, -1, buffer, mapped));
	return reader->take(state, sizeof(pfm_default_smpl_entry_t));
}

TEST(samples_of_the_branch_format_are_recorded_with_their_branches)
{
	const struct branch_buffer buffer = branch_buffer();
	const struct sampling_reader *reader = sampling_readers[SAMPLING_BRANCH];
	void *state = xcalloc(1, reader->state_size);
	struct batch batch = take_branches(state, &buffer, sizeof(buffer));
	struct seen seen;

	CHECK_EQ(batch.count, 3);
	CHECK_EQ(batch.branches[0].branch[0].flags, PFM_BRANCH_SMPL_PREDICTED);
	begin();
	recording_samples(&recording, 0, &batch);
	end();
	CHECK(load_branches(&seen));
	unlink(path);
	CHECK(profile.has_branches);
	CHECK_EQ(seen.samples, 3);
	CHECK_EQ(seen.branches, 3);
	CHECK_EQ(seen.branch[0].from, 1);
	CHECK_EQ(seen.branch[0].to, 2);
	CHECK_EQ(seen.branch[0].detail.flags, PROFILE_BRANCH_PREDICTED);
	CHECK_EQ(seen.branch[1].detail.flags, 0);
	CHECK_EQ(seen.branch[2].detail.flags, PROFILE_BRANCH_MISPREDICTED | PROFILE_BRANCH_CYCLES);
	CHECK_EQ(seen.branch[2].detail.cycles, 70000);
	CHECK_EQ(seen.branch[1].from, 0);
	CHECK_EQ(seen.branch[1].to, 4);
	CHECK_EQ(seen.branch[2].from, 5);
	CHECK_EQ(seen.branch[2].to, 6);
	profile_free(&profile);
	CHECK_EQ(reader->take(state, sizeof(pfm_default_smpl_entry_t)).count, 0);
	reader->restart(state);
	CHECK_EQ(reader->take(state, sizeof(pfm_default_smpl_entry_t)).count, 3);
	reader->close(state);
	free(state);
}

TEST(a_branch_buffer_that_makes_no_sense_ends_at_the_last_sample_that_does)
{
	const struct sampling_reader *reader = sampling_readers[SAMPLING_BRANCH];
	struct branch_buffer buffer = branch_buffer();
	void *state = xcalloc(1, reader->state_size);
	size_t cut;

	for (cut = sizeof(buffer.header); cut < sizeof(buffer); cut++)
		CHECK_EQ(take_branches(state, &buffer, cut).count,
			 (cut >= offsetof(struct branch_buffer, two)) +
			 (cut >= offsetof(struct branch_buffer, none)));
	buffer.two.entry.num_branches = 3;
	CHECK_EQ(take_branches(state, &buffer, sizeof(buffer)).count, 1);
	buffer.two.entry.num_branches = 2;
	buffer.two.entry.num_values = 1;
	CHECK_EQ(take_branches(state, &buffer, sizeof(buffer)).count, 1);
	buffer.two.entry.num_values = 0;
	buffer.one.entry.size = 0;
	CHECK_EQ(take_branches(state, &buffer, sizeof(buffer)).count, 0);
	reader->close(state);
	free(state);
}

/* Write such a record by hand, before three samples. */
static bool is_sound(uint32_t type, uint64_t count, const uint64_t *words, size_t n)
{
	struct profile_branches record = { .count = count };
	struct seen seen;
	bool ok;

	begin();
	profile_write_bytes(&recording.file, type, &record, sizeof(record), words,
			    n * sizeof(*words));
	ADD(NOWHERE, NOWHERE, NOWHERE);
	end();
	ok = load_branches(&seen);
	if (ok)
		profile_free(&profile);
	unlink(path);
	return ok;
}

TEST(branches_that_do_not_fit_their_samples_are_damage)
{
	static const uint64_t right[] = { 0, 1, 10, 11, 0 }, far[] = { 0, 2, 10, 11, 0 },
			      wild[] = { -1ULL, 0, 0 }, none[] = { 0, 0 };

	CHECK(is_sound(PROFILE_BRANCHES, 3, right, COUNT(right)));
	CHECK(!is_sound(PROFILE_BRANCHES, 2, right, COUNT(right)));
	CHECK(!is_sound(PROFILE_BRANCHES, 3, far, COUNT(far)));
	CHECK(!is_sound(PROFILE_BRANCHES, 3, wild, COUNT(wild)));
	CHECK(!is_sound(PROFILE_BRANCHES, 3, none, COUNT(none)));
	CHECK(!is_sound(PROFILE_BRANCHES, 3, NULL, 0));
}

/* A chain with this number of addresses of each part, in the file's form. */
#define CHAIN(kernel, user)	((uint64_t)(kernel) | (uint64_t)(user) << 16)

struct seen_chains {
	size_t		samples, frames;
	struct frame	frame[16];
};

static void see_chain(void *data, const struct profile *of, const struct sample *sample)
{
	struct seen_chains *seen = data;
	struct frames frames = { .n = 0 };
	size_t i;

	CHECK(of == &profile);
	frames_of(&frames, &profile, sample);
	seen->samples++;
	for (i = 0; i < frames.n && seen->frames < COUNT(seen->frame); i++)
		seen->frame[seen->frames++] = frames.frame[i];
	frames_free(&frames);
}

TEST(call_chains_come_with_their_samples)
{
	const uint64_t chains[] = {
		CHAIN(2, 2), KERNEL, KERNEL + 10, 0x2000, 0x3000,
		CHAIN(0, 2), NOWHERE, 0x4000,
		CHAIN(0, 0),
	};
	pfm_default_smpl_entry_t samples[3] = {
		{ .ip = KERNEL }, { .ip = NOWHERE }, { .ip = NOWHERE + 1 },
	};
	const struct batch batch = {
		.samples = samples, .sample_size = sizeof(*samples), .count = COUNT(samples),
		.chains = chains,
	};
	struct seen_chains seen = { .samples = 0 };
	const struct load_options options = { .visit = see_chain, .data = &seen };
	size_t i;

	for (i = 0; i < COUNT(samples); i++) {
		samples[i].ovfl_pmd = 16;
		samples[i].last_reset_val = -PERIOD;
	}
	begin();
	recording_samples(&recording, 0, &batch);
	end();
	CHECK(profile_load(&profile, path, &options, &why));
	unlink(path);
	CHECK(profile.has_chains);
	CHECK_EQ(seen.samples, 3);
	CHECK_EQ(seen.frames, 7);
	CHECK_EQ(seen.frame[0].ip, KERNEL);
	CHECK_EQ(seen.frame[0].returns, 0);
	CHECK_EQ(seen.frame[1].address, KERNEL + 9);	/* the last byte of the call */
	CHECK_EQ(seen.frame[1].returns, 1);
	CHECK_EQ(seen.frame[2].address, 0x2000);	/* the entry into the kernel */
	CHECK_EQ(seen.frame[2].returns, 0);
	CHECK_EQ(seen.frame[3].ip, 0x3000);
	CHECK_EQ(seen.frame[3].address, 0x2fff);
	CHECK_EQ(seen.frame[4].ip, NOWHERE);
	CHECK_EQ(seen.frame[5].address, 0x3fff);
	CHECK_EQ(seen.frame[6].ip, NOWHERE + 1);	/* there was no chain */
	profile_free(&profile);
}

TEST(samples_with_long_chains_are_parted_into_records)
{
	enum { SAMPLES = 2000, DEPTH = 127, WORDS = 1 + 2 * DEPTH };
	uint64_t *chains = calloc(SAMPLES, WORDS * sizeof(*chains));
	pfm_default_smpl_entry_t *samples = calloc(SAMPLES, sizeof(*samples));
	const struct batch batch = {
		.samples = samples, .sample_size = sizeof(*samples), .count = SAMPLES,
		.chains = chains,
	};
	struct seen_chains seen = { .samples = 0 };
	const struct load_options options = { .visit = see_chain, .data = &seen };
	size_t i;

	for (i = 0; i < SAMPLES; i++) {
		samples[i].ovfl_pmd = 16;
		samples[i].last_reset_val = -PERIOD;
		samples[i].ip = chains[i * WORDS + 1] = i;
		chains[i * WORDS] = CHAIN(0, DEPTH) | CHAIN(DEPTH, 0);
		chains[i * WORDS + 1] = i;
	}
	begin();
	recording_samples(&recording, 0, &batch);
	end();
	CHECK(profile_load(&profile, path, &options, &why));
	unlink(path);
	CHECK_EQ(seen.samples, SAMPLES);
	CHECK_EQ(seen.frames, COUNT(seen.frame));
	profile_free(&profile);
	free(samples);
	free(chains);
}

TEST(call_chains_that_do_not_fit_their_samples_are_damage)
{
	static const uint64_t right[] = { CHAIN(0, 1), 10, CHAIN(1, 1), 11, 12, CHAIN(0, 0) },
			      far[] = { 0, CHAIN(1, 2), 10, 11, 0 }, wild[] = { -1ULL, 0, 0 },
			      none[] = { 0, 0 };
	uint64_t deep[3 + 128] = { CHAIN(0, 128) };

	CHECK(is_sound(PROFILE_CHAINS, 3, right, COUNT(right)));
	CHECK(!is_sound(PROFILE_CHAINS, 2, right, COUNT(right)));
	CHECK(!is_sound(PROFILE_CHAINS, 3, far, COUNT(far)));
	CHECK(!is_sound(PROFILE_CHAINS, 3, wild, COUNT(wild)));
	CHECK(!is_sound(PROFILE_CHAINS, 3, none, COUNT(none)));
	CHECK(!is_sound(PROFILE_CHAINS, 3, NULL, 0));
	CHECK(!is_sound(PROFILE_CHAINS, 3, deep, COUNT(deep)));
	deep[0] = CHAIN(0, 127);
	CHECK(is_sound(PROFILE_CHAINS, 3, deep, COUNT(deep) - 1));
}
