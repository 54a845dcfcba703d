// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: branch records, a service to sampling formats.
 *
 * A bank of the PMU has the records in its registers, and reads them there: PMDs hold the addresses
 * only. So the records must be read before the registers get another set's values. A
 * handler may read them: its set is loaded, and stopped.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/perfmon_fmt.h>
#include "bank.h"

/**
 * pfm_branches_work() - Has the PMU branch records?
 *
 * Return: false where pfm_branches() finds nothing.
 *
 * Context: any.
 */
bool pfm_branches_work(void)
{
	return pfm_branch_bank;
}
EXPORT_SYMBOL_GPL(pfm_branches_work);

/**
 * pfm_branches() - Read the branches that were taken before an overflow.
 * @data: the handler's argument
 * @max: records, at most; no more than PFM_BRANCHES_MAX are found
 * @to: array of @max records
 *
 * The newest branch comes first. There are none if the event set does not switch the records on,
 * and fewer than the processor has if the thread has not taken as many branches yet, or if more of
 * them could be another thread's.
 *
 * Return: number of records.
 *
 * Context: a format's fmt_handler, called with this @data; nowhere else.
 */
unsigned int pfm_branches(const struct pfm_ovfl_data *data, unsigned int max,
			  struct pfm_branch *to)
{
	if (!(data->live_pmds & pfm_branch_pmds))
		return 0;
	return pfm_branch_bank->branches(min_t(unsigned int, max, PFM_BRANCHES_MAX), to);
}
EXPORT_SYMBOL_GPL(pfm_branches);
