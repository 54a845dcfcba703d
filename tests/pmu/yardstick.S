/* SPDX-License-Identifier: GPL-2.0 */
/*
 * yardstick LOOPS [YIELDS [SIGNALS MICROSECONDS]] - a program whose user-level events are
 * known by counting them by hand.
 *
 * LOOPS	run the body below this many times; at least once.
 * YIELDS	call sched_yield() in this many of the loops, from the first one on.
 * SIGNALS	handle at least this many signals: go on after LOOPS until then, and print
 *		the numbers of loops and of signals handled, as two
 *		hexadecimal numbers. SIGALRM comes from a timer each MICROSECONDS (0: no
 *		timer), SIGUSR1 from any process.
 *
 * Without SIGNALS the program prints nothing. Exits with 0, or 2 without LOOPS.
 *
 * No libc, no dynamic linker: the code at user level from exec to exit is exactly the code below.
 * Each instruction has its events at the end of its line: i an instruction, b a branch, l a load, s
 * a store; xN: it runs N times where its block runs once; "never" if it does not run. A line
 * "@NAME: how often" begins a block. With
 *
 *	a arguments of d digits altogether, L loops (LOOPS, or as printed), y yields
 *	(YIELDS, at most L) and h handled signals
 *
 * each event's count is the sum over the blocks of their events, times the number of their runs.
 * The script expect, beside this file, does that sum.
 */
#define SYS_write		1
#define SYS_rt_sigaction	13
#define SYS_rt_sigprocmask	14
#define SYS_rt_sigreturn	15
#define SYS_sched_yield		24
#define SYS_setitimer		38
#define SYS_exit		60
#define SIGUSR1			10
#define SIGALRM			14
#define SA_RESTORER		0x04000000
#define SA_RESTART		0x10000000

#define PAGES			64
#define PAGE_SIZE		4096

	.text
	.globl	_start
_start:
// @start: 1
	lea	16(%rsp),%rbp		// i	argv + 1
	lea	numbers(%rip),%rdi	// i

// @look_argument: a + 1
argument:
	mov	(%rbp),%rsi		// il
	test	%rsi,%rsi		// i
	jz	parsed			// ib
// @argument: a
	add	$8,%rbp			// i
	xor	%eax,%eax		// i
// @look_digit: a + d
digit:
	movzbl	(%rsi),%ecx		// il
	test	%ecx,%ecx		// i
	jz	number			// ib
// @digit: d
	lea	(%rax,%rax,4),%rax	// i
	lea	-48(%rcx,%rax,2),%rax	// i
	inc	%rsi			// i
	jmp	digit			// ib
// @argument: a
number:
	mov	%rax,(%rdi)		// is
	add	$8,%rdi			// i
	jmp	argument		// ib

// @start: 1
parsed:
	mov	loops(%rip),%r12	// il
	mov	yields(%rip),%r13	// il
	mov	signals(%rip),%r14	// il
	xor	%ebp,%ebp		// i	loops so far
	test	%r12,%r12		// i
	jz	usage			// ib
	lea	fresh(%rip),%rdi	// i
	mov	$PAGES,%ecx		// i

// @page: 64. Each store faults, and counts once.
page:
	movb	$1,(%rdi)		// is
	add	$PAGE_SIZE,%rdi		// i
	dec	%ecx			// i
	jnz	page			// ib

// @start: 1
	test	%r14,%r14		// i
	jz	body			// ib

// @signal_setup: 1 with SIGNALS, else 0
	mov	$SIGUSR1,%edi		// i
	lea	action(%rip),%rsi	// i
	xor	%edx,%edx		// i
	mov	$8,%r10d		// i
	mov	$SYS_rt_sigaction,%eax	// i
	syscall				// ib
	mov	$SIGALRM,%edi		// i
	mov	$SYS_rt_sigaction,%eax	// i
	syscall				// ib
	mov	microseconds(%rip),%rax	// il
	mov	%rax,interval(%rip)	// is
	mov	%rax,value(%rip)	// is
	xor	%edi,%edi		// i
	lea	timer(%rip),%rsi	// i
	mov	$SYS_setitimer,%eax	// i
	syscall				// ib

// @loop: L
body:
	inc	%rbp			// i
	call	leaf			// ibs
	lea	leaf(%rip),%rax		// i
	call	*%rax			// ibs
	jmp	*target(%rip)		// ibl
	ud2				// never
there:
	mov	one(%rip),%rax		// il
	add	%rax,sum(%rip)		// ils
	test	%rax,%rax		// i
	jz	usage			// ib	not taken
	cmp	$1,%rax			// i
	je	1f			// ib	taken
	ud2				// never
1:
	mov	$3,%ecx			// i
