/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fuzzer: declarations that its parts share.
 *
 * A run is a sequence of rounds. A round is a PID namespace in which a few processes with a few
 * threads each perform random operations on the same contexts. At its end everything in it is
 * killed, and the machine must be in the same state as before (settle.c).
 *
 * Every thread draws from a random stream of its own, and so does every operation: an operation
 * depends on the seed, the thread and the operation's number, and not on the actions of others
 * before. The same seed repeats the same operations; the scheduler decides about their order.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <perfmon.h>
#include <perfmon_branch_smpl.h>
#include <perfmon_default_smpl.h>
#include <perfmon_compact_smpl.h>
#include <perfmon_hist_smpl.h>
#include <perfmon_ring_smpl.h>
#include <perfmon_stack_smpl.h>
#include <perfmon_ibs_smpl.h>

#include "../command_table.h"
#include "random.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define PAGE			4096UL
#define NOBODY			65534
#define SYSFS			"/sys/kernel/perfmon/"

#define MAX_PROCESSES	4	/* of a round; their children come on top of that */
#define MAX_THREADS	3	/* of a process */
#define MAX_ALIVE	20	/* processes at any time */
#define MAX_CONTEXTS	8	/* descriptors of a process */
#define MAX_MAPS	4	/* mappings of a process */
#define MAX_CHILDREN	4	/* of a process */
#define MAX_TARGETS	32	/* threads to load onto */
#define MAX_TRAILS	64
#define TRAIL_LENGTH	16
#define MAX_FORMATS	12
#define MAX_OPERATIONS	64
#define MAX_ERRNO	128	/* perfmon's own are all below */

/*
 * Descriptors that are no contexts have high numbers, so that a number that has just been closed
 * can only become another context.
 */
enum {
	FD_HIGH = 200,
	FD_SEND = FD_HIGH,	/* a pair of sockets, to pass descriptors through */
	FD_RECEIVE,
	FD_ONLINE,		/* the switch of CPU 1 */
	FD_RATE,		/* limits/interrupt_rate_max */
	FD_TIMEOUT,		/* limits/switch_timeout_min_ns */
	FD_EPOLL,
	FD_MODULE,
};

struct fuzzer;

struct format {
	pfm_uuid_t	uuid;
	size_t		arg_size;
	void		(*fill)(struct fuzzer *f, void *arg);	/* NULL: no thread */
};

#define PROBE_MODULE	"perfmon_fmt_probe"
#define HIST_MODULE	"perfmon_hist_smpl"
#define STACK_MODULE	"perfmon_stack_smpl"
#define COMPACT_MODULE	"perfmon_compact_smpl"
#define IBS_MODULE	"perfmon_ibs_smpl"
#define BRANCH_MODULE	"perfmon_branch_smpl"
#define KERNEL_FORMATS	7	/* the first formats are the kernel's own */

/* Properties of the machine; read once. */
struct machine {
	pfarg_config_t	config;		/* the first value, which must be restored */
	/* PMCs of counters first, then others; counters, buffers, virtual PMDs: see registers.c */
	__u16		pmcs[PFM_MAX_PMCS], pmds[PFM_MAX_PMDS];
	unsigned int	num_pmcs, num_pmds;
	unsigned int	num_selectors;	/* the PMCs of counters */
	unsigned int	num_counters;
	unsigned int	num_hardware;	/* counters and buffers */
	struct format	formats[MAX_FORMATS];
	unsigned int	num_formats;
	unsigned int	cpus;
	uint64_t	interrupt_rate_max, switch_timeout_min_ns;
	const char	*module;	/* file of the module with the probe formats, or NULL */
};

/* The parameters of a round. */
struct plan {
	uint64_t	seed;
	unsigned int	processes;
	unsigned int	operations;	/* of a thread */
	unsigned int	system_wide;	/* of 8 contexts */
	unsigned int	interrupt_rate_max;
	bool		hotplug;
	bool		configure;	/* global limits change meanwhile */
	bool		modules;	/* probe formats are loaded and removed */
	const char	*late;		/* the late function, by how many us; or NULL */
	unsigned int	late_us;
};

