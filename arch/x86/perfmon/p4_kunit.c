// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the Pentium 4's PMU, on a model of its registers.
 */
#include <kunit/test.h>
#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>
#include "evtsel.h"
#include "msr_kunit.h"
#include "p4.h"

#define CTR(n)		(0x300 + (n))
#define CCCR(n)		(0x360 + (n))
#define ENABLE		0x1000ULL
#define OVF		0x80000000ULL
#define CCCR_TAKES	0xffffffffULL
#define ESCR_TAKES	0x7fffffffULL
#define CRU_ESCR0	0x3b8
#define CRU_ESCR2	0x3cc
#define IQ_ESCR0	0x3ba
#define PMC_OF(msr)	(32 + (msr) - 0x3a0)
#define NUM_ESCRS	45

struct p4_state {
	struct pfm_p4_pmu	table;
	struct pfm_msr_cell	cells[2 * PFM_P4_NUM + NUM_ESCRS + 1];
	u64			pmcs[PFM_P4_NUM_PMCS];
	struct pfm_regs		regs;
	struct pfm_evtsels	before;
};

/* All registers, with values that another user has left in them. */
static void fill_cells(struct p4_state *s)
{
	struct pfm_msr_cell *cell = s->cells;
	unsigned int i;

	for (i = 0; i < PFM_P4_NUM; i++) {
		*cell++ = (struct pfm_msr_cell){ .msr = CTR(i), .takes = GENMASK_ULL(39, 0) };
		*cell++ = (struct pfm_msr_cell){ .msr = CCCR(i), .takes = CCCR_TAKES,
						 .value = ENABLE | OVF };
	}
	for (i = PFM_P4_ESCR; i < s->table.pmu.num_pmcs; i++) {
		if (s->table.pmcs[i].name)
			*cell++ = (struct pfm_msr_cell){ .msr = 0x3a0 + i - 32, .value = 0xc,
							 .takes = ESCR_TAKES };
	}
}

static int p4_test_init(struct kunit *test)
{
	struct p4_state *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned int i;

	if (!s)
		return -ENOMEM;
	kunit_info(test, "machine: Intel Pentium 4, register model\n");
	pfm_p4_build(&s->table, NULL);
	fill_cells(s);
	for (i = 0; i < PFM_P4_NUM_PMCS; i++)
		s->pmcs[i] = s->table.pmcs[i].def;
	s->regs.pmcs = s->pmcs;
	test->priv = s;
	s->before = pfm_evtsel_setup((struct pfm_evtsels) { });
	pfm_p4_use(&s->table);
	pfm_msr_use(s->cells);
	pfm_p4_ops.init_cpu();
	return 0;
}

static void p4_test_exit(struct kunit *test)
{
	struct p4_state *s = test->priv;

	if (!s)
		return;
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
	pfm_p4_use(NULL);
	pfm_evtsel_setup(s->before);
}

/* As the core does: reserved bits, then the register if the set runs. */
static void set_pmc(struct p4_state *s, unsigned int pmc, u64 value)
{
	const struct pfm_reg_desc *d = &s->table.pmcs[pmc];

	s->pmcs[pmc] = (value & ~d->rsvd) | (d->def & d->rsvd);
	pfm_bv_set(s->regs.used_pmcs, pmc);
	pfm_p4_ops.prepare(&s->regs);
	pfm_p4_ops.write_pmc(pmc, s->pmcs[pmc]);
}

static u64 msr(u32 number)
{
	return pfm_msr_cell(number)->value;
}

/* An entry of the local APIC as nothing of the kernel leaves it: an NMI has no vector. */
static void let_lvtpc_be_another(void)
{
	apic_write(APIC_LVTPC, APIC_DM_NMI | 0x20);
}

static void everything_is_off_at_first(struct kunit *test)
{
	unsigned int i;

	let_lvtpc_be_another();
	pfm_p4_ops.init_cpu();
	KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
	for (i = 0; i < PFM_P4_NUM; i++)
		KUNIT_EXPECT_EQ(test, msr(CCCR(i)), i == 1 ? 0ULL : 0x4030000ULL);
	KUNIT_EXPECT_EQ(test, msr(CRU_ESCR0), 0ULL);
	KUNIT_EXPECT_EQ(test, msr(0x3a0), 0ULL);
	KUNIT_EXPECT_EQ(test, msr(0x3e1), 0ULL);
}

