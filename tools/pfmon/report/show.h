/* SPDX-License-Identifier: GPL-2.0 */
/* From options to output: the common part of the verbs that sum samples up. */
#ifndef PFMON_REPORT_SHOW_H
#define PFMON_REPORT_SHOW_H

#include "report/options.h"
#include "report/table.h"

/* Read the recordings. @any_period and @paths: see struct gather_options. */
bool report_gather(struct gathered *gathered, const struct report_options *options,
		   bool any_period, bool paths, struct problem *why);

/* Call for each recording until it returns false: for pfmon.data if the options name none. */
bool report_each_input(const struct report_options *options, void *data,
		       bool (*take)(void *data, const char *file, struct problem *why),
		       struct problem *why);

/* Add the notes of a recording, each with its name if there are several. */
void report_add_notes(const struct report_options *options, struct strings *notes,
		      const char *file, const struct strings *from);

/* True if the options leave samples out. */
bool report_is_filtered(const struct report_options *options);

/*
 * Before and after printing on the standard output: text may go to a pager. False at the end: @what
 * could not be written.
 */
void report_begin_output(const struct report_options *options);
bool report_end_output(const char *what, struct problem *why);

/* Read the recordings, sum them up and print the table. */
bool report_show(const struct report_options *options, enum layout layout, struct problem *why);

#endif /* PFMON_REPORT_SHOW_H */
