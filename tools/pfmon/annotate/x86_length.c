// SPDX-License-Identifier: GPL-2.0
/*
 * Lengths of instructions of x86-64 that capstone 4 does not know: comparisons and masks of
 * AVX-512, which are in the C library's functions for strings, and a few newer ones. If only
 * their first byte were left out, the next bytes would be decoded as an instruction, and so would
 * the following ones. Facts are from Intel's manual: "Instruction Format", "VEX Prefix", "Intel
 * AVX-512 Encoding", and the opcode maps.
 */
#include <stdbool.h>
#include <stdint.h>

#include "annotate/x86_length.h"

/* ModR/M, and the bytes that it requires behind it: SIB and displacement. */
static size_t operand_length(const unsigned char *byte, size_t left)
{
	const unsigned int mod = byte[0] >> 6, rm = byte[0] & 7;
	const bool sib = mod != 3 && rm == 4;
	size_t displacement = 0;

	if (mod == 1)
		displacement = 1;
	else if (mod == 2 || (mod == 0 && rm == 5) ||
		 (mod == 0 && sib && left > 1 && (byte[1] & 7) == 5))
		displacement = 4;
	return 1 + sib + displacement;
}

/* True if an immediate byte ends it: for all of map 0F3A, and for these of map 0F. */
static bool has_immediate(unsigned int map, unsigned int opcode)
{
	return map == 3 ||
	       (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
			     (opcode >= 0xc4 && opcode <= 0xc6)));
}

/* Length of a prefix: VEX of two and three bytes, EVEX; 0: none of them. */
static size_t prefix_length(unsigned int first)
{
	return first == 0xc5 ? 2 : first == 0xc4 ? 3 : first == 0x62 ? 4 : 0;
}

size_t x86_length(const unsigned char *byte, size_t left)
{
	const size_t prefix = prefix_length(byte[0]);
	size_t length = 0;
	unsigned int map;

	if (prefix && left > prefix + 1) {
		map = prefix == 2 ? 1 : byte[1] & (prefix == 3 ? 0x1f : 7);
		length = prefix + 1 + operand_length(byte + prefix + 1, left - prefix - 1) +
			 has_immediate(map, byte[prefix]);
	} else if (left > 2 && byte[0] == 0x0f && byte[1] == 0x01 && byte[2] >> 6 == 3) {
		length = 3; /* system instructions without operands: RDPKRU, WRPKRU, ... */
	}
	return length <= left ? length : 0;
}
