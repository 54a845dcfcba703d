/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of files to be written, which can differ for each process that a job launcher
 * starts: %h is the host, %p pfmon's process, %r the rank, %% a percent sign.
 */
#ifndef PFMON_FILENAME_H
#define PFMON_FILENAME_H

#include "util.h"

/*
 * The file name of -o @pattern, to be freed. False, with the reason: there is no such
 * letter, or no launcher has passed a rank.
 */
bool filename_expand(char **name, const char *pattern, struct problem *why);

#endif /* PFMON_FILENAME_H */
