// SPDX-License-Identifier: GPL-2.0
/* The library that sampled.c opens. */
#include "sampled.h"

void work(unsigned long turns);

void work(unsigned long turns)
{
	BUSY(turns);
}
