// SPDX-License-Identifier: GPL-2.0
/*
 * Overflow: the interrupt comes right behind the instruction that overflows a counter, is delivered
 * as the LVT entry selects, and freezes the counters if that is enabled.
 */
#include "snippet.h"

/* An instruction of the sequence, and its events besides the instruction itself. */
struct step {
	u64	next;		/* the address of the next one */
	u64	events;
};

#define B	1
#define L	2
#define S	4

/* The address behind the instruction goes into the table "steps". */
#define STEP(events, insn) \
	insn "\n" \
	"771: .pushsection steps, \"a\"; .quad 771b, " #events "; .popsection\n"

/* A branch goes to the next instruction, so the interrupt comes there. */
#define SEQUENCE \
	STEP(0, "nop") \
	STEP(0, "lea scratch, %rsi") \
	STEP(0, "lea scratch + 100, %rdi") \
	STEP(2, "mov (%rsi), %rax") \
	STEP(4, "mov %rax, (%rdi)") \
	STEP(0, "nop") \
	STEP(6, "incq (%rdi)") \
	STEP(0, "xor %eax, %eax") \
	STEP(1, "jz 1f") "1:" \
	STEP(1, "jnz 1f") "1:" \
	STEP(1, "jmp 1f") "1:" \
	STEP(5, "call 1f") "1:" \
	STEP(2, "pop %rax") \
	STEP(0, "lea 1f, %rax") \
	STEP(4, "push %rax") \
	STEP(3, "ret") "1:" \
	STEP(0, "mov $5, %ecx") \
	STEP(6, "rep movsb") \
	STEP(0, "nop") \
	STEP(6, "pushq (%rsi)") \
	STEP(6, "popq (%rsi)") \
	STEP(0, "lea 1f, %rax") \
	STEP(1, "jmp *%rax") "1:" \
	STEP(2, "cmp (%rsi), %rax") \
	STEP(2, "fldl (%rsi)") \
	STEP(4, "fstpt (%rsi)") \
	STEP(6, "lock incq (%rsi)") \
	STEP(0, "cpuid") \
	STEP(2, "mov scratch, %rax") \
	STEP(0, "rdtsc") \
	STEP(0, "nop")

SNIPPET(kernel_sequence, SEQUENCE);

/* The steps of a sequence are in a table of their own; this table is for user mode. */
#undef STEP
#define STEP(events, insn) \
	insn "\n" \
	"771: .pushsection user_steps, \"a\"; .quad 771b, " #events "; .popsection\n"

asm(".pushsection .text\nuser_sequence: push %rbx\n" SEQUENCE "pop %rbx; ret\n.popsection");
void user_sequence(u64 argument);

/* The events of user_entry and of the first instruction, before the sequence. */
static const u64 user_before[] = { 2, 1, 0, 2 };

extern const struct step __start_steps[], __stop_steps[];
extern const struct step __start_user_steps[], __stop_user_steps[];

static const u64 counted[] = { EVENT_INST, EVENT_BRANCH, EVENT_LOAD, EVENT_STORE };

/* Recorded by the interrupt's handler. */
static struct {
	unsigned int	interrupts;
	u64		rip, cs, status, control, lvt;
} seen;

static bool step_has(const struct step *step, unsigned int event)
{
	return event == 0 || (step->events >> (event - 1) & 1);
}

static bool has_counters(void)
{
	return pmu.version >= 2 && pmu.counters >= 4;
}

static bool has_counters_and_fixed(void)
{
	return has_counters() && pmu.fixed == 3;
}

/* Record the state, once, and stop everything. */
static void note(struct frame *frame)
{
	if (!seen.interrupts++) {
		seen.rip = frame->rip;
		seen.cs = frame->cs;
		seen.status = rdmsr(MSR_GLOBAL_STATUS);
		seen.control = rdmsr(MSR_GLOBAL_CTRL);
		seen.lvt = *apic(LVT_PERFORMANCE);
	}
	wrmsr(MSR_GLOBAL_CTRL, 0);
	if (frame->vector == VECTOR_FIXED)
		*apic(0xb0) = 0;
}

static void expect_interrupt(void)
{
	memset(&seen, 0, sizeof(seen));
	memset(scratch, 0, sizeof(scratch));
	set_handler(VECTOR_NMI, note);
	set_handler(VECTOR_FIXED, note);
}

