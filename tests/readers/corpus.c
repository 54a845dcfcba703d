// SPDX-License-Identifier: GPL-2.0
/* The valid inputs: recordings by pfmon's own writer, texts in the form of users and programs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfmon_default_smpl.h>

#include "readers.h"
#include "record/recording.h"
#include "util.h"

#define PID	4711
#define BASE	0x400000
#define KERNEL	0xffffffff81000000ULL

static const char *const texts_jit[] = {
	"400000 100 function\n400100 20 Interpreter::run(int)\n7f0000001000 fff Lazy:~f x.js:1\n",
	"0x10 0x10 a\n\n20 g b\nffffffffffffffff 1 end\n",
};

static const char *const texts_json[] = {
	"{\"format\": 1, \"command\": [\"ls\"], \"events\": [{\"event\": \"cycles\", "
	"\"count\": 123, \"active_percent\": 100.0}, {\"event\": \"loads:u\", \"count\": null}], "
	"\"elapsed_seconds\": 0.5}\n",
	"{\"interval\": 0.1, \"events\": [{\"event\": \"cycles\", \"count\": 1}]}\n"
	"{\"format\": 1, \"events\": [{\"event\": \"cycles\", \"count\": 1.5e3}, "
	"{\"event\": \"\\u00e4\"}]}\n",
};

static const char *const texts_metrics[] = {
	"about a test\npmu nhm wsm\nevent cycles\nevent i = NO_SUCH | instructions:u\npmu *\n"
	"event b = branches\nmetric ipc insn/cycle = i / cycles\n"
	"metric x % = 100 * (b - 1.5) / (i + b)\n",
};

static const char *const texts_events[] = {
	"cycles,instructions:u,branches:k", "{cycles,instructions},{loads:u,stores:u:k}",
	"BR_INST_RETIRED:ALL_BRANCHES:u,r01c0,cpu/event=0xc0,umask=1/u,cpu-cycles,cache-misses:uk",
	"pmc0=0x5300c0,INST_RETIRED:ANY_P:c=1:i:e,DTLB_MISSES:WALK_COMPLETED",
};

static const char *const texts_classic[] = {
	"-e cycles,instructions:u -k -u --follow-all --aggregate-results --us-counter-format ls -l",
	"--events=a,b:x --priv-levels=uk,k --switch-timeout=10 --session-timeout=5 --system-wide",
	"--long-smpl-periods=1000,2000 --short-smpl-periods=500 --smpl-periods-random=0xff:1 "
	"--smpl-entries=100 --smpl-outfile=x --with-header -e cycles -- ls",
	"--cpu-list=0-1,3 --print-interval=100 --outfile=x --append -t 10", "-l inst.*_?ret(ired)+",
	"-L", "-i cycles", "-I",
	"--attach-task=1 --trigger-code-start-address=main --show-time -e cycles",
};

static void add(struct corpus *corpus, const void *bytes, size_t size)
{
	GROW(corpus->input, corpus->n, corpus->room);
	corpus->input[corpus->n].bytes = xcalloc(1, size + 1);
	memcpy(corpus->input[corpus->n].bytes, bytes, size);
	corpus->input[corpus->n++].size = size;
}

static void add_texts(struct corpus *corpus, const char *const *texts, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		add(corpus, texts[i], strlen(texts[i]));
}

void corpus_add_file(struct corpus *corpus, const char *path)
{
	static unsigned char bytes[INPUT_ROOM / 2];
	FILE *file = fopen(path, "re");
	size_t size;

	if (!file)
		err(2, "%s", path);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	add(corpus, bytes, size);
}

/* A program or library with symbols, small enough to read a thousand times. */
static const char *sampled_program(void)
{
	static char path[4096];
	char self[4000];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		err(2, "/proc/self/exe");
	self[n] = '\0';
	snprintf(path, sizeof(path), "%s/../pfmon/sampled", dirname(self));
	return path;
}

