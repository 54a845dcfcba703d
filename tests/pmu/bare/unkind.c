// SPDX-License-Identifier: GPL-2.0
/*
 * How the PMU differs from an ideal one: measured on each model, and compared by bare.sh, which
 * knows the switches that the model has.
 */
#include "snippet.h"

#define MSR_TSX_FORCE_ABORT	0x10f
#define ALL			0xf

#define PERIOD			2000

#define NOPS			300
SNIPPET(nops, ".fill 300, 1, 0x90");
void next_nops(void);

asm(".pushsection .text\n"
	"count_down: " /* seven periods */
	"mov $6999, %ecx\n"
	"1: dec %ecx; jnz 1b\n"
	"ret\n"
	"count_down_shortly: mov $100, %ecx; jmp 1b\n"
	".popsection");
void count_down(u64 argument);
void count_down_shortly(u64 argument);

/* Recorded by the interrupt's handler at its first call, and the number of its calls. */
static struct {
	unsigned int	interrupts, without_overflow;
	u64		rip, status, control, lvt;
} seen;

static bool has_four(void)
{
	return pmu.version >= 2 && pmu.counters >= 4;
}

/* Counts on as after an interrupt that was handled; a period begins again. */
static void handle(struct frame *frame)
{
	u64 status = rdmsr(MSR_GLOBAL_STATUS), control = rdmsr(MSR_GLOBAL_CTRL);

	if (!seen.interrupts++) {
		seen.rip = frame->rip;
		seen.status = status;
		seen.control = control;
		seen.lvt = *apic(LVT_PERFORMANCE);
	}
	seen.without_overflow += control && !status;
	if (!control || status & 1)
		wrmsr(MSR_PMC0, overflow_after(PERIOD));
	if (!control)
		wrmsr(MSR_GLOBAL_CTRL, 3);
	wrmsr(MSR_GLOBAL_OVF_CTRL, status);
	*apic(LVT_PERFORMANCE) = LVT_NMI;
}

static void expect(void)
{
	memset(&seen, 0, sizeof(seen));
	set_handler(VECTOR_NMI, handle);
}

/* Instructions from the overflow to the interrupt */
static void delay(void)
{
	u64 overflow = (u64)(uintptr_t)next_nops - NOPS + 10;

	expect();
	count(0, EVENT_INST, EVTSEL_OS | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(10));
	snippet_enable = 1;
	nops(0);
	print("# measured delay=%u\n", seen.interrupts ? (unsigned int)(seen.rip - overflow) : 999);
}

/* Interrupts of two counters that overflow one after the other */
static void two_overflows(void)
{
	expect();
	count(0, EVENT_INST, EVTSEL_USR | EVTSEL_INT);
	count(1, EVENT_INST, EVTSEL_USR | EVTSEL_INT);
	wrmsr(MSR_PMC0, overflow_after(100));
	wrmsr(MSR_PMC0 + 1, overflow_after(115));
	wrmsr(MSR_GLOBAL_CTRL, 3);
	call_user(count_down_shortly, 0);
	print("# measured two_overflows=%u\n", seen.interrupts);
}

static u64 run_user(u64 bits)
{
	expect();
	pmu_reset();
	count(0, EVENT_INST, EVTSEL_USR | bits);
	count(1, EVENT_INST, EVTSEL_USR);
	wrmsr(MSR_PMC0, overflow_after(PERIOD));
	wrmsr(MSR_GLOBAL_CTRL, 3);
	call_user(count_down, 0);
	wrmsr(MSR_GLOBAL_CTRL, 0);
	return rdmsr(MSR_PMC0 + 1);
}

/* Interrupts of seven periods, interrupts without an overflow, and their additions to a count */
static void periods(void)
{
	u64 alone = run_user(0), interrupted = run_user(EVTSEL_INT);

	print("# measured interrupts=%u\n# measured strays=%u\n# measured added=%u\n",
	      seen.interrupts, seen.without_overflow, (unsigned int)(interrupted - alone));
}

/* True if another owner has used the registers before the handler. */
static void stolen(void)
{
	run_user(EVTSEL_INT);
	print("# measured stolen=%u\n",
	      seen.interrupts && !seen.control && !seen.status && seen.lvt == LVT_NMI);
}

static unsigned int counts(unsigned int i)
{
	count(i, EVENT_INST, EVTSEL_OS);
	wrmsr(MSR_PMC0 + i, 0);
	snippet_enable = BIT(i);
	nops(0);
	return rdmsr(MSR_PMC0 + i) == NOPS + SNIPPET_TAIL;
}

/*
 * The fourth counter's count, and its count with all transactions aborted, where that bit exists.
 */
static void fourth_counter(void)
{
	unsigned int plain = counts(3), aborted = 0;

	if (wrmsr_safe(MSR_TSX_FORCE_ABORT, 1)) {
		aborted = counts(3);
		wrmsr(MSR_TSX_FORCE_ABORT, 0);
	}
	print("# measured fourth=%u\n# measured fourth_aborting=%u\n", plain, aborted);
}

/* The count of another event, and of an event after the reset of all counters. */
static void another_event(void)
{
	static const u64 magic[] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };
	unsigned int i, plain, reset;

	count(0, EVENT_NONE, EVTSEL_OS);
	snippet_enable = 1;
	nops(0);
	plain = counts(0);
	for (i = 0; i < ARRAY_SIZE(magic); i++)
		wrmsr(MSR_EVTSEL0 + i, magic[i]);
	wrmsr(MSR_GLOBAL_CTRL, ALL);
	wrmsr(MSR_GLOBAL_CTRL, 0);
	reset = counts(0);
	print("# measured another=%u\n# measured another_reset=%u\n", plain, reset);
}

const struct test unkind_tests[] = {
	{ "the_delay_is_measured", delay, has_four },
	{ "two_overflows_are_measured", two_overflows, has_four },
	{ "periods_are_measured", periods, has_four },
	{ "another_owner_is_looked_for", stolen, has_four },
	{ "the_fourth_counter_is_tried", fourth_counter, has_four },
	{ "another_event_is_tried", another_event, has_four },
	{ NULL, NULL, NULL }
};
