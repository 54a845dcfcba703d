/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that `pfmon record` writes. Documented in pfmon.data(5): keep both in step.
 *
 * A header, then records. Everything is in the byte order of the machine that wrote it,
 * and every record begins at a multiple of 8. A record is a struct profile_record, the
 * rest of the fixed part (whose size it has, so that it can grow), and the data that the
 * fixed part describes: texts, each ended by a zero byte, or samples.
 *
 * A reader skips records that it does not know, and additions to a fixed part.
 * Changes that do not fit into this get a new major version.
 *
 * Events of processes, their mappings, executions and ends, have the time at which they
 * happened, on the samples' clock, and may stand in the file in any order: before the samples
 * of that time, or behind them.
 */
#ifndef PFMON_DATA_FORMAT_H
#define PFMON_DATA_FORMAT_H

#include <assert.h>
#include <stdint.h>

#define PROFILE_MAGIC		"PFMDATA\n"
#define PROFILE_ORDER		0x01020304U
#define PROFILE_MAJOR		2
#define PROFILE_MINOR		4

struct profile_header {
	char		magic[8];
	uint32_t	order;		/* PROFILE_ORDER */
	uint16_t	major, minor;
	uint32_t	size;		/* of this header: the first record's offset */
	uint32_t	reserved;
};

struct profile_record {
	uint32_t	type;		/* PROFILE_* */
	uint32_t	fixed;		/* bytes of the fixed part, this structure included */
	uint64_t	size;		/* bytes of the whole record */
};

enum {
	PROFILE_HOST = 1,
	PROFILE_COMMAND = 2,
	PROFILE_START = 3,
	PROFILE_FORMAT = 4,
	PROFILE_EVENT = 5,
	PROFILE_CONTEXT = 6,
	PROFILE_MAP = 7,
	PROFILE_UNMAP = 8,
	PROFILE_EXEC = 9,
	PROFILE_KSYMBOL = 10,
	PROFILE_SAMPLES = 11,
	PROFILE_LOST = 12,
	PROFILE_NOTE = 13,
	PROFILE_END = 14,
	PROFILE_COMM = 15,
	PROFILE_FORK = 16,
	PROFILE_EXIT = 17,
	PROFILE_SYMBOL = 18,
	PROFILE_SYMBOL_END = 19,
	PROFILE_IMAGE = 20,
	PROFILE_PACKED = 30,
	PROFILE_BRANCHES = 40,
	PROFILE_CHAINS = 41,
	PROFILE_COUNTS = 42,
	PROFILE_BRANCH_DETAILS = 43,
};

/* Texts: node name, kernel release, machine, the kernel's and libpfm4's name of the PMU. */
struct profile_host {
	struct profile_record record;
};

struct profile_command {
	struct profile_record record;
	uint32_t	argc;		/* number of texts */
	uint32_t	reserved;
};

struct profile_start {
	struct profile_record record;
	uint64_t	realtime_ns;	/* since the epoch */
	uint64_t	monotonic_ns;	/* CLOCK_MONOTONIC at the same moment */
};

#define PROFILE_HAS_COUNTS	0x1	/* samples stand for several: see PROFILE_COUNTS */

/* The format of the samples that follow: a sampling format of the kernel. */
struct profile_sample_format {
	struct profile_record record;
	uint8_t		uuid[16];
	uint32_t	version;	/* PFM_DEFAULT_SMPL_VERSION */
	uint32_t	flags;		/* PROFILE_HAS_COUNTS; earlier readers refuse others than 0 */
};

#define PROFILE_MAX_WORDS	16

/* Texts: the event as the user wrote it, and in full; and the event of each of @bodies. */
struct profile_event {
	struct profile_record record;
	uint16_t	pmd;		/* a sample with this ovfl_pmd ... */
	uint16_t	set;		/* ... and this set is of this event */
	uint32_t	levels;		/* 1: user level, 2: kernel level */
	uint64_t	period;
	uint64_t	random_mask;	/* 0: always the same period */
	uint32_t	random_seed;
	uint32_t	nbodies;	/* values of PMDs at the end of each sample */
	uint16_t	bodies[PROFILE_MAX_WORDS]; /* of these PMDs */
	uint64_t	hz;		/* samples a second, @period is the first; 0: none */
	/* Not in older files: */
	uint32_t	nregisters;	/* number of last @bodies that are bits, no counts */
	uint32_t	reserved;
};

enum { PROFILE_THREAD = 1, PROFILE_CPU = 2 };

