/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Branches that are known, between the system calls that start and stop a context.
 * known_list has the branches that are taken, in order: see lbr.h. The count includes
 * the branches that are not taken.
 */

/* Addresses within known_commands. */
#define START		0
#define STOP		4

#define JCC		(1 << 2)
#define REL_CALL	(1 << 3)
#define IND_CALL	(1 << 4)
#define RET		(1 << 5)
#define IND_JMP		(1 << 6)
#define REL_JMP		(1 << 7)
#define FAR		(1 << 8)

	/* perfmonctl(fd, command, NULL, 0) with fd in ebx and the call's number in r12 */
	.macro command place
	mov	%r12, %rax
	mov	%ebx, %edi
	mov	known_commands+\place(%rip), %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	syscall
	.endm

	.text
	.globl	known_run, known_start, known_list
	.type	known_run, @function
/* long known_run(int fd, long number): returns the results of the two commands, or'ed */
known_run:
	push	%rbx
	push	%r12
	push	%r13
	mov	%edi, %ebx
	mov	%rsi, %r12
	command	START
known_start:
	mov	%rax, %r13
b1:	jmp	t1
	ud2
t1:	test	%rsp, %rsp
	jz	known_start		/* not taken: branch 2 */
b2:	jnz	t2
	ud2
t2:
b3:	call	leaf
r3:	lea	t5(%rip), %rax
b5:	jmp	*%rax
	ud2
t5:
	push	%rax
b6:	call	*leaf2_address(%rip)
r6:	mov	$2, %ecx
loop8:	nop
b8:	loop	loop8			/* then not taken: branch 10 */
b9:	jrcxz	t9
	ud2
t9:
b10:	jmp	far_away
r10:	mov	%cs, %eax
	push	%rax
	lea	t11(%rip), %rax
	push	%rax
b11:	lretq
	ud2
t11:	mov	%rsp, %rcx
	mov	%ss, %eax
	push	%rax
	push	%rcx
	pushfq
	mov	%cs, %eax
	push	%rax
	lea	t12(%rip), %rax
	push	%rax
b12:	iretq
	ud2
t12:	mov	$3, %ecx
	lea	source(%rip), %rsi
	lea	sink(%rip), %rdi
	rep movsb			/* none */
	command	STOP
	or	%r13, %rax
	pop	%r13
	pop	%r12
	pop	%rbx
	ret

leaf:	nop
b4:	ret

leaf2:	nop
b7:	ret	$8

	/* On a page of its own, behind a jump of 32 bits. */
	.balign	4096
far_away:
	stc
bfar:	jc	r10
	ud2
	.size	known_run, . - known_run

	.section .rodata
	.balign	8
known_list:
	.quad	b1, t1, REL_JMP, 1
	.quad	b2, t2, JCC, 3
	.quad	b3, leaf, REL_CALL, 4
	.quad	b4, r3, RET, 5
	.quad	b5, t5, IND_JMP, 6
	.quad	b6, leaf2, IND_CALL, 7
	.quad	b7, r6, RET, 8
	.quad	b8, loop8, JCC, 9
	.quad	b9, t9, JCC, 11
	.quad	b10, far_away, REL_JMP, 12
	.quad	bfar, r10, JCC, 13
	.quad	b11, t11, FAR, 14
	.quad	b12, t12, FAR, 15
	.text

	/*
	 * long NAME_run(int fd, long number, long rounds): with sched_yield() at the
	 * end of each round; all its branches are between NAME_run and NAME_end.
	 */
	.macro	region name
	.balign	4096
	.globl	\name\()_run, \name\()_end
	.type	\name\()_run, @function
\name\()_run:
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	mov	%edi, %ebx
	mov	%rsi, %r12
	mov	%rdx, %r14
	command	START
	mov	%rax, %r13
1:	mov	$20, %ecx
2:	jmp	3f
	ud2
3:	dec	%ecx
	jnz	2b
	mov	$24, %eax		/* sched_yield */
	syscall
	dec	%r14
	jnz	1b
	command	STOP
	or	%r13, %rax
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	ret
\name\()_end:
	.size	\name\()_run, . - \name\()_run
	.endm

	region	left
	region	right

	.data
leaf2_address:
	.quad	leaf2
source:	.ascii	"lbr"
sink:	.space	3

	.section .note.GNU-stack, "", @progbits