static void run(void (*snippet)(u64 argument), u64 argument, u64 enable)
{
	expect_interrupt();
	snippet_enable = enable;
	snippet(argument);
}

/*
 * Count all four events in the kernel, let one of them overflow at its nth time, and freeze on
 * that: the interrupt comes behind that instruction, and all counters have the counts of the
 * instructions up to it.
 */
static void check_kernel_overflow(unsigned int event, const struct step *at, const u64 *counts)
{
	unsigned int i;

	pmu_reset();
	wrmsr(MSR_DEBUGCTL, DEBUGCTL_FREEZE_ON_PMI);
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		count(i, counted[i], EVTSEL_OS | (i == event ? EVTSEL_INT : 0));
	wrmsr(MSR_PMC0 + event, overflow_after(counts[event]));
	run(kernel_sequence, 0, 0xf);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.rip, at->next);
	CHECK_EQ(seen.status & 0xf, BIT(event));
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		CHECK_EQ(rdmsr(MSR_PMC0 + i), i == event ? 0 : counts[i]);
}

static void check_overflow_of(unsigned int event)
{
	u64 counts[ARRAY_SIZE(counted)] = { 0 };
	const struct step *step;
	unsigned int i;

	for (step = __start_steps; step < __stop_steps; step++) {
		for (i = 0; i < ARRAY_SIZE(counted); i++)
			counts[i] += step_has(step, i);
		if (step_has(step, event))
			check_kernel_overflow(event, step, counts);
	}
}

static void each_instruction_can_overflow(void)
{
	check_overflow_of(0);
}

static void each_branch_can_overflow(void)
{
	check_overflow_of(1);
}

static void each_load_can_overflow(void)
{
	check_overflow_of(2);
}

static void each_store_can_overflow(void)
{
	check_overflow_of(3);
}

/* The same in user mode, one event at a time, without a freeze. */
static void overflow_at_user_level_is_as_exact(void)
{
	unsigned int event;

	for (event = 0; event < ARRAY_SIZE(counted); event++) {
		u64 n = user_before[event];
		const struct step *step;

		for (step = __start_user_steps; step < __stop_user_steps; step++) {
			if (!step_has(step, event))
				continue;
			pmu_reset();
			count(0, counted[event], EVTSEL_USR | EVTSEL_INT);
			wrmsr(MSR_PMC0, overflow_after(++n));
			expect_interrupt();
			wrmsr(MSR_GLOBAL_CTRL, 1);
			call_user(user_sequence, 0);
			CHECK_EQ(seen.interrupts, 1);
			CHECK_EQ(seen.rip, step->next);
			CHECK_EQ(seen.cs & 3, 3);
			CHECK_EQ(rdmsr(MSR_PMC0), 0);
		}
	}
}

static void counters_overflow_together(void)
{
	const struct step *step = __start_steps;
	u64 loads = 0, stores = 0;

	/* The first instruction that loads and stores. */
	for (; !step_has(step, 2) || !step_has(step, 3); step++) {
		loads += step_has(step, 2);
		stores += step_has(step, 3);
	}
	count(0, EVENT_LOAD, EVTSEL_OS | EVTSEL_INT);
	count(1, EVENT_STORE, EVTSEL_OS | EVTSEL_INT);
	count(2, EVENT_INST, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(loads + 1));
	wrmsr(MSR_PMC0 + 1, overflow_after(stores + 1));
	wrmsr(MSR_PMC0 + 2, overflow_after(step - __start_steps + 1));
	run(kernel_sequence, 0, 7);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.status, 7);
	CHECK_EQ(seen.rip, step->next);
}

SNIPPET(long_string, "lea scratch, %rdi; mov $4000, %ecx; call 1f; 1: rep stosb; pop %rax");

static void cycles_overflow_between_the_iterations_of_a_string(void)
{
	wrmsr(MSR_FIXED_CTRL, 0x090);
	wrmsr(MSR_FIXED0 + 1, overflow_after(3 + 1000));
	run(long_string, 0, BIT(33));
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.status, BIT(33));
	CHECK_EQ(*(u16 *)(uintptr_t)seen.rip, 0xaaf3);
	CHECK_EQ(scratch[999], 0);
}

SNIPPET(filled_string,
	"lea scratch, %rdi; mov $4000, %ecx; mov $1, %al; rep stosb; nop; nop");

static void instructions_overflow_behind_a_string_not_in_it(void)
{
	count(0, EVENT_INST, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(4));
	run(filled_string, 0, 1);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(((u8 *)(uintptr_t)seen.rip)[-1], 0xaa);
	CHECK_EQ(scratch[3999], 1);
}

