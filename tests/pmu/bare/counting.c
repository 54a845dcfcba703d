// SPDX-License-Identifier: GPL-2.0
/* The counts of each event, in the kernel: pieces of code whose events are known. */
#include "snippet.h"

u64 snippet_enable;
u8 scratch[8192] __aligned(4096);

/* Interrupt handlers whose own events are known. */
asm(".pushsection .text\n"
	".globl iret_entry, skip_2_entry, page_entry, eoi_entry\n"
	"iret_entry:	iretq\n"			/* 1 instruction, branch, load */
	"skip_2_entry:	addq $2, (%rsp); iretq\n"	/* 2, 1, 2, and a store */
	"page_entry:\n"					/* 6, 1, 4, 2 */
	"	push %rax; mov page_table_entry, %rax; orb $1, (%rax); pop %rax\n"
	"	add $8, %rsp; iretq\n"
	"eoi_entry:	mov $0xfee000b0, %r11d; movl $0, (%r11); iretq\n" /* 3, 1, 1, 1 */
	".popsection");
u64 page_table_entry;

/* name, instructions, branches, loads, stores, cycles more than instructions, code */
#define SNIPPETS(_) \
	_(nothing, 0, 0, 0, 0, 0, "") \
	_(instructions_without_events, 3, 0, 0, 0, 0, "nop; xor %eax, %eax; lea scratch, %rbx") \
	_(conditional_branches_taken_or_not, 3, 2, 0, 0, 0, \
	  "xor %eax, %eax; jz 1f; nop; 1: jnz 1f; 1:") \
	_(loops, 6, 5, 0, 0, 0, "mov $5, %ecx; 1: loop 1b") \
	_(jump_if_the_count_is_zero, 2, 1, 0, 0, 0, "xor %ecx, %ecx; jecxz 1f; nop; 1:") \
	_(direct_jump, 1, 1, 0, 0, 0, "jmp 1f; nop; 1:") \
	_(direct_call_and_return, 3, 3, 1, 1, 0, "call 2f; jmp 3f; 2: ret; 3:") \
	_(indirect_jump_and_call, 6, 4, 3, 3, 0, \
	  "movq $1f, scratch; jmp *scratch; 1: movq $2f, scratch; call *scratch;" \
	  "jmp 3f; 2: ret; 3:") \
	_(return_that_drops_arguments, 4, 3, 1, 2, 0, \
	  "push $0; call 2f; jmp 3f; 2: ret $8; 3:") \
	_(far_return, 5, 1, 1, 2, 0, \
	  "mov %cs, %eax; push %rax; lea 1f, %rax; push %rax; lretq; 1:") \
	_(far_call_and_return, 6, 3, 2, 3, 0, \
	  "movl $2f, scratch; mov %cs, scratch + 4; xor %eax, %eax; lcall *scratch;" \
	  "jmp 3f; 2: lretl; 3:") \
	_(push_and_pop, 8, 0, 5, 5, 0, \
	  "push %rax; pop %rcx; pushf; popf; pushq scratch; popq scratch;" \
	  "enter $16, $0; leave") \
	_(read_modify_write, 8, 0, 8, 8, 0, \
	  "incq scratch; lock incq scratch; xchg %rax, scratch; lock cmpxchg %rcx, scratch;" \
	  "cmpxchg %rcx, scratch; lock xadd %rcx, scratch; btsq $3, scratch;" \
	  "shll $2, scratch") \
	_(plain_loads_and_stores, 6, 0, 3, 3, 0, \
	  "mov scratch, %rax; mov %rax, scratch; add scratch, %rax; movl $1, scratch;" \
	  "testb $1, scratch; sete scratch") \
	_(loads_and_stores_across_pages, 2, 0, 1, 1, 0, \
	  "mov scratch + 4092, %rax; mov %rax, scratch + 4092") \
	_(conditional_move_loads_always, 2, 0, 1, 0, 0, \
	  "xor %eax, %eax; cmovne scratch, %rax") \
	_(addresses_are_no_accesses, 4, 0, 0, 0, 0, \
	  "lea scratch, %rax; nopl scratch; prefetcht0 scratch; clflush scratch") \
	_(vector_loads_and_stores, 6, 0, 3, 3, 0, \
	  "movdqu scratch, %xmm0; movdqu %xmm0, scratch; movups scratch + 4090, %xmm1;" \
	  "movups %xmm1, scratch + 4090; movq scratch, %mm0; movq %mm0, scratch; ") \
	_(masked_store, 2, 0, 0, 1, 0, \
	  "lea scratch, %rdi; maskmovdqu %xmm0, %xmm0") \
	_(floating_point, 7, 0, 3, 3, 0, \
	  "emms; fldt scratch; fstpt scratch; fldl scratch; fstpl scratch;" \
	  "fnstcw scratch; fldcw scratch") \
	_(floating_point_state, 7, 0, 3, 3, 0, \
	  "emms; fxsave scratch; fxrstor scratch; fnstenv scratch; fldenv scratch;" \
	  "fnsave scratch; frstor scratch") \
	_(wide_compare_and_exchange, 2, 0, 2, 2, 0, \
	  "lock cmpxchg16b scratch; lock cmpxchg8b scratch") \
	_(strings_without_rep, 8, 0, 4, 2, 0, \
	  "lea scratch, %rsi; lea scratch + 64, %rdi; cld; movsb; stosb; lodsb; scasb; cmpsb") \
	_(rep_movs, 4, 0, 1, 1, 10, \
	  "lea scratch, %rsi; lea scratch + 64, %rdi; mov $10, %ecx; rep movsb") \
	_(rep_stos, 3, 0, 0, 1, 1000, "lea scratch, %rdi; mov $1000, %ecx; rep stosb") \
	_(rep_lods, 3, 0, 1, 0, 7, "lea scratch, %rsi; mov $7, %ecx; rep lodsl") \
	_(rep_with_a_count_of_zero, 6, 0, 1, 2, 0, \
	  "lea scratch, %rsi; lea scratch, %rdi; xor %ecx, %ecx; rep movsb; rep stosb; nop") \
	_(repe_cmps_to_the_end, 4, 0, 1, 0, 9, \
	  "lea scratch, %rsi; lea scratch, %rdi; mov $9, %ecx; repe cmpsb") \
	_(repne_scas_ended_by_a_match, 4, 0, 2, 0, 0, \
	  "lea scratch, %rdi; mov scratch, %al; mov $9, %ecx; repne scasb") \
	_(ports, 5, 0, 1, 0, 3, \
	  "out %al, $0x80; mov $0x80, %edx; lea scratch, %rsi; mov $3, %ecx; rep outsb") \
	_(device_registers_amid_other_code, 10, 0, 3, 2, 0, \
	  "mov $0xfee00000, %ebx; nop; mov 0x20(%rbx), %eax; nop; mov %eax, scratch;" \
	  "add 0x20(%rbx), %eax; nop; mov 0x3e0(%rbx), %eax; mov %eax, 0x3e0(%rbx); nop") \
	_(instructions_that_read_clocks, 4, 0, 0, 0, 0, \
	  "rdtsc; xor %ecx, %ecx; rdpmc; cpuid") \
	_(software_interrupt, 2, 2, 1, 1, 0, "int $0x30") \
	_(breakpoint, 2, 2, 1, 1, 0, "int3") \
	_(undefined_instruction, 2, 1, 2, 1, 1, "ud2") \
	_(division_by_zero, 3, 1, 2, 1, 0, "xor %ecx, %ecx; div %ecx") \
	_(single_steps, 13, 5, 9, 4, 0, \
	  "pushf; orl $0x100, (%rsp); popf; nop; nop; pushf; andl $~0x100, (%rsp); popf") \
	_(stack_segment_load, 3, 0, 0, 0, 0, "mov %ss, %eax; mov %eax, %ss; nop") \
	_(interrupt_flag, 3, 0, 0, 0, 0, "sti; nop; cli") \
	_(self_modifying_code, 4, 0, 0, 2, 0, \
	  "movb $0x90, 1f; 1: nop; movb $0x90, 2f; 2: nop") \
	_(faulting_load, 7, 1, 5, 2, 0, "mov (%r15), %rax") \
	_(faulting_store, 7, 1, 4, 3, 0, "mov %rax, (%r15)") \
	_(rep_string_resumed_after_a_fault, 10, 1, 5, 3, 20, \
	  "lea scratch, %rsi; lea -10(%r15), %rdi; mov $20, %ecx; rep movsb")

