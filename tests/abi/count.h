/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of user instructions, and code whose instructions are known.
 *
 * PMC0 and up are the event selectors of PMD0 and up, laid out alike by Intel and AMD:
 * IA32_PERFEVTSELx and IA32_PMCx, PERF_CTLx and PERF_CTRx. Event 0xc0, mask 0, is
 * "instructions retired" on all of them. The Intel architectural PMU has fixed counters
 * as well: PMC16 is IA32_FIXED_CTR_CTRL, PMD16 and up IA32_FIXED_CTRx, of which the first
 * counts instructions.
 *
 * On the software PMU the same registers count events that are injected, by the
 * functions below instead of the instructions.
 */
#ifndef TESTS_ABI_COUNT_H
#define TESTS_ABI_COUNT_H

#include "abi.h"

#ifndef __x86_64__
#error "counting tests know x86-64 only"
#endif

#define EVTSEL_USR	BIT_ULL(16)
#define EVTSEL_OS	BIT_ULL(17)
#define EVTSEL_PC	BIT_ULL(19)
#define EVTSEL_INT	BIT_ULL(20)
#define EVTSEL_ANY	BIT_ULL(21)
#define EVTSEL_EN	BIT_ULL(22)
#define INST_RETIRED	0xc0ULL

#define USER_INST	(INST_RETIRED | EVTSEL_USR | EVTSEL_EN)
#define ALL_INST	(USER_INST | EVTSEL_OS)
#define USER_BRANCHES	(branches_retired() | EVTSEL_USR | EVTSEL_EN)

/* General counters have numbers below this. */
#define GENERAL_MAX	(soft_pmu ? PFM_SOFT_NUM_TESTS : 16)

#define FIXED_CTRL	16	/* PMC */
#define FIXED_INST	16	/* PMD */
#define FIXED_OS	0x1ULL	/* of counter 0, in FIXED_CTRL */
#define FIXED_USR	0x2ULL

/* Where AMD's event selectors are, of which there are four or more. */
#define AMD_PERF_CTL		0xc0010000
#define AMD_PERF_CTL_CORE	0xc0010200

/* The address of the first event selector, which tells whose PMU it is. */
static inline __u64 first_evtsel(void)
{
	pfarg_pmcinfo_t info = { .reg_num = 0 };

	CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1));
	return info.reg_index;
}

static inline __u64 branches_retired(void)
{
	return first_evtsel() >= AMD_PERF_CTL ? 0xc2 : 0xc4;
}

/* Two ways to count the same. */
struct counter {
	const char	*name;
	unsigned int	pmc, pmd;
	__u64		value;
};

static const struct counter counters[] = {
	{ "general", 0, 0, USER_INST },
	{ "fixed", FIXED_CTRL, FIXED_INST, FIXED_USR },
};

static const struct counter *const general = &counters[0];

#define for_each_counter(c)						\
	for ((c) = counters; (c) < counters + ARRAY_SIZE(counters); (c)++) \
		if (has_pmc((c)->pmc) && has_pmd((c)->pmd))

/*
 * One more counter of user instructions beside the first four general ones, with a higher
 * index than theirs: fixed, or general.
 */
static inline const struct counter *fifth_counter(void)
{
	static const struct counter fifth = { "general", 4, 4, USER_INST };

	if (has_pmc(FIXED_CTRL))
		return &counters[1];
	if (soft_pmu || !has_pmc(fifth.pmc))
		SKIP("this PMU has four counters");
	return &fifth;
}

/* A context with one counter of user instructions, not loaded. */
static inline int create_counting(const struct counter *c, __u32 flags)
{
	int fd;

	need_pmu();
	fd = create(flags);
	write_pmc(fd, c->pmc, c->value);
	return fd;
}

/* Time passes among the events, too. */
#define CHUNK	1000ULL

