// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of Intel's last branch records, on a model of their registers.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/perfmon_branch.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "intel_extra.h"
#include "intel_hybrid.h"
#include "intel_lbr_kunit.h"
#include "tables.h"

#define SELECT		0x1c8
#define TOS		0x1c9
#define DEBUGCTL	0x1d9
#define PERF_CAPS	0x345
#define OTHER_CAPS	0x2040	/* full width writes, and a bit of PEBS */
#define FROM		0x680
#define TO		0x6c0

#define BTF		BIT_ULL(1)
#define BUS_LOCK	BIT_ULL(2)
#define LBR		BIT_ULL(0)
#define FREEZE		BIT_ULL(11)

#define USER		0x00007f0000401000ULL
#define KERNEL		0xffffffff81000000ULL
#define MISPRED		BIT_ULL(63)
#define IN_TSX		BIT_ULL(62)
#define TSX_ABORT	BIT_ULL(61)
#define INFO		0xdc0

#define PREDICTED	PFM_BRANCH_PREDICTED
#define MISPREDICTED	PFM_BRANCH_MISPREDICTED
#define IN_TRANSACTION	PFM_BRANCH_IN_TRANSACTION
#define ABORT		PFM_BRANCH_ABORT
#define CYCLES		PFM_BRANCH_CYCLES

static const struct pfm_bank *const bank = &pfm_intel_lbr_bank;

int pfm_lbr_test_init(struct kunit *test)
{
	struct pfm_lbr_state *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	kunit_info(test, "machine: Intel LBR, register model\n");
	s->before = pfm_intel_lbr;
	s->regs.pmcs = s->pmcs;
	test->priv = s;
	return 0;
}

void pfm_lbr_test_exit(struct kunit *test)
{
	struct pfm_lbr_state *s = test->priv;

	pfm_msr_use(NULL);
	if (s)
		pfm_intel_lbr = s->before;
}

void pfm_lbr_add_records(struct pfm_msr_cell *cell, u32 from, u32 to, unsigned int entries)
{
	unsigned int i;

	for (i = 0; i < entries; i++) {
		*cell++ = (struct pfm_msr_cell) { .msr = from + i, .takes = ~0ULL };
		*cell++ = (struct pfm_msr_cell) { .msr = to + i, .takes = ~0ULL };
	}
}

void pfm_lbr_add_info(struct pfm_msr_cell *cells, u32 info, unsigned int entries)
{
	unsigned int i;

	while (cells->msr)
		cells++;
	for (i = 0; i < entries; i++)
		*cells++ = (struct pfm_msr_cell) { .msr = info + i, .takes = ~0ULL };
}

/* A processor with a ring of @entries, and a set that records. */
static struct pfm_lbr_state *use(struct kunit *test, unsigned int entries)
{
	const struct pfm_intel_lbr lbr = { .entries = entries, .from = FROM, .to = TO };
	struct pfm_lbr_state *s = test->priv;
	struct pfm_msr_cell *cell = s->cells;

	memset(s->cells, 0, sizeof(s->cells));
	*cell++ = (struct pfm_msr_cell) { .msr = SELECT, .takes = 0x1ff };
	*cell++ = (struct pfm_msr_cell) { .msr = TOS };
	*cell++ = (struct pfm_msr_cell) {
		.msr = DEBUGCTL, .takes = LBR | FREEZE | BTF | BUS_LOCK
	};
	pfm_lbr_add_records(cell, FROM, TO, entries);
	pfm_intel_lbr = lbr;
	s->regs.used_pmcs[0] = BIT_ULL(PFM_INTEL_DEBUGCTL);
	s->pmcs[PFM_INTEL_DEBUGCTL] = LBR | FREEZE;
	pfm_msr_use(s->cells);
	return s;
}

/* The processor records a branch. */
static void branch(unsigned int entries, u64 from, u64 to)
{
	unsigned int latest = (pfm_lbr_msr(TOS) + 1) % entries;

	pfm_lbr_set_msr(TOS, latest);
	pfm_lbr_set_msr(FROM + latest, from);
	pfm_lbr_set_msr(TO + latest, to);
}

static bool steps;

static void check_stepping(u64 debugctl)
{
	steps &= !!(debugctl & BTF);
}

