// SPDX-License-Identifier: GPL-2.0
/* The kernel's sampling formats. */
#include "session/reader.h"

const struct sampling_reader *const sampling_readers[SAMPLING_FORMATS] = {
	[SAMPLING_DEFAULT] = &plain_reader,
	[SAMPLING_RING] = &parts_reader,
	[SAMPLING_STACK] = &chains_reader,
	[SAMPLING_COMPACT] = &compact_reader,
	[SAMPLING_HIST] = &hist_reader,
	[SAMPLING_IBS] = &records_reader,
	[SAMPLING_BRANCH] = &branched_reader,
};
