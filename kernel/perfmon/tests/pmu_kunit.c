// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the register tables' validator and of counter arithmetic.
 */
#include <kunit/test.h>
#include <linux/perfmon_fmt.h>
#include <linux/string.h>
#include "../event_set.h"
#include "../pmu.h"
#include "../soft.h"

/*
 * A small PMU: two counters with a control register each, one buffer. Behind each table
 * there is one more register, which the PMU does not have.
 */
struct toy {
	struct pfm_reg_desc	pmcs[2 + 1];
	struct pfm_reg_desc	pmds[3 + 1];
	struct pfm_pmu		pmu;
};

static void toy_init(struct toy *t)
{
	static const struct pfm_reg_desc pmc0 = {
		.name = "C0", .type = PFM_REG_TYPE_PMC, .cls = PFM_CLASS_CONTROL, .width = 32,
		.addr = 0, .def = 0x10, .rsvd = 0xffffff10, .kernel_bits = 0x1,
		.deps = { BIT_ULL(0) },
	};
	static const struct pfm_reg_desc pmd0 = {
		.name = "D0", .type = PFM_REG_TYPE_PMD, .cls = PFM_CLASS_COUNTER, .width = 40,
		.write_width = 32, .addr = 0, .deps = { BIT_ULL(0) },
	};

	memset(t, 0, sizeof(*t));
	t->pmcs[0] = pmc0;
	t->pmcs[1] = pmc0;
	t->pmcs[1].name = "C1";
	t->pmcs[1].addr = 1;
	t->pmcs[1].deps[0] = BIT_ULL(1);
	t->pmds[0] = pmd0;
	t->pmds[1] = pmd0;
	t->pmds[1].name = "D1";
	t->pmds[1].addr = 1;
	t->pmds[1].deps[0] = BIT_ULL(1);
	t->pmds[2] = pmd0;
	t->pmds[2].name = "D2";
	t->pmds[2].addr = 2;
	t->pmds[2].cls = PFM_CLASS_BUFFER;
	t->pmds[2].deps[0] = 0;
	t->pmu.name = "toy";
	t->pmu.counter_width = 40;
	t->pmu.pmcs = t->pmcs;
	t->pmu.pmds = t->pmds;
	t->pmu.num_pmcs = 2;
	t->pmu.num_pmds = 3;
	t->pmu.ops = pfm_pmu->ops;
}

static void validator_accepts_a_good_table(struct kunit *test)
{
	struct toy t;

	toy_init(&t);
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
}

/* The validator names this rule, and no other, and the register. */
#define REFUSED(rule, reg, breakage) do {				\
	const char *_where = "";					\
									\
	toy_init(&t);							\
	breakage;							\
	KUNIT_EXPECT_STREQ(test, pfm_pmu_mistake(&t.pmu, &_where) ?: "(nothing)", rule); \
	KUNIT_EXPECT_STREQ(test, _where, reg);				\
	KUNIT_EXPECT_EQ_MSG(test, pfm_pmu_validate(&t.pmu), -EINVAL, rule); \
} while (0)

