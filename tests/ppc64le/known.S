/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program without a C library, of which every instruction at user level is known: 4 and 2 LOOPS,
 * and 3 to exit, which include the system call.
 */
#include <asm/unistd.h>

#define LOOPS	1000000

	.abiversion	2
	.text
	.globl	_start
	.type	_start, @function
_start:	lis	4, LOOPS@h		/* 1 */
	ori	4, 4, LOOPS@l		/* 1 */
	mtctr	4			/* 1 */
	b	rounds			/* 1 */
	.size	_start, . - _start

	.type	rounds, @function
rounds:	addi	3, 3, 1			/* 2 in each round */
	bdnz	rounds
	.size	rounds, . - rounds

	.type	leave, @function
leave:	li	0, __NR_exit		/* 1 */
	li	3, 0			/* 1 */
	sc				/* 1 */
	.size	leave, . - leave

	.section .note.GNU-stack, "", @progbits