struct profile_context {
	struct profile_record record;
	uint32_t	id;
	uint32_t	kind;		/* PROFILE_THREAD or PROFILE_CPU */
	int32_t		pid, tid;	/* of a thread */
	uint32_t	cpu;		/* of a CPU */
	uint32_t	reserved;
};

/*
 * The identity of a mapping's file: the linker's build id; inode, size, and times
 * of the last changes of contents and of the inode in ns, 8 bytes each; none.
 */
enum { PROFILE_ID_LINKED, PROFILE_ID_FILE, PROFILE_ID_UNKNOWN };

/* An executable mapping that exists from then on, replacing older ones. Text: its name. */
struct profile_map {
	struct profile_record record;
	int32_t		pid;
	uint32_t	protection;	/* PROT_* */
	uint64_t	start, end;
	uint64_t	offset;		/* in the file */
	uint32_t	id_size;
	uint32_t	id_kind;	/* PROFILE_ID_* */
	uint8_t		id[32];		/* in older files may have size 0: unknown */
	uint64_t	time;		/* ns; 0: before the first sample */
};

/* From then on, nothing is mapped there. */
struct profile_unmap {
	struct profile_record record;
	int32_t		pid;
	uint32_t	reserved;
	uint64_t	start, end;
	uint64_t	time;
};

/* The process executes another program: all its mappings are gone. */
struct profile_exec {
	struct profile_record record;
	int32_t		pid;
	uint32_t	reserved;
	uint64_t	time;
};

/* A thread has another name from then on. Text: the name. */
struct profile_comm {
	struct profile_record record;
	int32_t		pid, tid;
	uint64_t	time;
};

/* A task is created (PROFILE_FORK) with its parent's name and, a process, its mappings. */
struct profile_fork {
	struct profile_record record;
	int32_t		pid, tid;
	int32_t		parent_pid, parent_tid;
	uint64_t	time;
};

/* A task has ended. */
struct profile_exit {
	struct profile_record record;
	int32_t		pid, tid;
	uint64_t	time;
};

/* Code that is in no file: a process made it at run time. Text: its name. */
struct profile_symbol {
	struct profile_record record;
	int32_t		pid;
	uint32_t	reserved;
	uint64_t	start, end;
	uint64_t	time;		/* it exists from then on */
};

/* Code that was made at run time does not exist any more from then on. */
struct profile_symbol_end {
	struct profile_record record;
	int32_t		pid;
	uint32_t	reserved;
	uint64_t	start, end;
	uint64_t	time;
};

/*
 * Behind the fixed part: a mapping that is in no file, the kernel's [vdso], as an ELF file. It
 * belongs to the mappings that have its build id.
 */
struct profile_image {
	struct profile_record record;
	uint64_t	size;
};

/* Texts: the symbol, and its module or "". */
struct profile_ksymbol {
	struct profile_record record;
	uint64_t	start, end;
};

/* Behind the fixed part: samples as the kernel wrote them. */
struct profile_samples {
	struct profile_record record;
	uint32_t	context;	/* id of a PROFILE_CONTEXT */
	uint32_t	reserved;
	uint64_t	count;
};

/*
 * The branches that led to each sample of the next record, which is a PROFILE_SAMPLES of the
 * same context and as many samples. Behind the fixed part, for each sample: a 64-bit number of
 * branches, and for each of these, the newest first, two addresses, source and target; 0
 * is an address that was kept secret.
 */
struct profile_branches {
	struct profile_record record;
	uint32_t	context;
	uint32_t	reserved;
	uint64_t	count;
};

/*
 * More about the branches of the next PROFILE_BRANCHES, which is of the same context and as many
 * samples. Behind the fixed part: a struct profile_branch_detail for each of these branches.
 */
struct profile_branch_details {
	struct profile_record record;
	uint32_t	context;
	uint32_t	reserved;
	uint64_t	count;		/* of samples */
};

/* With neither of the first two flags it is not known if the prediction was right. */
#define PROFILE_BRANCH_MISPREDICTED	0x01
#define PROFILE_BRANCH_PREDICTED	0x02
#define PROFILE_BRANCH_IN_TRANSACTION	0x04
#define PROFILE_BRANCH_ABORT		0x08	/* of a transaction */
#define PROFILE_BRANCH_CYCLES		0x10	/* the number of cycles is known */

struct profile_branch_detail {
	uint32_t	flags;		/* PROFILE_BRANCH_*; others are unknown */
	uint32_t	cycles;		/* since the branch before */
};

/*
 * The calls that led to each sample of the next record of samples, which is of the same context
 * and has as many. Behind the fixed part, for each sample: a struct profile_chain, and its
 * addresses, 64 bits each: those in the kernel, then those of user level, of each part the
 * innermost function first. The very first is that of the sample, the others are return
 * addresses; the first of user level behind some of the kernel is the place of its entry.
 */
