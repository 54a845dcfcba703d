// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of counters that each have an event selector, on a model of their registers.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <asm/apic.h>
#include <asm/msr-index.h>
#include <asm/nmi.h>
#include <asm/processor.h>
#include "amd.h"
#include "evtsel.h"
#include "msr_kunit.h"
#include "perfmon.h"

#define NUM	3
#define SEL(n)	(0x186 + (n))
#define CTR(n)	(0xc1 + (n))
#define EN	0x400000ULL
#define USER	0x1100c0ULL

/* The last pair is beyond the counters: it belongs to a bank, for instance. */
static struct pfm_reg_desc pmcs[NUM + 1], pmds[NUM + 1];

static struct pfm_msr_cell cells[] = {
	{ .msr = SEL(0), .takes = ~0ULL }, { .msr = SEL(1), .takes = ~0ULL },
	{ .msr = SEL(2), .takes = ~0ULL }, { .msr = SEL(3), .takes = ~0ULL }, { }
};

static struct pfm_evtsels before;

static int evtsel_test_init(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i <= NUM; i++) {
		pmcs[i].addr = SEL(i);
		pmds[i].addr = CTR(i);
		cells[i].value = 0x530076;
	}
	before = pfm_evtsel_setup((struct pfm_evtsels) { pmcs, pmds, NUM, EN });
	pfm_msr_use(cells);
	return 0;
}

static void evtsel_test_exit(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	KUNIT_EXPECT_EQ(test, cells[NUM].value, 0x530076ULL);
	pfm_msr_use(NULL);
	pfm_evtsel_setup(before);
}

/* An entry of the local APIC as nothing of the kernel leaves it: an NMI has no vector. */
static void let_lvtpc_be_another(void)
{
	apic_write(APIC_LVTPC, APIC_DM_NMI | 0x20);
}

static void all_are_off_at_first(struct kunit *test)
{
	unsigned int i;

	let_lvtpc_be_another();
	pfm_evtsel_init_cpu();
	for (i = 0; i < NUM; i++)
		KUNIT_EXPECT_EQ(test, cells[i].value, 0ULL);
	KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
}

static void an_interrupt_is_acknowledged(struct kunit *test)
{
	let_lvtpc_be_another();
	pfm_evtsel_ack();
	KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
}

/* The firmware's counter, for instance. */
static void an_enabled_selector_is_found(struct kunit *test)
{
	static const char * const names[NUM] = { "PERFEVTSEL0", "PERFEVTSEL1", "PERFEVTSEL2" };
	unsigned int i;

	for (i = 0; i < NUM; i++) {
		pmcs[i].name = names[i];
		cells[i].value = USER;
	}
	pmcs[NUM].name = "beyond";
	KUNIT_EXPECT_NULL(test, pfm_evtsel_enabled());
	for (i = 0; i < NUM; i++) {
		cells[i].value = USER | EN;
		KUNIT_EXPECT_STREQ(test, pfm_evtsel_enabled(), names[i]);
		cells[i].value = USER;
	}
	cells[2].value = USER | EN;
	pmcs[2].addr = 0;
	KUNIT_EXPECT_NULL(test, pfm_evtsel_enabled());
}

static int acquired;
static unsigned int released;

static int acquire(void)
{
	return acquired;
}

static void release(void)
{
	released++;
}

/* Of registers that another driver holds nothing is known: they are not even read. */
static void firmware_that_counts_is_found_by_registers_that_are_free(struct kunit *test)
{
	static const struct pfm_pmu_ops ops = { .acquire = acquire, .release = release };
	const struct pfm_pmu pmu = { .ops = &ops, .pmcs = pmcs, .num_pmcs = NUM };
	unsigned int i;

	for (i = 0; i < NUM; i++) {
		pmcs[i].name = "PERFEVTSEL";
		cells[i].value = USER;
	}
	acquired = 0;
	released = 0;
	KUNIT_EXPECT_NULL(test, pfm_x86_firmware_counter(&pmu));
	KUNIT_EXPECT_EQ(test, released, 1U);
	cells[1].value = USER | EN;
	KUNIT_EXPECT_STREQ(test, pfm_x86_firmware_counter(&pmu), "PERFEVTSEL");
	KUNIT_EXPECT_EQ(test, released, 2U);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	acquired = -EBUSY;
	KUNIT_EXPECT_NULL(test, pfm_x86_firmware_counter(&pmu));
	KUNIT_EXPECT_EQ(test, released, 2U);
}

/* A hole must not be written, as it is a counter that the microcode uses. */
static void a_hole_is_left_alone(struct kunit *test)
{
	pmcs[1].addr = 0;
	pmds[1].addr = 0;
	pfm_evtsel_init_cpu();
	KUNIT_EXPECT_EQ(test, cells[0].value, 0ULL);
	KUNIT_EXPECT_EQ(test, cells[1].value, 0x530076ULL);
	KUNIT_EXPECT_EQ(test, cells[2].value, 0ULL);
}

/* The first and the last counter; and PMDs of banks are live, which are started elsewhere. */
static void a_start_enables_what_is_live(struct kunit *test)
{
	u64 values[NUM + 1] = { USER | EN, USER, USER | EN | 0x1, USER | EN };
	struct pfm_regs regs = {
		.pmcs = values,
		.live_pmds = BIT_ULL(0) | BIT_ULL(2) | BIT_ULL(NUM) | BIT_ULL(PFM_IBS_FETCH)
	};

	pfm_evtsel_init_cpu();
	pfm_evtsel_start(&regs);
	KUNIT_EXPECT_EQ(test, cells[0].value, values[0]);
	KUNIT_EXPECT_EQ(test, cells[1].value, 0ULL);
	KUNIT_EXPECT_EQ(test, cells[2].value, values[2]);
	cells[1].value = EN;
	pfm_evtsel_stop(&regs);
	KUNIT_EXPECT_EQ(test, cells[0].value, USER);
	KUNIT_EXPECT_EQ(test, cells[1].value, EN);
	KUNIT_EXPECT_EQ(test, cells[2].value, USER | 0x1);
}