#define SNIPPET_OF(name, i, b, l, s, c, code)	SNIPPET(snippet_##name, code);
SNIPPETS(SNIPPET_OF)

static bool has_counters(void)
{
	return pmu.version >= 2 && pmu.counters >= 4 && pmu.fixed == 3;
}

/* A page before a page that is not present; returns the address of the latter. */
static u64 missing_page(void)
{
	u8 *pages = map_pages(2, false);

	page_table_entry = set_present(pages + 4096, false);
	return (u64)(uintptr_t)(pages + 4096);
}

static void set_gates(void)
{
	set_gate(VECTOR_DE, skip_2_entry);
	set_gate(VECTOR_DB, iret_entry);
	set_gate(VECTOR_BP, iret_entry);
	set_gate(VECTOR_UD, skip_2_entry);
	set_gate(VECTOR_PF, page_entry);
	set_gate(VECTOR_INT, iret_entry);
	set_gate(VECTOR_FIXED, eoi_entry);
}

static const u64 counted[] = { EVENT_INST, EVENT_BRANCH, EVENT_LOAD, EVENT_STORE };

static void run(void (*snippet)(u64 argument), u64 enable)
{
	snippet_enable = enable;
	set_gates();
	memset(scratch, 0, sizeof(scratch));
	snippet(missing_page());
}

