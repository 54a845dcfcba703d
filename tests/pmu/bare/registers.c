// SPDX-License-Identifier: GPL-2.0
/* The PMU's registers: which exist, which values can be written, and which accesses fault. */
#include "bare.h"

static bool has_global(void)
{
	return pmu.version >= 2;
}

static bool has_version_4(void)
{
	return pmu.version >= 4;
}

static bool has_full_width(void)
{
	return pmu.full_width;
}

static bool has_any_thread(void)
{
	return pmu.version == 3 || pmu.version == 4;
}

static u64 counter_bits(void)
{
	return (BIT(pmu.counters) - 1) | (BIT(pmu.fixed) - 1) << 32;
}

static void check_absent(u32 msr)
{
	u64 value;

	if (rdmsr_safe(msr, &value))
		fail("reading MSR %lx should fault", (u64)msr);
	if (wrmsr_safe(msr, 0))
		fail("writing MSR %lx should fault", (u64)msr);
}

/* Each bit of a register either keeps its value, or a write of it faults. */
static void check_valid_bits(u32 msr, u64 valid, u64 with)
{
	unsigned int i;

	for (i = 0; i < 64; i++) {
		u64 value = with | BIT(i);

		wrmsr(msr, with);
		if (wrmsr_safe(msr, value) != !!(valid & BIT(i)))
			fail("MSR %lx takes %lx: %lx are its valid bits", (u64)msr, value, valid);
		CHECK_EQ(rdmsr(msr), valid & BIT(i) ? value : with);
	}
	wrmsr(msr, 0);
}

static void unknown_counters_fault(void)
{
	unsigned int i;

	for (i = pmu.counters; i < 8; i++) {
		check_absent(MSR_PMC0 + i);
		check_absent(MSR_EVTSEL0 + i);
		check_absent(MSR_A_PMC0 + i);
	}
	for (i = pmu.fixed; i < 4; i++)
		check_absent(MSR_FIXED0 + i);
	for (i = 0; i < 8 && !pmu.full_width; i++)
		check_absent(MSR_A_PMC0 + i);
}

static void registers_of_later_versions_fault(void)
{
	if (pmu.version < 2) {
		check_absent(MSR_FIXED_CTRL);
		check_absent(MSR_GLOBAL_STATUS);
		check_absent(MSR_GLOBAL_CTRL);
		check_absent(MSR_GLOBAL_OVF_CTRL);
	}
	if (pmu.version < 4) {
		check_absent(MSR_GLOBAL_SET);
		check_absent(MSR_GLOBAL_INUSE);
	}
	if (!pmu.full_width)
		check_absent(MSR_PERF_CAPABILITIES);
}

static void event_selectors_keep_valid_bits_and_fault_on_others(void)
{
	u64 valid = 0xffdfffff | (has_any_thread() ? EVTSEL_ANY : 0);
	unsigned int i;

	for (i = 0; i < pmu.counters; i++)
		check_valid_bits(MSR_EVTSEL0 + i, valid, EVENT_NONE & 0xff00);
}

static void edge_detection_of_a_modelled_event_faults(void)
{
	static const u64 events[] = {
		EVENT_INST, EVENT_CYCLES, EVENT_REF, EVENT_BRANCH, EVENT_LOAD, EVENT_STORE,
		EVENT_DTLB_WALK, EVENT_ITLB_WALK, EVENT_HW_INT,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		CHECK(!wrmsr_safe(MSR_EVTSEL0, events[i] | EVTSEL_EDGE));
		CHECK_EQ(rdmsr(MSR_EVTSEL0), 0);
	}
	CHECK(wrmsr_safe(MSR_EVTSEL0, EVENT_NONE | EVTSEL_EDGE));
}

static void cmask_on_page_walks_and_interrupts_faults(void)
{
	CHECK(!wrmsr_safe(MSR_EVTSEL0, EVENT_DTLB_WALK | EVTSEL_CMASK(1)));
	CHECK(!wrmsr_safe(MSR_EVTSEL0, EVENT_ITLB_WALK | EVTSEL_CMASK(1)));
	CHECK(!wrmsr_safe(MSR_EVTSEL0, EVENT_HW_INT | EVTSEL_CMASK(1)));
	CHECK(wrmsr_safe(MSR_EVTSEL0, EVENT_HW_INT));
	CHECK(wrmsr_safe(MSR_EVTSEL0, EVENT_INST | EVTSEL_CMASK(1)));
}

static void legacy_writes_extend_the_sign_of_32_bits(void)
{
	unsigned int i;

	for (i = 0; i < pmu.counters; i++) {
		wrmsr(MSR_PMC0 + i, 0x7fffffff);
		CHECK_EQ(rdmsr(MSR_PMC0 + i), 0x7fffffff);
		wrmsr(MSR_PMC0 + i, 0x80000000);
		CHECK_EQ(rdmsr(MSR_PMC0 + i), 0xffffffff80000000 & pmu.mask);
		wrmsr(MSR_PMC0 + i, 0xffffffff00000001);
		CHECK_EQ(rdmsr(MSR_PMC0 + i), 1);
	}
}

