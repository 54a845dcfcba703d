// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the tables of AMD's PMUs.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>
#include "amd.h"
#include "evtsel.h"
#include "msr_kunit.h"
#include "tables.h"

static struct pfm_amd_pmu *build(struct kunit *test, struct pfm_amd_caps caps)
{
	struct pfm_amd_pmu *amd = kunit_kzalloc(test, sizeof(*amd), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, amd);
	pfm_amd_build(amd, caps);
	amd->pmu.ops = pfm_amd_ops(&caps);
	return amd;
}

/* Leaves 80000001H (ECX) and 80000022H (EAX, EBX) as processors report them. */
static const struct {
	const char		*what;
	unsigned int		family;
	u32			ecx, v2_eax, v2_ebx;
	struct pfm_amd_caps	want;
	const char		*name;
} cpuid_cases[] = {
	{ "K7", 0x6, 0, 0, 0, { .family = 0x6, .num = 4 }, "AMD K7/K8" },
	{ "K8", 0xf, 0x3, 0, 0, { .family = 0xf, .num = 4 }, "AMD K7/K8" },
	{ "Fam10h", 0x10, 0x37ff, 0, 0, { .family = 0x10, .num = 4 }, "AMD family 10h" },
	{ "Fam15h", 0x15, 0x1c9bfff, 0, 0,
	  { .family = 0x15, .num = 6, .core_ext = true }, "AMD core extension" },
	{ "Fam16h", 0x16, 0x154037ff, 0, 0, { .family = 0x16, .num = 4 }, "AMD family 10h" },
	{ "Zen", 0x17, 0x35c233ff, 0, 0,
	  { .family = 0x17, .num = 6, .core_ext = true }, "AMD core extension" },
	{ "Dhyana", 0x18, 0x35c233ff, 0, 0,
	  { .family = 0x18, .num = 6, .core_ext = true }, "AMD core extension" },
	{ "Zen 3", 0x19, 0x75c237ff, 0, 0,
	  { .family = 0x19, .num = 6, .core_ext = true }, "AMD core extension" },
	{ "Zen 4", 0x19, 0x75c237ff, 0x7, 0x4106,
	  { .family = 0x19, .num = 6, .core_ext = true, .global = true }, "AMD PerfMonV2" },
	{ "a hypervisor's Zen 4 without the core extension", 0x19, 0x754237ff, 0x7, 0x4106,
	  { .family = 0x19, .num = 4 }, "AMD family 10h" },
	{ "version 2 that does not say how many", 0x1a, 0x75c237ff, 0x1, 0,
	  { .family = 0x1a, .num = 6, .core_ext = true, .global = true }, "AMD PerfMonV2" },
	{ "as many as can be said", 0x1a, 0x75c237ff, 0x1, 0xf,
	  { .family = 0x1a, .num = 15, .core_ext = true, .global = true }, "AMD PerfMonV2" },
};

static void amd_cpuid_is_decoded(struct kunit *test)
{
	struct pfm_amd_caps got;
	int i;

	for (i = 0; i < ARRAY_SIZE(cpuid_cases); i++) {
		const struct pfm_amd_caps *want = &cpuid_cases[i].want;

		got = pfm_amd_cpuid_caps(cpuid_cases[i].family, cpuid_cases[i].ecx,
					 cpuid_cases[i].v2_eax, cpuid_cases[i].v2_ebx);
		KUNIT_EXPECT_EQ_MSG(test, got.family, want->family, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.num, want->num, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.core_ext, want->core_ext, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.global, want->global, cpuid_cases[i].what);
	}
}

static void amd_k6_has_no_counters(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_amd_cpuid_caps(5, 0, 0, 0).num, 0);
}

