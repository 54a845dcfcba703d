// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of AMD's Instruction-Based Sampling, on a model of its registers.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../../../kernel/perfmon/tests/pin.h"
#include "amd.h"
#include "msr_kunit.h"

#define FETCH_CTL	0xc0011030
#define FETCH_LINAD	0xc0011031
#define OP_CTL		0xc0011033
#define OP_RIP		0xc0011034
#define OP_DATA3	0xc0011037

/* As CPUID reports them for Zen 3. */
#define ZEN3		0x3ffU

#define FETCHES		(PFM_IBS_FETCH_EN | 0x1000)	/* each 65536th */
#define OPS		(PFM_IBS_OP_EN | PFM_IBS_OP_CNT_CTL | 0x1000)

/* The registers that a sample fills must not be written. */
static const struct pfm_msr_cell cells_at_boot[] = {
	{ .msr = FETCH_CTL, .takes = ~0ULL },
	{ .msr = FETCH_LINAD }, { .msr = 0xc0011032 },
	{ .msr = OP_CTL, .takes = ~0ULL },
	{ .msr = OP_RIP, .value = 0xbad }, { .msr = 0xc0011035 }, { .msr = 0xc0011036 },
	{ .msr = OP_DATA3 }, { .msr = 0xc0011038 }, { .msr = 0xc0011039 },
	{ .msr = 0xc001103b }, { .msr = 0xc001103c },
	{ }
};

static const struct pfm_bank *const ibs = &pfm_ibs_bank;

struct ibs_state {
	struct pfm_msr_cell		cells[ARRAY_SIZE(cells_at_boot)];
	u64				pmcs[PFM_IBS_END_PMC];
	struct pfm_regs			regs;
	struct pfm_amd_pmu		amd;
	const struct pfm_amd_pmu	*before;
	unsigned int			cpu;
};

static void use_caps(struct ibs_state *s, u32 ibs)
{
	struct pfm_amd_caps caps = { .family = 0x19, .num = 6, .core_ext = true, .ibs = ibs };

	memset(&s->amd, 0, sizeof(s->amd));
	pfm_amd_build(&s->amd, caps);
	pfm_ibs_setup(&s->amd);
}

static int ibs_test_init(struct kunit *test)
{
	struct ibs_state *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned int i;

	if (!s)
		return -ENOMEM;
	kunit_info(test, "machine: AMD IBS, register model\n");
	memcpy(s->cells, cells_at_boot, sizeof(s->cells));
	s->regs.pmcs = s->pmcs;
	test->priv = s;
	s->before = pfm_ibs_setup(NULL);
	use_caps(s, ZEN3);
	pfm_msr_use(s->cells);
	s->cpu = smp_processor_id();
	for (i = PFM_IBS_FETCH; i < PFM_IBS_END_PMD; i++)
		ibs->write_pmd(i, 0);
	return 0;
}

static void ibs_test_exit(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	if (!s)
		return;
	/* Linux 6.12 has another thread for this, which is not pinned. */
	pfm_test_pin_to(s->cpu);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
	pfm_ibs_setup(s->before);
}

static u64 msr(u32 number)
{
	return pfm_msr_cell(number)->value;
}

/* A set with these two control values, 0 for a register that it does not use. */
static void load(struct ibs_state *s, u64 fetches, u64 ops)
{
	s->pmcs[PFM_IBS_FETCH] = fetches;
	s->pmcs[PFM_IBS_OP] = ops;
	s->regs.used_pmcs[0] = (fetches ? BIT_ULL(PFM_IBS_FETCH) : 0) |
			       (ops ? BIT_ULL(PFM_IBS_OP) : 0);
	s->regs.needs_pmi = 0;
	pfm_amd_prepare(&s->regs);
	ibs->prepare(&s->regs);
}

/* As the hardware does it. */
static void sample_op(u64 rip)
{
	pfm_msr_cell(OP_CTL)->value = (msr(OP_CTL) & ~PFM_IBS_OP_CUR_CNT) | PFM_IBS_OP_VAL;
	pfm_msr_cell(OP_RIP)->value = rip;
}

static void sample_fetch(u64 address)
{
	pfm_msr_cell(FETCH_CTL)->value = (msr(FETCH_CTL) & ~PFM_IBS_FETCH_CNT) |
					 0x1000ULL << 16 | PFM_IBS_FETCH_VAL;
	pfm_msr_cell(FETCH_LINAD)->value = address;
}