static void indices_are_the_documented_ones(struct kunit *test)
{
	struct p4_state *s = test->priv;
	const struct pfm_p4_pmu *t = &s->table;

	KUNIT_EXPECT_STREQ(test, t->pmds[0].name, "MSR_BPU_COUNTER0");
	KUNIT_EXPECT_STREQ(test, t->pmds[2].name, "MSR_BPU_COUNTER2");
	KUNIT_EXPECT_STREQ(test, t->pmds[4].name, "MSR_MS_COUNTER0");
	KUNIT_EXPECT_STREQ(test, t->pmds[8].name, "MSR_FLAME_COUNTER0");
	KUNIT_EXPECT_STREQ(test, t->pmds[17].name, "MSR_IQ_COUNTER5");
	KUNIT_EXPECT_EQ(test, t->pmds[17].addr, 0x311ULL);
	KUNIT_EXPECT_STREQ(test, t->pmcs[12].name, "MSR_IQ_CCCR0");
	KUNIT_EXPECT_EQ(test, t->pmcs[12].addr, 0x36cULL);
	KUNIT_EXPECT_STREQ(test, t->pmcs[32].name, "MSR_BSU_ESCR0");
	KUNIT_EXPECT_STREQ(test, t->pmcs[74].name, "MSR_ALF_ESCR0");
	KUNIT_EXPECT_STREQ(test, t->pmcs[97].name, "MSR_CRU_ESCR5");
	KUNIT_EXPECT_EQ(test, t->pmcs[97].addr, 0x3e1ULL);
	KUNIT_EXPECT_NULL(test, t->pmcs[18].name);
	KUNIT_EXPECT_NULL(test, t->pmcs[63].name);
}

/* Without hyper-threading: 45 of them, in four ranges. */
static void escrs_are_where_the_manual_has_them(struct kunit *test)
{
	static const struct {
		u32	first, last;
	} ranges[] = { { 0x3a0, 0x3be }, { 0x3c0, 0x3c5 }, { 0x3c8, 0x3cd }, { 0x3e0, 0x3e1 } };
	struct p4_state *s = test->priv;
	unsigned int i, number;
	bool there;

	for (number = 0x3a0; PMC_OF(number) < PFM_P4_NUM_PMCS; number++) {
		for (i = 0, there = false; i < ARRAY_SIZE(ranges); i++)
			there |= number >= ranges[i].first && number <= ranges[i].last;
		KUNIT_EXPECT_EQ_MSG(test, !!s->table.pmcs[PMC_OF(number)].name, there, "%#x",
				    number);
		if (there)
			KUNIT_EXPECT_EQ(test, s->table.pmcs[PMC_OF(number)].addr, (u64)number);
	}
}

static void the_broken_counter_is_a_hole(struct kunit *test)
{
	struct p4_state *s = test->priv;
	unsigned int i;

	KUNIT_EXPECT_NULL(test, s->table.pmcs[1].name);
	KUNIT_EXPECT_NULL(test, s->table.pmds[1].name);
	for (i = 0; i < s->table.pmu.num_pmcs; i++)
		KUNIT_EXPECT_FALSE(test, pfm_bv_test(s->table.pmcs[i].deps, 1));
	s->table.pmu.ops = &pfm_p4_ops;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&s->table.pmu), 0);
}

/* Erratum N15. */
static void a_counter_is_written_twice(struct kunit *test)
{
	pfm_msr_cell(CTR(4))->writes = 0;
	pfm_p4_ops.write_pmd(4, 0x1234);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTR(4))->writes, 2U);
	KUNIT_EXPECT_EQ(test, msr(CTR(4)), 0x1234ULL);
}

/* Number of ESCRs that each counter can use, by the manual's table. */
static void every_counter_has_its_escrs(struct kunit *test)
{
	static const u8 want[PFM_P4_NUM] = {
		8, 0, 8, 8, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 6, 6, 7, 6
	};
	struct p4_state *s = test->priv;
	unsigned int i, word, n;

	for (i = 0; i < PFM_P4_NUM; i++) {
		if (!want[i])
			continue;
		KUNIT_EXPECT_TRUE(test, pfm_bv_test(s->table.pmds[i].deps, i));
		for (word = 0, n = 0; word < PFM_MAX_PMD_BITVECTOR; word++)
			n += hweight64(s->table.pmds[i].deps[word]);
		KUNIT_EXPECT_EQ_MSG(test, n - 1, (unsigned int)want[i], s->table.pmds[i].name);
	}
	KUNIT_EXPECT_EQ(test, s->table.pmcs[PMC_OF(CRU_ESCR2)].deps[0],
			BIT_ULL(12) | BIT_ULL(13) | BIT_ULL(16));
}

