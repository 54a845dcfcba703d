/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The switch to 64-bit mode, and the entries of all interrupts.
 *
 * QEMU loads this program like a kernel, by the PVH note, and starts it in 32-bit protected mode.
 * The lower 4 GB are mapped one to one, in pages of 2 MB.
 */
#define KERNEL_CS	0x08
#define KERNEL_DS	0x10
#define USER_DS		0x1b
#define USER_CS		0x23
#define VECTORS		256
#define VECTOR_USER	0x80

	.section .note.pvh, "a", @note
	.balign	4
	.long	4, 4, 18		/* XEN_ELFNOTE_PHYS32_ENTRY */
	.asciz	"Xen"
	.long	start

	.text
	.code32
	.globl	start
start:
	cld
	mov	$stack_top, %esp
	/* Page directories: one to one, for the kernel and for the user */
	mov	$directories, %edi
	mov	$0x87, %eax
	mov	$2048, %ecx
1:
	mov	%eax, (%edi)
	add	$0x200000, %eax
	add	$8, %edi
	loop	1b
	/* and the two levels above them */
	movl	$pdpt + 7, pml4
	mov	$directories + 7, %eax
	mov	$pdpt, %edi
	mov	$4, %ecx
2:
	mov	%eax, (%edi)
	add	$0x1000, %eax
	add	$8, %edi
	loop	2b
	mov	$0x620, %eax		/* PAE, OSFXSR, OSXMMEXCPT */
	mov	%eax, %cr4
	mov	$pml4, %eax
	mov	%eax, %cr3
	mov	$0xc0000080, %ecx	/* EFER: LME, SCE */
	rdmsr
	or	$0x101, %eax
	wrmsr
	mov	$0x80010033, %eax
	mov	%eax, %cr0
	lgdt	gdt_pointer
	ljmp	$KERNEL_CS, $long_mode

	.code64
long_mode:
	mov	$KERNEL_DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$stack_top, %rsp
	call	bare_main
3:
	hlt
	jmp	3b

/* One entry for each vector, 16 bytes apart: the error code, or 0, and the vector. */
	.balign	16
	.globl	vector_entries
vector_entries:
	.set	vector, 0
	.rept	VECTORS
	.balign	16
	.if	!(vector == 8 || (vector >= 10 && vector <= 14) || vector == 17)
	push	$0
	.endif
	push	$vector
	jmp	common_entry
	.set	vector, vector + 1
	.endr

/* Hand a struct frame to bare_interrupt(), see bare.h. */
common_entry:
	push	%rax
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	cld
	mov	%rsp, %rdi
	call	bare_interrupt
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%rax
	add	$16, %rsp
	iretq

/* call_user(function, argument): see bare.h. Vector VECTOR_USER leads to user_exit. */
	.globl	call_user
call_user:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, kernel_stack
	mov	%rdi, %rax
	mov	%rsi, %rdi
	push	$USER_DS
	push	$user_stack_top
	push	$0x202			/* interrupts on */
	push	$USER_CS
	push	$user_entry
	iretq
user_entry:
	call	*%rax
	int	$VECTOR_USER
	.globl	user_exit
user_exit:
	mov	kernel_stack, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.data
	.balign	8
	.globl	gdt
gdt:
	.quad	0
	.quad	0x00af9b000000ffff	/* 08: kernel code */
	.quad	0x00cf93000000ffff	/* 10: kernel data */
	.quad	0x00cff3000000ffff	/* 18: user data */
	.quad	0x00affb000000ffff	/* 20: user code */
	.quad	0, 0			/* 28: TSS, filled in by bare_main() */
gdt_end:
gdt_pointer:
	.word	gdt_end - gdt - 1
	.long	gdt

	.bss
	.balign	4096
	.globl	pml4
pml4:
	.skip	4096
pdpt:
	.skip	4096
directories:
	.skip	4 * 4096
	.skip	16384
stack_top:
	.skip	16384
user_stack_top:
kernel_stack:
	.skip	8

	.section .note.GNU-stack, "", @progbits
