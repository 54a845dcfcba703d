/* SPDX-License-Identifier: GPL-2.0 */
/* The filters that a sample itself decides: not those by its function and file. */
#ifndef PFMON_REPORT_CHOSEN_H
#define PFMON_REPORT_CHOSEN_H

#include <stdbool.h>

#include "data/profile.h"
#include "report/keys.h"

/* True if the sample fits the filters by event, command name, process, thread and CPU. */
bool sample_is_chosen(const struct filter *filter, const struct profile *profile,
		      const struct sample *sample);

#endif /* PFMON_REPORT_CHOSEN_H */
