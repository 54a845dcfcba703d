/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bench: the cost of calls, in guest instructions, of perfmon and of perf_events.
 *
 * Both sides do the same work in the same run: the same events on the same thread. Under -icount
 * shift=0 the time stamp counter advances by one for each instruction, so costs are path lengths,
 * user and kernel together, and are reproducible.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <sys/types.h>

/* The guest's PMU has four counters; with --cpu Nehalem,pmu-counters=8 it has more. */
#define MAX_COUNTERS	8
#define GROUP_COUNTERS	4
#define MAX_GROUPS	512
#define MAX_CPUS	16

/* Seconds: the hooks of the scheduler stay enabled for one after the last session. */
#define BENCH_REST	2

/* The events, as PERFEVTSEL codes: instructions, cycles, branches, loads, and these again. */
extern const uint64_t bench_events[MAX_COUNTERS];

/*
 * One side of the comparison. Operations that cannot work end the program with a
 * message. They act on the calling thread.
 */
struct side {
	const char	*name;
	/* Create @n counters and start them. */
	void		(*open)(int n);
	/* Read the @n open counters. */
	void		(*read)(int n);
	/* Stop all and start them again. */
	void		(*stop_start)(void);
	void		(*close)(void);
	/* Record a sample in each period of @period user instructions: place, process and time. */
	void		(*sample_open)(uint64_t period);
	/* The same, with a buffer that is read while it is filled. */
	void		(*parts_open)(uint64_t period);
	/* The same, with a format that may add up equal samples. */
	void		(*sums_open)(uint64_t period);
	/*
	 * The same, with a format that may write a sample as its difference to the sample before.
	 */
	void		(*compact_open)(uint64_t period);
	/* The number of samples recorded so far, and their bytes. */
	uint64_t	(*samples)(uint64_t *bytes);
	/* Count @groups groups of GROUP_COUNTERS in turn, a millisecond each. */
	void		(*turns_open)(int groups);
	/* The number of turns so far. */
	uint64_t	(*turns)(void);
	/* Unload all groups, load and start them again. NULL: a session is loaded all its life. */
	void		(*reload)(void);
	/* Count GROUP_COUNTERS on each of the first @cpus CPUs. */
	void		(*cpus_open)(int cpus);
	void		(*cpus_close)(void);
};

extern const struct side perfmon_side, perf_side;

/* Find the entry point of the perfmon side; called before anything else. */
void perfmon_find(void);

__attribute__((__noreturn__, __format__(__printf__, 1, 2)))
void bench_die(const char *format, ...);

/* Keep the caller on a CPU. */
void bench_pin(int cpu);

/* The instructions of one call of @work(@arg): the minimum of several, less an empty call. */
uint64_t bench_measure(void (*work)(void *arg), void *arg);

/*
 * The instructions of one call of @work(@arg) in which nothing is used that was left by the call
 * before: the minimum of a few calls, seconds apart. The time in which the caller sleeps does not
 * count, as it is no instructions.
 */
uint64_t bench_measure_rested(void (*work)(void *arg), void *arg);

/* The instructions of a loop of @rounds, with everything that interrupts it. */
uint64_t bench_loop(uint64_t rounds);

/* The instructions of one round trip over two pipes to another process on this CPU. */
uint64_t bench_round_trip(void);

/* Operations of a side with @n counters: the instructions of one. */
uint64_t bench_read(const struct side *side, int n);
uint64_t bench_stop_start(const struct side *side, int n);
uint64_t bench_open_close(const struct side *side, int n);

/* As bench_open_close(), the first time in seconds. */
uint64_t bench_first_open_close(const struct side *side, int n);

/* The instructions that a change of the counted events adds, among @groups groups of them. */
uint64_t bench_turn(const struct side *side, int groups);

/* The instructions of unloading @groups groups and loading them again; 0 without reload(). */
uint64_t bench_reload(const struct side *side, int groups);

/* The instructions of a session on each of @cpus CPUs, for one of them. */
uint64_t bench_cpus(const struct side *side, int cpus);

/* Have @n threads of another process that sleep and have a session of @side each. */
pid_t others_start(const struct side *side, int n);
void others_stop(pid_t pid);

#endif /* BENCH_H */
