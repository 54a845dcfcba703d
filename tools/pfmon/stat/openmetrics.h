/* SPDX-License-Identifier: GPL-2.0 */
/* Counts for a collector of metrics: the OpenMetrics text format. */
#ifndef PFMON_STAT_OPENMETRICS_H
#define PFMON_STAT_OPENMETRICS_H

#include "stat/report.h"

/*
 * Write the file anew; a reader sees the whole old file or the whole new one. @parts belong to
 * @report's counts. False, with errno: it was not written.
 */
bool openmetrics_write(const char *path, const struct report *report, const struct parts *parts);

#endif /* PFMON_STAT_OPENMETRICS_H */
