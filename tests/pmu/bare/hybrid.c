// SPDX-License-Identifier: GPL-2.0
/*
 * A hybrid processor: its description of itself, and the different counts of its E-cores. bare.sh
 * boots each type as CPU 0: the other tests use the encodings of P-cores.
 */
#include "snippet.h"

/* Gracemont's. */
#define ATOM_LOAD	0x81d0
#define ATOM_STORE	0x82d0

static bool is_core(void)
{
	return pmu.core_type == CORE_TYPE_CORE;
}

static bool is_atom(void)
{
	return pmu.core_type == CORE_TYPE_ATOM;
}

static bool is_either(void)
{
	return is_core() || is_atom();
}

SNIPPET(two_loads_three_stores,
	"mov scratch, %rax; mov scratch + 8, %rdx;"
	"mov %rax, scratch; mov %rax, scratch + 8; mov %rdx, scratch + 16; jmp 1f; 1:");

/* The count of one counter. */
static u64 counted(u64 event)
{
	count(0, event, EVTSEL_OS);
	wrmsr(MSR_PMC0, 0);
	snippet_enable = BIT(0);
	two_loads_three_stores(0);
	return rdmsr(MSR_PMC0);
}

static void architectural_events_are_the_same_on_both(void)
{
	CHECK_EQ(counted(EVENT_INST), 6 + SNIPPET_TAIL);
	CHECK_EQ(counted(EVENT_CYCLES), 6 + SNIPPET_TAIL);
	CHECK_EQ(counted(EVENT_REF), 6 + SNIPPET_TAIL);
	CHECK_EQ(counted(EVENT_BRANCH), 1);
}

static void a_core_counts_by_the_usual_encodings(void)
{
	CHECK_EQ(counted(EVENT_LOAD), 2);
	CHECK_EQ(counted(EVENT_STORE), 3);
	CHECK_EQ(counted(ATOM_LOAD), 0);
	CHECK_EQ(counted(ATOM_STORE), 0);
}

static void an_atom_has_encodings_of_its_own(void)
{
	CHECK_EQ(counted(ATOM_LOAD), 2);
	CHECK_EQ(counted(ATOM_STORE), 3);
	CHECK_EQ(counted(EVENT_STORE), 0);
}

static void an_encoding_of_the_core_counts_something_else_on_an_atom(void)
{
	CHECK_EQ(counted(EVENT_LOAD), 3);
}

static void an_atom_has_its_own_counters(void)
{
	u64 value;

	/*
	 * The settings of bare.sh: without them the core would have 4, 3 fixed ones, and 48 bits.
	 */
	CHECK_EQ(pmu.counters, 2);
	CHECK_EQ(pmu.fixed, 1);
	CHECK_EQ(pmu.width, 40);
	CHECK(rdmsr_safe(MSR_EVTSEL0 + 1, &value));
	CHECK(!rdmsr_safe(MSR_EVTSEL0 + 2, &value));
	CHECK(!rdmsr_safe(MSR_PMC0 + 2, &value));
	CHECK(rdmsr_safe(MSR_FIXED0, &value));
	CHECK(!rdmsr_safe(MSR_FIXED0 + 1, &value));
	CHECK(!wrmsr_safe(MSR_FIXED0, BIT(40)));
	CHECK(wrmsr_safe(MSR_GLOBAL_CTRL, BIT(32) | 0x3));
	CHECK(!wrmsr_safe(MSR_GLOBAL_CTRL, 0x4));
}

const struct test hybrid_tests[] = {
#define TEST(name, applies) { #name, name, applies }
	TEST(architectural_events_are_the_same_on_both, is_either),
	TEST(a_core_counts_by_the_usual_encodings, is_core),
	TEST(an_atom_has_encodings_of_its_own, is_atom),
	TEST(an_encoding_of_the_core_counts_something_else_on_an_atom, is_atom),
	TEST(an_atom_has_its_own_counters, is_atom),
	{ }
};