static void lbr_is_found(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);
	unsigned int format;

	for (format = 0; format < 64; format++)
		KUNIT_EXPECT_EQ(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 0x2040 | format, false),
				format >= 1 && format <= 7);
	/* The old values are restored. */
	pfm_lbr_set_msr(FROM, USER);
	pfm_lbr_set_msr(DEBUGCTL, BTF);
	pfm_msr_cell(DEBUGCTL)->wrote = check_stepping;
	steps = true;
	KUNIT_EXPECT_TRUE(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, true));
	/* Another owner's bit is set all the time. */
	KUNIT_EXPECT_TRUE(test, steps);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(FROM), USER);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BTF);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_intel_lbr.no_pt = true;
	KUNIT_EXPECT_TRUE(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, false));
	KUNIT_EXPECT_FALSE(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, true));
	pfm_intel_lbr = s->before;
}

/* There is nothing to probe: no register has a number. */
static void a_model_without_records_is_not_probed(struct kunit *test)
{
	static const struct pfm_intel_lbr none;

	use(test, 16);
	KUNIT_EXPECT_FALSE(test, pfm_intel_probe_lbr(&none, 3, false));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
}

static void lbr_that_is_not_whole_is_not_there(struct kunit *test)
{
	static const u32 each[] = { TOS, DEBUGCTL, FROM, TO, FROM + 15, TO + 15 };
	struct pfm_lbr_state *s;
	int i;

	for (i = 0; i < ARRAY_SIZE(each); i++) {
		s = use(test, 16);
		pfm_msr_cell(each[i])->msr = 0xffff;
		KUNIT_EXPECT_FALSE_MSG(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, false),
				       "without %#x", each[i]);
	}
	for (i = 1; i < ARRAY_SIZE(each); i++) {
		s = use(test, 16);
		pfm_msr_cell(each[i])->ignores_writes = true;
		KUNIT_EXPECT_FALSE_MSG(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, false),
				       "ignored writes of %#x", each[i]);
	}
	s = use(test, 16);
	pfm_msr_cell(DEBUGCTL)->takes = LBR | BTF;
	KUNIT_EXPECT_FALSE_MSG(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, false), "no freeze");
	/* Half of the model's entries. */
	s = use(test, 16);
	pfm_intel_lbr.entries = 32;
	KUNIT_EXPECT_FALSE(test, pfm_intel_probe_lbr(&pfm_intel_lbr, 3, false));
	pfm_intel_lbr = s->before;
}

static bool irqs_on;

static void check_irqs(u64 value)
{
	irqs_on |= !irqs_disabled();
}

/* Probe for a ring of 16 on a processor of this version. */
static void probe_model(struct kunit *test, u64 select, unsigned int version, bool hybrid,
			u64 *extra)
{
	static const struct pfm_intel_model model = {
		.extra = { [PFM_INTEL_LBR_SELECT] = 0x1ff },
		.lbr = { .entries = 16, .from = FROM, .to = TO },
	};
	const struct pfm_intel_cpu common = { .caps.version = version };
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct pfm_lbr_state *s = use(test, 16);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	set_cpu_cap(c, X86_FEATURE_PDCM);
	pfm_lbr_add_info(s->cells, PERF_CAPS, 1);
	pfm_lbr_set_msr(PERF_CAPS, OTHER_CAPS | 3);
	pfm_msr_cell(SELECT)->takes = select;
	pfm_msr_cell(SELECT)->wrote = check_irqs;
	pfm_msr_cell(FROM)->wrote = check_irqs;
	irqs_on = false;
	pfm_intel_lbr = (struct pfm_intel_lbr) { };
	memset(extra, 0, PFM_INTEL_NUM_EXTRA * sizeof(*extra));
	pfm_intel_probe_model(c, &model, &common, hybrid, extra);
	KUNIT_EXPECT_FALSE(test, irqs_on);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
}

static void a_ring_is_used_with_its_filter(struct kunit *test)
{
	u64 extra[PFM_INTEL_NUM_EXTRA];

	probe_model(test, 0x1ff, 3, false, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 16);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.flags, MISPRED);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.frozen, 0ULL);
	KUNIT_EXPECT_EQ(test, extra[PFM_INTEL_LBR_SELECT], 0x1ffULL);
	/* Since version 4 the freeze is a bit of the status. */
	probe_model(test, 0x1ff, 4, false, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.frozen, BIT_ULL(58));
	/* Version 2 is the first one with a register that starts all counters. */
	probe_model(test, 0x1ff, 2, false, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 16);
	probe_model(test, 0x1ff, 1, false, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 0);
	KUNIT_EXPECT_EQ(test, extra[PFM_INTEL_LBR_SELECT], 0ULL);
}