static void amd_tables_are_valid(struct kunit *test)
{
	struct pfm_amd_pmu *amd;
	int i;

	for (i = 0; i < ARRAY_SIZE(cpuid_cases); i++) {
		amd = build(test, cpuid_cases[i].want);
		KUNIT_EXPECT_EQ_MSG(test, pfm_pmu_validate(&amd->pmu), 0, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ(test, amd->pmu.num_pmcs, cpuid_cases[i].want.num);
		KUNIT_EXPECT_EQ(test, amd->pmu.num_pmds, cpuid_cases[i].want.num);
		KUNIT_EXPECT_STREQ(test, amd->pmu.name, cpuid_cases[i].name);
	}
}

static void amd_registers_are_where_the_manual_has_them(struct kunit *test)
{
	struct pfm_amd_pmu *k8 = build(test, cpuid_cases[1].want);
	struct pfm_amd_pmu *zen = build(test, cpuid_cases[5].want);

	KUNIT_EXPECT_EQ(test, k8->pmcs[0].addr, 0xc0010000ULL);
	KUNIT_EXPECT_EQ(test, k8->pmds[0].addr, 0xc0010004ULL);
	KUNIT_EXPECT_EQ(test, k8->pmcs[3].addr, 0xc0010003ULL);
	KUNIT_EXPECT_EQ(test, k8->pmds[3].addr, 0xc0010007ULL);
	KUNIT_EXPECT_NULL(test, k8->pmcs[4].name);
	KUNIT_EXPECT_EQ(test, zen->pmcs[0].addr, 0xc0010200ULL);
	KUNIT_EXPECT_EQ(test, zen->pmds[0].addr, 0xc0010201ULL);
	KUNIT_EXPECT_EQ(test, zen->pmcs[5].addr, 0xc001020aULL);
	KUNIT_EXPECT_EQ(test, zen->pmds[5].addr, 0xc001020bULL);
	KUNIT_EXPECT_NULL(test, zen->pmcs[6].name);
	KUNIT_EXPECT_EQ(test, zen->pmds[5].width, 48);
	KUNIT_EXPECT_EQ(test, zen->pmds[5].write_width, 48);
}

static void amd_reserved_bits_are_the_familys(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(cpuid_cases); i++) {
		const struct pfm_reg_desc *pmc = &build(test, cpuid_cases[i].want)->pmcs[0];

		/* INT, the pin, bit 21; the event's upper bits came with family 10h. */
		KUNIT_EXPECT_EQ_MSG(test, pmc->rsvd,
				    cpuid_cases[i].family < 0x10 ? 0xffffffff00380000ULL :
				    0xfffffff000380000ULL, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ(test, pmc->def, 0x100000ULL);
		KUNIT_EXPECT_EQ(test, pmc->kernel_bits, 0x20000ULL);
	}
}

static void amd_only_what_is_enabled_is_live(struct kunit *test)
{
	u64 pmcs[PFM_AMD_MAX_COUNTERS] = { };
	struct pfm_regs regs = { .pmcs = pmcs };

	pmcs[0] = 0x5300c0;	/* enabled */
	pmcs[1] = 0x1300c0;	/* not enabled */
	pmcs[2] = 0x5300c0;	/* enabled but not used */
	pmcs[5] = 0x4005300c0;	/* enabled */
	regs.used_pmcs[0] = BIT_ULL(0) | BIT_ULL(1) | BIT_ULL(5);
	pfm_amd_prepare(&regs);
	KUNIT_EXPECT_EQ(test, regs.enable, BIT_ULL(0) | BIT_ULL(5));
	KUNIT_EXPECT_EQ(test, regs.live_pmds, BIT_ULL(0) | BIT_ULL(5));

	regs.used_pmcs[0] = BIT_ULL(1);
	pfm_amd_prepare(&regs);
	KUNIT_EXPECT_EQ(test, regs.enable, 0ULL);
	KUNIT_EXPECT_EQ(test, regs.live_pmds, 0ULL);
}

/* The global control register of version 2, and its second counter. */
static struct pfm_msr_cell v2_cells[] = {
	{ .msr = MSR_AMD64_PERF_CNTR_GLOBAL_CTL, .takes = 0x3f },
	{ .msr = MSR_F15H_PERF_CTR1, .value = 4711, .counter = 2 },
	{ }
};

static void amd_version_2_starts_and_stops_all_by_one_write(struct kunit *test)
{
	const struct pfm_amd_caps caps = { .num = 6, .core_ext = true, .global = true };
	const struct pfm_pmu_ops *ops = pfm_amd_ops(&caps);
	struct pfm_regs regs = { .enable = 0x5 };
	struct pfm_msr_cell *ctl;

	pfm_msr_use(v2_cells);
	ctl = pfm_msr_cell(MSR_AMD64_PERF_CNTR_GLOBAL_CTL);
	ctl->writes = 0;
	ops->start(&regs);
	KUNIT_EXPECT_EQ(test, ctl->value, 0x5ULL);
	ops->stop(&regs);
	KUNIT_EXPECT_EQ(test, ctl->value, 0ULL);
	KUNIT_EXPECT_EQ(test, ctl->writes, 2U);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
}

static void amd_counters_are_read_by_number(struct kunit *test)
{
	const struct pfm_amd_caps caps = { .num = 6, .core_ext = true };
	const struct pfm_pmu_ops *ops = pfm_amd_ops(&caps);

	pfm_msr_use(v2_cells);
	KUNIT_EXPECT_EQ(test, ops->read_pmd(1), 4711ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	ops->read_pmd(0);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 1U);
	pfm_msr_use(NULL);
}

/* Version 2 with six counters, as a user before left it, and the registers of all. */
struct v2_state {
	struct pfm_amd_pmu	*amd;
	struct pfm_evtsels	before;
	struct pfm_msr_cell	cells[2 + 2 * 6 + 1];
};

#define CTL(n)	(0xc0010200 + 2 * (n))
#define CTR(n)	(0xc0010201 + 2 * (n))

static struct v2_state *use_v2(struct kunit *test)
{
	struct v2_state *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	s->amd = build(test, cpuid_cases[8].want);
	s->cells[0] = (struct pfm_msr_cell){
		.msr = MSR_AMD64_PERF_CNTR_GLOBAL_CTL, .value = 0x3f, .takes = 0x3f,
	};
	/* Its other bits are those of other features, whose overflows are not the counters'. */
	s->cells[1] = (struct pfm_msr_cell){
		.msr = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR, .takes = 0x3f,
	};
	for (i = 0; i < 6; i++) {
		s->cells[2 + 2 * i] = (struct pfm_msr_cell){
			.msr = CTL(i), .value = 0x530076, .takes = ~0ULL,
		};
		s->cells[3 + 2 * i] = (struct pfm_msr_cell){
			.msr = CTR(i), .takes = GENMASK_ULL(47, 0),
		};
	}
	pfm_amd_use(s->amd);
	s->before = pfm_evtsel_setup((struct pfm_evtsels) {
		s->amd->pmcs, s->amd->pmds, 6, PFM_EVTSEL_EN
	});
	pfm_msr_use(s->cells);
	return s;
}

static void unuse_v2(struct kunit *test, struct v2_state *s)
{
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
	pfm_evtsel_setup(s->before);
	pfm_amd_use(NULL);
}

static void amd_version_2_begins_with_all_off(struct kunit *test)
{
	struct v2_state *s = use_v2(test);
	unsigned int i;

	s->amd->pmu.ops->init_cpu();
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(MSR_AMD64_PERF_CNTR_GLOBAL_CTL)->value, 0ULL);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTL(i))->value, 0ULL);
	/* An overflow of the user before would interrupt at once. */
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR)->value, 0x3fULL);
	unuse_v2(test, s);
}

