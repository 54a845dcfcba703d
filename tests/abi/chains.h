/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program with known calls: chain_run() calls chain_level(), which calls itself, and finally
 * loops, or repeats a system call. All have frame pointers.
 */
#ifndef TESTS_ABI_CHAINS_H
#define TESTS_ABI_CHAINS_H

#include "stack.h"

/* A system call: number, three arguments. */
struct call {
	long	nr, args[3];
};

#ifdef __x86_64__

/*
 * @levels nested calls, @rounds of a loop or of @call; @outer is the frame pointer that the
 * outermost function finds. Each round of the loop is two instructions.
 */
void chain_run(long levels, long rounds, const struct call *call, unsigned long outer);

/*
 * The return addresses of the functions; the address of the loop, and the one behind the system
 * call.
 */
extern const char chain_run_back[], chain_level_back[];
extern const char chain_loop[], chain_loop_end[], chain_call_back[];

__asm__(".pushsection .text\n"
	"chain_run:\n\t"
	"push %rbp\n\t"
	"push %rbx\n\t"
	"push %r12\n\t"
	"mov %rcx, %rbp\n\t"
	"call chain_level\n"
	"chain_run_back:\n\t"
	"pop %r12\n\t"
	"pop %rbx\n\t"
	"pop %rbp\n\t"
	"ret\n"
	"chain_level:\n\t"
	"push %rbp\n\t"
	"mov %rsp, %rbp\n\t"
	"test %rdi, %rdi\n\t"
	"jz 1f\n\t"
	"dec %rdi\n\t"
	"call chain_level\n"
	"chain_level_back:\n\t"
	"pop %rbp\n\t"
	"ret\n"
	"1:	test %rdx, %rdx\n\t"
	"jnz 2f\n"
	"chain_loop:\n\t"
	"dec %rsi\n\t"
	"jnz chain_loop\n"
	"chain_loop_end:\n\t"
	"pop %rbp\n\t"
	"ret\n"
	"2:	mov %rdx, %r12\n\t"
	"mov %rsi, %rbx\n"
	"3:	mov (%r12), %rax\n\t"
	"mov 8(%r12), %rdi\n\t"
	"mov 16(%r12), %rsi\n\t"
	"mov 24(%r12), %rdx\n\t"
	"syscall\n"
	"chain_call_back:\n\t"
	"dec %rbx\n\t"
	"jnz 3b\n\t"
	"pop %rbp\n\t"
	"ret\n\t"
	".popsection");

#else
#error "tests of chains know no program of this architecture"
#endif

static inline __u64 address(const char *label)
{
	return (unsigned long)label;
}

/* The events of a run of about @n user instructions, on any PMU. */
static inline void chain_events(long levels, long n, unsigned long outer)
{
	const struct call inject_some = { SYS_write, { INJECT_FD, 0, CHUNK } };

	if (soft_pmu)
		chain_run(levels, n / CHUNK, &inject_some, outer);
	else
		chain_run(levels, n / 2, NULL, outer);
}

/* True if the sample was taken in the innermost function, while its frame is complete. */
static inline bool is_innermost(__u64 ip)
{
	if (soft_pmu)
		return ip == address(chain_call_back);
	return ip >= address(chain_loop) && ip <= address(chain_loop_end);
}

#endif /* TESTS_ABI_CHAINS_H */
