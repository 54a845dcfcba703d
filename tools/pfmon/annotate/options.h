/* SPDX-License-Identifier: GPL-2.0 */
/* The options of `pfmon annotate`: most are those of `pfmon report`. */
#ifndef PFMON_ANNOTATE_OPTIONS_H
#define PFMON_ANNOTATE_OPTIONS_H

#include "annotate/decoder.h"
#include "report/options.h"

struct annotate_options {
	struct report_options	report;
	struct filter		functions;	/* by KEY_SYMBOL; none: the one with most samples */
	struct decoder_options	decoder;
	bool			no_source;	/* instructions alone */
	bool			by_source;	/* lines of the source alone */
};

bool annotate_options_read(struct annotate_options *options, int argc, char **argv, bool *help,
			   struct problem *why);
void annotate_options_free(struct annotate_options *options);

#endif /* PFMON_ANNOTATE_OPTIONS_H */