/* The last operations of a thread. */
struct trail {
	char		name[24];
	unsigned int	next;
	char		text[TRAIL_LENGTH][96];
};

/* Shared by all processes. */
struct world {
	struct plan	plan;
	int		verbose;
	int		over;		/* all processes finish */
	int		failed;
	char		failure[512];
	uint64_t	operations;	/* since the start */
	uint64_t	done[MAX_OPERATIONS];	/* by operation */
	uint64_t	made[MAX_COMMAND + 1];	/* calls of a command */
	uint64_t	ended[MAX_COMMAND + 1][MAX_ERRNO];	/* by errno; 0 is success */
	uint64_t	messages[6];	/* by type; 0 is any */
	uint64_t	samples;	/* seen in mapped buffers */
	uint64_t	signals;
	int		alive;		/* processes of the round */
	pid_t		targets[MAX_TARGETS];
	unsigned int	next_trail;
	struct trail	trails[MAX_TRAILS];
};

/* A mapping has an address of its own, so that a stale one can never be another thread's. */
struct map {
	size_t	size;		/* 0: no mapping */
};

/* Shared by the threads of a process. Children begin with a copy. */
struct process {
	uint64_t	contexts[MAX_CONTEXTS];	/* see slots.c */
	struct map	maps[MAX_MAPS];
	pid_t		children[MAX_CHILDREN];
	int		extra_threads;
	bool		root;
};

/* A thread that fuzzes. */
struct fuzzer {
	struct random	random;		/* of the operation */
	uint64_t	stream;
	unsigned int	operation;
	unsigned int	depth;		/* limit of the depth of forks */
	bool		sane;		/* only valid calls */
	struct process	*process;
	struct trail	*trail;
	pid_t		tid;
	unsigned int	restarts;	/* number of restarts by signals, in this operation */
	int		own;		/* the context that was last loaded onto this thread */
	unsigned char	*room;		/* see memory.c */
	unsigned char	*before;
	sigjmp_buf	fault;		/* the point to continue at after a bad access */
	volatile int	may_fault;
};

struct operation {
	const char	*name;
	unsigned int	weight;
	void		(*run)(struct fuzzer *f);
};

extern struct machine machine;
extern struct world *world;
extern const char *fuzz_path;	/* this program, set-user-id root */

#define load_acquire(p)		__atomic_load_n((p), __ATOMIC_SEQ_CST)
#define store_release(p, v)	__atomic_store_n((p), (v), __ATOMIC_SEQ_CST)
#define add_return(p, n)	__atomic_add_fetch((p), (n), __ATOMIC_SEQ_CST)
#define exchange(p, v)		__atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)

/* fuzz.c */
bool module_load(int fd);

/* delays.c */
void delays_find(void);
const char *delays_draw(struct random *random);
void delays_begin(const struct plan *plan);
void delays_end(const struct plan *plan);

/* registers.c */
void registers_find(void);

/* report.c */
__attribute__((format(printf, 2, 3))) void note(struct fuzzer *f, const char *format, ...);
/* The interface broke a promise: end the run. @f may be NULL. */
__attribute__((format(printf, 2, 3))) void violation(struct fuzzer *f, const char *format, ...);
struct trail *trail_new(const char *name);
void report_failure(void);
void report_counts(void);

/* thread.c */
extern __thread struct fuzzer *me;
void fuzz(struct fuzzer *f, unsigned int operations);
void fuzzer_init(struct fuzzer *f, struct process *process, uint64_t stream, const char *name);
void catch_signals(void);
const char *operation_name(unsigned int i);

/* round.c */
bool round_run(const struct plan *plan);
bool world_is_over(void);

/* settle.c */
void settle_in(const struct plan *plan);
void settle_open(void);
void settle_baseline(void);
bool settle(void);
bool settle_end(unsigned int rounds);
uint64_t wall_seconds(void);

#endif /* TESTS_FUZZ_FUZZ_H */
