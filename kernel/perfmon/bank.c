// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the banks of the PMU: registers beside its counters.
 *
 * An access to a register of a bank is the bank's operation; all other registers are those of
 * the PMU's own operations. A bank starts before the counters, and stops before them: when a
 * counter overflows, the bank already runs, and when the kernel goes on after the stop, the bank
 * has seen as little of it as possible.
 *
 * Some of this is done at each context switch. So a PMU without banks pays nothing: its own
 * operations are the core's static calls. For a PMU with banks these are the operations here,
 * which find the bank: a set that uses none pays for a test of one word.
 */
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/limits.h>
#include <linux/static_call.h>
#include "bank.h"
#include "pmu.h"

static const struct pfm_bank * const pfm_no_banks[] = { NULL };

const struct pfm_bank * const *pfm_banks __ro_after_init = pfm_no_banks;
u64 pfm_bank_pmds __ro_after_init;
unsigned int pfm_bank_pmc __ro_after_init = UINT_MAX;
bool pfm_banks_share __ro_after_init;
const struct pfm_bank *pfm_branch_bank __ro_after_init;
u64 pfm_branch_pmds __ro_after_init;

DEFINE_STATIC_CALL_NULL(pfm_banks_load, pfm_banks_load);

/* Of the PMU's operations, those on registers. */
#define PFM_REG_OPS(X)							\
	X(init_cpu) X(prepare) X(start) X(stop) X(write_pmc) X(write_pmd) X(read_pmd)