SNIPPET(two_loads, "nop; mov (%r15), %rax; nop; mov 4096(%r15), %rax; nop; nop");

static void a_data_walk_overflows_behind_its_instruction(void)
{
	static const u8 second_load[] = { 0x49, 0x8b, 0x87 };
	u64 pages = (u64)(uintptr_t)map_pages(2, false);

	count(0, EVENT_DTLB_WALK, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(2));
	run(two_loads, pages, 1);
	CHECK_EQ(seen.interrupts, 1);
	CHECK(!memcmp((u8 *)(uintptr_t)seen.rip - 7, second_load, sizeof(second_load)));
	/* An address in the TLB causes no second walk. */
	wrmsr(MSR_PMC0, 0);
	run(two_loads, pages, 1);
	CHECK_EQ(rdmsr(MSR_PMC0), 0);
}

SNIPPET(call_the_argument, "nop; call *%r15; nop");

static void a_fetch_walk_overflows_before_the_fetched_instruction(void)
{
	u8 *page = map_pages(1, false);

	page[0] = 0xc3;
	flush_tlb(); /* one TLB is for data and code */
	count(0, EVENT_ITLB_WALK, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(1));
	run(call_the_argument, (u64)(uintptr_t)page, 1);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.rip, (u64)(uintptr_t)page);
}

SNIPPET(take_interrupts, "sti; nop; nop; cli");

static void an_interrupt_overflows_before_its_handler(void)
{
	count(0, EVENT_HW_INT, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(1));
	expect_interrupt();
	set_gate(VECTOR_FIXED, eoi_entry);
	snippet_enable = 1;
	send_interrupt();
	take_interrupts(0);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.rip, (u64)(uintptr_t)eoi_entry);
}

static void set_up_overflow(void)
{
	count(0, EVENT_INST, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(3));
}

static void delivery_masks_the_lvt_entry(void)
{
	set_up_overflow();
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.lvt, LVT_NMI | LVT_MASKED);
	/* and masked it stays silent */
	set_up_overflow();
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 0);
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), 1);
	*apic(LVT_PERFORMANCE) = LVT_NMI;
	set_up_overflow();
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 1);
}

static void overflow_without_int_only_sets_the_status(void)
{
	count(0, EVENT_INST, EVTSEL_OS);
	wrmsr(MSR_PMC0, overflow_after(3));
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 0);
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), 1);
	CHECK_EQ(*apic(LVT_PERFORMANCE), LVT_NMI);
	wrmsr(MSR_GLOBAL_OVF_CTRL, 1);
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), 0);
}

static void fixed_delivery_waits_for_the_interrupt_flag(void)
{
	*apic(LVT_PERFORMANCE) = LVT_FIXED | VECTOR_FIXED;
	set_up_overflow();
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 0);
	CHECK_EQ(*apic(LVT_PERFORMANCE), LVT_FIXED | VECTOR_FIXED | LVT_MASKED);
	asm volatile("sti; nop; nop; cli");
	CHECK_EQ(seen.interrupts, 1);
}

SNIPPET(interruptible, "sti; nop; nop; nop; nop; cli");

static void fixed_delivery_is_as_exact(void)
{
	*apic(LVT_PERFORMANCE) = LVT_FIXED | VECTOR_FIXED;
	count(0, EVENT_INST, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(3));
	run(interruptible, 0, 1);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(((u8 *)(uintptr_t)seen.rip)[-3], 0xfb);	/* sti, and two nops */
	CHECK_EQ(((u8 *)(uintptr_t)seen.rip)[2], 0xfa);
}

static void an_interrupt_freezes_when_it_is_told_to(void)
{
	u64 frozen;

	wrmsr(MSR_DEBUGCTL, DEBUGCTL_FREEZE_ON_PMI);
	set_up_overflow();
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 1);
	if (pmu.version < 4) {
		CHECK_EQ(seen.control, 0);
		return;
	}
	CHECK_EQ(seen.control, 1);
	CHECK_EQ(seen.status, 1 | STATUS_CTR_FRZ);
	frozen = rdmsr(MSR_PMC0);
	wrmsr(MSR_GLOBAL_CTRL, 1);
	CHECK_EQ(rdmsr(MSR_PMC0), frozen);
	wrmsr(MSR_GLOBAL_OVF_CTRL, STATUS_CTR_FRZ);
	CHECK(rdmsr(MSR_PMC0) > frozen);
}