static void what_others_sample_goes_on(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	pfm_msr_cell(FETCH_CTL)->value = FETCHES;
	pfm_msr_cell(OP_CTL)->value = OPS;
	load(s, 0, 0);
	ibs->start(&s->regs);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), FETCHES);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS);
	/* While the other unit is used, and afterwards. */
	load(s, FETCHES, 0);
	ibs->start(&s->regs);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS);
	pfm_msr_cell(FETCH_CTL)->value = FETCHES | PFM_IBS_FETCH_VAL;
	load(s, 0, OPS);
	ibs->start(&s->regs);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), FETCHES | PFM_IBS_FETCH_VAL);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH), 0ULL);
}

static void counters_stay_live_beside_the_units(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	s->pmcs[1] = 0x5300c0;
	s->pmcs[PFM_IBS_OP] = OPS;
	s->regs.used_pmcs[0] = BIT_ULL(1) | BIT_ULL(PFM_IBS_OP);
	pfm_amd_prepare(&s->regs);
	/* As a bank before this one left it. */
	s->regs.needs_pmi = BIT_ULL(1);
	ibs->prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds & GENMASK_ULL(17, 0), BIT_ULL(1) | BIT_ULL(17));
	KUNIT_EXPECT_EQ(test, s->regs.needs_pmi & GENMASK_ULL(17, 0), BIT_ULL(1) | BIT_ULL(17));
}

static void holes_are_not_live(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, FETCHES, OPS);
	/* All but IBS_OP_DATA4. */
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, GENMASK_ULL(29, 16));
	KUNIT_EXPECT_EQ(test, s->regs.needs_pmi, GENMASK_ULL(29, 16));
	KUNIT_EXPECT_EQ(test, s->regs.enable, 0ULL);
	use_caps(s, PFM_IBS_OP_SAMPLING);
	load(s, 0, OPS);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, GENMASK_ULL(28, 22) | BIT_ULL(17));
	load(s, FETCHES & ~PFM_IBS_FETCH_EN, OPS & ~PFM_IBS_OP_EN);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0ULL);
}

static void a_unit_runs_from_start_to_stop(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, 0, OPS);
	/* A control register that is loaded would start its unit. */
	KUNIT_EXPECT_TRUE(test, !ibs->write_pmc);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), 0ULL);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), 0ULL);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 0ULL);
}

static void a_sample_counts_once_and_is_kept(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, 0, OPS);
	ibs->start(&s->regs);
	sample_op(0x401000);
	/* Also before a stop has taken it out. */
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 1ULL);
	KUNIT_EXPECT_TRUE(test, pfm_ibs_interrupted());
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 1ULL);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(23), 0x401000ULL);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 1ULL);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(23), 0x401000ULL);
}

/* A stop is about to clear what the interrupt has just seen. */
static void a_sample_between_a_stops_accesses_is_not_lost(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, 0, OPS);
	ibs->start(&s->regs);
	sample_op(0x402000);
	KUNIT_EXPECT_TRUE(test, pfm_ibs_interrupted());
	pfm_msr_cell(OP_CTL)->value &= ~PFM_IBS_OP_VAL;
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 1ULL);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(23), 0x402000ULL);
}

static void minus_one_overflows_with_the_next_sample(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, 0, OPS);
	ibs->write_pmd(PFM_IBS_OP, GENMASK_ULL(47, 0));
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), GENMASK_ULL(47, 0));
	sample_op(0x403000);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 0ULL);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP), 0ULL);
}

static void the_count_comes_back_with_the_set(struct kunit *test)
{
	struct ibs_state *s = test->priv;
	u64 status;

	load(s, FETCHES, OPS);
	ibs->start(&s->regs);
	pfm_msr_cell(OP_CTL)->value |= 0x1234ULL << 32;
	pfm_msr_cell(FETCH_CTL)->value |= 0x123ULL << 16;
	ibs->stop(&s->regs);
	status = ibs->read_pmd(PFM_IBS_OP_STATUS);
	KUNIT_EXPECT_EQ(test, status, 0x1234ULL << 32);
	/* Another set runs. */
	ibs->write_pmd(PFM_IBS_OP_STATUS, 0);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), FETCHES | 0x123ULL << 16);
	ibs->stop(&s->regs);
	ibs->write_pmd(PFM_IBS_OP_STATUS, status);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS | 0x1234ULL << 32);
}

