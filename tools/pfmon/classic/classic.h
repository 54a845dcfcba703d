/* SPDX-License-Identifier: GPL-2.0 */
/* pfmon without a verb: the command line of pfmon 3, for the scripts that exist. */
#ifndef PFMON_CLASSIC_CLASSIC_H
#define PFMON_CLASSIC_CLASSIC_H

#include "util.h"

/*
 * The command line of the verb that does the same as this one, into @argv, which ends with
 * a NULL that is not counted. False when there is none, with the reason printed.
 */
bool classic_to_verb(int argc, char **argv, struct strings *verb);

#endif /* PFMON_CLASSIC_CLASSIC_H */