struct profile_chains {
	struct profile_record record;
	uint32_t	context;
	uint32_t	reserved;
	uint64_t	count;
};

/*
 * The samples of the next record, which is of the same context and has as many, stand for several
 * each, which the kernel added up. Behind the fixed part, for each: a struct profile_count. Their
 * time is when they were read. Their CPU is PROFILE_NO_CPU if the context is a thread's.
 */
struct profile_counts {
	struct profile_record record;
	uint32_t	context;
	uint32_t	reserved;
	uint64_t	count;
};

struct profile_count {
	uint64_t	samples;	/* 1 or more */
	uint64_t	periods;	/* their sum */
};

#define PROFILE_NO_CPU		0xffff

#define PROFILE_MAX_DEPTH	127	/* no part has more addresses */

#define PROFILE_KERNEL_CUT	0x1	/* the part may have had more addresses */
#define PROFILE_USER_CUT	0x2

struct profile_chain {
	uint16_t	kernel, user;	/* addresses */
	uint16_t	flags;		/* PROFILE_*_CUT */
	uint16_t	reserved;
};

/* The kernel's ledger of a context; the last one of each counts. */
struct profile_lost {
	struct profile_record record;
	uint32_t	context;
	uint32_t	reserved;
	uint64_t	overflows, recorded;
	uint64_t	full, error, throttled, messages;
	uint64_t	masked_ns;	/* time in which nothing was counted */
	uint64_t	suspended_ns;	/* likewise, as others had the PMU */
	uint64_t	late;		/* lost; absent in older recordings */
	uint64_t	unplaced;	/* recorded, but only this number: they had no slot; likewise */
};

/* Text: a note for the reader of the profile. */
struct profile_note {
	struct profile_record record;
};

#define PROFILE_INTERRUPTED	0x1	/* by a signal to pfmon */

/* The recording was finished. Nothing follows. */
struct profile_end {
	struct profile_record record;
	uint64_t	duration_ns;
	uint64_t	samples;	/* in the whole file */
	int32_t		status;		/* pfmon's exit status */
	uint32_t	flags;		/* PROFILE_INTERRUPTED */
};

#define PROFILE_MAX_PACKED	(16 << 20)	/* no block has more */

/*
 * Behind the fixed part: other records, whole ones and none of this kind, compressed into one
 * frame of zstd (RFC 8878). They are read as if they stood there.
 */
struct profile_packed {
	struct profile_record record;
	uint64_t	size;		/* of these records */
	uint64_t	packed;		/* bytes of the frame */
};

static_assert(sizeof(struct profile_header) == 24, "file format");
static_assert(sizeof(struct profile_record) == 16, "file format");
static_assert(sizeof(struct profile_command) == 24, "file format");
static_assert(sizeof(struct profile_start) == 32, "file format");
static_assert(sizeof(struct profile_sample_format) == 40, "file format");
static_assert(sizeof(struct profile_event) == 96, "file format");
static_assert(sizeof(struct profile_context) == 40, "file format");
static_assert(sizeof(struct profile_map) == 96, "file format");
static_assert(sizeof(struct profile_unmap) == 48, "file format");
static_assert(sizeof(struct profile_exec) == 32, "file format");
static_assert(sizeof(struct profile_comm) == 32, "file format");
static_assert(sizeof(struct profile_fork) == 40, "file format");
static_assert(sizeof(struct profile_exit) == 32, "file format");
static_assert(sizeof(struct profile_symbol) == 48, "file format");
static_assert(sizeof(struct profile_symbol_end) == 48, "file format");
static_assert(sizeof(struct profile_image) == 24, "file format");
static_assert(sizeof(struct profile_ksymbol) == 32, "file format");
static_assert(sizeof(struct profile_samples) == 32, "file format");
static_assert(sizeof(struct profile_branches) == 32, "file format");
static_assert(sizeof(struct profile_branch_details) == 32, "file format");
static_assert(sizeof(struct profile_branch_detail) == 8, "file format");
static_assert(sizeof(struct profile_chains) == 32, "file format");
static_assert(sizeof(struct profile_chain) == 8, "file format");
static_assert(sizeof(struct profile_counts) == 32, "file format");
static_assert(sizeof(struct profile_count) == 16, "file format");
static_assert(sizeof(struct profile_lost) == 104, "file format");
static_assert(sizeof(struct profile_end) == 40, "file format");
static_assert(sizeof(struct profile_packed) == 32, "file format");

#endif /* PFMON_DATA_FORMAT_H */
