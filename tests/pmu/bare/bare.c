// SPDX-License-Identifier: GPL-2.0
/*
 * The runtime of the bare-metal tests: see bare.h.
 */
#include "bare.h"

#define KERNEL_CS	0x08
#define TSS_SELECTOR	0x28
#define EXIT_PORT	0xf4
#define CONSOLE_PORT	0xe9

struct gate {
	u16	offset_low, selector;
	u8		ist, type;
	u16	offset_mid;
	u32		offset_high, zero;
};

struct tss {
	u32	reserved0;
	u64	rsp[3], reserved1, ist[7], reserved2;
	u16 reserved3, iobase;
} __packed;

struct pmu pmu;

static struct gate idt[256] __aligned(16);
static struct tss tss;
static handler_t handlers[256];
static u8 interrupt_stack[16384] __aligned(16);

/*
 * The address at which to go on after an expected fault, and the state to go back to after a
 * failure.
 */
u64 recover_rip;
static void *failure_jump[5];
static bool failed;

static void write_port(u16 port, u8 value)
{
	asm volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static void print_number(u64 value, unsigned int base)
{
	char digits[20];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		write_port(CONSOLE_PORT, digits[--n]);
}

static void print_string(const char *string)
{
	while (*string)
		write_port(CONSOLE_PORT, *string++);
}

/* Understands %s, %d (not negative), %u, and %lx. */
static void vprint(const char *format, va_list ap)
{
	for (; *format; format++) {
		if (*format != '%') {
			write_port(CONSOLE_PORT, *format);
			continue;
		}
		switch (*++format) {
		case 's':
			print_string(va_arg(ap, const char *));
			break;
		case 'd':
		case 'u':
			print_number(va_arg(ap, unsigned int), 10);
			break;
		case 'l':
			format++;
			print_string("0x");
			print_number(va_arg(ap, u64), 16);
			break;
		}
	}
}

void print(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vprint(format, ap);
	va_end(ap);
}

/* End the run, with a status of 2 * code + 1 from QEMU. */
static void __noreturn leave(u8 code)
{
	write_port(EXIT_PORT, code);
	for (;;)
		asm volatile("hlt");
}

void fail(const char *format, ...)
{
	va_list ap;

	print("# ");
	va_start(ap, format);
	vprint(format, ap);
	va_end(ap);
	print("\n");
	failed = true;
	__builtin_longjmp(failure_jump, 1);
}

static void unexpected(struct frame *frame)
{
	fail("interrupt %u, error %lx, at %lx", (unsigned int)frame->vector,
	     frame->error, frame->rip);
}

/* Called by common_entry. */
void bare_interrupt(struct frame *frame)
{
	if (recover_rip && frame->vector == VECTOR_GP) {
		frame->rip = recover_rip;
		recover_rip = 0;
		return;
	}
	handlers[frame->vector](frame);
}

handler_t set_handler(unsigned int vector, handler_t handler)
{
	handler_t old = handlers[vector];

	handlers[vector] = handler ? handler : unexpected;
	return old;
}

void set_gate(unsigned int vector, void (*entry)(void))
{
	u64 offset = (u64)(uintptr_t)entry;

	idt[vector] = (struct gate){
		.offset_low = offset, .offset_mid = offset >> 16, .offset_high = offset >> 32,
		.selector = KERNEL_CS, .type = vector >= VECTOR_INT ? 0xee : 0x8e,
	};
}

void reset_gate(unsigned int vector)
{
	set_gate(vector, (void (*)(void))(uintptr_t)(vector_entries + 16 * vector));
}

/* Run one instruction; leaves 1 in %esi, or 0 if it faults. */
#define TRY(insn)	"movq $2f, recover_rip; xor %%esi, %%esi; " insn	\
			"; inc %%esi; 2: movq $0, recover_rip"

bool rdmsr_safe(u32 msr, u64 *value)
{
	u32 low = 0, high = 0, done;

	asm volatile(TRY("rdmsr") : "+a"(low), "+d"(high), "=&S"(done) : "c"(msr) : "memory");
	*value = (u64)high << 32 | low;
	return done;
}

bool rdpmc_safe(u32 index, u64 *value)
{
	u32 low = 0, high = 0, done;

	asm volatile(TRY("rdpmc") : "+a"(low), "+d"(high), "=&S"(done) : "c"(index) : "memory");
	*value = (u64)high << 32 | low;
	return done;
}

bool wrmsr_safe(u32 msr, u64 value)
{
	u32 done;

	asm volatile(TRY("wrmsr") : "=&S"(done)
		     : "c"(msr), "a"((u32)value), "d"((u32)(value >> 32)) : "memory");
	return done;
}

u64 rdmsr(u32 msr)
{
	u64 value;

	if (!rdmsr_safe(msr, &value))
		fail("reading MSR %lx faults", (u64)msr);
	return value;
}

void wrmsr(u32 msr, u64 value)
{
	if (!wrmsr_safe(msr, value))
		fail("writing %lx to MSR %lx faults", value, (u64)msr);
}

void pmu_reset(void)
{
	unsigned int i;

	asm volatile("cli");
	*apic(LVT_PERFORMANCE) = LVT_NMI;
	wrmsr(MSR_DEBUGCTL, 0);
	for (i = 0; i < pmu.counters; i++) {
		wrmsr(MSR_EVTSEL0 + i, 0);
		wrmsr(MSR_PMC0 + i, 0);
	}
	if (pmu.version < 2)
		return;
	wrmsr(MSR_GLOBAL_CTRL, 0);
	wrmsr(MSR_FIXED_CTRL, 0);
	for (i = 0; i < pmu.fixed; i++)
		wrmsr(MSR_FIXED0 + i, 0);
	wrmsr(MSR_GLOBAL_OVF_CTRL, rdmsr(MSR_GLOBAL_STATUS));
}

static void cpuid(u32 leaf, u32 *a, u32 *b, u32 *c, u32 *d)
{
	asm volatile("cpuid" : "=a"(*a), "=b"(*b), "=c"(*c), "=d"(*d) : "a"(leaf), "c"(0));
}

static void find_pmu(void)
{
	u32 a, b, c, d, features;

	cpuid(1, &a, &b, &features, &d);
	cpuid(10, &a, &b, &c, &d);
	pmu.version = a & 0xff;
	pmu.counters = a >> 8 & 0xff;
	pmu.width = a >> 16 & 0xff;
	pmu.mask = BIT(pmu.width) - 1;
	pmu.fixed = pmu.version > 1 ? d & 0x1f : 0;
	if (pmu.version > 1)
		pmu.reset_control = rdmsr(MSR_GLOBAL_CTRL);
	if (features & BIT(15)) {
		u64 capabilities = 0;

		rdmsr_safe(MSR_PERF_CAPABILITIES, &capabilities);
		pmu.full_width = capabilities & BIT(13);
		pmu.lbr = capabilities & 0x3f;
	}
	cpuid(7, &a, &b, &c, &d);
	if (d & BIT(15)) {
		cpuid(0x1a, &a, &b, &c, &d);
		pmu.core_type = a >> 24;
	}
}

/* An IRET allows NMIs again, after a handler that was left by a jump. */
static void unblock_nmi(void)
{
	asm volatile("mov %%ss, %%eax; push %%rax; lea 8(%%rsp), %%rax; push %%rax; pushf;"
		     "mov %%cs, %%eax; push %%rax; push $1f; iretq; 1:"
		     : : : "rax", "memory", "cc");
}

#define POOL_PAGES	64
#define TABLE_PAGES	512
#define MAPPED_BASE	0x8000000000ull
#define PTE_TABLE	0x07
#define PTE_PAGE	0x63	/* present, writable, accessed, dirty */
#define PTE_USER	0x04

static u8 pool[POOL_PAGES][4096] __aligned(4096);
static u64 mapped_pdpt[512] __aligned(4096);
static u64 mapped_pd[512] __aligned(4096);
static u64 mapped_pt[TABLE_PAGES] __aligned(4096);
static unsigned int mapped;

void *map_pages(unsigned int n, bool user)
{
	unsigned int i, first = mapped;

	if (n > POOL_PAGES || mapped + n > TABLE_PAGES)
		fail("no memory for %u more pages", n);
	pml4[1] = (u64)(uintptr_t)mapped_pdpt | PTE_TABLE;
	mapped_pdpt[0] = (u64)(uintptr_t)mapped_pd | PTE_TABLE;
	mapped_pd[0] = (u64)(uintptr_t)mapped_pt | PTE_TABLE;
	for (i = 0; i < n; i++)
		mapped_pt[mapped++] = (u64)(uintptr_t)pool[i] | PTE_PAGE |
				      (user ? PTE_USER : 0);
	flush_tlb();
	return (void *)(uintptr_t)(MAPPED_BASE + 4096 * (u64)first);
}

u64 set_present(void *address, bool present)
{
	u64 *entry = &mapped_pt[((u64)(uintptr_t)address - MAPPED_BASE) / 4096];

	*entry = present ? *entry | 1 : *entry & ~1ull;
	asm volatile("invlpg (%0)" : : "r"(address) : "memory");
	return (u64)(uintptr_t)entry;
}

void *memset(void *s, int c, size_t n)
{
	u8 *p = s;

	while (n--)
		*p++ = c;
	return s;
}

void flush_tlb(void)
{
	u64 cr3;

	asm volatile("mov %%cr3, %0; mov %0, %%cr3" : "=r"(cr3) : : "memory");
}

int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *p = a, *q = b;

	for (; n; n--, p++, q++) {
		if (*p != *q)
			return *p - *q;
	}
	return 0;
}

