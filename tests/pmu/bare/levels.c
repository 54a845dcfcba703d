// SPDX-License-Identifier: GPL-2.0
/*
 * Privilege levels: the level that an event belongs to where the level changes, and no event that
 * counts at both levels.
 */
#include "snippet.h"

#define MSR_STAR	0xc0000081
#define MSR_LSTAR	0xc0000082
#define MSR_FMASK	0xc0000084

static const u64 counted[] = { EVENT_INST, EVENT_BRANCH, EVENT_LOAD, EVENT_STORE };

/* Events, in the order of the tables. */
struct counts {
	u64	n[ARRAY_SIZE(counted)];
};

static bool has_counters(void)
{
	return pmu.version >= 2 && pmu.counters >= 4;
}

/*
 * At user level each function below runs between a call in user_entry and the INT that
 * leads back: 3 instructions (call, ret, int) with 3 branches, 1 load and 2 stores.
 */
static const struct counts around = { { 3, 3, 1, 2 } };

#define USER(name, code) \
	void name(u64 argument); \
	asm(".pushsection .text\n" #name ": " code "; ret\n.popsection")

USER(user_nothing, "");
USER(user_mixture,
     "mov $100, %ecx; 1: push %rcx; mov (%rsp), %rax; pop %rcx; dec %ecx; jnz 1b;"
     "lea scratch, %rsi; lea scratch, %rdi; mov $77, %ecx; rep movsb");
USER(user_interrupt, "int $0x30");
USER(user_forbidden_interrupt, "int $4");	/* faults: its gate is not open to users */
USER(user_system_call, "push %rcx; push %r11; syscall; pop %r11; pop %rcx");
USER(user_undefined, "ud2");
USER(user_division, "xor %ecx, %ecx; nop; div %ecx; nop");
USER(user_faulting_load, "mov (%rdi), %rax");
USER(user_faulting_string,
     "mov %rdi, %rsi; sub $10, %rsi; lea scratch, %rdi;"
     "mov $20, %ecx; rep movsb");

asm(".pushsection .text\n.globl sysret_entry, skip_error_entry\n"
	"sysret_entry: sysretq\n"				/* 1, 1, 0, 0 */
	"skip_error_entry: add $8, %rsp; addq $2, (%rsp); iretq\n"	/* 3, 1, 2, 1 */
	".popsection");
void sysret_entry(void);
void skip_error_entry(void);

static void set_gates(void)
{
	set_gate(VECTOR_DE, skip_2_entry);
	set_gate(VECTOR_UD, skip_2_entry);
	set_gate(VECTOR_GP, skip_error_entry);
	set_gate(VECTOR_PF, page_entry);
	set_gate(VECTOR_INT, iret_entry);
	wrmsr(MSR_STAR, 0x13ull << 48 | 0x08ull << 32);
	wrmsr(MSR_LSTAR, (u64)(uintptr_t)sysret_entry);
	wrmsr(MSR_FMASK, 0x200);
}

static struct counts count_user(void (*function)(u64), u64 argument, u64 levels)
{
	struct counts counts;
	unsigned int i;

	pmu_reset();
	set_gates();
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		count(i, counted[i], levels);
	wrmsr(MSR_GLOBAL_CTRL, 0xf);
	call_user(function, argument);
	wrmsr(MSR_GLOBAL_CTRL, 0);
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		counts.n[i] = rdmsr(MSR_PMC0 + i);
	return counts;
}

/*
 * At user level the function has these events; in the kernel it has these in addition to those of
 * an empty function; and at both levels the sum. The argument is a page that is not present, new
 * each time.
 */
static void check_levels(void (*function)(u64), struct counts user, struct counts kernel)
{
	struct counts got, both, idle;
	u8 *pages = map_pages(8, true);
	unsigned int i;

	set_present(pages + 4096, false);
	set_present(pages + 3 * 4096, false);
	set_present(pages + 5 * 4096, false);

	page_table_entry = set_present(pages + 4096, false);
	got = count_user(function, (u64)(uintptr_t)(pages + 4096), EVTSEL_USR);
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		CHECK_EQ(got.n[i] - around.n[i], user.n[i]);

	page_table_entry = set_present(pages + 3 * 4096, false);
	got = count_user(function, (u64)(uintptr_t)(pages + 3 * 4096), EVTSEL_OS);
	idle = count_user(user_nothing, 0, EVTSEL_OS);
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		CHECK_EQ(got.n[i] - idle.n[i], kernel.n[i]);

	page_table_entry = set_present(pages + 5 * 4096, false);
	both = count_user(function, (u64)(uintptr_t)(pages + 5 * 4096), EVTSEL_USR | EVTSEL_OS);
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		CHECK_EQ(both.n[i], user.n[i] + around.n[i] + got.n[i]);
}

#define COUNTS(i, b, l, s)	((struct counts){ { i, b, l, s } })

static void user_events_are_the_users(void)
{
	check_levels(user_nothing, COUNTS(0, 0, 0, 0), COUNTS(0, 0, 0, 0));
	check_levels(user_mixture, COUNTS(1 + 500 + 4, 100, 201, 101), COUNTS(0, 0, 0, 0));
}

static void a_software_interrupt_is_the_users_its_return_the_kernels(void)
{
	check_levels(user_interrupt, COUNTS(1, 1, 0, 1), COUNTS(1, 1, 1, 0));
}

static void a_system_call_is_the_users_its_return_the_kernels(void)
{
	check_levels(user_system_call, COUNTS(5, 1, 2, 2), COUNTS(1, 1, 0, 0));
}

static void a_faulting_instruction_is_nobodys(void)
{
	check_levels(user_undefined, COUNTS(0, 0, 0, 0), COUNTS(2, 1, 2, 1));
	check_levels(user_division, COUNTS(3, 0, 0, 0), COUNTS(2, 1, 2, 1));
	check_levels(user_forbidden_interrupt, COUNTS(0, 0, 0, 0), COUNTS(3, 1, 2, 1));
}

static void a_restarted_instruction_counts_once(void)
{
	check_levels(user_faulting_load, COUNTS(1, 0, 1, 0), COUNTS(6, 1, 4, 2));
	check_levels(user_faulting_string, COUNTS(5, 0, 1, 1), COUNTS(6, 1, 4, 2));
}

USER(user_touch_pages,
     "mov $16, %ecx; 1: mov (%rdi), %rax; add $4096, %rdi; dec %ecx; jnz 1b");

static void walks_are_counted_by_level(void)
{
	u8 *pages = map_pages(16, true);
	u64 user, again, kernel;

	/* Brings stacks and tables into the TLB. */
	call_user(user_nothing, 0);
	count(0, EVENT_DTLB_WALK, EVTSEL_USR);
	count(1, EVENT_DTLB_WALK, EVTSEL_OS);
	wrmsr(MSR_GLOBAL_CTRL, 3);
	call_user(user_touch_pages, (u64)(uintptr_t)pages);
	user = rdmsr(MSR_PMC0);
	call_user(user_touch_pages, (u64)(uintptr_t)pages);
	again = rdmsr(MSR_PMC0);
	kernel = rdmsr(MSR_PMC0 + 1);
	CHECK_EQ(user, 16);
	CHECK_EQ(again, user);
	user_touch_pages((u64)(uintptr_t)pages);
	CHECK_EQ(rdmsr(MSR_PMC0), user);
	/* The kernel has translations of its own. */
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), kernel + 16);
}