/* Then each user would record the kernel. */
static void a_ring_without_the_filter_by_level_is_not_used(struct kunit *test)
{
	u64 extra[PFM_INTEL_NUM_EXTRA];

	probe_model(test, 0x1fe, 3, false, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 0);
	KUNIT_EXPECT_EQ(test, extra[PFM_INTEL_LBR_SELECT], 0ULL);
	/* The other type of cores may have none. */
	probe_model(test, 0x1ff, 3, true, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 0);
	KUNIT_EXPECT_EQ(test, extra[PFM_INTEL_LBR_SELECT], 0ULL);
}

/* Under a hypervisor that has one register of them. */
static void a_filter_without_a_ring_is_not_used(struct kunit *test)
{
	static const struct pfm_intel_model model = {
		.extra = { [PFM_INTEL_LBR_SELECT] = 0x1ff },
		.lbr = { .entries = 16, .from = FROM, .to = TO, .no_pt = true },
	};
	const struct pfm_intel_cpu common = { .caps.version = 3 };
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct pfm_msr_cell cells[] = { { .msr = SELECT, .takes = 0x1ff }, { } };
	u64 extra[PFM_INTEL_NUM_EXTRA] = { };

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	pfm_intel_lbr = (struct pfm_intel_lbr) { };
	pfm_msr_use(cells);
	pfm_intel_probe_model(c, &model, &common, false, extra);
	KUNIT_EXPECT_EQ(test, pfm_intel_lbr.entries, 0);
	KUNIT_EXPECT_EQ(test, extra[PFM_INTEL_LBR_SELECT], 0ULL);
}

static void records_are_read_most_recent_first(struct kunit *test)
{
	static const unsigned int rings[] = { 8, 16, 32 };
	unsigned int r, n, i, records;

	for (r = 0; r < ARRAY_SIZE(rings); r++) {
		use(test, rings[r]);
		records = min(rings[r], 16U);
		/* Past the ring's end, wherever that falls. */
		for (n = 0; n < 3 * rings[r]; n++) {
			branch(rings[r], USER + 16 * n, USER + 16 * n + 8);
			for (i = 0; i < records && i <= n; i++) {
				KUNIT_EXPECT_EQ(test, bank->read_pmd(32 + i),
						USER + 16 * (n - i));
				KUNIT_EXPECT_EQ(test, bank->read_pmd(48 + i),
						USER + 16 * (n - i) + 8);
			}
		}
		KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	}
}

static void records_are_loaded_where_the_ring_is(struct kunit *test)
{
	static const unsigned int rings[] = { 8, 16, 32 };
	unsigned int r, tos, i, records;

	for (r = 0; r < ARRAY_SIZE(rings); r++) {
		use(test, rings[r]);
		records = min(rings[r], 16U);
		for (tos = 0; tos < rings[r]; tos++) {
			pfm_lbr_set_msr(TOS, tos);
			for (i = 0; i < records; i++) {
				bank->write_pmd(32 + i, USER + i);
				bank->write_pmd(48 + i, USER + 32 + i);
			}
			KUNIT_EXPECT_EQ(test, pfm_lbr_msr(FROM + tos), USER);
			KUNIT_EXPECT_EQ(test, pfm_lbr_msr(TO + (tos + rings[r] - 1) % rings[r]),
					USER + 33);
			/* The next branch pushes out the oldest of them, not any other. */
			branch(rings[r], USER + 100, USER + 200);
			KUNIT_EXPECT_EQ(test, bank->read_pmd(32), USER + 100);
			for (i = 1; i < records; i++) {
				KUNIT_EXPECT_EQ(test, bank->read_pmd(32 + i), USER + i - 1);
				KUNIT_EXPECT_EQ(test, bank->read_pmd(48 + i), USER + 31 + i);
			}
		}
	}
}

/* Flags in the upper bits are not shown, and never written: that may fault. */
static void records_are_addresses(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);

	s->regs.used_pmcs[0] |= BIT_ULL(22);
	s->pmcs[22] = PFM_INTEL_LBR_KERNEL;
	bank->start(&s->regs);
	branch(16, MISPRED | USER, USER | 0x2dULL << 57);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), USER);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(48), USER);
	branch(16, KERNEL & ~MISPRED, KERNEL);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), KERNEL);
	bank->write_pmd(32, MISPRED | USER);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(FROM + 2), USER);
	bank->write_pmd(48, 0x8000ULL << 32 | 0x10);
	KUNIT_EXPECT_EQ(test, (s64)pfm_lbr_msr(TO + 2) >> __VIRTUAL_MASK_SHIFT,
			__VIRTUAL_MASK_SHIFT == 47 ? -1LL : 0LL);
}

