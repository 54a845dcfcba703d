/* SPDX-License-Identifier: GPL-2.0 */
/* The samples of a recording, each with its place at its time. */
#ifndef PFMON_DATA_SAMPLES_H
#define PFMON_DATA_SAMPLES_H

#include "data/format.h"
#include "data/load.h"

/* Take a record of samples, after everything else. False: it is damaged. */
bool samples_take(struct profile *profile, const struct profile_record *record,
		  const struct load_options *options);

#endif /* PFMON_DATA_SAMPLES_H */
