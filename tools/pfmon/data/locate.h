/* SPDX-License-Identifier: GPL-2.0 */
/* The place of an address in a process at a time. */
#ifndef PFMON_DATA_LOCATE_H
#define PFMON_DATA_LOCATE_H

#include "data/profile.h"

/* Find the place of a sample, of which address, process and time are known. */
void locate_sample(struct profile *profile, struct sample *sample);

/* The same for another address, which becomes the sample's. */
void locate_address(struct profile *profile, struct sample *sample, uint64_t address);

#endif /* PFMON_DATA_LOCATE_H */
