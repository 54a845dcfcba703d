/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86-64: the registers that count instructions, and code whose instructions are known.
 *
 * PMC0 and up are the event selectors of PMD0 and up, laid out alike by Intel and AMD:
 * IA32_PERFEVTSELx and IA32_PMCx, PERF_CTLx and PERF_CTRx. Event 0xc0, mask 0, is
 * "instructions retired" on all of them. The Intel architectural PMU has fixed counters
 * as well: PMC16 is IA32_FIXED_CTR_CTRL, PMD16 and up IA32_FIXED_CTRx, of which the first
 * counts instructions.
 */
#ifndef TESTS_ABI_ARCH_X86_H
#define TESTS_ABI_ARCH_X86_H

#include "abi.h"

#include <cpuid.h>

#define EVTSEL_USR	BIT_ULL(16)
#define EVTSEL_OS	BIT_ULL(17)
#define EVTSEL_PC	BIT_ULL(19)
#define EVTSEL_INT	BIT_ULL(20)
#define EVTSEL_ANY	BIT_ULL(21)
#define EVTSEL_EN	BIT_ULL(22)
#define INST_RETIRED	0xc0ULL

/* The numbers of general counters are below this one. */
#define ARCH_GENERAL_MAX	16

/* Read a counter from user space, where that is not allowed. */
#define READ_HARDWARE_SIGNAL	SIGSEGV

static inline void read_hardware_counter(void)
{
	__u32 low, high;

	__asm__ volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (0));
}

/* Intel's architectural PMU has fixed counters since version 2, by CPUID's leaf 0xa. */
static inline bool arch_has_fixed(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(0xa, 0, &eax, &ebx, &ecx, &edx) && (eax & 0xff) >= 2 && (edx & 0x1f);
}

/* The type of the core that executes this, in sysfs' words; NULL if the processor has no types. */
static inline const char *arch_core_type(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(edx & BIT_ULL(15)) ||
	    !__get_cpuid_count(0x1a, 0, &eax, &ebx, &ecx, &edx))
		return NULL;
	return eax >> 24 == 0x40 ? "core" : eax >> 24 == 0x20 ? "atom" : "other";
}

/* The addresses of AMD's event selectors, of which there are four or more. */
#define AMD_PERF_CTL		0xc0010000
#define AMD_PERF_CTL_CORE	0xc0010200

/* The address of the first event selector, which identifies the vendor of the PMU. */
static inline __u64 first_evtsel(void)
{
	pfarg_pmcinfo_t info = { .reg_num = 0 };

	CHECK_OK(perfmonctl(-1, PFM_GETINFO_PMCS, &info, 1));
	return info.reg_index;
}

static inline __u64 branches_retired(void)
{
	return first_evtsel() >= AMD_PERF_CTL ? 0xc2 : 0xc4;
}

/* The address of the general registers, which never moves. */
static inline struct mapping general_mapping(unsigned int i)
{
	static const struct {
		__u64		pmc, pmd;
		unsigned int	stride;
		__u64		rsvd;	/* besides pin control, INT and bit 21 */
	} mappings[] = {
		{ 0x186, 0xc1, 1, ~0ULL << 32 },
		{ AMD_PERF_CTL, 0xc0010004, 1, ~0ULL << 36 },	/* family 10h; older: 32 */
		{ AMD_PERF_CTL_CORE, 0xc0010201, 2, ~0ULL << 36 },
	};
	size_t k;

	for (k = 0; k < ARRAY_SIZE(mappings); k++)
		if (mappings[k].pmc == first_evtsel())
			return (struct mapping){
				.pmc_type = PFM_REG_TYPE_MSR,
				.pmc = mappings[k].pmc + mappings[k].stride * i,
				.pmd_type = PFM_REG_TYPE_MSR,
				.pmd = mappings[k].pmd + mappings[k].stride * i,
				.def = EVTSEL_INT,
				.rsvd = EVTSEL_PC | EVTSEL_INT | EVTSEL_ANY | mappings[k].rsvd,
			};
	FAIL("PMC0 is no event selector: %#llx", first_evtsel());
}

/* 2 * @n instructions. Interrupts among them write to buffers that the program has mapped. */
static inline void count_down(__u64 n)
{
	__asm__ volatile("1:	dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n) : : "cc", "memory");
}

#define RAW_START						\
	"mov 16(%[start]), %%rdx\n\t"				\
	"xor %%r10d, %%r10d\n\t"				\
	"mov 8(%[start]), %%rsi\n\t"				\
	"mov (%[start]), %%rax\n\t"				\
	"syscall\n\t"						\
	"mov %%rax, %[started]\n\t"
#define RAW_STOP						\
	"mov 16(%[stop]), %%rdx\n\t"				\
	"mov 8(%[stop]), %%rsi\n\t"				\
	"mov (%[stop]), %%rax\n\t"				\
	"syscall"

/* Start, 2 * @n instructions, stop. */
static inline void arch_start_loop_stop(int fd, __u64 n, const struct raw_call *start,
					const struct raw_call *stop, long results[2])
{
	long started, stopped;

	__asm__ volatile(RAW_START
			 "test %[n], %[n]\n\t"
			 "jz 2f\n"
			 "1:	dec %[n]\n\t"
			 "jnz 1b\n"
			 "2:	" RAW_STOP
			 : "=&a" (stopped), [started] "=&r" (started), [n] "+&r" (n)
			 : "D" (fd), [start] "r" (start), [stop] "r" (stop)
			 : "rcx", "rdx", "rsi", "r10", "r11", "cc", "memory");
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
			 "mov %%rdi, %%r12\n"
			 "1:	mov (%[call]), %%rax\n\t"
			 "mov 8(%[call]), %%rdi\n\t"
			 "mov 16(%[call]), %%rsi\n\t"
			 "mov 24(%[call]), %%rdx\n\t"
			 "syscall\n\t"
			 "dec %[n]\n\t"
			 "jnz 1b\n\t"
			 "mov %%r12, %%rdi\n\t"
			 RAW_STOP
			 : "=&a" (stopped), [started] "=&r" (started), [n] "+&r" (n),
			   "+D" (fd)
			 : [call] "r" (call), [start] "r" (start), [stop] "r" (stop)
			 : "rcx", "rdx", "rsi", "r10", "r11", "r12", "cc", "memory");
	results[0] = started;
	results[1] = stopped;
}

/* Start, @n rounds of eight instructions, stop. Returns the address of the first instruction. */
static inline __u64 arch_start_rounds_stop(int fd, __u64 n, const struct raw_call *start,
					   const struct raw_call *stop, long results[2])
{
	long started, stopped;
	__u64 first;

	__asm__ volatile("lea 1f(%%rip), %[first]\n\t"
			 RAW_START
			 "1:	.rept 6\n\t"
			 "nop\n\t"
			 ".endr\n\t"
			 "dec %[n]\n\t"
			 "jnz 1b\n\t"
			 RAW_STOP
			 : "=&a" (stopped), [started] "=&r" (started), [n] "+&r" (n),
			   [first] "=&r" (first)
			 : "D" (fd), [start] "r" (start), [stop] "r" (stop)
			 : "rcx", "rdx", "rsi", "r10", "r11", "cc", "memory");
	results[0] = started;
	results[1] = stopped;
	return first;
}

/* The position of an instruction in a round. */
static inline unsigned int round_offset(unsigned int i)
{
	static const __u8 offsets[] = { 0, 1, 2, 3, 4, 5, 6, 9 };

	return offsets[i];
}

#endif /* TESTS_ABI_ARCH_X86_H */
