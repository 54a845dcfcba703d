/* SPDX-License-Identifier: GPL-2.0 */
/*
 * burn MILLIONS - execute MILLIONS million instructions at user level, and exit.
 *
 * Blocks of instructions that do nothing take the emulator the least time.
 */
	.text
	.globl	_start
_start:
	mov	16(%rsp), %rsi
	xor	%eax, %eax
	test	%rsi, %rsi
	jz	2f
1:
	movzbl	(%rsi), %ecx
	test	%ecx, %ecx
	jz	2f
	imul	$10, %rax
	lea	-48(%rax,%rcx), %rax
	inc	%rsi
	jmp	1b
2:
	imul	$1000, %rax
3:
	sub	$1, %rax
	js	4f
	.fill	998, 1, 0x90
	jmp	3b
4:
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.section .note.GNU-stack, "", @progbits