static void a_start_enables_what_is_live_and_no_more(struct kunit *test)
{
	struct p4_state *s = test->priv;

	/* As another set left it. */
	s->regs.live_pmds = BIT_ULL(5);
	set_pmc(s, PMC_OF(CRU_ESCR0), 0x04000204);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, s->regs.enable, 0ULL);
	set_pmc(s, 12, 0x9000);
	set_pmc(s, 13, 0x8000);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, BIT_ULL(12));
	/* 0 would mean that nothing is to be started. */
	KUNIT_EXPECT_EQ(test, s->regs.enable, BIT_ULL(12));
	set_pmc(s, 16, 0x9000);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, BIT_ULL(12) | BIT_ULL(16));
	KUNIT_EXPECT_EQ(test, msr(CRU_ESCR0), 0x04000204ULL);
	KUNIT_EXPECT_EQ(test, msr(CCCR(12)), 0x4038000ULL);
	pfm_p4_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(CCCR(12)), 0x4039000ULL);
	KUNIT_EXPECT_EQ(test, msr(CCCR(13)), 0x4038000ULL);
	/* The counter overflows: the stop clears the flag. */
	pfm_msr_cell(CCCR(12))->value |= OVF;
	pfm_p4_ops.stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(CCCR(12)), 0x4038000ULL);
}

static void users_cannot_cascade_nor_reach_the_other_thread(struct kunit *test)
{
	struct p4_state *s = test->priv;

	set_pmc(s, 12, ~0ULL);
	KUNIT_EXPECT_EQ(test, s->pmcs[12], 0x5fff000ULL);
	set_pmc(s, PMC_OF(CRU_ESCR0), ~0ULL);
	KUNIT_EXPECT_EQ(test, s->pmcs[PMC_OF(CRU_ESCR0)], 0x7ffffffcULL);
	KUNIT_EXPECT_EQ(test, s->table.pmcs[PMC_OF(CRU_ESCR0)].kernel_bits, 0x8ULL);
}

/* Its bit 12 is no enable bit, but part of the event. */
static void the_first_escr_is_loaded_as_it_is(struct kunit *test)
{
	struct p4_state *s = test->priv;

	set_pmc(s, PFM_P4_ESCR, 0x0400120c);
	KUNIT_EXPECT_EQ(test, msr(0x3a0), 0x0400120cULL);
	/* The next set does not find it. */
	s->regs.used_pmcs[0] &= ~BIT_ULL(PFM_P4_ESCR);
	pfm_p4_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(0x3a0), 0ULL);
}

/* A CCCR alone would count an event that another context selected, perhaps in the kernel. */
static void no_set_sees_what_another_one_selected(struct kunit *test)
{
	struct p4_state *s = test->priv;
	u64 one = BIT_ULL(12), two = BIT_ULL(PMC_OF(CRU_ESCR0) % 64);

	set_pmc(s, PMC_OF(CRU_ESCR0), 0x0400020c);
	set_pmc(s, PMC_OF(CRU_ESCR2), 0x0200020c);
	set_pmc(s, 12, 0x9000);
	pfm_p4_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(CRU_ESCR2), 0x0200020cULL);
	pfm_p4_ops.stop(&s->regs);
	/* Another set, with one of the ESCRs; then a set without any. */
	s->regs.used_pmcs[0] = one;
	s->regs.used_pmcs[1] = BIT_ULL(PMC_OF(CRU_ESCR2) % 64);
	KUNIT_ASSERT_EQ(test, PMC_OF(CRU_ESCR0) / 64, 0);
	KUNIT_ASSERT_EQ(test, PMC_OF(CRU_ESCR2) / 64, 1);
	pfm_p4_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(CRU_ESCR0), 0ULL);
	KUNIT_EXPECT_EQ(test, msr(CRU_ESCR2), 0x0200020cULL);
	pfm_p4_ops.stop(&s->regs);
	s->regs.used_pmcs[0] = one | two;
	s->regs.used_pmcs[1] = 0;
	pfm_p4_ops.start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(CRU_ESCR2), 0ULL);
	pfm_p4_ops.stop(&s->regs);
}

/* It writes no other CCCR: each write takes its time in the interrupt. */
static void an_answer_clears_overflows_and_enables_nothing(struct kunit *test)
{
	static const unsigned int overflowed[] = { 0, 3, 17 };
	unsigned int i;

	for (i = 0; i < PFM_P4_NUM; i++)
		pfm_msr_cell(CCCR(i))->writes = 0;
	for (i = 0; i < ARRAY_SIZE(overflowed); i++)
		pfm_msr_cell(CCCR(overflowed[i]))->value |= OVF;
	let_lvtpc_be_another();
	pfm_p4_ops.ack();
	KUNIT_EXPECT_EQ(test, apic_read(APIC_LVTPC), (u32)APIC_DM_NMI);
	for (i = 0; i < ARRAY_SIZE(overflowed); i++) {
		KUNIT_EXPECT_EQ(test, msr(CCCR(overflowed[i])), 0x4030000ULL);
		KUNIT_EXPECT_EQ(test, pfm_msr_cell(CCCR(overflowed[i]))->writes, 1U);
	}
	for (i = 4; i < 17; i++)
		KUNIT_EXPECT_EQ(test, pfm_msr_cell(CCCR(i))->writes, 0U);
}

