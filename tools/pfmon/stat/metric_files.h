/* SPDX-License-Identifier: GPL-2.0 */
/* Where the files of metric groups are. */
#ifndef PFMON_STAT_METRIC_FILES_H
#define PFMON_STAT_METRIC_FILES_H

#include <stdio.h>

#include "util.h"

/* Open the file of a group; *@path is allocated. NULL, with the groups that there are. */
FILE *metric_file_open(const char *name, char **path, struct problem *why);

#endif /* PFMON_STAT_METRIC_FILES_H */