static void validator_refuses_each_mistake_in_a_register(struct kunit *test)
{
	static const char long_name[] = "A_name_of_just_thirty-two_letter";
	struct toy t;

	KUNIT_ASSERT_EQ(test, strlen(long_name), (size_t)32);
	REFUSED("name too long", long_name, t.pmcs[0].name = long_name);
	REFUSED("bad type", "C0", t.pmcs[0].type = 0);
	REFUSED("bad type", "D0", t.pmds[0].type = PFM_REG_TYPE_SOFT + 1);
	REFUSED("bad class", "C0", t.pmcs[0].cls = PFM_CLASS_COUNTER);
	REFUSED("bad class", "C0", t.pmcs[0].cls = 0);
	REFUSED("bad class", "D0", t.pmds[0].cls = PFM_CLASS_CONTROL);
	REFUSED("bad class", "D0", t.pmds[0].cls = 0);
	REFUSED("bad width", "D2", t.pmds[2].width = 0);
	REFUSED("bad width", "D2", t.pmds[2].width = 65);
	REFUSED("default wider than the register", "C0", t.pmcs[0].def = BIT_ULL(32));
	REFUSED("reserved bits beyond the register", "C0", t.pmcs[0].rsvd |= BIT_ULL(32));
	REFUSED("kernel bits in a PMD", "D0", t.pmds[0].kernel_bits = 1);
	REFUSED("kernel bits reserved or preset", "C0", t.pmcs[0].rsvd |= 0x1);
	REFUSED("kernel bits reserved or preset", "C0", t.pmcs[0].def |= 0x1);
	REFUSED("bare, and not a PMC without PMDs", "C0", t.pmcs[0].bare = true);
	REFUSED("bare, and not a PMC without PMDs", "D2", t.pmds[2].bare = true);
	REFUSED("direct, and not written as a whole", "D0", t.pmds[0].direct = true;
		t.pmds[0].write_width = t.pmds[0].width - 1);
	REFUSED("bad write width", "D0", t.pmds[0].write_width = 41);
	REFUSED("bad write width", "D0", t.pmds[0].write_width = 1);
	REFUSED("a counter starts at zero", "D0", t.pmds[0].def = 1);
}

static void validator_refuses_each_mistake_between_registers(struct kunit *test)
{
	struct toy t;

	REFUSED("name used twice", "C0", t.pmcs[1].name = "C0");
	REFUSED("name used twice", "D1", t.pmds[2].name = "D1");
	REFUSED("address used twice", "C0", t.pmcs[1].addr = 0);
	REFUSED("address used twice", "D0", t.pmds[1].addr = 0);
	REFUSED("depends on a missing register", "C0", t.pmcs[0].deps[0] |= BIT_ULL(7));
	REFUSED("depends on a missing register", "C1", t.pmds[1].name = NULL);
	/* The register exists, but behind the table. */
	REFUSED("depends on a missing register", "C0", t.pmcs[0].deps[0] |= BIT_ULL(3);
		t.pmds[3] = t.pmds[0]);
	REFUSED("depends on a missing register", "D0", t.pmds[0].deps[0] |= BIT_ULL(2);
		t.pmcs[2] = t.pmcs[0]);
	REFUSED("depends on a missing register", "D0", t.pmds[0].deps[4] = BIT_ULL(63));
	REFUSED("dependency not symmetric", "C0", t.pmcs[0].deps[0] |= BIT_ULL(1));
	REFUSED("dependency not symmetric", "D2", t.pmds[2].deps[0] = BIT_ULL(1));
	REFUSED("bad number of registers", "PMCs", t.pmu.num_pmcs = 0);
	REFUSED("bad number of registers", "PMDs", t.pmu.num_pmds = 0;
		t.pmcs[0].deps[0] = 0; t.pmcs[1].deps[0] = 0);
	REFUSED("bad number of registers", "PMCs", t.pmu.num_pmcs = PFM_MAX_PMCS + 1);
	REFUSED("bad number of registers", "PMDs", t.pmu.num_pmds = PFM_MAX_HW_PMDS + 1);
	REFUSED("table ends in a hole", "PMCs", t.pmcs[1].name = NULL);
	REFUSED("table ends in a hole", "PMDs", t.pmds[2].name = NULL);
}

/* Two banks of the toy, B0 and B1: the PMC and the PMD of the second counter, and the buffer. */
struct toy_banks {
	struct pfm_bank		bank[2];
	const struct pfm_bank	*list[PFM_MAX_BANKS + 2];
};

static void toy_nothing(void)
{
}

static int toy_claim(void)
{
	return 0;
}

static bool toy_shares(unsigned int pmc, u64 value)
{
	return false;
}

static void toy_init_banks(struct toy *t, struct toy_banks *b)
{
	toy_init(t);
	memset(b, 0, sizeof(*b));
	b->bank[0] = (struct pfm_bank) {
		.name = "B0", .pmc = 1, .end_pmc = 2, .pmd = 1, .end_pmd = 2,
		.start = pfm_pmu->ops->start, .stop = pfm_pmu->ops->stop,
		.write_pmd = pfm_pmu->ops->write_pmd, .read_pmd = pfm_pmu->ops->read_pmd,
		.shares = toy_shares, .claim = toy_claim, .unclaim = toy_nothing,
	};
	b->bank[1] = (struct pfm_bank) {
		.name = "B1", .pmd = 2, .end_pmd = 3,
		.write_pmd = pfm_pmu->ops->write_pmd, .read_pmd = pfm_pmu->ops->read_pmd,
	};
	b->list[0] = &b->bank[0];
	b->list[1] = &b->bank[1];
	t->pmu.banks = b->list;
}