/* The code's events are these: all counted at once, and each of them alone. */
static void check_counts(void (*snippet)(u64 argument), const u64 *expected, u64 more_cycles)
{
	u64 cycles = expected[0] + more_cycles;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counted); i++)
		count(i, counted[i], EVTSEL_OS);
	wrmsr(MSR_FIXED_CTRL, 0x111);
	run(snippet, BIT(32) | BIT(33) | BIT(34) | 0xf);
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		CHECK_EQ(rdmsr(MSR_PMC0 + i), expected[i]);
	CHECK_EQ(rdmsr(MSR_FIXED0), expected[0]);
	CHECK_EQ(rdmsr(MSR_FIXED0 + 1), cycles);
	CHECK_EQ(rdmsr(MSR_FIXED0 + 2), cycles);

	for (i = 0; i < ARRAY_SIZE(counted); i++) {
		pmu_reset();
		count(0, counted[i], EVTSEL_OS);
		run(snippet, BIT(0));
		CHECK_EQ(rdmsr(MSR_PMC0), expected[i]);
	}
}

#define TEST_OF(name, i, b, l, s, c, code) \
	static void name(void) \
	{ \
		static const u64 expected[] = { (i) + SNIPPET_TAIL, b, l, s }; \
		\
		check_counts(snippet_##name, expected, c); \
	}
SNIPPETS(TEST_OF)

static void events_that_are_not_modelled_count_nothing(void)
{
	count(0, EVENT_NONE, EVTSEL_OS);
	count(1, EVENT_NONE, EVTSEL_OS | EVTSEL_CMASK(1));
	count(2, EVENT_NONE, EVTSEL_OS | EVTSEL_CMASK(1) | EVTSEL_INV);
	count(3, EVENT_NONE, EVTSEL_OS | EVTSEL_EDGE);
	run(snippet_read_modify_write, 0xf);
	CHECK_EQ(rdmsr(MSR_PMC0), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 2), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 3), 0);
}

/* A counter needs several bits to count; each counter here lacks one. */
static void a_counter_that_is_off_counts_nothing(void)
{
	wrmsr(MSR_EVTSEL0, EVENT_INST | EVTSEL_OS);
	count(1, EVENT_INST, EVTSEL_USR);
	count(2, EVENT_INST, 0);
	count(3, EVENT_INST, EVTSEL_OS);
	wrmsr(MSR_FIXED_CTRL, 0x121);
	run(snippet_read_modify_write, 0x7 | BIT(33));
	CHECK_EQ(rdmsr(MSR_PMC0), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 2), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 3), 0);
	CHECK_EQ(rdmsr(MSR_FIXED0), 0);
	CHECK_EQ(rdmsr(MSR_FIXED0 + 1), 0);
	CHECK_EQ(rdmsr(MSR_FIXED0 + 2), 0);
}

/* No cycle has two of these events; a cycle is an instruction. */
static void cmask_and_inv_count_cycles(void)
{
	static const u64 events[] = { 12, 0, 8, 8 }; /* of read_modify_write */
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counted); i++) {
		count(0, counted[i], EVTSEL_OS | EVTSEL_CMASK(1));
		count(1, counted[i], EVTSEL_OS | EVTSEL_CMASK(2));
		count(2, counted[i], EVTSEL_OS | EVTSEL_CMASK(1) | EVTSEL_INV);
		count(3, counted[i], EVTSEL_OS | EVTSEL_CMASK(16) | EVTSEL_INV);
		run(snippet_read_modify_write, 0xf);
		CHECK_EQ(rdmsr(MSR_PMC0), events[i]);
		CHECK_EQ(rdmsr(MSR_PMC0 + 1), 0);
		CHECK_EQ(rdmsr(MSR_PMC0 + 2), 12 - events[i]);
		CHECK_EQ(rdmsr(MSR_PMC0 + 3), 12);
		pmu_reset();
	}
}

