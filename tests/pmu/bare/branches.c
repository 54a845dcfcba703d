// SPDX-License-Identifier: GPL-2.0
/*
 * Last branch records: their registers; and the records where no system call can be made:
 * deliveries of interrupts, levels, the freeze. lbr.S has the ordinary branches.
 */
#include "snippet.h"

#define MSR_LBR_SELECT		0x1c8
#define MSR_LASTBRANCH_TOS	0x1c9
#define MSR_LASTBRANCH_FROM	0x680
#define MSR_LASTBRANCH_TO	0x6c0
#define MSR_LBR_INFO		0xdc0
#define MOST_RECORDS		32
#define FORMAT_INFO		5

#define INFO_MISPREDICTED	BIT(63)
#define INFO_BITS		(BIT(63) | BIT(62) | BIT(61) | 0xffff)

#define DEBUGCTL_LBR		BIT(0)
#define DEBUGCTL_FREEZE_LBRS	BIT(11)
#define STATUS_LBR_FRZ		BIT(58)

#define LEAVE_OUT_KERNEL	BIT(0)
#define LEAVE_OUT_USER		BIT(1)
#define LEAVE_OUT_CONDITIONAL	BIT(2)
#define LEAVE_OUT_FAR		BIT(8)

static bool has_lbr(void)
{
	return pmu.lbr;
}

static bool has_none(void)
{
	return !pmu.lbr;
}

static bool has_info(void)
{
	return pmu.lbr == FORMAT_INFO;
}

static unsigned int records(void)
{
	return has_info() ? 32 : 16;
}

/* Recorded from the instruction after the first WRMSR up to the second one. */
#define BRANCHES(name, code)							\
	void name(void);							\
	asm(".pushsection .text\n"						\
	    #name ": push %rbx; push %rsi; push %rdi\n"				\
	    "	mov $0x1d9, %ecx; mov $1, %eax; xor %edx, %edx; wrmsr\n"	\
	    code "\n"								\
	    "	mov $0x1d9, %ecx; xor %eax, %eax; xor %edx, %edx; wrmsr\n"	\
	    "	pop %rdi; pop %rsi; pop %rbx; ret\n"				\
	    ".popsection")

#define LABEL(name)	extern const u8 name[]

BRANCHES(branch_int, "at_int: int $0x30; after_int:");
BRANCHES(branch_ud2, "at_ud2: ud2; after_ud2:");
BRANCHES(branch_interrupt,
	 "mov $0xfee00300, %ebx; sti; nop; movl $0x40050, (%rbx); at_interrupt: nop; cli");
BRANCHES(branch_rep,
	 "lea scratch, %rsi; lea scratch, %rdi; mov $10, %ecx; rep movsb;"
	 "xor %ecx, %ecx; jnz 1f; jrcxz 1f; nop; 1:");
BRANCHES(branch_cycles,
	 "jmp 1f; 1: nop; nop; jmp 2f; 2: xor %ecx, %ecx; jz 3f; 3: mov $3, %ecx; 4: loop 4b;"
	 "call 5f; 5: add $8, %rsp");
BRANCHES(branch_short_way, "mov $10, %ecx; 1: dec %ecx; jnz 1b; jmp 2f; 2:");
BRANCHES(branch_long_way, "mov $40000, %ecx; 1: dec %ecx; jnz 1b; jmp 2f; 2:");
LABEL(at_int);
LABEL(after_int);
LABEL(at_ud2);
LABEL(after_ud2);
LABEL(at_interrupt);

static u64 address_of(const void *label)
{
	return (u64)(uintptr_t)label;
}

static void reset_records(void)
{
	unsigned int i;

	wrmsr(MSR_LBR_SELECT, 0);
	wrmsr(MSR_LASTBRANCH_TOS, 0);
	for (i = 0; i < records(); i++) {
		wrmsr(MSR_LASTBRANCH_FROM + i, 0);
		wrmsr(MSR_LASTBRANCH_TO + i, 0);
		if (has_info())
			wrmsr(MSR_LBR_INFO + i, 0);
	}
}

/* The nth branch since reset_records(). */
static void check_record(unsigned int n, u64 from, u64 to)
{
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_FROM + n), from);
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TO + n), to);
}