static void a_count_beyond_the_period_begins_anew(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	ibs->write_pmd(PFM_IBS_OP_STATUS, 0x10000ULL << 32);
	ibs->write_pmd(PFM_IBS_FETCH_STATUS, 0x1000ULL << 16);
	load(s, FETCHES, OPS);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), FETCHES);
	ibs->stop(&s->regs);
	ibs->write_pmd(PFM_IBS_OP_STATUS, 0xffffULL << 32);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS | 0xffffULL << 32);
}

/* After a sample only those bits that the processor made random. */
static void the_next_period_starts_where_the_processor_wants(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, 0, OPS);
	ibs->start(&s->regs);
	sample_op(0x404000);
	pfm_msr_cell(OP_CTL)->value |= 0x10055ULL << 32;
	ibs->stop(&s->regs);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), OPS | 0x55ULL << 32);
}

/* The processor makes no count of cycles random, and no count of fetches: these begin at 0. */
static void other_counts_begin_at_0_after_a_sample(struct kunit *test)
{
	struct ibs_state *s = test->priv;
	const u64 cycles = PFM_IBS_OP_EN | 0x1000;

	load(s, FETCHES, cycles);
	ibs->start(&s->regs);
	sample_op(0x404000);
	pfm_msr_cell(OP_CTL)->value |= 0x55ULL << 32;
	sample_fetch(0x405000);
	ibs->stop(&s->regs);
	/* The status shows the rest of the control register. */
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_OP_STATUS), cycles | PFM_IBS_OP_VAL);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH_STATUS), FETCHES | PFM_IBS_FETCH_VAL);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), cycles);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), FETCHES);
}

static void a_count_that_cannot_be_written_is_not(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	use_caps(s, PFM_IBS_OP_SAMPLING);
	ibs->write_pmd(PFM_IBS_OP_STATUS, 0x1234ULL << 32);
	load(s, 0, PFM_IBS_OP_EN | 0x1000);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(OP_CTL), PFM_IBS_OP_EN | 0x1000);
}

/* Only its own set sees the values that a sample left in the hardware. */
static void a_new_set_sees_no_sample(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	load(s, 0, OPS);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(23), 0ULL);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(23), 0ULL);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(23), 0ULL);
}

static void what_enables_it_counts_the_kernel(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	KUNIT_EXPECT_EQ(test, s->amd.pmcs[PFM_IBS_FETCH].kernel_bits, PFM_IBS_FETCH_EN);
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[PFM_IBS_OP].kernel_bits, PFM_IBS_OP_EN);
}

static void periods_below_the_shortest_are_refused(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 16, PFM_IBS_FETCH_EN | 0x3ff), -EINVAL);
	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 16, PFM_IBS_FETCH_EN | 0x400), 0);
	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 17, PFM_IBS_OP_EN | 0x3ff), -EINVAL);
	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 17, PFM_IBS_OP_EN | 0x400), 0);
	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 17, PFM_IBS_OP_EN | BIT_ULL(20)), 0);
	/* Disabled, and a counter's selector. */
	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 17, 0), 0);
	KUNIT_EXPECT_EQ(test, ibs->check_pmc(&s->regs, 0, PFM_IBS_OP_EN), 0);
	KUNIT_EXPECT_FALSE(test, ibs->shares(0, PFM_IBS_OP_EN));
	KUNIT_EXPECT_FALSE(test, ibs->shares(17, 0x1000));
	KUNIT_EXPECT_TRUE(test, ibs->shares(17, OPS));
}

static void family_10h_is_left_out(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_ibs_usable(0x10, 0x1f), 0U);
	KUNIT_EXPECT_EQ(test, pfm_ibs_usable(0x11, 0x1f), 0x1fU);
	KUNIT_EXPECT_EQ(test, pfm_ibs_usable(0x12, 0x1f), 0x1fU);
}