static void addresses_end_where_user_level_ends(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);

	bank->start(&s->regs);
	branch(16, TASK_SIZE_MAX - 1, TASK_SIZE_MAX);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), (u64)TASK_SIZE_MAX - 1);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(48), 0ULL);
}

static void kernel_addresses_are_shown_to_who_records_them(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);

	/* Like a return from a system call, and like a branch that a faulty filter lets through. */
	branch(16, KERNEL, USER);
	branch(16, USER, KERNEL);
	bank->start(&s->regs);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), USER);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(48), 0ULL);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(33), 0ULL);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(49), USER);
	/* A value in the table is not programmed by the set yet. */
	s->pmcs[22] = PFM_INTEL_LBR_KERNEL;
	bank->start(&s->regs);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(33), 0ULL);
	s->regs.used_pmcs[0] |= BIT_ULL(22);
	bank->start(&s->regs);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(33), KERNEL);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(48), KERNEL);
	/* The next set must not see it either. */
	s->pmcs[22] = 0x1fe;
	bank->start(&s->regs);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(33), 0ULL);
}

/* A processor whose records have this format. */
static void use_format(struct kunit *test, unsigned int entries, unsigned int format)
{
	struct pfm_lbr_state *s = use(test, entries);

	if (format == 5 || format == 7)
		pfm_lbr_add_info(s->cells, INFO, entries);
	pfm_intel_probe_lbr_flags(&pfm_intel_lbr, OTHER_CAPS | format, 0);
	bank->start(&s->regs);
}

/* ... and with flags of its own */
static void branch_with(unsigned int entries, u64 from, u64 to, u64 info)
{
	branch(entries, from, to);
	pfm_lbr_set_msr(INFO + pfm_lbr_msr(TOS), info);
}

#define EXPECT_BRANCH(test, b, _from, _to, _flags, _cycles) do {	\
	KUNIT_EXPECT_EQ(test, (b).from, (u64)(_from));			\
	KUNIT_EXPECT_EQ(test, (b).to, (u64)(_to));			\
	KUNIT_EXPECT_EQ(test, (b).flags, (u32)(_flags));		\
	KUNIT_EXPECT_EQ(test, (b).cycles, (u32)(_cycles));		\
} while (0)

static void branches_have_the_flags_of_the_format(struct kunit *test)
{
	static const u32 predicted[] = { 0, 0, 0, PREDICTED, PREDICTED, 0, PREDICTED | CYCLES };
	static const u32 flags[] = { 0, 0, 0, MISPREDICTED, MISPREDICTED | IN_TRANSACTION | ABORT,
				     0, MISPREDICTED | CYCLES };
	struct pfm_branch b[2];
	unsigned int format;

	for (format = 1; format < ARRAY_SIZE(flags); format++) {
		if (format == 5)
			continue;
		use_format(test, 16, format);
		branch(16, USER, USER + 8 + ((format == 6 ? 7ULL : 0) << 48));
		branch(16, MISPRED | IN_TSX | TSX_ABORT | USER, USER + 16);
		KUNIT_ASSERT_EQ(test, bank->branches(2, b), 2U);
		EXPECT_BRANCH(test, b[0], USER, USER + 16, flags[format], 0);
		EXPECT_BRANCH(test, b[1], USER, USER + 8, predicted[format], format == 6 ? 7 : 0);
		KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	}
}

static void branches_may_have_flags_of_their_own(struct kunit *test)
{
	struct pfm_branch b[3];

	use_format(test, 32, 5);
	/* Bits 16 to 55 are undefined. */
	branch_with(32, USER, USER + 8, GENMASK_ULL(55, 16) | 12);
	branch_with(32, USER, USER + 16, MISPRED | 0xffff);
	branch_with(32, USER, USER + 24, IN_TSX | TSX_ABORT | 1);
	KUNIT_ASSERT_EQ(test, bank->branches(3, b), 3U);
	EXPECT_BRANCH(test, b[0], USER, USER + 24, PREDICTED | IN_TRANSACTION | ABORT | CYCLES, 1);
	EXPECT_BRANCH(test, b[1], USER, USER + 16, MISPREDICTED | CYCLES, 0xffff);
	EXPECT_BRANCH(test, b[2], USER, USER + 8, PREDICTED | CYCLES, 12);
	/* Without transactions */
	use_format(test, 32, 7);
	branch_with(32, USER, USER + 8, IN_TSX | TSX_ABORT | 3);
	KUNIT_ASSERT_EQ(test, bank->branches(3, b), 1U);
	EXPECT_BRANCH(test, b[0], USER, USER + 8, PREDICTED | CYCLES, 3);
}

