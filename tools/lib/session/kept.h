/* SPDX-License-Identifier: GPL-2.0 */
/* Room for the samples of a format whose own are not all of one size. */
#ifndef PFMON_SESSION_KEPT_H
#define PFMON_SESSION_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon_default_smpl.h>

/* Zeroed: none. */
struct kept {
	char	*samples;
	size_t	room;		/* bytes */
};

/* Sample @number of them: an entry and its values. */
void kept_put(struct kept *kept, uint64_t number, const pfm_default_smpl_entry_t *entry,
	      const void *values, size_t nvalues);

/* Bytes of a sample with so many values. */
static inline size_t kept_size(size_t nvalues)
{
	return sizeof(pfm_default_smpl_entry_t) + nvalues * sizeof(uint64_t);
}

void kept_free(struct kept *kept);

#endif /* PFMON_SESSION_KEPT_H */