static void write_mappings(struct recording *recording)
{
	const struct build_id none = { .size = 0 };
	const struct build_id some = { .size = 20, .id = { 1, 2, 3 } };
	char *names[] = { (char *)sampled_program(), "/bin/true", "/nonexistent/file", "[vdso]",
			  "[anon]" };
	struct mapping mapping = { .protection = 5, .end = BASE };
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		mapping.start = mapping.end;
		mapping.end += 0x100000;
		mapping.name = names[i];
		recording_map(recording, PID, &mapping, i == 2 ? &some : &none, i);
	}
	recording_comm(recording, PID, PID, "first", 0);
	recording_fork(recording, PID + 1, PID + 1, PID, PID, 3);
	recording_fork(recording, PID, PID + 2, PID, PID, 4);
	recording_comm(recording, PID + 1, PID + 1, "second", 5);
	recording_unmap(recording, PID, BASE + 0x1000, BASE + 0x2000, 6);
	recording_exec(recording, PID + 1, 7);
	recording_exit(recording, PID + 1, PID + 1, 9);
}

/* One of up to four calls, in the kernel or not. Returns the position behind it. */
static uint64_t *put_chain(uint64_t *word, uint64_t ip, size_t i)
{
	const struct chain_head head = {
		.kernel = i % 5 ? 0 : 2, .user = (uint16_t)(i % 4), .flags = i % 3,
	};
	size_t frame;

	memcpy(word, &head, sizeof(head));
	for (frame = 1; frame < chain_words(&head); frame++)
		word[frame] = frame == 1 ? ip : frame <= head.kernel ? KERNEL + 10 :
						BASE + frame * 0x1003;
	return word + frame;
}

#define BRANCHES	2
#define MOST_VALUES	(1 + 2 * BRANCHES)	/* of a sample */

/* Counts, or addresses of branches: both are numbers. */
static void put_values(uint64_t *value, size_t n, size_t sample)
{
	size_t i;

	for (i = 0; i < n; i++)
		value[i] = (sample + i) % 6 ? BASE + sample * 0x7123 + i * 0x1003 : (sample % 4) * KERNEL;
}

static void put_branches(struct batch_branches *branches, pfm_branch_smpl_record_t *records,
			 size_t sample)
{
	size_t i;

	*branches = (struct batch_branches){ .branch = records, .n = sample % (BRANCHES + 1) };
	for (i = 0; i < BRANCHES; i++)
		records[i] = (pfm_branch_smpl_record_t){
			.from = BASE + sample * 0x7123, .to = i ? 0 : KERNEL + sample,
			.flags = (sample + i) % 32, .cycles = sample << i * 16,
		};
}

/* Samples all over these mappings, and outside of them. */
static void write_samples(struct recording *recording, uint32_t context, size_t nvalues,
			  bool with_chains, bool with_counts)
{
	const bool with_branches = recording->sampling->format == SAMPLING_BRANCH;
	pfm_branch_smpl_record_t records[40][BRANCHES];
	struct batch_branches branches[40];
	char bytes[40 * (sizeof(pfm_default_smpl_entry_t) + 8 * MOST_VALUES)], *at = bytes;
	const size_t size = sizeof(pfm_default_smpl_entry_t) + nvalues * 8;
	uint64_t chains[40 * 6], *word = chains;
	struct batch_count counts[40];
	struct batch batch = {
		.samples = bytes, .sample_size = size, .count = 40,
		.chains = with_chains ? chains : NULL, .counts = with_counts ? counts : NULL,
		.branches = with_branches ? branches : NULL,
	};
	pfm_default_smpl_entry_t *entry;
	size_t i;

	memset(bytes, 0x11, sizeof(bytes));
	for (i = 0; i < batch.count; i++, at += size) {
		entry = (void *)at;
		*entry = (pfm_default_smpl_entry_t){
			.pid = PID + (i % 7 == 0), .tid = PID + (i % 7 == 0), .cpu = i % 3,
			.ovfl_pmd = 16 + i % 2, .last_reset_val = -1000, .tstamp = i,
			.ip = i % 5 ? BASE + i * 0x7123 : KERNEL + i,
		};
		put_values((uint64_t *)(entry + 1), nvalues, i);
		word = put_chain(word, entry->ip, i);
		put_branches(&branches[i], records[i], i);
		counts[i] = (struct batch_count){ i * i + 1, 1000 * (i * i + 1) };
	}
	recording_samples(recording, context, &batch);
}