static void nothing_freezes_unasked(void)
{
	set_up_overflow();
	run(kernel_sequence, 0, 1);
	CHECK_EQ(seen.interrupts, 1);
	CHECK_EQ(seen.control, 1);
	CHECK_EQ(seen.status, 1);
	CHECK(rdmsr(MSR_PMC0) > 0);
}

static u64 period;

static void sample(struct frame *frame)
{
	(void)frame;
	seen.interrupts++;
	wrmsr(MSR_PMC0, overflow_after(period));
	wrmsr(MSR_GLOBAL_OVF_CTRL, 1);
	*apic(LVT_PERFORMANCE) = LVT_NMI;
}

/* Some of each event, a thousand times. */
asm(".pushsection .text\n"
	"user_loop: mov $1000, %edx\n"
	"1: push %rdx; lea scratch, %rdi; xchg %rax, (%rdi); call 2f; dec %edx; jnz 1b\n"
	"ret\n"
	"2: popq (%rdi); pop %rcx; push (%rdi); nop; jmp 3f; 3: ret\n"
	".popsection");
void user_loop(u64 argument);

static void a_period_gives_so_many_samples(void)
{
	static const u64 periods[] = { 1, 2, 7, 100, 1001 };
	unsigned int event, i;

	for (event = 0; event < ARRAY_SIZE(counted); event++) {
		u64 total;

		pmu_reset();
		count(0, counted[event], EVTSEL_USR);
		wrmsr(MSR_GLOBAL_CTRL, 1);
		call_user(user_loop, 0);
		total = rdmsr(MSR_PMC0);
		for (i = 0; i < ARRAY_SIZE(periods); i++) {
			pmu_reset();
			expect_interrupt();
			set_handler(VECTOR_NMI, sample);
			period = periods[i];
			count(0, counted[event], EVTSEL_USR | EVTSEL_INT);
			wrmsr(MSR_PMC0, overflow_after(period));
			wrmsr(MSR_GLOBAL_CTRL, 1);
			call_user(user_loop, 0);
			CHECK_EQ(seen.interrupts, total / period);
			CHECK_EQ(rdmsr(MSR_PMC0), overflow_after(period - total % period));
		}
	}
}

const struct test overflow_tests[] = {
	{ "each_instruction_can_overflow", each_instruction_can_overflow, has_counters },
	{ "each_branch_can_overflow", each_branch_can_overflow, has_counters },
	{ "each_load_can_overflow", each_load_can_overflow, has_counters },
	{ "each_store_can_overflow", each_store_can_overflow, has_counters },
	{ "overflow_at_user_level_is_as_exact", overflow_at_user_level_is_as_exact, has_counters },
	{ "counters_overflow_together", counters_overflow_together, has_counters },
	{ "cycles_overflow_between_the_iterations_of_a_string",
	  cycles_overflow_between_the_iterations_of_a_string, has_counters_and_fixed },
	{ "instructions_overflow_behind_a_string_not_in_it",
	  instructions_overflow_behind_a_string_not_in_it, has_counters },
	{ "a_data_walk_overflows_behind_its_instruction",
	  a_data_walk_overflows_behind_its_instruction, has_counters },
	{ "a_fetch_walk_overflows_before_the_fetched_instruction",
	  a_fetch_walk_overflows_before_the_fetched_instruction, has_counters },
	{ "an_interrupt_overflows_before_its_handler",
	  an_interrupt_overflows_before_its_handler, has_counters },
	{ "delivery_masks_the_lvt_entry", delivery_masks_the_lvt_entry, has_counters },
	{ "overflow_without_int_only_sets_the_status",
	  overflow_without_int_only_sets_the_status, has_counters },
	{ "fixed_delivery_waits_for_the_interrupt_flag",
	  fixed_delivery_waits_for_the_interrupt_flag, has_counters },
	{ "fixed_delivery_is_as_exact", fixed_delivery_is_as_exact, has_counters },
	{ "an_interrupt_freezes_when_it_is_told_to",
	  an_interrupt_freezes_when_it_is_told_to, has_counters },
	{ "nothing_freezes_unasked", nothing_freezes_unasked, has_counters },
	{ "a_period_gives_so_many_samples", a_period_gives_so_many_samples, has_counters },
	{ NULL, NULL, NULL }
};
