/* SPDX-License-Identifier: GPL-2.0 */
/* From the command line of pfmon 3 to that of a verb. */
#ifndef PFMON_CLASSIC_TRANSLATE_H
#define PFMON_CLASSIC_TRANSLATE_H

#include "classic/options.h"

/*
 * The verb, its options and the command, a copy each, into @argv; notes for the user,
 * a sentence each, into @notes. False, with the reason, when no verb does it.
 */
bool classic_translate(const struct classic *classic, struct strings *argv,
		       struct strings *notes, struct problem *why);

#endif /* PFMON_CLASSIC_TRANSLATE_H */
