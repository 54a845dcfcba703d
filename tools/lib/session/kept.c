// SPDX-License-Identifier: GPL-2.0
/* Room for the samples of a format whose own are not all of one size. */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "session/kept.h"

void kept_put(struct kept *kept, uint64_t number, const pfm_default_smpl_entry_t *entry,
	      const void *values, size_t nvalues)
{
	const size_t size = kept_size(nvalues);
	char *to;

	if ((number + 1) * size > kept->room) {
		kept->room = 2 * (number + 1) * size;
		kept->samples = xrealloc(kept->samples, kept->room, 1);
	}
	to = kept->samples + number * size;
	memcpy(to, entry, sizeof(*entry));
	memcpy(to + sizeof(*entry), values, nvalues * sizeof(uint64_t));
}

void kept_free(struct kept *kept)
{
	free(kept->samples);
	*kept = (struct kept){ .samples = NULL };
}
