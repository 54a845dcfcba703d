/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stride - 40,000 rounds of 256 instructions, the first 254 of one byte each: so the addresses of
 * two samples show the number of instructions between them, modulo 256. The rounds are at "rounds".
 * Exits with 0; nothing is printed, and no other memory is touched.
 */
	.text
	.globl	_start, rounds
_start:
	mov	$40000,%ecx
	jmp	rounds
	.balign	4096
rounds:
	.fill	254,1,0x90
	dec	%ecx
	jnz	rounds
	xor	%edi,%edi
	mov	$60,%eax
	syscall
