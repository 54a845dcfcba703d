/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AMD's Instruction-Based Sampling: its registers, and a loop whose samples are known.
 */
#ifndef TESTS_ABI_IBS_H
#define TESTS_ABI_IBS_H

#include "sampling.h"

#define FETCH		16	/* PMC and PMD: the units */
#define OP		17
#define FETCH_STATUS	18	/* PMDs: the fields of a sample */
#define FETCH_LINADDR	19
#define OP_STATUS	22
#define OP_RIP		23
#define OP_DATA		24
#define OP_DATA3	26
#define OP_TARGET	29

#define FETCH_EN	BIT_ULL(48)
#define OP_EN		BIT_ULL(17)
#define OP_INSTRUCTIONS	BIT_ULL(19)

#define DATA_RETURN	BIT_ULL(34)
#define DATA_TAKEN	BIT_ULL(35)
#define DATA_BRANCH	BIT_ULL(37)
#define DATA3_LOAD	1
#define DATA3_STORE	2

#define PERIOD		0x4000	/* instructions */
#define ROUNDS		200000

static inline void need_ibs(void)
{
	need_pmu();
	if (!has_pmc(OP) || first_evtsel() < AMD_PERF_CTL)
		SKIP("this processor has no IBS");
}

/* Eleven instructions a round, nearly each of a different kind. */
extern const char round_start[], round_load[], round_store[], round_both[], round_untaken[],
	round_taken[], round_call[], round_after_call[], round_last[], round_end[], round_ret[];
static __u64 memory;

__asm__(".pushsection .text\n"
	"run_rounds:\n"
	"round_start:	nop\n"
	"round_load:	mov (%rsi), %rax\n"
	"round_store:	mov %rax, (%rsi)\n"
	"round_both:	incq (%rsi)\n"
	"		test %rdi, %rdi\n"
	"round_untaken:	jz round_end\n"
	"round_taken:	jnz round_call\n"
	"		ud2\n"
	"round_call:	call round_ret\n"
	"round_after_call: dec %rdi\n"
	"round_last:	jnz round_start\n"
	"round_end:	ret\n"
	"round_ret:	ret\n"
	".popsection");
void run_rounds(__u64 n, __u64 *memory);

/* In the order in which they run. */
static const struct {
	const char	*at, *next;
	__u64		data, data3;
} insns[] = {
	{ round_start, round_load, 0, 0 },
	{ round_load, round_store, 0, DATA3_LOAD },
	{ round_store, round_both, 0, DATA3_STORE },
	{ round_both, round_both + 3, 0, DATA3_LOAD | DATA3_STORE },
	{ round_both + 3, round_untaken, 0, 0 },
	{ round_untaken, round_taken, DATA_BRANCH, 0 },
	{ round_taken, round_call, DATA_BRANCH | DATA_TAKEN, 0 },
	{ round_call, round_ret, DATA_BRANCH | DATA_TAKEN, DATA3_STORE },
	{ round_ret, round_after_call, DATA_BRANCH | DATA_TAKEN | DATA_RETURN, DATA3_LOAD },
	{ round_after_call, round_last, 0, 0 },
	{ round_last, round_start, DATA_BRANCH | DATA_TAKEN, 0 },
};

#define INSNS	ARRAY_SIZE(insns)

static inline unsigned int find_insn(__u64 address)
{
	unsigned int i;

	for (i = 0; i < INSNS; i++)
		if ((__u64)insns[i].at == address)
			return i;
	return INSNS;
}

#endif /* TESTS_ABI_IBS_H */
