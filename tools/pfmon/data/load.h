/* SPDX-License-Identifier: GPL-2.0 */
/* From a file to a profile in memory. */
#ifndef PFMON_DATA_LOAD_H
#define PFMON_DATA_LOAD_H

#include "data/format.h"
#include "data/profile.h"

/* The use of the samples. All members may be NULL or false: then samples are only counted. */
struct load_options {
	bool	hits;		/* add them up in profile->hits ... */
	bool	tasks, cpus;	/* ... separately by thread and its name, by CPU */
	bool	paths;		/* ... and by the functions that led there, if they are known */
	uint64_t from, to;	/* of this time only, on the samples' clock; to 0: without end */
	uint64_t most;		/* about this number of first ones; 0: all */

	/* Called for each of these samples, in the order of the file. */
	void	(*visit)(void *data, const struct profile *profile, const struct sample *sample);
	void	*data;
};

/*
 * The same by hand: an empty profile; then a record of anything but samples, for which see
 * samples.h. False: it is damaged.
 */
void profile_begin(struct profile *profile);
bool profile_take(struct profile *profile, const struct profile_record *record);

/* Read a recording. False: there is none, or it is damaged. */
bool profile_load(struct profile *profile, const char *name, const struct load_options *options,
		  struct problem *why);

/*
 * Let @options have the samples that are @from to @to seconds after the recording's first one;
 * @to < 0: up to the end. Reads the recording, if it must. False: see profile_load().
 */
bool profile_choose_time(const char *name, double from, double to, struct load_options *options,
			 struct problem *why);

#endif /* PFMON_DATA_LOAD_H */
