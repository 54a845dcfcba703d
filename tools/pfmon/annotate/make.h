/* SPDX-License-Identifier: GPL-2.0 */
/* From functions to their annotated lines. */
#ifndef PFMON_ANNOTATE_MAKE_H
#define PFMON_ANNOTATE_MAKE_H

#include "annotate/options.h"
#include "annotate/print.h"

/*
 * Annotate the chosen functions. A failure with one of them is added to the
 * notes; false, with the reason: no function is left. The view must exist.
 */
bool annotations_make(struct annotations *annotations, const struct functions *functions,
		      const struct annotate_options *options, struct problem *why);
void annotations_free(struct annotations *annotations);

#endif /* PFMON_ANNOTATE_MAKE_H */
