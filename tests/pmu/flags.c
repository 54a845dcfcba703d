// SPDX-License-Identifier: GPL-2.0
/*
 * The emulated processor: CMPXCHG8B and CMPXCHG16B change ZF and no other flag, after any
 * instruction. QEMU 7.2 gave flags that were parts of an operand (tools/qemu,
 * 0009-cmpxchg-flags.patch), which an interrupt turned into single steps.
 */
#include <stdint.h>

#include "../harness.h"

#define ZF	0x40ULL

static __int128 memory; /* stays 0 */

/*
 * The flags after an addition, and INSTRUCTION behind it. An exchange before that makes the
 * emulator keep the flags themselves, and the jump stores them. Below the stack pointer is the red
 * zone.
 */
#define FLAGS_AFTER(instruction, value)							\
({											\
	uint64_t flags, sum = (value);							\
											\
	asm volatile("lea	-256(%%rsp), %%rsp\n\t"					\
		     "lock cmpxchg16b %[memory]\n\t"					\
		     "jmp	1f\n1:\n\t"						\
		     "add	%[operand], %[sum]\n\t"					\
		     instruction "\n\t"							\
		     "pushfq\n\t"							\
		     "pop	%[flags]\n\t"						\
		     "lea	256(%%rsp), %%rsp"					\
		     : [flags] "=&r" (flags), [sum] "+&r" (sum), [memory] "+m" (memory)	\
		     : [operand] "r" ((uint64_t)(value)), "a" (0ULL), "d" (0ULL),	\
		       "b" (0ULL), "c" (0ULL)						\
		     : "cc");								\
	flags;										\
})

/* The operands contain bits of TF, of reserved flags, of all flags, and an address. */
static const uint64_t operands[] = {
	0, 1, 0x100, 0x102, 0xffff, 0x42f48302, 0xffff8c0942f78301, 0x7fffffffffffffff, ~0ULL,
};

TEST(cmpxchg16b_changes_the_zero_flag_alone)
{
	uint64_t after, without;
	unsigned int i;

	for (i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
		after = FLAGS_AFTER("lock cmpxchg16b %[memory]", operands[i]);
		without = FLAGS_AFTER("", operands[i]);
		CHECK_EQ(after, without | ZF);
	}
}

TEST(cmpxchg8b_changes_the_zero_flag_alone)
{
	uint64_t after, without;
	unsigned int i;

	for (i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
		after = FLAGS_AFTER("lock cmpxchg8b %[memory]", operands[i]);
		without = FLAGS_AFTER("", operands[i]);
		CHECK_EQ(after, without | ZF);
	}
}