static void records_that_are_not_there_fault(void)
{
	u64 value;
	unsigned int i;

	CHECK(!rdmsr_safe(MSR_LBR_SELECT, &value) && !wrmsr_safe(MSR_LBR_SELECT, 0));
	CHECK(!rdmsr_safe(MSR_LASTBRANCH_TOS, &value) && !wrmsr_safe(MSR_LASTBRANCH_TOS, 0));
	for (i = 0; i < MOST_RECORDS; i++) {
		CHECK(!rdmsr_safe(MSR_LASTBRANCH_FROM + i, &value));
		CHECK(!wrmsr_safe(MSR_LASTBRANCH_TO + i, 0));
		CHECK(!rdmsr_safe(MSR_LBR_INFO + i, &value));
	}
}

static void records_take_addresses_and_nothing_else(void)
{
	u64 value;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		CHECK_EQ(wrmsr_safe(MSR_LBR_SELECT, BIT(i)), i < 9);
		CHECK_EQ(wrmsr_safe(MSR_LASTBRANCH_TOS, BIT(i)), BIT(i) < records());
	}
	for (i = 0; i < records(); i++) {
		wrmsr(MSR_LASTBRANCH_FROM + i, 0x00007fffffffff00 + i);
		wrmsr(MSR_LASTBRANCH_TO + i, 0xffff800000000000 + i);
		check_record(i, 0x00007fffffffff00 + i, 0xffff800000000000 + i);
		/* The flag of a wrong prediction is above the sign, if the format has it. */
		CHECK_EQ(wrmsr_safe(MSR_LASTBRANCH_FROM + i, 0x8000000000001000), !has_info());
		CHECK_EQ(wrmsr_safe(MSR_LASTBRANCH_FROM + i, 0x7fff800000001000), !has_info());
		CHECK(!wrmsr_safe(MSR_LASTBRANCH_FROM + i, 0x4000000000001000));
		CHECK(!wrmsr_safe(MSR_LASTBRANCH_TO + i, 0x8000000000001000));
		CHECK(!wrmsr_safe(MSR_LASTBRANCH_TO + i, 0x0000800000000000));
		check_record(i, has_info() ? 0x00007fffffffff00 + i : 0x7fff800000001000,
			     0xffff800000000000 + i);
	}
	for (; i < MOST_RECORDS; i++) {
		CHECK(!rdmsr_safe(MSR_LASTBRANCH_FROM + i, &value));
		CHECK(!wrmsr_safe(MSR_LASTBRANCH_TO + i, 0));
	}
}

static void what_is_known_of_a_branch_has_its_bits_and_no_others(void)
{
	unsigned int i, bit;

	for (i = 0; i < records(); i++) {
		for (bit = 0; bit < 64; bit++)
			CHECK_EQ(wrmsr_safe(MSR_LBR_INFO + i, BIT(bit)), !!(INFO_BITS & BIT(bit)));
		wrmsr(MSR_LBR_INFO + i, INFO_BITS - i);
		CHECK_EQ(rdmsr(MSR_LBR_INFO + i), INFO_BITS - i);
	}
}

static void what_is_known_of_them_is_not_there(void)
{
	u64 value;
	unsigned int i;

	for (i = 0; i < MOST_RECORDS; i++) {
		CHECK(!rdmsr_safe(MSR_LBR_INFO + i, &value));
		CHECK(!wrmsr_safe(MSR_LBR_INFO + i, 0));
	}
}

static bool has_no_info(void)
{
	return has_lbr() && !has_info();
}

/* A conditional jump that runs again and is taken this time was predicted wrongly. */
static void cycles_are_the_instructions_since_the_record_before(void)
{
	static const u64 info[] = { 1, 3, INFO_MISPREDICTED | 2, 2, 1, 2 };
	unsigned int i;

	reset_records();
	branch_cycles();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 6);
	for (i = 0; i < 6; i++)
		CHECK_EQ(rdmsr(MSR_LBR_INFO + 1 + i), info[i]);
	/* Branches that are left out do not end a count of cycles; and the count has a maximum. */
	reset_records();
	wrmsr(MSR_LBR_SELECT, LEAVE_OUT_CONDITIONAL);
	branch_short_way();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 1);
	CHECK_EQ(rdmsr(MSR_LBR_INFO + 1), 22);
	branch_long_way();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 2);
	CHECK_EQ(rdmsr(MSR_LBR_INFO + 2), 0xffff);
}

static void the_ring_comes_round(void)
{
	unsigned int i;

	reset_records();
	wrmsr(MSR_LASTBRANCH_TOS, records() - 2);
	branch_cycles();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 4);
	for (i = 5; i + 1 < records(); i++)
		check_record(i, 0, 0);
	CHECK(rdmsr(MSR_LASTBRANCH_FROM + records() - 1));
}