static void inv_without_cmask_changes_nothing(void)
{
	count(0, EVENT_LOAD, EVTSEL_OS | EVTSEL_INV);
	count(1, EVENT_CYCLES, EVTSEL_OS | EVTSEL_INV | EVTSEL_CMASK(1));
	count(2, EVENT_REF, EVTSEL_OS);
	count(3, EVENT_LOAD, EVTSEL_OS | EVTSEL_PC);
	run(snippet_rep_movs, 0xf);
	CHECK_EQ(rdmsr(MSR_PMC0), 1);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 0);
	CHECK_EQ(rdmsr(MSR_PMC0 + 2), 18);
	CHECK_EQ(rdmsr(MSR_PMC0 + 3), 1);
}

SNIPPET(counted_reads,
	"xor %ecx, %ecx; rdpmc; mov %eax, scratch; rdpmc; mov %eax, scratch + 4;"
	"mov $0xc1, %ecx; rdmsr; mov %eax, scratch + 8");

static void a_read_includes_the_instruction_that_reads(void)
{
	count(0, EVENT_INST, EVTSEL_OS);
	run(counted_reads, 1);
	CHECK_EQ(((u32 *)scratch)[0], 2);
	CHECK_EQ(((u32 *)scratch)[1], 4);
	CHECK_EQ(((u32 *)scratch)[2], 7);
}

static void counters_wrap_at_their_width(void)
{
	count(0, EVENT_LOAD, EVTSEL_OS);
	wrmsr(MSR_PMC0, overflow_after(5));
	wrmsr(MSR_FIXED_CTRL, 0x111);
	wrmsr(MSR_FIXED0, overflow_after(10));
	wrmsr(MSR_FIXED0 + 1, overflow_after(12));
	wrmsr(MSR_FIXED0 + 2, overflow_after(13));
	run(snippet_read_modify_write, 1 | 7ull << 32);
	CHECK_EQ(rdmsr(MSR_PMC0), 3);
	CHECK_EQ(rdmsr(MSR_FIXED0), 2);
	CHECK_EQ(rdmsr(MSR_FIXED0 + 1), 0);
	CHECK_EQ(rdmsr(MSR_FIXED0 + 2), pmu.mask);
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), 1 | 3ull << 32);
}

SNIPPET(wait_for_an_interrupt, "sti; hlt; cli");

static void interrupts_are_counted_when_they_are_taken(void)
{
	count(0, EVENT_HW_INT, EVTSEL_OS);
	count(1, EVENT_INST, EVTSEL_OS);
	send_interrupt();
	run(wait_for_an_interrupt, 3);
	CHECK_EQ(rdmsr(MSR_PMC0), 1);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 3 + 3 + SNIPPET_TAIL);
	/* INT n and a fault are no hardware interrupts. */
	wrmsr(MSR_PMC0, 0);
	run(snippet_software_interrupt, 3);
	run(snippet_faulting_load, 3);
	CHECK_EQ(rdmsr(MSR_PMC0), 0);
}

static u64 rdtsc(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high));
	return (u64)high << 32 | low;
}

static void cycles_stand_still_while_halted(void)
{
	u64 before, ticks;

	count(0, EVENT_CYCLES, EVTSEL_OS);
	*apic(0x3e0) = 0xb;		/* divide by one: 1 GHz */
	*apic(0x320) = VECTOR_FIXED;	/* one shot */
	*apic(0x380) = 3000000;
	before = rdtsc();
	run(wait_for_an_interrupt, 1);
	ticks = rdtsc() - before;
	*apic(0x320) = LVT_MASKED;
	CHECK_EQ(rdmsr(MSR_PMC0), 3 + 3 + SNIPPET_TAIL);
	if (ticks < 2900000)
		fail("only %u ticks have passed", (unsigned int)ticks);
}

#define ROW_OF(name, i, b, l, s, c, code)	{ "counts_of_" #name, name, has_counters },
const struct test counting_tests[] = {
	SNIPPETS(ROW_OF)
	{ "events_that_are_not_modelled_count_nothing",
	  events_that_are_not_modelled_count_nothing, has_counters },
	{ "a_counter_that_is_off_counts_nothing",
	  a_counter_that_is_off_counts_nothing, has_counters },
	{ "cmask_and_inv_count_cycles", cmask_and_inv_count_cycles, has_counters },
	{ "inv_without_cmask_changes_nothing", inv_without_cmask_changes_nothing, has_counters },
	{ "a_read_includes_the_instruction_that_reads",
	  a_read_includes_the_instruction_that_reads, has_counters },
	{ "counters_wrap_at_their_width", counters_wrap_at_their_width, has_counters },
	{ "interrupts_are_counted_when_they_are_taken",
	  interrupts_are_counted_when_they_are_taken, has_counters },
	{ "cycles_stand_still_while_halted", cycles_stand_still_while_halted, has_counters },
	{ NULL, NULL, NULL }
};
