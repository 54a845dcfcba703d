/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bare-metal tests of the emulated PMU: exactness is tested best where no other code runs. The
 * runtime for them (boot.S, bare.c): a console, TAP, MSRs with #GP caught, interrupts, user mode,
 * pages.
 */
#ifndef TESTS_PMU_BARE_H
#define TESTS_PMU_BARE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* As in the kernel. */
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef __UINTPTR_TYPE__ uintptr_t;

#define __aligned(n)	__attribute__((__aligned__(n)))
#define __noreturn	__attribute__((__noreturn__))
#define __packed	__attribute__((__packed__))
#define __printf(a, b)	__attribute__((__format__(__printf__, a, b)))

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT(n)		(1ull << (n))

#define MSR_PMC0		0xc1
#define MSR_EVTSEL0		0x186
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED0		0x309
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTRL		0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_OVF_CTRL	0x390
#define MSR_GLOBAL_SET		0x391
#define MSR_GLOBAL_INUSE	0x392
#define MSR_A_PMC0		0x4c1

#define EVTSEL_USR		BIT(16)
#define EVTSEL_OS		BIT(17)
#define EVTSEL_EDGE		BIT(18)
#define EVTSEL_PC		BIT(19)
#define EVTSEL_INT		BIT(20)
#define EVTSEL_ANY		BIT(21)
#define EVTSEL_EN		BIT(22)
#define EVTSEL_INV		BIT(23)
#define EVTSEL_CMASK(n)		((u64)(n) << 24)

#define CORE_TYPE_ATOM		0x20	/* leaf 0x1A, the upper 8 bits of EAX */
#define CORE_TYPE_CORE		0x40

/* Events in the form of an event selector: code and umask. */
#define EVENT_INST		0x00c0
#define EVENT_CYCLES		0x003c
#define EVENT_REF		0x013c
#define EVENT_BRANCH		0x00c4
#define EVENT_LOAD		0x010b
#define EVENT_STORE		0x020b
#define EVENT_DTLB_WALK		0x0249
#define EVENT_ITLB_WALK		0x0285
#define EVENT_HW_INT		0x011d
#define EVENT_NONE		0x7f89	/* an event that is not modelled */

#define DEBUGCTL_FREEZE_ON_PMI	BIT(12)
#define STATUS_CTR_FRZ		BIT(59)

#define VECTOR_DE		0
#define VECTOR_DB		1
#define VECTOR_NMI		2
#define VECTOR_BP		3
#define VECTOR_UD		6
#define VECTOR_GP		13
#define VECTOR_PF		14
#define VECTOR_INT		0x30	/* this vector and later ones are open to user mode */
#define VECTOR_FIXED		0x50	/* a maskable interrupt */
#define VECTOR_USER		0x80	/* the return from user mode */

#define LVT_PERFORMANCE		0x340
#define LVT_NMI			0x400
#define LVT_FIXED		0x000
#define LVT_MASKED		0x10000

/* The PMU's description of itself: CPUID leaf 0xA, and the rest. */
struct pmu {
	unsigned int	version, counters, width, fixed;
	bool		full_width;
	u8		lbr;		/* format of the last branch records; 0: none */
	unsigned int	core_type;	/* of a hybrid processor; 0: not hybrid */
	u64		mask;		/* of a counter's value */
	u64		reset_control;	/* GLOBAL_CTRL after the reset */
};

extern struct pmu pmu;

/* Defined in boot.S. */
extern u8 vector_entries[];
extern u64 gdt[], pml4[];
void user_exit(void);

/* The stack at an interrupt, below the registers that common_entry saves. */
struct frame {
	u64	r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax;
	u64	vector, error;
	u64	rip, cs, rflags, rsp, ss;
};

/* The handler of a vector; the default handler ends the run. */
typedef void (*handler_t)(struct frame *frame);
handler_t set_handler(unsigned int vector, handler_t handler);
/* Point the IDT to another entry than the one in boot.S. */
void set_gate(unsigned int vector, void (*entry)(void));
void reset_gate(unsigned int vector);

/* TAP. Tests are functions named by behaviour; CHECK ends the test that fails. */
struct test {
	const char	*name;
	void		(*run)(void);
	bool		(*applies)(void);	/* on this PMU; NULL: on any */
};

/* The lists of tests, each ended by an entry without a name. */
extern const struct test registers_tests[], counting_tests[], overflow_tests[], levels_tests[],
			 branches_tests[], unkind_tests[], hybrid_tests[];

__printf(1, 2) __noreturn void fail(const char *format, ...);
__printf(1, 2) void print(const char *format, ...);

#define CHECK(cond)								\
	do {									\
		if (!(cond))							\
			fail("line %d: %s is false", __LINE__, #cond);		\
	} while (0)

#define CHECK_EQ(a, b)								\
	do {									\
		u64 check_a = (u64)(a), check_b = (u64)(b);			\
										\
		if (check_a != check_b)						\
			fail("line %d: %s is %lx, %s is %lx", __LINE__, #a,	\
			     check_a, #b, check_b);				\
	} while (0)

/* MSRs. The plain functions end the test at a fault, the others return false. */
bool rdmsr_safe(u32 msr, u64 *value);
bool wrmsr_safe(u32 msr, u64 value);
bool rdpmc_safe(u32 index, u64 *value);
u64 rdmsr(u32 msr);
void wrmsr(u32 msr, u64 value);

/* The local APIC's registers, by offset. */
static inline volatile u32 *apic(u32 offset)
{
	return (volatile u32 *)(uintptr_t)(0xfee00000u + offset);
}

/* Restore the state after a reset, with the LVT entry ready for NMIs. */
void pmu_reset(void);
/* The value that makes a counter overflow at its nth event. */
static inline u64 overflow_after(u64 n)
{
	return -n & pmu.mask;
}

/*
 * User mode: call function(argument) at user level, on a stack of its own, and come back when it
 * returns or faults. Code and stack are in pages that user mode may access: anything in this
 * program.
 */
void call_user(void (*function)(u64 argument), u64 argument);

/* Map n new pages, 4 KB each, for kernel or user; none of their translations is in the TLB. */
void *map_pages(unsigned int n, bool user);
/* Remove one of them, or restore it; returns the address of its table entry. */
u64 set_present(void *address, bool present);
void flush_tlb(void);

void *memset(void *s, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);

#endif