/* A hypervisor may leave such registers out, all of them, the first or the last. */
static void flags_of_their_own_may_be_missing(struct kunit *test)
{
	static const u32 missing[] = { INFO, INFO + 31, 0 };
	struct pfm_lbr_state *s;
	struct pfm_branch b[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(missing); i++) {
		s = use(test, 32);
		if (missing[i]) {
			pfm_lbr_add_info(s->cells, INFO, 32);
			pfm_msr_cell(missing[i])->msr = 0xffff;
		}
		pfm_intel_probe_lbr_flags(&pfm_intel_lbr, 5, 0);
		pfm_msr_use(s->cells);
		bank->start(&s->regs);
		branch(32, MISPRED | USER, USER + 8);
		KUNIT_ASSERT_EQ(test, bank->branches(3, b), 1U);
		EXPECT_BRANCH(test, b[0], USER, USER + 8, 0, 0);
		bank->write_pmd(32, USER);
		KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	}
}

static void branches_are_as_many_as_there_are(struct kunit *test)
{
	static const unsigned int rings[] = { 8, 16, 32 };
	unsigned int r, n, i, records;
	struct pfm_branch b[PFM_BRANCHES_MAX];

	for (r = 0; r < ARRAY_SIZE(rings); r++) {
		use_format(test, rings[r], 3);
		/* Those beyond the PMDs may be another thread's. */
		records = min(rings[r], 16U);
		for (n = 0; n < 3 * rings[r]; n++) {
			KUNIT_EXPECT_EQ(test, bank->branches(PFM_BRANCHES_MAX, b),
					min(n, records));
			for (i = 0; i < min(n, records); i++)
				EXPECT_BRANCH(test, b[i], USER + n - 1 - i, USER + 100, PREDICTED,
					      0);
			KUNIT_EXPECT_EQ(test, bank->branches(3, b), min(n, 3U));
			branch(rings[r], USER + n, USER + 100);
		}
	}
}

/* Flags are not saved: those in the registers are another thread's, or none. */
static void loaded_branches_have_no_flags(struct kunit *test)
{
	static const unsigned int formats[] = { 3, 4, 5, 6, 7 };
	struct pfm_lbr_state *s = test->priv;
	struct pfm_branch b[3];
	unsigned int f, i;

	for (f = 0; f < ARRAY_SIZE(formats); f++) {
		use_format(test, 16, formats[f]);
		s->regs.used_pmcs[0] |= BIT_ULL(22);
		s->pmcs[22] = PFM_INTEL_LBR_KERNEL;
		bank->start(&s->regs);
		for (i = 0; i < 16; i++) {
			branch(16, MISPRED | USER, USER + i);
			if (pfm_intel_lbr.info)
				pfm_lbr_set_msr(INFO + i, MISPRED | 9);
		}
		bank->write_pmd(32, KERNEL);
		bank->write_pmd(48, KERNEL + 8);
		bank->write_pmd(33, USER);
		bank->write_pmd(49, USER + 8);
		KUNIT_ASSERT_EQ(test, bank->branches(3, b), 3U);
		EXPECT_BRANCH(test, b[0], KERNEL, KERNEL + 8, 0, 0);
		EXPECT_BRANCH(test, b[1], USER, USER + 8, 0, 0);
		KUNIT_EXPECT_TRUE(test, b[2].flags & MISPREDICTED);
		KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
		s->regs.used_pmcs[0] &= ~BIT_ULL(22);
		s->pmcs[22] = 0;
	}
}