/* The PMU's own ones, if it has banks. */
#define X(name) \
	DEFINE_STATIC_CALL_NULL(pfm_own_##name, *((struct pfm_pmu_ops *)0)->name);
PFM_REG_OPS(X)
#undef X
#define pfm_own_op(name)	static_call(pfm_own_##name)

static u64 pfm_pmds_of_bank(const struct pfm_bank *bank)
{
	return bank->end_pmd ? GENMASK_ULL(bank->end_pmd - 1, bank->pmd) : 0;
}

static bool pfm_bank_has_pmc(const struct pfm_bank *bank, unsigned int pmc)
{
	return pmc >= bank->pmc && pmc < bank->end_pmc;
}

/* NULL: the PMC is the PMU's own. */
static const struct pfm_bank *pfm_bank_of_pmc(unsigned int pmc)
{
	const struct pfm_bank *bank;

	pfm_for_each_bank(bank) {
		if (pfm_bank_has_pmc(bank, pmc))
			return bank;
	}
	return NULL;
}

/* @pmd is one of pfm_bank_pmds. */
static const struct pfm_bank *pfm_bank_of_pmd(unsigned int pmd)
{
	const struct pfm_bank * const *bank = pfm_banks;

	while (pmd < (*bank)->pmd || pmd >= (*bank)->end_pmd)
		bank++;
	return *bank;
}

static void pfm_banked_init_cpu(void)
{
	const struct pfm_bank *bank;

	pfm_own_op(init_cpu)();
	pfm_for_each_bank(bank) {
		if (bank->init_cpu)
			bank->init_cpu();
	}
}

static void pfm_banked_prepare(struct pfm_regs *regs)
{
	const struct pfm_bank *bank;

	regs->needs_pmi = 0;
	pfm_own_op(prepare)(regs);
	pfm_for_each_bank(bank) {
		if (bank->prepare)
			bank->prepare(regs);
	}
}

static noinline void pfm_banks_start(const struct pfm_regs *regs)
{
	const struct pfm_bank *bank;

	pfm_for_each_bank(bank) {
		if (bank->start && (regs->live_pmds & pfm_pmds_of_bank(bank)))
			bank->start(regs);
	}
}

static void pfm_banked_start(const struct pfm_regs *regs)
{
	if (unlikely(regs->live_pmds & pfm_bank_pmds))
		pfm_banks_start(regs);
	pfm_own_op(start)(regs);
}

static noinline void pfm_banks_stop(const struct pfm_regs *regs)
{
	const struct pfm_bank *bank;

	pfm_for_each_bank(bank) {
		if (bank->stop && (regs->live_pmds & pfm_pmds_of_bank(bank)))
			bank->stop(regs);
	}
}

static void pfm_banked_stop(const struct pfm_regs *regs)
{
	if (unlikely(regs->live_pmds & pfm_bank_pmds))
		pfm_banks_stop(regs);
	pfm_own_op(stop)(regs);
}

static void pfm_banked_write_pmc(unsigned int pmc, u64 value)
{
	const struct pfm_bank *bank = pmc < pfm_bank_pmc ? NULL : pfm_bank_of_pmc(pmc);

	if (!bank)
		pfm_own_op(write_pmc)(pmc, value);
	else if (bank->write_pmc)
		bank->write_pmc(pmc, value);
}

static void pfm_banked_write_pmd(unsigned int pmd, u64 value)
{
	if (unlikely(pfm_bank_pmds & BIT_ULL(pmd)))
		pfm_bank_of_pmd(pmd)->write_pmd(pmd, value);
	else
		pfm_own_op(write_pmd)(pmd, value);
}

static u64 pfm_banked_read_pmd(unsigned int pmd)
{
	if (unlikely(pfm_bank_pmds & BIT_ULL(pmd)))
		return pfm_bank_of_pmd(pmd)->read_pmd(pmd);
	return pfm_own_op(read_pmd)(pmd);
}

/**
 * pfm_banks_load() - A set is loaded after another one.
 * @regs: the set's registers
 *
 * Context: as &pfm_bank.load.
 */
void pfm_banks_load(const struct pfm_regs *regs)
{
	const struct pfm_bank *bank;

	pfm_for_each_bank(bank) {
		if (bank->load)
			bank->load(regs);
	}
}

/**
 * pfm_banks_set() - Work with the banks of another PMU from now on.
 * @pmu: the PMU, for which pfm_pmu_set() was called
 *
 * Context: boot; there is no context.
 */
void pfm_banks_set(const struct pfm_pmu *pmu)
{
	const struct pfm_bank *bank;
	bool loads = false;

	pfm_banks = pmu->banks ?: pfm_no_banks;
	pfm_bank_pmds = 0;
	pfm_bank_pmc = UINT_MAX;
	pfm_banks_share = false;
	pfm_branch_bank = NULL;
	pfm_branch_pmds = 0;
	pfm_for_each_bank(bank) {
		pfm_bank_pmds |= pfm_pmds_of_bank(bank);
		if (bank->end_pmc && bank->pmc < pfm_bank_pmc)
			pfm_bank_pmc = bank->pmc;
		pfm_banks_share |= !!bank->shares;
		loads |= !!bank->load;
		if (bank->branches) {
			pfm_branch_bank = bank;
			pfm_branch_pmds = pfm_pmds_of_bank(bank);
		}
	}
	static_call_update(pfm_banks_load, loads ? pfm_banks_load : NULL);
	if (!*pfm_banks)
		return;
#define X(name)								\
	static_call_update(pfm_own_##name, pmu->ops->name);		\
	static_call_update(pfm_pmu_##name, pfm_banked_##name);
	PFM_REG_OPS(X)
#undef X
}

/**
 * pfm_bank_check_pmc() - Ask a PMC's bank about a value.
 * @regs: the set's registers
 * @pmc: the PMC, at least pfm_bank_pmc
 * @value: the value, reserved bits applied
 *
 * Return: 0, also for a PMC of no bank; -EINVAL when the set cannot have the value.
 */
int pfm_bank_check_pmc(const struct pfm_regs *regs, unsigned int pmc, u64 value)
{
	const struct pfm_bank *bank = pfm_bank_of_pmc(pmc);

	return bank && bank->check_pmc ? bank->check_pmc(regs, pmc, value) : 0;
}