static void amd_version_2_acknowledges_every_counter(struct kunit *test)
{
	struct v2_state *s = use_v2(test);

	s->amd->pmu.ops->ack();
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR)->value, 0x3fULL);
	unuse_v2(test, s);
}

/* The selectors keep their enable bits: the global register starts and stops. */
static void amd_version_2_loads_registers_as_they_are(struct kunit *test)
{
	struct v2_state *s = use_v2(test);

	s->amd->pmu.ops->write_pmc(5, 0x5300c0);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTL(5))->value, 0x5300c0ULL);
	s->amd->pmu.ops->write_pmd(5, 0x123456789abcULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTR(5))->value, 0x123456789abcULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTL(4))->value, 0x530076ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(CTR(4))->value, 0ULL);
	unuse_v2(test, s);
}

static unsigned int interruptible_writes;

/* An interrupt between the probe's accesses could find its value in the register. */
static void selector_wrote(u64 value)
{
	if (!irqs_disabled())
		interruptible_writes++;
}

/* A processor of family 17h, of which one selector exists. */
struct amd_processor {
	struct cpuinfo_x86	c;
	struct pfm_msr_cell	cells[2];
	struct pfm_amd_pmu	amd;
};

static struct amd_processor *new_zen(struct kunit *test, u8 vendor)
{
	struct amd_processor *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p);
	p->c.x86_vendor = vendor;
	p->c.x86 = 0x17;
	p->c.extended_cpuid_level = 0x8000001f;
	set_cpu_cap(&p->c, X86_FEATURE_PERFCTR_CORE);
	p->cells[0] = (struct pfm_msr_cell){
		.msr = CTL(5), .takes = ~0ULL, .wrote = selector_wrote,
	};
	return p;
}

