// SPDX-License-Identifier: GPL-2.0
/* From the addresses of a call chain to places. */
#include <stdlib.h>
#include <string.h>

#include "data/frames.h"
#include "data/locate.h"

static void add(struct frames *frames, const struct frame *frame)
{
	GROW(frames->frame, frames->n, frames->room);
	frames->frame[frames->n++] = *frame;
}

/*
 * A return address is behind its call: if the compiler knows that the called function
 * never returns, nothing of the caller follows, and the address is that of another function.
 * The byte before it is within the call itself.
 */
static void add_address(struct frames *frames, struct profile *profile,
			const struct sample *sample, uint64_t ip, bool returns)
{
	struct sample there = *sample;

	locate_address(profile, &there, ip - returns);
	add(frames, &(struct frame){
		.ip = ip, .returns = returns, .object = there.object, .address = there.address,
	});
}

void frames_of(struct frames *frames, struct profile *profile, const struct sample *sample)
{
	const struct chain *chain = &sample->chain;
	const size_t n = chain->kernel + chain->user;
	size_t i;

	frames->n = 0;
	add(frames, &(struct frame){
		.ip = sample->ip, .object = sample->object, .address = sample->address,
	});
	/* The first one is the sample's, unless an interrupt came too late for its level. */
	for (i = n && chain->address[0] == sample->ip; i < n; i++)
		add_address(frames, profile, sample, chain->address[i],
			    i && i != chain->kernel);
}

void frames_free(struct frames *frames)
{
	free(frames->frame);
	memset(frames, 0, sizeof(*frames));
}
