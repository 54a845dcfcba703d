// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: a model of MSRs, for tests of the code that uses them.
 *
 * KUnit's tests run one after the other, at boot: no context is loaded then.
 */
#include <linux/errno.h>
#include "../../../kernel/perfmon/tests/pin.h"
#include "msr.h"
#include "msr_kunit.h"

DEFINE_STATIC_KEY_FALSE(pfm_msr_modelled);
const struct pfm_msr_model *pfm_msr_model;

static struct pfm_msr_cell *cells;
static unsigned int faults;

struct pfm_msr_cell *pfm_msr_cell(u32 msr)
{
	struct pfm_msr_cell *cell;

	for (cell = cells; cell->msr; cell++) {
		if (cell->msr == msr)
			return cell;
	}
	return NULL;
}

unsigned int pfm_msr_faults(void)
{
	return faults;
}

static int model_read(u32 msr, u64 *value)
{
	struct pfm_msr_cell *cell = pfm_msr_cell(msr);

	if (!cell) {
		faults++;
		return -EIO;
	}
	*value = cell->value;
	return 0;
}

static int model_write(u32 msr, u64 value)
{
	struct pfm_msr_cell *cell = pfm_msr_cell(msr);

	if (!cell || (value & ~cell->takes)) {
		faults++;
		return -EIO;
	}
	cell->writes++;
	if (!cell->ignores_writes)
		cell->value = value;
	if (cell->wrote)
		cell->wrote(value);
	return 0;
}

static u64 model_rdpmc(u32 counter)
{
	struct pfm_msr_cell *cell;

	for (cell = cells; cell->msr; cell++) {
		if (cell->counter == counter + 1)
			return cell->value;
	}
	faults++;
	return 0;
}

static const struct pfm_msr_model model = {
	.read	= model_read,
	.write	= model_write,
	.read_counter = model_rdpmc,
};

void pfm_msr_use(struct pfm_msr_cell *use)
{
	bool before = cells;

	cells = use;
	faults = 0;
	pfm_msr_model = &model;
	/* Switching the static key sleeps: not when one model follows another. */
	if (use && !before)
		static_branch_enable(&pfm_msr_modelled);
	else if (!use && before)
		static_branch_disable(&pfm_msr_modelled);
	/* The model has one CPU. */
	pfm_test_pin(use);
}
