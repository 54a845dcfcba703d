// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: a model of the Itanium's PMU, for KUnit.
 *
 * Facts: Intel Itanium Architecture Software Developer's Manual, volume 2: "Performance
 * Monitoring" (freeze, overflow status, which monitors count when), "Processor Status
 * Register" (its state after an interruption), "Debugging".
 *
 * KUnit's tests run one after the other, on one CPU, at boot.
 */
#include <linux/bits.h>
#include <linux/string.h>
#include "model.h"

static struct pfm_model *model;

void pfm_model_use(struct pfm_model *m, const struct pfm_ita_model *what)
{
	model = m;
	if (!m)
		return;
	memset(m, 0, sizeof(*m));
	/* As another user may leave it: everything enabled, and counting. */
	memset(m->pmc, 0xff, sizeof(m->pmc));
	memset(m->pmd, 0x5a, sizeof(m->pmd));
	m->what = what;
	m->running = &m->tasks[0];
	m->running->user_psr = PFM_MODEL_PSR_CPL | PFM_ITA_PSR_SP;
	m->psr = m->running->user_psr;
}

static struct pfm_model_task *find_task(struct task_struct *task)
{
	unsigned int i;

	for (i = 1; i <= PFM_MODEL_TASKS; i++) {
		if (model->tasks[i].task == task)
			return &model->tasks[i];
	}
	return &model->tasks[0];
}

struct pfm_model_task *pfm_model_add_task(struct task_struct *task, bool kernel)
{
	struct pfm_model_task *t = find_task(NULL);

	t->task = task;
	t->kernel = kernel;
	t->user_psr = PFM_MODEL_PSR_CPL | PFM_ITA_PSR_SP;
	return t;
}

static bool at_user_level(void)
{
	return model->psr & PFM_MODEL_PSR_CPL;
}

void pfm_model_enter_user(struct pfm_model_task *task)
{
	model->running = task;
	model->depth = 0;
	model->psr = task->user_psr;
}

void pfm_model_interruption(void)
{
	if (at_user_level())
		model->running->user_psr = model->psr;
	else
		model->frames[model->depth++] = model->psr;
	model->psr &= ~(PFM_MODEL_PSR_CPL | PFM_ITA_PSR_SP | PFM_ITA_PSR_PP);
	if (model->dcr & PFM_ITA_DCR_PP)
		model->psr |= PFM_ITA_PSR_PP;
}

void pfm_model_rfi(void)
{
	model->psr = model->depth ? model->frames[--model->depth] : model->running->user_psr;
}

void pfm_model_epc(void)
{
	model->running->user_psr = model->psr;
	model->psr &= ~(PFM_MODEL_PSR_CPL | PFM_ITA_PSR_SP);
}

static bool counts(unsigned int pmc)
{
	unsigned int level = at_user_level() ? 3 : 0;
	u64 pm = model->what->pm6 & BIT_ULL(pmc) ? BIT_ULL(6) : BIT_ULL(4);
	unsigned long enable = model->pmc[pmc] & pm ? PFM_ITA_PSR_PP : PFM_ITA_PSR_UP;

	return (model->pmc[pmc] & BIT_ULL(level)) && (model->psr & enable);
}

static void count(unsigned int pmd, u64 n)
{
	unsigned int width = model->what->pmu->pmds[pmd].width;
	u64 mask = GENMASK_ULL(width - 1, 0), value = model->pmd[pmd] & mask;
	bool overflows = value + n > mask;

	value = (value + n) & mask;
	model->pmd[pmd] = value & BIT_ULL(width - 1) ? value | ~mask : value;
	if (!overflows)
		return;
	model->pmc[pmd / 64] |= BIT_ULL(pmd % 64);
	if (model->pmc[pmd] & PFM_ITA_OI) {
		model->pmc[0] |= PFM_ITA_FREEZE;
		model->pmis += model->open;
	}
}

void pfm_model_events(u64 n)
{
	const struct pfm_pmu *pmu = model->what->pmu;
	unsigned int i;

	for (i = PFM_ITA_NUM_STATUS; i < pmu->num_pmds; i++) {
		if (model->pmc[0] & PFM_ITA_FREEZE)
			return;
		if (pmu->pmds[i].cls == PFM_CLASS_COUNTER && counts(i))
			count(i, n);
	}
}

u64 pfm_model_user_reads(unsigned int pmd)
{
	return model->psr & PFM_ITA_PSR_SP ? 0 : model->pmd[pmd];
}

void pfm_model_user_sum(bool up)
{
	if (!(model->psr & PFM_ITA_PSR_SP)) {
		pfm_ita_set_psr_up(up);
		model->running->user_psr = model->psr;
	}
}

/* The functions that access.h declares. */

void pfm_ita_set_pmc(unsigned int n, u64 value)
{
	model->pmc[n] = value;
	model->unserialized = true;
}

void pfm_ita_set_pmd(unsigned int n, u64 value)
{
	model->pmd[n] = value;
	model->unserialized = true;
}

u64 pfm_ita_get_pmd(unsigned int n)
{
	return model->pmd[n];
}

void pfm_ita_set_ibr(unsigned int n, u64 value)
{
	model->ibr[n] = value;
	model->unserialized = true;
}

void pfm_ita_set_dbr(unsigned int n, u64 value)
{
	model->dbr[n] = value;
	model->unserialized = true;
}

void pfm_ita_serialize(void)
{
	model->unserialized = false;
}

unsigned long pfm_ita_get_psr(void)
{
	return model->psr;
}

static void set_psr(unsigned long bit, bool on)
{
	model->psr = on ? model->psr | bit : model->psr & ~bit;
}

void pfm_ita_set_psr_up(bool on)
{
	set_psr(PFM_ITA_PSR_UP, on);
}

void pfm_ita_set_psr_pp(bool on)
{
	set_psr(PFM_ITA_PSR_PP, on);
}

void pfm_ita_set_dcr_pp(bool on)
{
	model->dcr = on ? PFM_ITA_DCR_PP : 0;
}

void pfm_ita_open_interrupt(void)
{
	model->open = true;
}

unsigned long *pfm_ita_user_psr(struct task_struct *task)
{
	return &find_task(task)->user_psr;
}

unsigned long *pfm_ita_interrupted_psr(void)
{
	return model->depth ? &model->frames[model->depth - 1] : NULL;
}

unsigned long *pfm_ita_thread_pp(struct task_struct *task)
{
	return &find_task(task)->pp;
}

void pfm_ita_set_insecure(struct task_struct *task, bool insecure)
{
	find_task(task)->insecure = insecure;
}

bool pfm_ita_is_kernel_thread(struct task_struct *task)
{
	return find_task(task)->kernel;
}