static void full_width_writes_write_all_bits_and_no_more(void)
{
	unsigned int i;

	for (i = 0; i < pmu.counters; i++) {
		wrmsr(MSR_A_PMC0 + i, pmu.mask);
		CHECK_EQ(rdmsr(MSR_A_PMC0 + i), pmu.mask);
		CHECK_EQ(rdmsr(MSR_PMC0 + i), pmu.mask);
		wrmsr(MSR_A_PMC0 + i, 0x80000000);
		CHECK_EQ(rdmsr(MSR_PMC0 + i), 0x80000000);
		CHECK(!wrmsr_safe(MSR_A_PMC0 + i, pmu.mask + 1));
		CHECK(!wrmsr_safe(MSR_A_PMC0 + i, BIT(63)));
		CHECK_EQ(rdmsr(MSR_PMC0 + i), 0x80000000);
	}
}

static void perf_capabilities_say_full_width_and_are_read_only(void)
{
	/* And the format of the branch records, if there are any. */
	CHECK_EQ(rdmsr(MSR_PERF_CAPABILITIES), BIT(13) | pmu.lbr);
	CHECK(!pmu.lbr || pmu.lbr == 3 || pmu.lbr == 5);
	CHECK(!wrmsr_safe(MSR_PERF_CAPABILITIES, BIT(13)));
}

static void fixed_counters_take_all_bits_and_no_more(void)
{
	unsigned int i;

	for (i = 0; i < pmu.fixed; i++) {
		wrmsr(MSR_FIXED0 + i, pmu.mask);
		CHECK_EQ(rdmsr(MSR_FIXED0 + i), pmu.mask);
		CHECK(!wrmsr_safe(MSR_FIXED0 + i, pmu.mask + 1));
		CHECK_EQ(rdmsr(MSR_FIXED0 + i), pmu.mask);
	}
}

static void fixed_control_has_four_bits_a_counter(void)
{
	u64 valid = 0;
	unsigned int i;

	for (i = 0; i < pmu.fixed; i++)
		valid |= (has_any_thread() ? 0xfull : 0xbull) << (4 * i);
	check_valid_bits(MSR_FIXED_CTRL, valid, 0);
}

static void global_control_has_a_bit_for_each_counter(void)
{
	check_valid_bits(MSR_GLOBAL_CTRL, counter_bits(), 0);
}

static void global_status_is_read_only(void)
{
	CHECK(!wrmsr_safe(MSR_GLOBAL_STATUS, 0));
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), 0);
}

static void overflow_control_takes_status_bits_and_reads_as_zero(void)
{
	u64 valid = counter_bits() | BIT(61) | BIT(62) | BIT(63);
	unsigned int i;

	if (pmu.version >= 4)
		valid |= BIT(58) | BIT(59);
	for (i = 0; i < 64; i++)
		CHECK_EQ(wrmsr_safe(MSR_GLOBAL_OVF_CTRL, BIT(i)), valid >> i & 1);
	CHECK_EQ(rdmsr(MSR_GLOBAL_OVF_CTRL), 0);
}

static void status_bits_can_be_set_and_cleared_one_by_one(void)
{
	u64 all = counter_bits() | BIT(58) | BIT(59) | BIT(61) | BIT(62) | BIT(63);

	wrmsr(MSR_GLOBAL_SET, all);
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), all);
	CHECK_EQ(rdmsr(MSR_GLOBAL_SET), 0);
	wrmsr(MSR_GLOBAL_OVF_CTRL, BIT(1) | BIT(59));
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), all & ~(BIT(1) | BIT(59)));
	CHECK(!wrmsr_safe(MSR_GLOBAL_SET, BIT(40)));
	wrmsr(MSR_GLOBAL_OVF_CTRL, all);
	CHECK_EQ(rdmsr(MSR_GLOBAL_STATUS), 0);
}

static void inuse_says_who_is_configured(void)
{
	CHECK_EQ(rdmsr(MSR_GLOBAL_INUSE), 0);
	wrmsr(MSR_EVTSEL0 + 1, EVENT_INST);
	CHECK_EQ(rdmsr(MSR_GLOBAL_INUSE), BIT(1));
	wrmsr(MSR_FIXED_CTRL, 0x020);
	CHECK_EQ(rdmsr(MSR_GLOBAL_INUSE), BIT(1) | BIT(33));
	wrmsr(MSR_FIXED_CTRL, 0x080);
	CHECK_EQ(rdmsr(MSR_GLOBAL_INUSE), BIT(1) | BIT(63));
	wrmsr(MSR_EVTSEL0 + 1, EVTSEL_INT);
	wrmsr(MSR_FIXED_CTRL, 0);
	CHECK_EQ(rdmsr(MSR_GLOBAL_INUSE), BIT(63));
	CHECK(!wrmsr_safe(MSR_GLOBAL_INUSE, 0));
}

