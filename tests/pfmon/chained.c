// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose call chains are known: without a C library, so that each run has the same
 * instructions at the same addresses, and with frame pointers in every function. Its first function
 * has none, as a chain ends there.
 *
 *	shares N	f1, f2 and f3 take N, 2N and 3N turns of a loop; each calls the next first
 *	recurse N	a function that calls itself ten times, and takes N turns at each depth
 *	depth N		likewise, N times, and then loops
 *	kernel N	f1, f2 and f3, and N system calls
 *	procs N		shares, and f3 in a child
 *	noreturn N	a function that ends with the call of a function that never returns
 *	faults N	f1, f2 and f3, which writes to N pages for the first time
 */
#include <stddef.h>
#include <sys/syscall.h>

#define PAGE	4096

/* The entry point, with the stack as the kernel leaves it. */
__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:	xor %ebp, %ebp\n"
	"	mov %rsp, %rdi\n"
	"	call begin\n"
	"	hlt\n"
	".size _start, . - _start\n");

static long call(long number, long one, long two, long three)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(one), "S"(two), "d"(three)
			 : "rcx", "r11", "memory");
	return result;
}

static inline __attribute__((always_inline)) void turn(unsigned long n)
{
	if (n)
		__asm__ volatile("1:	dec %0\n	jnz 1b" : "+r"(n));
}

static void (*innermost)(unsigned long n);

static void f3(unsigned long n)
{
	if (innermost)
		innermost(n);
	else
		turn(3 * n);
}

static void f2(unsigned long n)
{
	f3(n);
	turn(innermost ? 0 : 2 * n);
}

static void f1(unsigned long n)
{
	f2(n);
	turn(innermost ? 0 : n);
}

static void calls(unsigned long n)
{
	while (n--)
		call(SYS_getppid, 0, 0, 0);
}

static void touches(unsigned long n)
{
	const long end = (call(SYS_brk, 0, 0, 0) + PAGE - 1) & -PAGE;
	volatile char *at = (char *)end;

	call(SYS_brk, end + (long)n * PAGE, 0, 0);
	for (; n--; at += PAGE)
		*at = 1;
}

static void recurse(unsigned long n, unsigned long depth)
{
	if (depth > 1)
		recurse(n, depth - 1);
	turn(n);
}

static void dive(unsigned long depth)
{
	if (depth > 1)
		dive(depth - 1);
	else
		turn(1000000);
}

static void __attribute__((noreturn)) leave(unsigned long n)
{
	turn(n);
	for (;;)
		call(SYS_exit_group, 0, 0, 0);
}

/* The function has no instruction behind the call. */
static void __attribute__((noreturn)) last(unsigned long n)
{
	leave(n);
}

static void procs(unsigned long n)
{
	const long child = call(SYS_fork, 0, 0, 0);

	if (child) {
		f1(n);
		call(SYS_wait4, child, 0, 0);
	} else {
		f3(n);
	}
}

static unsigned long number(const char *text)
{
	unsigned long value = 0;

	while (text && *text)
		value = 10 * value + (unsigned long)(*text++ - '0');
	return value;
}

static void run(char what, unsigned long n)
{
	if (what == 'k')
		innermost = calls;
	if (what == 'f')
		innermost = touches;
	if (what == 'r')
		recurse(n, 10);
	else if (what == 'd')
		dive(n);
	else if (what == 'p')
		procs(n);
	else if (what == 'n')
		last(n);
	else
		f1(n);
}

__attribute__((noreturn, used)) void begin(long *stack)
{
	char **argv = (char **)(stack + 1);

	run(stack[0] > 1 ? argv[1][0] : 's', stack[0] > 2 ? number(argv[2]) : 1000);
	for (;;)
		call(SYS_exit_group, 0, 0, 0);
}
