/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event sets, and the registers of one.
 */
#ifndef TESTS_ABI_SETS_H
#define TESTS_ABI_SETS_H

#include "abi.h"

#define MIN_TIMEOUT	PERFMON_SYSFS "limits/switch_timeout_min_ns"

static inline __u64 time_ns(struct __kernel_timespec time)
{
	return time.tv_sec * NS_PER_SEC + time.tv_nsec;
}

static inline struct __kernel_timespec ns_time(__u64 ns)
{
	return (struct __kernel_timespec){ .tv_sec = ns / NS_PER_SEC, .tv_nsec = ns % NS_PER_SEC };
}

static inline int create_sets(int fd, pfarg_setdesc_t *sets, int n)
{
	return perfmonctl(fd, PFM_CREATE_EVTSETS, sets, n);
}

static inline int try_create_set(int fd, pfarg_setdesc_t set)
{
	return create_sets(fd, &set, 1);
}

static inline void create_set(int fd, pfarg_setdesc_t set)
{
	CHECK_OK(create_sets(fd, &set, 1));
}

/* A set that is left after @ns; returns the effective timeout. */
static inline __u64 create_timed_set(int fd, __u16 id, __u64 ns)
{
	pfarg_setdesc_t set = {
		.set_id = id, .set_flags = PFM_SETFL_TIME_SWITCH, .set_timeout = ns_time(ns),
	};

	CHECK_OK(create_sets(fd, &set, 1));
	return time_ns(set.set_timeout);
}

static inline void create_trigger_set(int fd, __u16 id)
{
	create_set(fd, (pfarg_setdesc_t){ .set_id = id, .set_flags = PFM_SETFL_OVFL_SWITCH });
}

static inline int try_delete_set(int fd, __u16 id)
{
	pfarg_setdesc_t set = { .set_id = id };

	return perfmonctl(fd, PFM_DELETE_EVTSETS, &set, 1);
}

static inline void delete_set(int fd, __u16 id)
{
	CHECK_OK(try_delete_set(fd, id));
}

static inline int try_get_set(int fd, __u16 id)
{
	pfarg_setinfo_t info = { .set_id = id };

	return perfmonctl(fd, PFM_GETINFO_EVTSETS, &info, 1);
}

static inline pfarg_setinfo_t get_set(int fd, __u16 id)
{
	pfarg_setinfo_t info = { .set_id = id };

	CHECK_OK(perfmonctl(fd, PFM_GETINFO_EVTSETS, &info, 1));
	CHECK_EQ(info.set_id, id);
	return info;
}

static inline __u64 runs(int fd, __u16 id)
{
	return get_set(fd, id).set_runs;
}

static inline __u64 duration(int fd, __u16 id)
{
	return time_ns(get_set(fd, id).set_act_duration);
}

static inline __u64 remaining(int fd, __u16 id)
{
	return time_ns(get_set(fd, id).set_timeout);
}

/* The registers of the vector, which are 0 to 63: it must have no others. */
static inline __u64 only_first(const __u64 *bitvector)
{
	int i;

	for (i = 1; i < PFM_MAX_PMD_BITVECTOR; i++)
		CHECK_EQ(bitvector[i], 0);
	return bitvector[0];
}

static inline __u64 switch_pmds(int fd, __u16 id)
{
	pfarg_setinfo_t info = get_set(fd, id);

	return only_first(info.set_switch_pmds);
}

/*
 * A counter and its control register, which have the same number: general counters and the first
 * fixed one (number 16). A period that is not given is the first one.
 */
struct event {
	unsigned int	reg;
	__u16		set;
	__u64		value;		/* of the PMC; USER_INST, unless given */
	__u32		flags;		/* of the PMC */
	__u64		period;		/* 0: count up from 0 */
	__u64		long_period, short_period;
	__u64		threshold;
	__u64		mask;
	__u32		seed;
	__u64		smpl_pmds, reset_pmds;
	__u64		virtual_smpl_pmds;	/* from PFM_VIRTUAL_PMD on */
};

static inline int try_program(int fd, struct event e)
{
	pfarg_pmc_t pmc = {
		.reg_num = e.reg, .reg_set = e.set, .reg_flags = e.flags,
		.reg_value = e.value ? e.value : (INST_RETIRED | EVTSEL_USR | EVTSEL_EN),
		.reg_reset_pmds = { e.reset_pmds }, .reg_smpl_pmds = { e.smpl_pmds },
	};
	pfarg_pmd_t pmd = {
		.reg_num = e.reg, .reg_set = e.set, .reg_value = -e.period,
		.reg_long_reset = -(e.long_period ? e.long_period : e.period),
		.reg_short_reset = -(e.short_period ? e.short_period : e.period),
		.reg_ovflsw_thres = e.threshold,
		.reg_random_mask = e.mask, .reg_random_seed = e.seed,
	};

	if (e.reg == FIXED_INST || e.smpl_pmds & BIT_ULL(FIXED_INST))
		need_hardware("fixed counters");
	pmc.reg_smpl_pmds[PFM_VIRTUAL_PMD / 64] |= e.virtual_smpl_pmds << PFM_VIRTUAL_PMD % 64;
	if (perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1))
		return -1;
	return perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1);
}

static inline void program(int fd, struct event e)
{
	CHECK_OK(try_program(fd, e));
}

/* A counter that only counts user instructions. */
static inline void count_up(int fd, __u16 set, unsigned int reg)
{
	program(fd, (struct event){ .set = set, .reg = reg });
}

static inline pfarg_pmd_t read_reg(int fd, __u16 set, unsigned int reg)
{
	pfarg_pmd_t pmd = { .reg_num = reg, .reg_set = set };

	CHECK_OK(perfmonctl(fd, PFM_READ_PMDS, &pmd, 1));
	return pmd;
}

static inline __u64 value_of(int fd, __u16 set, unsigned int reg)
{
	return read_reg(fd, set, reg).reg_value;
}

static inline void expect_no_set(int fd, __u16 id)
{
	pfarg_setinfo_t info = { .set_id = id };

	CHECK_ERRNO(perfmonctl(fd, PFM_GETINFO_EVTSETS, &info, 1), EINVAL);
	CHECK_EQ(info.set_flags, PFM_SET_RETFL_NOSET);
}

static inline void expect_bad_set(int fd, pfarg_setdesc_t set)
{
	CHECK_ERRNO(create_sets(fd, &set, 1), EINVAL);
	CHECK_EQ(set.set_flags & PFM_SET_RETFL_MASK, PFM_SET_RETFL_EINVAL);
	CHECK(PFM_SET_HAS_ERROR(set.set_flags));
}

#endif /* TESTS_ABI_SETS_H */