static void tables_have_what_cpuid_says(struct kunit *test)
{
	static const struct pfm_bank * const banks[] = { &pfm_ibs_bank, NULL };
	struct ibs_state *s = test->priv;
	struct pfm_pmu *pmu = &s->amd.pmu;

	pmu->ops = pfm_amd_ops(&s->amd.caps);
	pmu->banks = banks;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(pmu), 0);
	KUNIT_EXPECT_EQ(test, pmu->num_pmcs, 18);
	KUNIT_EXPECT_EQ(test, pmu->num_pmds, 30);
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[16].rsvd, ~(GENMASK_ULL(15, 0) | BIT_ULL(48) |
						      BIT_ULL(57)));
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[17].rsvd, ~(GENMASK_ULL(15, 0) | BIT_ULL(17) |
						      GENMASK_ULL(26, 19)));
	KUNIT_EXPECT_EQ(test, s->amd.pmds[23].addr, 0xc0011034ULL);

	use_caps(s, ZEN3 | PFM_IBS_OP_DATA4 | PFM_IBS_ZEN4);
	KUNIT_EXPECT_EQ(test, pmu->num_pmds, 31);
	KUNIT_EXPECT_FALSE(test, s->amd.pmcs[16].rsvd & BIT_ULL(59));
	KUNIT_EXPECT_FALSE(test, s->amd.pmcs[17].rsvd & BIT_ULL(16));

	use_caps(s, PFM_IBS_FETCH_SAMPLING);
	KUNIT_EXPECT_EQ(test, pmu->num_pmcs, 17);
	KUNIT_EXPECT_EQ(test, pmu->num_pmds, 21);
}

/* 0: a copy in memory. */
static void samples_are_in_the_documented_registers(struct kunit *test)
{
	static const struct {
		const char	*name;
		u32		msr;
	} want[] = {
		{ "IBS_FETCH", 0 }, { "IBS_OP", 0 },
		{ "IBS_FETCH_STATUS", 0 }, { "IBS_FETCH_LINADDR", 0xc0011031 },
		{ "IBS_FETCH_PHYSADDR", 0xc0011032 }, { "IC_IBS_EXTD_CTL", 0xc001103c },
		{ "IBS_OP_STATUS", 0 }, { "IBS_OP_RIP", 0xc0011034 },
		{ "IBS_OP_DATA", 0xc0011035 }, { "IBS_OP_DATA2", 0xc0011036 },
		{ "IBS_OP_DATA3", 0xc0011037 }, { "IBS_DC_LINADDR", 0xc0011038 },
		{ "IBS_DC_PHYSADDR", 0xc0011039 }, { "BP_IBSTGT_RIP", 0xc001103b },
		{ "IBS_OP_DATA4", 0xc001103d },
	};
	struct ibs_state *s = test->priv;
	const struct pfm_reg_desc *pmd;
	unsigned int i;

	use_caps(s, ZEN3 | PFM_IBS_OP_DATA4);
	KUNIT_ASSERT_EQ(test, (unsigned int)s->amd.pmu.num_pmds,
			16U + (unsigned int)ARRAY_SIZE(want));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		pmd = &s->amd.pmds[16 + i];
		KUNIT_EXPECT_STREQ(test, pmd->name, want[i].name);
		KUNIT_EXPECT_EQ_MSG(test, pmd->addr, want[i].msr ?: PFM_REG_IDX_NONE,
				    want[i].name);
		KUNIT_EXPECT_EQ_MSG(test, pmd->type, want[i].msr ? PFM_REG_TYPE_MSR :
				    PFM_REG_TYPE_SOFT, want[i].name);
	}
	/* PMD16 and 18-21 are the fetch unit's, PMD17 and 22-30 the op unit's. */
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[16].deps[0], BIT_ULL(16) | GENMASK_ULL(21, 18));
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[17].deps[0], BIT_ULL(17) | GENMASK_ULL(30, 22));
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[16].addr, (u64)FETCH_CTL);
	KUNIT_EXPECT_EQ(test, s->amd.pmcs[17].addr, (u64)OP_CTL);
}

