// SPDX-License-Identifier: GPL-2.0
/* Bitvectors of register indices. */
#include "perfmon_lib.h"

unsigned int perfmon_bv_next(const perfmon_word_t *vector, unsigned int nbits,
			     unsigned int bit)
{
	perfmon_word_t word;

	while (bit < nbits) {
		word = vector[PERFMON_WORD(bit)] >> (bit % 64);
		if (word) {
			bit += (unsigned int)__builtin_ctzll(word);
			return bit < nbits ? bit : nbits;
		}
		bit = (bit / 64 + 1) * 64;
	}
	return nbits;
}

unsigned int perfmon_bv_count(const perfmon_word_t *vector, unsigned int nbits)
{
	unsigned int bit, n = 0;

	perfmon_bv_for_each(bit, vector, nbits)
		n++;
	return n;
}
