/* SPDX-License-Identifier: GPL-2.0 */
/* The sampling options of pfmon 3 as those of `pfmon record`. */
#ifndef PFMON_CLASSIC_RECORD_H
#define PFMON_CLASSIC_RECORD_H

#include "classic/options.h"

/* Events, periods and buffer, to the end of @argv. False, with the reason. */
bool classic_sampling(const struct classic *classic, struct strings *argv, struct problem *why);

#endif /* PFMON_CLASSIC_RECORD_H */