static void counters_have_40_bits(struct kunit *test)
{
	pfm_p4_ops.write_pmd(5, GENMASK_ULL(39, 0));
	KUNIT_EXPECT_EQ(test, msr(CTR(5)), GENMASK_ULL(39, 0));
	pfm_msr_cell(CTR(5))->value = ~0ULL;
	KUNIT_EXPECT_EQ(test, pfm_p4_ops.read_pmd(5), GENMASK_ULL(39, 0));
}

static void probe_finds_the_escrs_that_there_are(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = CRU_ESCR0, .takes = ESCR_TAKES, .value = 0xc },
		{ .msr = CRU_ESCR2, .takes = ESCR_TAKES, .ignores_writes = true }, { }
	};
	struct p4_state *s = test->priv;

	pfm_msr_use(cells);
	KUNIT_EXPECT_TRUE(test, pfm_p4_have(CRU_ESCR0));
	KUNIT_EXPECT_EQ(test, cells[0].value, 0xcULL);
	KUNIT_EXPECT_FALSE(test, pfm_p4_have(CRU_ESCR2));
	KUNIT_EXPECT_FALSE(test, pfm_p4_have(IQ_ESCR0));
	pfm_msr_use(s->cells);
}

static bool without_iq(unsigned int number)
{
	return number != IQ_ESCR0 && number != IQ_ESCR0 + 1;
}

static void a_missing_escr_is_a_hole(struct kunit *test)
{
	struct pfm_p4_pmu *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, t);
	pfm_p4_build(t, without_iq);
	t->pmu.ops = &pfm_p4_ops;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t->pmu), 0);
	KUNIT_EXPECT_NULL(test, t->pmcs[PMC_OF(IQ_ESCR0)].name);
	KUNIT_EXPECT_FALSE(test, pfm_bv_test(t->pmds[12].deps, PMC_OF(IQ_ESCR0)));
	KUNIT_EXPECT_STREQ(test, t->pmcs[97].name, "MSR_CRU_ESCR5");
}

/* A processor with the register of its features, and with one ESCR. */
struct p4_processor {
	struct cpuinfo_x86	c;
	struct pfm_msr_cell	cells[3];
	struct pfm_p4_pmu	table;
};

static unsigned int interruptible_writes;

/* An interrupt between the probe's accesses could find its value in the register. */
static void escr_wrote(u64 value)
{
	if (!irqs_disabled())
		interruptible_writes++;
}

static struct p4_processor *new_p4(struct kunit *test)
{
	struct p4_processor *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p);
	p->c.x86_vendor = X86_VENDOR_INTEL;
	p->c.x86 = 15;
	p->cells[0] = (struct pfm_msr_cell){
		.msr = MSR_IA32_MISC_ENABLE, .value = BIT_ULL(7) | BIT_ULL(0),
	};
	p->cells[1] = (struct pfm_msr_cell){
		.msr = CRU_ESCR0, .takes = ESCR_TAKES, .wrote = escr_wrote,
	};
	return p;
}

static const struct pfm_pmu *find(struct kunit *test, struct p4_processor *p, unsigned int siblings)
{
	struct p4_state *s = test->priv;
	const struct pfm_pmu *pmu;

	memset(&p->table, 0, sizeof(p->table));
	pfm_msr_use(p->cells);
	pfm_evtsel_setup((struct pfm_evtsels) { });
	pmu = pfm_p4_find(&p->table, &p->c, siblings);
	pfm_msr_use(s->cells);
	return pmu;
}