static void a_counter_that_is_loaded_stays_off(struct kunit *test)
{
	pfm_evtsel_write_pmc(1, USER | EN);
	KUNIT_EXPECT_EQ(test, cells[1].value, USER);
	KUNIT_EXPECT_EQ(test, cells[0].value, 0x530076ULL);
}

static void amds_counter_that_is_loaded_stays_off(struct kunit *test)
{
	const struct pfm_amd_caps old = { .num = 4 };

	pfm_amd_ops(&old)->write_pmc(2, USER | EN);
	KUNIT_EXPECT_EQ(test, cells[2].value, USER);
}

/* Registers beyond those that perf_events holds for the NMI watchdog's event. */
static void use_free_registers(void)
{
	bool amd = boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
		   boot_cpu_data.x86_vendor == X86_VENDOR_HYGON;
	unsigned int i;

	for (i = 0; i <= NUM; i++) {
		pmcs[i].addr = amd ? MSR_F15H_PERF_CTL + 2 * (20 + i) : SEL(20 + i);
		pmds[i].addr = amd ? MSR_F15H_PERF_CTR + 2 * (20 + i) : CTR(20 + i);
	}
}

static bool take(unsigned int n)
{
	return n < NUM ? reserve_perfctr_nmi(pmds[n].addr) :
			 reserve_evntsel_nmi(pmcs[n - NUM].addr);
}

static void give(unsigned int n)
{
	if (n < NUM)
		release_perfctr_nmi(pmds[n].addr);
	else
		release_evntsel_nmi(pmcs[n - NUM].addr);
}

/* The number of registers that can be reserved. They are given back. */
static unsigned int count_free(void)
{
	unsigned int n, taken = 0;

	for (n = 0; n < 2 * NUM; n++)
		taken += take(n);
	if (taken == 2 * NUM) {
		for (n = 0; n < 2 * NUM; n++)
			give(n);
	}
	return taken;
}

static void all_registers_are_reserved_and_given_back(struct kunit *test)
{
	unsigned int n;

	use_free_registers();
	KUNIT_ASSERT_EQ(test, count_free(), 2U * NUM);
	KUNIT_EXPECT_EQ(test, pfm_evtsel_acquire(), 0);
	for (n = 0; n < 2 * NUM; n++)
		KUNIT_EXPECT_FALSE_MSG(test, take(n), "%u is free", n);
	/* A register beyond them is not reserved. */
	KUNIT_EXPECT_TRUE(test, reserve_perfctr_nmi(pmds[NUM].addr));
	KUNIT_EXPECT_TRUE(test, reserve_evntsel_nmi(pmcs[NUM].addr));
	release_perfctr_nmi(pmds[NUM].addr);
	release_evntsel_nmi(pmcs[NUM].addr);
	pfm_evtsel_release();
	KUNIT_EXPECT_EQ(test, count_free(), 2U * NUM);
}

/* The other registers do not stay reserved. */
static void one_that_is_taken_is_enough_to_be_busy(struct kunit *test)
{
	unsigned int n;

	use_free_registers();
	for (n = 0; n < 2 * NUM; n++) {
		KUNIT_ASSERT_TRUE(test, take(n));
		KUNIT_EXPECT_EQ_MSG(test, pfm_evtsel_acquire(), -EBUSY, "%u is taken", n);
		give(n);
		KUNIT_EXPECT_EQ_MSG(test, count_free(), 2U * NUM, "%u was taken", n);
	}
}

static void a_hole_is_not_reserved(struct kunit *test)
{
	use_free_registers();
	pmcs[1].addr = 0;
	pmds[1].addr = 0;
	KUNIT_ASSERT_EQ(test, pfm_evtsel_acquire(), 0);
	pfm_evtsel_release();
	KUNIT_EXPECT_EQ(test, pfm_evtsel_acquire(), 0);
	pfm_evtsel_release();
}

static struct kunit_case pfm_evtsel_cases[] = {
	KUNIT_CASE(all_are_off_at_first),
	KUNIT_CASE(an_interrupt_is_acknowledged),
	KUNIT_CASE(an_enabled_selector_is_found),
	KUNIT_CASE(firmware_that_counts_is_found_by_registers_that_are_free),
	KUNIT_CASE(a_hole_is_left_alone),
	KUNIT_CASE(a_start_enables_what_is_live),
	KUNIT_CASE(a_counter_that_is_loaded_stays_off),
	KUNIT_CASE(amds_counter_that_is_loaded_stays_off),
	KUNIT_CASE(all_registers_are_reserved_and_given_back),
	KUNIT_CASE(one_that_is_taken_is_enough_to_be_busy),
	KUNIT_CASE(a_hole_is_not_reserved),
	{ }
};

static struct kunit_suite pfm_evtsel_suite = {
	.name = "perfmon_evtsel",
	.init = evtsel_test_init,
	.exit = evtsel_test_exit,
	.test_cases = pfm_evtsel_cases,
};

kunit_test_suite(pfm_evtsel_suite);