static void set_up_interrupts(void)
{
	struct {
		u16 limit;
		u64 base;
	} __packed pointer = { sizeof(idt) - 1, (u64)(uintptr_t)idt };
	u64 base = (u64)(uintptr_t)&tss;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(idt); i++) {
		reset_gate(i);
		set_handler(i, NULL);
	}
	asm volatile("lidt %0" : : "m"(pointer));
	tss.rsp[0] = (u64)(uintptr_t)(interrupt_stack + sizeof(interrupt_stack));
	tss.iobase = sizeof(tss);
	gdt[5] = (sizeof(tss) - 1) | (base & 0xffffff) << 16 | 0x89ull << 40 |
		 (base & 0xff000000) << 32;
	gdt[6] = base >> 32;
	asm volatile("ltr %w0" : : "r"(TSS_SELECTOR));
	*apic(0xf0) = 0x1ff;
	/* Disable the interrupt controllers of the PC. */
	write_port(0x21, 0xff);
	write_port(0xa1, 0xff);
}

static void run_one(const struct test *test)
{
	unsigned int i;

	failed = false;
	recover_rip = 0;
	for (i = 0; i < ARRAY_SIZE(idt); i++) {
		reset_gate(i);
		set_handler(i, NULL);
	}
	set_gate(VECTOR_USER, user_exit);
	mapped = 0;
	if (__builtin_setjmp(failure_jump)) {
		unblock_nmi();
		return;
	}
	pmu_reset();
	test->run();
}

/* The other tests use encodings that an E-core does not have. */
static bool applies(const struct test *list, const struct test *test)
{
	if (pmu.core_type == CORE_TYPE_ATOM && list != hybrid_tests)
		return false;
	return !test->applies || test->applies();
}

void bare_main(void)
{
	static const struct test *const lists[] = {
		registers_tests, counting_tests, overflow_tests, levels_tests,
		branches_tests, unkind_tests, hybrid_tests,
	};
	const struct test *test;
	unsigned int i, n = 0;

	set_up_interrupts();
	find_pmu();
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (test = lists[i]; test->name; test++)
			n += applies(lists[i], test);
	}
	print("1..%u\n", n);
	n = 0;
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (test = lists[i]; test->name; test++) {
			if (!applies(lists[i], test)) {
				print("# elsewhere: %s\n", test->name);
				continue;
			}
			run_one(test);
			print("%sok %u - %s\n", failed ? "not " : "", ++n, test->name);
		}
	}
	leave(0);
}
