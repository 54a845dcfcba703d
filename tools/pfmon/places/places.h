/* SPDX-License-Identifier: GPL-2.0 */
/* The name of each place where a sample is: symbol, file, and how far within the symbol. */
#ifndef PFMON_PLACES_PLACES_H
#define PFMON_PLACES_PLACES_H

#include "data/frames.h"
#include "data/profile.h"

/* Names that are equal are the same pointer, and live as long as the places. */
struct place {
	size_t		object;
	uint64_t	address;	/* as in struct sample */
	const char	*symbol;	/* "[unknown]" */
	const char	*file;		/* or a name in brackets */
	bool		known;		/* the symbol is */
	uint64_t	distance;	/* from where the symbol begins */
};

struct places;

/* @profile has to live as long. */
struct places *places_open(const struct profile *profile, bool demangle);

/* Where this sample is. Valid until the next call; its names until the end. */
const struct place *places_find(struct places *places, const struct sample *sample);

/* Where a function of a chain is; @distance is that of where the call returns to. */
struct place places_of_frame(struct places *places, const struct frame *frame);

/* Files whose symbols were wanted and could not be had; sentences. */
const struct strings *places_notes(const struct places *places);

/* A name that is equal to this one is the same pointer. */
const char *places_name(struct places *places, const char *name);

/* A thread's name at the time of a sample, or ":TID" as perf has it. */
const char *places_comm(struct places *places, const struct sample *sample);

void places_close(struct places *places);

#endif /* PFMON_PLACES_PLACES_H */