static void branches_of_the_kernel_are_shown_to_who_records_them(struct kunit *test)
{
	struct pfm_lbr_state *s = test->priv;
	struct pfm_branch b[3];

	use_format(test, 16, 5);
	branch_with(16, USER, USER + 8, 2);
	branch_with(16, KERNEL, KERNEL, 3);
	branch_with(16, KERNEL, USER + 24, MISPRED | 4);
	KUNIT_ASSERT_EQ(test, bank->branches(3, b), 3U);
	EXPECT_BRANCH(test, b[0], 0, USER + 24, 0, 0);
	EXPECT_BRANCH(test, b[1], 0, 0, 0, 0);
	EXPECT_BRANCH(test, b[2], USER, USER + 8, PREDICTED | CYCLES, 2);
	s->regs.used_pmcs[0] |= BIT_ULL(22);
	s->pmcs[22] = PFM_INTEL_LBR_KERNEL;
	/* A start that finds the records on drops them. */
	bank->stop(&s->regs);
	bank->start(&s->regs);
	KUNIT_ASSERT_EQ(test, bank->branches(3, b), 3U);
	EXPECT_BRANCH(test, b[0], KERNEL, USER + 24, MISPREDICTED | CYCLES, 4);
	EXPECT_BRANCH(test, b[1], KERNEL, KERNEL, PREDICTED | CYCLES, 3);
	s->regs.used_pmcs[0] &= ~BIT_ULL(22);
}

/* As many as there are, up to the oldest of which an address is shown. */
static void a_return_from_the_kernel_is_a_branch(struct kunit *test)
{
	struct pfm_branch b[3];

	use_format(test, 16, 3);
	branch(16, KERNEL, USER);
	KUNIT_ASSERT_EQ(test, bank->branches(3, b), 1U);
	EXPECT_BRANCH(test, b[0], 0, USER, 0, 0);
	branch(16, USER + 8, KERNEL);
	KUNIT_ASSERT_EQ(test, bank->branches(3, b), 2U);
	EXPECT_BRANCH(test, b[0], USER + 8, 0, 0, 0);
}

static void other_bits_of_debugctl_are_left_alone(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);

	branch(16, USER, USER + 8);
	pfm_lbr_set_msr(DEBUGCTL, BTF | BUS_LOCK);
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BTF | BUS_LOCK | LBR | FREEZE);
	/* They do not show that anything was recorded. */
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), USER);
	/* Stepping ends meanwhile. */
	pfm_lbr_set_msr(DEBUGCTL, pfm_lbr_msr(DEBUGCTL) & ~BTF);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BUS_LOCK);
	/* Nothing to do: nothing is written. */
	pfm_msr_cell(DEBUGCTL)->writes = 0;
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(DEBUGCTL)->writes, 0U);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
}

static bool recording;

static void check_recording(u64 from)
{
	recording |= !!(pfm_lbr_msr(DEBUGCTL) & LBR);
}

/* A write to DEBUGCTL that the NMI interrupted has restored perfmon's bits. */
static void what_was_recorded_for_nobody_is_dropped(struct kunit *test)
{
	struct pfm_lbr_state *s = test->priv;
	unsigned int i;

	use_format(test, 32, 5);
	bank->stop(&s->regs);
	for (i = 0; i < 32; i++)
		branch_with(32, USER + i, USER + 8, 7);
	bank->start(&s->regs);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), USER + 31);
	pfm_msr_cell(FROM)->wrote = check_recording;
	recording = false;
	pfm_lbr_set_msr(DEBUGCTL, BTF | LBR | FREEZE);
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BTF | LBR | FREEZE);
	for (i = 0; i < 32; i++)
		KUNIT_EXPECT_EQ(test, pfm_lbr_msr(FROM + i) | pfm_lbr_msr(TO + i) |
				pfm_lbr_msr(INFO + i), 0ULL);
	/* Nothing is recorded meanwhile, nor later if the set does not record. */
	KUNIT_EXPECT_FALSE(test, recording);
	s->pmcs[PFM_INTEL_DEBUGCTL] = FREEZE;
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), BTF | FREEZE);
}

static void frozen_records_are_set_free(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);

	/* Before version 4 the interrupt clears the bit that records. */
	bank->start(&s->regs);
	pfm_lbr_set_msr(DEBUGCTL, pfm_lbr_msr(DEBUGCTL) & ~LBR);
	bank->stop(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), 0ULL);
	branch(16, USER, USER);
	bank->start(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(DEBUGCTL), LBR | FREEZE);
	KUNIT_EXPECT_EQ(test, bank->read_pmd(32), USER);
}