/*
 * Data beside the samples: call chains of the first half of them, or of the second half, or
 * branches. @wide: the half without chains has counts.
 */
enum beside { CHAINS_FIRST, CHAINS_SECOND, BRANCHES_BESIDE, BRANCHES_DETAILED };

static void write_recording(const char *path, bool wide, enum beside beside, int compress)
{
	static struct event event[] = {
		{ .name = "cycles", .full = "CYCLES", .levels = LEVEL_ALL },
		{ .name = "instructions:u", .full = "INSTRUCTIONS", .levels = LEVEL_USER },
		{ .name = "branches", .full = "BRANCHES", .levels = LEVEL_ALL },
	};
	static char *command[] = { "command", "an argument", NULL };
	static pfarg_pmd_t pmds[3] = { { .reg_num = 16 }, { .reg_num = 17 }, { .reg_num = 3 } };
	static const uint64_t periods[] = { 1000, 2000 };
	static const unsigned int extra[2 * BRANCHES] = { 20, 21, 36, 37 };
	struct pmu pmu = { .model = "Model", .events = "nhm" };
	const struct events events = { .event = event, .n = 3 };
	const struct plan plan = { .pmds = pmds, .npmds = 3, .nsets = 1 };
	struct sampling sampling = { .plan = &plan, .nsampled = 2, .period = periods,
				     .format = wide ? SAMPLING_HIST : SAMPLING_DEFAULT };
	const struct recording_about about = { .output = path, .command = wide ? NULL : command,
					       .pmu = &pmu, .events = &events,
					       .sampling = &sampling, .compress = compress };
	struct profile_symbol symbol = { .pid = PID, .start = BASE + 0x8000, .end = BASE + 0x9000 };
	struct profile_lost lost = { .overflows = 80, .recorded = 80, .unplaced = 7 };
	struct profile_symbol_end gone = {
		.pid = PID, .start = symbol.start, .end = symbol.end, .time = symbol.time + 1,
	};
	const char *made = "made at run time";
	const char bytes[] = ELFMAG "\2\1\1"; /* bytes of an image, too few for one */
	struct profile_image image = { .size = sizeof(bytes) };
	struct recording recording;
	struct problem why;
	uint32_t context;

	if (beside == BRANCHES_BESIDE) {
		sampling.nbranches = BRANCHES;
		sampling.extra = extra;
		sampling.nextra = COUNT(extra);
	}
	if (beside == BRANCHES_DETAILED)
		sampling.format = SAMPLING_BRANCH;
	if (!recording_begin(&recording, &about, &why))
		errx(2, "%s", why.what);
	recording.kernel.known = true; /* this machine's symbols would not be the same elsewhere */
	GROW(recording.kernel.table.symbol, recording.kernel.table.n, recording.kernel.table.room);
	recording.kernel.table.symbol[recording.kernel.table.n++] = (struct kernel_symbol){
		KERNEL, KERNEL + 20, xstrdup("start"), xstrdup("[module]"), 'T', false, false };
	context = wide ? recording_cpu(&recording, 0) : recording_thread(&recording, PID, PID);
	write_samples(&recording, context, sampling_values(&sampling) + sampling.nextra,
		      beside == CHAINS_FIRST, wide && beside != CHAINS_FIRST);
	recording_flush(&recording);
	write_mappings(&recording);
	write_samples(&recording, context, sampling_values(&sampling) + sampling.nextra,
		      beside == CHAINS_SECOND, wide && beside != CHAINS_SECOND);
	profile_write_texts(&recording.file, PROFILE_SYMBOL, &symbol, sizeof(symbol), &made, 1);
	profile_write_bytes(&recording.file, PROFILE_SYMBOL_END, &gone, sizeof(gone), NULL, 0);
	profile_write_bytes(&recording.file, PROFILE_IMAGE, &image, sizeof(image), bytes,
			    sizeof(bytes));
	lost.context = context;
	profile_write_bytes(&recording.file, PROFILE_LOST, &lost, sizeof(lost), NULL, 0);
	recording_note(&recording, "a note");
	if (!recording_end(&recording, 0, false, &why))
		errx(2, "%s", why.what);
}