static void validator_accepts_good_banks(struct kunit *test)
{
	struct toy_banks b;
	struct toy t;

	toy_init_banks(&t, &b);
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
	/* None, and a bank of PMCs alone that are loaded one by one. */
	b.list[0] = NULL;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
	b.list[0] = &b.bank[0];
	b.bank[0] = (struct pfm_bank) {
		.name = "B0", .end_pmc = 2, .write_pmc = pfm_pmu->ops->write_pmc,
	};
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
	/* The family's range ends behind the table, and begins with a hole. */
	b.bank[0].end_pmc = PFM_MAX_PMCS;
	b.bank[1].end_pmd = PFM_MAX_HW_PMDS;
	b.bank[1].pmd = 1;
	t.pmcs[0].name = NULL;
	t.pmds[0].name = NULL;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
}

#define REFUSED_BANK(rule, where, breakage) do {			\
	const char *_where = "";					\
									\
	toy_init_banks(&t, &b);						\
	breakage;							\
	KUNIT_EXPECT_STREQ(test, pfm_pmu_mistake(&t.pmu, &_where) ?: "(nothing)", rule); \
	KUNIT_EXPECT_STREQ(test, _where, where);			\
	KUNIT_EXPECT_EQ_MSG(test, pfm_pmu_validate(&t.pmu), -EINVAL, rule); \
} while (0)

static unsigned int toy_branches(unsigned int max, struct pfm_branch *to)
{
	return 0;
}

/* One more than there may be, all of them without registers. */
static void toy_many_banks(struct toy_banks *b)
{
	unsigned int i;

	b->bank[0] = (struct pfm_bank) { .name = "B0" };
	b->bank[1] = (struct pfm_bank) { .name = "B9" };
	for (i = 0; i <= PFM_MAX_BANKS; i++)
		b->list[i] = &b->bank[i == PFM_MAX_BANKS];
}

static void validator_refuses_each_mistake_in_a_bank(struct kunit *test)
{
	struct toy_banks b;
	struct toy t;

	REFUSED_BANK("range without an end", "B0", b.bank[0].end_pmc = 0);
	REFUSED_BANK("range without an end", "B1", b.bank[1].end_pmd = 0);
	REFUSED_BANK("range ends before it begins", "B0", b.bank[0].end_pmc = 1);
	REFUSED_BANK("range ends before it begins", "B1", b.bank[1].end_pmd = 1);
	REFUSED_BANK("range beyond any table", "B0", b.bank[0].end_pmc = PFM_MAX_PMCS + 1);
	REFUSED_BANK("range beyond any table", "B1", b.bank[1].end_pmd = PFM_MAX_HW_PMDS + 1);
	/* There is a register behind each table, which is not the PMU's. */
	REFUSED_BANK("no register in its range", "B0", b.bank[0].pmc = 2; b.bank[0].end_pmc = 3;
		     t.pmcs[2] = t.pmcs[0]);
	REFUSED_BANK("no register in its range", "B1", b.bank[1].pmd = 3; b.bank[1].end_pmd = 4;
		     t.pmds[3] = t.pmds[0]);
	/* The next register is behind the range. */
	REFUSED_BANK("no register in its range", "B0", b.bank[0].pmc = 0; b.bank[0].end_pmc = 1;
		     t.pmcs[0].name = NULL; t.pmds[0].name = NULL);
	REFUSED_BANK("PMDs without operations", "B1", b.bank[1].read_pmd = NULL);
	REFUSED_BANK("PMDs without operations", "B1", b.bank[1].write_pmd = NULL);
	REFUSED_BANK("PMCs that are never loaded", "B0", b.bank[0].start = NULL;
		     b.bank[0].stop = NULL);
	REFUSED_BANK("start and stop come together", "B0", b.bank[0].stop = NULL);
	REFUSED_BANK("start and stop come together", "B1",
		     b.bank[1].stop = pfm_pmu->ops->stop);
	REFUSED_BANK("branch records without PMDs", "B0", b.bank[0].branches = toy_branches;
		     b.bank[0].pmd = 0; b.bank[0].end_pmd = 0);
	REFUSED_BANK("shares, claim and unclaim come together", "B0", b.bank[0].shares = NULL);
	REFUSED_BANK("shares, claim and unclaim come together", "B0", b.bank[0].claim = NULL);
	REFUSED_BANK("shares, claim and unclaim come together", "B0", b.bank[0].unclaim = NULL);
	REFUSED_BANK("PMDs of another bank", "B0", b.bank[1].pmd = 1);
	REFUSED_BANK("PMDs of another bank", "B0", b.bank[0].end_pmd = 3);
	REFUSED_BANK("PMCs of another bank", "B0", b.bank[1].pmc = 0; b.bank[1].end_pmc = 2;
		     b.bank[1].write_pmc = pfm_pmu->ops->write_pmc);
	REFUSED_BANK("PMCs of another bank", "B0", b.list[1] = &b.bank[0]);
	REFUSED_BANK("too many banks", "B9", toy_many_banks(&b));
}