/* Since version 4 the freeze is a bit of the status. */
static void a_freeze_is_acknowledged_with_the_overflows(struct kunit *test)
{
	static const u64 extra[PFM_INTEL_NUM_EXTRA] = { [PFM_INTEL_LBR_SELECT] = 0x1ff };
	const struct pfm_intel_caps caps = {
		.version = 4, .num_gp = 4, .gp_width = 48, .fixed_mask = 0x7, .fixed_width = 48,
	};
	struct pfm_intel_lbr lbr = { .entries = 16, .from = FROM, .to = TO };
	struct pfm_intel_pmu *intel = kunit_kzalloc(test, sizeof(*intel), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, intel);
	pfm_intel_build(intel, caps, extra, &lbr);
	KUNIT_EXPECT_EQ(test, intel->status, 0x70000000fULL);
	memset(intel, 0, sizeof(*intel));
	lbr.frozen = BIT_ULL(58);
	pfm_intel_build(intel, caps, extra, &lbr);
	KUNIT_EXPECT_EQ(test, intel->status, BIT_ULL(58) | 0x70000000fULL);
}

static void zero_leaves_out_the_kernel(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 16);
	struct pfm_regs without = { .used_pmcs = { BIT_ULL(0) } };

	pfm_intel_extra_bank.write_pmc(22, 0);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(SELECT), 0x1ULL);
	pfm_intel_extra_bank.write_pmc(22, PFM_INTEL_LBR_KERNEL | 0x1fc);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(SELECT), 0x1fcULL);
	/* A set without it must not have the value that another one left. */
	pfm_intel_extra_bank.load(&without);
	KUNIT_EXPECT_EQ(test, pfm_lbr_msr(SELECT), 0x1ULL);
	pfm_msr_cell(SELECT)->writes = 0;
	pfm_intel_extra_bank.load(&s->regs);
	KUNIT_EXPECT_EQ(test, pfm_msr_cell(SELECT)->writes, 0U);
}

static void only_a_set_that_records_has_records(struct kunit *test)
{
	struct pfm_lbr_state *s = use(test, 8);

	s->regs.used_pmcs[0] |= BIT_ULL(0);
	s->pmcs[0] = 0x5300c0;
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0x00ff00ff00000001ULL);
	KUNIT_EXPECT_EQ(test, s->regs.enable, 1ULL);
	s->pmcs[PFM_INTEL_DEBUGCTL] = FREEZE;
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 1ULL);
	s->pmcs[PFM_INTEL_DEBUGCTL] = LBR | FREEZE;
	s->regs.used_pmcs[0] = BIT_ULL(0);
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 1ULL);
	/* Of a longer ring the latest 16. */
	s = use(test, 32);
	pfm_lbr_prepare(&s->regs);
	KUNIT_EXPECT_EQ(test, s->regs.live_pmds, 0xffffffff00000000ULL);
}

static const struct pfm_pmu *build(struct kunit *test, unsigned int cpu)
{
	const struct pfm_table *table = pfm_intel_find_model(6, cpu);
	void *space = kunit_kzalloc(test, table->size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, space);
	return table->build(table, space);
}

static void models_have_the_documented_records(struct kunit *test)
{
	static const struct {
		unsigned int	cpu, records;
		bool		architectural;
	} cases[] = {
		{ 0x0e, 0 }, { 0x0f, 0 }, { 0x1c, 0 }, { 0x8f, 16, true }, { 0xfe, 16, true },
		{ 0x37, 8 }, { 0x1a, 16 }, { 0x2c, 16 }, { 0x2a, 16 }, { 0x3a, 16 }, { 0x3c, 16 },
		{ 0x3d, 16 }, { 0x4e, 16 }, { 0x6a, 16 }, { 0x5c, 16 }, { 0x86, 16 },
	};
	const struct pfm_pmu *pmu;
	unsigned int c, i, from, to, pmcs;

	for (c = 0; c < ARRAY_SIZE(cases); c++) {
		pmcs = 24 + cases[c].architectural;
		pmu = build(test, cases[c].cpu);
		for (i = 0, from = 0, to = 0; i < 16; i++) {
			from += pmu->num_pmds > 32 + i && pmu->pmds[32 + i].name;
			to += pmu->num_pmds > 48 + i && pmu->pmds[48 + i].name;
		}
		KUNIT_EXPECT_EQ_MSG(test, from, cases[c].records, pmu->name);
		KUNIT_EXPECT_EQ_MSG(test, to, cases[c].records, pmu->name);
		KUNIT_EXPECT_EQ_MSG(test, pmu->num_pmcs == pmcs, !!cases[c].records, pmu->name);
	}
}