/* @setup: set to the selectors for the operations */
static const struct pfm_pmu *find(struct amd_processor *p, struct pfm_evtsels *setup)
{
	const struct pfm_evtsels before = pfm_evtsel_setup((struct pfm_evtsels) { });
	const struct pfm_amd_pmu *ibs = pfm_ibs_setup(NULL);
	const struct pfm_pmu *pmu;

	memset(&p->amd, 0, sizeof(p->amd));
	pfm_msr_use(p->cells);
	pmu = pfm_amd_find(&p->amd, &p->c);
	pfm_msr_use(NULL);
	pfm_ibs_setup(ibs);
	*setup = pfm_evtsel_setup(before);
	return pmu;
}

static void amd_and_hygon_have_the_pmu(struct kunit *test)
{
	static const u8 vendors[] = { X86_VENDOR_AMD, X86_VENDOR_HYGON };
	struct pfm_evtsels setup;
	struct amd_processor *p;
	const struct pfm_pmu *pmu;
	unsigned int i;

	interruptible_writes = 0;
	for (i = 0; i < ARRAY_SIZE(vendors); i++) {
		p = new_zen(test, vendors[i]);
		pmu = find(p, &setup);
		KUNIT_ASSERT_PTR_EQ(test, pmu, (const struct pfm_pmu *)&p->amd.pmu);
		KUNIT_EXPECT_STREQ(test, pmu->name, "AMD core extension");
		KUNIT_EXPECT_EQ(test, pfm_pmu_validate(pmu), 0);
		KUNIT_EXPECT_EQ(test, setup.num, 6U);
		KUNIT_EXPECT_EQ(test, setup.pmcs[5].addr, (u64)CTL(5));
		KUNIT_EXPECT_EQ(test, setup.pmds[5].addr, (u64)CTR(5));
	}
	KUNIT_EXPECT_EQ(test, interruptible_writes, 0U);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
}

static void amd_pmu_is_no_other_vendors(struct kunit *test)
{
	struct pfm_evtsels setup;

	KUNIT_EXPECT_NULL(test, find(new_zen(test, X86_VENDOR_INTEL), &setup));
	KUNIT_EXPECT_NULL(test, find(new_zen(test, X86_VENDOR_CENTAUR), &setup));
	KUNIT_EXPECT_EQ(test, setup.num, 0U);
}

static void amd_k6_is_not_found(struct kunit *test)
{
	struct amd_processor *p = new_zen(test, X86_VENDOR_AMD);
	struct pfm_evtsels setup;

	p->c.x86 = 5;
	KUNIT_EXPECT_NULL(test, find(p, &setup));
}

/* A hypervisor may have fewer registers than CPUID lists. */
static void amd_pmu_must_have_the_last_selector(struct kunit *test)
{
	struct amd_processor *p = new_zen(test, X86_VENDOR_AMD);
	struct pfm_evtsels setup;

	p->cells[0].msr = CTL(4);
	KUNIT_EXPECT_NULL(test, find(p, &setup));
	p->cells[0].msr = CTL(5);
	p->cells[0].ignores_writes = true;
	KUNIT_EXPECT_NULL(test, find(p, &setup));
	KUNIT_EXPECT_EQ(test, setup.num, 0U);
}

