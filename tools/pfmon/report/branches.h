/* SPDX-License-Identifier: GPL-2.0 */
/* pfmon report --branches: source, target and count of each branch. */
#ifndef PFMON_REPORT_BRANCHES_H
#define PFMON_REPORT_BRANCHES_H

#include "report/options.h"

bool report_branches(const struct report_options *options, struct problem *why);

#endif /* PFMON_REPORT_BRANCHES_H */
