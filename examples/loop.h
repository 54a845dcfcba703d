/* SPDX-License-Identifier: GPL-2.0 */
/* Work of a known length, so that the examples' figures can be checked. */
#ifndef EXAMPLES_LOOP_H
#define EXAMPLES_LOOP_H

/* Two instructions, of which one is a branch, for each of @n, on x86. */
static __attribute__((noinline)) void loop(unsigned long n)
{
#ifdef __x86_64__
	if (n)
		__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n) : : "cc");
#else
	while (n--)
		__asm__ volatile("");
#endif
}

#endif /* EXAMPLES_LOOP_H */
