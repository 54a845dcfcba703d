/* SPDX-License-Identifier: GPL-2.0 */
/* The name of each sample's place: symbol, file, and distance within the symbol. */
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
	uint64_t	distance;	/* from the symbol's beginning */
	/* The functions that the compiler has put into the symbol there, the innermost first. */
	const char	**inlined;
	size_t		ninlined;	/* 0 without places_find_inlined() */
};

struct places;

/* @profile has to live as long. */
struct places *places_open(const struct profile *profile, bool demangle);

/* From now on, find inlined functions as well: it reads the debug information of each place. */
void places_find_inlined(struct places *places);

/* The place of this sample. Valid until the next call; its names until the end. */
const struct place *places_find(struct places *places, const struct sample *sample);

/* The place of a function of a chain; @distance is that of the return address. */
struct place places_of_frame(struct places *places, const struct frame *frame);

/* The place of an address of an object, as in struct place. */
const struct place *places_at(struct places *places, size_t object, uint64_t address);

/* Files whose symbols were needed and not available; sentences. */
const struct strings *places_notes(const struct places *places);

/* Print the notes on the recording and these, as messages. */
void places_say_notes(const struct places *places);

/* A name that is equal to this one is the same pointer. */
const char *places_name(struct places *places, const char *name);

/* A thread's name at the time of a sample, or ":TID" as perf has it. */
const char *places_comm(struct places *places, const struct sample *sample);

void places_close(struct places *places);

#endif /* PFMON_PLACES_PLACES_H */