static void validator_looks_at_nothing_behind_the_tables(struct kunit *test)
{
	struct toy t;

	toy_init(&t);
	/* Both have the name and the address of the first, and more mistakes. */
	t.pmcs[2] = t.pmcs[0];
	t.pmcs[2].width = 65;
	t.pmds[3] = t.pmds[0];
	t.pmds[3].width = 65;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
}

static void validator_accepts_what_is_just_right(struct kunit *test)
{
	static const char name[] = "A_name_of_just_thirty-one_lette";
	struct toy t;

	KUNIT_ASSERT_EQ(test, strlen(name), (size_t)31);
	toy_init(&t);
	t.pmcs[0].name = name;
	t.pmcs[0].type = PFM_REG_TYPE_SOFT;
	t.pmcs[1].width = 64;
	t.pmcs[1].rsvd = BIT_ULL(63);
	t.pmcs[1].def = BIT_ULL(63);
	t.pmds[0].write_width = t.pmds[0].width;
	t.pmds[1].write_width = 2;
	t.pmds[2].width = 1;
	t.pmds[2].write_width = 0;
	t.pmds[2].def = 1;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
	/* An address may be used twice with different types. */
	t.pmcs[1].addr = t.pmcs[0].addr;
	t.pmds[1].type = PFM_REG_TYPE_SOFT;
	t.pmds[1].addr = t.pmds[0].addr;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
	/* Some have no address. */
	t.pmds[1].type = t.pmds[0].type;
	t.pmds[0].addr = PFM_REG_IDX_NONE;
	t.pmds[1].addr = PFM_REG_IDX_NONE;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
	/* A PMC may be bare. */
	t.pmcs[0].bare = true;
	t.pmcs[0].deps[0] = 0;
	t.pmds[0].deps[0] = 0;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
}

static void validator_refuses_missing_operations(struct kunit *test)
{
	struct pfm_pmu_ops ops;
	struct toy t;

	toy_init(&t);
	t.pmu.ops = NULL;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), -EINVAL);
	t.pmu.ops = &ops;
#define X(op)								\
	ops = *pfm_pmu->ops;						\
	KUNIT_EXPECT_EQ_MSG(test, pfm_pmu_validate(&t.pmu), 0, #op);	\
	ops.op = NULL;							\
	KUNIT_EXPECT_EQ_MSG(test, pfm_pmu_validate(&t.pmu), -EINVAL, #op);
	PFM_PMU_OPS(X)
#undef X
}

/* covers: 3.1.17-16 3.2.1-2 */
static void validator_accepts_holes(struct kunit *test)
{
	struct toy t;

	toy_init(&t);
	t.pmcs[0].name = NULL;
	t.pmds[0].name = NULL;
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&t.pmu), 0);
}

