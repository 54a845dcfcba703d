/* SPDX-License-Identifier: GPL-2.0 */
/* Samples one after the other, all of one size. */
#ifndef PFMON_SESSION_BATCH_H
#define PFMON_SESSION_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batch {
	const void	*samples;
	size_t		sample_size;
	uint64_t	count;
	bool		more;		/* there may be others already, somewhere else */
};

#endif /* PFMON_SESSION_BATCH_H */
