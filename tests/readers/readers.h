/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fuzzer of what pfmon reads: recordings, maps and dumps of code made at run time, earlier
 * measurements, metric groups, lists of events and the command line of pfmon 3.
 *
 * A case is a number. With the seed of the run it determines the whole case: the reader, the valid
 * input, the damage to it, and the options of the reader.
 */
#ifndef TESTS_READERS_READERS_H
#define TESTS_READERS_READERS_H

#include <stddef.h>

#include "../fuzz/random.h"

#define INPUT_ROOM	(256 * 1024)

struct input {
	unsigned char	*bytes;
	size_t		size;
};

/* The valid inputs of a kind; damage that respects their form finds more. */
struct corpus {
	struct input	*input;
	size_t		n, room;
};

enum kind {
	KIND_RECORDING, KIND_JIT, KIND_JITDUMP, KIND_JSON, KIND_METRICS, KIND_EVENTS,
	KIND_CLASSIC, KINDS
};

/* In the directory of a run, which is the current directory. */
#define INPUT_FILE	"input.txt"	/* the end of a metric group's name */
#define SOUND_FILE	"sound"

/* Fill in the valid inputs of all kinds. A failure ends the program. */
void corpus_make(struct corpus corpus[KINDS]);
void corpus_add_file(struct corpus *corpus, const char *path);
void corpus_free(struct corpus corpus[KINDS]);

/* Damage @input, whose memory is INPUT_ROOM bytes; parts of @other may get into it. */
void spoil(struct random *random, enum kind kind, struct input *input,
	   const struct input *other);

struct reader {
	const char	*name;
	enum kind	kind;
	unsigned int	weight;		/* its share of cases, of the sum of all */
	void		(*read)(struct random *random, const struct input *input);
};

extern const struct reader readers[];
extern const size_t nreaders;

/* Once in each process that reads: a PMU for readers that need its events. */
void readers_begin(void);

#endif /* TESTS_READERS_READERS_H */