static void a_delivery_is_a_branch_to_the_handler(void)
{
	const u64 handler = address_of(skip_2_entry), iret = handler + 5; /* behind ADDQ */

	set_gate(VECTOR_INT, iret_entry);
	set_gate(VECTOR_UD, skip_2_entry);
	reset_records();
	branch_int();
	branch_ud2();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 4);
	check_record(1, address_of(at_int), address_of(iret_entry));
	check_record(2, address_of(iret_entry), address_of(after_int));
	check_record(3, address_of(at_ud2), handler);
	check_record(4, iret, address_of(after_ud2));
	/* All of these branches are far branches. */
	reset_records();
	wrmsr(MSR_LBR_SELECT, LEAVE_OUT_FAR);
	branch_int();
	branch_ud2();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 0);
}

static void an_interrupt_comes_from_the_next_instruction(void)
{
	set_gate(VECTOR_FIXED, eoi_entry);
	reset_records();
	branch_interrupt();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 2);
	check_record(1, address_of(at_interrupt), address_of(eoi_entry));
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TO + 2), address_of(at_interrupt));
}

static void iterations_and_branches_not_taken_are_none(void)
{
	reset_records();
	branch_rep();
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 1);
}

void user_return(u64 argument);
asm(".pushsection .text\nuser_return: ret\n.popsection");

/*
 * To user_entry; from there to the function and back; to user_exit; and any number of the kernel's
 * own branches.
 */
static void the_level_is_where_the_branch_ends(void)
{
	unsigned int i, found = 0;

	set_gate(VECTOR_INT, iret_entry);
	reset_records();
	wrmsr(MSR_LBR_SELECT, LEAVE_OUT_KERNEL);
	wrmsr(MSR_DEBUGCTL, DEBUGCTL_LBR);
	call_user(user_return, 0);
	wrmsr(MSR_DEBUGCTL, 0);
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 3);
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TO + 2), address_of(user_return));
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TO + 1), rdmsr(MSR_LASTBRANCH_FROM + 2));

	reset_records();
	wrmsr(MSR_LBR_SELECT, LEAVE_OUT_USER);
	wrmsr(MSR_DEBUGCTL, DEBUGCTL_LBR);
	call_user(user_return, 0);
	wrmsr(MSR_DEBUGCTL, 0);
	for (i = 0; i < records(); i++) {
		CHECK(rdmsr(MSR_LASTBRANCH_TO + i) != address_of(user_return));
		found += rdmsr(MSR_LASTBRANCH_TO + i) == address_of(user_exit);
	}
	CHECK_EQ(found, 1);

	reset_records();
	wrmsr(MSR_LBR_SELECT, LEAVE_OUT_KERNEL | LEAVE_OUT_USER);
	wrmsr(MSR_DEBUGCTL, DEBUGCTL_LBR);
	call_user(user_return, 0);
	wrmsr(MSR_DEBUGCTL, 0);
	CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 0);
}

SNIPPET(ten_rounds, "mov $10, %ecx; 1: dec %ecx; at_round: jnz 1b");
LABEL(at_round);

/* Ten rounds, in each of which the fourth branch overflows; the interrupt itself is masked. */
static void overflow_at_the_fourth(u64 debugctl)
{
	pmu_reset();
	reset_records();
	*apic(LVT_PERFORMANCE) = LVT_MASKED;
	count(0, EVENT_BRANCH, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(4));
	snippet_enable = 1;
	wrmsr(MSR_DEBUGCTL, debugctl);
	ten_rounds(0);
}

static void the_freeze_stops_behind_the_branch_that_overflows(void)
{
	u64 latest;

	overflow_at_the_fourth(DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS);
	if (pmu.version >= 4) {
		CHECK_EQ(rdmsr(MSR_DEBUGCTL), DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS);
		CHECK(rdmsr(MSR_GLOBAL_STATUS) & STATUS_LBR_FRZ);
	} else {
		CHECK_EQ(rdmsr(MSR_DEBUGCTL), DEBUGCTL_FREEZE_LBRS);
		CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), BIT(0));
	}
	/* The branches before the rounds are those of the calls that lead there. */
	latest = rdmsr(MSR_LASTBRANCH_TOS);
	check_record(latest, address_of(at_round), address_of(at_round) - 2);
	check_record((latest - 3) % records(), address_of(at_round), address_of(at_round) - 2);
	CHECK(rdmsr(MSR_LASTBRANCH_FROM + (latest - 4) % records()) != address_of(at_round));
	if (pmu.version < 4)
		return;
	wrmsr(MSR_GLOBAL_OVF_CTRL, STATUS_LBR_FRZ);
	CHECK(rdmsr(MSR_LASTBRANCH_TOS) != latest);
}