static inline void count_down(__u64 n)
{
	__asm__ volatile("1:	dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n) : : "cc");
}

/* 2 * @n instructions. */
static inline void loop(__u64 n)
{
	__u64 part;

	for (; soft_pmu && n; n -= part) {
		part = n < CHUNK ? n : CHUNK;
		inject(2 * part);
		count_down(part);
	}
	if (!soft_pmu)
		count_down(n);
}

/* PFM_START and PFM_STOP as system calls, in either form: number and second argument. */
struct raw_call {
	long	nr, second;
};

static inline struct raw_call raw_start(void)
{
	if (direct_form)
		return (struct raw_call){ __NR_pfm_start, 0 };
	return (struct raw_call){ __NR_perfmonctl, PFM_START };
}

static inline struct raw_call raw_stop(void)
{
	if (direct_form)
		return (struct raw_call){ __NR_pfm_stop, 0 };
	return (struct raw_call){ __NR_perfmonctl, PFM_STOP };
}

/* The other arguments of both are zero. */
#define RAW_START						\
	"xor %%edx, %%edx\n\t"					\
	"xor %%r10d, %%r10d\n\t"				\
	"mov 8(%[start]), %%rsi\n\t"				\
	"mov (%[start]), %%rax\n\t"				\
	"syscall\n\t"						\
	"mov %%rax, %[started]\n\t"
#define RAW_STOP						\
	"mov 8(%[stop]), %%rsi\n\t"				\
	"mov (%[stop]), %%rax\n\t"				\
	"syscall"

/* What follows, for the software PMU; the constant is what some_events() makes. */
static inline void start_soft_loop_stop(int fd, __u64 n)
{
	CHECK_OK(try_start(fd));
	loop(n);
	CHECK_OK(try_stop(fd));
}

/*
 * Start, loop, stop: between the return of PFM_START and PFM_STOP there are 2 * @n
 * user instructions and a number that is always the same.
 */
static inline void start_loop_stop(int fd, __u64 n)
{
	const struct raw_call start = raw_start(), stop = raw_stop();
	long started, stopped;

	if (soft_pmu) {
		start_soft_loop_stop(fd, n);
		return;
	}
	__asm__ volatile(RAW_START
			 "test %[n], %[n]\n\t"
			 "jz 2f\n"
			 "1:	dec %[n]\n\t"
			 "jnz 1b\n"
			 "2:	" RAW_STOP
			 : "=&a" (stopped), [started] "=&r" (started), [n] "+&r" (n)
			 : "D" (fd), [start] "r" (&start), [stop] "r" (&stop)
			 : "rcx", "rdx", "rsi", "r10", "r11", "cc", "memory");
	CHECK_EQ(started, 0);
	CHECK_EQ(stopped, 0);
}

/*
 * Start, make @n times the same system call, stop: again @n decides about the
 * number of user instructions, and nothing else.
 */
static inline void start_call_stop(int fd, __u64 n, const long call[4])
{
	const struct raw_call start = raw_start(), stop = raw_stop();
	long started, stopped;

	if (soft_pmu) {
		CHECK_OK(try_start(fd));
		for (; n; n--) {
			syscall(call[0], call[1], call[2], call[3]);
			some_events();
		}
		CHECK_OK(try_stop(fd));
		return;
	}
	__asm__ volatile(RAW_START
			 "mov %%rdi, %%r12\n"
			 "1:	mov (%[call]), %%rax\n\t"
			 "mov 8(%[call]), %%rdi\n\t"
			 "mov 16(%[call]), %%rsi\n\t"
			 "mov 24(%[call]), %%rdx\n\t"
			 "syscall\n\t"
			 "dec %[n]\n\t"
			 "jnz 1b\n\t"
			 "mov %%r12, %%rdi\n\t"
			 "xor %%edx, %%edx\n\t"
			 RAW_STOP
			 : "=&a" (stopped), [started] "=&r" (started), [n] "+&r" (n),
			   "+D" (fd)
			 : [call] "r" (call), [start] "r" (&start), [stop] "r" (&stop)
			 : "rcx", "rdx", "rsi", "r10", "r11", "r12", "cc", "memory");
	CHECK_EQ(started, 0);
	CHECK_EQ(stopped, 0);
}

/* What a loaded context's counter shows for the loop, begun at @preset. */
static inline __u64 count_loop(int fd, const struct counter *c, __u64 preset, __u64 n)
{
	write_pmd(fd, c->pmd, preset);
	start_loop_stop(fd, n);
	return read_pmd(fd, c->pmd);
}

#endif /* TESTS_ABI_COUNT_H */
