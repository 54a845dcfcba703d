/* SPDX-License-Identifier: GPL-2.0 */
/* pfmon report --callers and --callees: the call chains of recordings as a tree. */
#ifndef PFMON_REPORT_CALLS_H
#define PFMON_REPORT_CALLS_H

#include "report/options.h"

bool report_calls(const struct report_options *options, struct problem *why);

#endif /* PFMON_REPORT_CALLS_H */