2:
	loop	2b			// ib x3
	push	%rax			// is
	pushq	one(%rip)		// ils
	pop	%rcx			// il
	popq	cell(%rip)		// ils
	enter	$32,$0			// is
	leave				// il
	pushf				// is
	popf				// il
	xchg	%rcx,cell(%rip)		// ils
	lock incq cell(%rip)		// ils
	mov	$2,%eax			// i
	cmpxchg	%rcx,cell(%rip)		// ils
	btsq	$40,cell(%rip)		// ils
	lea	cell(%rip),%rax		// i	no access
	nopl	cell(%rip)		// i	no access
	prefetcht0 cell(%rip)		// i	no access

	/* Strings: one instruction each, whatever the count. */
	cld				// i
	lea	from(%rip),%rsi		// i
	lea	to(%rip),%rdi		// i
	mov	$48,%ecx		// i
	rep movsb			// ils
	mov	$4,%ecx			// i
	rep stosq			// is
	lea	from(%rip),%rsi		// i
	lea	to(%rip),%rdi		// i
	mov	$48,%ecx		// i
	repe cmpsb			// il
	lea	to(%rip),%rdi		// i
	mov	$48,%ecx		// i
	xor	%eax,%eax		// i
	repne scasb			// il	ends after one iteration
	mov	$5,%ecx			// i
	rep lodsb			// il
	xor	%ecx,%ecx		// i
	rep movsb			// ils	counts, though it moves nothing
	rep stosb			// is	likewise
	movsb				// ils
	stosb				// is

	/* Wide, across a page boundary, and by helpers of the emulator. */
	movdqu	crossing(%rip),%xmm0	// il
	movdqu	%xmm0,crossing(%rip)	// is
	fldt	extended(%rip)		// il
	fstpt	extended(%rip)		// is
	fxsave	area(%rip)		// is
	fxrstor	area(%rip)		// il
	xor	%eax,%eax		// i
	xor	%edx,%edx		// i
	mov	$1,%ebx			// i
	xor	%ecx,%ecx		// i
	lock cmpxchg16b pair(%rip)	// ils
	lea	pair(%rip),%rdi		// i
	pxor	%xmm1,%xmm1		// i
	maskmovdqu %xmm1,%xmm0		// is

	sub	$1,%r13			// i
	js	3f			// ib
// @yield: y
	mov	$SYS_sched_yield,%eax	// i
	syscall				// ib
// @loop: L
3:
	dec	%r12			// i
	jg	body			// ib
// @check: L - LOOPS + 1
	cmp	%r14,handled(%rip)	// il
	jb	body			// ib

// @start: 1
	test	%r14,%r14		// i
	jz	quit			// ib

// @report: 1 with SIGNALS, else 0. Signals that come later are not handled any more.
	xor	%edi,%edi		// i	SIG_BLOCK
	lea	every_signal(%rip),%rsi	// i
	xor	%edx,%edx		// i
	mov	$8,%r10d		// i
	mov	$SYS_rt_sigprocmask,%eax // i
	syscall				// ib
	lea	text(%rip),%rdi		// i
	mov	%rbp,%rax		// i
	call	hexadecimal		// ibs
	mov	handled(%rip),%rax	// il
	call	hexadecimal		// ibs
	movb	$'\n',-1(%rdi)		// is
	mov	$1,%edi			// i
	lea	text(%rip),%rsi		// i
	mov	$text_end - text,%edx	// i
	mov	$SYS_write,%eax		// i
	syscall				// ib

// @start: 1
quit:
	xor	%edi,%edi		// i
	mov	$SYS_exit,%eax		// i
	syscall				// ib

usage:
	mov	$2,%edi			// never
	mov	$SYS_exit,%eax		// never
	syscall				// never

// @loop: L
leaf:
	push	%rbx			// is x2
	pop	%rbx			// il x2
	ret				// ibl x2

/* Write %rax to (%rdi) as 0x, 16 digits and a space. */
// @report: 1 with SIGNALS, else 0
hexadecimal:
	movw	$0x7830,(%rdi)		// is x2
	add	$2,%rdi			// i x2
	mov	$16,%esi		// i x2
4:
	rol	$4,%rax			// i x32
	mov	%eax,%ecx		// i x32
	and	$15,%ecx		// i x32
	lea	digits(%rip),%rdx	// i x32
	movzbl	(%rdx,%rcx),%ecx	// il x32
	mov	%cl,(%rdi)		// is x32
	inc	%rdi			// i x32
	dec	%esi			// i x32
	jnz	4b			// ib x32
	movb	$' ',(%rdi)		// is x2
	inc	%rdi			// i x2
	ret				// ibl x2

// @signal: h
handler:
	incq	handled(%rip)		// ils
	ret				// ibl
restorer:
	mov	$SYS_rt_sigreturn,%eax	// i
	syscall				// ib

// @end

	.data
	.balign	16
pair:		.quad	0, 0
action:		.quad	handler, SA_RESTORER | SA_RESTART, restorer, 0
every_signal:	.quad	-1
target:		.quad	there
one:		.quad	1
extended:	.quad	0x8000000000000000
		.word	0x3fff
from:		.fill	64, 1, 'x'
digits:		.ascii	"0123456789abcdef"

	.bss
	.balign	16
area:		.skip	512
numbers:
loops:		.skip	8
yields:		.skip	8
signals:	.skip	8
microseconds:	.skip	8
		.skip	64		/* for unused arguments */
timer:		.skip	8
interval:	.skip	8
		.skip	8
value:		.skip	8
handled:	.skip	8
sum:		.skip	8
cell:		.skip	8
to:		.skip	128
text:		.skip	38
text_end:
	.balign	PAGE_SIZE
		.skip	PAGE_SIZE - 8
crossing:	.skip	16
	.balign	PAGE_SIZE
fresh:		.skip	PAGES * PAGE_SIZE

	.section .note.GNU-stack,"",@progbits
