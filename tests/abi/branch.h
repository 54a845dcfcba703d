/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling with the branch format, and loops in which each branch is known.
 */
#ifndef TESTS_ABI_BRANCH_H
#define TESTS_ABI_BRANCH_H

#include "sampling.h"

#include <perfmon_branch_smpl.h>

#define SIZE		(1 << 20)
#define DEPTH		16	/* records that are PMDs */

/* Intel's registers: Documentation/x86-registers.md */
#define DEBUGCTL	23	/* PMC */
#define LBR_CTL		24	/* PMC */
#define FROM		32	/* first PMD */
#define RECORDS_MASK	(~0ULL << FROM)
#define USER_END	BIT_ULL(47)
#define RECORD_DEBUGCTL	0x1ULL
#define RECORD_CTL	0x7f0005ULL	/* user level, all kinds */

#define BRANCH(size, depth)							\
	((pfm_branch_smpl_arg_t){ .buf_size = (size), .buf_depth = (depth) })

struct branched {
	int				fd;
	const pfm_branch_smpl_hdr_t	*hdr;
};

static const struct format branch_format = {
	"branch", PFM_BRANCH_SMPL_UUID, sizeof(pfm_branch_smpl_arg_t),
};

static inline bool has_branches(void)
{
	return !soft_pmu && (has_pmc(DEBUGCTL) || has_pmc(LBR_CTL)) && has_pmd(FROM + DEPTH - 1);
}

static inline void need_branches(void)
{
	need_format(&branch_format);
	if (!has_branches())
		SKIP("this PMU has no branch records");
}

static inline int try_create_branched(__u32 flags, pfm_branch_smpl_arg_t arg)
{
	return try_create_formatted(&branch_format, flags, &arg, NULL);
}

static inline struct branched create_branched(__u32 flags, pfm_branch_smpl_arg_t arg)
{
	struct formatted made;

	need_branches();
	made = create_formatted(&branch_format, flags, &arg);
	set_nonblocking(made.fd);
	return (struct branched){ .fd = made.fd, .hdr = made.hdr };
}

/* Record branches at user level in this set. */
static inline void record_branches(int fd, __u16 set)
{
	const bool own = has_pmc(LBR_CTL);
	pfarg_pmc_t pmc = {
		.reg_num = own ? LBR_CTL : DEBUGCTL, .reg_set = set,
		.reg_value = own ? RECORD_CTL : RECORD_DEBUGCTL,
	};

	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMCS, &pmc, 1));
}

/* Samples. */

static inline const pfm_branch_smpl_entry_t *first_entry(const struct branched *b)
{
	return (const void *)(b->hdr + 1);
}

static inline const pfm_branch_smpl_entry_t *next_entry(const pfm_branch_smpl_entry_t *entry)
{
	return (const void *)((const char *)entry + entry->size);
}

#define for_each_sample(b, entry, i)						\
	for ((i) = 0, (entry) = first_entry(b); (i) < (b)->hdr->hdr_count;	\
	     (i)++, (entry) = next_entry(entry))

static inline const __u64 *values_of(const pfm_branch_smpl_entry_t *entry)
{
	return (const __u64 *)(entry + 1);
}

static inline const pfm_branch_smpl_record_t *branches_of(const pfm_branch_smpl_entry_t *entry)
{
	return (const void *)(values_of(entry) + entry->num_values);
}

/* A record at user level is right in itself, whichever branch it is. */
static inline void check_record(const pfm_branch_smpl_record_t *record)
{
	const __u32 both = PFM_BRANCH_SMPL_MISPREDICTED | PFM_BRANCH_SMPL_PREDICTED;

	CHECK(record->from < USER_END && record->to < USER_END);
	CHECK_NE(record->flags & both, both);
	CHECK_EQ(record->flags & ~(both | PFM_BRANCH_SMPL_CYCLES), 0);
	if (!(record->flags & PFM_BRANCH_SMPL_CYCLES))
		CHECK_EQ(record->cycles, 0);
	if (!record->from)
		CHECK_EQ(record->flags, 0);
}

/* The header describes the contents. No event is counted meanwhile. */
static inline void check_samples(const struct branched *b)
{
	const pfm_branch_smpl_entry_t *entry;
	unsigned int k;
	__u64 i;

	for_each_sample(b, entry, i) {
		CHECK_EQ(entry->size, sizeof(*entry) + 8 * entry->num_values +
				      sizeof(pfm_branch_smpl_record_t) * entry->num_branches);
		CHECK_LE(entry->num_branches, b->hdr->hdr_depth);
		for (k = 0; k < entry->num_branches; k++)
			check_record(&branches_of(entry)[k]);
	}
	CHECK_EQ((const char *)entry - (const char *)b->hdr, b->hdr->hdr_cur_offs);
	check_ledger(b->fd);
}

/* Loops of four branches a round: a jump, a call, its return, and the jump to the next round. */
struct loop {
	void		(*run)(long rounds);
	const char	*jump, *call, *after, *again, *sub, *end;
};

#ifdef __x86_64__

#define ROUND_INSTRUCTIONS	5

#define LOOP(name)								\
	void name##_run(long rounds);						\
	extern const char name##_call[], name##_after[], name##_again[];	\
	extern const char name##_sub[], name##_end[];				\
	__asm__(".pushsection .text\n"						\
		#name "_run:	jmp " #name "_call\n\t"				\
		"nop\n"								\
		#name "_call:	call " #name "_sub\n"				\
		#name "_after:	dec %rdi\n"					\
		#name "_again:	jnz " #name "_run\n\t"				\
		"ret\n"								\
		#name "_sub:	ret\n"						\
		#name "_end:	.popsection");					\
	static const struct loop name = {					\
		name##_run, (const char *)name##_run, name##_call, name##_after,	\
		name##_again, name##_sub, name##_end,				\
	}

#else
#error "tests of branches know no program of this architecture"
#endif

static inline bool is_of(const struct loop *loop, __u64 address)
{
	return address >= (unsigned long)loop->jump && address < (unsigned long)loop->end;
}

#endif /* TESTS_ABI_BRANCH_H */
