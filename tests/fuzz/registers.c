// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of the PMU: PMCs that enable counters and others; PMDs that count, that hold values
 * of the hardware, and that the kernel computes.
 */
#include "registers.h"

#include <fcntl.h>
#include <perfmon_soft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* IBS_FETCH_CTL's and IBS_OP_CTL's bits: the other register's bit is reserved. */
#define IBS_ENABLE	(1ULL << 48 | 1ULL << 17)
#define IBS_COUNT_OPS	(1ULL << 19)

/* IA32_DEBUGCTL's bit 0, and IA32_LBR_CTL's: all kinds of branches, at user level. */
#define RECORD		0x7f0005ULL
#define RECORD_KERNEL	0x2ULL

enum kind {
	SELECTOR,	/* of one counter's event */
	FIXED,		/* Intel's fixed counters */
	NO_EVENT,	/* of a counter that always counts the same */
	IBS,
	OTHERS,		/* from here on: not of a counter */
	BRANCHES = OTHERS,
	SETTING,
};

/* By the beginning of the name; PMCs of all other names are selectors. */
static const struct {
	const char	*name;
	enum kind	kind;
} names[] = {
	{ "IA32_FIXED_CTR_CTRL", FIXED },
	{ "IBS_", IBS },
	{ "IA32_DEBUGCTL", BRANCHES },
	{ "IA32_LBR_CTL", BRANCHES },
	{ "IA32_PEBS_ENABLE", SETTING },
	{ "MSR_", SETTING },
	{ "MMCR", SETTING },
	{ "CTL5", NO_EVENT },	/* POWER */
	{ "CTL6", NO_EVENT },
};

/* All of them frequent. */
static const __u32 events[] = {
#ifdef __powerpc64__
	/* Instructions, cycles, and both while the run latch is set. */
	INSTRUCTIONS, INSTRUCTIONS, 0x1e, 0xf4, 0xfa,
#else
	/* Instructions, cycles, branches, cache references, loads. */
	INSTRUCTIONS, INSTRUCTIONS, 0x3c, 0x76, 0xc4, 0xc2, 0xc5, 0x4f2e, 0x10b,
#endif
};

static __u8 kinds[PFM_MAX_PMCS];

static void read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static enum kind kind_of(unsigned int pmc)
{
	char path[64], name[64];
	size_t i;

	snprintf(path, sizeof(path), SYSFS "pmu/pmc%u/name", pmc);
	read_file(path, name, sizeof(name));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i].name, strlen(names[i].name)))
			return names[i].kind;
	return SELECTOR;
}

/* Counters of a processor are narrower than its other PMDs. */
static bool is_buffer(unsigned int pmd)
{
	char path[64], text[64];

	read_file(SYSFS "pmu/model", text, sizeof(text));
	if (!strcmp(text, PFM_SOFT_MODEL))
		return false;
	snprintf(path, sizeof(path), SYSFS "pmu/pmd%u/width", pmd);
	read_file(path, text, sizeof(text));
	return atoi(text) == 64;
}

static bool has(const __u64 *bitvector, unsigned int i)
{
	return bitvector[i / 64] >> i % 64 & 1;
}

static void find_pmcs(void)
{
	const __u64 *there = machine.config.cf_impl_pmcs;
	unsigned int i;

	for (i = 0; i < PFM_MAX_PMCS; i++)
		if (has(there, i))
			kinds[i] = kind_of(i);
	for (i = 0; i < PFM_MAX_PMCS; i++)
		if (has(there, i) && kinds[i] < OTHERS)
			machine.pmcs[machine.num_pmcs++] = i;
	machine.num_selectors = machine.num_pmcs;
	for (i = 0; i < PFM_MAX_PMCS; i++)
		if (has(there, i) && kinds[i] >= OTHERS)
			machine.pmcs[machine.num_pmcs++] = i;
}

static void find_pmds(void)
{
	const __u64 *there = machine.config.cf_impl_pmds;
	unsigned int i;

	for (i = 0; i < PFM_VIRTUAL_PMD; i++)
		if (has(there, i) && !is_buffer(i))
			machine.pmds[machine.num_pmds++] = i;
	machine.num_counters = machine.num_pmds;
	for (i = 0; i < PFM_VIRTUAL_PMD; i++)
		if (has(there, i) && is_buffer(i))
			machine.pmds[machine.num_pmds++] = i;
	machine.num_hardware = machine.num_pmds;
	for (i = PFM_VIRTUAL_PMD; i < PFM_MAX_PMDS; i++)
		if (has(there, i))
			machine.pmds[machine.num_pmds++] = i;
}

void registers_find(void)
{
	find_pmcs();
	find_pmds();
}

/* One of numbers[from] to numbers[to - 1], or any number. */
static __u16 random_register(struct fuzzer *f, const __u16 *numbers, unsigned int from,
			     unsigned int to)
{
	if (from == to || rarely(f, 30))
		return random_once_in(&f->random, 2) ? random_below(&f->random, PFM_MAX_PMDS + 2) :
						       random_u64(&f->random);
	return numbers[from + random_below(&f->random, to - from)];
}

/* Most numbers are counters', however many other PMCs there are. */
__u16 random_pmc(struct fuzzer *f)
{
	if (machine.num_selectors < machine.num_pmcs && random_once_in(&f->random, 4))
		return random_register(f, machine.pmcs, machine.num_selectors, machine.num_pmcs);
	return random_register(f, machine.pmcs, 0, machine.num_selectors);
}

__u16 random_hardware_pmd(struct fuzzer *f)
{
	if (random_once_in(&f->random, 20))
		return random_register(f, machine.pmds, machine.num_hardware, machine.num_pmds);
	if (machine.num_counters < machine.num_hardware && random_once_in(&f->random, 4))
		return random_register(f, machine.pmds, machine.num_counters,
				       machine.num_hardware);
	return random_register(f, machine.pmds, 0, machine.num_counters);
}

__u16 random_pmd(struct fuzzer *f)
{
	if (random_once_in(&f->random, 3))
		return random_register(f, machine.pmds, machine.num_hardware, machine.num_pmds);
	return random_hardware_pmd(f);
}

static __u64 random_levels(struct fuzzer *f)
{
	return COUNT_USER | (random_once_in(&f->random, 3) ? COUNT_KERNEL : 0);
}

static __u64 random_event(struct fuzzer *f)
{
	__u64 value = random_of(&f->random, events) | random_levels(f);

	return random_once_in(&f->random, 12) ? value : value | COUNT_ENABLE;
}

static __u64 random_fixed(struct fuzzer *f)
{
	__u64 value = 0;
	unsigned int i;

	for (i = 0; i < 3; i++)
		value |= (__u64)random_below(&f->random, 4) << 4 * i;
	return value;
}

__u64 random_control(struct fuzzer *f, unsigned int pmc)
{
	if (rarely(f, 10) || pmc >= PFM_MAX_PMCS)
		return any_u64(f);
	switch (kinds[pmc]) {
	case FIXED:
		return random_fixed(f);
	case NO_EVENT:
		return random_levels(f);
	case IBS:
		return IBS_ENABLE | (random_once_in(&f->random, 2) ? IBS_COUNT_OPS : 0);
	case BRANCHES:
		return RECORD | (random_once_in(&f->random, 4) ? RECORD_KERNEL : 0);
	case SETTING:
		return any_u64(f);
	default:
		return random_event(f);
	}
}