USER(user_long_loop, "mov $20000, %ecx; 1: dec %ecx; jnz 1b");

/* A timer that ends before user mode begins, one during it, and one in the kernel. */
static void an_interrupt_is_of_the_level_that_it_interrupts(void)
{
	set_gate(VECTOR_FIXED, eoi_entry);
	count(0, EVENT_HW_INT, EVTSEL_USR);
	count(1, EVENT_HW_INT, EVTSEL_OS);
	wrmsr(MSR_GLOBAL_CTRL, 3);
	send_interrupt();
	call_user(user_nothing, 0);
	CHECK_EQ(rdmsr(MSR_PMC0), 1);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 0);

	*apic(0x3e0) = 0xb;		/* divide by one: 1 GHz */
	*apic(0x320) = VECTOR_FIXED;	/* one shot */
	*apic(0x380) = 10000;
	call_user(user_long_loop, 0);
	*apic(0x320) = LVT_MASKED;
	CHECK_EQ(rdmsr(MSR_PMC0), 2);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 0);

	send_interrupt();
	asm volatile("sti; nop; nop; cli" : : : "r11", "memory");
	CHECK_EQ(rdmsr(MSR_PMC0), 2);
	CHECK_EQ(rdmsr(MSR_PMC0 + 1), 1);
}

const struct test levels_tests[] = {
	{ "user_events_are_the_users", user_events_are_the_users, has_counters },
	{ "a_software_interrupt_is_the_users_its_return_the_kernels",
	  a_software_interrupt_is_the_users_its_return_the_kernels, has_counters },
	{ "a_system_call_is_the_users_its_return_the_kernels",
	  a_system_call_is_the_users_its_return_the_kernels, has_counters },
	{ "a_faulting_instruction_is_nobodys", a_faulting_instruction_is_nobodys, has_counters },
	{ "a_restarted_instruction_counts_once",
	  a_restarted_instruction_counts_once, has_counters },
	{ "walks_are_counted_by_level", walks_are_counted_by_level, has_counters },
	{ "an_interrupt_is_of_the_level_that_it_interrupts",
	  an_interrupt_is_of_the_level_that_it_interrupts, has_counters },
	{ NULL, NULL, NULL }
};
