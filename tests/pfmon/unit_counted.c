// SPDX-License-Identifier: GPL-2.0
/* Recordings of samples that stand for several each: PROFILE_COUNTS. */
#include "unit_recording.h"

/* Samples at a place, and the numbers that they stand for. */
struct counted {
	uint64_t		at;
	struct batch_count	count;
};

static void add_counted(const struct counted *counted, size_t n)
{
	pfm_default_smpl_entry_t *samples = calloc(n, sizeof(*samples));
	struct batch_count *counts = calloc(n, sizeof(*counts));
	const struct batch batch = {
		.samples = samples, .sample_size = sizeof(*samples), .count = n, .counts = counts,
	};
	size_t i;

	ticks++;
	for (i = 0; i < n; i++) {
		samples[i].ovfl_pmd = 16;
		samples[i].cpu = PROFILE_NO_CPU;
		samples[i].last_reset_val = -PERIOD;
		samples[i].tstamp = ticks;
		samples[i].ip = counted[i].at;
		counts[i] = counted[i].count;
	}
	maps_before(&maps, &recording);
	recording_samples(&recording, 0, &batch);
	maps_after(&maps, &recording, ticks);
	free(samples);
	free(counts);
}

static const struct counted some[] = {
	{ AT(well_known), { 1, 1000 } },
	{ AT(plus_plus), { 3000000, 2999999999 } },
	{ NOWHERE, { 5, 5000 } },
};

static void begin_counted(void)
{
	sampling.format = SAMPLING_HIST;
	begin();
}

static bool try_load(void)
{
	const bool ok = profile_load(&profile, path, &with_hits, &why);

	unlink(path);
	return ok;
}

TEST(a_sample_counts_as_many_times_as_it_stands_for)
{
	begin_counted();
	add_counted(some, COUNT(some));
	add_counted(some, 1);
	end();
	load();
	CHECK(profile.has_counts);
	CHECK_EQ(profile.event[0].samples, 3000007);
	CHECK_EQ(profile.event[0].occurrences, 1000 + 2999999999ULL + 5000 + 1000);
	CHECK_EQ(profile.samples, 3000007);
	CHECK_EQ(count("well_known", NULL), 2);
	CHECK_EQ(count("space::plus(int)", NULL), 3000000);
	CHECK_EQ(count("[unknown]", "[unknown]"), 5);
}

TEST(a_large_table_is_written_in_parts)
{
	const size_t n = 100000;
	struct counted *counted = calloc(n, sizeof(*counted));
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		counted[i] = (struct counted){ NOWHERE + i, { i + 1, (i + 1) * PERIOD } };
		sum += i + 1;
	}
	begin_counted();
	add_counted(counted, n);
	end();
	load();
	CHECK_EQ(profile.event[0].samples, sum);
	CHECK_EQ(profile.event[0].occurrences, sum * PERIOD);
	CHECK_EQ(profile.hits.n, n);
	free(counted);
}

TEST(other_samples_count_once)
{
	begin_counted();
	add_counted(some, 2);
	ADD(AT(well_known), AT(well_known));
	end();
	load();
	CHECK_EQ(count("well_known", NULL), 3);
	CHECK_EQ(profile.event[0].samples, 3000003);
}

/* An earlier pfmon would show each of them as one. */
TEST(earlier_readers_refuse_such_a_file)
{
	struct profile_record head;
	struct profile_sample_format format = { .flags = 0 };
	FILE *file;

	begin_counted();
	add_counted(some, 1);
	end();
	file = fopen(path, "r");
	CHECK(file && !fseek(file, sizeof(struct profile_header), SEEK_SET));
	while (fread(&head, sizeof(head), 1, file) == 1) {
		if (head.type == PROFILE_FORMAT) {
			format.record = head;
			CHECK_EQ(fread((char *)&format + sizeof(head), sizeof(format) - sizeof(head), 1,
				       file), 1);
			break;
		}
		CHECK_OK(fseek(file, (long)(head.size - sizeof(head)), SEEK_CUR));
	}
	fclose(file);
	unlink(path);
	CHECK_EQ(format.flags, PROFILE_HAS_COUNTS);
}

TEST(samples_without_counts_have_no_flag)
{
	begin();
	ADD(AT(well_known));
	end();
	load();
	CHECK(!profile.has_counts);
}

TEST(flags_that_are_not_known_are_refused)
{
	struct profile_sample_format format = {
		.uuid = PFM_DEFAULT_SMPL_UUID, .version = PFM_DEFAULT_SMPL_VERSION, .flags = 2,
	};

	begin();
	profile_write_bytes(&recording.file, PROFILE_FORMAT, &format, sizeof(format), NULL, 0);
	ADD(AT(well_known));
	end();
	CHECK(!try_load());
	contains(why.what, "a format that this pfmon does not know");
}

static void write_counts(uint32_t context, uint64_t count, const struct batch_count *counts,
			 size_t words)
{
	struct profile_counts record = { .context = context, .count = count };

	profile_write_bytes(&recording.file, PROFILE_COUNTS, &record, sizeof(record), counts,
			    words * sizeof(uint64_t));
}

TEST(counts_that_make_no_sense_are_damage)
{
	static const struct batch_count good[] = { { 1, 1000 }, { 2, 2000 } };
	static const struct batch_count none[] = { { 1, 1000 }, { 0, 0 } };
	static const struct {
		uint32_t			context;
		uint64_t			count;
		const struct batch_count	*counts;
		size_t				words;
	} bad[] = {
		{ 0, 2, none, 4 },	/* a sample that stands for nothing */
		{ 0, 2, good, 3 },	/* cut off */
		{ 0, 2, good, 2 },
		{ 0, 2, good, 0 },
		{ 0, 1, good, 4 },	/* of another number of samples */
		{ 0, 3, good, 4 },
		{ 1, 2, good, 4 },	/* of another context */
	};
	size_t i;

	for (i = 0; i <= COUNT(bad); i++) {
		strcpy(path + strlen(path) - 6, "XXXXXX");
		begin_counted();
		if (i == COUNT(bad))
			write_counts(0, 2, good, 4);
		else
			write_counts(bad[i].context, bad[i].count, bad[i].counts, bad[i].words);
		samples_only = true;
		ADD(AT(well_known), AT(plus_plus));
		recording.samples = 3 - recording.waiting; /* as the counts have it */
		end();
		if (try_load() != (i == COUNT(bad)))
			FAIL("%zu: %s", i, why.what);
		if (i < COUNT(bad))
			contains(why.what, "is damaged");
	}
	CHECK_EQ(profile.event[0].samples, 3);
	CHECK_EQ(profile.event[0].occurrences, 3000);
}

TEST(samples_without_room_are_in_the_ledger)
{
	const struct ledger ledger = { .overflows = 100, .recorded = 100, .unplaced = 94 };

	begin_counted();
	add_counted(some, 1);
	recording_leave(&recording, 0, &ledger);
	end();
	load();
	CHECK_EQ(profile_ledger(&profile).recorded, 100);
	CHECK_EQ(profile_ledger(&profile).unplaced, 94);
}
