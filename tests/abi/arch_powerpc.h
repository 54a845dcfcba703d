/* SPDX-License-Identifier: GPL-2.0 */
/*
 * POWER, 64 bits: the registers that count instructions, and code whose instructions are
 * known.
 *
 * PMC0 to PMC5 are the control registers of the counters PMC1 to PMC6, which are PMD0 to
 * PMD5: see Documentation/powerpc-registers.md. Event 2 is "instructions completed" on
 * the first four; the fifth counts them anyway, and the sixth cycles, of which our
 * emulated processor has one for each instruction.
 */
#ifndef TESTS_ABI_ARCH_POWERPC_H
#define TESTS_ABI_ARCH_POWERPC_H

#include "abi.h"
#include "settings.h"

#define EVTSEL_USR	BIT_ULL(16)
#define EVTSEL_OS	BIT_ULL(17)
#define EVTSEL_INT	0ULL	/* the counter's own register has no such bit */
#define EVTSEL_EN	0ULL
#define INST_RETIRED	0x02ULL

#define ARCH_GENERAL_MAX	6

/* The performance monitor facility is not available in problem state. */
#define READ_HARDWARE_SIGNAL	SIGILL

static inline void read_hardware_counter(void)
{
	__u64 value;

	__asm__ volatile("mfspr %0, 771" : "=r" (value));
}

static inline bool arch_has_fixed(void)
{
	return false;
}

static inline const char *arch_core_type(void)
{
	return NULL;
}

static inline __u64 branches_retired(void)
{
	SKIP("the emulated PMU counts no branches");
}

static inline struct mapping general_mapping(unsigned int i)
{
	char model[32];
	__u64 event = 0;

	read_sysfs("pmu/model", model, sizeof(model));
	if (i < 4)
		event = strcmp(model, "IBM POWER8") ? 0x3fff : 0x1fff;
	return (struct mapping){
		.pmc_type = PFM_REG_TYPE_PMC, .pmc = i + 1,
		.pmd_type = PFM_REG_TYPE_SPR, .pmd = 787 + i,
		.rsvd = ~(event | EVTSEL_USR | EVTSEL_OS),
	};
}

/* 2 * @n instructions. Interrupts among them write to buffers that the program has mapped. */
static inline void count_down(__u64 n)
{
	__asm__ volatile("1:	addic. %0, %0, -1\n\t"
			 "bne 1b"
			 : "+b" (n) : : "cr0", "xer", "memory");
}

/* The other arguments of both are zero. The call returns an error as a positive number. */
#define RAW_CALL(call)							\
	"mr 3, %[fd]\n\t"						\
	"ld 4, 8(%[" call "])\n\t"					\
	"li 5, 0\n\t"							\
	"li 6, 0\n\t"							\
	"ld 0, 0(%[" call "])\n\t"					\
	"sc\n\t"
#define RAW_START	RAW_CALL("start") "mr %[started], 3\n\t"
#define RAW_STOP	RAW_CALL("stop") "mr %[stopped], 3"
#define RAW_CLOBBERS	"r0", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", \
			"r12", "cr0", "ctr", "xer", "memory"

/* Start, 2 * @n instructions, stop. */
static inline void arch_start_loop_stop(int fd, __u64 n, const struct raw_call *start,
					const struct raw_call *stop, long results[2])
{
	long started, stopped;

	__asm__ volatile(RAW_START
			 "cmpdi %[n], 0\n\t"
			 "beq 2f\n"
			 "1:	addic. %[n], %[n], -1\n\t"
			 "bne 1b\n"
			 "2:	" RAW_STOP
			 : [started] "=&r" (started), [stopped] "=&r" (stopped), [n] "+&b" (n)
			 : [fd] "r" ((long)fd), [start] "b" (start), [stop] "b" (stop)
			 : RAW_CLOBBERS);
	results[0] = started;
	results[1] = stopped;
}

/* Start, @n times the system call, stop. */
static inline void arch_start_call_stop(int fd, __u64 n, const long call[4],
					const struct raw_call *start,
					const struct raw_call *stop, long results[2])
{
	long started, stopped;

	__asm__ volatile(RAW_START
			 "1:	ld 0, 0(%[call])\n\t"
			 "ld 3, 8(%[call])\n\t"
			 "ld 4, 16(%[call])\n\t"
			 "ld 5, 24(%[call])\n\t"
			 "sc\n\t"
			 "addic. %[n], %[n], -1\n\t"
			 "bne 1b\n\t"
			 RAW_STOP
			 : [started] "=&r" (started), [stopped] "=&r" (stopped), [n] "+&b" (n)
			 : [fd] "r" ((long)fd), [call] "b" (call), [start] "b" (start),
			   [stop] "b" (stop)
			 : RAW_CLOBBERS);
	results[0] = started;
	results[1] = stopped;
}

/* Start, @n rounds of eight instructions, stop. Returns the address of the first instruction. */
static inline __u64 arch_start_rounds_stop(int fd, __u64 n, const struct raw_call *start,
					   const struct raw_call *stop, long results[2])
{
	long started, stopped;
	__u64 first;

	__asm__ volatile("bcl 20, 31, 0f\n"
			 "0:	mflr %[first]\n\t"
			 "addi %[first], %[first], 1f - 0b\n\t"
			 RAW_START
			 "1:	.rept 6\n\t"
			 "nop\n\t"
			 ".endr\n\t"
			 "addic. %[n], %[n], -1\n\t"
			 "bne 1b\n\t"
			 RAW_STOP
			 : [started] "=&r" (started), [stopped] "=&r" (stopped), [n] "+&b" (n),
			   [first] "=&b" (first)
			 : [fd] "r" ((long)fd), [start] "b" (start), [stop] "b" (stop)
			 : "lr", RAW_CLOBBERS);
	results[0] = started;
	results[1] = stopped;
	return first;
}

/* The position of an instruction in a round. */
static inline unsigned int round_offset(unsigned int i)
{
	return 4 * i;
}

#endif /* TESTS_ABI_ARCH_POWERPC_H */