static void add_recording(struct corpus *corpus, bool wide, enum beside beside, int compress)
{
	write_recording(SOUND_FILE, wide, beside, compress);
	corpus_add_file(corpus, SOUND_FILE);
}

/* By tools/perf/Documentation/jitdump-specification.txt in Linux: two loads, a move, the end. */
static void add_dump(struct corpus *corpus)
{
	static const struct {
		uint32_t	magic, version, size, machine, pad, pid;
		uint64_t	time, flags;
	} header = { 0x4a695444, 1, 40, 62, 0, PID, 100, 0 };
	struct load {
		uint32_t	id, size;
		uint64_t	time;
		uint32_t	pid, tid;
		uint64_t	address, code_address, code_size, index;
		char		name[16];
		unsigned char	code[32];
	} loads[2];
	static const struct {
		uint32_t	id, size;
		uint64_t	time;
		uint32_t	pid, tid;
		uint64_t	address, old_address, new_address, code_size, index;
	} move = { 1, sizeof(move), 150, PID, PID, BASE + 0x100, BASE, BASE + 0x100, 32, 0 };
	static const struct {
		uint32_t	id, size;
		uint64_t	time;
	} end = { 3, sizeof(end), 200 };
	unsigned char bytes[512], *at = bytes;
	uint64_t i;

	for (i = 0; i < COUNT(loads); i++)
		loads[i] = (struct load){ 0, sizeof(struct load), 110 + i, PID, PID, BASE + 64 * i,
					  BASE + 64 * i, 32, i, "made", { 0xc3 } };
	at = mempcpy(at, &header, sizeof(header));
	at = mempcpy(at, loads, sizeof(loads));
	at = mempcpy(at, &move, sizeof(move));
	at = mempcpy(at, &end, sizeof(end));
	add(corpus, bytes, (size_t)(at - bytes));
}

void corpus_make(struct corpus corpus[KINDS])
{
	add_recording(&corpus[KIND_RECORDING], false, CHAINS_FIRST, 1);
	add_recording(&corpus[KIND_RECORDING], false, BRANCHES_BESIDE, 0);
	add_recording(&corpus[KIND_RECORDING], false, BRANCHES_DETAILED, 0);
	add_recording(&corpus[KIND_RECORDING], false, CHAINS_SECOND, 0);
	add_recording(&corpus[KIND_RECORDING], true, CHAINS_FIRST, 0);
	add_texts(&corpus[KIND_JIT], texts_jit, COUNT(texts_jit));
	add_dump(&corpus[KIND_JITDUMP]);
	add_texts(&corpus[KIND_JSON], texts_json, COUNT(texts_json));
	add_texts(&corpus[KIND_METRICS], texts_metrics, COUNT(texts_metrics));
	add_texts(&corpus[KIND_EVENTS], texts_events, COUNT(texts_events));
	add_texts(&corpus[KIND_CLASSIC], texts_classic, COUNT(texts_classic));
}

void corpus_free(struct corpus corpus[KINDS])
{
	enum kind kind;
	size_t i;

	for (kind = 0; kind < KINDS; kind++) {
		for (i = 0; i < corpus[kind].n; i++)
			free(corpus[kind].input[i].bytes);
		free(corpus[kind].input);
	}
}