static void debugctl_has_the_freezes_from_version_2(void)
{
	check_valid_bits(MSR_DEBUGCTL, pmu.version < 2 ? 0x07c3 : 0x1fc3, 0);
}

static void rdpmc_reads_what_rdmsr_reads(void)
{
	unsigned int i;
	u64 value;

	for (i = 0; i < pmu.counters; i++) {
		wrmsr(MSR_PMC0 + i, 0x80000000 + i);
		CHECK(rdpmc_safe(i, &value));
		CHECK_EQ(value, (0xffffffff80000000 + i) & pmu.mask);
	}
	for (i = 0; i < pmu.fixed; i++) {
		wrmsr(MSR_FIXED0 + i, (0x123456789 + i) & pmu.mask);
		CHECK(rdpmc_safe(BIT(30) + i, &value));
		CHECK_EQ(value, (0x123456789 + i) & pmu.mask);
	}
}

static void rdpmc_of_an_unknown_counter_faults(void)
{
	u64 value;

	CHECK(!rdpmc_safe(pmu.counters, &value));
	CHECK(!rdpmc_safe(BIT(30) + pmu.fixed, &value));
	CHECK(!rdpmc_safe(BIT(31), &value));
	CHECK(!rdpmc_safe(BIT(29), &value));
	CHECK(!rdpmc_safe(BIT(31) | BIT(30), &value));
}

static void user_rdpmc(u64 index)
{
	u64 low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
}

static void set_pce(bool on)
{
	u64 cr4;

	asm volatile("mov %%cr4, %0" : "=r"(cr4));
	cr4 = on ? cr4 | BIT(8) : cr4 & ~BIT(8);
	asm volatile("mov %0, %%cr4" : : "r"(cr4));
}

static unsigned int faults;

static void count_and_leave(struct frame *frame)
{
	faults++;
	frame->rip += 2; /* the length of RDPMC */
}

static void rdpmc_at_user_level_obeys_cr4(void)
{
	set_handler(VECTOR_GP, count_and_leave);
	faults = 0;
	set_pce(false);
	call_user(user_rdpmc, 0);
	CHECK_EQ(faults, 1);
	set_pce(true);
	call_user(user_rdpmc, 0);
	CHECK_EQ(faults, 1);
	call_user(user_rdpmc, pmu.counters);
	CHECK_EQ(faults, 2);
	set_pce(false);
}

static void a_reset_enables_the_general_counters(void)
{
	CHECK_EQ(pmu.reset_control, BIT(pmu.counters) - 1);
}

const struct test registers_tests[] = {
	{ "a_reset_enables_the_general_counters",
	  a_reset_enables_the_general_counters, has_global },
	{ "unknown_counters_fault", unknown_counters_fault, NULL },
	{ "registers_of_later_versions_fault", registers_of_later_versions_fault, NULL },
	{ "event_selectors_keep_valid_bits_and_fault_on_others",
	  event_selectors_keep_valid_bits_and_fault_on_others, NULL },
	{ "edge_detection_of_a_modelled_event_faults",
	  edge_detection_of_a_modelled_event_faults, NULL },
	{ "cmask_on_page_walks_and_interrupts_faults",
	  cmask_on_page_walks_and_interrupts_faults, NULL },
	{ "legacy_writes_extend_the_sign_of_32_bits",
	  legacy_writes_extend_the_sign_of_32_bits, NULL },
	{ "full_width_writes_write_all_bits_and_no_more",
	  full_width_writes_write_all_bits_and_no_more, has_full_width },
	{ "perf_capabilities_say_full_width_and_are_read_only",
	  perf_capabilities_say_full_width_and_are_read_only, has_full_width },
	{ "fixed_counters_take_all_bits_and_no_more",
	  fixed_counters_take_all_bits_and_no_more, has_global },
	{ "fixed_control_has_four_bits_a_counter",
	  fixed_control_has_four_bits_a_counter, has_global },
	{ "global_control_has_a_bit_for_each_counter",
	  global_control_has_a_bit_for_each_counter, has_global },
	{ "global_status_is_read_only", global_status_is_read_only, has_global },
	{ "overflow_control_takes_status_bits_and_reads_as_zero",
	  overflow_control_takes_status_bits_and_reads_as_zero, has_global },
	{ "status_bits_can_be_set_and_cleared_one_by_one",
	  status_bits_can_be_set_and_cleared_one_by_one, has_version_4 },
	{ "inuse_says_who_is_configured", inuse_says_who_is_configured, has_version_4 },
	{ "debugctl_has_the_freezes_from_version_2",
	  debugctl_has_the_freezes_from_version_2, NULL },
	{ "rdpmc_reads_what_rdmsr_reads", rdpmc_reads_what_rdmsr_reads, NULL },
	{ "rdpmc_of_an_unknown_counter_faults", rdpmc_of_an_unknown_counter_faults, NULL },
	{ "rdpmc_at_user_level_obeys_cr4", rdpmc_at_user_level_obeys_cr4, NULL },
	{ NULL, NULL, NULL }
};