static void without_the_freeze_recording_goes_on(void)
{
	overflow_at_the_fourth(DEBUGCTL_LBR);
	CHECK_EQ(rdmsr(MSR_DEBUGCTL), DEBUGCTL_LBR);
	CHECK(!(rdmsr(MSR_GLOBAL_STATUS) & STATUS_LBR_FRZ));
	wrmsr(MSR_DEBUGCTL, 0);
}

/*
 * One WRMSR for all: off, off, on, off. The code behind it was executed before, without recording.
 * Between the third and the fourth there are jmp, ret, call.
 */
void switch_on_and_off(u64 msr);
asm(".pushsection .text\n"
    "switch_to: xor %edx, %edx; wrmsr; jmp 1f; 1: ret\n"
    "switch_on_and_off: mov %edi, %ecx\n"
    "	xor %eax, %eax; call switch_to; xor %eax, %eax; call switch_to\n"
    "	mov $1, %eax; call switch_to; xor %eax, %eax; call switch_to; ret\n"
    ".popsection");

static void recording_begins_behind_the_write_that_switches_it_on(void)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		reset_records();
		switch_on_and_off(MSR_DEBUGCTL);
		CHECK_EQ(rdmsr(MSR_LASTBRANCH_TOS), 3);
	}
}

static bool has_global(void)
{
	return pmu.version >= 2;
}

static void counting_begins_behind_the_write_that_switches_it_on(void)
{
	unsigned int i;

	count(0, EVENT_BRANCH, EVTSEL_OS);
	for (i = 0; i < 3; i++) {
		wrmsr(MSR_PMC0, 0);
		switch_on_and_off(MSR_GLOBAL_CTRL);
		CHECK_EQ(rdmsr(MSR_PMC0), 3);
	}
}

static u64 debugctl_in_handler;

static void end_step(struct frame *frame)
{
	debugctl_in_handler = rdmsr(MSR_DEBUGCTL);
	frame->rflags &= ~BIT(8);
}

static void a_debug_exception_ends_the_recording(void)
{
	set_handler(VECTOR_DB, end_step);
	debugctl_in_handler = ~0ull;
	wrmsr(MSR_DEBUGCTL, DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS);
	asm volatile("pushf; orl $0x100, (%%rsp); popf; nop" : : : "memory", "cc");
	CHECK_EQ(debugctl_in_handler, DEBUGCTL_FREEZE_LBRS);
	CHECK_EQ(rdmsr(MSR_DEBUGCTL), DEBUGCTL_FREEZE_LBRS);
}

const struct test branches_tests[] = {
	{ "records_that_are_not_there_fault", records_that_are_not_there_fault, has_none },
	{ "records_take_addresses_and_nothing_else",
	  records_take_addresses_and_nothing_else, has_lbr },
	{ "what_is_known_of_a_branch_has_its_bits_and_no_others",
	  what_is_known_of_a_branch_has_its_bits_and_no_others, has_info },
	{ "what_is_known_of_them_is_not_there", what_is_known_of_them_is_not_there, has_no_info },
	{ "cycles_are_the_instructions_since_the_record_before",
	  cycles_are_the_instructions_since_the_record_before, has_info },
	{ "the_ring_comes_round", the_ring_comes_round, has_lbr },
	{ "a_delivery_is_a_branch_to_the_handler",
	  a_delivery_is_a_branch_to_the_handler, has_lbr },
	{ "an_interrupt_comes_from_the_next_instruction",
	  an_interrupt_comes_from_the_next_instruction, has_lbr },
	{ "iterations_and_branches_not_taken_are_none",
	  iterations_and_branches_not_taken_are_none, has_lbr },
	{ "the_level_is_where_the_branch_ends", the_level_is_where_the_branch_ends, has_lbr },
	{ "the_freeze_stops_behind_the_branch_that_overflows",
	  the_freeze_stops_behind_the_branch_that_overflows, has_lbr },
	{ "without_the_freeze_recording_goes_on",
	  without_the_freeze_recording_goes_on, has_lbr },
	{ "recording_begins_behind_the_write_that_switches_it_on",
	  recording_begins_behind_the_write_that_switches_it_on, has_lbr },
	{ "counting_begins_behind_the_write_that_switches_it_on",
	  counting_begins_behind_the_write_that_switches_it_on, has_global },
	{ "a_debug_exception_ends_the_recording",
	  a_debug_exception_ends_the_recording, has_lbr },
	{ NULL, NULL, NULL }
};