static void a_pentium_4_is_found(struct kunit *test)
{
	struct p4_processor *p = new_p4(test);
	struct pfm_evtsels setup;
	const struct pfm_pmu *pmu;

	interruptible_writes = 0;
	pmu = find(test, p, 1);
	setup = pfm_evtsel_setup((struct pfm_evtsels) { });
	KUNIT_ASSERT_PTR_EQ(test, pmu, (const struct pfm_pmu *)&p->table.pmu);
	KUNIT_EXPECT_EQ(test, interruptible_writes, 0U);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	KUNIT_EXPECT_PTR_EQ(test, pmu->ops, &pfm_p4_ops);
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(pmu), 0);
	/* The registers that are reserved, and the bit that shows if the firmware counts by one. */
	KUNIT_EXPECT_EQ(test, setup.num, (unsigned int)PFM_P4_NUM);
	KUNIT_EXPECT_EQ(test, setup.enable, ENABLE);
	KUNIT_EXPECT_EQ(test, setup.pmcs[17].addr, (u64)CCCR(17));
	KUNIT_EXPECT_EQ(test, setup.pmds[17].addr, (u64)CTR(17));
	/* With the registers that there are. */
	KUNIT_EXPECT_EQ(test, pmu->num_pmcs, PMC_OF(CRU_ESCR0) + 1);
	KUNIT_EXPECT_STREQ(test, pmu->pmcs[PMC_OF(CRU_ESCR0)].name, "MSR_CRU_ESCR0");
	KUNIT_EXPECT_NULL(test, pmu->pmcs[PFM_P4_ESCR].name);
	/* The number of siblings of a processor that does not know hyper-threading may be 0. */
	KUNIT_EXPECT_NOT_NULL(test, find(test, p, 0));
}

/* Hyper-threads share the counters: threads would count each other's events. */
static void hyper_threads_have_no_pmu(struct kunit *test)
{
	struct p4_processor *p = new_p4(test);

	KUNIT_EXPECT_NULL(test, find(test, p, 2));
}

static void what_is_no_pentium_4_is_not_found(struct kunit *test)
{
	struct p4_processor *p = new_p4(test);

	p->c.x86_vendor = X86_VENDOR_AMD;
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
	p->c.x86_vendor = X86_VENDOR_INTEL;
	p->c.x86 = 6;
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
	p->c.x86 = 16;
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
	p->c.x86 = 15;
	set_cpu_cap(&p->c, X86_FEATURE_ARCH_PERFMON);
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
	clear_bit(X86_FEATURE_ARCH_PERFMON, (unsigned long *)p->c.x86_capability);
	KUNIT_EXPECT_NOT_NULL(test, find(test, p, 1));
}

/* Hypervisors: they leave out the PMU, its ESCRs, or the register that says so. */
static void a_pentium_4_without_its_registers_has_no_pmu(struct kunit *test)
{
	struct p4_processor *p = new_p4(test);

	p->cells[0].value = BIT_ULL(0);
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
	p->cells[0].value |= BIT_ULL(7);
	p->cells[1].ignores_writes = true;
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
	p->cells[1].ignores_writes = false;
	KUNIT_EXPECT_NOT_NULL(test, find(test, p, 1));
	p->cells[0].msr = MSR_IA32_MISC_ENABLE + 1;
	KUNIT_EXPECT_NULL(test, find(test, p, 1));
}

/* On this machine the kernel's reservations do not know these numbers. */
static void all_counters_are_reserved(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_p4_ops.acquire(), 0);
	pfm_p4_ops.release();
}

static struct kunit_case pfm_p4_cases[] = {
	KUNIT_CASE(everything_is_off_at_first),
	KUNIT_CASE(all_counters_are_reserved),
	KUNIT_CASE(indices_are_the_documented_ones),
	KUNIT_CASE(escrs_are_where_the_manual_has_them),
	KUNIT_CASE(the_broken_counter_is_a_hole),
	KUNIT_CASE(a_counter_is_written_twice),
	KUNIT_CASE(every_counter_has_its_escrs),
	KUNIT_CASE(a_start_enables_what_is_live_and_no_more),
	KUNIT_CASE(users_cannot_cascade_nor_reach_the_other_thread),
	KUNIT_CASE(the_first_escr_is_loaded_as_it_is),
	KUNIT_CASE(no_set_sees_what_another_one_selected),
	KUNIT_CASE(an_answer_clears_overflows_and_enables_nothing),
	KUNIT_CASE(counters_have_40_bits),
	KUNIT_CASE(probe_finds_the_escrs_that_there_are),
	KUNIT_CASE(a_missing_escr_is_a_hole),
	KUNIT_CASE(a_pentium_4_is_found),
	KUNIT_CASE(hyper_threads_have_no_pmu),
	KUNIT_CASE(what_is_no_pentium_4_is_not_found),
	KUNIT_CASE(a_pentium_4_without_its_registers_has_no_pmu),
	{ }
};

static struct kunit_suite pfm_p4_suite = {
	.name = "perfmon_p4",
	.init = p4_test_init,
	.exit = p4_test_exit,
	.test_cases = pfm_p4_cases,
};

kunit_test_suite(pfm_p4_suite);
