/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of user instructions, and code whose instructions are known.
 *
 * The parts that depend on the architecture are in arch_*.h: USER_INST and similar values of PMC0
 * and up, the general control registers, of which each controls the counter PMDn; the addresses of
 * these registers; and code in assembly.
 *
 * On the software PMU the same registers count events that the functions below inject in place of
 * the instructions.
 */
#ifndef TESTS_ABI_COUNT_H
#define TESTS_ABI_COUNT_H

#include "abi.h"

/* PFM_START and PFM_STOP as system calls, in any form: number, second and third argument. */
struct raw_call {
	long	nr, second, third;
};

/*
 * The addresses of a general PMC and of its counter, and the bits of the PMC that a user can set.
 */
struct mapping {
	unsigned int	pmc_type, pmd_type;
	__u64		pmc, pmd;
	__u64		def, rsvd;
};

#if defined(__x86_64__)
#include "arch_x86.h"
#elif defined(__powerpc64__)
#include "arch_powerpc.h"
#else
#error "counting tests do not know this architecture: see arch_x86.h"
#endif

#define USER_INST	(INST_RETIRED | EVTSEL_USR | EVTSEL_EN)
#define ALL_INST	(USER_INST | EVTSEL_OS)
#define USER_BRANCHES	(branches_retired() | EVTSEL_USR | EVTSEL_EN)

/* The numbers of general counters are below this one. */
#define GENERAL_MAX	(soft_pmu ? PFM_SOFT_NUM_TESTS : ARCH_GENERAL_MAX)

/* Intel's fixed counters; elsewhere there is no such register. */
#define FIXED_CTRL	16	/* PMC */
#define FIXED_INST	16	/* PMD */
#define FIXED_OS	0x1ULL	/* of counter 0, in FIXED_CTRL */
#define FIXED_USR	0x2ULL
#define FIXED_CTRL_MSR	0x38d

/* Other PMUs have another register of that number. */
static inline bool fixed_is_there(void)
{
	pfarg_pmcinfo_t info = { .reg_num = FIXED_CTRL };

	return has_pmc(FIXED_CTRL) && !perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1) &&
	       info.reg_type == PFM_REG_TYPE_MSR && info.reg_index == FIXED_CTRL_MSR;
}

/*
 * Without fixed counters, tests do less. So the processor's own report is checked as well:
 * otherwise, a kernel that did not find them would pass.
 */
static inline bool has_fixed(void)
{
	static bool told;
	bool there = fixed_is_there();

	if (there != (!soft_pmu && arch_has_fixed()))
		FAIL("the processor has %s fixed counters, and the kernel reports otherwise",
		     there ? "no" : "some");
	if (!there && !told)
		printf("without fixed counters\n");
	told = true;
	return there;
}

/* Two ways to count the same events. */
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
		if ((c)->pmc == FIXED_CTRL ? has_fixed() : has_pmc((c)->pmc))

/*
 * One more counter of user instructions besides the first four general counters, with a higher
 * index: a fixed counter, or a general one.
 */
static inline const struct counter *fifth_counter(void)
{
	static const struct counter fifth = { "general", 4, 4, USER_INST };

	if (has_fixed())
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

/* Between the chunks of events some time passes. */
#define CHUNK	1000ULL

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

/*
 * The first argument of both calls: the context, or the device, which gets the context as an
 * argument.
 */
static inline int raw_fd(int fd)
{
	return device < 0 ? fd : device;
}

static inline struct raw_call raw_device_call(struct pfm_ioctl_call *call, int fd, int cmd)
{
	*call = (struct pfm_ioctl_call){ .fd = fd, .cmd = cmd };
	return (struct raw_call){ SYS_ioctl, PFM_IOCTL_CALL, (long)call };
}

static inline struct raw_call raw_start(int fd)
{
	static _Thread_local struct pfm_ioctl_call call;

	if (device >= 0)
		return raw_device_call(&call, fd, PFM_START);
	if (direct_form)
		return (struct raw_call){ .nr = __NR_pfm_start };
	return (struct raw_call){ .nr = __NR_perfmonctl, .second = PFM_START };
}

static inline struct raw_call raw_stop(int fd)
{
	static _Thread_local struct pfm_ioctl_call call;

	if (device >= 0)
		return raw_device_call(&call, fd, PFM_STOP);
	if (direct_form)
		return (struct raw_call){ .nr = __NR_pfm_stop };
	return (struct raw_call){ .nr = __NR_perfmonctl, .second = PFM_STOP };
}

/*
 * The same for the software PMU; the constant is the number of events that some_events() injects.
 */
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
	const struct raw_call start = raw_start(fd), stop = raw_stop(fd);
	long results[2];

	if (soft_pmu) {
		start_soft_loop_stop(fd, n);
		return;
	}
	arch_start_loop_stop(raw_fd(fd), n, &start, &stop, results);
	CHECK_EQ(results[0], 0);
	CHECK_EQ(results[1], 0);
}

/*
 * Start, make @n times the same system call, stop: here too, the number of user instructions
 * depends on @n alone.
 */
static inline void start_call_stop(int fd, __u64 n, const long call[4])
{
	const struct raw_call start = raw_start(fd), stop = raw_stop(fd);
	long results[2];

	if (soft_pmu) {
		CHECK_OK(try_start(fd));
		for (; n; n--) {
			syscall(call[0], call[1], call[2], call[3]);
			some_events();
		}
		CHECK_OK(try_stop(fd));
		return;
	}
	arch_start_call_stop(raw_fd(fd), n, call, &start, &stop, results);
	CHECK_EQ(results[0], 0);
	CHECK_EQ(results[1], 0);
}

/* The value of a loaded context's counter after the loop, begun at @preset. */
static inline __u64 count_loop(int fd, const struct counter *c, __u64 preset, __u64 n)
{
	write_pmd(fd, c->pmd, preset);
	start_loop_stop(fd, n);
	return read_pmd(fd, c->pmd);
}

#endif /* TESTS_ABI_COUNT_H */