/* covers: 3.1.13-15 */
static void reserved_bits_keep_their_default(struct kunit *test)
{
	struct pfm_reg_desc d = { .width = 64, .def = 0x10, .rsvd = 0xfff0 };

	KUNIT_EXPECT_EQ(test, pfm_reg_apply_rsvd(&d, 0), 0x10ULL);
	KUNIT_EXPECT_EQ(test, pfm_reg_apply_rsvd(&d, ~0ULL), ~0xffffULL | 0x1f);
	KUNIT_EXPECT_EQ(test, pfm_reg_apply_rsvd(&d, 0x12345), 0x10015ULL);
	/* Bits that the register does not have read as zero. */
	d.width = 20;
	KUNIT_EXPECT_EQ(test, pfm_reg_apply_rsvd(&d, ~0ULL), 0xf001fULL);
}

static u64 delta(unsigned int width, u64 from, u64 to)
{
	struct pfm_pmd pmd = { .mask = pfm_width_mask(width), .hw = from };

	return pfm_counter_delta(&pmd, to);
}

static void delta_counts_across_the_wrap(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, delta(48, 0, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, delta(48, 5, 7), 2ULL);
	KUNIT_EXPECT_EQ(test, delta(48, BIT_ULL(48) - 1, 0), 1ULL);
	KUNIT_EXPECT_EQ(test, delta(48, BIT_ULL(48) - 3, 4), 7ULL);
	KUNIT_EXPECT_EQ(test, delta(48, 1, 0), BIT_ULL(48) - 1);
	KUNIT_EXPECT_EQ(test, delta(64, ~0ULL, 1), 2ULL);
}

/* Sign-extend the written bits as the hardware does. */
static u64 as_written(const struct pfm_reg_desc *d, u64 hw)
{
	u64 low = hw & pfm_width_mask(d->write_width);

	if (d->write_width < 64 && (low & BIT_ULL(d->write_width - 1)))
		low |= ~pfm_width_mask(d->write_width);
	return low & pfm_width_mask(d->width);
}

static u64 arm(const struct pfm_reg_desc *d, u64 value)
{
	return pfm_counter_arm(pfm_width_mask(d->width), pfm_counter_top(d), value);
}

static void armed_value_is_writable_and_never_late(struct kunit *test)
{
	static const u8 widths[][2] = { { 48, 48 }, { 48, 32 }, { 40, 32 }, { 32, 32 }, { 64, 64 },
					{ 31, 31 } };
	static const s64 offs[] = { -2, -1, 0, 1, 2 };
	struct pfm_reg_desc d = { };
	u64 value, hw, until_hw, until;
	int w, bit, o;

	for (w = 0; w < ARRAY_SIZE(widths); w++) {
		d.width = widths[w][0];
		d.write_width = widths[w][1];
		for (bit = 0; bit < 64; bit++) {
			for (o = 0; o < 2 * ARRAY_SIZE(offs); o++) {
				value = BIT_ULL(bit) + offs[o / 2];
				if (o & 1)
					value = -value;
				hw = arm(&d, value);
				KUNIT_EXPECT_EQ(test, hw, as_written(&d, hw));
				/* Events until the counter, and the value, wrap; 0: 2^64. */
				until_hw = d.width < 64 ? BIT_ULL(d.width) - hw : -hw;
				until = -value;
				KUNIT_EXPECT_LE(test, until_hw - 1, until - 1);
			}
		}
	}
}

static void armed_value_is_the_low_bits_near_the_overflow(struct kunit *test)
{
	struct pfm_reg_desc full = { .width = 48, .write_width = 48 };
	struct pfm_reg_desc half = { .width = 48, .write_width = 32 };
	struct pfm_reg_desc soft = { .width = 64, .write_width = 64 };
	struct pfm_reg_desc direct = { .width = 47, .write_width = 47, .direct = true };

	KUNIT_EXPECT_EQ(test, arm(&full, 0x1234d6789abcdef0ULL), 0xd6789abcdef0ULL);
	KUNIT_EXPECT_EQ(test, arm(&half, -1000ULL), BIT_ULL(48) - 1000);
	KUNIT_EXPECT_EQ(test, arm(&half, -BIT_ULL(40)), BIT_ULL(48) - BIT_ULL(31));
	/* A counter that began at the bottom could wrap unnoticed. */
	KUNIT_EXPECT_EQ(test, arm(&full, 0x123456789abcdef0ULL), BIT_ULL(47));
	KUNIT_EXPECT_EQ(test, arm(&half, 0x1234000012345678ULL), BIT_ULL(48) - BIT_ULL(31));
	KUNIT_EXPECT_EQ(test, arm(&full, 0), BIT_ULL(47));
	KUNIT_EXPECT_EQ(test, arm(&soft, 5), 5ULL);
	/* A counter that users read begins there all the same. */
	KUNIT_EXPECT_EQ(test, arm(&direct, 0x123456789abcdef0ULL), 0x56789abcdef0ULL);
}

