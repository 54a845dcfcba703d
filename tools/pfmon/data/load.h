/* SPDX-License-Identifier: GPL-2.0 */
/* From a file to a profile in memory. */
#ifndef PFMON_DATA_LOAD_H
#define PFMON_DATA_LOAD_H

#include "data/profile.h"

/* Read a recording. False: there is none, or it is damaged. */
bool profile_load(struct profile *profile, const char *name, struct problem *why);

#endif /* PFMON_DATA_LOAD_H */
