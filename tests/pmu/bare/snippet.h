/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pieces of code that are counted: SNIPPET(name, code) makes a function of that name with a u64
 * argument, in %r15. Counters run from the instruction after the WRMSR before the code, up to and
 * including the WRMSR after it: SNIPPET_TAIL instructions more than the code has. The code may use
 * all registers but %rsp. The label next_NAME is at its end.
 */
#ifndef TESTS_PMU_SNIPPET_H
#define TESTS_PMU_SNIPPET_H

#include "bare.h"

#define SNIPPET_TAIL	4

/* The value of GLOBAL_CTRL while the code runs. */
extern u64 snippet_enable;

/* Memory for the code to use: two pages. */
extern u8 scratch[8192];

#define SNIPPET(name, code)							\
	void name(u64 argument);						\
	asm(".pushsection .text\n"						\
	    #name ":\n"								\
	    "	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n" \
	    "	mov %rdi, %r15\n"						\
	    "	mov $0x38f, %ecx; mov snippet_enable, %eax\n"			\
	    "	mov snippet_enable + 4, %edx; wrmsr\n"				\
	    code "\n"								\
	    "next_" #name ":\n"							\
	    "	mov $0x38f, %ecx; xor %eax, %eax; xor %edx, %edx; wrmsr\n"	\
	    "	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"	\
	    "	ret\n"								\
	    ".popsection")

/* Interrupt handlers in assembly, whose own events are in counting.c. */
void iret_entry(void);
void skip_2_entry(void);
void page_entry(void);
void eoi_entry(void);
extern u64 page_table_entry;	/* the entry of the page that page_entry makes present */

/* Send VECTOR_FIXED to this CPU. */
static inline void send_interrupt(void)
{
	*apic(0x300) = 0x40000 | VECTOR_FIXED;
}

/* Set up counter i for an event, with the given bits besides EN. */
static inline void count(unsigned int i, u64 event, u64 bits)
{
	wrmsr(MSR_EVTSEL0 + i, event | bits | EVTSEL_EN);
}

#endif