static void register_iteration_sees_every_bit_once(struct kunit *test)
{
	u64 bv[PFM_MAX_PMD_BITVECTOR] = { };
	static const unsigned int want[] = { 0, 63, 64, 200, 255, 256, 319 };
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(want); i++)
		pfm_bv_set(bv, want[i]);
	pfm_for_each_reg(i, bv, PFM_MAX_PMDS) {
		KUNIT_ASSERT_LT(test, n, (unsigned int)ARRAY_SIZE(want));
		KUNIT_EXPECT_EQ(test, i, want[n]);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, (unsigned int)ARRAY_SIZE(want));
	pfm_for_each_reg(i, bv, 63)
		KUNIT_EXPECT_EQ(test, i, 0U);
}

/* covers: 3.2.3-1 */
static void present_pmu_is_valid(struct kunit *test)
{
	if (!pfm_pmu->num_pmcs)
		kunit_skip(test, "this machine has no PMU");
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(pfm_pmu), 0);
}

/* A name that begins like another one is a name of its own. */
static void registers_are_found_by_their_names(struct kunit *test)
{
	char longer[64];
	unsigned int i;

	for (i = 0; i < pfm_pmu->num_pmds; i++) {
		if (!pfm_pmu->pmds[i].name)
			continue;
		KUNIT_EXPECT_EQ(test, pfm_pmd_named(pfm_pmu->pmds[i].name), (int)i);
		snprintf(longer, sizeof(longer), "%s_", pfm_pmu->pmds[i].name);
		KUNIT_EXPECT_EQ(test, pfm_pmd_named(longer), -ENOENT);
	}
	KUNIT_EXPECT_EQ(test, pfm_pmd_named(""), -ENOENT);
}

static void software_pmu_is_valid(struct kunit *test)
{
#ifdef CONFIG_PERFMON_SOFT
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&pfm_soft_pmu), 0);
#else
	kunit_skip(test, "this kernel has none");
#endif
}

static struct kunit_case pfm_pmu_cases[] = {
	KUNIT_CASE(validator_accepts_a_good_table),
	KUNIT_CASE(validator_refuses_each_mistake_in_a_register),
	KUNIT_CASE(validator_refuses_each_mistake_between_registers),
	KUNIT_CASE(validator_accepts_good_banks),
	KUNIT_CASE(validator_refuses_each_mistake_in_a_bank),
	KUNIT_CASE(validator_looks_at_nothing_behind_the_tables),
	KUNIT_CASE(validator_accepts_what_is_just_right),
	KUNIT_CASE(validator_refuses_missing_operations),
	KUNIT_CASE(validator_accepts_holes),
	KUNIT_CASE(reserved_bits_keep_their_default),
	KUNIT_CASE(delta_counts_across_the_wrap),
	KUNIT_CASE(armed_value_is_writable_and_never_late),
	KUNIT_CASE(armed_value_is_the_low_bits_near_the_overflow),
	KUNIT_CASE(register_iteration_sees_every_bit_once),
	KUNIT_CASE(present_pmu_is_valid),
	KUNIT_CASE(registers_are_found_by_their_names),
	KUNIT_CASE(software_pmu_is_valid),
	{ }
};

static struct kunit_suite pfm_pmu_suite = {
	.name = "perfmon_pmu",
	.test_cases = pfm_pmu_cases,
};

kunit_test_suite(pfm_pmu_suite);