/* Erratum 1197. */
static void amd_first_zen_3_may_sample_nothing(struct kunit *test)
{
	struct amd_processor *p = new_zen(test, X86_VENDOR_AMD);
	struct pfm_evtsels setup;

	p->c.x86 = 0x19;
	p->c.x86_model = 0x0f;
	KUNIT_ASSERT_NOT_NULL(test, find(p, &setup));
	KUNIT_EXPECT_TRUE(test, p->amd.caps.ibs_no_fetch);
	p->c.x86_model = 0x10;
	KUNIT_ASSERT_NOT_NULL(test, find(p, &setup));
	KUNIT_EXPECT_FALSE(test, p->amd.caps.ibs_no_fetch);
}

/* Families 6, 10h, 15h and 19h are the first ones of these kinds, or have the most registers. */
static void amd_tables_are_of_the_documented_processors(struct kunit *test)
{
	static const struct {
		const char		*name;
		struct pfm_amd_caps	caps;
	} want[] = {
		{ "amd_k7", { .family = 0x6, .num = 4 } },
		{ "amd_10h", { .family = 0x10, .num = 4 } },
		{ "amd_core", { .family = 0x15, .num = 6, .core_ext = true, .ibs = 0x3ff } },
		{ "amd_v2", { .family = 0x19, .num = 6, .core_ext = true, .global = true,
			      .ibs = 0xbff } },
	};
	const struct pfm_table *table = pfm_amd_tables;
	const struct pfm_amd_caps *caps;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want) && table->name; i++, table++) {
		caps = table->data;
		KUNIT_EXPECT_STREQ(test, table->name, want[i].name);
		KUNIT_EXPECT_EQ_MSG(test, caps->family, want[i].caps.family, table->name);
		KUNIT_EXPECT_EQ_MSG(test, caps->num, want[i].caps.num, table->name);
		KUNIT_EXPECT_EQ_MSG(test, caps->core_ext, want[i].caps.core_ext, table->name);
		KUNIT_EXPECT_EQ_MSG(test, caps->global, want[i].caps.global, table->name);
		KUNIT_EXPECT_EQ_MSG(test, caps->ibs, want[i].caps.ibs, table->name);
	}
	KUNIT_EXPECT_EQ(test, i, (unsigned int)ARRAY_SIZE(want));
	KUNIT_EXPECT_NULL(test, table->name);
}

static struct kunit_case pfm_amd_cases[] = {
	KUNIT_CASE(amd_cpuid_is_decoded),
	KUNIT_CASE(amd_k6_has_no_counters),
	KUNIT_CASE(amd_tables_are_valid),
	KUNIT_CASE(amd_registers_are_where_the_manual_has_them),
	KUNIT_CASE(amd_reserved_bits_are_the_familys),
	KUNIT_CASE(amd_only_what_is_enabled_is_live),
	KUNIT_CASE(amd_version_2_starts_and_stops_all_by_one_write),
	KUNIT_CASE(amd_counters_are_read_by_number),
	KUNIT_CASE(amd_version_2_begins_with_all_off),
	KUNIT_CASE(amd_version_2_acknowledges_every_counter),
	KUNIT_CASE(amd_version_2_loads_registers_as_they_are),
	KUNIT_CASE(amd_and_hygon_have_the_pmu),
	KUNIT_CASE(amd_pmu_is_no_other_vendors),
	KUNIT_CASE(amd_k6_is_not_found),
	KUNIT_CASE(amd_pmu_must_have_the_last_selector),
	KUNIT_CASE(amd_first_zen_3_may_sample_nothing),
	KUNIT_CASE(amd_tables_are_of_the_documented_processors),
	{ }
};

static struct kunit_suite pfm_amd_suite = {
	.name = "perfmon_amd",
	.test_cases = pfm_amd_cases,
};

kunit_test_suite(pfm_amd_suite);