static void control_registers_are_the_documented_ones(struct kunit *test)
{
	const struct pfm_pmu *pmu = build(test, 0x1a);
	const struct pfm_reg_desc *select = &pmu->pmcs[22], *ctl = &pmu->pmcs[23];
	unsigned int i;

	KUNIT_EXPECT_STREQ(test, select->name, "MSR_LBR_SELECT");
	KUNIT_EXPECT_EQ(test, select->def, 0ULL);
	KUNIT_EXPECT_EQ(test, select->rsvd, ~0x1ffULL);
	KUNIT_EXPECT_EQ(test, select->kernel_bits, 1ULL);
	KUNIT_EXPECT_STREQ(test, ctl->name, "IA32_DEBUGCTL");
	KUNIT_EXPECT_EQ(test, ctl->addr, 0x1d9ULL);
	KUNIT_EXPECT_EQ(test, ctl->def, FREEZE);
	KUNIT_EXPECT_EQ(test, ctl->rsvd, ~LBR);
	for (i = 32; i < 64; i++) {
		KUNIT_EXPECT_EQ(test, pmu->pmds[i].width, 64);
		KUNIT_EXPECT_EQ(test, pmu->pmds[i].deps[0], BIT_ULL(22) | BIT_ULL(23));
	}
	KUNIT_EXPECT_EQ(test, select->deps[0], GENMASK_ULL(63, 32));
	KUNIT_EXPECT_EQ(test, ctl->deps[0], GENMASK_ULL(63, 32));
	KUNIT_EXPECT_STREQ(test, pmu->pmds[32].name, "LASTBRANCH_0_FROM_IP");
	KUNIT_EXPECT_STREQ(test, pmu->pmds[47].name, "LASTBRANCH_15_FROM_IP");
	KUNIT_EXPECT_STREQ(test, pmu->pmds[48].name, "LASTBRANCH_0_TO_IP");
	KUNIT_EXPECT_STREQ(test, pmu->pmds[63].name, "LASTBRANCH_15_TO_IP");
}

static struct kunit_case pfm_intel_lbr_cases[] = {
	KUNIT_CASE(lbr_is_found),
	KUNIT_CASE(a_model_without_records_is_not_probed),
	KUNIT_CASE(lbr_that_is_not_whole_is_not_there),
	KUNIT_CASE(a_ring_is_used_with_its_filter),
	KUNIT_CASE(a_ring_without_the_filter_by_level_is_not_used),
	KUNIT_CASE(a_filter_without_a_ring_is_not_used),
	KUNIT_CASE(records_are_read_most_recent_first),
	KUNIT_CASE(records_are_loaded_where_the_ring_is),
	KUNIT_CASE(records_are_addresses),
	KUNIT_CASE(addresses_end_where_user_level_ends),
	KUNIT_CASE(kernel_addresses_are_shown_to_who_records_them),
	KUNIT_CASE(branches_have_the_flags_of_the_format),
	KUNIT_CASE(branches_may_have_flags_of_their_own),
	KUNIT_CASE(flags_of_their_own_may_be_missing),
	KUNIT_CASE(branches_are_as_many_as_there_are),
	KUNIT_CASE(loaded_branches_have_no_flags),
	KUNIT_CASE(branches_of_the_kernel_are_shown_to_who_records_them),
	KUNIT_CASE(a_return_from_the_kernel_is_a_branch),
	KUNIT_CASE(other_bits_of_debugctl_are_left_alone),
	KUNIT_CASE(what_was_recorded_for_nobody_is_dropped),
	KUNIT_CASE(frozen_records_are_set_free),
	KUNIT_CASE(a_freeze_is_acknowledged_with_the_overflows),
	KUNIT_CASE(zero_leaves_out_the_kernel),
	KUNIT_CASE(only_a_set_that_records_has_records),
	KUNIT_CASE(models_have_the_documented_records),
	KUNIT_CASE(control_registers_are_the_documented_ones),
	{ }
};

static struct kunit_suite pfm_intel_lbr_suite = {
	.name = "perfmon_intel_lbr",
	.init = pfm_lbr_test_init,
	.exit = pfm_lbr_test_exit,
	.test_cases = pfm_intel_lbr_cases,
};

kunit_test_suite(pfm_intel_lbr_suite);