/* Each feature of IBS that a processor may lack. */
static void what_cpuid_does_not_say_is_not_there(struct kunit *test)
{
	static const struct {
		u32		caps;
		unsigned int	pmd;
	} lacks[] = {
		{ PFM_IBS_FETCH_SAMPLING, 19 }, { PFM_IBS_FETCH_CTL_EXTD, 21 },
		{ PFM_IBS_OP_SAMPLING, 23 }, { PFM_IBS_BRN_TRGT, 29 },
		{ PFM_IBS_OP_DATA4, 30 },
		/* Each of these belongs to a unit, too. */
		{ PFM_IBS_FETCH_SAMPLING, 21 }, { PFM_IBS_OP_SAMPLING, 29 },
		{ PFM_IBS_OP_SAMPLING, 30 },
	};
	const u32 all = ZEN3 | PFM_IBS_OP_DATA4;
	struct ibs_state *s = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lacks); i++) {
		use_caps(s, all & ~lacks[i].caps);
		KUNIT_EXPECT_NULL(test, s->amd.pmds[lacks[i].pmd].name);
		use_caps(s, all);
		KUNIT_EXPECT_NOT_NULL(test, s->amd.pmds[lacks[i].pmd].name);
	}
}

/* Erratum 1197: the interrupt comes, it is answered, and the next period begins. */
static void a_fetch_at_address_0_is_no_sample(struct kunit *test)
{
	struct ibs_state *s = test->priv;

	s->amd.caps.ibs_no_fetch = true;
	load(s, FETCHES, 0);
	ibs->start(&s->regs);
	sample_fetch(0x405000);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH), 1ULL);
	ibs->start(&s->regs);
	sample_fetch(0);
	KUNIT_EXPECT_TRUE(test, pfm_ibs_interrupted());
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH), 1ULL);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH), 1ULL);
	/* The registers keep the sample before. */
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH_LINADDR), 0x405000ULL);
	ibs->start(&s->regs);
	KUNIT_EXPECT_EQ(test, msr(FETCH_CTL), FETCHES);
	/* On other processors it is a sample like any other. */
	s->amd.caps.ibs_no_fetch = false;
	sample_fetch(0);
	ibs->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, ibs->read_pmd(PFM_IBS_FETCH), 2ULL);
}

static void the_first_zen_3_may_sample_nothing(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, pfm_ibs_may_sample_nothing(0x19, 0x01));
	KUNIT_EXPECT_TRUE(test, pfm_ibs_may_sample_nothing(0x19, 0x0f));
	KUNIT_EXPECT_FALSE(test, pfm_ibs_may_sample_nothing(0x19, 0x10));
	KUNIT_EXPECT_FALSE(test, pfm_ibs_may_sample_nothing(0x17, 0x01));
	KUNIT_EXPECT_FALSE(test, pfm_ibs_may_sample_nothing(0x1a, 0x02));
}

static struct kunit_case pfm_ibs_cases[] = {
	KUNIT_CASE(what_others_sample_goes_on),
	KUNIT_CASE(counters_stay_live_beside_the_units),
	KUNIT_CASE(holes_are_not_live),
	KUNIT_CASE(a_unit_runs_from_start_to_stop),
	KUNIT_CASE(a_sample_counts_once_and_is_kept),
	KUNIT_CASE(a_sample_between_a_stops_accesses_is_not_lost),
	KUNIT_CASE(minus_one_overflows_with_the_next_sample),
	KUNIT_CASE(the_count_comes_back_with_the_set),
	KUNIT_CASE(a_count_beyond_the_period_begins_anew),
	KUNIT_CASE(the_next_period_starts_where_the_processor_wants),
	KUNIT_CASE(other_counts_begin_at_0_after_a_sample),
	KUNIT_CASE(a_count_that_cannot_be_written_is_not),
	KUNIT_CASE(a_new_set_sees_no_sample),
	KUNIT_CASE(what_enables_it_counts_the_kernel),
	KUNIT_CASE(periods_below_the_shortest_are_refused),
	KUNIT_CASE(family_10h_is_left_out),
	KUNIT_CASE(tables_have_what_cpuid_says),
	KUNIT_CASE(samples_are_in_the_documented_registers),
	KUNIT_CASE(what_cpuid_does_not_say_is_not_there),
	KUNIT_CASE(a_fetch_at_address_0_is_no_sample),
	KUNIT_CASE(the_first_zen_3_may_sample_nothing),
	{ }
};

static struct kunit_suite pfm_ibs_suite = {
	.name = "perfmon_amd_ibs",
	.init = ibs_test_init,
	.exit = ibs_test_exit,
	.test_cases = pfm_ibs_cases,
};

kunit_test_suite(pfm_ibs_suite);
