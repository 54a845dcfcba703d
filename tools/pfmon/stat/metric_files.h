/* SPDX-License-Identifier: GPL-2.0 */
/* The places of the files of metric groups. */
#ifndef PFMON_STAT_METRIC_FILES_H
#define PFMON_STAT_METRIC_FILES_H

#include <stdio.h>

#include "util.h"

/* Open the file of a group; *@path is allocated. NULL: @why lists the existing groups. */
FILE *metric_file_open(const char *name, char **path, struct problem *why);

#endif /* PFMON_STAT_METRIC_FILES_H */
