/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs whose events at user level can be counted in the lines below.
 *
 *	WORK		LOOPS * 4 + 2 instructions, LOOPS loads, stores and branches
 *	LEAVE		3 instructions, 1 branch: a system call is one
 *
 * known_one		one task:		WORK, LEAVE
 * known_procs		TASKS children and their parent, each:	WORK, LEAVE
 * known_threads	TASKS threads and the first one, each:	WORK, LEAVE
 * known_long_...	the same with ten times the LOOPS
 * known_pie		known_one, loaded at any address
 *
 * known_turns		WORK of a hundredth of the LOOPS ten times, LEAVE
 *
 * WORK is from "child" to "leave".
 *
 * and in the last two, for each child:
 *
 *	in the parent	SPAWN, 7 instructions, 2 branches, + 1 (exit of the wait) ...
 *
 * see the numbers beside the lines; guest.sh adds them up. The children are cloned
 * without a signal at their end: for a traced parent it would restart the wait, and
 * the system call would be executed twice.
 */
#include <asm/unistd.h>

#ifndef LOOPS
#define LOOPS		100000
#endif
#define CLONE_WALL	0x40000000	/* wait4(): children without a signal too */
#define CLONE_THREADS	0x50f00		/* VM FS FILES SIGHAND THREAD SYSVSEM */

	.macro	WORK
	mov	$LOOPS, %ecx		/* 1 */
	lea	cell(%rip), %rsi	/* 1 */
1:	mov	(%rsi), %eax		/* 4 in each round: a load, */
	mov	%eax, (%rsi)		/* a store */
	dec	%ecx
	jnz	1b			/* and a branch */
	.endm

	.macro	LEAVE
	mov	$__NR_exit, %eax	/* 1 */
	xor	%edi, %edi		/* 1 */
	syscall				/* 1, a branch */
	.endm

	/* The parent goes on behind the call, the child jumps to "child". */
	.macro	SPAWN flags, stack
	mov	$__NR_clone, %eax	/* 1 */
	mov	$\flags, %edi		/* 1 */
	lea	\stack, %rsi		/* 1 */
	syscall				/* 1 in the parent only, a branch */
	test	%eax, %eax		/* 1 in both */
	jz	child			/* 1 in both, a branch */
	.endm

	.data
	.balign	64
cell:	.quad	0
	.bss
	.balign	16
	.skip	4096 * 4
stacks:

	.text
	.globl	_start
_start:
#ifdef THREADS
	SPAWN	CLONE_THREADS, stacks(%rip)
	SPAWN	CLONE_THREADS, (stacks - 4096)(%rip)
	SPAWN	CLONE_THREADS, (stacks - 8192)(%rip)
#endif
#ifdef PROCS
	SPAWN	0, 0
	SPAWN	0, 0
	SPAWN	0, 0
	.rept	3
	mov	$__NR_wait4, %eax	/* 1 */
	mov	$-1, %rdi		/* 1 */
	xor	%esi, %esi		/* 1 */
	mov	$CLONE_WALL, %edx	/* 1 */
	xor	%r10d, %r10d		/* 1 */
	syscall				/* 1, a branch */
	.endr
#endif
#ifdef TURNS
	mov	$TURNS, %ebp		/* 1 */
#endif
child:
	WORK
leave:
#ifdef TURNS
	dec	%ebp			/* 1 in each turn */
	jnz	child			/* 1, a branch */
#endif
	LEAVE

	.section .note.GNU-stack, "", @progbits
